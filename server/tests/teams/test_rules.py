"""Sums up the line against a plain recount, levels and bands at their edges."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kalos.app.settings import PROJECT
from kalos.core.assets import KLS, POINT, USA, USDT
from kalos.core.terms import load_terms
from kalos.domains.teams import rules
from kalos.domains.teams.rules import Change, Upline
from kalos.domains.teams.tables import TeamRow
from kalos.ledger.moves import StoredMove

RATES = rules.rates_with(Fraction(1, 3))
NOVEMBER, DECEMBER = date(2026, 11, 30), date(2026, 12, 1)


@st.composite
def histories(draw: st.DrawFn) -> tuple[list[int | None], list[list[tuple[int, int, date]]]]:
    """Inviters of members 0, 1, 2 …, and batches of (member, units, day) whose days never fall."""
    count = draw(st.integers(1, 12))
    inviters = [None, *(draw(st.none() | st.integers(0, member - 1)) for member in range(1, count))]
    days = iter(sorted(draw(st.lists(st.sampled_from([NOVEMBER, DECEMBER]), max_size=20))))
    moves = [(draw(st.integers(0, count - 1)), draw(st.integers(1, 99)), day) for day in days]
    cut = draw(st.integers(0, len(moves)))
    return inviters, [moves[:cut], moves[cut:]]


@given(histories())
def test_sums_kept_up_the_line_are_those_of_a_recount(
    history: tuple[list[int | None], list[list[tuple[int, int, date]]]],
) -> None:
    inviters, batches = history
    rows = {member: TeamRow(member, inviter) for member, inviter in enumerate(inviters)}
    for number, batch in enumerate(batches):
        gains = rules.gains_of([StoredMove(member, USDT, units, day) for member, units, day in batch], RATES)
        uplines = [Upline(row.member, row.inviter, row.own_units + row.team_units) for row in rows.values()]
        for change in rules.carried_up(uplines, gains, {*rows} if number == 0 else set()):
            rows[change.member] = grown(rows[change.member], change, gains.month)
    below: dict[int, set[int]] = {member: set() for member in rows}
    for member, inviter in enumerate(inviters):
        while inviter is not None:
            below[inviter].add(member)
            inviter = inviters[inviter]
    moves = [move for batch in batches for move in batch]
    last = max((day for _, _, day in moves), default=None)

    def total(members: set[int], month: bool = False) -> int:
        return sum(units for one, units, day in moves if one in members and (not month or day == last))

    for member, row in rows.items():
        direct = [one for one, inviter in enumerate(inviters) if inviter == member]
        lines = [total(below[one] | {one}) for one in direct]
        assert (row.own_units, row.team_units) == (total({member}), total(below[member]))
        assert (row.own_month_units, row.team_month_units) == (total({member}, True), total(below[member], True))
        assert (row.large_units, rules.small_zone(row)) == (max(lines, default=0), sum(lines) - max(lines, default=0))
        assert (row.direct_users, row.team_users, row.is_counted) == (len(direct), len(below[member]), True)


def grown(row: TeamRow, change: Change, month: int) -> TeamRow:
    """As the statement does it."""
    later = row.month < month
    return replace(
        row,
        is_counted=row.is_counted or change.joins,
        own_units=row.own_units + change.own_units,
        team_units=row.team_units + change.team_units,
        large_units=max(row.large_units, change.highest),
        month=max(row.month, month),
        own_month_units=change.own_month_units + (0 if later else row.own_month_units),
        team_month_units=change.team_month_units + (0 if later else row.team_month_units),
        direct_users=row.direct_users + change.direct_users,
        team_users=row.team_users + change.team_users,
    )


def test_a_chain_of_a_thousand_is_one_change_a_member() -> None:
    uplines = [Upline(member, member - 1 if member else None, 0) for member in range(1_000)]
    gains = rules.gains_of([StoredMove(one, USDT, 5, NOVEMBER) for one in (999, 999, 500)], RATES)
    changes = rules.carried_up(uplines, gains)
    assert len(changes) == 1_000
    assert (changes[-1].member, changes[-1].team_units, changes[-1].team_users) == (0, 15, 0)


def test_each_move_is_worth_its_value_rounded_down() -> None:
    moves = [StoredMove(1, KLS, 100, NOVEMBER)] * 2  # a third of a millionth each, twice
    assert rules.gains_of(moves, RATES).units == {}
    assert rules.worth(300_000_000, KLS, RATES) == 1_000_000
    assert rules.worth(7, USA, RATES) == 7
    assert rules.worth(7, POINT, RATES) == 0


def test_a_later_month_begins_at_nothing() -> None:
    row = TeamRow(1, None, is_counted=True, own_units=9, month=rules.month_of(NOVEMBER), own_month_units=9)
    assert rules.of_month(row, NOVEMBER) == (9, 0)
    assert rules.of_month(row, DECEMBER) == (0, 0)


@pytest.mark.parametrize(
    ("units", "level"), [(0, 0), (999_999_999, 0), (1_000_000_000, 1), (10_000_000_000, 2), (10**18, 2)]
)
def test_a_level_begins_at_its_turnover(units: int, level: int) -> None:
    assert rules.level_of(units, (1_000, 10_000)) == level


def test_levels_begin_where_the_specification_says() -> None:
    """settings.md: a team's by its small zone, a member's own by the stakes of 30 days."""
    terms = load_terms(PROJECT / "server" / "terms.toml")
    edges = [usdt * 10**USDT.scale for usdt in (1_000, 10_000, 100_000, 1_000_000)]
    for steps in (terms.team_levels, terms.vip_levels):
        assert [rules.level_of(edge - short, steps) for edge in edges for short in (1, 0)] == [0, 1, 1, 2, 2, 3, 3, 4]


@given(st.integers(0, 10**18))
def test_a_band_holds_its_turnover_and_tells_no_more(units: int) -> None:
    edges = rules.band_edges((1_000, 10_000))
    edge = rules.band_of(units, edges)
    assert edge in edges
    assert edge <= units
    assert not any(edge < other <= units for other in edges)


def test_volume_days_are_thirty_with_today() -> None:
    days = rules.volume_days(date(2026, 3, 1))
    assert (days[0], days[-1], len(days)) == (date(2026, 1, 31), date(2026, 3, 1), 30)


def test_a_masked_account_shows_four_digits() -> None:
    assert rules.masked("48213957") == "48****57"
