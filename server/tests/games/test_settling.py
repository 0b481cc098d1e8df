"""Settling is interrupted between any two postings and goes on; every bet is paid once."""

import asyncio
import uuid
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import asyncpg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import MakeMember
from games.stage import BANKROLL, Stage, turn_well
from kalos.app.migrate import role_url
from kalos.core.assets import KLS, USDT
from kalos.core.errors import Outage
from kalos.domains.context import House
from kalos.domains.games import jobs, queries, rules
from kalos.ledger.postings import Ledger, Move, Posted, Posting, key_of
from kalos.ledger.purse import Purpose, outside
from kalos.ledger.purse import house as house_account
from support import clusters

BETS = [("odd", "10"), ("even", "20"), ("odd", "1.234567"), ("even", "3"), ("odd", "7"), ("even", "1.000001")]


class Killed(BaseException):
    """The worker is gone."""


class Fuse:
    """The real ledger, through a worker that is killed after `left` postings: before or after the writer's answer."""

    def __init__(self, ledger: Ledger, left: int, *, answered: bool) -> None:
        self.ledger, self.left, self.answered = ledger, left, answered

    async def post(self, posting: Posting) -> Posted:
        if self.left == 0 and not self.answered:
            raise Killed
        result = await self.ledger.post(posting)
        if self.left == 0:
            raise Killed
        self.left -= 1
        return result

    async def post_many(self, postings: Sequence[Posting]) -> list[Posted | Exception]:
        done = [await self.ledger.post_many([posting]) for posting in postings[: self.left]]
        self.left -= len(done)
        if len(done) < len(postings):
            raise Killed
        return [result for one in done for result in one]


@pytest.mark.parametrize("digit", [1, 2, None])
@pytest.mark.parametrize("answered", [False, True])
async def test_a_round_that_is_killed_everywhere_pays_each_bet_once(
    stage: Stage, member: MakeMember, digit: int | None, answered: bool
) -> None:
    view = await stage.begin()
    alice = await member(usdt="100")
    placed = [await stage.bet(alice, view, option, amount) for option, amount in BETS]
    start = await stage.money(alice)
    stage.to(view.height.closes_at)
    stage.mine_to(view, digit)
    for _ in range(3):
        stage.chain.mine()
    for tries in count():
        fuse = Fuse(stage.house.ledger, tries % 3, answered=answered)
        try:
            await turn_well(replace(stage.house, ledger=fuse))
        except Killed:
            continue
        if (await stage.height(view)).settled_at is not None:
            break
        assert tries < 100
    assert tries > 3
    rows = [await stage.bet_row(bet) for bet in placed]
    expected = [
        rules.end_of(
            rules.ODD_EVEN,
            row.option,
            row.units,
            rules.ODD_EVEN.multiple(stage.house.terms),
            bet_at=row.at,
            block_hash=None if digit is None else f"0x{digit}",
            block_time=view.height.closes_at // 1000 + 4,
        )
        for row in rows
    ]
    assert [(row.status, row.prize_units) for row in rows] == [(end.status, end.prize_units) for end in expected]
    after = await stage.money(alice)
    back = sum(end.prize_units for end in expected)
    assert (after.available, after.held) == (start.available + back, 0)
    assert after.reserved == await stage.sum_limits(USDT)
    staked = sum(row.units for row in rows)
    assert after.bankroll + after.reserved == start.bankroll + start.reserved + staked - back


async def test_many_bets_are_settled_in_slices(
    stage: Stage, member: MakeMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "SLICE", 7)
    view = await stage.begin()
    alice = await member(usdt="100")
    await asyncio.gather(*(stage.bet(alice, view, ("odd", "even")[n % 3 > 0], "1") for n in range(8)))
    for n in range(32):
        await stage.bet(alice, view, ("odd", "even")[n % 3 > 0], "1")
    await stage.play(view, 4)
    await stage.turn()
    statuses = await stage.house.db.rows(
        "SELECT status, count(*) AS bets FROM bets WHERE round = $1 GROUP BY 1 ORDER BY 1", view.round.number
    )
    evens = sum(n % 3 > 0 for n in (*range(8), *range(32)))
    assert {row["status"]: row["bets"] for row in statuses} == {"won": evens, "not_won": 40 - evens}
    assert (await stage.money(alice)).available == 60_000_000 + evens * 1_950_000
    assert (await stage.height(view)).state == "settled"


async def test_without_the_ledger_nothing_is_lost(stage: Stage, member: MakeMember) -> None:
    class Away:
        async def post(self, posting: Posting) -> Posted:
            raise Outage("the writer is away")

        async def post_many(self, postings: Sequence[Posting]) -> list[Posted | Exception]:
            raise Outage("the writer is away")

    view = await stage.begin()
    alice = await member(usdt="100")
    await stage.bet(alice, view, "odd", "10")
    stage.to(view.height.closes_at)
    with pytest.raises(Outage):
        await turn_well(replace(stage.house, ledger=Away()))
    await stage.play(view, 1)
    assert (await stage.money(alice)).available == 109_500_000


