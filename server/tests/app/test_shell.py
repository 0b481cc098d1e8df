"""The outermost layer: hosts, files, the page with its meta tags, health pages, and the whole API on the real house."""

import gzip
import html
import json
import re
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock
from urllib.parse import unquote

import httpx
import pytest
from structlog.testing import capture_logs

from kalos.app.api import make_app, open_wire
from kalos.app.files import Files, Page, read_files
from kalos.app.settings import PROJECT, Settings
from kalos.app.shell import Shell, _without_port, host_of
from kalos.domains.context import House
from kalos.domains.deposits.queries import start_cursor
from kalos.ledger.flags import stop_money_out
from kalos.ledger.watch import Step, watch
from kalos.wire.client import NotTrusted, WireClient

SECURITY = {
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "strict-transport-security": "max-age=31536000; includeSubDomains",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src data:; "
    "font-src 'self'; connect-src 'self' ws://localhost:9; manifest-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
INDEX = "<!doctype html><html><head><title>K</title></head><body></body></html>"


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text(INDEX)
    (tmp_path / "assets" / "app-1.js").write_text("run()" * 100)
    (tmp_path / "assets" / "app-1.js.gz").write_bytes(gzip.compress(b"run()" * 100))
    (tmp_path / "assets" / "app-1.js.br").write_bytes(b"brotli's")
    (tmp_path / "icon.svg").write_text("<svg/>")
    (tmp_path / "sw.js").write_text("work()")
    return tmp_path


def client(app: Any, url: str = "http://localhost:8000") -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=url)


def shell_of(dist: Path) -> Shell:
    page = Page({"kalos-mode": "demo", "kalos-x": '"<&>'}, ("ws://localhost:9",))

    async def kernel(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"kernel"})

    files = Files(read_files(dist), lambda _: page, AsyncMock())
    return Shell(kernel, {}, files, hosts=("localhost", "::1"), secure=True)


async def test_every_screen_is_the_page_with_its_tags(dist: Path) -> None:
    async with client(shell_of(dist)) as http:
        for path in ("/", "/login", "/game1?x=a.b", "/deep/er", "/index.html"):
            answer = await http.get(path)
            assert answer.status_code == 200, path
            assert '<meta name="kalos-x" content="&quot;&lt;&amp;&gt;"></head>' in answer.text
            assert answer.headers["cache-control"] == "no-cache"
            assert answer.headers["content-security-policy"] == POLICY
            assert answer.headers.items() >= SECURITY.items()


async def test_the_console_is_a_page_of_its_own_under_the_same_policy(dist: Path) -> None:
    (dist / "operator.html").write_text(INDEX.replace("K", "Console"))
    async with client(shell_of(dist)) as http:
        for path in ("/operator", "/operator/withdrawals", "/operator/deep/er?x=a.b", "/operator.html"):
            answer = await http.get(path)
            assert answer.status_code == 200, path
            assert "<title>Console</title>" in answer.text
            assert '<meta name="kalos-x" content="&quot;&lt;&amp;&gt;"></head>' in answer.text
            assert answer.headers["cache-control"] == "no-cache"
            assert answer.headers["content-security-policy"] == POLICY
            assert answer.headers.items() >= SECURITY.items()
        for path in ("/operators", "/x/operator"):
            assert "<title>K</title>" in (await http.get(path)).text
        assert (await http.get("/operator/x.js")).status_code == 404


async def test_page_names_what_its_screen_needs_and_no_other_screen(dist: Path) -> None:
    listed = {
        "/login": {"soon": ["/assets/esm-1.js"], "later": ["/assets/Login-1.js", '/assets/"2.js']},
        "/home": {"soon": ["/assets/esm-1.js"], "later": ["/assets/Home-1.js"]},
    }
    (dist / "preloads.json").write_text(json.dumps(listed))
    async with client(shell_of(dist)) as http:
        named = {
            path: re.findall(r'<link (\S+)="modulepreload" crossorigin fetchpriority="low" href="([^"]+)">', page)
            for path in ("/login", "/home", "/game")
            for page in [(await http.get(path)).text]
        }
    assert named == {
        "/login": [
            ("rel", "/assets/esm-1.js"),
            ("data-later", "/assets/Login-1.js"),
            ("data-later", "/assets/&quot;2.js"),
        ],
        "/home": [("rel", "/assets/esm-1.js"), ("data-later", "/assets/Home-1.js")],
        "/game": [],
    }


