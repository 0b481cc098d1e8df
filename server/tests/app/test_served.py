"""The API behind its real server on a real port: hostile requests, `kalos call` in its three forms, `kalos proxy`."""

import asyncio
import gzip
import json
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Final

import httpx
import pytest

from kalos.app import call, proxy
from kalos.app.api import make_app, make_server, open_wire
from kalos.app.settings import Settings
from kalos.domains.context import House
from kalos.wire.client import WireClient


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


@pytest.fixture(scope="module")
async def settings(house: House, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Settings]:
    """Those of a server that runs."""
    port = free_port()
    chosen = Settings(data_dir=tmp_path_factory.mktemp("data"), port=port, live_port=4567)
    async with open_wire(house, chosen) as wire:
        server = make_server(make_app(wire, house, chosen), chosen)
        serving = asyncio.create_task(server.serve())
        await _until_it_answers(port)
        yield chosen
        server.stop()  # type: ignore[no-untyped-call]
        await serving


async def _until_it_answers(port: int) -> None:
    for _ in range(200):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.02)
        else:
            writer.close()
            return
    raise TimeoutError("the server does not start")


PATIENCE_SECONDS: Final = 10
"""How long a head and a body may take each."""
HEADERS: Final = (
    *("referrer-policy: same-origin", "x-content-type-options: nosniff", "x-frame-options: deny"),
    *("cross-origin-opener-policy: same-origin", "cross-origin-resource-policy: same-origin", "permissions-policy: "),
)


@asynccontextmanager
async def connected(settings: Settings) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", settings.port)
    try:
        yield reader, writer
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def rest_of(reader: asyncio.StreamReader) -> tuple[int, str]:
    """The status and all that came until the server closed; 0 where it said nothing."""
    parts = []
    async with asyncio.timeout(PATIENCE_SECONDS + 5):
        with suppress(ConnectionError):
            while part := await reader.read(65_536):
                parts.append(part)
    answer = b"".join(parts).decode(errors="replace")
    return int(answer.split(maxsplit=2)[1]) if answer else 0, answer


async def ask(settings: Settings, head: str, body: bytes = b"") -> tuple[int, str]:
    """Send raw HTTP/1.1. Returns the status and all that came."""
    async with connected(settings) as (reader, writer):
        with suppress(ConnectionError):
            writer.write(head.replace("\n", "\r\n").encode() + b"\r\n\r\n" + body)
            await writer.drain()
        return await rest_of(reader)


def check_headers(answer: str) -> None:
    """Each answer of ours has the headers of security, and none that lets other pages read it."""
    head = answer.partition("\r\n\r\n")[0].lower()
    assert not [header for header in HEADERS if f"\r\n{header}" not in head], answer[:500]
    assert "access-control-" not in head


