"""Logging in with password and authenticator, both always; leaving; the log."""

from dataclasses import dataclass
from typing import Final

from kalos.core import passwords
from kalos.core.database import Connection
from kalos.core.errors import Busy
from kalos.core.pages import Page, PageQuery
from kalos.core.sealing import unseal_own
from kalos.core.tokens import digest, new_token
from kalos.domains.challenges import service as challenges
from kalos.domains.challenges.rules import Limit
from kalos.domains.entry.rules import DEVICE_MS, MOST_DEVICES
from kalos.domains.factors.rules import step_of
from kalos.domains.identity.errors import WrongCredentials
from kalos.operator import queries, refusals, rules
from kalos.operator.context import Desk
from kalos.operator.rules import Staff
from kalos.operator.tables import AuditRow, DeviceRow, SessionRow, StaffRow

_NOBODY: Final = b"\0" * 20


@dataclass(frozen=True, slots=True)
class Judged:
    """Whose password and code both were right; `use_up` lets that count once."""

    row: StaffRow
    step: int
    limits: list[Limit]
    wall: int


@dataclass(frozen=True, slots=True)
class Opened:
    """The token of a session, and that of the device that it was opened on."""

    token: str
    device: str
    staff: Staff
    ends_at: int


async def log_in(desk: Desk, *, name: str, password: str, code: str, device: str | None = None) -> Opened:
    """Open a session for who has both the password and the authenticator; one answer for whatever was wrong.

    `device` is what the last login on theirs gave them: what fails on a known one counts for itself.

    Raises: WrongCredentials, TooMany, Busy.
    Source: content.md, "Operator console"; identity.md, "Tries".
    """
    row = await queries.find_staff(desk.db, name)
    users = await queries.list_staff_of(desk.db, digest(device), desk.wall) if device else set()
    own = digest(device) if device and row is not None and row.id in users else b""
    limits = rules.login_limits(desk.terms, name=name, network=desk.network, device=own.hex())
    async with refusals.counted(desk, refusals.LOGIN, None if row is None else row.id, on_known=bool(own)):
        judged = await judge(desk, limits, row, password=password, code=code)
        return await _open(desk, judged, device if device and users else new_token())


async def judge(desk: Desk, limits: list[Limit], row: StaffRow | None, *, password: str, code: str) -> Judged:
    """Whether somebody has both the password and the authenticator; one answer for whatever was wrong.

    A try is counted before it is judged, and given back when it was right or nobody had the time. Whoever isn't there
    costs the same work.

    Raises: WrongCredentials, TooMany, Busy.
    Source: content.md, "Operator console"; identity.md, "Tries".
    """
    wall = desk.wall
    async with desk.db.transaction() as db:
        await challenges.take_tries(db, limits, wall)
    try:
        is_right = await passwords.password_matches(None if row is None else row.password_hash, password)
    except Busy:
        await _give_back(desk, limits, wall)
        raise
    step = _step(desk, row, code)
    if row is None or step is None or not is_right or not row.is_active:
        raise WrongCredentials()
    return Judged(row, step, limits, wall)


async def use_up(db: Connection, judged: Judged) -> None:
    """Use up the code in the commit that it allows, and give the try back.

    Raises: WrongCredentials (the code was used, or password or authenticator renewed, a moment ago).
    """
    if not await queries.use_step(db, judged.row, judged.step):
        raise WrongCredentials()
    await challenges.give_tries_back(db, judged.limits, judged.wall)


async def log_out(desk: Desk) -> None:
    """End the session that the call came with."""
    async with desk.db.transaction() as db:
        if await queries.end_session(db, desk.session):
            await desk.record(db, "logout", f"staff {desk.caller.name}", {}, {})


async def ends_at(desk: Desk) -> int:
    """When the caller's session ends at the latest."""
    return await queries.session_ends_at(desk.db, desk.session)


async def list_audit(desk: Desk, page: PageQuery) -> Page[AuditRow]:
    """The log, the newest first. Raises: Forbidden."""
    desk.need("auditor", "owner")
    found = await queries.list_audit(desk.db, before=page.after, most=page.size + 1, skip=page.skip)
    shown = found[: page.size]
    total = await queries.last_audit(desk.db)
    return Page(shown, total, shown[-1].id if len(found) > page.size else None)


async def _open(desk: Desk, judged: Judged, device: str) -> Opened:
    row, token, ends_at = judged.row, new_token(), judged.wall + rules.SESSION_MS
    known, wall, idle = digest(device), judged.wall, rules.idle_until(judged.wall, ends_at)
    session = SessionRow(digest(token), row.id, desk.network, desk.device, wall, idle, ends_at, known)
    async with desk.db.transaction() as db:
        account = (await queries.list_own_accounts(db)).get(row.id)
        staff = Staff(row.id, row.name, frozenset(row.roles), row.public_key, row.member, account)
        theirs = Desk(house=desk.house, numbers=desk.numbers, staff=staff)
        await use_up(db, judged)
        await queries.put_device(db, DeviceRow(known, row.id, wall, wall + DEVICE_MS), most=MOST_DEVICES)
        await queries.insert_session(db, session)
        await theirs.record(db, "login", f"staff {row.name}", {}, {"network": desk.network, "device": desk.device})
    return Opened(token, device, staff, ends_at)


def _step(desk: Desk, row: StaffRow | None, code: str) -> int | None:
    """The step whose code it is; for nobody the same is done with a secret that is nobody's."""
    if row is None:
        step_of(_NOBODY, code, after=0, wall=desk.wall)
        return None
    secret = unseal_own(desk.house.factor_keys, row.totp_secret, rules.about(row.name))
    return step_of(secret, code, after=row.last_step, wall=desk.wall)


async def _give_back(desk: Desk, limits: list[Limit], wall: int) -> None:
    async with desk.db.transaction() as db:
        await challenges.give_tries_back(db, limits, wall)
