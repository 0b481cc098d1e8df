"""What an operator ordered of business numbers counts in every process within a second, and inside its bounds alone."""

import asyncio
import re
import time
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path

import pytest

from kalos.app.numbers import SECONDS, FollowedNumbers, numbers_of
from kalos.app.repeat import follow
from kalos.app.settings import PROJECT
from kalos.app.switches import obey
from kalos.core.assets import KLS, USDT
from kalos.core.database import Database
from kalos.core.money import Amount
from kalos.core.terms import BadTerms, Terms, load_changeable, load_numbers, load_terms
from kalos.domains.entry import rules
from support.budget import least

FILE = PROJECT / "server" / "terms.toml"
KNOWN = load_changeable(FILE)
TRIES = {
    "session_days": ("30", "1 to 90"),
    "auth_token_seconds": ("60", "10 to 120"),
    "code_minutes": ("10", "5 to 30"),
    "code_tries": ("5", "3 to 10"),
    "code_gap": ("60", "30 to 300"),
    "code_daily": ("10", "5 to 50"),
    "code_network": ("60", "10 to 1000"),
    "captcha_seconds": ("120", "60 to 300"),
    "slide_after_failures": ("2", "0 to 5"),
    "login_tries": ("10", "3 to 10"),
    "login_window": ("5", "5 to 60"),
    "login_wait_max": ("60", "15 to 240"),
    "factor_tries": ("5, 20, 50", "1 to 5, 20, 50"),
    "out_password_tries": ("5, 10", "1 to 5, 10"),
    "reset_daily": ("5", "1 to 5"),
    "security_hold": ("24", "0 to 72"),
    "address_wait": ("24", "0 to 72"),
}


async def order(db: Database, name: str, value: int) -> None:
    code, text = await obey(db, KNOWN, ["set", name, f"{value}", "--reason", "a test"], is_demo=True)
    assert code == 0, text


def test_each_number_is_one_of_the_terms_and_its_default_fits() -> None:
    terms, taken = load_terms(FILE), load_terms(FILE)
    assert {name.partition(".")[0] for name in KNOWN} <= {field.name for field in fields(Terms)}
    taken.take_over({name: (number, number.default) for name, number in KNOWN.items()})
    names = [field.name for field in fields(Terms)]
    assert [name for name in names if str(getattr(taken, name)) != str(getattr(terms, name))] == []
    for number in KNOWN.values():
        assert number.takes(number.default)
        assert not number.takes(number.minimum - 1)
        assert not number.takes(number.maximum + 1)


class Counted(FollowedNumbers):
    looks = 0

    async def look(self) -> None:
        self.looks += 1
        await super().look()


async def test_every_process_follows_within_a_second_and_who_begins_later_too(db: Database) -> None:
    running = [load_terms(FILE) for _ in range(2)]
    houses = [Counted(db, terms, FILE) for terms in running]
    for house in houses:
        await house.look()

    async def looked() -> float:
        """How long it takes until each has looked once more."""
        before, began = [house.looks for house in houses], time.monotonic()
        async with asyncio.timeout(60):
            while any(house.looks == looks for house, looks in zip(houses, before, strict=True)):
                await asyncio.sleep(0.01)
        return time.monotonic() - began

    following = [asyncio.create_task(follow("numbers", SECONDS, house.look)) for house in houses]
    try:
        await order(db, "login_tries", 4)
        assert await least(looked, below=1) < 1
        async with asyncio.timeout(15):  # until what it has asked for is read
            while {terms.login_tries for terms in running} != {4}:
                await asyncio.sleep(0.01)
    finally:
        for task in following:
            task.cancel()
    later = load_terms(FILE)
    await FollowedNumbers(db, later, FILE).look()
    assert later.login_tries == 4
    [limit] = rules.login_limits(later, name="a", network="", device="d")
    assert limit.most == 4
    await order(db, "login_tries", 10)


def test_an_order_out_of_bounds_counts_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    narrower = KNOWN | {"security_hold": replace(KNOWN["security_hold"], maximum=36)}
    assert numbers_of({("security_hold", ""): 48}, KNOWN)["security_hold"] == 48
    assert numbers_of({("security_hold", ""): 48}, narrower)["security_hold"] == 24
    assert numbers_of({("age_min", "VN"): 21}, KNOWN)["age_min"] == 18


def test_what_is_not_changeable_stays(terms: Terms) -> None:
    changed = replace(terms)
    changed.take_over({"security_hold": (KNOWN["security_hold"], 1)})
    assert [field.name for field in fields(Terms) if getattr(changed, field.name) != getattr(terms, field.name)] == [
        "security_hold"
    ]


