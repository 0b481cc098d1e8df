"""Files on the wire: calls that bring one along, `PUT` of what was granted, `GET` of what a link shows.

It stands before the kernel and hands it everything else. A form's envelope goes to the kernel as any call's body; the
file is read only by the handler: whoever has no channel, no session or no room left makes nobody store anything.
Source: wire.md, "Files".
"""

import re
import time
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, Final

import msgspec
import structlog

from kalos.core import trace
from kalos.core.errors import NotFound, Outage, Refusal
from kalos.wire import http, metrics
from kalos.wire.calls import Answer, Call
from kalos.wire.envelope import plain_answer
from kalos.wire.http import Headers, Receive, Scope, Send, TransportProblem
from kalos.wire.incoming import FORM_BYTES, Incoming, IncomingBody, IncomingForm, Places, Stream, boundary_of
from kalos.wire.languages import refusal_text, say
from kalos.wire.limits import Limits
from kalos.wire.networks import Network
from kalos.wire.request import FILE, read_request
from kalos.wire.showing import Showing, send_pieces
from kalos.wire.strict_json import MAX_BYTES

PREFIX: Final = "/api/upload/"
_SHOWN: Final = "/api/upload/{path}"
_AT_ONCE: Final = 32
_AT_ONCE_OF_ONE: Final = 3
_JSON: Final = b"application/json"
_MEDIA: Final = re.compile(rb"multipart/", re.IGNORECASE)
_BUSY_SECONDS: Final = 1
# A file is somebody's own text under our own address: it is never a page, whatever a browser finds in it.
_FILE_HEADERS: Final = ((b"content-security-policy", b"default-src 'none'; sandbox"),)

log = structlog.get_logger(__name__)

Sha256 = Annotated[
    str,
    msgspec.Meta(
        pattern="^[0-9a-f]{64}$", examples=["9f64a747e1b97f131fabb6b447296c9b6f0201e79fb3c5356e6c77e89b6a806a"]
    ),
]
UploadId = Annotated[str, msgspec.Meta(max_length=22, examples=["q7RkT2mXv0ZbN4cY8sLwHg"])]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class UploadAnswer(Answer, frozen=True):
    """`upload_id` is what other calls take; `url` shows the picture for some minutes, null where nobody may see it."""

    upload_id: UploadId
    url: Annotated[str, msgspec.Meta(examples=["/api/upload/q7RkT2mXv0ZbN4cY8sLwHg.1795075831456.x"])] | None


@dataclass(frozen=True, slots=True)
class KeptFile:
    """`kind` is a media type that was checked, `name` what a browser may call it, `seconds` how long it may keep it."""

    content: bytes
    kind: str
    name: str
    seconds: int


@dataclass(frozen=True, slots=True)
class FilePorts:
    """What the composition gives. Both raise NotFound alike for what isn't there, is over or was used.

    `put` takes the last part of the path and the file and returns the call's answer; `get` the last part of a link.
    """

    put: Callable[[str, Incoming], Awaitable[Any]]
    get: Callable[[str], Awaitable[KeptFile]]


def takes_file(call: Call) -> bool:
    """Whether a call brings a file along: its body names the file's hash."""
    return "image_sha256" in call.body.__struct_fields__


