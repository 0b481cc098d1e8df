"""The drill: backup under load, everything killed, the data folder lost, restored; then back in time with a chain that
did not go back."""

import asyncio
import os
import shutil
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Final

import asyncpg
import pytest

from kalos.adapters.chain.evm import EvmChain
from kalos.adapters.chain.rpc import Node
from kalos.adapters.chain.wallet import DemoWallet
from kalos.app.auditing import EXPLAINED
from kalos.app.backup import list_bases, shown
from kalos.app.chain import open_chain
from kalos.app.embedded.reach import Archive
from kalos.app.kept import kept_port
from kalos.app.settings import Settings, load_settings
from kalos.app.signer_folder import SignerFolder
from kalos.core.assets import USDT
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.errors import Busy, Outage, RequestRunning
from kalos.ledger import purse
from kalos.ledger.audit import audit
from kalos.ledger.client import LedgerClient
from kalos.ledger.flags import money_out_stopped
from kalos.ledger.postings import Move
from signer.scene import COIN, Scene, new_address
from support import clusters
from support.budget import count, figures
from support.group import FirstStart, RunningGroup
from support.ledger import FEES, funded, new_key, posting
from support.members import make_member

pytestmark = pytest.mark.group
_CALLERS: Final = 16
_SECONDS: Final = 40.0
_WORLD: Final = ("chain", "signer.json", "signer", "signer.pub.json", "ports.json")
"""What a lost disk doesn't take along: the chain, its contracts, and the signer's key, which is kept apart."""
_LOAD: Final = 10**12
_TOP_UP: Final = 123 * 10**6


@dataclass
class Load:
    """Postings without end; what was acknowledged is remembered outside of the house, with its time and number."""

    client: LedgerClient
    account: int
    acknowledged: dict[bytes, tuple[int, int]] = field(default_factory=dict)

    @classmethod
    @asynccontextmanager
    async def on(cls, settings: Settings) -> AsyncIterator["Load"]:
        client = LedgerClient(settings.writer_socket)
        load = cls(client, await funded(client, _LOAD))
        callers = [asyncio.create_task(load._call()) for _ in range(_CALLERS)]
        try:
            yield load
        finally:
            for caller in callers:
                caller.cancel()
            await asyncio.gather(*callers, return_exceptions=True)
            await client.close()

    async def _call(self) -> None:
        while True:
            key = new_key()
            with suppress(Outage, RequestRunning, Busy):
                posted = await self.client.post(posting(Move("test.a", self.account, FEES, 1), key=key))
                self.acknowledged[key] = (posted.id, Clock.wall())
            await asyncio.sleep(0)

    async def more(self, postings: int) -> None:
        wanted = len(self.acknowledged) + postings
        await eventually(lambda: self._has(wanted))

    async def _has(self, wanted: int) -> bool:
        return len(self.acknowledged) >= wanted

    async def kept_before(self, time: int, settings: Settings) -> dict[bytes, int]:
        """What was acknowledged before a time, by key; assert that the ledger has all of it."""
        stored = {row["key"].bytes: row["id"] for row in await asked(settings, "SELECT key, id FROM keys")}
        safe = {key[:16]: number for key, (number, at) in self.acknowledged.items() if at < time}
        assert {key: stored.get(key) for key in safe} == safe
        return safe


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    made = clusters.new_folder(in_memory=True)
    yield made
    shutil.rmtree(made)


@pytest.fixture(scope="module")
def group(folder: Path, first_start: FirstStart) -> Iterator[RunningGroup]:
    running = first_start.group(folder / "house", BACKUP_DIR=str(folder / "backup"), ARCHIVE_SECONDS="1")
    try:
        running.start()
        yield running
    finally:
        running.end()


@pytest.fixture
def settings(group: RunningGroup) -> Settings:
    return load_settings({name: group.environment[name] for name in ("DATA_DIR", "BACKUP_DIR", "ARCHIVE_SECONDS")})


