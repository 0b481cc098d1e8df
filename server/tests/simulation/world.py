"""The house of a simulation: its domains, a chain in memory, a clock that jumps, and a writer that dies and is back."""

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from console.scene import Reviewer, Worker, make_worker
from factors.scene import give_out
from kalos.adapters.chain.sandbox import SandboxChain
from kalos.adapters.screening.list import ListedAddresses
from kalos.app.demo_data import HOUSE_USDT
from kalos.app.migrate import role_url
from kalos.core.assets import KLS, USDT
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.errors import Outage
from kalos.core.failpoints import VARIABLE
from kalos.core.money import Amount, parse_amount
from kalos.core.ports import Block, TokenTransfer
from kalos.core.terms import Terms
from kalos.domains.context import Context, House, Member
from kalos.domains.deposits.service import deposit_address
from kalos.ledger import purse
from kalos.ledger.client import LedgerClient
from kalos.ledger.postings import Move, Posting
from kalos.ledger.purse import Purpose
from kalos.operator.issuing import take_of
from simulation.intents import MEMBERS, REVIEWERS, RICH
from support.clusters import SECRET
from support.doors import house_of
from support.force import insist
from support.ledger import WriterProcess, new_key
from support.members import make_member

_MOST_BLOCKS: Final = 95  # of one jump: a longer one finds the chain behind its time
BANKROLL_KLS: Final = 10**6 * 10**8
STOCK_KLS: Final = 2_000 * 10**8
SET_ASIDE: Final = purse.house(Purpose.MARKETING, KLS)
SET_ASIDE_KLS: Final = 10**5 * 10**8
"""For grants: more than all that are opened."""
LISTED_SENDER: Final = "0x52908400098527886E0F7030069857D2E4169EE7"


class LongChain(SandboxChain):
    """A chain that is asked for its blocks often and grows long."""

    async def transfers(self, *, contracts: Sequence[str], blocks: Sequence[Block]) -> list[TokenTransfer]:
        if any(self._blocks[block.number : block.number + 1] != [block] for block in blocks):
            raise Outage("a block is no longer there")
        return [found for block in blocks for found in self._transfers[block.number] if found.contract in contracts]


