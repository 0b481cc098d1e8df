"""A chain, a house that watches it, and ways to end the watcher between any two of its effects."""

import itertools
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Final

from kalos.adapters.chain.evm import EvmChain
from kalos.adapters.chain.sandbox import SANDBOX_NETWORK, TREASURY, SandboxChain
from kalos.core.assets import USDT, Asset
from kalos.core.database import Connection, Database, Record
from kalos.core.pages import PageQuery
from kalos.core.ports import ChainClient
from kalos.domains.context import House, Member
from kalos.domains.deposits import queries, service
from kalos.domains.deposits.jobs import watch
from kalos.domains.deposits.tables import Deposit
from kalos.ledger import purse
from kalos.ledger.postings import Ledger, Posted, Posting
from kalos.ledger.purse import Purpose
from kalos.ledger.statements import balances
from support.chains import LocalNode

ONE: Final = 10**USDT.scale
_chains = itertools.count(700_000)


class Crash(BaseException):
    """The process ends here."""


class Effects:
    """Counts a process's effects: an even number crashes before one, an odd one after it."""

    def __init__(self, crash_at: int) -> None:
        self.left = crash_at

    def point(self) -> None:
        if self.left == 0:
            raise Crash
        self.left -= 1


class MortalLedger:
    """The real ledger, in a process that may end before or after a posting."""

    def __init__(self, ledger: Ledger, effects: Effects) -> None:
        self._ledger = ledger
        self._effects = effects

    async def post(self, posting: Posting) -> Posted:
        self._effects.point()
        posted = await self._ledger.post(posting)
        self._effects.point()
        return posted

    async def post_many(self, postings: Sequence[Posting]) -> list[Posted | Exception]:
        """Also between two postings of the bulk."""
        outcomes: list[Posted | Exception] = []
        for posting in postings:
            self._effects.point()
            outcomes += await self._ledger.post_many([posting])
        self._effects.point()
        return outcomes


class MortalDatabase(Database):
    """The real database, in a process that may end before or after a commit."""

    def __init__(self, db: Database, effects: Effects) -> None:
        self._db = db
        self._effects = effects

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        async with self._db.connection() as connection:
            yield connection

    def rows_of(self, query: str, key: Any) -> Awaitable[list[Record]]:
        return self._db.rows_of(query, key)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        self._effects.point()
        async with self._db.transaction() as connection:
            yield connection
        self._effects.point()

    async def execute(self, query: str, *values: Any) -> str:
        self._effects.point()
        tag = await self._db.execute(query, *values)
        self._effects.point()
        return tag


class Scene:
    """One chain id of its own on the module's house; `member` has an address that the watcher knows."""

    def __init__(self, house: House, chain: ChainClient, member: Member) -> None:
        self.house = replace(house, chain=chain)
        self.chain = chain
        self.member = member
        self.address = ""

    async def watch(self, times: int = 1) -> None:
        for _ in range(times):
            await watch(self.house)

    async def watch_until_crash(self, crash_at: int) -> bool:
        """One step in a process that ends at its effect number `crash_at`. Returns whether it ended so."""
        effects = Effects(crash_at)
        mortal = replace(
            self.house, db=MortalDatabase(self.house.db, effects), ledger=MortalLedger(self.house.ledger, effects)
        )
        try:
            await watch(mortal)
        except Crash:
            return True
        return False

    async def close(self) -> None:
        if isinstance(self.chain, EvmChain):
            await self.chain.close()

    async def rows(self, owner: int | None = None) -> list[Deposit]:
        """Deposits of this chain, oldest first."""
        page = await queries.list_deposits(self.house.db, owner or self.member.id, PageQuery(100), None)
        mine = [row for row in page.rows if row.chain_id == self.chain.network.chain_id]
        return sorted(mine, key=lambda row: row.id)

    async def states(self, owner: int | None = None) -> list[tuple[int, str, str | None]]:
        return [(row.units, row.status, row.reason) for row in await self.rows(owner)]

    async def available(self, asset: Asset = USDT) -> int:
        account = purse.available(self.member.id, asset)
        return (await balances(self.house.db, [self.member.id])).get(account, 0)

    async def suspense(self) -> int:
        return (await balances(self.house.db, [purse.HOUSE])).get(purse.house(Purpose.SUSPENSE, USDT), 0)


class SandboxScene(Scene):
    """A scene on a chain in memory."""

    chain: SandboxChain

    def pay(self, units: int, *, asset: Asset = USDT, transaction: str | None = None, sender: str = TREASURY) -> str:
        """Put a transfer to the member's address into the next block."""
        return self.chain.transfer(asset, self.address, units, transaction=transaction, sender=sender)

    async def grow(self, blocks: int = 1) -> None:
        """Mine and watch, block by block."""
        for _ in range(blocks):
            self.chain.mine()
            await self.watch()


async def sandbox_scene(house: House, member: Member) -> SandboxScene:
    """A new chain whose first block was read, and the member's address on it."""
    chain = SandboxChain(replace(SANDBOX_NETWORK, chain_id=next(_chains)))
    scene = SandboxScene(house, chain, member)
    scene.address = await service.deposit_address(scene.house, member.id)
    await scene.watch()
    return scene


async def node_scene(house: House, member: Member, anvil: LocalNode) -> Scene:
    """The real node; reading starts at its present head under a chain id of this scene alone."""
    head = await anvil.chain.head()
    network = replace(anvil.chain.network, chain_id=next(_chains), first_block=head + 1)
    scene = Scene(house, anvil.client(network), member)
    scene.address = await service.deposit_address(scene.house, member.id)
    await scene.watch()
    return scene
