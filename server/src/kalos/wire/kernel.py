"""The kernel: one look-up, the wrapping off, session and limits, the handler, the wrapping on.

It is ASGI. Whoever composes it says how a session is found and how a handler's context is made.
"""

import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

import msgspec
import structlog

from kalos.core import trace
from kalos.core.errors import (
    Busy,
    NotFound,
    Outage,
    Refusal,
    RequestConflict,
    RequestRunning,
    SessionEnded,
    StateChanged,
    TooMany,
    WrongState,
)
from kalos.wire import http, metrics
from kalos.wire.calls import Audience, Call
from kalos.wire.envelope import Envelopes, Incoming
from kalos.wire.free import FREE
from kalos.wire.http import Receive, Scope, Send, TransportProblem
from kalos.wire.invalid import convert
from kalos.wire.languages import done, refusal_text
from kalos.wire.limits import Limits
from kalos.wire.networks import Network
from kalos.wire.patience import Patience
from kalos.wire.request import Request, read_request
from kalos.wire.strict_json import MAX_BYTES

log = structlog.get_logger(__name__)

WIRE: Final = "wire"
"""The domain of the kernel's own calls: always plain, and their handlers are given the Request."""

_JSON: Final = b"application/json"
_BUSY_SECONDS: Final = 1


class Caller(Protocol):
    """Whoever has a session: the composition's own type."""

    @property
    def id(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Ports:
    """What the composition gives: the caller of a session's hash (None: no living session), a handler's context, and
    what was posted for a request that was sent before, given its context and body (None: nothing); the caller where the
    session is at hand (None: it must be looked for); and what is told at once of a session that a call has ended."""

    find_caller: Callable[[bytes], Awaitable[Caller | None]]
    context: Callable[[Request], Any]
    find_posted: Callable[[Any, Any], Awaitable[Any | None]]
    kept_caller: Callable[[bytes], Caller | None] = lambda _: None
    forget: Callable[[bytes], None] = lambda _: None


class Kernel:
    """Answers every POST under the paths of `calls`; a path that isn't built yet is not found."""

    def __init__(
        self,
        calls: Iterable[Call],
        *,
        ports: Mapping[Audience, Ports],
        envelopes: Envelopes,
        limits: Limits,
        trusted_proxies: tuple[Network, ...] = (),
        most_running: int,
    ) -> None:
        self._calls: dict[str, Call] = {}
        for call in calls:
            assert call.path not in self._calls, f"{call.path} is registered twice"
            assert call.audience in ports, f"{call.path}: nobody knows the sessions of {call.audience}"
            self._calls[call.path] = call
        self._ports = ports
        self._envelopes = envelopes
        self._limits = limits
        self._proxies = trusted_proxies
        self._most_running = most_running
        self._running = 0
        self._patience = Patience(http.BODY_SECONDS)
        self._log = log.bind()  # the level is known by now: what it leaves out costs nothing
        metrics.RUNNING.set_function(lambda: self._running)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        traced, began = trace.begin(), time.perf_counter()
        call = self._calls.get(scope["path"])
        path = _named(call)
        try:
            try:
                code, body = await self._answer(scope, receive, call)
                await http.send_bytes(send, 200, body, _JSON)
            except TransportProblem as problem:
                code = problem.status
                await http.send_problem(send, problem, [(b"allow", b"POST")] if code == 405 else ())
            except http.Gone:
                code = 499
                await http.send_problem(send, TransportProblem(400))  # who sent no chunks but nonsense is still there
            seconds = time.perf_counter() - began
            metrics.answered(path, code, seconds)
            self._log.debug("call", path=path, code=code, seconds=seconds)
        finally:
            trace.end(traced)

    async def _answer(self, scope: Scope, receive: Receive, call: Call | None) -> tuple[int, bytes]:
        """The code and the whole answer. Raises: TransportProblem, Gone."""
        if scope["method"] != "POST":
            raise TransportProblem(405)
        headers = http.headers_of(scope)
        raw = await http.read_json_body(headers, receive, MAX_BYTES, self._patience)
        # Money has a quarter of the places for itself: what can wait is turned away first.
        moves_money = call is not None and call.load == "money"
        _shed(self._running >= self._most_running - (0 if moves_money else self._most_running // 4))
        request, incoming = read_request(scope, headers, self._proxies), Incoming({})
        self._running += 1
        try:  # the one place that turns what a call raises into its answer
            data = await self._run(raw, request, incoming, call)
            return 200, incoming.wrap(200, done(request.lang), data)
        except Refusal as refusal:
            data = msgspec.json.encode({"error": refusal.name, **refusal.fields})
            msg = refusal_text(request.lang, refusal.name, refusal.fields)
            return refusal.code, incoming.wrap(refusal.code, msg, data)
        except Outage as outage:
            log.warning("outage", path=_named(call), problem=str(outage))
            raise TransportProblem(503, retry_after=_BUSY_SECONDS) from outage
        except TransportProblem:
            raise
        except Exception as bug:
            log.exception("bug", path=_named(call))
            raise TransportProblem(503) from bug
        finally:
            self._running -= 1

    async def _run(self, raw: bytes, request: Request, incoming: Incoming, call: Call | None) -> bytes:
        """The checks in the order of wire.md, step 5, then the use case. Raises: Refusal, Outage, TransportProblem."""
        load = call.load if call else "read"
        if (asking := self._limits.check_network(request.network, load)) is not FREE:
            await self._asked_of_network(asking)
        own = call is not None and call.domain == WIRE
        if (opening := self._envelopes.unwrap(raw, request, incoming, plain_only=own)) is not FREE:
            await opening
        if call is None:
            raise NotFound
        ports = self._ports[call.audience]
        if not call.public:
            caller = ports.kept_caller(request.session) or await _find_caller(ports, request.session)
            request.member = caller
            if (asking := self._limits.check_member(caller.id, load)) is not FREE:
                await asking
        body = convert(incoming.fields, call.body)
        request.fields = incoming.fields
        context = request if own else ports.context(request)
        try:
            answer = await call.handler(context, body)
        except (Refusal, StateChanged) as problem:
            answer = await self._recover(problem, call, context, body)
        if call.load == "exit":
            ports.forget(request.session)
        return msgspec.json.encode(answer)

    async def _recover(self, problem: Exception, call: Call, context: Any, body: Any) -> Any:
        """What a use case answers that `problem` has ended. Raises: Refusal, Outage."""
        try:
            if isinstance(problem, StateChanged):
                return await _once_more(call, context, body)
            raise problem
        except (RequestConflict, RequestRunning, Busy, TooMany):
            raise
        except Refusal:
            # Whoever sends a request again, since its answer was lost, must not hear that it can't be.
            answer = await self._first_answer(call, context, body)
            if answer is None:
                raise
            return answer

    async def _asked_of_network(self, asking: Awaitable[None]) -> None:
        """Before any channel is known: where every answer is sealed, a refusal is HTTP's.

        Raises: TooMany, TransportProblem (429), Outage.
        """
        try:
            await asking
        except TooMany as problem:
            if self._envelopes.speaks_plain:
                raise
            raise TransportProblem(429, retry_after=_BUSY_SECONDS) from problem

    async def _first_answer(self, call: Call, context: Any, body: Any) -> Any | None:
        """What this request was answered when it was sent before; None where it wasn't, or is no call to send again."""
        if call.again is None:
            return None
        found = await (call.find or self._ports[call.audience].find_posted)(context, body)
        return None if found is None else await call.again(context, found)


async def _find_caller(ports: Ports, session: bytes) -> Caller:
    """Raises: SessionEnded, Outage."""
    caller = await ports.find_caller(session) if session else None
    if caller is None:
        raise SessionEnded
    return caller


def _shed(full: bool) -> None:
    """Raises: TransportProblem 503, at once: who waits in a line that grows is served by nobody."""
    if full:
        metrics.SHED.inc()
        raise TransportProblem(503, retry_after=_BUSY_SECONDS)


def _named(call: Call | None) -> str:
    """A path that log and metrics may show: whoever asks for another chose its text."""
    return call.path if call else "unknown"


async def _once_more(call: Call, context: Any, body: Any) -> Any:
    """Run the use case again, since a row had changed under it."""
    try:
        return await call.handler(context, body)
    except StateChanged as problem:
        raise WrongState from problem