POST = "POST {} HTTP/1.1\nHost: localhost\nConnection: close\nContent-Type: application/json\nContent-Length: 2"
GET = "GET {} HTTP/1.1\nHost: localhost\nConnection: close"


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/api/auth/captcha", 200, '"code":200'),
        ("/api/auth/captcha?x=1", 200, '"code":200'),
        ("/api/auth/captcha/", 200, '"code":404'),
        ("/api//auth/captcha", 200, '"code":404'),
        ("/api/AUTH/captcha", 200, '"code":404'),
        ("/api/auth/%63aptcha", 404, ""),
        ("/api/auth%2fcaptcha", 404, ""),
        ("/api/auth%2Fcaptcha", 404, ""),
        ("/api/auth/captcha%00", 404, ""),
        ("/api/auth/captch\u00e4", 404, ""),
        ("/api/./auth/captcha", 200, '"code":404'),
        ("/api/x/../auth/captcha", 200, '"code":404'),
        ("/api/%2e%2e/api/auth/captcha", 404, ""),
        ("//api/auth/captcha", 404, ""),
        ("/x/../api/auth/captcha", 404, ""),
        ("/API/auth/captcha", 405, ""),
    ],
)
async def test_a_call_has_one_spelling(settings: Settings, path: str, status: int, code: str) -> None:
    found, text = await ask(settings, POST.format(path), b"{}")
    assert found == status, text[:300]
    assert code in text
    check_headers(text)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/healthz", 200),
        ("/healthz?x=1", 200),
        ("/login", 200),
        *((path, 404) for path in ("/healthz/", "//healthz", "/%68ealthz", "/x/../healthz", "/./healthz")),
        *((path, 404) for path in ("/.well-known/%77ire-keys", "/.well-known//wire-keys", "/.well-known/wire-keys/")),
        *((path, 404) for path in ("/login/", "//login", "/%6cogin", "/a%2fb", "/a/../login", "/%2e%2e/login", "/..")),
        *((path, 404) for path in ("/assets/../index.html", "/assets/%2e%2e/icon.svg", "/icon.svg/", "/ICON.SVG")),
        ("healthz", 404),
    ],
)
async def test_a_page_has_one_spelling(settings: Settings, path: str, status: int) -> None:
    found, text = await ask(settings, GET.format(path))
    assert found == status, text[:300]
    check_headers(text)


@pytest.mark.parametrize("path", ["/Healthz", "/HEALTHZ", "/API/auth/captcha"])
async def test_another_case_is_a_screen_that_there_is_not(settings: Settings, path: str) -> None:
    found, text = await ask(settings, GET.format(path))
    assert (found, "text/html" in text) == (200, True)


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"])
async def test_each_place_has_its_method(settings: Settings, method: str) -> None:
    reads = method in ("GET", "HEAD")
    preflight = "\nOrigin: https://evil.example\nAccess-Control-Request-Method: POST"
    for path in ("/api/auth/captcha", "/healthz", "/login"):
        status, text = await ask(settings, GET.replace("GET", method).format(path) + preflight)
        assert status == (200 if reads and path != "/api/auth/captcha" else 405), text[:300]
        assert ("allow: post" in text.lower()) == (path == "/api/auth/captcha")
        check_headers(text)
    assert (await ask(settings, POST.format("/healthz"), b"{}"))[0] == 405


async def test_only_the_own_host_is_answered(settings: Settings) -> None:
    for head, expected in (
        (GET.format("/healthz"), 200),
        (GET.format("/healthz").replace("localhost", "evil.example"), 421),
        (GET.format("/healthz").replace("localhost", "localhost.evil.example"), 421),
        (GET.format("/healthz") + "\nHost: localhost", 421),
        (GET.format("/healthz").replace("Host: localhost\n", ""), 421),
        (GET.format("/healthz").replace("localhost", "localhost\nX-Forwarded-Host: evil.example"), 200),
        (POST.format("/api/auth/captcha").replace("localhost", "evil.example"), 421),
        # A whole address as the target: its host never reaches us, so it can't mislead; the path is served or not.
        (GET.format("http://evil.example/healthz"), 200),
        (GET.format("http://localhost/healthz").replace("Host: localhost", "Host: evil.example"), 421),
        (GET.format("http://evil.example//healthz"), 404),
        ("OPTIONS * HTTP/1.1\nHost: localhost\nConnection: close", 404),
    ):
        status, text = await ask(settings, head)
        assert status == expected, (head, text[:300])
        check_headers(text)


