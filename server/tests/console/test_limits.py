"""The signer's limits as a command: shown as the signer says them, ordered by two people's keys."""

import itertools
import json
from typing import Any

import asyncpg
import pytest

from console.conftest import Hire
from console.scene import MakeReviewer, Reviewer, begin_session, counts, request_id
from kalos.core.limits import LimitOrder
from kalos.domains.context import House
from kalos.operator.queries import verify_audit
from support.plain import Plain

SUBMIT, SIGN = "/api/operator/submit", "/api/operator/sign"
LIMITS = {"auto_max": 10_000, "two_reviewers": 50_000, "hour": 200_000, "day": 1_000_000}
_orders = itertools.count(1)


@pytest.fixture(autouse=True)
async def said(house: House, database_url: str) -> int:
    """What the signer has said of itself; each test has an order's number of its own."""
    number = next(_orders)
    await say(database_url, number - 1)
    await house.db.execute("UPDATE commands SET state = 'expired', decided_at = 1 WHERE state = 'open'")
    return number


async def say(owner_url: str, number: int, refused: str | None = None, *, values: object = LIMITS) -> None:
    db = await asyncpg.connect(owner_url)
    try:
        await db.execute("SET ROLE kalos_signer")
        told = None if values is None else json.dumps(values)
        await db.execute(
            "UPDATE signer_state SET limits = $1, limits_order = $2, limits_refused = $3", told, number, refused
        )
    finally:
        await db.close()


def key_of(who: Reviewer, message: str) -> str:
    return who.key.sign(message.encode()).hex()


def made(message: str | None, who: Reviewer, limit: str = "hour", value: str = "300000") -> dict[str, Any]:
    signed = {} if message is None else {"signature": key_of(who, message)}
    body = {"limit": limit, "value": value}
    return {"kind": "signer_limit", "body": body, "reason": "a test", "request_id": request_id()} | signed


def text(number: int, limit: str = "hour", value: int = 300_000) -> str:
    return LimitOrder(number, limit, LIMITS[limit], value).message  # type: ignore[arg-type]


async def faults(api: Plain, path: str, body: dict[str, Any], token: str, house: House) -> list[dict[str, str]]:
    """What a call is refused with; nothing was written."""
    before = await counts(house)
    answer = await api.post(path, body, token=token)
    assert await counts(house) == before
    return list(answer["data"]["errors"])


async def test_two_people_order_a_limit_with_their_keys(
    api: Plain, house: House, reviewer: MakeReviewer, database_url: str, said: int
) -> None:
    maker, checker = await reviewer("treasurer"), await reviewer("owner")
    seen = await api.data(
        "/api/operator/preview",
        {"kind": "signer_limit", "body": {"limit": "hour", "value": "300000"}},
        token=maker.token,
    )
    assert (seen["before"], seen["after"], seen["signers"]) == ({"hour": "200000"}, {"hour": "300000"}, 2)
    assert seen["message"] == text(said) == f"kalos signer limit 1\n{said}\nhour\n200000\n300000"
    row = await api.data(SUBMIT, made(seen["message"], maker), token=maker.token)
    assert (row["state"], row["object"], row["message"]) == ("open", "signer limits", seen["message"])
    body = {"id": row["id"], "version": row["version"], "request_id": request_id()}
    signature = {"signature": key_of(checker, row["message"])}
    signed = await api.data(SIGN, body | signature, token=checker.token)
    assert (signed["state"], signed["checker"]) == ("carried_out", checker.worker.name)
    kept = await house.db.row(
        "SELECT message, maker_signature, checker_signature FROM commands WHERE id = $1", int(row["id"])
    )
    assert kept is not None
    maker.key.public_key().verify(kept["maker_signature"], kept["message"].encode())
    checker.key.public_key().verify(kept["checker_signature"], kept["message"].encode())
    assert await verify_audit(house.db) == []
    waits = [{"field": "body.limit", "reason": "signer_has_not_answered"}]
    again = made(text(said, "day", 9), maker, "day", "9")
    assert await faults(api, SUBMIT, again, maker.token, house) == waits
    await say(database_url, said, "not today")
    shown = await api.data("/api/operator/settings", {}, token=maker.token)
    assert (shown["signer_order"], shown["signer_refused"]) == (said, "not today")
    assert {one["limit"]: int(one["value"]) for one in shown["signer"]} == LIMITS
    numbers = {one["name"]: one for one in shown["list"]}
    assert [int(numbers[f"signer_{name}"]["value"]) for name in ("hour", "day")] == [LIMITS["hour"], LIMITS["day"]]
    ordered = numbers["signer_hour"]["history"][0]
    assert (ordered["value"], ordered["reason"]) == ("300000", "a test")
    assert (ordered["staff"], ordered["checker"]) == (maker.worker.name, checker.worker.name)
    assert numbers["signer_day"]["history"] == []
    await say(database_url, said, values={**LIMITS, "day": 1_100_000})
    later = (await api.data("/api/operator/settings", {}, token=maker.token))["list"]
    assert [one["value"] for one in later if one["name"] == "signer_day"] == ["1100000"]
    await say(database_url, said, values=LIMITS)


