"""What an operator ordered of business numbers counts in every process within a second, and inside its bounds alone."""

import asyncio
from dataclasses import fields, replace

import pytest

from kalos.app.numbers import FollowedNumbers, numbers_of
from kalos.app.settings import PROJECT
from kalos.app.switches import obey
from kalos.core.database import Database
from kalos.core.terms import Terms, load_changeable, load_terms
from kalos.domains.entry import rules

FILE = PROJECT / "server" / "terms.toml"
KNOWN = load_changeable(FILE)


async def order(db: Database, name: str, value: int) -> None:
    code, text = await obey(db, KNOWN, ["set", name, f"{value}", "--reason", "a test"])
    assert code == 0, text


def test_each_number_is_one_of_the_terms_and_its_default_fits() -> None:
    terms = load_terms(FILE)
    assert KNOWN.keys() <= {field.name for field in fields(Terms)}
    for name, number in KNOWN.items():
        assert getattr(terms, name) == number.default
        assert number.takes(number.default)
        assert not number.takes(number.minimum - 1)
        assert not number.takes(number.maximum + 1)


async def test_every_process_follows_within_a_second_and_who_begins_later_too(db: Database) -> None:
    running = [load_terms(FILE) for _ in range(2)]
    houses = [FollowedNumbers(db, terms, FILE) for terms in running]
    for house in houses:
        await house.look()
    following = [asyncio.create_task(house.follow()) for house in houses]
    try:
        await order(db, "login_tries", 4)
        async with asyncio.timeout(1):
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
    changed.take_over({"security_hold": 1})
    assert [field.name for field in fields(Terms) if getattr(changed, field.name) != getattr(terms, field.name)] == [
        "security_hold"
    ]