def test_an_amount_and_a_rate_are_taken_over_exactly(terms: Terms) -> None:
    changed = replace(terms)
    minimum, exposure = KNOWN["bet_min.USDT"], KNOWN["draw_exposure"]
    changed.take_over({"bet_min.USDT": (minimum, 2_500_000), "draw_exposure": (exposure, 1_000_000)})
    assert (changed.bet_min[USDT], changed.draw_exposure) == (Amount(2_500_000, USDT), Fraction(1, 100))
    assert terms.bet_min[USDT] == Amount(1_000_000, USDT)
    assert changed.bet_min[KLS] == terms.bet_min[KLS]


def test_a_switch_is_taken_over_as_yes_or_no(terms: Terms) -> None:
    changed = replace(terms)
    changed.take_over({"common_passwords": (KNOWN["common_passwords"], 0)})
    assert (terms.common_passwords, changed.common_passwords) == (True, False)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("bet_min.USDT", "12.5", 12_500_000),
        ("bet_min.USDT", "0", None),
        ("bet_min.USDT", "0.0000001", None),
        ("bet_min.KLS", "0.00000001", 1),
        ("draw_exposure", "0.0125", 1_250_000),
        ("draw_exposure", "0.01250001", None),
        ("draw_exposure", "-0.01", None),
        ("draw_exposure", ".01", None),
        ("draw_exposure", "1e-2", None),
        ("security_hold", "48", 48),
        ("security_hold", "48.0", None),
        ("security_hold", "４８", None),
        ("security_hold", "73", None),
        ("common_passwords", "on", 1),
        ("common_passwords", "off", 0),
        ("common_passwords", "On", None),
        ("common_passwords", "1", None),
    ],
)
def test_a_number_is_read_in_its_form_and_inside_its_bounds(name: str, text: str, value: int | None) -> None:
    assert KNOWN[name].read(text) == value
    if value is not None:
        assert KNOWN[name].text(value) == text


def test_a_table_whose_numbers_do_not_go_together_starts_nothing(tmp_path: Path) -> None:
    """One value for both is right: two people look from there on."""
    table, file = FILE.read_text(), tmp_path / "terms.toml"
    for two, is_right in (("10000", True), ("9999", False)):
        file.write_text(
            table.replace("withdraw_two_reviewers = { default = 50000", f"withdraw_two_reviewers = {{ default = {two}")
        )
        if is_right:
            assert load_terms(file).withdraw_two_reviewers == 10_000
        else:
            with pytest.raises(BadTerms, match="withdraw_auto_max = 10000 is above withdraw_two_reviewers = 9999"):
                load_terms(file)


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("factor_tries", "[5, 20, 50]", "[6, 20, 50]"),
        ("factor_tries", "[5, 20, 50]", "[5, 21, 50]"),
        ("factor_tries", "[5, 20, 50]", "[5, 20, 51]"),
        ("out_password_tries", "[4, 10]", "[6, 10]"),
        ("out_password_tries", "[4, 10]", "[4, 11]"),
    ],
)
def test_each_number_of_a_list_has_its_own_bound(tmp_path: Path, name: str, right: str, wrong: str) -> None:
    table, file = FILE.read_text(), tmp_path / "terms.toml"
    default = re.search(rf"^{name} = {{ default = (\[.*?\]),", table, re.MULTILINE)
    assert default is not None
    file.write_text(table.replace(default[0], default[0].replace(default[1], right)))
    assert str(list(getattr(load_terms(file), name))) == right
    file.write_text(table.replace(default[0], default[0].replace(default[1], wrong)))
    with pytest.raises(BadTerms, match=rf"{name} = \d+ is outside 1 to 5, (20, 50|10)$"):
        load_terms(file)


def test_what_may_be_tried_how_often_is_held_to_the_specification() -> None:
    """settings.md, "Registering and logging in": the number that counts from the start, and how far it can be moved."""
    numbers = load_numbers(FILE)
    shown = {name: (numbers[name].default, numbers[name].bounds) for name in TRIES}
    assert shown == TRIES


def test_each_number_is_shown_with_what_it_is_held_to() -> None:
    numbers = load_numbers(FILE)
    shown = {name: (one.default, one.bounds, one.changeable is not None) for name, one in numbers.items()}
    assert shown["draw_exposure"] == ("0.0125", "0 to 0.0125", True)
    assert shown["bet_min.USDT"] == ("1", "0.000001 to 1000000000000", True)
    assert shown["topup_min.USDT"][2] is False
    assert shown["odd_even_profit"] == ("0.95", "0.95", False)
    assert shown["common_passwords"] == ("on", "on or off", True)
    assert numbers["common_passwords"].type == "switch"
    assert shown["withdraw_auto_max"] == ("10000", "0 to 1000000000", True)
    assert shown["withdraw_daily_limit"] == ("100000", "1 to 1000000000", True)
    assert shown["rate_read"] == ("20", "from 1", False)
    assert shown["scene_seconds"] == ("60, 180", "from 30", False)
    assert {one.changeable.signers for one in numbers.values() if one.changeable} == {1, 2}
