"""The API behind its real server on a real port: odd requests, `kalos call` in its three forms, `kalos proxy`."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

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


async def ask(settings: Settings, head: str, body: bytes = b"") -> tuple[int, str]:
    """Send raw HTTP/1.1. Returns the status and all that came."""
    reader, writer = await asyncio.open_connection("127.0.0.1", settings.port)
    try:
        writer.write(head.replace("\n", "\r\n").encode() + b"\r\n\r\n" + body)
        async with asyncio.timeout(15):
            answer = (await reader.read(1_000_000)).decode(errors="replace")
    finally:
        writer.close()
    return int(answer.split(maxsplit=2)[1]) if answer else 0, answer


POST = "POST {} HTTP/1.1\nHost: localhost\nConnection: close\nContent-Type: application/json\nContent-Length: 2"


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
        ("/api/./auth/captcha", 200, '"code":404'),
        ("/api/x/../auth/captcha", 200, '"code":404'),
        ("/api/%2e%2e/api/auth/captcha", 404, ""),
        ("//api/auth/captcha", 405, ""),
        ("/API/auth/captcha", 405, ""),
    ],
)
async def test_a_path_has_one_spelling(settings: Settings, path: str, status: int, code: str) -> None:
    found, text = await ask(settings, POST.format(path), b"{}")
    assert found == status, text[:300]
    assert code in text


async def test_odd_requests_do_no_harm(settings: Settings) -> None:
    many = "\n".join(f"x-{number}: {number}" for number in range(10_000))
    for head, statuses in (
        (f"GET /healthz HTTP/1.1\nHost: localhost\nConnection: close\n{many}", {0, 400, 431}),
        ("GET /healthz HTTP/1.1\nHost: localhost\nConnection: close\nx: " + "y" * 2_000_000, {0, 400, 431}),
        ("GET /healthz HTTP/1.1\nConnection: close", {400, 421}),
        ("GET /healthz HTTP/1.1\nHost: evil.example\nConnection: close", {421}),
        ("NONSENSE", {0, 400}),
        (POST.format("/api/auth/captcha").replace("Length: 2", "Length: 99999999999"), {413}),
        (POST.format("/api/auth/captcha").replace("application/json", "text/plain"), {415}),
        (POST.format("/api/auth/captcha") + "\nContent-Encoding: gzip", {415}),
        ("GET /api/auth/captcha HTTP/1.1\nHost: localhost\nConnection: close", {405}),
    ):
        try:
            status, _ = await ask(settings, head, b"{}")
        except ConnectionError:
            status = 0
        assert status in statuses, head[:60]
    assert (await ask(settings, "GET /healthz HTTP/1.1\nHost: localhost\nConnection: close"))[0] == 200


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
