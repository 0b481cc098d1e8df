"""The wire's keys: shared by all processes, new each day, gone after two."""

import asyncio
import os
from typing import Any

import asyncpg
import pytest

from kalos.core.database import Database
from kalos.core.terms import Terms
from kalos.wire.keys import Keys
from wire import support
from wire.support import Page, StandingClock, make_parts, open_page

DAY_MS = 24 * 3_600_000
SECRET = b"k" * 32
ECHO = "/api/trial/echo"


class LaterClock(StandingClock):
    """Starts a year ahead, so that no other test's keys are in the way."""

    def __init__(self, days: int) -> None:
        super().__init__()
        self.shift_ms = days * DAY_MS


async def rows(db: Database, table: str) -> list[object]:
    return [row["kid"] for row in await db.rows(f"SELECT kid FROM {table} ORDER BY from_at DESC")]


async def test_keys_are_made_once_rotated_daily_and_destroyed_after_two_days(db: Database) -> None:
    clock = LaterClock(400)
    one, other = Keys(db, clock, SECRET), Keys(db, clock, SECRET)
    await one.refresh()
    await other.refresh()
    first = one.wire[0].kid
    assert [key.kid for key in one.wire] == [key.kid for key in other.wire] == [first]
    assert [key.key for key in one.tickets] == [key.key for key in other.tickets]
    clock.shift_ms += DAY_MS - 1
    await one.refresh()
    assert [key.kid for key in one.wire] == [first]
    clock.shift_ms += 1
    await one.refresh()
    second = one.wire[0].kid
    assert [key.kid for key in one.wire] == [second, first]
    assert len(one.tickets) == 2
    assert await other.wire_key(second) is not None
    clock.shift_ms += DAY_MS
    await other.refresh()
    assert first not in await rows(db, "wire_keys")
    assert len(await rows(db, "wire_keys")) == len(await rows(db, "wire_ticket_keys")) == 2
    assert await other.wire_key(first) is None


async def test_channel_lives_on_after_a_rotation(db: Database, terms: Terms) -> None:
    parts = await make_parts(db, terms)
    parts.clock.shift_ms = 800 * DAY_MS
    await parts.keys.refresh()
    page = await open_page(parts, shift_seconds=800 * 86_400)
    parts.clock.shift_ms += DAY_MS // 4
    parts.keys.tickets[0] = type(parts.keys.tickets[0])(
        parts.keys.tickets[0].kid, parts.keys.tickets[0].key, parts.keys.tickets[0].from_at - DAY_MS
    )
    await parts.keys.refresh()
    page.shift_seconds += 86_400 // 4
    assert (await page.call(ECHO, {"text": "a"}))["code"] == 200


async def test_old_page_opens_with_yesterdays_key(db: Database, terms: Terms) -> None:
    parts = await make_parts(db, terms)
    parts.clock.shift_ms = 1200 * DAY_MS
    await parts.keys.refresh()
    old = parts.keys.wire[0]
    parts.clock.shift_ms += DAY_MS + 1000
    await parts.keys.refresh()
    assert parts.keys.wire[0].kid != old.kid
    page = Page(support.http_client(parts.kernel))
    assert (await page.open(old.kid, old.public))["code"] == 200
    parts.clock.shift_ms += DAY_MS
    assert (await page.open(old.kid, old.public))["code"] == 463


async def test_private_keys_are_not_in_the_database(db: Database) -> None:
    keys = Keys(db, LaterClock(2000), SECRET)
    await keys.refresh()
    scalar = keys.wire[0].private.private_numbers().private_value.to_bytes(32, "big")
    stored = await db.rows("SELECT sealed_key FROM wire_keys UNION ALL SELECT sealed_key FROM wire_ticket_keys")
    assert stored
    assert not [row for row in stored if scalar in row["sealed_key"] or keys.tickets[0].key in row["sealed_key"]]
    assert "private" not in repr(keys) or str(keys.wire[0].private.private_numbers().private_value) not in repr(keys)


async def test_another_secret_makes_keys_of_its_own(db: Database) -> None:
    clock = LaterClock(3000)
    old, new = Keys(db, clock, SECRET), Keys(db, clock, b"n" * 32)
    await old.refresh()
    await new.refresh()
    assert len(new.wire) == len(new.tickets) == 1
    assert new.wire[0].kid != old.wire[0].kid


