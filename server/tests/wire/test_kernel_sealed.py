"""Sealed and signed calls: what a page gets, what a forger gets, on one process and on two."""

import asyncio
import json
import os
import time
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.exceptions import InvalidTag

from kalos.core.database import Database
from kalos.core.terms import Terms
from wire import support
from wire.support import Page, Parts, open_page

ECHO = "/api/trial/echo"


@pytest.fixture(scope="module")
async def parts(db: Database, terms: Terms) -> Parts:
    return await support.make_parts(db, terms)


@pytest.fixture(scope="module")
async def other_parts(db: Database, terms: Terms) -> Parts:
    """A second process: it shares the database and nothing else."""
    return await support.make_parts(db, terms)


@pytest.fixture(scope="module")
async def strict_parts(db: Database, terms: Terms) -> Parts:
    """As in production: no plain calls."""
    return await support.make_parts(db, terms, modes=("signed", "sealed"))


@pytest.fixture
async def page(parts: Parts) -> Page:
    return await open_page(parts)


async def test_sealed_call_comes_back_sealed(page: Page) -> None:
    page.lang = "ja"
    answer = await page.call(ECHO, {"text": "x=1&y 🎲", "items": [{"b": 1, "a": [None, True]}]})
    assert (answer["code"], answer["enc"], answer["msg"]) == (200, 1, "完了")
    assert answer["data"]["text"] == "x=1&y 🎲"
    assert answer["data"]["items"] == [{"b": 1, "a": [None, True]}]


def as_pages_do(outer: dict[str, Any]) -> bytes:
    return json.dumps(outer, separators=(",", ":")).encode()


def with_blanks(outer: dict[str, Any]) -> bytes:
    return json.dumps(outer).encode()


def in_another_order(outer: dict[str, Any]) -> bytes:
    return json.dumps(dict(reversed(outer.items())), separators=(",", ":")).encode()


def escaped(outer: dict[str, Any]) -> bytes:
    return as_pages_do(outer).replace(b'"v"', b'"\\u0076"')


@pytest.mark.parametrize("spelled", [as_pages_do, with_blanks, in_another_order, escaped])
@pytest.mark.parametrize(
    ("path", "changed", "code"),
    [
        (ECHO, {}, 200),
        ("/api/trial/mine", {}, 460),
        (ECHO, {"data": "AAAA"}, 460),
        (ECHO, {"data": 'A"AA'}, 460),
        (ECHO, {"data": "AAA=AAAA"}, 460),
        (ECHO, {"sid": "lost"}, 463),
        (ECHO, {"v": 2}, 460),
        (ECHO, {"v": True}, 460),
        (ECHO, {"data": 5}, 460),
    ],
)
async def test_how_a_sealed_body_is_spelled_decides_nothing(
    page: Page, path: str, changed: dict[str, Any], code: int, spelled: Callable[[dict[str, Any]], bytes]
) -> None:
    assert (await page.call(ECHO, {"text": "a"}))["code"] == 200  # its channel is at hand from now on
    inner = page.signed(ECHO, {"text": "a"})
    outer = page.sealed(ECHO, json.dumps(inner).encode()) | changed
    answer = await page.post(path, spelled(outer))
    assert answer["code"] == code
    if code == 200:
        assert page.opened(answer, inner["nonce"])["data"]["text"] == "a"


async def test_a_field_twice_is_no_strict_json(page: Page) -> None:
    assert (await page.call(ECHO, {"text": "a"}))["code"] == 200
    raw = as_pages_do(page.sealed(ECHO, json.dumps(page.signed(ECHO, {"text": "a"})).encode()))
    for twice in (b'{"v":1,' + raw[1:], raw[:-1] + b',"data":""}', raw.replace(b',"data"', b',"sid":"","data"')):
        answer = await page.post(ECHO, twice)
        assert answer["code"] == 400
        assert answer["data"]["errors"] == [{"field": "", "reason": "duplicate_key"}]


