"""Commands: shown before they are made, made by one person, signed by another, carried out exactly once."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, cast, get_args

from kalos.core.database import Connection
from kalos.core.errors import PASSING, Forbidden, NotFound, Refusal, TooMany, WrongState
from kalos.core.pages import MOST_COUNTED, Page, PageQuery, counted_page
from kalos.operator import command_queries as queries
from kalos.operator import queries as people
from kalos.operator import rules
from kalos.operator.context import Desk
from kalos.operator.errors import OwnAccount
from kalos.operator.kinds import Kind, Preview
from kalos.operator.registry import KINDS
from kalos.operator.requests import find_answered, note_answered
from kalos.operator.settings import READERS
from kalos.operator.signatures import check_signature
from kalos.operator.tables import Act, CommandRow

State = Literal["open", "signed", "carried_out", "refused", "expired"]
STATES: Final[tuple[State, ...]] = get_args(State)


async def preview(desk: Desk, *, kind: str, body: Mapping[str, Any]) -> Preview:
    """What a command would do now; nothing is changed.

    Raises: NotFound (no such kind), Forbidden, what the kind refuses.
    """
    found = _kind(kind)
    _need(desk, found.makers | found.checkers)
    shaped = found.shaped(body)
    async with desk.db.connection() as db:
        await _check_own(db, found, shaped, desk.caller.id)
        return await found.preview(desk, db, shaped)


async def submit(
    desk: Desk, *, kind: str, body: Mapping[str, Any], reason: str, request_id: str, signature: str | None = None
) -> CommandRow:
    """Make a command; one that needs a single person is carried out in the same commit.

    Raises: NotFound, Forbidden, OwnAccount, WrongState (one on the same object is open), RequestConflict, what the kind
      refuses.
    Source: content.md, "Operator console".
    """
    found = _kind(kind)
    _need(desk, found.makers)
    if (known := await find_answered(desk, request_id)) is not None:
        return await find(desk, int(known))
    shaped = found.shaped(body)
    async with desk.db.transaction() as db:
        await _check_own(db, found, shaped, desk.caller.id)
        seen = await found.preview(desk, db, shaped)
        await _expire(desk, db, seen.object)
        wall = desk.wall
        number = await queries.insert_command(
            db,
            kind=kind,
            about=seen.object,
            body=body,
            before=seen.before,
            after=seen.after,
            version=seen.version,
            reason=reason,
            signers=seen.signers,
            maker=desk.caller.id,
            made_at=wall,
            expires_at=wall + rules.COMMAND_MS,
            message=seen.message,
            signature=_signed(desk, seen.message, signature),
        )
        if number is None:
            raise WrongState()
        if seen.signers == 1:
            await _carry_out(desk, db, found, number)
        await note_answered(desk, db, request_id, str(number))
        made = await queries.read_command(db, number)
        await desk.record(db, "command.submit", made.object, made.before, told(made))
    return made


async def sign(desk: Desk, *, number: int, version: str, request_id: str, signature: str | None = None) -> CommandRow:
    """Sign what another one made, as it was shown: it is carried out, once; at once, or soon where the ledger is busy.

    Raises: NotFound, Forbidden (the maker, or a role is missing), OwnAccount (of either), WrongState (decided,
      expired, what it stands on has changed since, or its maker may no longer make it), RequestConflict, what the
      kind and the ledger refuse.
    Source: content.md, "Operator console".
    """
    if (known := await find_answered(desk, request_id)) is not None:
        return await find(desk, int(known))
    async with desk.db.transaction() as db:
        row = await queries.lock_command(db, number)
        if row is None:
            raise NotFound()
        found = _kind(row.kind)
        if not await _may(db, desk.caller.id, found.checkers):
            raise Forbidden()
        if row.maker == desk.caller.id:
            raise Forbidden()
        if row.state != "open" or row.expires_at <= desk.wall or row.version != version:
            raise WrongState()
        if not await _may(db, row.maker, found.makers):
            raise WrongState()
        await _check_own(db, found, found.shaped(row.body), row.maker, desk.caller.id)
        seen = await found.preview(desk, db, found.shaped(row.body))
        if seen.version != row.version:
            raise WrongState()
        signed_text = _signed(desk, row.message, signature)
        await _carry_out(desk, db, found, number, checker=desk.caller.id, signature=signed_text)
        await note_answered(desk, db, request_id, str(number))
        signed = await queries.read_command(db, number)
        await desk.record(db, "command.sign", row.object, {"state": row.state}, told(signed))
    try:
        return await finish(desk, signed)
    except (*PASSING, TooMany):  # it is signed, and the job carries it out: to say that nothing changed would be untrue
        return signed


async def refuse(desk: Desk, *, number: int, reason: str, request_id: str) -> CommandRow:
    """Refuse a command, or take one's own back.

    Raises: NotFound, Forbidden, OwnAccount, WrongState, RequestConflict.
    """
    if (known := await find_answered(desk, request_id)) is not None:
        return await find(desk, int(known))
    async with desk.db.transaction() as db:
        row = await queries.lock_command(db, number)
        if row is None:
            raise NotFound()
        if row.maker != desk.caller.id:
            kind = _kind(row.kind)
            _need(desk, kind.checkers)
            await _check_own(db, kind, kind.shaped(row.body), desk.caller.id)
        if row.state != "open" or row.expires_at <= desk.wall:
            raise WrongState()
        decided = await queries.decide(
            db, number, "refused", was="open", at=desk.wall, refused_by=desk.caller.id, outcome=reason
        )
        assert decided, number
        await note_answered(desk, db, request_id, str(number))
        refused = await queries.read_command(db, number)
        await desk.record(db, "command.refuse", row.object, {"state": row.state}, told(refused))
    return refused


async def refuse_unmakeable(db: Connection, waiting: Sequence[CommandRow], *, by: str, wall: int) -> int:
    """Refuse those whose maker works here no longer, or has lost the roles that make them. Returns how many.

    `waiting` are open and locked; `by` is the login on the machine.
    """
    count = 0
    for row in waiting:
        if await _may(db, row.maker, _kind(row.kind).makers):
            continue
        outcome = f"{row.maker_name} may no longer order this"
        decided = await queries.decide(db, row.id, "refused", was="open", at=wall, outcome=outcome)
        assert decided, row.id
        after = told(await queries.read_command(db, row.id))
        await people.append_audit(
            db, at=wall, staff=None, name=by, act="command.refuse", about=row.object, before={"state": row.state},
            after=after,
        )  # fmt: skip
        count += 1
    return count


async def finish(desk: Desk, command: CommandRow) -> CommandRow:
    """Carry out in the ledger what was signed, and write down what became of it; any number of times with one effect.

    Raises: what the ledger refuses, once that is written down; Outage, Busy (a job goes on later).
    """
    found = _kind(command.kind)
    if command.state != "signed" or found.post is None:
        return command
    refusal: Refusal | None = None
    try:
        await found.post(desk, command, found.shaped(command.body))
    except (*PASSING, TooMany):
        raise
    except Refusal as problem:
        refusal = problem
    state, outcome = ("carried_out", None) if refusal is None else ("refused", refusal.name)
    async with desk.db.transaction() as db:
        is_first = await queries.decide(db, command.id, state, was="signed", at=desk.wall, outcome=outcome)
        row = await queries.read_command(db, command.id)
        if is_first:
            act: Act = "command.carried_out" if refusal is None else "command.refused"
            await desk.record(db, act, row.object, {"state": "signed"}, told(row))
    if refusal is not None and is_first:
        raise refusal
    return row


async def _check_own(db: Connection, kind: Kind, body: Any, *staff: int) -> None:
    """Nobody asks for, signs or refuses what is their own. Raises: OwnAccount."""
    if (accounts := kind.concerns(body)) and await queries.has_own(db, staff, accounts):
        raise OwnAccount()


async def _may(db: Connection, staff: int, roles: frozenset[str]) -> bool:
    """Whether somebody of the staff has one of these roles now. Until the commit nobody takes that from them."""
    return not (await people.lock_roles(db, staff)).isdisjoint(roles)


async def expire(desk: Desk, about: str) -> None:
    """End the open command on an object where its time is over."""
    async with desk.db.transaction() as db:
        await _expire(desk, db, about)


async def list_commands(desk: Desk, page: PageQuery, *, state: str | None) -> Page[CommandRow]:
    """The newest first, all or those in one state. Raises: Forbidden."""
    desk.need(*READERS, "reviewer")
    states, wall = STATES if state is None else (state,), desk.wall
    found = await queries.list_commands(
        desk.db, states=states, wall=wall, before=page.after, most=page.size + 1, skip=page.skip
    )
    total = await queries.count_commands(desk.db, states=states, wall=wall, most=MOST_COUNTED + 1)
    return counted_page(found, page, total, lambda command: command.id)


async def find(desk: Desk, number: int) -> CommandRow:
    """Raises: NotFound."""
    row = await queries.find_command(desk.db, number)
    if row is None:
        raise NotFound()
    return row


def state_of(row: CommandRow, wall: int) -> State:
    """An open command whose time is over is expired, whether or not somebody wrote it down."""
    return "expired" if row.state == "open" and row.expires_at <= wall else cast(State, row.state)


def can_sign(desk: Desk, row: CommandRow) -> bool:
    """Whether the caller may sign it now."""
    is_open = state_of(row, desk.wall) == "open"
    may = not desk.caller.roles.isdisjoint(_kind(row.kind).checkers)
    return is_open and may and row.maker != desk.caller.id and not is_own(desk, row)


def is_own(desk: Desk, row: CommandRow) -> bool:
    """Whether it concerns the caller's own account as a member."""
    kind = _kind(row.kind)
    return desk.caller.account is not None and desk.caller.account in kind.concerns(kind.shaped(row.body))