class Uploads:
    """ASGI: files here, all else to `kernel`."""

    def __init__(
        self,
        kernel: Application,
        calls: Collection[Call],
        *,
        ports: FilePorts,
        limits: Limits,
        trusted_proxies: tuple[Network, ...] = (),
        most_bytes: int,
    ) -> None:
        self._kernel = kernel
        self._forms = frozenset(call.path for call in calls if takes_file(call))
        self._ports = ports
        self._limits = limits
        self._proxies = trusted_proxies
        self._most_bytes = most_bytes
        self._places = Places(_AT_ONCE, _AT_ONCE_OF_ONE)
        self._showing = Showing()

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        path = scope["path"]
        if path in self._forms:
            return self._form(scope, receive, send)
        if path.startswith(PREFIX):
            return self._bare(scope, receive, send)
        return self._kernel(scope, receive, send)

    async def _form(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A call with its file; without a form it is as any call, and its handler misses the file."""
        headers = http.headers_of(scope)
        kind = headers.get(b"content-type", b"")
        if scope["method"] != "POST" or not _MEDIA.match(kind):
            return await self._kernel(scope, receive, send)
        try:
            form = self._opened(headers, receive)
        except TransportProblem as problem:
            return await self._refuse(scope, problem, send)
        try:
            return await self._with_form(form, scope, _when_drained(form.stream, send))
        finally:
            form.close()

    async def _with_form(self, form: IncomingForm, scope: Scope, send: Send) -> None:
        try:
            envelope = await form.envelope()
        except TransportProblem as problem:
            return await self._refuse(scope, problem, send)
        own = [pair for pair in scope["headers"] if pair[0] not in (b"content-type", b"content-length")]
        inner = {**scope, "headers": [*own, (b"content-type", _JSON)], FILE: form}
        return await self._kernel(inner, _given(envelope), send)

    async def _refuse(self, scope: Scope, problem: TransportProblem, send: Send) -> None:
        metrics.answered(scope["path"], problem.status, 0)
        await http.send_problem(send, problem)

    def _opened(self, headers: Headers, receive: Receive) -> IncomingForm:
        """Raises: TransportProblem."""
        boundary = boundary_of(headers[b"content-type"])
        if boundary is None:
            raise TransportProblem(400)
        most = _most(headers, self._most_bytes + MAX_BYTES + FORM_BYTES)
        return IncomingForm(
            Stream(receive, most),
            self._places,
            boundary=boundary,
            most_bytes=min(most, self._most_bytes),
            most_envelope_bytes=MAX_BYTES,
        )

    async def _bare(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, begun = time.perf_counter(), trace.begin()
        try:
            try:
                code = await self._answer(scope, receive, send)
            except TransportProblem as problem:
                code = problem.status
                allow = [(b"allow", b"GET, PUT")] if code == 405 else ()
                await http.send_problem(send, problem, allow)
            seconds = time.perf_counter() - began
            metrics.answered(_SHOWN, code, seconds)
            log.debug("call", path=_SHOWN, code=code, seconds=round(seconds, 6))
        finally:
            trace.end(begun)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> int:
        """Raises: TransportProblem."""
        method, name = scope["method"], scope["path"].removeprefix(PREFIX)
        if method not in ("PUT", "GET"):
            raise TransportProblem(405)
        try:
            return await (self._put if method == "PUT" else self._get)(scope, name, receive, send)
        except Outage as outage:
            log.warning("outage", path=_SHOWN, problem=str(outage))
            raise TransportProblem(503, retry_after=_BUSY_SECONDS) from outage
        except TransportProblem:
            raise
        except Exception as bug:
            log.exception("bug", path=_SHOWN)
            raise TransportProblem(503) from bug

    async def _put(self, scope: Scope, name: str, receive: Receive, send: Send) -> int:
        """No envelope: the grant is the right, so the answer is plain in every mode."""
        headers = http.headers_of(scope)
        request = read_request(scope, headers, self._proxies)
        if headers.get(b"content-encoding", b"identity") != b"identity":
            raise TransportProblem(415)
        most = _most(headers, self._most_bytes)
        stream = Stream(receive, most)
        code, word, data = 200, "", b""
        try:
            await self._limits.check_network(request.network, "read")
            file = IncomingBody(stream, self._places, most, headers.get(b"content-type", b""))
            data = msgspec.json.encode(await self._ports.put(name, file))
            word = say(request.lang, "page.done")
        except Refusal as refusal:
            code, data = refusal.code, msgspec.json.encode({"error": refusal.name, **refusal.fields})
            word = refusal_text(request.lang, refusal.name, refusal.fields)
        await stream.drain()
        await http.send_bytes(send, 200, plain_answer(code, word, data), _JSON)
        return code

    async def _get(self, scope: Scope, name: str, _receive: Receive, send: Send) -> int:
        """What an <img> gets: statuses are HTTP's."""
        request = read_request(scope, http.headers_of(scope), self._proxies)
        try:
            await self._limits.check_network(request.network, "read")
            async with self._showing.place(request.network):
                await _show(send, await self._ports.get(name))
        except Refusal as refusal:
            raise TransportProblem(404 if isinstance(refusal, NotFound) else 429) from refusal
        return 200


async def _show(send: Send, kept: KeptFile) -> None:
    """Who doesn't read keeps its place for some seconds only."""
    caching = b"max-age=%d, immutable" % kept.seconds if kept.seconds > 0 else b"no-store"
    head = [
        (b"cache-control", b"private, " + caching),
        (b"content-type", kept.kind.encode()),
        (b"content-length", b"%d" % len(kept.content)),
        (b"content-disposition", f'attachment; filename="{kept.name}"'.encode()),
        *_FILE_HEADERS,
    ]
    await send({"type": "http.response.start", "status": 200, "headers": head})
    with suppress(TimeoutError):
        await send_pieces(send, kept.content)


def _most(headers: Headers, most: int) -> int:
    """The stated length of the body, else the limit. Raises: TransportProblem (413)."""
    length = http.stated_length(headers)
    if length is None:
        return most
    if length > most:
        raise TransportProblem(413)
    return length


def _given(body: bytes) -> Receive:
    """What was read already, as the whole body."""

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


def _when_drained(stream: Stream, send: Send) -> Send:
    async def drained(message: Any) -> None:
        if message["type"] == "http.response.start":
            await stream.drain()
        await send(message)

    return drained