async def test_sealed_is_not_spoken_where_only_signed_is(db: Database, terms: Terms) -> None:
    page = await open_page(await support.make_parts(db, terms, modes=("plain", "signed")))
    signed = page.signed(ECHO, {"text": "a"}) | {"sid": page.sid}
    assert (await page.post(ECHO, signed))["code"] == 200  # its channel is at hand from now on
    answer = await page.call(ECHO, {"text": "a"})
    assert answer["code"] == 464


async def test_token_is_signed_and_found(page: Page) -> None:
    page.token = "token of seven"
    answer = await page.call("/api/trial/mine", {"text": "a"})
    assert answer["data"]["member"] == 7


async def test_refusal_with_a_channel_is_sealed(page: Page) -> None:
    answer = await page.call("/api/trial/mine", {"text": "a"})
    assert (answer["code"], answer["enc"], answer["data"]) == (406, 1, {"error": "session_ended"})
    answer = await page.call("/api/nft/buy", {})
    assert (answer["code"], answer["enc"], answer["data"]) == (404, 1, {"error": "not_found"})
    answer = await page.call(ECHO, {"text": "a\u202e"})
    assert (answer["code"], answer["enc"]) == (400, 1)


async def test_channel_is_known_to_every_process(page: Page, other_parts: Parts) -> None:
    page.http = support.http_client(other_parts.kernel)
    assert (await page.call(ECHO, {"text": "a"}))["code"] == 200


async def test_replay_is_refused_by_every_process(page: Page, parts: Parts, other_parts: Parts) -> None:
    inner = page.signed(ECHO, {"text": "a"})
    outer = page.sealed(ECHO, json.dumps(inner).encode())
    assert (await page.post(ECHO, outer))["code"] == 200
    for kernel in (parts.kernel, other_parts.kernel):
        page.http = support.http_client(kernel)
        answer = await page.post(ECHO, page.sealed(ECHO, json.dumps(inner).encode()))
        assert (answer["code"], answer["enc"]) == (462, 1)
        assert page.opened(answer, inner["nonce"])["data"] == {"error": "replay"}


async def test_of_many_sent_at_once_one_is_taken(page: Page, parts: Parts, other_parts: Parts) -> None:
    outer = page.sealed(ECHO, json.dumps(page.signed(ECHO, {"text": "a"})).encode())
    second = Page(support.http_client(other_parts.kernel), page.sid, page.keys)
    answers = await asyncio.gather(*(one.post(ECHO, outer) for one in (page, second) * 8))
    assert sorted(answer["code"] for answer in answers) == [200] + [462] * 15


@pytest.mark.parametrize(("shift", "code"), [(-60, 200), (59, 200), (-62, 461), (61, 461), (10**9, 461)])
async def test_time_may_differ_by_a_minute(
    parts: Parts, page: Page, monkeypatch: pytest.MonkeyPatch, shift: int, code: int
) -> None:
    at = parts.clock.wall()  # stands from here: the page signs in this second, or early in the next
    monkeypatch.setattr(parts.clock, "wall", lambda: at)
    page.shift_seconds = shift
    answer = await page.call(ECHO, {"text": "a"})
    assert (answer["code"], answer["enc"]) == (code, 1)
    if code == 461:
        assert answer["data"]["error"] == "stale_time"
        assert abs(answer["data"]["server_time"] - time.time()) <= 30


@pytest.mark.parametrize(
    "override",
    [
        {"text": "b"},
        {"more": 1},
        {":path": ECHO},
        {"sign": "0" * 64},
        {"sign": ""},
        {"sign": None},
        {"sign": 5},
        {"nonce": "short"},
        {"nonce": "x" * 22},
        {"timestamp": 5},
        {"timestamp": "5"},
        {"timestamp": None},
    ],
)
async def test_changed_field_breaks_the_signature(page: Page, override: dict[str, Any]) -> None:
    answer = await page.call(ECHO, {"text": "a"}, **override)
    assert answer["code"] == 460
    assert "enc" not in answer
    assert answer["data"] == {"error": "bad_signature"}


async def test_lower_case_signature_is_no_signature(page: Page) -> None:
    inner = page.signed(ECHO, {"text": "a"})
    inner["sign"] = inner["sign"].lower()
    assert (await page.post(ECHO, page.sealed(ECHO, json.dumps(inner).encode())))["code"] == 460


