"""The id of the call that is served, on each line of the log that it leads to; made when a first line wants it."""

from collections.abc import MutableMapping
from contextvars import ContextVar, Token
from typing import Any, Final

from kalos.core.tokens import new_id


class Trace:
    """One call."""

    __slots__ = ("_id",)

    def __init__(self) -> None:
        self._id = ""

    @property
    def id(self) -> str:
        self._id = self._id or new_id()
        return self._id


_now: Final[ContextVar[Trace | None]] = ContextVar("trace", default=None)


def begin() -> Token[Trace | None]:
    """A call begins; what it starts belongs to it."""
    return _now.set(Trace())


def end(token: Token[Trace | None]) -> None:
    _now.reset(token)


def name_request(_logger: Any, _method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """structlog's processor: say whose line it is."""
    trace = _now.get()
    if trace is not None:
        line["request"] = trace.id
    return line
