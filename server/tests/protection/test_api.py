"""The calls on the wire: notices, limits, breaks; and bodies that nobody means well with."""

from typing import Any

import pytest

from conftest import MakeMember
from kalos.core.database import Database
from kalos.domains.context import House
from kalos.domains.protection.api import calls
from kalos.domains.protection.queries import find_standing, insert_accepted
from kalos.domains.protection.tables import NoticeRow
from support.members import begin_session
from support.plain import Plain, plain_api

LIMITS = "/api/user/limits"
SET = "/api/user/setLimits"


@pytest.fixture(scope="module")
async def api(house: House) -> Plain:
    return await plain_api(house, [calls])


@pytest.fixture
async def token(db: Database, member: MakeMember) -> str:
    return await begin_session(db, await member(usdt="10"))


async def test_limits_are_set_shown_and_ended(api: Plain, token: str) -> None:
    none = {"amount": None, "used": "0.000000", "next_amount": None, "next_from": None}
    shown = await api.post(LIMITS, {}, token=token)
    raise_from = shown["data"]["raise_from"]
    assert shown["data"] == {
        "stake": none, "loss": none, "topup": none, "reminder": None, "result": "0.000000", "raise_from": raise_from,
        "paused_until": None, "excluded_until": None,
    }  # fmt: skip
    given = await api.post(SET, {"stake": "25.5", "loss": 10, "reminder": 30}, token=token)
    assert given["data"]["stake"] == none | {"amount": "25.500000"}
    assert given["data"]["loss"] == none | {"amount": "10.000000"}
    raised = (await api.post(SET, {"stake": "100", "loss": None, "reminder": None}, token=token))["data"]
    assert (raised["stake"]["amount"], raised["stake"]["next_amount"]) == ("25.500000", "100.000000")
    assert raised["stake"]["next_from"] == raised["loss"]["next_from"] == raise_from > 0
    assert (raised["loss"]["amount"], raised["loss"]["next_amount"], raised["reminder"]) == ("10.000000", None, None)
    assert (await api.post(LIMITS, {}, token=token))["data"] == raised


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (SET, {}),
        (SET, {"stake": "-1"}),
        (SET, {"stake": "1.0000001"}),
        (SET, {"stake": "1e3"}),
        (SET, {"stake": "１"}),
        (SET, {"stake": True}),
        (SET, {"stake": "1", "level": 4}),
        (SET, {"reminder": 4}),
        (SET, {"reminder": 1_441}),
        (SET, {"reminder": "60"}),
        ("/api/user/takeBreak", {"days": 0}),
        ("/api/user/takeBreak", {"days": 91}),
        ("/api/user/takeBreak", {"days": 2**62}),
        ("/api/user/selfExclude", {"months": 5}),
        ("/api/user/selfExclude", {"months": 121}),
        ("/api/user/selfExclude", {"months": 6, "member": 1000}),
        ("/api/user/acceptDisclosure", {"feature": "games", "version": 0}),
        ("/api/user/acceptDisclosure", {"feature": "games", "version": 1}),
        ("/api/user/acceptDisclosure", {"feature": "games", "version": 3}),
        ("/api/user/acceptDisclosure", {"feature": "nothing", "version": 1}),
        ("/api/user/acceptDisclosure", {"feature": "otc", "version": 1}),
    ],
)
async def test_bad_input_changes_nothing(api: Plain, token: str, db: Database, path: str, body: dict[str, Any]) -> None:
    tables = """
        SELECT (SELECT count(*) FROM player_limits), (SELECT count(*) FROM player_breaks),
            (SELECT count(*) FROM notices_accepted)
    """
    before = await db.rows(tables)
    assert (await api.post(path, body, token=token))["code"] == 400
    assert await db.rows(tables) == before


async def test_notices_are_in_the_caller_s_language(api: Plain, token: str) -> None:
    english, thai = [
        (await api.post("/api/user/disclosures", {}, token=token, lang=lang))["data"]["list"] for lang in ("en", "th")
    ]
    assert [row["feature"] for row in english] == ["games"]
    assert english[0]["text"] != thai[0]["text"]
    assert english[0] == {"feature": "games", "version": 2, "text": english[0]["text"], "on": True, "accepted_at": 0}


async def test_a_break_and_an_exclusion_are_shown(api: Plain, token: str) -> None:
    paused = await api.post("/api/user/takeBreak", {"days": 90}, token=token)
    excluded = await api.post("/api/user/selfExclude", {"months": 6}, token=token)
    shown = (await api.post(LIMITS, {}, token=token))["data"]
    assert (shown["paused_until"], shown["excluded_until"]) == (paused["data"]["until"], excluded["data"]["until"])


async def test_the_longest_break_counts_and_the_highest_version(api: Plain, db: Database, member: MakeMember) -> None:
    who = await member(usdt="10")
    token = await begin_session(db, who)
    long = await api.post("/api/user/takeBreak", {"days": 90}, token=token)
    await api.post("/api/user/takeBreak", {"days": 1}, token=token)
    assert (await api.post(LIMITS, {}, token=token))["data"]["paused_until"] == long["data"]["until"]
    for version in (2, 1):
        await insert_accepted(db, NoticeRow(who.id, "games", version, "en", bytes(32), 1))
    standing = await find_standing(db, who.id)
    assert standing is not None
    assert standing.accepted == {"games": 2}
