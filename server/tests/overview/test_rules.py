"""Values, totals and the days of the history."""

from datetime import timedelta
from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from kalos.core.assets import ASSETS, BWC, KLS, POINT, USA, USDT, USO, Asset
from kalos.core.clock import business_day
from kalos.domains.overview import rules
from kalos.ledger.purse import Purpose, account, available, held

UNITS = st.integers(0, 10**18)
RATES = st.fractions(min_value=0, max_value=1000)


@given(UNITS, RATES)
def test_value_is_rounded_down_to_the_smallest_unit_of_usdt(units: int, rate: Fraction) -> None:
    exact = Fraction(units, 10**8) * rate * 10**6
    value = rules.value(units, KLS, {KLS: rate})
    assert value <= exact < value + 1


@given(UNITS, RATES)
def test_a_dollar_is_worth_itself_and_what_has_no_price_nothing(units: int, rate: Fraction) -> None:
    rates = rules.rates_with(rate)
    assert [rules.value(units, asset, rates) for asset in (USDT, USA, USO)] == [units] * 3
    assert [rules.value(units, asset, rates) for asset in (BWC, POINT)] == [0, 0]
    assert rules.value(10**8, KLS, rates) == rate * 10**6 // 1


@given(UNITS, UNITS, RATES)
def test_total_is_the_sum_of_what_the_rows_show(usdt: int, kls: int, rate: Fraction) -> None:
    rates = rules.rates_with(rate)
    assert rules.total({USDT: usdt, KLS: kls}, rates) == rules.value(usdt, USDT, rates) + rules.value(kls, KLS, rates)


@given(st.integers(0, 4 * 10**12))
def test_history_is_29_past_days_that_join_and_end_today(now: int) -> None:
    days = rules.past_days(now)
    assert len(days) == rules.HISTORY_DAYS - 1
    assert all(later - earlier == timedelta(days=1) for earlier, later in pairwise(days))
    assert days[-1] + timedelta(days=1) == business_day(now)
    assert rules.end_ms(days[-1]) <= now < rules.end_ms(business_day(now))


@given(st.integers(1000, 10**9), st.dictionaries(st.sampled_from(ASSETS), st.tuples(UNITS, UNITS)))
def test_holdings_name_what_everybody_can_have_and_what_the_member_had(
    member: int, has: dict[Asset, tuple[int, int]]
) -> None:
    balances: dict[int, int] = {}
    for asset in ASSETS:
        if asset in has:
            balances |= {available(member, asset): has[asset][0], held(member, asset): has[asset][1]}
    holdings = rules.holdings_of(member, balances)
    assert [holding.asset for holding in holdings] == [asset for asset in ASSETS if asset in {USDT, KLS, *has}]
    assert all((holding.available, holding.held) == has.get(holding.asset, (0, 0)) for holding in holdings)
    assert balances.keys() <= rules.accounts_of(member).keys()


@given(UNITS, UNITS, UNITS, RATES)
def test_income_is_what_came_by_kinds_of_income_and_nothing_else(
    prize: int, kls: int, lost: int, rate: Fraction
) -> None:
    rates = rules.rates_with(rate)
    sums = {
        (available(7000, USDT), "game.prize"): prize,
        (account(7000, USDT, Purpose.CLAIMABLE), "game.prize"): 3,
        (available(7000, KLS), "game.prize"): kls,
        (available(7000, USDT), "game.stake_back"): 10**9,
        (available(7000, USDT), "chain.deposit"): 10**9,
        (available(7000, BWC), "game.prize"): 10**9,
        (held(7000, KLS), "game.lost"): -lost,
        (held(7000, USDT), "game.lost"): -5,
        (held(7000, USDT), "game.stake_back"): -(10**9),
    }
    worth = rules.value(abs(kls - lost), KLS, rates)
    income = rules.income_of(sums, rates)
    assert income == dict.fromkeys(rules.SOURCES, 0) | {"game": prize - 2 + (worth if kls > lost else -worth)}


def test_a_time_without_moves_has_no_income() -> None:
    assert rules.income_of({}, {}) == dict.fromkeys(rules.SOURCES, 0)


def test_income_is_looked_for_where_a_member_has_what_has_a_value() -> None:
    purposes = (Purpose.AVAILABLE, Purpose.CLAIMABLE, Purpose.HELD)
    assert sorted(rules.income_accounts(7000)) == sorted(
        account(7000, asset, purpose) for purpose in purposes for asset in (USDT, USA, USO, KLS)
    )
