"""Sessions, and the tokens that stand for them."""

import asyncio
import base64

import asyncpg
import pytest

from conftest import MakeContext
from kalos.core.clock import DAY_MS, HOUR_MS
from kalos.core.errors import SessionEnded
from kalos.core.tokens import digest
from kalos.domains.identity import jobs, queries, service
from support.people import everything, register

pytestmark = pytest.mark.usefixtures("root")


async def test_token_has_256_random_bits_and_only_its_hash_is_stored(ctx: MakeContext) -> None:
    _, token = await register(ctx())
    assert len(base64.urlsafe_b64decode(token + "=")) == 32
    stored = await everything(ctx().db)
    assert not any(token in row for rows in stored.values() for row in rows)
    assert await queries.find_session(ctx().db, digest(token), ctx().wall) is not None
    assert await queries.find_session(ctx().db, token.encode()[:32], ctx().wall) is None


async def test_session_ends_when_it_was_not_used_for_its_days(ctx: MakeContext) -> None:
    _, token = await register(ctx())
    wall = ctx().wall
    assert await queries.find_session(ctx().db, digest(token), wall + 30 * DAY_MS + 5_000) is None


async def test_use_moves_the_end_ahead_once_an_hour(ctx: MakeContext) -> None:
    _, token = await register(ctx())
    wall = ctx().wall
    before = await ctx().db.value("SELECT until_at FROM sessions WHERE token_hash = $1", digest(token))
    assert await queries.find_session(ctx().db, digest(token), wall + HOUR_MS // 2) is not None
    assert await ctx().db.value("SELECT until_at FROM sessions WHERE token_hash = $1", digest(token)) == before
    moved = await queries.find_session(ctx().db, digest(token), wall + 20 * DAY_MS)
    assert moved is not None
    assert moved.until_at == wall + 50 * DAY_MS  # what is kept of it meanwhile ends no sooner than the row
    after = await ctx().db.value("SELECT until_at FROM sessions WHERE token_hash = $1", digest(token))
    assert after == wall + 50 * DAY_MS
    assert await queries.find_session(ctx().db, digest(token), wall + 49 * DAY_MS) is not None


async def test_logging_out_ends_this_session_and_its_auth_tokens_alone(ctx: MakeContext) -> None:
    member, token = await register(ctx())
    other, other_token = await register(ctx())
    here = ctx(member, session=digest(token))
    auth = await service.make_auth_token(here)
    await service.log_out(here)
    assert await queries.find_session(here.db, digest(token), here.wall) is None
    assert await queries.take_auth_token(here.db, digest(auth.token), here.wall) is None
    living = await queries.list_living(here.db, [digest(token), digest(other_token)], here.wall)
    assert living == {digest(other_token)}
    assert other.id != member.id


async def test_a_living_session_that_is_deleted_is_told_whoever_deletes_it(ctx: MakeContext) -> None:
    """Processes keep sessions at hand for as long as they hear every ending."""
    tokens = [(await register(ctx()))[1] for _ in range(3)]
    gone, over, by_hand = map(digest, tokens)
    told: list[str] = []
    listener = await asyncpg.connect(ctx().db.url)
    await listener.add_listener(queries.ENDED, lambda *words: told.append(words[-1]))
    await queries.end_session(ctx().db, gone)
    await ctx().db.execute("UPDATE sessions SET created_at = 0, until_at = 1 WHERE token_hash = $1", over)
    await ctx().db.execute("DELETE FROM sessions WHERE token_hash = ANY($1::bytea[])", [over, by_hand])
    await listener.execute("SELECT 1")
    await listener.close()
    assert [text for text in told if bytes.fromhex(text) in (gone, over, by_hand)] == [gone.hex(), by_hand.hex()]


async def test_auth_token_stands_for_its_session_once(ctx: MakeContext) -> None:
    member, token = await register(ctx())
    made = await service.make_auth_token(ctx(member, session=digest(token)))
    assert made.seconds == 60
    db, wall = ctx().db, ctx().wall
    taken = await asyncio.gather(*(queries.take_auth_token(db, digest(made.token), wall) for _ in range(16)))
    assert [(one.token_hash, one.member) for one in taken if one] == [(digest(token), member)]
    assert made.token != token


async def test_auth_token_expires(ctx: MakeContext) -> None:
    member, token = await register(ctx())
    here, ends = ctx(member, session=digest(token)), []
    for late_ms, is_taken in ((50_000, True), (60_000, False)):
        made = await service.make_auth_token(here)
        ends.append(made.seconds)
        taken = await queries.take_auth_token(here.db, digest(made.token), ctx().wall + late_ms)
        assert (taken is not None) is is_taken
    assert ends == [60, 60]


async def test_sweeping_deletes_what_ended_a_day_ago_and_nothing_else(ctx: MakeContext) -> None:
    _, ended = await register(ctx())
    _, living = await register(ctx())
    await jobs.sweep(ctx().house)
    await ctx().db.execute(
        "UPDATE sessions SET created_at = 0, until_at = $2 WHERE token_hash = $1",
        digest(ended),
        ctx().wall - DAY_MS - 1,
    )
    before = await everything(ctx().db, but=("sessions",))
    assert await jobs.sweep(ctx().house) == 1
    assert await everything(ctx().db, but=("sessions",)) == before
    assert await ctx().db.value("SELECT count(*) FROM sessions WHERE token_hash = $1", digest(ended)) == 0
    assert await queries.find_session(ctx().db, digest(living), ctx().wall) is not None


async def test_no_auth_token_is_made_for_a_session_that_ended_elsewhere(ctx: MakeContext) -> None:
    member, token = await register(ctx())
    here = ctx(member, session=digest(token))
    await service.log_out(here)
    with pytest.raises(SessionEnded):
        await service.make_auth_token(here)
