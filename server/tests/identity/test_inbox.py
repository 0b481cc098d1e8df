"""Demo mode's mail server as a process of the group: it stores before it says yes, and ends when it is told to."""

import asyncio
import os
import signal
import sys
import time
from pathlib import Path

import pytest

from kalos.adapters.mail.smtp import SmtpMailer
from kalos.app.demo_mails import list_mails
from kalos.app.kept import choose_ports, kept_port
from kalos.core.database import Database
from kalos.core.errors import Outage
from kalos.core.ports import Mail
from support import clusters

MAIL = Mail("process@b.example", "Mã 123456", "text 123456", "<p>text</p>")


async def send_when_up(mailer: SmtpMailer) -> None:
    give_up = time.monotonic() + 60
    while True:
        try:
            await mailer.send(MAIL)
            return
        except Outage:
            if time.monotonic() > give_up:
                raise
            await asyncio.sleep(0.1)


async def test_mail_that_was_taken_survives_the_kill_of_the_inbox(
    db: Database, database_url: str, tmp_path: Path
) -> None:
    choose_ports(tmp_path)
    environment = os.environ | {
        "DATABASE_URL": database_url,
        "DATA_DIR": str(tmp_path),
        "INSTALLATION_SECRET": clusters.SECRET.hex(),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    command = (sys.executable, "-m", "kalos.app.cli", "inbox")
    mailer = SmtpMailer("127.0.0.1", kept_port(tmp_path, "inbox"), "no-reply@kalos.example")
    for number, last in enumerate((signal.SIGKILL, signal.SIGTERM), start=1):
        process = await asyncio.create_subprocess_exec(*command, env=environment)
        try:
            await send_when_up(mailer)
        finally:
            process.send_signal(last)
            code = await asyncio.wait_for(process.wait(), 30)
        assert [mail.code for mail in await list_mails(db, MAIL.recipient)] == ["123456"] * number
    assert code == 0
    with pytest.raises(Outage):
        await mailer.send(MAIL)
