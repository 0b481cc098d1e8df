"""Who may use a feature, and what limits leave: each rule of principles.md and identity.md by name."""

from contextlib import nullcontext
from datetime import date, timedelta
from typing import Any, Final

import pytest

from kalos.core.assets import KLS, USDT
from kalos.core.clock import day_start_ms
from kalos.core.errors import Refusal
from kalos.domains.protection import rules
from kalos.domains.protection.errors import (
    AgeRequired,
    DisclosureRequired,
    FeatureOff,
    KycRequired,
    PlayerLimit,
    SelfExcluded,
    StaffAccount,
)
from kalos.domains.protection.rules import GATES, Day, Installation, Limit, Standing

NOON: Final = day_start_ms(date(2026, 11, 21)) + 12 * 3_600_000
MIDNIGHT: Final = day_start_ms(date(2026, 11, 23))
DAY: Final = 86_400_000
HERE: Final = ("VN",)
OPEN: Final = Installation({("games", ""): True, (GATES, ""): False}, is_demo=False, age_min=18)


def standing(**changed: Any) -> Standing:
    values: dict[str, Any] = {
        "country": "VN",
        "is_bare": False,
        "is_staff": False,
        "accepted": {"games": 2},
        "paused_until": 0,
        "excluded_until": 0,
        "limits": {},
    }
    return Standing(**values | changed)


def test_the_features_are_those_of_the_specification() -> None:
    """principles.md, "Features, countries, disclosures"."""
    assert set(rules.FEATURES) == {
        "games", "racer_quiz", "nft", "referral", "mining", "pledge", "divvy", "consumer_dividend", "otc", "spot",
        "house_exchange", "lending", "insurance", "cards",
    }  # fmt: skip


def test_demo_mode_has_all_features_and_production_none_until_an_operator_turns_them_on() -> None:
    demo, production = Installation({}, True, 18), Installation({}, False, 18)
    assert all(demo.is_on(feature, "") and not production.is_on(feature, "") for feature in rules.FEATURES)
    assert (demo.is_on(GATES, ""), production.is_on(GATES, "")) == (False, True)


def test_the_order_for_a_country_counts_before_that_for_all() -> None:
    house = Installation({("games", ""): True, ("games", "SG"): False, ("nft", "VN"): True}, False, 18)
    assert [house.is_on("games", country) for country in ("", "VN", "SG")] == [True, True, False]
    assert [house.is_on("nft", country) for country in ("", "VN", "SG")] == [False, True, False]


def test_a_country_may_ask_for_an_age_of_its_own_and_the_highest_counts() -> None:
    house = Installation({}, is_demo=False, age_min=18, numbers={("age_min", "VN"): 21, ("age_min", "SG"): 18})
    assert [house.age(countries) for countries in (("",), ("VN",), ("SG", "VN"), ("VN", "TH"), ("SG",))] == [
        18, 21, 21, 21, 18,
    ]  # fmt: skip
    later = Installation({}, is_demo=False, age_min=18, numbers={("age_min", ""): 20, ("age_min", "SG"): 18})
    assert [later.age(countries) for countries in (("",), ("SG",), ("SG", "TH"))] == [20, 18, 20]
    today = date(2026, 11, 21)
    with pytest.raises(AgeRequired) as refused:
        rules.check_identity("games", house, countries=("SG", "VN"), born=date(2006, 1, 1), today=today)
    assert refused.value.fields == {"age": 21}
    rules.check_identity("games", house, countries=("SG",), born=date(2006, 1, 1), today=today)


def test_of_home_and_network_the_stricter_country_counts() -> None:
    house = Installation(
        {("games", ""): True, ("games", "SG"): False, (GATES, ""): False, (GATES, "JP"): True}, False, 18
    )
    assert rules.countries_of(None, None) == ("",)
    for home, network, allowed, asked in [
        ("VN", None, True, False),
        ("VN", "TH", True, False),
        ("VN", "SG", False, False),
        ("SG", "VN", False, False),
        ("VN", "JP", True, True),
        ("JP", "VN", True, True),
        (None, "SG", False, False),
    ]:
        countries = rules.countries_of(home, network)
        assert (house.allows("games", countries), house.asks_identity(countries)) == (allowed, asked), countries


