"""Calls that are wrong twice: which check speaks first is wire.md's order, and what it leaves undone."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import httpx
import pytest

from kalos.core.database import Database
from kalos.core.terms import Terms
from kalos.wire import signing
from kalos.wire.strict_json import MAX_BYTES
from wire import support
from wire.support import Page, Parts, open_page

ECHO = "/api/trial/echo"
MINE = "/api/trial/mine"
STALE = -3_600
Wrong = Callable[[Page], Awaitable[dict[str, Any]]]


@pytest.fixture(scope="module")
async def strict(db: Database, terms: Terms) -> Parts:
    """As in production: no plain calls."""
    return await support.make_parts(db, terms, modes=("signed", "sealed"))


@pytest.fixture
async def page(strict: Parts) -> Page:
    return await open_page(strict)


async def send(page: Page, path: str, inner: dict[str, Any]) -> dict[str, Any]:
    """Seal an inner JSON as it is and open its answer."""
    answer = await page.post(path, page.sealed(path, json.dumps(inner).encode()))
    return page.opened(answer, inner["nonce"]) if answer.get("enc") else answer


async def unknown_channel_and_damaged(page: Page) -> dict[str, Any]:
    return await page.post(ECHO, page.sealed(ECHO, b"{}") | {"sid": "lost", "data": "!"})


async def damaged_and_stale(page: Page) -> dict[str, Any]:
    page.shift_seconds = STALE
    outer = page.sealed(ECHO, json.dumps(page.signed(ECHO, {"text": "a"})).encode())
    return await page.post(ECHO, outer | {"data": outer["data"][:-8]})


async def not_strict_and_unsigned(page: Page) -> dict[str, Any]:
    answer = await page.post(ECHO, page.sealed(ECHO, b'{"sign":"","sign":""}'))
    return answer | {"data": None}


async def bad_text_and_unsigned(page: Page) -> dict[str, Any]:
    return await page.call(ECHO, {"text": "\x00"}, sign="0" * 64)


async def unsigned_and_stale(page: Page) -> dict[str, Any]:
    page.shift_seconds = STALE
    return await page.call(ECHO, {"text": "a"}, sign="0" * 64)


async def unsigned_and_no_such_call(page: Page) -> dict[str, Any]:
    return await page.call("/api/nothing", {}, sign="0" * 64)


async def unsigned_and_used(page: Page) -> dict[str, Any]:
    inner = page.signed(ECHO, {"text": "a"})
    assert (await send(page, ECHO, inner))["code"] == 200
    return await send(page, ECHO, inner | {"sign": "0" * 64})


async def stale_and_used(page: Page) -> dict[str, Any]:
    inner = page.signed(ECHO, {"text": "a"})
    assert (await send(page, ECHO, inner))["code"] == 200
    return await send(page, ECHO, signed_at(page, ECHO, inner, STALE))


async def stale_and_no_session(page: Page) -> dict[str, Any]:
    page.shift_seconds = STALE
    return await page.call(MINE, {"text": "a"})


async def used_and_no_session(page: Page) -> dict[str, Any]:
    inner = page.signed(MINE, {"text": "a"})
    assert (await send(page, MINE, inner))["code"] == 406
    return await send(page, MINE, inner)


async def used_and_no_such_call(page: Page) -> dict[str, Any]:
    inner = page.signed("/api/nothing", {})
    assert (await send(page, "/api/nothing", inner))["code"] == 404
    return await send(page, "/api/nothing", inner)


async def no_session_and_bad_body(page: Page) -> dict[str, Any]:
    page.token = "a token of yesterday"
    return await page.call(MINE, {"text": 5, "more": 1})


def signed_at(page: Page, path: str, inner: dict[str, Any], shift: int) -> dict[str, Any]:
    """The same call with the same nonce, signed anew at another time."""
    assert page.keys is not None
    own = {key: value for key, value in inner.items() if key != "sign"} | {"timestamp": inner["timestamp"] + shift}
    string = signing.signing_string(own, token=page.token, lang=page.lang, method="POST", path=path, session=page.sid)
    return own | {"sign": page.keys.signing_key.sign(string)}


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (unknown_channel_and_damaged, 463),
        (damaged_and_stale, 460),
        (not_strict_and_unsigned, 400),
        (bad_text_and_unsigned, 400),
        (unsigned_and_stale, 460),
        (unsigned_and_no_such_call, 460),
        (unsigned_and_used, 460),
        (stale_and_used, 461),
        (stale_and_no_session, 461),
        (used_and_no_session, 462),
        (used_and_no_such_call, 462),
        (no_session_and_bad_body, 406),
    ],
)
async def test_of_two_faults_the_earlier_check_speaks(page: Page, wrong: Wrong, code: int) -> None:
    assert (await wrong(page))["code"] == code


@pytest.mark.parametrize("fault", ["stale", "unsigned", "bad text"])
async def test_a_call_that_fails_before_its_nonce_leaves_it_unused(page: Page, fault: str) -> None:
    good = page.signed(ECHO, {"text": "a"})
    bad = {
        "stale": signed_at(page, ECHO, good, STALE),
        "unsigned": good | {"sign": "0" * 64},
        "bad text": good | {"text": "\x00"},
    }[fault]
    assert (await send(page, ECHO, bad))["code"] in (400, 460, 461)
    assert (await send(page, ECHO, good))["code"] == 200
    assert (await send(page, ECHO, good))["code"] == 462


async def busy(db: Database, terms: Terms, monkeypatch: pytest.MonkeyPatch, *modes: Any) -> tuple[Parts, Page]:
    """A process whose network may make three calls in the second that stands still, and a page with three behind it."""
    parts = await support.make_parts(db, replace(terms, rate_network=3), modes=modes, count_loopback=True)
    at = parts.clock.wall() // 1_000 * 1_000
    monkeypatch.setattr(parts.clock, "wall", lambda: at)
    await db.execute("DELETE FROM limits")
    page = await open_page(parts)
    for _ in range(2):
        assert (await page.call(ECHO, {"text": "a"}))["code"] == 200
    return parts, page


async def post(page: Page, path: str, content: bytes) -> httpx.Response:
    return await page.http.post(path, content=content, headers={"content-type": "application/json"})


async def test_a_network_over_its_limit_is_told_by_http_before_any_channel(
    db: Database, terms: Terms, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In production nothing could be sealed for it yet, and plain calls aren't spoken there."""
    parts, page = await busy(db, terms, monkeypatch, "signed", "sealed")
    inner = page.signed(ECHO, {"text": "a"})
    good = json.dumps(page.sealed(ECHO, json.dumps(inner).encode())).encode()
    lost = json.dumps(page.sealed(ECHO, b"{}") | {"sid": "lost"}).encode()
    signed = json.dumps(inner | {"sid": page.sid}).encode()
    for path, content in (
        *((ECHO, good), (ECHO, signed), (ECHO, lost), (ECHO, b"{"), (ECHO, b'{"text":"a"}')),
        *(("/api/nothing", good), ("/api/wire/open", b"{}"), ("/api/trial/entry", good)),
    ):
        answer = await post(page, path, content)
        assert (answer.status_code, answer.headers.get("retry-after")) == (429, "1"), path
        assert "{" not in answer.text
    assert (await post(page, ECHO, b" " * (MAX_BYTES + 1))).status_code == 413
    at = parts.clock.wall() + 1_000
    monkeypatch.setattr(parts.clock, "wall", lambda: at)
    assert (await send(page, ECHO, inner))["code"] == 200  # the limit left its nonce unused


async def test_a_network_over_its_limit_is_told_in_the_envelope_where_plain_is_spoken(
    db: Database, terms: Terms, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, page = await busy(db, terms, monkeypatch, "plain", "signed", "sealed")
    for content in (b'{"text":"a"}', b"{", json.dumps(page.sealed(ECHO, b"{}") | {"sid": "lost"}).encode()):
        answer = await post(page, ECHO, content)
        assert answer.status_code == 200
        assert (answer.json()["code"], answer.json()["data"]) == (429, {"error": "too_many", "retry_after": 1})


async def test_a_members_limit_comes_before_the_body(
    db: Database, terms: Terms, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = await support.make_parts(db, replace(terms, rate_read=2))
    at = parts.clock.wall() // 1_000 * 1_000
    monkeypatch.setattr(parts.clock, "wall", lambda: at)
    page = await open_page(parts, token="token of eight")
    codes = [(await page.call(MINE, {"text": text}))["code"] for text in ("a", 5, 5)]
    assert codes == [200, 400, 429]