async def test_signature_covers_token_and_language(page: Page) -> None:
    for token, lang in (("token of seven", "en"), ("", "ja")):
        inner = page.signed(ECHO, {"text": "a"})
        mover = Page(page.http, page.sid, page.keys, token, lang)
        assert (await mover.post(ECHO, page.sealed(ECHO, json.dumps(inner).encode())))["code"] == 460


async def test_call_does_not_fit_another_path(page: Page) -> None:
    inner = json.dumps(page.signed(ECHO, {"text": "a"})).encode()
    assert (await page.post("/api/trial/mine", page.sealed(ECHO, inner)))["code"] == 460
    assert (await page.post("/api/trial/mine", page.sealed("/api/trial/mine", inner)))["code"] == 460


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data[:-8],
        lambda data: "A" + data[1:] if data[0] != "A" else "B" + data[1:],
        lambda _: "",
        lambda _: "!!!",
        lambda _: 5,
        lambda _: None,
        lambda data: data + "\n",
        lambda _: "A" * 16,
    ],
)
async def test_damaged_data_is_460(page: Page, change: Callable[[str], Any]) -> None:
    outer = page.sealed(ECHO, json.dumps(page.signed(ECHO, {"text": "a"})).encode())
    answer = await page.post(ECHO, outer | {"data": change(outer["data"])})
    assert (answer["code"], answer.get("enc")) == (460, None)


@pytest.mark.parametrize("sid", ["", "x", "A" * 144, "A" * 5000, None, 5, [], "ü", "=" * 10])
async def test_unknown_channel_is_463(page: Page, sid: Any) -> None:
    outer = page.sealed(ECHO, b"{}") | {"sid": sid}
    answer = await page.post(ECHO, outer)
    assert answer == {"code": 463, "msg": "The secure channel has ended", "data": {"error": "unknown_channel"}}


async def test_forged_ticket_is_463(page: Page) -> None:
    for place in (0, 12, 40, 100, 143):
        sid = page.sid[:place] + ("A" if page.sid[place] != "A" else "B") + page.sid[place + 1 :]
        assert (await page.post(ECHO, page.sealed(ECHO, b"{}") | {"sid": sid}))["code"] == 463


async def test_channel_ends(parts: Parts, page: Page) -> None:
    parts.clock.shift_ms = 43_190_000
    page.shift_seconds = 43_190
    try:
        assert (await page.call(ECHO, {"text": "a"}))["code"] == 200
        parts.clock.shift_ms = 43_201_000
        assert (await page.call(ECHO, {"text": "a"}))["code"] == 463
    finally:
        parts.clock.shift_ms = 0


@pytest.mark.parametrize("version", [0, 2, "1", True, None, 1.0])
async def test_other_version_is_refused(page: Page, version: Any) -> None:
    outer = page.sealed(ECHO, json.dumps(page.signed(ECHO, {"text": "a"})).encode())
    assert (await page.post(ECHO, outer | {"v": version}))["code"] in (400, 460)


@pytest.mark.parametrize("inner", [b"[]", b'{"a":1,"a":2}', b"{", b'{"a":1e5}', b""])
async def test_sealed_body_that_is_no_strict_json_is_400(page: Page, inner: bytes) -> None:
    answer = await page.post(ECHO, page.sealed(ECHO, inner))
    assert (answer["code"], answer["enc"]) == (400, 1)


async def test_number_that_is_none_of_ours_is_refused_for_its_own_request(page: Page) -> None:
    inner = page.signed(ECHO, {"text": "a"}) | {"amount": 5.5}
    answer = page.opened(await page.post(ECHO, page.sealed(ECHO, json.dumps(inner).encode())), inner["nonce"])
    assert answer["data"] == {"error": "invalid_input", "errors": [{"field": "", "reason": "number"}]}


async def test_answer_fits_only_its_own_request(page: Page) -> None:
    first, second = (page.signed(ECHO, {"text": text}) for text in "ab")
    answer = await page.post(ECHO, page.sealed(ECHO, json.dumps(first).encode()))
    assert page.opened(answer, first["nonce"])["data"]["text"] == "a"
    for forged, nonce in (
        (answer, second["nonce"]),
        (answer | {"code": 201}, first["nonce"]),
        (answer | {"msg": "done"}, first["nonce"]),
    ):
        with pytest.raises(InvalidTag):
            page.opened(forged, nonce)


