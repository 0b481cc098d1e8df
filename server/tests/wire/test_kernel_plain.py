"""Plain calls: what comes back for each kind of failure, and that nothing leaks."""

import asyncio
import json
from collections import Counter
from typing import Any

import pytest
from structlog.testing import capture_logs

from kalos.core.database import Database
from kalos.core.terms import Terms
from kalos.core.trace import name_request
from wire import support


@pytest.fixture(scope="module")
async def parts(db: Database, terms: Terms) -> support.Parts:
    return await support.make_parts(db, terms)


async def post(parts: support.Parts, path: str, body: Any, **headers: str) -> Any:
    async with support.http_client(parts.kernel) as http:
        return await http.post(path, json=body, headers=headers)


async def test_plain_call_is_answered_in_the_envelope(parts: support.Parts) -> None:
    answer = await post(parts, "/api/trial/echo", {"text": "hé 🎲", "amount": 5}, lang="ja")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "no-store"
    expected: dict[str, Any] = {"text": "hé 🎲", "amount": "5", "items": [], "member": None, "lang": "ja"}
    assert answer.json() == {"code": 200, "msg": "完了", "data": expected}


async def test_protected_call_without_a_living_session_is_406(parts: support.Parts) -> None:
    for headers in ({}, {"authorization": "nobody's"}, {"authorization": "x" * 500}, {"authorization": "a\tb"}):
        answer = await post(parts, "/api/trial/mine", {"text": "a"}, **headers)
        assert answer.json() == {"code": 406, "msg": "Please log in again", "data": {"error": "session_ended"}}


async def test_session_names_its_member(parts: support.Parts) -> None:
    answer = await post(parts, "/api/trial/mine", {"text": "a"}, authorization="token of seven")
    assert answer.json()["data"]["member"] == 7


async def test_refusal_carries_code_name_and_fields(parts: support.Parts) -> None:
    answer = await post(parts, "/api/trial/short", {}, authorization="token of eight", lang="vi")
    assert answer.json() == {
        "code": 422,
        "msg": "số dư không đủ",
        "data": {"error": "insufficient_balance", "asset": "USDT"},
    }


async def test_request_that_was_posted_before_gets_its_first_answer_whatever_refuses_it_now(
    parts: support.Parts,
) -> None:
    told = [
        (await post(parts, "/api/trial/once", {"request_id": sent}, authorization="token of seven")).json()
        for sent in ("a-request-of-before", "a-request-of-today")
    ]
    assert (told[0]["code"], told[0]["data"]["text"], told[0]["data"]["member"]) == (200, "its first answer", 7)
    assert (told[1]["code"], told[1]["data"]["error"]) == (422, "insufficient_balance")


async def test_unknown_path_is_404_in_the_envelope(parts: support.Parts) -> None:
    for path in ("/api/nft/buy", "/api/trial/echo/", "/api/trial/Echo", "/api/nothing", "/v1/order/place"):
        answer = await post(parts, path, {"text": "a"})
        assert answer.json() == {"code": 404, "msg": "Not found", "data": {"error": "not_found"}}, path


async def test_other_methods_are_405(parts: support.Parts) -> None:
    async with support.http_client(parts.kernel) as http:
        for method in ("GET", "PUT", "DELETE", "OPTIONS"):
            answer = await http.request(method, "/api/trial/echo")
            assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


async def test_outage_is_503_and_says_when_to_come_again(parts: support.Parts) -> None:
    answer = await post(parts, "/api/trial/away", {})
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert answer.text == "Server error, please try again later"


async def test_more_than_can_run_are_turned_away_at_once_and_money_last(db: Database, terms: Terms) -> None:
    parts = await support.make_parts(db, terms, most_running=4)
    support.gate.clear()
    held = [asyncio.create_task(post(parts, "/api/trial/held", {})) for _ in range(3)]
    await support.until_running(parts.kernel, 3)
    answer = await post(parts, "/api/trial/echo", {"text": "a"})
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert (await post(parts, "/api/trial/short", {}, authorization="token of seven")).json()["code"] == 422
    support.gate.set()
    assert [(await task).json()["code"] for task in held] == [200] * 3
    assert (await post(parts, "/api/trial/echo", {"text": "a"})).json()["code"] == 200