MOVES = st.lists(
    st.tuples(
        st.sampled_from(["odd", "even"]),
        st.integers(1_000_000, 60_000_000),
        st.booleans(),
    ),
    max_size=14,
)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(bets=MOVES, digit=st.sampled_from([*range(10), None]), late=st.sampled_from([0, 0, 0, 12]), reorg=st.booleans())
async def test_the_house_keeps_lost_stakes_less_profits(
    stage: Stage, member: MakeMember, bets: list[tuple[str, int, bool]], digit: int | None, late: int, reorg: bool
) -> None:
    """A whole round with any bets and any block: nobody else's money moves, and the bankroll changes exactly."""
    view = await stage.begin()
    people = [await member(usdt="1000", kls="1000") for _ in range(2)]
    start = [await stage.money(people[0], asset) for asset in (USDT, KLS)]
    placed = []
    for place, (option, units, coin) in enumerate(bets):
        amount = f"{units // 10**6}.{units % 10**6:06d}"
        code = "KLS" if coin and units >= 2_000_000 else "USDT"
        placed.append(await stage.bet(people[place % 2], view, option, amount, asset=code))
    await stage.seal(view)
    stage.mine_to(view, 5, late_seconds=late)
    await stage.turn()
    stage.chain.reorganise(1, regrow=False)
    if reorg:
        await stage.turn()
    stage.mine_to(view, digit, late_seconds=late)
    await stage.confirm()
    assert (await stage.height(view)).settled_at is not None
    rows = [await stage.bet_row(bet) for bet in placed]
    void = digit is None or late > 0
    for row in rows:
        won = not void and digit is not None and row.option == ("even", "odd")[digit % 2]
        prize = row.units if void else row.units * 195 // 100 if won else 0
        assert (row.status, row.prize_units) == ("void" if void else "won" if won else "not_won", prize)
    for asset, before in zip((USDT, KLS), start, strict=True):
        mine = [row for row in rows if row.asset == asset.code]
        after = await stage.money(people[0], asset)
        result = sum(row.units - (row.prize_units or 0) for row in mine)
        assert after.bankroll + after.reserved == before.bankroll + before.reserved + result
        assert after.reserved == await stage.sum_limits(asset)
        for who in people:
            own = [row for row in mine if row.member == who.id]
            paid = sum((row.prize_units or 0) - row.units for row in own)
            assert (await stage.money(who, asset)).available == 1000 * 10**asset.scale + paid


async def test_only_the_writer_may_change_a_round(stage: Stage, database_url: str) -> None:
    view = await stage.begin()
    await stage.play(view, 1)
    where = "WHERE closes_at = $1"
    forbidden: list[tuple[str, str, Any]] = [
        ("kalos_app", f"UPDATE heights SET digit = 2 {where}", view.height.closes_at),
        ("kalos_app", "DELETE FROM bets WHERE round = $1", view.round.number),
        ("kalos_app", "UPDATE bets SET prize_units = 1 WHERE round = $1", view.round.number),
        ("kalos_writer", f"UPDATE heights SET height = height + 1 {where}", view.height.closes_at),
        ("kalos_writer", "UPDATE bets SET option = 'odd' WHERE round = $1", view.round.number),
        ("kalos_writer", f"DELETE FROM rounds {where}", view.height.closes_at),
    ]
    for role, statement, value in forbidden:
        db = await asyncpg.connect(role_url(database_url, role, clusters.SECRET))
        try:
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await db.execute(statement, value)
        finally:
            await db.close()
    db = await asyncpg.connect(role_url(database_url, "kalos_writer", clusters.SECRET))
    try:
        with pytest.raises(asyncpg.RaiseError, match="final"):
            await db.execute(f"UPDATE heights SET digit = 2 {where}", view.height.closes_at)
    finally:
        await db.close()


async def test_lost_stakes_that_wait_for_a_height_to_be_settled_close_no_other_one(stage: Stage) -> None:
    """They lie beside the reservations, and are the house's own: as much as all reservations may be, and more."""
    before = await stage.begin()
    outer, aside = outside(Purpose.CHAIN, USDT), house_account(Purpose.BANKROLL_RESERVED, USDT)
    lost = BANKROLL // 8
    await stage.house.ledger.post(Posting(uuid.uuid4().bytes * 2, [Move("test.lost", outer, aside, lost)]))
    try:
        stage.advance(60)
        stage.tick()
        await stage.turn()
        view = await stage.current()
        limits = await queries.list_limits(stage.house.db, [view.height.closes_at])
        assert (view.state, view.id != before.id) == ("open", True)
        assert limits[view.height.closes_at].keys() == {"USDT", "KLS"}
    finally:
        await stage.house.ledger.post(Posting(uuid.uuid4().bytes * 2, [Move("test.back", aside, outer, lost)]))


async def test_nothing_is_drawn_before_every_root_is_told(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another worker may be about to tell one."""
    view = await stage.begin()
    post, root = jobs._post, key_of("game.root", view.round.number)

    async def others_tell(house: House, posting: Posting) -> bool:
        return posting.key != root and await post(house, posting)

    with monkeypatch.context() as patched:
        patched.setattr(jobs, "_post", others_tell)
        await stage.seal(view)
        stage.mine_to(view, 7)
        await stage.turn(3)
        assert (await stage.height(view)).state == "sealed"
    await stage.turn()
    assert (await stage.height(view)).state == "drawn"
