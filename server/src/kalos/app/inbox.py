"""Demo mode's mail server: takes every mail on loopback and sends none on."""

import asyncio
from typing import Any, Final

import structlog
from aiosmtpd.smtp import SMTP, Envelope, Session

from kalos.app.demo_mails import store_mail
from kalos.app.settings import Settings
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.errors import Outage

_MAX_BYTES: Final = 1_000_000
_log = structlog.get_logger("inbox")


class Inbox:
    """Answers that a mail is taken once it is stored."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Called by the SMTP server when a mail is whole; returns its answer."""
        content: Any = envelope.content
        try:
            await store_mail(self._db, recipients=envelope.rcpt_tos, content=content, at=Clock.wall())
        except Outage as problem:
            _log.warning("a mail is not taken", reason=str(problem))
            return "451 not stored, please try again"
        return "250 stored"


async def serve_inbox(db: Database, host: str, port: int) -> asyncio.Server:
    """Take mails on `host` and `port` from now on."""

    def session() -> SMTP:
        return SMTP(Inbox(db), data_size_limit=_MAX_BYTES, enable_SMTPUTF8=False, ident="Kalos demo inbox")

    return await asyncio.get_running_loop().create_server(session, host, port)


async def main(settings: Settings) -> None:
    db = Database(settings.app_url, size=2)
    try:
        server = await serve_inbox(db, *settings.smtp)
        async with server:
            await server.serve_forever()
    finally:
        await db.close()
