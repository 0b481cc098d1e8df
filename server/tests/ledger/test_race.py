"""64 clients race for one balance over 64 connections: one wins. Each guard that is taken out makes that fail."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import asyncpg
import pytest

from kalos.app.migrate import role_url
from kalos.core.assets import USDT
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.errors import InsufficientBalance, Outage, TooMany
from kalos.ledger import purse
from kalos.ledger.audit import audit
from kalos.ledger.client import LedgerClient
from kalos.ledger.decide import Draft, Step
from kalos.ledger.postings import Move, Posted
from kalos.ledger.server import serve
from kalos.ledger.statements import balances
from kalos.ledger.writer import Writer
from support import clusters as databases
from support.clusters import SECRET
from support.ledger import CHAIN, WriterProcess, clients, new_owner, posting, writer_process

PRIZE = 100
RACERS = 64


async def race(socket: Path, *, members: bool) -> tuple[int, list[Posted | BaseException]]:
    """Let all racers take the same hundred at once. Returns whose it was and what they were answered.

    The next owner is who gets it.
    """
    owner, _ = new_owner(), new_owner()
    source = purse.available(owner, USDT)
    async with clients(socket, RACERS) as racers:
        await racers[0].post(posting(Move("test.fund", CHAIN, source, PRIZE)))
        await asyncio.gather(*(racer.post(posting()) for racer in racers))  # all are connected
        tries = [
            posting(Move("test.race", source, purse.available(owner + 1, USDT), PRIZE), member=owner if members else 0)
            for _ in racers
        ]
        ended = await asyncio.gather(
            *(racer.post(one) for racer, one in zip(racers, tries, strict=True)), return_exceptions=True
        )
    return owner, ended


async def check(db: Database, owner: int, ended: list[Posted | BaseException]) -> None:
    """What must hold after a race; the committed end state above all."""
    assert sum(isinstance(one, Posted) for one in ended) == 1
    assert all(isinstance(one, Posted | InsufficientBalance | TooMany) for one in ended)
    found = await balances(db, [owner, owner + 1])
    assert found == {purse.available(owner, USDT): 0, purse.available(owner + 1, USDT): PRIZE}
    assert await audit(db) == []


@pytest.fixture(scope="module")
async def process(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[WriterProcess]:
    async with writer_process(database_url, tmp_path_factory.mktemp("race")) as running:
        yield running


@pytest.mark.parametrize("members", [False, True])
async def test_one_of_sixty_four_wins(process: WriterProcess, db: Database, members: bool) -> None:
    owner, ended = await race(process.socket, members=members)
    await check(db, owner, ended)
    refused = [one for one in ended if not isinstance(one, Posted)]
    if not members:
        assert all(isinstance(one, InsufficientBalance) for one in refused)


async def test_a_fresh_connection_each_is_as_good(process: WriterProcess, db: Database) -> None:
    owner, ended = await race(process.socket, members=False)
    await check(db, owner, ended)


# --- without guards: the race is what shows that they are there


def unguarded(self: Draft, steps: Iterable[Step]) -> None:
    """`Draft.move` without its look at the balance."""
    for kind, source, target, units, _ in steps:
        sides = []
        for account, change in ((source, -units), (target, units)):
            balance, version = self.accounts.get(account) or self.state.accounts[account]
            self.accounts[account] = balance + change, version + 1
            sides.append(self.accounts[account])
        (source_balance, source_version), (target_balance, target_version) = sides
        self.journal.append(
            (
                self.posting,
                source,
                target,
                units,
                source_version,
                target_version,
                source_balance,
                target_balance,
                self.posting,
                self.state.kinds[kind],
            )
        )


@pytest.fixture
async def own_database(template: str) -> AsyncIterator[str]:
    name = f"test_{uuid.uuid4().hex[:12]}"
    yield await databases.copy_template(template, name)
    await databases.drop(template, name)


async def race_without_decision(url: str, folder: Path) -> tuple[Database, int, list[Posted | BaseException]]:
    writer = Writer(role_url(url, "kalos_writer", SECRET), Clock())
    await writer.start()
    server = await serve(writer, folder / "writer.sock")
    try:
        owner, ended = await race(folder / "writer.sock", members=False)
    finally:
        server.close()
        await writer.stop()
    return Database(role_url(url, "kalos_app", SECRET)), owner, ended


async def test_without_the_decision_the_database_still_lets_one_win(
    own_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Draft, "move", unguarded)
    db, owner, ended = await race_without_decision(own_database, tmp_path)
    assert sum(isinstance(one, Posted) for one in ended) == 1
    assert (await balances(db, [owner]))[purse.available(owner, USDT)] == 0
    assert await audit(db) == []
    await db.close()


async def test_without_any_guard_the_race_is_lost_and_seen(
    own_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Draft, "move", unguarded)
    schema = await asyncpg.connect(own_database)
    await schema.execute("ALTER TABLE accounts DROP CONSTRAINT accounts_never_negative")
    await schema.execute("ALTER TABLE journal DROP CONSTRAINT journal_never_negative")
    await schema.close()
    db, owner, ended = await race_without_decision(own_database, tmp_path)
    with pytest.raises(AssertionError):
        await check(db, owner, ended)
    assert sum(isinstance(one, Posted) for one in ended) == RACERS
    problems = await audit(db)
    assert f"negative: account {purse.available(owner, USDT)} has {PRIZE - RACERS * PRIZE}" in problems
    await db.close()


async def test_a_stale_copy_never_reaches_the_tables(own_database: str, tmp_path: Path) -> None:
    """The version fence: somebody else's change of an account aborts the batch, and the copies are read anew."""
    writer = Writer(role_url(own_database, "kalos_writer", SECRET), Clock())
    await writer.start()
    server = await serve(writer, tmp_path / "writer.sock")
    client = LedgerClient(tmp_path / "writer.sock")
    source = purse.available(new_owner(), USDT)
    await client.post(posting(Move("test.fund", CHAIN, source, PRIZE)))
    schema = await asyncpg.connect(own_database)
    await schema.execute("UPDATE accounts SET version = version + 1 WHERE id = $1", source)
    move = posting(Move("test.a", source, CHAIN, 1))
    with pytest.raises(Outage):
        await client.post(move)
    assert await schema.fetchval("SELECT count(*) FROM journal WHERE from_id = $1", source) == 0
    await schema.execute("UPDATE accounts SET version = version - 1 WHERE id = $1", source)
    await schema.close()
    for _ in range(400):
        try:
            posted = await client.post(move)
            break
        except Outage:
            await asyncio.sleep(0.05)
    assert posted.balances[source] == PRIZE - 1
    await client.close()
    server.close()
    await writer.stop()
