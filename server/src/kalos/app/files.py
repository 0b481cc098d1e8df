"""The built web app out of memory: compressed twins, lasting caches, and one page for every screen."""

import gzip
import hashlib
import html
import json
import mimetypes
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kalos.wire import http
from kalos.wire.http import Headers, Receive, Scope, Send, TransportProblem

ASSETS: Final = "assets"
"""The folder of a build whose files are named after their content: they never change."""
_TWINS: Final = ((b"br", ".br"), (b"gzip", ".gz"))
_TYPES: Final = {".js": "text/javascript", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2"}
_LASTING: Final = b"public, max-age=31536000, immutable"
_ASKED_AGAIN: Final = b"no-cache"
_PACKING: Final = 6
"""How hard a page is compressed: some tenth of a millisecond for a visit."""
_WORKER: Final = "/sw.js"
_WORKER_POLICY: Final = b"default-src 'none'; connect-src 'self'"
_PRELOADS: Final = "/preloads.json"
_INDEX: Final = "/index.html"
_CONSOLE: Final = "/operator.html"
_PAGES: Final = (_INDEX, _CONSOLE)
# Below the styles and the font: what the page draws by itself comes first. What comes later begins when that was seen.
_TAG: Final = '<link {}="modulepreload" crossorigin fetchpriority="low" href="{}">'
_WHEN: Final = (("soon", "rel"), ("later", "data-later"))
_NOT_BUILT: Final = b"<!doctype html><title>Kalos</title><p>The page is not built: run make build"


@dataclass(frozen=True, slots=True)
class File:
    """One file with its compressed twins by encoding."""

    body: bytes
    kind: bytes
    mark: bytes
    lasting: bool
    twins: Mapping[bytes, bytes]


@dataclass(frozen=True, slots=True)
class Page:
    """What a page carries beside its text: named texts in meta tags, and where it may connect to."""

    metas: Mapping[str, str]
    connect: tuple[str, ...] = ()


def read_files(dist: Path) -> dict[str, File]:
    """Every file of the build by its path on the web; none where nothing is built."""
    found = {}
    for place in sorted(dist.rglob("*")):
        if not place.is_file() or place.suffix in (".br", ".gz") or place.name.startswith("."):
            continue
        path = "/" + place.relative_to(dist).as_posix()
        twins = dict(_twins(place))
        body = place.read_bytes()
        mark = b'"' + hashlib.sha256(body).hexdigest()[:32].encode() + b'"'
        found[path] = File(body, _kind(place), mark, path.startswith(f"/{ASSETS}/"), twins)
    return found


class Files:
    """Serves `files`; a path without a dot is a screen, of the console under /operator, else of the members' page, and
    gets its page's file with `page`'s meta tags.

    An asset that isn't among them is looked for once more after `look`, which may add some.
    """

    def __init__(
        self,
        files: Mapping[str, File],
        page: Callable[[Scope], Page],
        look: Callable[[], Awaitable[None]],
    ) -> None:
        self._files = files
        self._page = page
        self._look = look
        self._preloads = preloads_of(files)

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        if path.startswith(f"/{ASSETS}/") and path not in self._files:
            await self._look()
        if scope["method"] not in ("GET", "HEAD"):
            await http.send_problem(send, TransportProblem(405), [(b"allow", b"GET, HEAD")])
        elif path not in _PAGES and path in self._files:
            own = [(b"content-security-policy", _WORKER_POLICY)] if path == _WORKER else []
            await _send_file(self._files[path], http.headers_of(scope), send, own)
        elif "." in path.rpartition("/")[2] and path not in _PAGES:
            await http.send_problem(send, TransportProblem(404))
        else:
            await self._send_page(path, self._page(scope), http.headers_of(scope), send)

    async def _send_page(self, path: str, page: Page, asked: Headers, send: Send) -> None:
        file = self._files.get(page_of(path))
        tags = self._preloads.get(path, b"") + _tags(page.metas)
        body = file.body.replace(b"</head>", tags + b"</head>", 1) if file else _NOT_BUILT
        headers = [
            (b"cache-control", _ASKED_AGAIN),
            (b"content-security-policy", policy(page.connect)),
            (b"vary", b"accept-encoding"),
        ]
        # Its tags change by the hour: it has no twin. Nothing in it is secret, so its length tells nothing.
        if b"gzip" in _accepted(asked):
            body = gzip.compress(body, _PACKING, mtime=0)
            headers.append((b"content-encoding", b"gzip"))
        await http.send_bytes(send, 200 if file else 503, body, b"text/html; charset=utf-8", headers)


def page_of(path: str) -> str:
    """The file of the page that this screen belongs to."""
    return _CONSOLE if path == _CONSOLE or f"{path}/".startswith("/operator/") else _INDEX


def preloads_of(files: Mapping[str, File]) -> dict[str, bytes]:
    """The tags that name what a screen needs beside the entry: it comes with the entry, not after it has run."""
    listed = json.loads(files[_PRELOADS].body) if _PRELOADS in files else {}
    return {
        path: "".join(
            _TAG.format(attribute, html.escape(name)) for when, attribute in _WHEN for name in needed[when]
        ).encode()
        for path, needed in listed.items()
    }


def _tags(metas: Mapping[str, str]) -> bytes:
    return "".join(
        f'<meta name="{html.escape(name)}" content="{html.escape(text)}">' for name, text in metas.items()
    ).encode()


def policy(connect: tuple[str, ...]) -> bytes:
    """The content security policy: own files only, nothing inline, `connect` besides for sockets."""
    rules = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data: blob:",
        "media-src": "data:",
        "font-src": "'self'",
        "connect-src": " ".join(("'self'", *connect)),
        "manifest-src": "'self'",
        "worker-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {places}" for name, places in rules.items()).encode()


async def _send_file(file: File, headers: Headers, send: Send, own: list[tuple[bytes, bytes]]) -> None:
    caching = [(b"cache-control", _LASTING if file.lasting else _ASKED_AGAIN), (b"etag", file.mark), *own]
    if file.twins:
        caching.append((b"vary", b"accept-encoding"))
    if headers.get(b"if-none-match") == file.mark:
        await send({"type": "http.response.start", "status": 304, "headers": caching})
        await send({"type": "http.response.body", "body": b""})
        return
    accepted = _accepted(headers)
    encoding = next((name for name, _ in _TWINS if name in accepted and name in file.twins), None)
    if encoding is None:
        await http.send_bytes(send, 200, file.body, file.kind, caching)
    else:
        await http.send_bytes(send, 200, file.twins[encoding], file.kind, [*caching, (b"content-encoding", encoding)])


def _accepted(headers: Headers) -> set[bytes]:
    return {part.partition(b";")[0].strip() for part in headers.get(b"accept-encoding", b"").split(b",")}


def _twins(place: Path) -> list[tuple[bytes, bytes]]:
    found = []
    for name, suffix in _TWINS:
        twin = place.with_name(place.name + suffix)
        if twin.is_file():
            found.append((name, twin.read_bytes()))
    return found


def _kind(place: Path) -> bytes:
    guessed = _TYPES.get(place.suffix) or mimetypes.guess_type(place.name)[0] or "application/octet-stream"
    text = guessed.startswith("text/") or guessed.endswith(("json", "svg+xml"))
    return (guessed + ("; charset=utf-8" if text else "")).encode()
