"""The register of calls: each domain's `api.py` fills one, the kernel looks calls up in their union."""

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_type_hints

import msgspec

from kalos.core.errors import Refusal

Handler = Callable[[Any, Any], Awaitable[Any]]
Again = Callable[[Any, Any], Awaitable[Any]]
"""`async def again(ctx, posted) -> SomeAnswer`: a money call's first answer, from what its posting committed."""
Find = Callable[[Any, Any], Awaitable[Any]]
"""`async def find(ctx, body) -> found | None`: what `again` is given, of a call whose requests aren't in the ledger."""
Load = Literal["read", "money", "entry", "draw", "exit"]
"""The class of limits, each with a count of its own: reads, calls that move money, what visitors may try (login, codes,
answers to captchas), what is drawn anew each time (captchas, an authenticator's secret), and leaving, which no other
call may use up."""
Audience = Literal["member", "staff"]
"""Whose sessions count: those of members, or those of the operator's staff. No token is both."""


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A call's body: fields are named as on the wire, unknown ones are refused."""


class Empty(Body, frozen=True):
    """No fields."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """A call's `data`: fields are named as on the wire."""


class Done(Answer, frozen=True):
    """No fields."""


@dataclass(frozen=True, slots=True)
class Call:
    """One path: its handler, shapes and what it may refuse (besides what the kernel itself refuses).

    `answer` is a shape or a union of some, `example` one where that of the fields' examples wouldn't be true.
    `again` answers a request that was posted before and would be refused by now; `find` finds it elsewhere than in the
    ledger.
    """

    path: str
    domain: str
    handler: Handler
    body: type[Body]
    answer: Any
    public: bool
    load: Load
    refusals: tuple[type[Refusal], ...]
    again: Again | None = None
    find: Find | None = None
    example: Any = None
    audience: Audience = "member"


@dataclass(slots=True)
class Calls:
    """The calls of one domain, in the order of its `api.py`, all for the same people."""

    domain: str
    audience: Audience = "member"
    all: list[Call] = field(default_factory=list)

    def add(
        self,
        path: str,
        *refusals: type[Refusal],
        public: bool = False,
        load: Load = "read",
        again: Again | None = None,
        find: Find | None = None,
        example: Any = None,
    ) -> Callable[[Handler], Handler]:
        """Register `async def handler(ctx, body: SomeBody) -> SomeAnswer` under `path`."""
        assert path.startswith(("/api/", "/v1/")), f"{path}: a call stands under /api or /v1"

        def register(handler: Handler) -> Handler:
            hints = get_type_hints(handler)
            body = hints[list(inspect.signature(handler).parameters)[1]]
            once = "request_id" in body.__struct_fields__
            assert once == (again is not None), f"{path}: whoever sends a request_id again gets the first answer"
            answer = hints["return"]
            call = Call(path, self.domain, handler, body, answer, public, load, refusals, again, find, example)
            self.all.append(replace(call, audience=self.audience))
            return handler

        return register
