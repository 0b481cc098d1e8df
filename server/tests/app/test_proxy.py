"""`kalos proxy`: plain calls on loopback become sealed ones, and what can't be is said."""

import asyncio
from dataclasses import replace

import httpx
import pytest

from app.serving import proxied
from kalos.app import proxy
from kalos.app.settings import Settings
from kalos.wire.channel import Channel
from kalos.wire.client import WireClient


@pytest.fixture(scope="module")
def settings(served: Settings) -> Settings:
    return served


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


async def test_proxy_opens_one_channel_for_calls_at_once(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    opened, opening = [], WireClient._open

    async def counted(client: WireClient) -> Channel:
        opened.append(await opening(client))
        return opened[-1]

    monkeypatch.setattr(WireClient, "_open", counted)
    async with proxied(settings.page_url) as (curl, client):
        for lost in (1, 2):
            answers = await asyncio.gather(*(curl.post("/api/auth/captcha", json={}) for _ in range(5)))
            assert [answer.json()["code"] for answer in answers] == [200] * 5
            assert len(opened) == lost
            assert client._channel is not None
            client._channel = replace(client._channel, sid="lost")


async def test_proxy_takes_calls_of_this_machine_only(settings: Settings) -> None:
    async with proxied(settings.page_url) as (curl, _):
        assert (await curl.post("/api/auth/captcha", json={}, headers={"host": "evil.example"})).status_code == 421
        assert (await curl.get("/api/auth/captcha")).status_code == 405
        assert (await curl.options("/api/auth/captcha")).status_code == 405
        form = await curl.post("/api/auth/captcha", content="{}", headers={"content-type": "text/plain"})
        assert form.status_code == 415
        for body in (
            "[]",
            "{",
            '{"a":1,"a":2}',
            '{":auth":"x"}',
            '{"nonce":1}',
            '{"timestamp":1}',
            '{"sign":"x"}',
            '{"sid":"x"}',
        ):
            sent = await curl.post("/api/auth/captcha", content=body, headers={"content-type": "application/json"})
            assert sent.status_code == 400, body
    async with proxied("http://127.0.0.1:1") as (curl, _):
        assert (await curl.post("/api/auth/captcha", json={})).status_code == 502


async def test_proxy_passes_on_what_the_server_says_by_http(settings: Settings) -> None:
    async with proxied(settings.page_url) as (curl, client):
        large = await curl.post("/api/auth/captcha", json={"text": "x" * 60_000})
        assert (large.status_code, large.text) == (413, "The body is too large")  # once it is sealed
        client._http = httpx.AsyncClient(base_url=settings.page_url, transport=httpx.MockTransport(_turn_away))
        for status, passed in ((429, 429), (503, 503), (500, 502), (302, 502)):
            client._http.headers["x-status"] = str(status)
            answer = await curl.post("/api/auth/captcha", json={})
            assert answer.status_code == passed
            assert answer.headers.get("retry-after") == ("7" if passed == status else None)


def _turn_away(request: httpx.Request) -> httpx.Response:
    return httpx.Response(int(request.headers["x-status"]), headers={"retry-after": "7"})


@pytest.mark.parametrize("lang", ["\u00e9", "x" * 201, "a\tb"])
async def test_proxy_signs_headers_as_the_server_reads_them(settings: Settings, lang: str) -> None:
    async with proxied(settings.page_url) as (curl, _):
        headers = {name: lang.encode("latin-1") for name in (b"lang", b"authorization")}
        answer = await curl.post("/api/user/info", json={}, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (200, 406)


def test_proxy_says_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (("0",), ("65536",), ("http",), ("8089", "more")):
        with pytest.raises(SystemExit) as ended:
            proxy.port_of(arguments)
        assert (ended.value.code, "PORT" in capsys.readouterr().err) == (2, True), arguments
