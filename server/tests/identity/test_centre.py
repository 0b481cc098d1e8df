"""The calls of the security centre that change no password: sessions, the log, the word against phishing."""

import asyncio
from typing import Any

import pytest

from conftest import MakeContext
from kalos.core.clock import DAY_MS
from kalos.core.pages import PageQuery
from kalos.core.tokens import digest
from kalos.domains.context import Context, House, Member
from kalos.domains.entry.api import calls as entry
from kalos.domains.identity import queries, service
from kalos.domains.identity.api import calls as identity
from support.people import everything, register
from support.plain import Plain, plain_api

pytestmark = pytest.mark.usefixtures("root")
SESSIONS, END, LOG, WORD = (f"/api/user/{name}" for name in ("sessions", "endSession", "securityLog", "antiPhishing"))
PHONE = "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36"


@pytest.fixture(scope="module")
async def api(house: House) -> Plain:
    return await plain_api(house, [entry, identity])


async def more_sessions(ctx: Context, member: Member, count: int) -> list[str]:
    async with ctx.db.transaction() as db:
        return [await service.open_session(ctx, db, member.id) for _ in range(count)]


async def test_sessions_say_where_from_and_which_is_this_one(ctx: MakeContext, api: Plain) -> None:
    member, token = await register(ctx())
    stranger, _ = await register(ctx())
    await more_sessions(ctx(network="203.0.113.9", device=PHONE), member, 1)
    [ended] = await more_sessions(ctx(), member, 1)
    await more_sessions(ctx(), stranger, 1)
    await ctx().db.execute("UPDATE sessions SET created_at = 0, until_at = 1 WHERE token_hash = $1", digest(ended))
    rows = (await api.data(SESSIONS, {}, token=token))["list"]
    assert sorted((row["device"], row["network"], row["current"]) for row in rows) == [
        ("", "", True),
        ("Chrome, Android", "203.0.113.9", False),
    ]
    for row in rows:
        assert row["created_at"] == row["last_at"]
        assert row["id"] not in token


async def test_a_session_that_was_used_says_when(ctx: MakeContext, api: Plain) -> None:
    member, token = await register(ctx())
    later = ctx().wall + DAY_MS
    await queries.find_session(ctx().db, digest(token), later)
    [row] = (await service.list_sessions(ctx(member), PageQuery(9))).rows
    assert row.last_at == later


@pytest.mark.parametrize("turn", ["page", "after"])
async def test_sessions_are_paged_the_latest_log_in_first(ctx: MakeContext, api: Plain, turn: str) -> None:
    member, token = await register(ctx())
    await more_sessions(ctx(), member, 11)
    older = "(SELECT max(token_hash) FROM sessions WHERE member = $1)"
    await ctx().db.execute(
        f"UPDATE sessions SET created_at = created_at - $2 WHERE token_hash = {older}", member.id, DAY_MS
    )
    seen = list[dict[str, Any]]()
    after: Any = ""
    for number in (1, 2, 3):
        body = {"page": number} if turn == "page" else {"after": after}
        answer = await api.data(SESSIONS, {"size": 5} | body, token=token)
        assert (answer["total"], len(answer["list"])) == (12, 5 if number < 3 else 2)
        seen, after = seen + answer["list"], answer["next"]
    assert after is None
    assert len({row["id"] for row in seen}) == 12
    assert [row["created_at"] for row in seen] == sorted((row["created_at"] for row in seen), reverse=True)


async def test_one_session_is_ended_from_the_list_and_logged(ctx: MakeContext, api: Plain) -> None:
    member, token = await register(ctx())
    [other, third] = await more_sessions(ctx(), member, 2)
    await api.data(END, {"id": digest(other)[:16].hex()}, token=token)
    assert (await api.post(SESSIONS, {}, token=other))["code"] == 406
    assert len((await api.data(SESSIONS, {}, token=third))["list"]) == 2
    assert [row["event"] for row in (await api.data(LOG, {}, token=token))["list"]] == ["session_ended", "registered"]


async def test_all_others_are_ended_at_once(ctx: MakeContext, api: Plain) -> None:
    member, token = await register(ctx())
    _, strangers = await register(ctx())
    others = await more_sessions(ctx(), member, 3)
    await api.data(END, {"id": "others"}, token=token)
    assert [(await api.post(SESSIONS, {}, token=other))["code"] for other in others] == [406] * 3
    assert [row["current"] for row in (await api.data(SESSIONS, {}, token=token))["list"]] == [True]
    assert (await api.post(SESSIONS, {}, token=strangers))["code"] == 200