async def test_odd_requests_do_no_harm(settings: Settings) -> None:
    many = "\n".join(f"x-{number}: {number}" for number in range(10_000))
    call = POST.format("/api/auth/captcha")
    chunked = call.replace("Content-Length: 2", "Transfer-Encoding: chunked")
    for head, body, statuses in (
        (f"{GET.format('/healthz')}\n{many}", b"", {0, 431}),
        (GET.format("/healthz") + "\nx: " + "y" * 2_000_000, b"", {0, 431}),
        ("CONNECT localhost:80 HTTP/1.1\nHost: localhost\nConnection: close", b"", {404}),
        (POST.format("api/auth/captcha"), b"{}", {0, 400}),
        ("NONSENSE", b"", {0, 400}),
        ("PRI * HTTP/2.0", b"SM\r\n\r\n", {0, 400}),
        (call.replace("Length: 2", "Length: 99999999999"), b"{}", {413}),
        (call.replace("Length: 2", "Length: -2"), b"{}", {0, 400}),
        (call + "\nContent-Length: 3", b"{}", {0, 400}),
        (chunked, b"11170\r\n" + b" " * 70_000 + b"\r\n0\r\n\r\n", {413}),
        (chunked, b"zz\r\n{}\r\n0\r\n\r\n", {400}),
        (call.replace("application/json", "text/plain"), b"{}", {415}),
    ):
        status, text = await ask(settings, head, body)
        assert status in statuses, (head[:60], text[:300])
        if "server:" in text:  # the other answers are the parser's own, before there is a request
            check_headers(text)
    assert (await ask(settings, GET.format("/healthz")))[0] == 200


@pytest.mark.parametrize("encoding", ["gzip", "br", "deflate", "zstd", "identity, gzip", "GZIP", "x"])
async def test_compressed_body_is_refused(settings: Settings, encoding: str) -> None:
    body = gzip.compress(b"{}")
    head = POST.format("/api/auth/captcha").replace("Length: 2", f"Length: {len(body)}")
    status, text = await ask(settings, f"{head}\nContent-Encoding: {encoding}", body)
    assert (status, "without compression" in text) == (415, True)
    check_headers(text)


async def drip(settings: Settings, begin: bytes, each: bytes) -> tuple[int, str, float]:
    """Send `each` once a second behind `begin`. Returns status, answer, and the seconds until the server closed."""
    began = time.monotonic()
    async with connected(settings) as (reader, writer):
        writer.write(begin)
        closed = asyncio.create_task(rest_of(reader))
        while not closed.done():
            with suppress(ConnectionError):
                writer.write(each)
            await asyncio.wait([closed], timeout=1)
        status, text = await closed
    return status, text, time.monotonic() - began


