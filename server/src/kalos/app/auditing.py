"""The ledger's audits as the worker runs them and an operator orders them: who is told, and who resumes money out."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import structlog

from kalos.app.login import login
from kalos.app.settings import Settings
from kalos.core.assets import TICKET, TICKET_BONUS, USDT
from kalos.core.clock import Clock, utc_text
from kalos.core.database import Connection, Database
from kalos.core.mails import queue_mail
from kalos.domains.deposits.queries import EXPLAINED as DEPOSITS
from kalos.domains.games.queries import EXPLAINED as GAMES
from kalos.domains.reserves.queries import find_state
from kalos.domains.reserves.rules import why_unseen
from kalos.domains.reserves.service import list_problems
from kalos.domains.withdrawals.queries import EXPLAINED as WITHDRAWALS
from kalos.ledger.audit import audit
from kalos.ledger.explained import Backed, Explained, NoOtherHolds, Nothing
from kalos.ledger.flags import Flag, money_out_stopped
from kalos.ledger.purse import Purpose
from kalos.ledger.watch import Alarm, audit_daily, resume_money_out, watch
from kalos.operator import stopping
from kalos.operator.issuing import ISSUED
from kalos.operator.queries import append_audit
from kalos.signer.sums import list_unlike

SECONDS: Final = 10.0
UNBUILT: Final = frozenset(
    {
        *(Purpose.LOCKED, Purpose.GAME, Purpose.PLEDGED, Purpose.COLLATERAL, Purpose.CARD),
        *(Purpose.DIVVY_PENDING, Purpose.DIVIDEND_POOL, Purpose.CONSUMER_POOL, Purpose.INSURANCE_RESERVED),
        *(Purpose.RACER_POOL, Purpose.QUIZ_POOL, Purpose.SHOP_ESCROW),
    }
)
"""Purposes that rows of domains will explain which aren't built yet; whoever builds one takes its own out of these."""
EXPLAINED: Final[Sequence[Explained]] = (
    *DEPOSITS,
    *GAMES,
    *WITHDRAWALS,
    ISSUED,
    Backed(Purpose.TICKET_TRUST, (TICKET, TICKET_BONUS), 10**USDT.scale),
    Nothing(UNBUILT),
    NoOtherHolds(),
)
"""What the domains' own rows say of money; KLS is issued within its cap alone, and each ticket is worth 1 USDT."""
_MAIL: Final = "money_out_stopped"
_log = structlog.get_logger("audit")


def alarm(settings: Settings, wall: int) -> Alarm:
    """Who is told when money out is stopped."""
    return partial(_mail, settings.operator_address, wall)


async def watch_ledger(db: Database, settings: Settings) -> None:
    """One step of the running audit, unless another worker makes it."""
    wall = Clock.wall()
    every_ms = int(SECONDS * 900)
    step = await watch(db, wall, explained=EXPLAINED, alarm=alarm(settings, wall), every_ms=every_ms)
    if step is not None:
        _tell(step.problems, step.stopped)


async def audit_ledger(db: Database, settings: Settings) -> None:
    """The whole audit, once a day by one worker."""
    wall = Clock.wall()
    found = await audit_daily(db, wall, explained=EXPLAINED, alarm=alarm(settings, wall))
    if found is not None:
        _tell(found.problems, found.stopped)


async def audit_all(db: Database, settings: Settings, *, has_looks: bool = True) -> list[str]:
    """The whole ledger now, the reserves as the worker saw them last, and what the signer takes for swept.

    `has_looks`: a worker looks at the reserves, so a look that is missing or old is a problem as a shortage is. False:
    nothing is said of them, as of a copy of the books that nobody keeps beside the chain.
    """
    unlike = await list_unlike(db, settings.chain_id)
    swept = [f"what came to the deposit address of owner {owner} isn't what the signer sweeps" for owner in unlike]
    reserves: list[str] = []
    if has_looks:
        unseen = why_unseen((await find_state(db)).at, wall=Clock.wall())
        reserves = [*([unseen] if unseen else []), *await list_problems(db)]
    return [*await audit(db, EXPLAINED), *reserves, *swept]


async def order(db: Database, settings: Settings, arguments: Sequence[str]) -> tuple[int, str]:
    """`show`, `stop` or `resume --reason TEXT`: what an operator may do about money out. Returns exit code and text."""
    match list(arguments):
        case ["show"]:
            flag = await money_out_stopped(db)
            return (0, "money out is not stopped") if flag is None else (1, _shown(flag))
        case ["stop", "--reason", reason] if reason.strip():
            return await _stop(db, settings, reason.strip())
        case ["resume", "--reason", reason] if reason.strip():
            return await _resume(db, reason.strip())
        case _:
            return 2, "money-out show | money-out stop --reason TEXT | money-out resume --reason TEXT"


class _Short(Exception):
    """Reserves are missing by now: nothing is resumed."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


async def _stop(db: Database, settings: Settings, reason: str) -> tuple[int, str]:
    by, wall = login(), Clock.wall()
    async with db.transaction() as step:
        if not await stopping.stop(step, reason=reason, by=by, operator=settings.operator_address, wall=wall):
            return 1, "money out is stopped already: this reason stands behind the first"
        await _note(step, by, wall, {"is_stopped": False}, {"is_stopped": True, "reason": reason})
    _log.warning("money out stopped", by=by, reason=reason)
    return 0, "money out is stopped"


async def _resume(db: Database, reason: str) -> tuple[int, str]:
    flag = await money_out_stopped(db)
    if flag is None:
        return 0, "money out is not stopped"
    by, wall = login(), Clock.wall()
    before, after = {"is_stopped": True, "reason": flag.reason}, {"is_stopped": False, "reason": reason}

    async def log(step: Connection) -> None:
        if short := await list_problems(step):  # found while everything was audited: whoever looks now waits for us
            raise _Short(short)
        await _note(step, by, wall, before, after)

    unseen = why_unseen((await find_state(db)).at, since=flag.since, wall=wall)
    problems = [unseen] if unseen else await list_problems(db)
    try:
        problems = problems or await resume_money_out(db, reason=reason, by=by, wall=wall, explained=EXPLAINED, log=log)
    except _Short as found:
        problems = found.problems
    if problems:
        return 1, "money out stays stopped:\n" + "\n".join(problems)
    _log.warning("money out resumed", by=by, reason=reason, was=flag.reason)
    return 0, "the ledger is sound: money out is resumed"


async def _note(db: Connection, by: str, wall: int, before: dict[str, Any], after: dict[str, Any]) -> None:
    """In the console's log, as all that is ordered on the machine."""
    await append_audit(
        db, at=wall, staff=None, name=by, act="machine.order", about=stopping.OBJECT, before=before, after=after
    )


def _shown(flag: Flag) -> str:
    return f"money out is stopped since {utc_text(flag.since)}:\n{flag.reason}"


def _tell(problems: Sequence[str], stopped: bool) -> None:
    for problem in problems:
        _log.error("the ledger is not sound", problem=problem)
    if stopped:
        _log.critical("money out is stopped", reason=problems[0])


async def _mail(operator: str, wall: int, db: Connection, reason: str) -> None:
    """Have the operator told, in the commit that stops money out."""
    await queue_mail(db, name=_MAIL, lang="en", recipient=operator, values={"reason": reason}, at=wall)