@pytest.mark.parametrize(
    ("changed", "refusal"),
    [
        ({"is_staff": True}, StaffAccount),
        ({"paused_until": NOON + 1}, SelfExcluded),
        ({"excluded_until": NOON + 1}, SelfExcluded),
        ({"accepted": {}}, DisclosureRequired),
        ({"accepted": {"games": 1}}, DisclosureRequired),
        ({"accepted": {"games": 3}}, DisclosureRequired),
        ({"accepted": {"nft": 2}}, DisclosureRequired),
    ],
)
def test_what_keeps_a_member_from_a_feature(changed: dict[str, Any], refusal: type[Refusal]) -> None:
    rules.may_use("games", standing(), OPEN, countries=HERE, now=NOON)
    with pytest.raises(refusal):
        rules.may_use("games", standing(**changed), OPEN, countries=HERE, now=NOON)


def test_a_feature_that_is_off_is_off_before_its_notice_is_asked_for() -> None:
    with pytest.raises(FeatureOff):
        rules.may_use("games", standing(accepted={}), Installation({}, False, 18), countries=HERE, now=NOON)


def test_a_break_ends_in_its_millisecond_and_the_longer_one_is_told() -> None:
    rules.may_use("games", standing(paused_until=NOON), OPEN, countries=HERE, now=NOON)
    with pytest.raises(SelfExcluded) as refused:
        rules.may_use("games", standing(paused_until=NOON + 5, excluded_until=NOON + 9), OPEN, countries=HERE, now=NOON)
    assert refused.value.fields == {"until": NOON + 9}


def test_trade_stays_open_in_a_break() -> None:
    assert rules.PLAYED.isdisjoint({"otc", "spot", "house_exchange", "cards", "consumer_dividend"})


def test_whoever_registered_with_nothing_has_accepted_in_demo_mode_alone() -> None:
    anonymous = standing(country=None, is_bare=True, accepted={})
    assert rules.has_accepted("games", anonymous, Installation({}, True, 18))
    assert not rules.has_accepted("games", anonymous, Installation({}, False, 18))
    for told in (standing(accepted={}), standing(country=None, accepted={})):
        assert not rules.has_accepted("games", told, Installation({}, True, 18))


@pytest.mark.parametrize(
    ("born", "today", "years"),
    [
        (date(2008, 11, 21), date(2026, 11, 20), 17),
        (date(2008, 11, 21), date(2026, 11, 21), 18),
        (date(2008, 2, 29), date(2026, 2, 28), 17),
        (date(2008, 2, 29), date(2026, 3, 1), 18),
        (date(2008, 2, 29), date(2028, 2, 29), 20),
    ],
)
def test_age_counts_from_the_birthday(born: date, today: date, years: int) -> None:
    assert rules.years_between(born, today) == years


def test_the_gates_ask_for_an_approved_identity_and_an_age() -> None:
    gated = Installation({}, is_demo=False, age_min=18)
    today = date(2026, 11, 21)
    with pytest.raises(KycRequired):
        rules.check_identity("games", gated, countries=HERE, born=None, today=today)
    with pytest.raises(AgeRequired) as refused:
        rules.check_identity("games", gated, countries=HERE, born=today - timedelta(days=17 * 366), today=today)
    assert refused.value.fields == {"age": 18}
    rules.check_identity("games", gated, countries=HERE, born=date(2000, 1, 1), today=today)
    rules.check_identity("otc", gated, countries=HERE, born=None, today=today)
    rules.check_identity("games", OPEN, countries=HERE, born=None, today=today)


@pytest.mark.parametrize(
    ("day", "stake", "left"),
    [
        (Day(500, -900, 0, 0), 100, None),
        (Day(500, -900, 0, 0), 101, "0.000100"),
        (Day(500, -900, 70, 0), 31, "0.000030"),
        (Day(500, 60, 30, 0), 11, "0.000010"),
    ],
)
def test_what_was_won_today_makes_no_room_for_a_loss_of_tomorrow(day: Day, stake: int, left: str | None) -> None:
    own: dict[rules.Kind, Limit] = {"loss": Limit(100)}
    with nullcontext() if left is None else pytest.raises(PlayerLimit) as refused:
        rules.check_limits(own, day, stake=stake, free=1_000, now=NOON, late=True)
    if left is not None:
        assert refused is not None
        assert refused.value.fields == {"limit": "loss", "left": left}


