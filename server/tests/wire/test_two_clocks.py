"""Business time runs five days ahead, as a demo's may: the wire goes by the wall's clock alone."""

import json
import time
from typing import Any

import pytest

from kalos.core.clock import DAY_MS
from kalos.core.database import Database
from kalos.core.errors import TooMany
from kalos.core.terms import Terms
from wire import support
from wire.support import Page, Parts, open_page

ECHO = "/api/trial/echo"
AHEAD_MS = 5 * DAY_MS


@pytest.fixture(scope="module")
async def present(db: Database, terms: Terms) -> Parts:
    """A process whose business time is the wall's."""
    return await support.make_parts(db, terms)


@pytest.fixture(scope="module")
async def ahead(db: Database, terms: Terms, present: Parts) -> Parts:
    """One beside it, to which the demo's clock was told already."""
    parts = await support.make_parts(db, terms, ahead_ms=AHEAD_MS)
    assert parts.clock.now() - parts.clock.wall() >= AHEAD_MS - 30_000
    return parts


async def call(page: Page, form: str, shift: int = 0) -> tuple[dict[str, Any], dict[str, Any]]:
    """What was sent and what came back, sealed or signed."""
    page.shift_seconds = shift
    inner = page.signed(ECHO, {"text": "a"})
    if form == "signed":
        return inner, await page.post(ECHO, inner | {"sid": page.sid})
    answer = await page.post(ECHO, page.sealed(ECHO, json.dumps(inner).encode()))
    return inner, page.opened(answer, inner["nonce"]) if answer.get("enc") else answer


@pytest.mark.parametrize("form", ["sealed", "signed"])
async def test_a_call_is_stamped_by_the_walls_clock(ahead: Parts, form: str) -> None:
    page = await open_page(ahead)
    assert (await call(page, form))[1]["code"] == 200
    _, answer = await call(page, form, AHEAD_MS // 1_000)
    assert (answer["code"], answer["data"]["error"]) == (461, "stale_time")
    assert abs(answer["data"]["server_time"] - time.time()) <= 30


async def test_a_channel_is_opened_and_ends_by_the_walls_clock(ahead: Parts, present: Parts) -> None:
    page = Page(support.http_client(ahead.kernel))
    key = ahead.keys.wire[0]
    opened = (await page.open(key.kid, key.public))["data"]
    assert opened["ttl"] == 43_200
    assert abs(opened["server_time"] - time.time()) <= 30
    assert (await present.channels.find(page.sid)).until_at - present.clock.wall() <= 43_200_000
    found = await ahead.channels.find(page.sid)
    assert 0 < found.until_at - ahead.clock.wall() <= 43_200_000


async def test_a_channel_of_before_lives_on(ahead: Parts, present: Parts) -> None:
    """Its keys are two days old at the most: by business time they would be gone."""
    page = await open_page(present)
    page.http = support.http_client(ahead.kernel)
    await ahead.keys.refresh()
    await ahead.channels.forget()
    assert (await page.call(ECHO, {"text": "a"}))["code"] == 200
    document = ahead.keys.document()
    assert abs(document["server_time"] - time.time()) <= 30
    assert document["keys"][0]["nbf"] <= time.time() < document["keys"][0]["exp"] <= time.time() + 2 * 86_400


@pytest.mark.parametrize("form", ["sealed", "signed"])
async def test_a_nonce_is_kept_by_the_walls_clock(ahead: Parts, present: Parts, db: Database, form: str) -> None:
    page = await open_page(ahead)
    await db.execute("DELETE FROM wire_nonces")
    inner, answer = await call(page, form)
    assert answer["code"] == 200
    left_ms = await db.value("SELECT until_at FROM wire_nonces") - present.clock.wall()
    assert 120_000 < left_ms <= 180_000
    await ahead.nonces.forget()
    outer = inner | {"sid": page.sid} if form == "signed" else page.sealed(ECHO, json.dumps(inner).encode())
    assert (await page.post(ECHO, outer))["code"] == 462


async def test_processes_count_the_same_second_whatever_business_time_they_know(
    ahead: Parts, present: Parts, terms: Terms, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock's row reaches one process a second after the other."""
    at = ahead.clock.wall() // 1_000 * 1_000
    for parts in (ahead, present):
        monkeypatch.setattr(parts.clock, "wall", lambda: at)
    for _ in range(terms.rate_money):
        await ahead.limits.check_member(70, "money")
    await ahead.limits.forget()
    with pytest.raises(TooMany):
        await present.limits.check_member(70, "money")
