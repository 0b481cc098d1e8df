"""A chain in memory: blocks when they are asked for, transfers as given, reorganisations of any depth."""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import count
from typing import Final

from kalos.adapters.chain.addresses import DepositAddresses
from kalos.core.assets import KLS, USDT, Asset
from kalos.core.errors import Outage
from kalos.core.ports import Block, Contract, Network, TokenTransfer

SANDBOX_XPUB: Final = (  # of the words "test test … junk", which every development node knows
    "xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP"
)
TREASURY: Final = "0x00000000000000000000000000000000000000aA"
SANDBOX_NETWORK: Final = Network(
    chain_id=31337,
    name="Sandbox",
    protocol="ERC-20",
    confirmations=3,
    block_seconds=2,
    explorer=None,
    contracts=(
        Contract(USDT, "0x5FbDB2315678afecb367f032d93F642f64180aa3", USDT.scale, "0x" + "11" * 32),
        Contract(KLS, "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512", KLS.scale, "0x" + "22" * 32),
    ),
)


class SandboxChain:
    """A `ChainClient`. `away` makes every question an Outage, `faults` are what a survey finds.

    Chains of another `seed` have other hashes; `native` is what addresses have of the chain's own coin.
    """

    def __init__(self, network: Network = SANDBOX_NETWORK, *, seed: str = "") -> None:
        self.away = False
        self.faults: dict[int, str] = {}
        self._seed = seed
        self._network = network
        self._addresses = DepositAddresses(SANDBOX_XPUB)
        self._salts = count()
        self._blocks: list[Block] = []
        self._transfers: dict[int, list[TokenTransfer]] = {}
        self._waiting: list[TokenTransfer] = []
        self.native: dict[str, int] = {}
        self.mine(time=1)

    @property
    def network(self) -> Network:
        return self._network

    def deposit_address(self, owner: int) -> str:
        return self._addresses.address(owner)

    def transfer(
        self, token: Asset | str, recipient: str, units: int, *, transaction: str | None = None, sender: str = TREASURY
    ) -> str:
        """Put a transfer of a coin, or of another contract's token, into the next block; the hash of its transaction
        (several may share one)."""
        transaction = transaction or self._hash("transaction")
        contract = token if isinstance(token, str) else self._network.contract(token).address
        self._waiting.append(TokenTransfer(contract, sender, recipient, units, transaction, 0, 0, ""))
        return transaction

    def mine(self, *, time: int | None = None, block_hash: str | None = None) -> Block:
        """Add one block: `time` in seconds (the last one's + 2), `block_hash` to choose a result."""
        last = self._blocks[-1] if self._blocks else Block(-1, "0x" + "0" * 64, "", 0)
        number = last.number + 1
        mined = Block(number, block_hash or self._hash("block"), last.hash, time or last.time + 2)
        self._transfers[number] = [
            replace(waiting, block=number, block_hash=mined.hash, log_index=index)
            for index, waiting in enumerate(self._waiting)
        ]
        self._waiting = []
        self._blocks.append(mined)
        return mined

    def reorganise(self, depth: int, *, keep: bool = False, regrow: bool = True) -> None:
        """Drop the last `depth` blocks; `keep` puts their transfers into the next one, `regrow` mines as many anew."""
        assert depth < len(self._blocks), depth
        times = []
        for _ in range(depth):
            dropped = self._blocks.pop()
            transfers = self._transfers.pop(dropped.number)
            times.append(dropped.time)
            if keep:
                self._waiting = transfers + self._waiting
        for time in reversed(times) if regrow else ():
            self.mine(time=time)

    async def survey(self) -> dict[int, str]:
        self._answer()
        return self.faults

    async def head(self) -> int:
        self._answer()
        return self._blocks[-1].number

    async def block(self, number: int) -> Block | None:
        self._answer()
        return self._blocks[number] if 0 <= number < len(self._blocks) else None

    async def newest(self) -> Block | None:
        return await self.block(await self.head())

    async def transfers(self, *, contracts: Sequence[str], blocks: Sequence[Block]) -> list[TokenTransfer]:
        self._answer()
        if any(block not in self._blocks for block in blocks):
            raise Outage("a block is no longer there")
        return [found for block in blocks for found in self._transfers[block.number] if found.contract in contracts]

    async def transfers_to(self, recipients: Sequence[str], *, first: int, last: int) -> list[TokenTransfer]:
        self._answer()
        found = [one for number in range(first, last + 1) for one in self._transfers.get(number, [])]
        return [one for one in found if one.recipient in recipients]

    async def transaction_transfers(self, transaction: str) -> list[TokenTransfer] | None:
        self._answer()
        found = [one for block in self._transfers.values() for one in block if one.transaction == transaction]
        return found or None

    async def reverted_transfer(self, transaction: str) -> TokenTransfer | None:  # noqa: ARG002 - a port
        """Nothing is ever reverted here: that is tried on a real node."""
        self._answer()
        return None

    async def token_balances(self, *, contract: str, owners: Sequence[str], block: Block) -> list[int]:
        """What came less what went; nobody has anything at the beginning."""
        self._answer()
        if block not in self._blocks:
            raise Outage("a block is no longer there")
        transfers = [one for number in range(block.number + 1) for one in self._transfers[number]]
        moves = [(one.recipient, one.units) for one in transfers if one.contract == contract]
        moves += [(one.sender, -one.units) for one in transfers if one.contract == contract]
        return [sum(units for party, units in moves if party == owner) for owner in owners]

    async def native_balance(self, *, owner: str, block: Block) -> int:
        """`native` at this moment, whatever the block."""
        self._answer()
        if block not in self._blocks:
            raise Outage("a block is no longer there")
        return self.native.get(owner, 0)

    def _answer(self) -> None:
        if self.away:
            raise Outage("the sandbox chain is away")

    def _hash(self, what: str) -> str:
        return "0x" + sha256(f"{what} {next(self._salts)} {self._seed}".encode()).hexdigest()