async def test_document_names_the_suite_and_times_in_seconds(db: Database) -> None:
    clock = LaterClock(4000)
    keys = Keys(db, clock, SECRET)
    await keys.refresh()
    document = keys.document()
    (key,) = document["keys"]
    assert {name: key[name] for name in ("kem", "kdf", "aead")} == {"kem": 16, "kdf": 1, "aead": 2}
    assert key["exp"] - key["nbf"] == 48 * 3600
    assert document["server_time"] == pytest.approx(clock.wall() / 1000, abs=30)


async def test_a_key_that_is_a_moment_old_is_used_by_nobody_yet(db: Database) -> None:
    clock = LaterClock(5000)
    keys = Keys(db, clock, SECRET)
    await keys.refresh()
    first, first_ticket = keys.document()["keys"][0]["kid"], keys.ticket().kid  # there is no other
    clock.shift_ms += DAY_MS
    await keys.refresh()
    second, second_ticket = keys.wire[0].kid, keys.tickets[0].kid
    assert [key["kid"] for key in keys.document()["keys"]] == [first, second]
    assert keys.ticket().kid == first_ticket != second_ticket
    clock.shift_ms += 1_999
    assert keys.document()["keys"][0]["kid"] == first
    clock.shift_ms += 1
    assert [key["kid"] for key in keys.document()["keys"]] == [second, first]
    assert keys.ticket().kid == second_ticket


async def test_a_key_whose_commit_failed_is_used_by_nobody(db: Database, database_url: str) -> None:
    keys = Keys(db, LaterClock(6000), SECRET)
    owner = await asyncpg.connect(database_url)
    try:
        await owner.execute(
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''the disk is full''; END';
            CREATE CONSTRAINT TRIGGER refused AFTER INSERT ON wire_keys DEFERRABLE INITIALLY DEFERRED
              FOR EACH ROW EXECUTE FUNCTION refuse()
            """
        )
        with pytest.raises(asyncpg.RaiseError, match="the disk is full"):
            await keys.refresh()
    finally:
        await owner.execute("DROP TRIGGER IF EXISTS refused ON wire_keys; DROP FUNCTION IF EXISTS refuse")
        await owner.close()
    assert not keys.wire
    assert not keys.tickets
    await keys.refresh()
    assert len(keys.wire) == len(keys.tickets) == 1


async def test_unknown_keys_are_looked_for_once_a_second(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, reads, read = LaterClock(7000), [], Keys._read
    keys = Keys(db, clock, SECRET)
    await keys.refresh()

    async def counted(*asked: Any) -> Any:
        reads.append(asked)
        return await read(*asked)

    monkeypatch.setattr(Keys, "_read", counted)
    for expected in (0, 1, 2):
        found = await asyncio.gather(*(keys.ticket_key(os.urandom(4)) for _ in range(20)), keys.wire_key("forged"))
        assert (set(found), len(reads)) == ({None}, expected)
        clock.shift_ms += 1_000


async def test_used_nonces_go_when_their_time_is_over(db: Database, terms: Terms) -> None:
    parts = await make_parts(db, terms)
    page = await open_page(parts)
    await page.call(ECHO, {"text": "a"})
    recent = "SELECT count(*) FROM wire_nonces WHERE until_at < $1"
    tomorrow = parts.clock.wall() + DAY_MS
    for shift_ms, kept in ((0, 1), (120_000, 1), (181_000, 0)):
        parts.clock.shift_ms = shift_ms
        await parts.nonces.forget()
        assert await db.value(recent, tomorrow) == kept


async def test_what_a_crash_may_take_and_nothing_else_stands_outside_the_log(db: Database) -> None:
    """A nonce and a second's count are of no worth a moment later, a captcha is drawn anew.

    The wire's keys are in no log and no backup, for they are to be gone after two days. All else is kept.
    """
    unlogged = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relpersistence = 'u'"
    drawn = {"captchas", "slides", "slide_proofs", "wallet_nonces"}
    own = {"wire_keys", "wire_ticket_keys", "wire_nonces", "limits"}
    assert {row["relname"] for row in await db.rows(unlogged)} == own | drawn
