"""The outermost ASGI layer: which host, which part answers, and the headers that every page has."""

from collections.abc import Awaitable, Callable, Collection, Mapping, MutableMapping
from functools import lru_cache
from typing import Any, Final

import structlog

from kalos.wire import http
from kalos.wire.http import Receive, Scope, Send, TransportProblem

Application = Callable[[Scope, Receive, Send], Awaitable[None]]

CALL_PREFIXES: Final = ("/api/", "/v1/")
SOCKET_PATH: Final = "/ws"
_MAX_HOST: Final = 255
_HEADERS: Final = (
    (b"referrer-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
)
_YEAR: Final = (b"strict-transport-security", b"max-age=31536000; includeSubDomains")
_log = structlog.get_logger("api")


class Shell:
    """Sends calls to the kernel, fixed addresses to their pages and all else to the files of the web app."""

    def __init__(
        self,
        kernel: Application,
        pages: Mapping[str, Application],
        files: Application,
        *,
        sockets: Application | None = None,
        hosts: Collection[str],
        secure: bool,
    ) -> None:
        self._kernel = kernel
        self._pages = pages
        self._files = files
        self._sockets = sockets
        self._hosts = frozenset(filter(None, hosts))
        self._headers = (*_HEADERS, _YEAR) if secure else _HEADERS

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] == "http":
            return self._answer(scope, receive, self._with_headers(send))
        return self._open(scope, receive, send) if scope["type"] == "websocket" else _live(receive, send)

    async def _open(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A WebSocket: at one address of ours only."""
        if self._sockets is None or scope["path"] != SOCKET_PATH or host_of(scope) not in self._hosts:
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self._sockets(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._part(scope)(scope, receive, send)
        except TransportProblem as problem:
            await http.send_problem(send, problem)
        except Exception:  # noqa: BLE001 - the server's own answer would lack the headers, and nobody would be told
            _log.exception("a page failed")
            await http.send_problem(send, TransportProblem(503))

    def _part(self, scope: Scope) -> Application:
        """Raises: TransportProblem (404, 421)."""
        path: str = scope["path"]
        if host_of(scope) not in self._hosts:
            raise TransportProblem(421)
        if not path.isascii() or scope["raw_path"] != path.encode():
            raise TransportProblem(404)  # one spelling of a path only
        if path.startswith(CALL_PREFIXES):
            return self._kernel
        if not is_plain(path):
            raise TransportProblem(404)
        return self._pages.get(path, self._files)

    def _with_headers(self, send: Send) -> Send:
        def wrapped(message: MutableMapping[str, Any]) -> Awaitable[None]:
            if message["type"] == "http.response.start":
                message["headers"] += self._headers
            return send(message)

        return wrapped


def host_of(scope: Scope) -> str:
    """The host name that was asked for, without its port; empty where it isn't stated once, or longer than any is."""
    found = None
    for name, value in scope["headers"]:
        if name == b"host":
            if found is not None:
                return ""
            found = value
    return _without_port(found) if found and len(found) <= _MAX_HOST else ""


@lru_cache(maxsize=1_000)
def _without_port(stated: bytes) -> str:
    if not stated.isascii():
        return ""
    text = stated.decode().lower()
    return text.partition("]")[0].removeprefix("[") if text.startswith("[") else text.partition(":")[0]


def is_plain(path: str) -> bool:
    """Whether no part of it is empty, "." or "..": the only other spelling of a page that could be meant."""
    return path == "/" or (path.startswith("/") and not {"", ".", ".."} & set(path[1:].split("/")))


async def _live(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
