"""The worker process: the timed and after-commit work of every domain, any number of them at once."""

import asyncio
from functools import partial

from kalos.adapters.mail.smtp import SmtpMailer
from kalos.app import auditing, midnight, reserving
from kalos.app.house import open_house
from kalos.app.readiness import is_furnished
from kalos.app.repeat import repeat
from kalos.app.runs import TELL_SECONDS, Runs
from kalos.app.settings import Settings
from kalos.app.signer_watch import tell_of_pause
from kalos.core.outbox import prune
from kalos.core.terms import load_numbers
from kalos.domains.challenges import jobs as challenges
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


async def main(settings: Settings) -> None:
    host, port = settings.smtp
    numbers = load_numbers(settings.terms_file)
    async with open_house(settings) as house:
        mailer = SmtpMailer(
            host=host,
            port=port,
            sender=settings.mail_from,
            username=settings.smtp_user,
            password=settings.smtp_password,
            security=settings.smtp_security if settings.smtp_host else "none",
        )

        async def rounds() -> Exception | None:
            # A height sets its limit aside when it is published: not before there is a bankroll.
            return await games.turn_rounds(house) if await is_furnished(house, settings) else None

        async def outboxes() -> None:
            await keep_outbox(house.db)
            await prune(house.db, wall=house.clock.wall())

        runs = Runs()
        job = partial(repeat, runs=runs)
        await asyncio.gather(
            repeat("job runs", TELL_SECONDS, lambda: runs.tell(house.db)),
            job("rounds", 0.25, rounds),
            job("pulse", pulse.PAUSE_SECONDS, pulse.Heart(house).beat),
            job("deposits", 0.5, lambda: deposits.watch(house)),
            job("listed senders", 0.5, lambda: deposits.tell_operator(house, settings.operator_address)),
            job("withdrawals", 0.5, lambda: withdrawals.settle_ended(house)),
            job("withdrawals given back", 0.5, lambda: withdrawals.take_back(house)),
            job("withdrawal mails", 0.5, lambda: withdrawals.tell_members(house)),
            job("withdrawal proofs", 60, lambda: withdrawals.sweep(house)),
            job("mails", 0.5, lambda: identity.send_mails(house, mailer)),
            job("teams", teams.PAUSE_SECONDS, lambda: teams.follow(house)),
            job("outboxes", 60, outboxes),
            job("midnight", 1, lambda: midnight.turn(house)),
            job("sessions", 60, lambda: identity.sweep(house)),
            job("login locks", 1, lambda: entry.tell_of_locks(house)),
            job("devices", 60, lambda: entry.sweep(house)),
            job("challenges", 60, lambda: challenges.sweep(house)),
            job("factors", 60, lambda: factors.sweep(house)),
            job("turnover days", 600, lambda: teams.sweep(house)),
            job("wallets", 60, lambda: wallets.sweep(house)),
            job("tickets", 600, lambda: support.sweep(house)),
            job("uploads", 60, lambda: uploads.sweep(house)),
            job("commands", 1, lambda: operator.turn(house, numbers)),
            job("console log", 0.5, lambda: operator.follow(house)),
            job("returns", 0.5, lambda: results.count(house)),
            job("console", 60, lambda: operator.sweep(house)),
            job("signer's alarm", 5, lambda: tell_of_pause(house.db, settings)),
            job("running audit", auditing.SECONDS, lambda: auditing.watch_ledger(house.db, settings)),
            job("reserves", 10, lambda: reserving.watch_reserves(house, settings)),
            job("whole audit", 300, lambda: auditing.audit_ledger(house.db, settings)),
        )