async def test_production_wants_an_envelope(strict_parts: Parts) -> None:
    page = await open_page(strict_parts)
    for outer in ({"text": "a"}, {}, {"v": 1, "sid": page.sid}, {"sid": page.sid, "data": ""}):
        answer = await page.post(ECHO, outer)
        assert answer == {"code": 464, "msg": "A sealed request is required", "data": {"error": "envelope_required"}}
    assert (await page.call(ECHO, {"text": "a"}))["code"] == 200


async def test_sealed_only_takes_no_signed_calls(db: Database, terms: Terms) -> None:
    page = await open_page(await support.make_parts(db, terms, modes=("sealed",)))
    outer = {**page.signed(ECHO, {"text": "a"}), "sid": page.sid}
    assert (await page.post(ECHO, outer))["code"] == 464
    answer = (await page.http.post(ECHO, content=b"{", headers={"content-type": "application/json"})).json()
    assert answer["code"] == 464


async def test_signed_call_is_answered_openly(page: Page) -> None:
    page.token = "token of eight"
    outer = {**page.signed("/api/trial/mine", {"text": "a"}), "sid": page.sid}
    answer = await page.post("/api/trial/mine", outer)
    assert answer["code"] == 200
    assert answer["data"]["member"] == 8
    assert (await page.post("/api/trial/mine", outer))["code"] == 462
    changed = {**page.signed("/api/trial/mine", {"text": "a"}), "sid": page.sid, "text": "b"}
    assert (await page.post("/api/trial/mine", changed))["code"] == 460


async def test_hello_of_another_origin_opens_nothing(parts: Parts) -> None:
    page = Page(support.http_client(parts.kernel))
    key = parts.keys.wire[0]
    seed = os.urandom(32)
    from cryptography.hazmat.primitives.asymmetric import ec

    from kalos.wire import channel

    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key.public)
    hello = channel.seal_hello(point, seed, kid=key.kid, origin="https://evil.example")
    body = {"v": 1, "kid": key.kid, "hello": hello}
    for headers in ({"origin": support.ORIGIN}, {}, {"origin": "null"}):
        answer = (await page.http.post("/api/wire/open", json=body, headers=headers)).json()
        assert answer["code"] == 460


@pytest.mark.parametrize("hello", ["", "!!!", "AAAA", "A" * 152, "BJ" + "A" * 148])
async def test_hello_that_does_not_open_is_460(parts: Parts, hello: str) -> None:
    http = support.http_client(parts.kernel)
    body = {"v": 1, "kid": parts.keys.wire[0].kid, "hello": hello}
    answer = (await http.post("/api/wire/open", json=body, headers={"origin": support.ORIGIN})).json()
    assert (answer["code"], answer["data"]) == (460, {"error": "bad_signature"})


@pytest.mark.parametrize(("version", "code"), [(1, 200), (0, 460), (2, 460), (-1, 460), (True, 400), ("1", 400)])
async def test_a_channel_is_opened_in_the_one_version_that_there_is(parts: Parts, version: Any, code: int) -> None:
    key = parts.keys.wire[0]
    hello = support.hello_to(key.kid, key.public, os.urandom(32))
    body = {"v": version, "kid": key.kid, "hello": hello}
    http = support.http_client(parts.kernel)
    answer = (await http.post("/api/wire/open", json=body, headers={"origin": support.ORIGIN})).json()
    assert answer["code"] == code
    if code == 200:
        assert answer["data"].keys() == {"sid", "salt", "server_time", "ttl"}
        assert answer["data"]["ttl"] == 43_200


async def test_unknown_wire_key_is_463(parts: Parts) -> None:
    http = support.http_client(parts.kernel)
    body = {"v": 1, "kid": "nobody", "hello": ""}
    answer = (await http.post("/api/wire/open", json=body, headers={"origin": support.ORIGIN})).json()
    assert answer["code"] == 463