async def test_where_no_other_session_is_left_nothing_is_logged(ctx: MakeContext, api: Plain) -> None:
    member, token = await register(ctx())
    await more_sessions(ctx(), member, 2)
    for _ in range(2):
        await api.data(END, {"id": "others"}, token=token)
    assert len(await queries.list_events(ctx().db, member.id, before=None, most=9)) == 2  # with registering


async def test_nobody_ends_anothers_session(ctx: MakeContext, api: Plain) -> None:
    _, token = await register(ctx())
    _, strangers = await register(ctx())
    before = await everything(ctx().db)
    for number in (digest(strangers)[:16].hex(), "0" * 32):
        answer = await api.post(END, {"id": number}, token=token)
        assert (answer["code"], answer["data"]["error"]) == (404, "not_found")
    for odd in ("", "OTHERS", "A" * 32, "0" * 31, "0" * 33, None, 1):
        assert (await api.post(END, {"id": odd}, token=token))["code"] == 400
    assert await everything(ctx().db) == before


async def test_a_session_that_is_ended_twice_at_once_is_logged_once(ctx: MakeContext, api: Plain) -> None:
    member, token = await register(ctx())
    [other] = await more_sessions(ctx(), member, 1)
    body = {"id": digest(other)[:16].hex()}
    answers = await asyncio.gather(*(api.post(END, body, token=token) for _ in range(4)))
    assert sorted(answer["code"] for answer in answers) == [200, 404, 404, 404]
    assert len(await queries.list_events(ctx().db, member.id, before=None, most=9)) == 2  # with registering


async def test_the_log_is_paged_in_the_callers_language_and_the_members_own(ctx: MakeContext, api: Plain) -> None:
    member, token = await register(ctx())
    stranger, _ = await register(ctx())
    async with ctx().db.transaction() as db:
        for event in ("login", "new_device", "password_changed"):
            await service.note(ctx(network="203.0.113.9", device=PHONE), db, member.id, event)
        await service.note(ctx(), db, stranger.id, "login")
    first = await api.data(LOG, {"size": 2}, token=token, lang="vn")
    rest = await api.data(LOG, {"size": 2, "after": first["next"]}, token=token)
    told = [row["event"] for row in (*first["list"], *rest["list"])]
    assert told == ["password_changed", "new_device", "login", "registered"]
    assert (first["total"], len(rest["list"])) == (4, 2)
    changed, new = first["list"]
    assert (changed["title"], changed["held_until"] is None) == ("Đã đổi mật khẩu đăng nhập", False)
    assert (new["network"], new["device"], new["held_until"]) == ("203.0.113.9", "Chrome, Android", None)


async def test_the_word_is_kept_changed_and_taken_away(ctx: MakeContext, api: Plain) -> None:
    member, token = await register(ctx())
    for word in ("lighthouse", "phare d'Eckmühl", "灯台", None):
        await api.data(WORD, {"word": word}, token=token)
        assert await ctx().db.value("SELECT anti_phishing FROM members WHERE id = $1", member.id) == word
    logged = await queries.list_events(ctx().db, member.id, before=None, most=9)
    assert [row.event for row in logged] == [*["anti_phishing_changed"] * 4, "registered"]


async def test_the_same_word_once_more_is_no_event(ctx: MakeContext, api: Plain) -> None:
    member, token = await register(ctx())
    for _ in range(2):
        await api.data(WORD, {"word": "lighthouse"}, token=token)
    assert len(await queries.list_events(ctx().db, member.id, before=None, most=9)) == 2  # with registering


async def test_who_changes_the_word_again_and_again_is_refused_and_mailed_no_more(ctx: MakeContext, api: Plain) -> None:
    _, token = await register(ctx())
    for change in range(10):
        await api.data(WORD, {"word": f"word {change}"}, token=token)
    before = await everything(ctx().db)
    answer = await api.post(WORD, {"word": "one more"}, token=token)
    assert (answer["code"], answer["data"]["error"]) == (429, "too_many")
    assert DAY_MS // 1000 - 3_600 < answer["data"]["retry_after"] <= DAY_MS // 1000
    await api.data(WORD, {"word": "word 9"}, token=token)
    assert await everything(ctx().db) == before


@pytest.mark.parametrize("word", ["", " ", " a", "a ", "a" * 21, "a\u200bb", "a\u00a0b", "a\nb", "\u202eabc", 1])
async def test_a_word_that_cannot_be_seen_is_refused(ctx: MakeContext, api: Plain, word: object) -> None:
    _, token = await register(ctx())
    before = await everything(ctx().db)
    assert (await api.post(WORD, {"word": word}, token=token))["code"] == 400
    assert await everything(ctx().db) == before
