"""What says whether this installation can serve: /healthz, /readyz, /openapi.json, the wire's keys."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import msgspec

from kalos.app.shell import Application
from kalos.core.errors import Outage
from kalos.wire import http
from kalos.wire.http import Receive, Scope, Send, TransportProblem

Check = Callable[[], Awaitable[str | None]]
"""None: all is well; else what is missing, in a few words without internals."""

_JSON: Final = b"application/json"


def page(make: Callable[[], Awaitable[tuple[int, Any]]]) -> Application:
    """A GET page of JSON: `make` gives status and body."""

    async def answer(scope: Scope, _receive: Receive, send: Send) -> None:
        if scope["method"] not in ("GET", "HEAD"):
            await http.send_problem(send, TransportProblem(405), [(b"allow", b"GET, HEAD")])
            return
        status, body = await make()
        await http.send_bytes(send, status, msgspec.json.encode(body), _JSON)

    return answer


async def alive() -> tuple[int, Any]:
    return 200, {"status": "ok"}


def readiness(
    checks: Mapping[str, Check], notes: Mapping[str, Check] | None = None
) -> Callable[[], Awaitable[tuple[int, Any]]]:
    """200 where every check is well, else 503; each check by name, and beside them what only has to be seen."""

    async def look() -> tuple[int, Any]:
        found = {name: await _outcome(check) for name, check in checks.items()}
        ready = all(outcome == "ok" for outcome in found.values())
        found |= {name: await _outcome(note) for name, note in (notes or {}).items()}
        return (200 if ready else 503), {"status": "ready" if ready else "not ready", "checks": found}

    return look


async def _outcome(check: Check) -> str:
    try:
        return await check() or "ok"
    except Outage:
        return "does not answer"