async def test_money_alone_is_turned_away_at_once_where_it_fills_all_places(db: Database, terms: Terms) -> None:
    parts = await support.make_parts(db, terms, most_running=4)
    support.gate.clear()
    paying = {"authorization": "token of seven"}
    held = [asyncio.create_task(post(parts, "/api/trial/paying", {}, **paying)) for _ in range(4)]
    await support.until_running(parts.kernel, 4)
    async with asyncio.timeout(15):
        for path in ("/api/trial/short", "/api/trial/paying", "/api/trial/once"):
            answer = await post(parts, path, {}, **paying)
            assert (answer.status_code, answer.headers.get("retry-after")) == (503, "1")
    support.gate.set()
    assert [(await task).json()["code"] for task in held] == [200] * 4
    assert (await post(parts, "/api/trial/short", {}, **paying)).json()["code"] == 422


async def test_bug_shows_nothing_of_itself(parts: support.Parts) -> None:
    with capture_logs() as logs:
        answer = await post(parts, "/api/trial/bug", {})
    assert answer.status_code == 503
    assert answer.text == "Server error, please try again later"
    bug, call = logs
    assert (bug["event"], bug["path"]) == ("bug", "/api/trial/bug")
    assert (call["event"], call["path"], call["code"], call["log_level"]) == ("call", "/api/trial/bug", 503, "debug")


async def test_every_line_of_a_call_has_its_request_id_and_no_other_line(parts: support.Parts) -> None:
    with capture_logs([name_request]) as logs:
        async with support.http_client(parts.kernel) as http:
            await asyncio.gather(*(http.post("/api/trial/told", json={}) for _ in range(8)))
        support.log.info("beside")
    *lines, beside = logs
    assert "request" not in beside
    told = Counter(line["request"] for line in lines)
    assert sorted(told.values()) == [3] * 8  # of the handler, of what it started, and of the call
    assert all(len(request) == 22 for request in told)


async def test_path_that_is_no_call_is_not_repeated_in_the_log(parts: support.Parts) -> None:
    with capture_logs() as logs:
        await post(parts, "/api/hunter2", {})
    (call,) = logs
    assert (call["path"], call["code"]) == ("unknown", 404)


@pytest.mark.parametrize(("changed", "code"), [(0, 200), (1, 200), (2, 422)])
async def test_use_case_runs_twice_where_a_row_had_changed(parts: support.Parts, changed: int, code: int) -> None:
    support.changes.clear()
    answer = await post(parts, "/api/trial/changed", {"text": "a", "amount": changed})
    assert answer.json()["code"] == code
    assert len(support.changes) == min(changed + 1, 2)
    if code == 422:
        assert answer.json()["data"] == {"error": "wrong_state"}


@pytest.mark.parametrize(
    ("body", "field", "reason"),
    [
        ({}, "text", "missing"),
        ({"text": 5}, "text", "type"),
        ({"text": None}, "text", "type"),
        ({"text": "a" * 101}, "text", "length"),
        ({"text": "a", "more": 1}, "more", "unknown"),
        ({"text": "a", "amount": True}, "amount", "type"),
        ({"text": "a", "items": {}}, "items", "type"),
        ({"text": "a", "items": [5]}, "items[0]", "type"),
        ({"text": "a\u202eb"}, "text", "characters"),
        ({"text": "a\u0007b"}, "text", "characters"),
        ({"text": "a", "items": [{"k": ["\u2066"]}]}, "items[0].k[0]", "characters"),
        ({"text": "a", "timestamp": 5}, "timestamp", "unknown"),
    ],
)
async def test_field_that_does_not_fit_is_named(
    parts: support.Parts, body: dict[str, Any], field: str, reason: str
) -> None:
    answer = (await post(parts, "/api/trial/echo", body)).json()
    assert answer["code"] == 400
    assert answer["data"] == {"error": "invalid_input", "errors": [{"field": field, "reason": reason}]}


async def raw(parts: support.Parts, body: bytes, **headers: str) -> Any:
    async with support.http_client(parts.kernel) as http:
        return await http.post("/api/trial/echo", content=body, headers={"content-type": "application/json"} | headers)