async def test_no_row_is_signed_without_the_own_key_of_its_text(
    api: Plain, house: House, reviewer: MakeReviewer, hire: Hire, said: int
) -> None:
    maker, checker = await reviewer("treasurer"), await reviewer("treasurer")

    def invalid(reason: str) -> list[dict[str, str]]:
        return [{"field": "signature", "reason": reason}]

    assert await faults(api, SUBMIT, made(None, maker), maker.token, house) == invalid("required")
    for wrong in (made(text(said + 1), maker), made(text(said), checker)):
        assert await faults(api, SUBMIT, wrong, maker.token, house) == invalid("invalid")
    row = await api.data(SUBMIT, made(text(said), maker), token=maker.token)
    body = {"id": row["id"], "version": row["version"], "request_id": request_id()}
    assert await faults(api, SIGN, body, checker.token, house) == invalid("required")
    wrong = body | {"signature": key_of(maker, row["message"])}
    assert await faults(api, SIGN, wrong, checker.token, house) == invalid("invalid")


@pytest.mark.parametrize(
    ("limit", "value", "reason"),
    [
        ("hour", "200000", "same"),
        ("hour", "1000001", "out_of_bounds"),
        ("hour", "0", "out_of_bounds"),
        ("auto_max", "50001", "out_of_bounds"),
        ("two_reviewers", "9999", "out_of_bounds"),
        ("day", "-1", "not_of_kind"),
        ("day", "1.5", "not_of_kind"),
        ("day", "1" + "0" * 13, "not_of_kind"),
    ],
)
async def test_a_limit_that_does_not_fit_is_refused(
    api: Plain, house: House, reviewer: MakeReviewer, limit: str, value: str, reason: str
) -> None:
    who = await reviewer("treasurer")
    wrong = made(None, who, limit, value)
    assert await faults(api, SUBMIT, wrong, who.token, house) == [{"field": "body.value", "reason": reason}]


async def test_before_the_signers_first_word_nothing_is_ordered(
    api: Plain, house: House, reviewer: MakeReviewer, database_url: str
) -> None:
    who = await reviewer("treasurer")
    await say(database_url, 0, values=None)
    waits = [{"field": "body.limit", "reason": "signer_has_not_answered"}]
    assert await faults(api, SUBMIT, made(None, who), who.token, house) == waits
    assert (await api.data("/api/operator/settings", {}, token=who.token))["signer"] == []


async def test_limits_are_ordered_by_who_orders_money(api: Plain, house: House, hire: Hire) -> None:
    for role in ("reviewer", "support", "auditor", "content"):
        token = await begin_session(house.db, await hire(role))
        body = {"kind": "signer_limit", "body": {"limit": "hour", "value": "1"}}
        assert (await api.post("/api/operator/preview", body, token=token))["code"] == 403
