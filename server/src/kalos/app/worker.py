"""The worker process: the timed and after-commit work of every domain, any number of them at once."""

import asyncio

from kalos.adapters.mail.smtp import SmtpMailer
from kalos.app import auditing, midnight, reserving
from kalos.app.house import open_house
from kalos.app.readiness import is_furnished
from kalos.app.repeat import repeat
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

        async def rounds() -> None:
            # A height sets its limit aside when it is published: not before there is a bankroll.
            if await is_furnished(house, settings):
                await games.turn_rounds(house)

        async def outboxes() -> None:
            await keep_outbox(house.db)
            await prune(house.db, wall=house.clock.wall())

        await asyncio.gather(
            repeat("rounds", 0.25, rounds),
            repeat("pulse", pulse.PAUSE_SECONDS, pulse.Heart(house).beat),
            repeat("deposits", 0.5, lambda: deposits.watch(house)),
            repeat("withdrawals", 0.5, lambda: withdrawals.settle_ended(house)),
            repeat("withdrawals given back", 0.5, lambda: withdrawals.take_back(house)),
            repeat("withdrawal mails", 0.5, lambda: withdrawals.tell_members(house)),
            repeat("withdrawal proofs", 60, lambda: withdrawals.sweep(house)),
            repeat("mails", 0.5, lambda: identity.send_mails(house, mailer)),
            repeat("teams", teams.PAUSE_SECONDS, lambda: teams.follow(house)),
            repeat("outboxes", 60, outboxes),
            repeat("midnight", 1, lambda: midnight.turn(house)),
            repeat("sessions", 60, lambda: identity.sweep(house)),
            repeat("login locks", 1, lambda: entry.tell_of_locks(house)),
            repeat("devices", 60, lambda: entry.sweep(house)),
            repeat("challenges", 60, lambda: challenges.sweep(house)),
            repeat("factors", 60, lambda: factors.sweep(house)),
            repeat("turnover days", 600, lambda: teams.sweep(house)),
            repeat("wallets", 60, lambda: wallets.sweep(house)),
            repeat("tickets", 600, lambda: support.sweep(house)),
            repeat("uploads", 60, lambda: uploads.sweep(house)),
            repeat("commands", 1, lambda: operator.turn(house, numbers)),
            repeat("console log", 0.5, lambda: operator.follow(house)),
            repeat("returns", 0.5, lambda: results.count(house)),
            repeat("console", 60, lambda: operator.sweep(house)),
            repeat("signer's alarm", 5, lambda: tell_of_pause(house.db, settings)),
            repeat("running audit", auditing.SECONDS, lambda: auditing.watch_ledger(house.db, settings)),
            repeat("reserves", 10, lambda: reserving.watch_reserves(house, settings)),
            repeat("whole audit", 300, lambda: auditing.audit_ledger(house.db, settings)),
        )