async def _carry_out(
    desk: Desk, db: Connection, kind: Kind, number: int, *, checker: int | None = None, signature: bytes | None = None
) -> None:
    """The last signature, and with it what needs no posting."""
    state = "signed" if kind.carry_out is None else "carried_out"
    decided = await queries.decide(db, number, state, was="open", at=desk.wall, checker=checker, signature=signature)
    assert decided, number
    if kind.carry_out is not None:
        row = await queries.read_command(db, number)
        assert row.signers == 1 or row.checker not in (None, row.maker), row
        await kind.carry_out(desk, db, row, kind.shaped(row.body))


def _signed(desk: Desk, message: str | None, signature: str | None) -> bytes | None:
    """The caller's signature of a command's text, where its kind asks for one. Raises: InvalidInput."""
    return None if message is None else check_signature(desk, message.encode(), signature)


async def _expire(desk: Desk, db: Connection, about: str) -> None:
    for number in await queries.expire_object(db, about, wall=desk.wall):
        await desk.record(db, "command.expire", about, {"state": "open"}, {"command": number, "state": "expired"})


def _kind(name: str) -> Kind:
    """Raises: NotFound."""
    if name not in KINDS:
        raise NotFound()
    return KINDS[name]


def _need(desk: Desk, roles: frozenset[str]) -> None:
    """Raises: Forbidden."""
    if desk.caller.roles.isdisjoint(roles):
        raise Forbidden()


def told(row: CommandRow) -> dict[str, Any]:
    """What the log says of a command."""
    return {
        "command": row.id, "kind": row.kind, "state": row.state, "body": row.body, "after": row.after,
        "reason": row.reason, "maker": row.maker_name, "checker": row.checker_name, "outcome": row.outcome,
    }  # fmt: skip
