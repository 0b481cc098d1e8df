"""The worker process: the timed and after-commit work of every domain, any number of them at once."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from kalos.adapters.mail.smtp import SmtpMailer
from kalos.app import auditing, midnight, reserving
from kalos.app.house import open_house
from kalos.app.readiness import is_furnished
from kalos.app.repeat import Step, repeat
from kalos.app.runs import TELL_SECONDS, Runs
from kalos.app.settings import Settings
from kalos.app.signer_watch import tell_of_orders
from kalos.core.outbox import prune
from kalos.core.ports import Mailer
from kalos.core.terms import load_numbers
from kalos.domains.challenges import jobs as challenges
from kalos.domains.context import House
from kalos.domains.deposits import jobs as deposits
from kalos.domains.entry import jobs as entry
from kalos.domains.factors import jobs as factors
from kalos.domains.games import jobs as games
from kalos.domains.identity import jobs as identity
from kalos.domains.pulse import jobs as pulse
from kalos.domains.support import jobs as support
from kalos.domains.teams import jobs as teams
from kalos.domains.uploads import jobs as uploads
from kalos.domains.wallets import jobs as wallets
from kalos.domains.withdrawals import jobs as withdrawals
from kalos.ledger.outbox import keep_outbox
from kalos.operator import jobs as operator
from kalos.operator import results


@dataclass(frozen=True, slots=True)
class Job:
    """One bounded step, made again and again with so many seconds between two."""

    name: str
    seconds: float
    step: Step


async def main(settings: Settings) -> None:
    host, port = settings.smtp
    async with open_house(settings) as house:
        mailer = SmtpMailer(
            host=host,
            port=port,
            sender=settings.mail_from,
            username=settings.smtp_user,
            password=settings.smtp_password,
            security=settings.smtp_security if settings.smtp_host else "none",
        )
        runs = Runs()
        jobs = timetable(house, settings, mailer)
        await asyncio.gather(
            repeat("job runs", TELL_SECONDS, lambda: runs.tell(house.db)),
            *(repeat(job.name, job.seconds, job.step, runs) for job in jobs),
        )


def timetable(house: House, settings: Settings, mailer: Mailer) -> Sequence[Job]:
    """All that a worker does and at what pace, as docs/operations.md shows it."""
    numbers = load_numbers(settings.terms_file)

    furnished = False

    async def rounds() -> Exception | None:
        nonlocal furnished  # once and for ever
        furnished = furnished or await is_furnished(house, settings)
        # A height sets its limit aside when it is published: not before there is a bankroll.
        return await games.turn_rounds(house) if furnished else None

    async def outboxes() -> None:
        await keep_outbox(house.db)
        await prune(house.db, wall=house.clock.wall())

    return (
        Job("rounds", 0.25, rounds),
        Job("pulse", pulse.PAUSE_SECONDS, pulse.Heart(house).beat),
        Job("deposits", 0.5, lambda: deposits.watch(house)),
        Job("listed senders", 0.5, lambda: deposits.tell_operator(house, settings.operator_address)),
        Job("strays", 5, deposits.Strays(house).look),
        Job("withdrawals", 0.5, lambda: withdrawals.settle_ended(house)),
        Job("withdrawals given back", 0.5, lambda: withdrawals.take_back(house)),
        Job("listed addresses", 5, lambda: withdrawals.screen(house)),
        Job("withdrawal mails", 0.5, lambda: withdrawals.tell_members(house)),
        Job("withdrawal proofs", 60, lambda: withdrawals.sweep(house)),
        Job("code mails", 0.5, lambda: identity.send_codes(house, mailer)),
        Job("mails", 0.5, lambda: identity.send_mails(house, mailer)),
        Job("teams", teams.PAUSE_SECONDS, lambda: teams.follow(house)),
        Job("outboxes", 60, outboxes),
        Job("midnight", 1, lambda: midnight.turn(house)),
        Job("sessions", 60, lambda: identity.sweep(house)),
        Job("login locks", 1, lambda: entry.tell_of_locks(house)),
        Job("devices", 60, lambda: entry.sweep(house)),
        Job("challenges", 60, lambda: challenges.sweep(house)),
        Job("factors", 60, lambda: factors.sweep(house)),
        Job("turnover days", 600, lambda: teams.sweep(house)),
        Job("wallets", 60, lambda: wallets.sweep(house)),
        Job("tickets", 600, lambda: support.sweep(house)),
        Job("uploads", 60, lambda: uploads.sweep(house)),
        Job("commands", 1, lambda: operator.turn(house, numbers)),
        Job("console log", 0.5, lambda: operator.follow(house)),
        Job("returns", 0.5, lambda: results.count(house)),
        Job("console", 60, lambda: operator.sweep(house)),
        Job("signer's alarm", 5, lambda: tell_of_orders(house.db, settings)),
        Job("running audit", auditing.SECONDS, lambda: auditing.watch_ledger(house.db, settings)),
        Job("reserves", 10, lambda: reserving.watch_reserves(house, settings)),
        Job("whole audit", 300, lambda: auditing.audit_ledger(house.db, settings)),
    )
