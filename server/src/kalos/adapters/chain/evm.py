"""An EVM chain over several JSON-RPC endpoints: a block is believed when most of those that answer agree."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, TypeVar

import structlog

from kalos.adapters.chain.addresses import DepositAddresses
from kalos.adapters.chain.hexes import BadHex, address_of, hash_of, quantity, selector, word
from kalos.adapters.chain.rpc import Node
from kalos.core.errors import Outage
from kalos.core.ports import Block, Network, TokenTransfer

TRANSFER: Final = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
"""keccak-256 of Transfer(address,address,uint256), the first topic of an ERC-20 transfer."""

_TRANSFER_CALL: Final = "0xa9059cbb"  # transfer(address,uint256)
_TRANSFER_CALL_DIGITS: Final = 2 + 8 + 2 * 64
_BALANCE_CALL: Final = selector("balanceOf(address)")
_QUESTIONS_AT_ONCE: Final = 20
_MALFORMED = (BadHex, KeyError, TypeError, IndexError, AttributeError)
_log = structlog.get_logger()
Answer = TypeVar("Answer")


class EvmChain:
    """A `ChainClient`. Endpoints that fail or answer nonsense are left out of that question.

    Raises: Outage where none answers, or where no answer has more than half of those that came.
    """

    def __init__(self, network: Network, *, urls: Sequence[str], xpub: str) -> None:
        assert urls, "no endpoint"
        self._network = network
        self._addresses = DepositAddresses(xpub)
        self.nodes = [Node(url) for url in urls]

    @property
    def network(self) -> Network:
        return self._network

    def deposit_address(self, owner: int) -> str:
        return self._addresses.address(owner)

    async def head(self) -> int:
        """The highest block that more than half of those that answer have reached."""

        async def ask(node: Node) -> int:
            return quantity(await node.call("eth_blockNumber"))

        heights = sorted(await self._answers(ask), reverse=True)
        return heights[len(heights) // 2]

    async def block(self, number: int) -> Block | None:
        async def ask(node: Node) -> Block | None:
            return _read_block(await node.call("eth_getBlockByNumber", hex(number), False), number)

        return await self._agreed(ask)

    async def transfers(self, *, contracts: Sequence[str], blocks: Sequence[Block]) -> list[TokenTransfer]:
        """By hash, for a node that lags behind answers a range of numbers with nothing, as if it were empty."""
        found = await asyncio.gather(*(self._transfers_in(contracts, block) for block in blocks))
        return [transfer for transfers in found for transfer in transfers]

    async def _transfers_in(self, contracts: Sequence[str], block: Block) -> tuple[TokenTransfer, ...]:
        question = {"address": list(contracts), "topics": [TRANSFER], "blockHash": block.hash}

        async def ask(node: Node) -> tuple[TokenTransfer, ...]:
            transfers = _read_logs(await node.call("eth_getLogs", question))
            if any(transfer.block_hash != block.hash for transfer in transfers):
                raise BadHex(f"a log of another block than {block.hash}")
            return transfers

        return await self._agreed(ask)

    async def transaction_transfers(self, transaction: str) -> list[TokenTransfer] | None:
        async def ask(node: Node) -> tuple[TokenTransfer, ...] | None:
            receipt = await node.call("eth_getTransactionReceipt", transaction)
            if receipt is None or receipt["blockHash"] is None:
                return None
            return _read_logs(receipt["logs"]) if quantity(receipt["status"]) == 1 else ()

        found = await self._agreed(ask)
        return None if found is None else list(found)

    async def reverted_transfer(self, transaction: str) -> TokenTransfer | None:
        async def ask(node: Node) -> TokenTransfer | None:
            receipt = await node.call("eth_getTransactionReceipt", transaction)
            if receipt is None or receipt["blockHash"] is None or quantity(receipt["status"]) == 1:
                return None
            return _read_attempt(await node.call("eth_getTransactionByHash", transaction))

        return await self._agreed(ask)

    async def token_balances(self, *, contract: str, owners: Sequence[str], block: Block) -> list[int]:
        """By hash, for a number could be another block by the time a node answers."""
        found: list[int] = []
        for place in range(0, len(owners), _QUESTIONS_AT_ONCE):
            some = owners[place : place + _QUESTIONS_AT_ONCE]
            found += await asyncio.gather(*(self._token_balance(contract, owner, block) for owner in some))
        return found

    async def _token_balance(self, contract: str, owner: str, block: Block) -> int:
        question = {"to": contract, "data": _BALANCE_CALL + word(owner)}

        async def ask(node: Node) -> int:
            return quantity(await node.call("eth_call", question, _exactly(block)))

        return await self._agreed(ask)

    async def native_balance(self, *, owner: str, block: Block) -> int:
        async def ask(node: Node) -> int:
            return quantity(await node.call("eth_getBalance", owner, _exactly(block)))

        return await self._agreed(ask)

    async def close(self) -> None:
        for node in self.nodes:
            await node.close()

    async def _agreed(self, ask: Callable[[Node], Awaitable[Answer]]) -> Answer:
        answers = await self._answers(ask)
        answer, votes = Counter(answers).most_common(1)[0]
        if votes * 2 <= len(answers):
            raise Outage(f"{len(answers)} chain endpoints disagree")
        return answer

    async def _answers(self, ask: Callable[[Node], Awaitable[Answer]]) -> list[Answer]:
        outcomes = await asyncio.gather(*(self._one(node, ask) for node in self.nodes), return_exceptions=True)
        answers: list[Answer] = []
        for outcome in outcomes:
            if isinstance(outcome, Outage):
                _log.warning("chain endpoint left out", problem=str(outcome))
            elif isinstance(outcome, BaseException):
                raise outcome
            else:
                answers.append(outcome)
        if not answers:
            raise Outage("no chain endpoint answers")
        return answers

    @staticmethod
    async def _one(node: Node, ask: Callable[[Node], Awaitable[Answer]]) -> Answer:
        try:
            return await ask(node)
        except _MALFORMED as problem:
            raise Outage(f"{node.host}: malformed answer: {problem!r:.200}") from problem


def _exactly(block: Block) -> dict[str, str | bool]:
    """A block by its hash, refused by a node that has another one in its place. Source: EIP-1898."""
    return {"blockHash": block.hash, "requireCanonical": True}


def _read_block(found: Any, number: int) -> Block | None:
    if found is None:
        return None
    if quantity(found["number"]) != number:
        raise BadHex(f"asked for block {number}, got {found['number']}")
    return Block(number, hash_of(found["hash"]), hash_of(found["parentHash"]), quantity(found["timestamp"]))


def _read_logs(found: Any) -> tuple[TokenTransfer, ...]:
    """The ERC-20 transfers among logs, in the chain's order; other events and removed logs are passed over."""
    transfers = [
        TokenTransfer(
            contract=address_of(log["address"]),
            sender=address_of(log["topics"][1]),
            recipient=address_of(log["topics"][2]),
            units=quantity(log["data"]),
            transaction=hash_of(log["transactionHash"]),
            log_index=quantity(log["logIndex"]),
            block=quantity(log["blockNumber"]),
            block_hash=hash_of(log["blockHash"]),
        )
        for log in found
        if _is_transfer(log)
    ]
    return tuple(sorted(transfers, key=lambda transfer: (transfer.block, transfer.log_index)))


def _read_attempt(found: Any) -> TokenTransfer | None:
    """The ERC-20 transfer that a transaction calls for; it has no log, so it stands as the first."""
    data = found["input"]
    if found["to"] is None or len(data) != _TRANSFER_CALL_DIGITS or not data.startswith(_TRANSFER_CALL):
        return None
    return TokenTransfer(
        contract=address_of(found["to"]),
        sender=address_of(found["from"]),
        recipient=address_of("0x" + data[10:74]),
        units=quantity("0x" + data[74:]),
        transaction=hash_of(found["hash"]),
        log_index=0,
        block=quantity(found["blockNumber"]),
        block_hash=hash_of(found["blockHash"]),
    )


def _is_transfer(log: Any) -> bool:
    """A token that can't be divided (ERC-721) has the same first topic but a fourth one and no data."""
    return (
        len(log["topics"]) == 3 and log["topics"][0] == TRANSFER and not log.get("removed") and len(log["data"]) == 66
    )