async def test_page_comes_compressed_to_who_takes_it(dist: Path) -> None:
    (dist / "index.html").write_text(INDEX.replace("<body>", "<body>" + "<p>drawn</p>" * 100))
    async with client(shell_of(dist)) as http:
        found = {}
        for accepted in ("br, gzip", "identity"):
            request = http.build_request("GET", "/login", headers={"accept-encoding": accepted})
            answer = await http.send(request, stream=True)
            body = b"".join([part async for part in answer.aiter_raw()])
            assert answer.headers["vary"] == "accept-encoding"
            assert int(answer.headers["content-length"]) == len(body)
            found[accepted] = (answer.headers.get("content-encoding"), body)
    assert found["br, gzip"][0] == "gzip"
    assert len(found["br, gzip"][1]) < len(found["identity"][1]) // 2
    assert gzip.decompress(found["br, gzip"][1]) == found["identity"][1]
    assert found["identity"][0] is None


async def test_files_come_compressed_and_last(dist: Path) -> None:
    async with client(shell_of(dist)) as http:
        found = {}
        for accepted in ("br, gzip", "gzip;q=0.5", "identity"):
            request = http.build_request("GET", "/assets/app-1.js", headers={"accept-encoding": accepted})
            answer = await http.send(request, stream=True)
            body = b"".join([part async for part in answer.aiter_raw()])
            found[accepted] = (answer.headers.get("content-encoding"), len(body))
            assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
        assert found["br, gzip"] == ("br", 8)
        assert found["gzip;q=0.5"][0] == "gzip"
        assert found["identity"] == (None, 500)
        icon = await http.get("/icon.svg")
        assert icon.headers["cache-control"] == "no-cache"
        again = await http.get("/icon.svg", headers={"if-none-match": icon.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


async def test_the_worker_is_asked_for_again_and_may_ask_its_own_origin_only(dist: Path) -> None:
    async with client(shell_of(dist)) as http:
        worker = await http.get("/sw.js")
    assert worker.headers["cache-control"] == "no-cache"
    assert worker.headers["content-type"] == "text/javascript; charset=utf-8"
    assert worker.headers.get("content-security-policy") == "default-src 'none'; connect-src 'self'"


async def test_what_is_no_file_and_no_screen_is_404(dist: Path) -> None:
    (dist.parent / "secret.txt").write_text("secret")
    async with client(shell_of(dist)) as http:
        for path in (
            "/assets/none.js",
            "/favicon.ico",
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/.env",
            "/assets/app-1.js.br",
        ):
            assert (await http.get(path)).status_code == 404, path
        assert (await http.post("/login")).status_code == 405


async def test_a_page_has_one_spelling(dist: Path) -> None:
    for path in ("/login/", "//login", "/a//b", "/./login", "/a/../login", "/%6cogin", "/a%2Fb", "/%2e/", "/icon.svg/"):
        scope = {
            "type": "http",
            "method": "GET",
            "path": unquote(path),
            "raw_path": path.encode(),
            "headers": [(b"host", b"localhost")],
        }
        assert (await answer_to(shell_of(dist), scope))["status"] == 404, path


async def answer_to(app: Shell, scope: dict[str, Any]) -> dict[str, Any]:
    """How the answer begins; httpx would put the path in order first."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, AsyncMock(), send)
    begun: dict[str, Any] = sent[0]
    return begun


async def test_page_that_fails_is_503_with_its_headers_and_a_line(dist: Path) -> None:
    async def page(_scope: Any, _receive: Any, _send: Any) -> None:
        raise ZeroDivisionError

    app = Shell(page, {"/broken": page}, page, hosts=("localhost",), secure=True)
    with capture_logs() as logs:
        async with client(app) as http:
            for path in ("/broken", "/login", "/api/x"):
                answer = await http.get(path)
                assert (answer.status_code, answer.text) == (503, "Server error, please try again later")
                assert answer.headers.items() >= SECURITY.items()
    assert [line["event"] for line in logs] == ["a page failed"] * 3


async def test_only_own_hosts_are_answered(dist: Path) -> None:
    for url, status in (
        ("http://localhost:8000", 200),
        ("http://LOCALHOST", 200),
        ("http://[::1]:8000", 200),
        ("http://evil.example", 421),
        ("http://localhost.evil.example", 421),
        ("http://127.0.0.1:8000", 421),
    ):
        async with client(shell_of(dist), url) as http:
            for path in ("/", "/api/x"):
                answer = await (http.get(path) if path == "/" else http.post(path))
                assert answer.status_code == status, (url, path)
                assert answer.headers.items() >= SECURITY.items(), (url, path)


@pytest.mark.parametrize(("length", "kept"), [(255, 1), (256, 0), (30_000, 0)])
def test_a_host_is_known_and_kept_up_to_the_longest_that_there_is(length: int, kept: int) -> None:
    _without_port.cache_clear()
    stated = b"x" * length
    assert host_of({"headers": [(b"host", stated)]}) == (stated.decode() if kept else "")
    assert _without_port.cache_info().currsize == kept


async def test_page_that_is_not_built_says_so(tmp_path: Path) -> None:
    async with client(shell_of(tmp_path)) as http:
        answer = await http.get("/")
        assert (answer.status_code, "not built" in answer.text) == (503, True)


@pytest.fixture(scope="module")
async def app(house: House, settings_of_house: Settings) -> AsyncIterator[Shell]:
    async with open_wire(house, settings_of_house) as wire:
        yield make_app(wire, house, settings_of_house)


async def stop(house: House, reason: str) -> None:
    async with house.db.transaction() as db:
        await stop_money_out(db, reason=reason, by="test", wall=house.clock.wall())


async def test_health_pages(app: Shell, house: House) -> None:
    async with client(app) as http:
        assert (await http.get("/healthz")).json() == {"status": "ok"}
        answer = await http.get("/readyz")
        assert answer.status_code == 503
        assert answer.json()["checks"] == {
            "database": "ok",
            "writer": "ok",
            "chain": "the watcher has not begun",
            "ledger": "not audited yet",
            "demo_data": "demo data is being made",
            "money_out": "ok",
            "reserves": "not looked at yet",
            "signer": "has not looked yet",
            "price": "ok",
            "funds": "the bankroll has no USDT: no bet can be taken; "
            "the stock has no KLS: nobody can buy the fee of a withdrawal",
            "betting": "ok",
            "chain_nodes": "ok",
            "sanctions": "ok",
            "clock": "ok",
            "stamps": "ok",
        }
        await house.db.execute("INSERT INTO installation VALUES ('demo_data', 'made')")
        block = await house.chain.block(await house.chain.head())
        assert block is not None
        await start_cursor(house.db, house.chain.network.chain_id, block)
        assert await watch(house.db, house.clock.wall() - 61_000) == Step()
        answer = await http.get("/readyz")
        assert answer.status_code == 503
        assert re.fullmatch(r"last audited 6\d s ago", answer.json()["checks"]["ledger"])
        assert await watch(house.db, house.clock.wall()) == Step()
        answer = await http.get("/readyz")
        assert (answer.status_code, answer.json()["status"]) == (200, "ready"), answer.text
        await stop(house, "negative: account 7 has -1\nnegative: account 8 has -2\nwrong hold: 8")
        answer = await http.get("/readyz")
        shown = "money_out_stopped: negative, wrong hold"
        assert (answer.status_code, answer.json()["checks"]["money_out"]) == (200, shown)
        assert (await http.get("/openapi.json")).json()["openapi"] == "3.1.0"
        assert (await http.post("/healthz")).status_code == 405


async def test_page_carries_the_present_wire_keys(app: Shell) -> None:
    async with client(app) as http:
        text = (await http.get("/login")).text
        keys = (await http.get("/.well-known/wire-keys")).json()["keys"]
    found = re.search(r'<meta name="kalos-wire-keys" content="([^"]*)">', text)
    assert found is not None
    assert json.loads(html.unescape(found[1]))["keys"] == keys
    assert '<meta name="kalos-live" content="ws://localhost:4567/ws">' in text


@pytest.mark.parametrize("mode", ["plain", "signed", "sealed"])
async def test_visitor_gets_a_captcha_in_each_form(app: Shell, mode: Any) -> None:
    async with client(app) as http:
        answer = await WireClient(http, mode=mode, lang="vi").call("/api/auth/captcha", {})
    assert (answer["code"], answer["msg"]) == (200, "Xong")
    assert answer["data"]["image"].startswith("data:image/png;base64,")


async def test_every_protected_call_wants_a_session(app: Shell) -> None:
    from kalos.app.calls import every_call

    async with client(app) as http:
        wire = WireClient(http, token="nobody's token")
        for call in every_call(demo=True):
            if not call.public:
                assert (await wire.call(call.path, {}))["code"] == 406, call.path


async def test_each_unbuilt_call_is_not_found(app: Shell) -> None:
    rows = tomllib.loads((PROJECT / "contract/endpoints.toml").read_text())
    unbuilt = [path for path, row in rows.items() if not row["built"] and row.get("method") != "GET"]
    assert unbuilt
    async with client(app) as http:
        wire = WireClient(http, lang="ja")
        for path in unbuilt:
            answer = await wire.call(path, {"amount": 1})
            assert answer == {"code": 404, "msg": "見つかりません", "data": {"error": "not_found"}}, path


async def test_client_trusts_no_unsealed_answer() -> None:
    async def forger(scope: Any, receive: Any, send: Any) -> None:
        body = b'{"code":200,"msg":"Done","data":{"token":"stolen"},"keys":[]}'
        await send({"type": "http.response.start", "status": 503 if "keys" in scope["path"] else 200, "headers": []})
        await send({"type": "http.response.body", "body": body})

    async with client(forger) as http:
        with pytest.raises(NotTrusted):
            await WireClient(http).call("/api/auth/captcha", {})
