"""The little of HTTP that the kernel needs: reading a body within limits, and sending bytes."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, MutableMapping
from typing import Any, Final

from kalos.wire.patience import Patience

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Headers = dict[bytes, bytes]

BODY_SECONDS: Final = 10
_NO_STORE: Final = (b"cache-control", b"no-store")
_TEXTS: Final = {
    400: "Bad request",
    404: "Not found",
    405: "Method not allowed",
    408: "The body took too long",
    413: "The body is too large",
    415: "Send application/json without compression",
    421: "Not served under this host",
    429: "Too many requests",
    503: "Server error, please try again later",
}


class TransportProblem(Exception):
    """Answered by an HTTP status other than 200, without an envelope and without internals."""

    def __init__(self, status: int, retry_after: int | None = None) -> None:
        super().__init__(status)
        self.status = status
        self.retry_after = retry_after


class Gone(Exception):
    """The caller hung up before its body was whole, or what came is no body."""


def headers_of(scope: Scope) -> Headers:
    """Each header's value; names are lower case, repeated ones are joined as HTTP says."""
    found: Headers = dict(scope["headers"])
    if len(found) == len(scope["headers"]):
        return found
    found = {}
    for name, value in scope["headers"]:
        found[name] = found[name] + b", " + value if name in found else value
    return found


def stated_length(headers: Headers) -> int | None:
    """The stated length of the body in bytes; None: it isn't stated. Raises: TransportProblem (413)."""
    stated = headers.get(b"content-length")
    if stated is None:
        return None
    if not stated.isdigit() or len(stated) > 12:
        raise TransportProblem(413)
    return int(stated)


async def read_json_body(headers: Headers, receive: Receive, most: int, patience: Patience) -> bytes:
    """Raises: TransportProblem (408, 413, 415), Gone."""
    kind = headers.get(b"content-type", b"")
    if kind != b"application/json" and not _is_json(kind):
        raise TransportProblem(415)
    if headers.get(b"content-encoding", b"identity") != b"identity":
        raise TransportProblem(415)
    length = stated_length(headers)
    if length is not None and length > most:
        raise TransportProblem(413)
    body: bytes = b""
    task = patience.begin()
    try:
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Gone
            body += message.get("body", b"")
            if len(body) > most:
                raise TransportProblem(413)
            # Whole at its stated length: asking whether more comes is a way to the server's thread and back, a tenth
            # of a small call.
            if len(body) == length or not message.get("more_body", False):
                break
    except BaseException as problem:
        if patience.end(task) and isinstance(problem, asyncio.CancelledError):
            raise TransportProblem(408) from problem
        raise
    patience.end(task)
    return body


def _is_json(stated: bytes) -> bool:
    kind, _, parameters = stated.partition(b";")
    return kind.strip().lower() == b"application/json" and parameters.strip().lower() in (b"", b"charset=utf-8")


async def send_bytes(
    send: Send, status: int, body: bytes, kind: bytes, headers: Collection[tuple[bytes, bytes]] = ()
) -> None:
    own = [(b"content-type", kind), (b"content-length", b"%d" % len(body)), *headers]
    if not headers or not any(name == b"cache-control" for name, _ in headers):
        own.append(_NO_STORE)
    await send({"type": "http.response.start", "status": status, "headers": own})
    await send({"type": "http.response.body", "body": body})


async def send_problem(send: Send, problem: TransportProblem, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
    extra = list(headers)
    if problem.retry_after is not None:
        extra.append((b"retry-after", str(problem.retry_after).encode()))
    await send_bytes(send, problem.status, _TEXTS[problem.status].encode(), b"text/plain; charset=utf-8", extra)
