"""Stopping money out, which one person may; the machine alone lets it go on, after an audit."""

from typing import Final

from kalos.core.database import Connection
from kalos.core.errors import WrongState
from kalos.core.mails import queue_mail
from kalos.ledger.flags import money_out_stopped, stop_money_out
from kalos.operator import rules
from kalos.operator.context import Desk
from kalos.operator.kinds import Kind, Preview
from kalos.operator.tables import CommandRow
from kalos.wire.calls import Body

OBJECT: Final = "money out"
_MAIL: Final = "money_out_halted"


class StopBody(Body, frozen=True):
    """It has nothing to say but that."""


async def stop(db: Connection, *, reason: str, by: str, operator: str, wall: int) -> bool:
    """Stop money out and have the operator told, in one commit.

    False where it is stopped: its first reason stays. Where that is then committed, this one stands behind it, for who
    resumes it has looked at the first one alone.
    """
    if not await stop_money_out(db, reason=f"stopped by {by}: {reason}", by=by, wall=wall, follows=True):
        return False
    await queue_mail(db, name=_MAIL, lang="en", recipient=operator, values={"by": by, "reason": reason}, at=wall)
    return True


async def _preview(_: Desk, db: Connection, _body: StopBody) -> Preview:
    """Raises: WrongState (it is stopped)."""
    if await money_out_stopped(db) is not None:
        raise WrongState()
    return Preview(
        object=OBJECT,
        before={"is_stopped": False},
        after={"is_stopped": True},
        version=rules.version_of(OBJECT),
        signers=1,
    )


async def _carry_out(desk: Desk, db: Connection, command: CommandRow, _body: StopBody) -> None:
    """Raises: WrongState (somebody else just did)."""
    operator, by = desk.house.operator_address, command.maker_name
    if not await stop(db, reason=command.reason, by=by, operator=operator, wall=desk.wall):
        raise WrongState()


STOP: Final = Kind(
    "money_out",
    StopBody,
    makers=frozenset({"owner", "treasurer"}),
    checkers=frozenset({"owner", "treasurer"}),
    preview=_preview,
    carry_out=_carry_out,
)