@pytest.mark.parametrize(
    ("limits", "day", "stake", "left"),
    [
        ({"stake": 100}, Day(90, 0, 0, 0), 10, None),
        ({"stake": 100}, Day(90, 0, 0, 0), 11, "0.000010"),
        ({"stake": 0}, Day(0, 0, 0, 0), 1, "0.000000"),
        ({"loss": 100}, Day(500, 60, 30, 0), 10, None),
        ({"loss": 100}, Day(500, 60, 30, 0), 11, "0.000010"),
        ({"loss": 100}, Day(500, -50, 0, 0), 150, None),
        ({"loss": 100}, Day(500, 300, 0, 0), 1, "0.000000"),
        ({"topup": 100}, Day(0, 0, 0, 100), 1_000, None),
        ({"topup": 100}, Day(0, 0, 0, 900), 200, None),
        ({"topup": 100}, Day(0, 0, 0, 900), 201, "0.000200"),
        ({"reminder": 1}, Day(900, 900, 0, 0), 500, None),
    ],
)
def test_limits_of_the_day(limits: dict[rules.Kind, int], day: Day, stake: int, left: str | None) -> None:
    """1,000 units are free to stake."""
    own = {kind: Limit(value) for kind, value in limits.items()}
    if left is None:
        rules.check_limits(own, day, stake=stake, free=1_000, now=NOON)
        return
    with pytest.raises(PlayerLimit) as refused:
        rules.check_limits(own, day, stake=stake, free=1_000, now=NOON)
    assert refused.value.fields == {"limit": next(iter(limits)), "left": left}


@pytest.mark.parametrize(
    ("present", "wanted", "after"),
    [
        (Limit(None), 50, Limit(50)),
        (Limit(100), 50, Limit(50)),
        (Limit(100), 100, Limit(100)),
        (Limit(100), 150, Limit(100, 150, MIDNIGHT)),
        (Limit(100), None, Limit(100, None, MIDNIGHT)),
        (Limit(100, 150, NOON + 1), 120, Limit(100, 120, MIDNIGHT)),
        (Limit(100, 150, NOON), 120, Limit(120)),
        (Limit(100, 150, NOON + 1), 90, Limit(90)),
    ],
)
def test_a_lower_limit_counts_at_once_and_a_higher_one_from_the_day_after_the_wait(
    present: Limit, wanted: int | None, after: Limit
) -> None:
    assert rules.changed(present, wanted, now=NOON, wait_ms=DAY) == after


def test_a_wait_that_ends_at_midnight_ends_there() -> None:
    assert rules.changed(Limit(1), 2, now=MIDNIGHT - DAY, wait_ms=DAY).next_from == MIDNIGHT
    assert rules.changed(Limit(1), 2, now=MIDNIGHT - DAY + 1, wait_ms=DAY).next_from == MIDNIGHT + DAY


def test_a_limit_that_waits_counts_from_its_millisecond() -> None:
    limit = Limit(100, None, NOON)
    assert (limit.at(NOON - 1), limit.at(NOON)) == (100, None)
    assert rules.has_limits({"stake": limit}, NOON - 1)
    assert not rules.has_limits({"stake": limit}, NOON)
    assert not rules.has_limits({"reminder": Limit(5)}, NOON)


@pytest.mark.parametrize(
    ("day", "months", "end"),
    [
        (date(2026, 11, 21), 6, date(2027, 5, 21)),
        (date(2026, 8, 31), 6, date(2027, 2, 28)),
        (date(2027, 8, 31), 6, date(2028, 2, 29)),
        (date(2026, 12, 31), 12, date(2027, 12, 31)),
        (date(2026, 6, 15), 6, date(2026, 12, 15)),
    ],
)
def test_months_are_calendar_months(day: date, months: int, end: date) -> None:
    assert rules.months_later(day_start_ms(day) + 5, months) == day_start_ms(end) + 5


def test_value_is_rounded_up() -> None:
    rates = rules.rates_with(rules.ONE / 3)
    assert rules.value_of({KLS: 10**8, USDT: 1}, rates) == 333_334 + 1
    assert rules.value_of({}, rates) == 0