async def test_body_that_is_no_strict_json_is_400(parts: support.Parts) -> None:
    for body, reason in (
        (b'{"text":"a","text":"b"}', "duplicate_key"),
        (b'{"text":1.5}', "number"),
        (b"[]", "no_object"),
        (b"{", "json"),
        (b'{"text":"\\ud800"}', "surrogate"),
        (b'{"text":"\xff"}', "encoding"),
        (b'{"text":' + b"[" * 40 + b"]" * 40 + b"}", "depth"),
    ):
        answer = (await raw(parts, body)).json()
        assert answer["code"] == 400
        assert answer["data"]["errors"] == [{"field": "", "reason": reason}]


LONG = b"a" * 30_000


@pytest.mark.parametrize(
    "body",
    [
        b'{"%b":[%b]}' % (LONG, b",".join([b'"\x7f"'] * 8_000)),
        b'{"%b":{%b}}' % (LONG, b",".join(b'"%d":"\x7f"' % key for key in range(2_500))),
        b'{"text":"a","items":[{"%b":"\x7f","%b":["\x7f"]}]}' % (LONG, LONG + b"b"),
        b'{"\x7f%b":1}' % LONG,
        b'{"%b":1}' % (b'\\"' * 30_000),
        b'{"text":"a","%b":1}' % (b"field ` - at `$." * 4_000),
        b'{"text":"a","items":[{},{"%b":1},5]}' % LONG,
        b'{"text":{"%b":1}}' % LONG,
        b'{"text":"%b"}' % (b"\xc3\xa9" * 32_000),
        b'{"sid":"%b","sign":"%b"}' % (LONG, LONG),
        b'{"v":1,"sid":"%b","data":"%b"}' % (LONG, LONG),
    ],
    ids=lambda body: repr(body[:16]),
)
@pytest.mark.parametrize("path", ["/api/trial/echo", "/api/trial/mine", "/api/wire/open", "/api/nothing"])
async def test_a_refusal_repeats_little_of_what_came(parts: support.Parts, path: str, body: bytes) -> None:
    async with support.http_client(parts.kernel) as http:
        answer = await http.post(path, content=body, headers={"content-type": "application/json"})
    assert answer.json()["code"] in (400, 404, 406, 463)
    assert len(answer.content) < 4_096
    assert all(len(fault["field"]) <= 100 for fault in answer.json()["data"].get("errors", []))


async def test_body_over_64_kib_is_413(parts: support.Parts) -> None:
    fitting = json.dumps({"text": "a", "items": [{"a": "b" * 65_400}]}).encode()
    assert len(fitting) <= 65_536
    assert (await raw(parts, fitting)).status_code == 200
    assert (await raw(parts, fitting + b" " * 200)).status_code == 413


async def test_streamed_body_over_64_kib_is_413(parts: support.Parts) -> None:
    async def stream() -> Any:
        for _ in range(70):
            yield b" " * 1000

    async with support.http_client(parts.kernel) as http:
        answer = await http.post("/api/trial/echo", content=stream(), headers={"content-type": "application/json"})
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "headers",
    [
        {"content-type": "text/plain"},
        {"content-type": "application/json; charset=utf-16"},
        {"content-type": "application/x-www-form-urlencoded"},
        {"content-encoding": "gzip"},
        {"content-encoding": "br"},
    ],
)
async def test_other_content_is_415(parts: support.Parts, headers: dict[str, str]) -> None:
    assert (await raw(parts, b'{"text":"a"}', **headers)).status_code == 415


async def test_languages_follow_the_header(parts: support.Parts) -> None:
    found = {}
    for lang in ("en", "vi", "th", "ja", "ko", "zh_CN", "tw", "vn", "zh", "zhTW", "xx", "", "../../etc"):
        found[lang] = (await post(parts, "/api/trial/echo", {"text": "a"}, lang=lang)).json()["data"]["lang"]
    assert found == {
        "en": "en", "vi": "vi", "th": "th", "ja": "ja", "ko": "ko", "zh_CN": "zh_CN", "tw": "tw",
        "vn": "vi", "zh": "zh_CN", "zhTW": "tw", "xx": "en", "": "en", "../../etc": "en",
    }  # fmt: skip