async def test_who_is_slow_is_cut_off_and_others_are_served_meanwhile(settings: Settings) -> None:
    head = POST.format("/api/auth/captcha").replace("Length: 2", "Length: 5000").replace("\n", "\r\n").encode()
    chunked = head.replace(b"Content-Length: 5000", b"Transfer-Encoding: chunked")
    slow = {
        "body": (head + b"\r\n\r\n{", b" ", 408),
        "kept body": (head.replace(b"Connection: close\r\n", b"") + b"\r\n\r\n{", b" ", 408),
        "chunks": (chunked + b"\r\n\r\n", b"1\r\n \r\n", 408),
        "headers": (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n", b"x: y\r\n", 0),
        "one header": (b"GET /healthz HTTP/1.1\r\nx: ", b"y", 0),
        "nothing": (b"", b"", 0),
    }
    dripping = [asyncio.create_task(drip(settings, *how[:2])) for how in slow.values() for _ in range(40)]
    longest = 0.0
    while not all(task.done() for task in dripping):
        began = time.monotonic()
        status, text = await ask(settings, POST.format("/api/auth/captcha"), b"{}")
        assert (status, '"code":200' in text) == (200, True)
        longest = max(longest, time.monotonic() - began)
        await asyncio.sleep(0.2)
    assert longest < 1
    outcomes = [await task for task in dripping]
    assert [status for status, _, _ in outcomes] == [status for *_, status in slow.values() for _ in range(40)]
    for status, text, seconds in outcomes:
        assert PATIENCE_SECONDS - 1 < seconds < PATIENCE_SECONDS + 4
        if status:
            check_headers(text)


async def called(settings: Settings, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as ended:
        await call.main(settings, arguments)
    out, err = capsys.readouterr()
    return ended.value.code, out, err


@pytest.mark.parametrize("form", [(), ("--sealed",), ("--signed",), ("--plain",)])
async def test_call_prints_the_answer(
    settings: Settings, capsys: pytest.CaptureFixture[str], form: tuple[str, ...]
) -> None:
    code, out, _ = await called(settings, capsys, *form, "auth/captcha")
    assert code == 0
    assert json.loads(out)["data"]["captcha_id"]
    code, out, _ = await called(settings, capsys, *form, "/api/user/info", "{}", "a token")
    assert (code, json.loads(out)["code"]) == (1, 406)


async def test_call_says_what_is_wrong(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, said in (
        ((), "PATH"),
        (("a", "{}", "t", "more"), "PATH"),
        (("--odd", "a"), "PATH"),
        (("--plain", "--sealed", "a"), "PATH"),
        (("auth/captcha", "{"), "the body is no JSON"),
        (("auth/captcha", "[]"), "must be a JSON object"),
    ):
        code, _, err = await called(settings, capsys, *arguments)
        assert code == 2
        assert said in err
    away = replace(settings, port=1, public_url="")
    code, _, err = await called(away, capsys, "auth/captcha")
    assert (code, "http://localhost:1" in err) == (2, True)


@asynccontextmanager
async def proxied(url: str) -> AsyncIterator[tuple[httpx.AsyncClient, WireClient]]:
    """What talks to a proxy as curl does, and the proxy's own client of the server at `url`."""
    port = free_port()
    async with httpx.AsyncClient(base_url=url) as upstream:
        client = WireClient(upstream)
        server = proxy.make_server(proxy.Proxy(client), port)
        serving = asyncio.create_task(server.serve())
        await _until_it_answers(port)
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as curl:
            yield curl, client
        server.stop()  # type: ignore[no-untyped-call]
        await serving


async def test_proxy_makes_plain_calls_sealed(settings: Settings) -> None:
    async with proxied(settings.page_url) as (curl, client):
        answers = [(await curl.post("/api/auth/captcha", json={})).json() for _ in range(2)]
        assert [answer["code"] for answer in answers] == [200, 200]
        assert client._channel is not None
        answer = (await curl.post("/api/user/info", json={}, headers={"authorization": "x", "lang": "vi"})).json()
        assert (answer["code"], answer["msg"]) == (406, "Vui lòng đăng nhập lại")
        client._channel = replace(client._channel, sid="lost")
        assert (await curl.post("/api/auth/captcha", json={})).json()["code"] == 200
        client._ahead = -4_000.0
        assert (await curl.post("/api/auth/captcha", json={})).json()["code"] == 200


async def test_proxy_takes_calls_of_this_machine_only(settings: Settings) -> None:
    async with proxied(settings.page_url) as (curl, _):
        assert (await curl.post("/api/auth/captcha", json={}, headers={"host": "evil.example"})).status_code == 421
        assert (await curl.get("/api/auth/captcha")).status_code == 405
        assert (await curl.options("/api/auth/captcha")).status_code == 405
        form = await curl.post("/api/auth/captcha", content="{}", headers={"content-type": "text/plain"})
        assert form.status_code == 415
        for body in ("[]", "{", '{"a":1,"a":2}'):
            sent = await curl.post("/api/auth/captcha", content=body, headers={"content-type": "application/json"})
            assert sent.status_code == 400, body
    async with proxied("http://127.0.0.1:1") as (curl, _):
        assert (await curl.post("/api/auth/captcha", json={})).status_code == 502


async def test_proxy_says_what_is_wrong(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (("0",), ("65536",), ("http",), ("8089", "more")):
        with pytest.raises(SystemExit) as ended:
            await proxy.main(settings, arguments)
        assert (ended.value.code, "PORT" in capsys.readouterr().err) == (2, True), arguments
