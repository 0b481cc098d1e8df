"""The API behind its real server on a real port: hostile requests, `kalos call` in its three forms, `kalos proxy`."""

import gzip
import json
from dataclasses import replace

import pytest

from kalos.app import call
from kalos.app.settings import Settings
from support.raw import GET, POST, ask, check_headers


@pytest.fixture(scope="module")
def settings(served: Settings) -> Settings:
    return served


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
    for token in ("a token", "--token", "--plain"):
        code, out, _ = await called(settings, capsys, *form, "/api/user/info", "{}", token)
        assert code == 1
        assert json.loads(out)["code"] == 406


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