class World:
    """`deaths` counts the writer's; it is kept alive as the supervisor keeps it.

    `maker` and `checker` order what two must sign; `reviewers` sign withdrawals, and decide on top-ups.
    """

    maker: Worker
    checker: Worker
    reviewers: list[Reviewer]

    def __init__(self, owner_url: str, house: House, writer: WriterProcess, client: LedgerClient) -> None:
        assert isinstance(house.chain, SandboxChain)
        self.house, self.chain, self.writer, self.client = house, house.chain, writer, client
        self.owner_url = owner_url
        self.members: list[Member] = []
        self.addresses: dict[str, int] = {}
        self.deaths = 0
        self._next_point = ""
        self._keeper = asyncio.create_task(self._keep())

    @property
    def db(self) -> Database:
        return self.house.db

    @property
    def now(self) -> int:
        return self.house.clock.now()

    async def settle_in(self) -> None:
        """Members with addresses, people who work here, and a house with a bankroll in both coins."""
        self.members = [await make_member(self.owner_url) for _ in range(MEMBERS)]
        for member in self.members:
            await give_out(Context(house=self.house, member=member))
        self.maker, self.checker = await self._hire("owner", "treasurer"), await self._hire("treasurer")
        self.reviewers = [await self._reviewer() for _ in range(REVIEWERS)]
        for owner in (purse.HOUSE, *(member.id for member in self.members)):
            self.addresses[await deposit_address(self.house, owner)] = owner
        stock = purse.house(Purpose.KLS_STOCK, KLS)
        issued = BANKROLL_KLS + STOCK_KLS + SET_ASIDE_KLS
        moves = [
            Move("treasury.issue", purse.outside(Purpose.ISSUANCE, KLS), stock, issued),
            Move("treasury.transfer", stock, purse.house(Purpose.BANKROLL, KLS), BANKROLL_KLS),
            Move("treasury.transfer", stock, SET_ASIDE, SET_ASIDE_KLS),
        ]
        await insist(self.client, Posting(key=new_key(), moves=moves, takes=[take_of(issued)]))
        brought = {purse.HOUSE: house_usdt()} | {member.id: 5_000 * 10**6 for member in self.members}
        brought[self.members[RICH].id] = 250_000 * 10**6
        for owner, units in brought.items():
            self.chain.transfer(USDT, self.house.chain.deposit_address(owner), units)
        self.advance(20)

    async def _hire(self, *roles: str) -> Worker:
        return await make_worker(self.owner_url, self.house.factor_keys[0], *roles)

    async def _reviewer(self) -> Reviewer:
        """With a key that makes real signatures."""
        worker, key = await self._hire("reviewer", "treasurer"), Ed25519PrivateKey.generate()
        worker.staff = replace(worker.staff, public_key=key.public_key().public_bytes_raw())
        return Reviewer(worker, key, "")

    def advance(self, seconds: int) -> None:
        """Move time and chain together; a block each two seconds of a short way, of a long one only so many."""
        blocks = max(1, min(seconds // 2, _MOST_BLOCKS))
        for place in range(1, blocks + 1):
            step = seconds * 1000 * place // blocks - seconds * 1000 * (place - 1) // blocks
            self.house.clock.offset_ms += step
            self.chain.mine(time=self.now // 1000)

    async def tell_time(self) -> None:
        """Store the offset, which the writer follows."""
        await self.db.execute("UPDATE clock SET offset_ms = greatest(offset_ms, $1)", self.house.clock.offset_ms)

    async def strike(self, after_ms: int, point: str) -> None:
        await asyncio.sleep(after_ms / 1000)
        self._next_point = point
        with contextlib.suppress(ProcessLookupError):
            self.writer.send(signal.SIGKILL)

    def check_writer(self) -> None:
        """Raises: AssertionError where the writer ended by anything but a blow, and nobody starts it again."""
        if self._keeper.done():
            self._keeper.result()

    async def _keep(self) -> None:
        while True:
            process = self.writer._process
            assert process is not None
            assert await process.wait() == -signal.SIGKILL, "the writer ended by itself"
            self.deaths += 1
            self.writer._environment[VARIABLE], self._next_point = self._next_point, ""
            await self.writer.begin()

    async def close(self) -> None:
        """Let nobody start the writer again."""
        self._keeper.cancel()
        await asyncio.gather(self._keeper, return_exceptions=True)
        await self.client.close()


def house_usdt() -> int:
    """What the treasury sends the house over the chain at first."""
    return sum(parse_amount(text, USDT).units for text in HOUSE_USDT.values())


def shares_of(units: int) -> dict[Purpose, Amount]:
    """Where a top-up of the house goes: the first one as it was meant, any other to marketing."""
    if units == house_usdt():
        return {purpose: parse_amount(text, USDT) for purpose, text in HOUSE_USDT.items()}
    return {Purpose.MARKETING: Amount(units, USDT)}


@asynccontextmanager
async def world_on(owner_url: str, folder: Path, terms: Terms) -> AsyncIterator[World]:
    """A house on an empty database; its writer is a process of its own."""
    writer = WriterProcess(owner_url, folder)
    await writer.start()
    db = Database(role_url(owner_url, "kalos_app", SECRET), size=12)
    client = LedgerClient(writer.socket)
    screening = ListedAddresses(None, [LISTED_SENDER])
    house = replace(house_of(db, client, Clock(), terms), chain=LongChain(), screening=screening)
    world = World(owner_url, house, writer, client)
    try:
        await world.settle_in()
        yield world
    finally:
        await world.close()
        await writer.end(signal.SIGKILL)
        await db.close()
