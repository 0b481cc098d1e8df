"""Members as customer service sees them: whose account it is, what protects it, and freezing and opening it."""

from dataclasses import dataclass
from typing import Any, Final

from kalos.core.database import Connection
from kalos.core.emails import login_name
from kalos.core.errors import NotFound, WrongState
from kalos.core.pages import PageQuery
from kalos.domains.context import Context, Member
from kalos.domains.factors import queries as factors
from kalos.domains.identity import queries as identity
from kalos.domains.identity.rules import Event
from kalos.domains.identity.service import note
from kalos.domains.identity.tables import MemberRow, OpenSession, SecurityEventRow
from kalos.domains.protection import service as protection
from kalos.domains.protection.rules import Kind
from kalos.operator.context import Desk
from kalos.operator.requests import note_answered
from kalos.operator.rules import Role

READERS: Final[tuple[Role, ...]] = ("support", "auditor", "owner")
_MOST_SESSIONS: Final = 20
_MOST_EVENTS: Final = 10


@dataclass(frozen=True, slots=True)
class Looked:
    """A member with what protects the account; of sessions and events the last ones. Limits as `list_limits` says."""

    row: MemberRow
    has_out_password: bool
    has_google: bool
    held_until: int | None
    sessions: list[OpenSession]
    events: list[SecurityEventRow]
    limits: dict[Kind, int | None]


async def find_member(desk: Desk, name: str) -> Looked:
    """Who has exactly this account number or e-mail address. Raises: Forbidden, NotFound."""
    desk.need(*READERS)
    row = await identity.find_by_name(desk.db, login_name(name))
    if row is None:
        raise NotFound()
    ctx = Context(desk.house, Member(row.id, row.account))
    known = await factors.find_set(desk.db, row.id)
    return Looked(
        row,
        has_out_password=known.out_password,
        has_google=known.google,
        held_until=await identity.held_until(desk.db, row.id, desk.now),
        sessions=(await identity.list_sessions(desk.db, row.id, desk.wall, PageQuery(_MOST_SESSIONS))).rows,
        events=await identity.list_events(desk.db, row.id, before=None, most=_MOST_EVENTS),
        limits=await protection.list_limits(ctx),
    )


async def freeze_member(desk: Desk, account: str, *, reason: str, request_id: str) -> Looked:
    """End every session and let nobody in, until the house opens the account: a new password doesn't.

    Raises: Forbidden, OwnAccount, NotFound, WrongState (closed, or frozen by the house already), RequestConflict.
    Source: content.md, "Operator console"; identity.md, "Security centre".
    """
    async with desk.db.transaction() as db:
        row = await _lock(desk, db, account)
        if row.frozen_by_house:
            raise WrongState()
        await identity.freeze(db, row.id, desk.now, by_house=True)
        await identity.end_all_sessions(db, row.id)
        await _tell(desk, db, row, "frozen_by_support", reason=reason, request_id=request_id)
    return await find_member(desk, account)


async def open_member(desk: Desk, account: str, *, frozen_at: int, reason: str, request_id: str) -> Looked:
    """Let the member in again, whoever froze the account. Withdrawals are held, in case support was deceived.

    Raises: Forbidden, OwnAccount, NotFound, WrongState (closed, or not frozen then), RequestConflict.
    Source: identity.md, "Security centre".
    """
    async with desk.db.transaction() as db:
        row = await _lock(desk, db, account)
        if row.frozen_at != frozen_at:
            raise WrongState()
        await identity.unfreeze(db, row.id, by_house=True)
        await _tell(desk, db, row, "opened_by_support", reason=reason, request_id=request_id)
    return await find_member(desk, account)


async def _lock(desk: Desk, db: Connection, account: str) -> MemberRow:
    """Raises: Forbidden, NotFound, OwnAccount, WrongState (the account is closed)."""
    desk.need("support")
    found = await identity.lock_by_name(db, account)
    if found is None:
        raise NotFound()
    desk.not_own(found.id)
    if found.closed_at is not None:
        raise WrongState()
    return found


async def _tell(desk: Desk, db: Connection, row: MemberRow, event: Event, *, reason: str, request_id: str) -> None:
    """In the member's security log and mail, and in the console's log. Of who it was the member hears nothing."""
    await note(Context(desk.house), db, row.id, event)
    await note_answered(desk, db, request_id, row.account)
    act: Any = {"frozen_by_support": "member.freeze", "opened_by_support": "member.open"}[event]
    before = {"frozen_at": row.frozen_at, "frozen_by_house": row.frozen_by_house}
    after = {"frozen": event == "frozen_by_support", "reason": reason}
    await desk.record(db, act, f"member {row.account}", before, after)
