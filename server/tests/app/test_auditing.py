"""A ledger that is broken by hand: money out stops, the operator has a mail, and resumes it once all is well."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import asyncpg
import pytest

from conftest import MakeMember
from kalos.app import auditing
from kalos.app.settings import Settings
from kalos.core.assets import USDT
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.errors import MoneyOutStopped
from kalos.domains.identity import jobs
from kalos.ledger import purse
from kalos.ledger.audit import audit, last_audit
from kalos.ledger.postings import Move, Open, Resolve
from kalos.ledger.writer import Writer
from kalos.operator.queries import list_audit
from support.ledger import CHAIN, funded, posting

_PATIENCE_SECONDS: Final = 15.0


@pytest.fixture(scope="module")
async def owner(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    db = await asyncpg.connect(database_url)
    yield db
    await db.close()


async def mails(db: Database) -> list[dict[str, object]]:
    rows = await db.rows("SELECT body FROM domain_outbox WHERE topic = 'mail' ORDER BY id")
    return [json.loads(row["body"]) for row in rows]


async def see_reserves(db: Database) -> None:
    """A worker looks at them again, and nothing is missing."""
    await db.execute("UPDATE reserve_state SET at = $1", Clock.wall())


async def test_a_broken_ledger_lets_no_money_out_until_an_operator_resumes_it(
    writer: Writer, db: Database, owner: asyncpg.Connection, member: MakeMember, tmp_path: Path
) -> None:
    settings = Settings(data_dir=tmp_path, operator_mail="operator@kalos.example")
    account = purse.available((await member(usdt="100")).id, USDT)
    other = purse.available((await member(usdt="5")).id, USDT)
    out = Move("test.money_out", account, CHAIN, 1)
    await auditing.watch_ledger(db, settings)
    await writer.post(posting(out))
    assert await auditing.order(db, settings, ["show"]) == (0, "money out is not stopped")

    await owner.execute("UPDATE accounts SET balance = balance + 1 WHERE id = $1", other)
    await owner.execute("UPDATE ledger_watch SET at = 0")
    await auditing.watch_ledger(db, settings)
    await auditing.watch_ledger(db, settings)
    async with asyncio.timeout(_PATIENCE_SECONDS):
        while True:
            try:
                await writer.post(posting(out))
            except MoneyOutStopped:
                break
            await asyncio.sleep(0.1)
    code, text = await auditing.order(db, settings, ["show"])
    assert (code, "balance and moves differ" in text) == (1, True)
    assert re.match(r"money out is stopped since 20\d\d-\d\d-\d\d \d\d:\d\d UTC:\n", text)
    (mail,) = await mails(db)
    assert (mail["mail"], mail["recipient"]) == ("money_out_stopped", "operator@kalos.example")
    reason = text.partition("\n")[2]
    assert mail["values"] == {"reason": reason}
    sent = jobs.compose(mail)
    assert (sent.subject, reason in sent.text) == ("Kalos: withdrawals and transfers are stopped", True)

    await see_reserves(db)
    code, text = await auditing.order(db, settings, ["resume", "--reason", "I looked"])
    assert (code, text.startswith("money out stays stopped:\n")) == (1, True)
    await owner.execute("UPDATE accounts SET balance = balance - 1 WHERE id = $1", other)
    resumed = await auditing.order(db, settings, ["resume", "--reason", "put back"])
    assert resumed == (0, "the ledger is sound: money out is resumed")
    async with asyncio.timeout(_PATIENCE_SECONDS):
        while True:
            try:
                await writer.post(posting(out))
                break
            except MoneyOutStopped:
                await asyncio.sleep(0.1)
    assert len(await mails(db)) == 1


async def test_an_operator_stops_money_out_on_the_machine_and_resumes_it(db: Database, tmp_path: Path) -> None:
    settings, told = Settings(data_dir=tmp_path, operator_mail="operator@kalos.example"), len(await mails(db))
    stopped = await auditing.order(db, settings, ["stop", "--reason", " the seed may be known "])
    assert stopped == (0, "money out is stopped")
    code, text = await auditing.order(db, settings, ["show"])
    assert (code, text.endswith(": the seed may be known")) == (1, True)
    (mail,) = (await mails(db))[told:]
    assert (mail["mail"], mail["recipient"]) == ("money_out_halted", "operator@kalos.example")
    logged = await list_audit(db, before=None, most=1)
    assert [(row.act, row.object, row.staff) for row in logged] == [("machine.order", "money out", None)]
    assert logged[0].after == {"is_stopped": True, "reason": "the seed may be known"}
    again = await auditing.order(db, settings, ["stop", "--reason", "another one"])
    assert again == (1, "money out is stopped already: this reason stands behind the first")
    shown = await auditing.order(db, settings, ["show"])
    assert (shown[1].startswith(text), shown[1].endswith(": another one")) == (True, True)
    assert len(await mails(db)) == told + 1
    assert await list_audit(db, before=None, most=1) == logged
    await see_reserves(db)
    resumed = await auditing.order(db, settings, ["resume", "--reason", "it isn't"])
    assert resumed == (0, "the ledger is sound: money out is resumed")
    (row,) = await list_audit(db, before=None, most=1)
    assert (row.act, row.object, row.staff) == ("machine.order", "money out", None)
    assert row.after == {"is_stopped": False, "reason": "it isn't"}
    assert (row.before["is_stopped"], ": the seed may be known" in row.before["reason"]) == (True, True)


@pytest.mark.parametrize("words", [[], ["resume"], ["resume", "--reason", " "], ["stop"], ["stop", "--reason", " "]])
async def test_an_order_that_is_none_changes_nothing(words: list[str], db: Database, tmp_path: Path) -> None:
    code, text = await auditing.order(db, Settings(data_dir=tmp_path), words)
    assert (code, text) == (2, "money-out show | money-out stop --reason TEXT | money-out resume --reason TEXT")


async def test_the_whole_audit_is_made_once_a_day(db: Database, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    await auditing.audit_ledger(db, settings)
    made = await last_audit(db)
    assert made is not None
    await auditing.audit_ledger(db, settings)
    assert await last_audit(db) == made


async def test_the_domains_explain_all_open_holds(writer: Writer, db: Database) -> None:
    assert await audit(db, auditing.EXPLAINED) == []
    opened = await writer.post(posting(opens=[Open("test.nobody", await funded(writer, 5), 5)]))
    hold = opened.id * 8
    assert await audit(db, auditing.EXPLAINED) == [f"hold of nobody: 1 of kind test.nobody are open, first {hold}"]
    await writer.post(posting(resolves=[Resolve("test.given_back", hold, CHAIN)]))
    assert await audit(db, auditing.EXPLAINED) == []
