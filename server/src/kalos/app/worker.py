"""The worker process: the timed and after-commit work of every domain, any number of them at once."""

import asyncio
from typing import Final

import structlog

from kalos.adapters.mail.smtp import SmtpMailer
from kalos.app.house import open_house
from kalos.app.readiness import is_furnished
from kalos.app.repeat import repeat
from kalos.app.settings import Settings
from kalos.domains.deposits import jobs as deposits
from kalos.domains.games import jobs as games
from kalos.domains.identity import jobs as identity
from kalos.ledger.audit import keep_audit

_log: Final = structlog.get_logger("worker")


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

        async def rounds() -> None:
            # A height sets its limit aside when it is published: not before there is a bankroll.
            if await is_furnished(house, settings):
                await games.turn_rounds(house)

        async def audit() -> None:
            for problem in await keep_audit(house.db, house.clock.wall()):
                _log.error("the ledger is not sound", problem=problem)

        await asyncio.gather(
            repeat("rounds", 0.25, rounds),
            repeat("deposits", 0.5, lambda: deposits.watch(house)),
            repeat("mails", 0.5, lambda: identity.send_mails(house, mailer)),
            repeat("sweep", 60, lambda: identity.sweep(house)),
            repeat("audit", 30, audit),
        )
