"""What a command may be: who may make and sign one, what it would do, and how it is carried out."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from kalos.core.database import Connection
from kalos.core.errors import InvalidInput
from kalos.operator.context import Desk
from kalos.operator.tables import CommandRow
from kalos.wire.calls import Body
from kalos.wire.invalid import convert


@dataclass(frozen=True, slots=True)
class Preview:
    """What a command would do to `object`. `version` is another one as soon as what it stands on has changed.

    `message` is the text that both people sign with their keys, where a row alone isn't believed.
    """

    object: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    version: str
    signers: int = 2
    message: str | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """`preview(desk, db, body)` refuses what can't be. One of the other two does it:

    `carry_out(desk, db, command, body)` in the commit of the last signature, reading and writing on `db` alone;
    `post(desk, command, body)` after it, in the ledger, any number of times with one effect. It raises the refusal once
    it is certain that nothing was and will be moved.
    """

    name: str
    body: type[Body]
    makers: frozenset[str]
    checkers: frozenset[str]
    preview: Callable[[Desk, Connection, Any], Awaitable[Preview]]
    carry_out: Callable[[Desk, Connection, CommandRow, Any], Awaitable[None]] | None = None
    post: Callable[[Desk, CommandRow, Any], Awaitable[None]] | None = None
    concerns: Callable[[Any], Collection[str]] = lambda _body: ()
    """`concerns(body)`: the members' accounts that it moves money of; nobody asks for or signs what is their own."""

    def __post_init__(self) -> None:
        assert (self.carry_out is None) != (self.post is None), f"{self.name} is carried out in one way"

    def shaped(self, body: Mapping[str, Any]) -> Any:
        """The body of a command of this kind. Raises: InvalidInput."""
        try:
            return convert(dict(body), self.body)
        except InvalidInput as problem:
            (fault,) = problem.fields["errors"]
            raise refused(fault["field"], "not_of_kind") from problem


def refused(field: str, reason: str) -> InvalidInput:
    """What is wrong with a field of a command's body."""
    return InvalidInput(errors=[{"field": f"body.{field}" if field else "body", "reason": reason}])