async def eventually(holds: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(_SECONDS):
        while not await holds():
            await asyncio.sleep(0.05)


async def asked(settings: Settings, query: str, *values: object) -> list[asyncpg.Record]:
    db = await asyncpg.connect(settings.owner_url)
    try:
        return list(await db.fetch(query, *values))
    finally:
        await db.close()


def killed(group: RunningGroup) -> None:
    for pid in [group.pid, *group.processes()]:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    group.wait(5)
    group.wait_until_gone()


def lost(group: RunningGroup) -> None:
    """The data folder goes; the world outside stays."""
    for place in group.folder.iterdir():
        if place.name not in _WORLD:
            shutil.rmtree(place) if place.is_dir() else place.unlink()


async def reaches(settings: Settings, at: int) -> bool:
    return Archive(settings.archive).reach(list_bases(settings)[-1]).until > at


async def test_restore_refuses_while_the_house_runs(group: RunningGroup, settings: Settings) -> None:
    before = await asked(settings, "SELECT count(*) FROM ledger_flag_changes")
    refused = group.command("restore", "latest")
    assert refused.returncode == 1
    assert f"nothing was changed: already running on {group.folder}" in refused.stderr
    assert await asked(settings, "SELECT count(*) FROM ledger_flag_changes") == before
    assert not (group.folder / "postgres.restored").exists()


async def test_what_happened_on_the_chain_after_the_time_is_found_again_and_counts_once(
    group: RunningGroup, settings: Settings
) -> None:
    """A deposit to an address that was first seen then is credited once, a withdrawal sent then isn't sent again, and
    of what others post all the while nothing is missing that was acknowledged before."""
    member = await make_member(settings.owner_url)
    chain, node = await open_chain(settings), Node(f"http://127.0.0.1:{kept_port(group.folder, 'chain')}")
    wallet, contract = DemoWallet(node), chain.network.contract(USDT).address
    paid = new_address()
    assert group.command("signer", "pause", "--reason", "the drill").returncode == 0
    withdrawal = await approved(settings, chain, paid, "5")
    hot = SignerFolder(settings.data_dir).public().hot
    # A look at the reserves between these coins and their confirmations would find what the ledger was given uncovered.
    await asked(settings, "UPDATE reserve_state SET begun_at = $1", Clock.wall())
    await wallet.transfer(contract, hot, _LOAD + 5 * COIN)  # what the ledger was given has its coins
    async with Load.on(settings) as load:
        assert (await asyncio.to_thread(group.command, "backup")).returncode == 0
        await load.more(count("faults.backup.postings"))
        to = Clock.wall()
        await asyncio.sleep(0.01)
        address = chain.deposit_address(member.id)
        await asked(settings, "INSERT INTO deposit_addresses VALUES ($1, $2, 0)", member.id, address)
        transaction = await wallet.transfer(contract, address, _TOP_UP)
        resumed = await asyncio.to_thread(group.command, "signer", "resume", "--reason", "the drill")
        assert resumed.returncode == 0, resumed.stderr
        await eventually(lambda: credited(settings, member.id))
        await eventually(lambda: is_paid(settings, withdrawal))
        await eventually(lambda: reaches(settings, to))
        await load.more(1)
    assert group.stop() == 0
    restored = group.command("restore", shown(to, "milliseconds"))
    assert restored.returncode == 0, restored.stderr
    group.start()
    await eventually(lambda: credited(settings, member.id))
    rows = await asked(settings, "SELECT status, units FROM deposits WHERE transaction = $1", transaction)
    assert [tuple(row) for row in rows] == [("approved", _TOP_UP)]
    safe = await load.kept_before(to, settings)
    assert count("faults.backup.postings") <= len(safe) < len(load.acknowledged)
    assert not await is_paid(settings, withdrawal)
    assert "paused by restore" in group.command("signer", "show").stdout
    await eventually(lambda: goes_on(group, withdrawal))
    await eventually(lambda: is_paid(settings, withdrawal))
    assert await wallet.balance(contract, paid) == 5 * COIN
    assert await asked(settings, "SELECT FROM broadcasts WHERE withdrawal = $1", withdrawal) == []
    gone_on = Clock.wall()
    await asked(settings, "UPDATE reserve_state SET begun_at = 0")  # a look is due now, not within a minute
    await eventually(lambda: is_all_there(settings, gone_on))
    assert await problems(settings) == []
    await node.close()
    await chain.close()


async def problems(settings: Settings) -> list[str]:
    db = Database(settings.app_url, size=2)
    try:
        return await audit(db, EXPLAINED)
    finally:
        await db.close()


async def approved(settings: Settings, chain: EvmChain, address: str, text: str) -> int:
    """A withdrawal of a new member that nothing but the signer's turn keeps from the chain."""
    client = LedgerClient(settings.writer_socket)
    scene = Scene(settings.owner_url, client, None, SimpleNamespace(chain=chain), None)  # type: ignore[arg-type]
    made = await scene.ask(text, address=address)
    await client.close()
    return made


async def is_paid(settings: Settings, withdrawal: int) -> bool:
    rows = await asked(settings, "SELECT status FROM withdrawals WHERE id = $1", withdrawal)
    return [row["status"] for row in rows] == ["approved"]


async def goes_on(group: RunningGroup, withdrawal: int) -> bool:
    """The signer finds what it had sent, once that is final."""
    resumed = group.command("signer", "resume", "--reason", "compared with the chain")
    return resumed.returncode == 0 and f"withdrawal {withdrawal}, approved" in resumed.stdout


async def is_all_there(settings: Settings, since: int) -> bool:
    """Whether a look at the reserves that began later has found, of each coin, what is owed."""
    rows = await asked(settings, "SELECT missing, at FROM reserve_checks WHERE at > $1", since)
    return [row["missing"] for row in rows] == [0, 0]


async def credited(settings: Settings, member: int) -> bool:
    account = purse.available(member, USDT)
    rows = await asked(settings, "SELECT balance FROM accounts WHERE id = $1", account)
    return [row["balance"] for row in rows] == [_TOP_UP]


async def test_nothing_that_was_acknowledged_before_the_last_archived_second_is_lost(
    group: RunningGroup, settings: Settings
) -> None:
    secret = (group.folder / "secrets.json").read_text()
    async with Load.on(settings) as load:
        await load.more(count("faults.backup.postings"))
        made = await asyncio.to_thread(group.command, "backup")
        assert made.returncode == 0, made.stderr
        await load.more(count("faults.backup.postings"))
        ended = Clock.wall()
        await eventually(lambda: reaches(settings, ended))
        await load.more(count("faults.backup.postings"))
        killed(group)
    lost(group)
    base = list_bases(settings)[-1]
    until = Archive(settings.archive).reach(base).until
    began = time.monotonic()
    restored = group.command("restore", "latest")
    assert restored.returncode == 0, restored.stderr
    took = time.monotonic() - began
    assert (group.folder / "secrets.json").read_text() == secret
    group.start()
    safe = await load.kept_before(until, settings)
    assert len(safe) >= 2 * count("faults.backup.postings")
    figures("restore", acknowledged=len(load.acknowledged), safe=len(safe), seconds=took)
    assert await problems(settings) == []
    db = Database(settings.app_url, size=1)
    flag = await money_out_stopped(db)
    await db.close()
    assert flag is not None
    assert flag.reason.startswith("restored to ")
    (last,) = await asked(settings, "SELECT max(id) AS id FROM keys")
    again = LedgerClient(settings.writer_socket)
    assert (await again.post(posting(Move("test.a", load.account, FEES, 1)))).id > last["id"]
    await again.close()
