"""An EVM chain as the signer needs it: nonces, fees, receipts, and bytes handed to every node."""

from collections.abc import Sequence
from typing import Any, Final

import structlog

from kalos.adapters.chain.asking import Question
from kalos.adapters.chain.evm import EvmChain
from kalos.adapters.chain.hexes import BadHex, address_of, hash_of, quantity, selector, word
from kalos.adapters.chain.rpc import Node, RpcRefused
from kalos.core.errors import Outage
from kalos.core.failpoints import reach
from kalos.core.payments import Declined, Fees, Outgoing, Receipt

_TRANSFER: Final = selector("transfer(address,uint256)")
_TRANSFER_DIGITS: Final = 2 + 8 + 2 * 64
_BASE_TIMES: Final = 2  # a base fee that rises for six blocks still fits
_KNOWN: Final = ("already known", "already imported", "known transaction")
_log = structlog.get_logger("signer")


class PayingChain(EvmChain):
    """A `PaymentChain`."""

    async def next_nonce(self, address: str, *, waiting: bool) -> int:
        tag = "pending" if waiting else "latest"

        async def ask(node: Node) -> int:
            return quantity(await node.call("eth_getTransactionCount", address, tag))

        return await self._agreed(ask)

    async def receipt(self, transaction: str) -> Receipt | None:
        async def ask(node: Node) -> Receipt | None:
            found = await node.call("eth_getTransactionReceipt", transaction)
            if found is None or found["blockHash"] is None:
                return None
            if hash_of(found["transactionHash"]) != transaction:
                raise BadHex(f"asked for the receipt of {transaction}, got that of {found['transactionHash']}")
            number, block_hash = quantity(found["blockNumber"]), hash_of(found["blockHash"])
            return Receipt(transaction, number, block_hash, quantity(found["status"]) == 1)

        return await self._agreed(ask)

    async def fees(self) -> Fees:
        """The median of what the nodes say, of two the lower: what is too low waits and is raised, what is too high is
        paid. Each part has its own, for a mad tip may stand beside a base fee in the middle.

        A chain without a base fee is none that we sign for.
        """

        async def ask(node: Node) -> tuple[int, int]:
            block = await node.call("eth_getBlockByNumber", "latest", False)
            return quantity(block["baseFeePerGas"]), max(1, quantity(await node.call("eth_maxPriorityFeePerGas")))

        told = (await self._answers(ask, self._voters)).values()
        base, tip = (sorted(part)[(len(told) - 1) // 2] for part in zip(*told, strict=True))
        return Fees(base * _BASE_TIMES + tip, tip)

    async def native(self, address: str) -> int:
        async def ask(node: Node) -> int:
            return quantity(await node.call("eth_getBalance", address, "latest"))

        return await self._agreed(ask)

    async def tokens(self, contract: str, address: str) -> int:
        question = {"to": contract, "data": selector("balanceOf(address)") + word(address)}

        async def ask(node: Node) -> int:
            return quantity(await node.call("eth_call", question, "latest"))

        return await self._agreed(ask)

    async def send(self, raw: bytes) -> None:
        """One that takes it is enough: it tells the others, and each is handed it all the same."""
        content = "0x" + raw.hex()
        problems: list[Outage] = []
        asked = Question(lambda node: _hand_over(node, content), self.nodes)
        asked.note(lambda _, said: problems.append(said) if isinstance(said, Outage) else None)
        await asked.until(lambda: bool(asked.answers))
        if asked.open:
            self._late.add(asked)
        if asked.answers:
            return
        refusals = [problem for problem in problems if isinstance(problem, RpcRefused)]
        if refusals:
            raise Declined(str(refusals[0]))
        raise Outage("no chain endpoint took the transaction")

    async def outgoing(self, address: str, *, blocks: Sequence[int]) -> list[Outgoing]:
        found: list[Outgoing] = []
        for number in blocks:
            found += await self._outgoing_in(address, number)
        return found

    async def _outgoing_in(self, address: str, number: int) -> tuple[Outgoing, ...]:
        async def ask(node: Node) -> tuple[Outgoing, ...]:
            block = await node.call("eth_getBlockByNumber", hex(number), True)
            if block is None:
                raise BadHex(f"block {number} isn't there")
            if quantity(block["number"]) != number:
                raise BadHex(f"asked for block {number}, got {block['number']}")
            block_hash, listed = hash_of(block["hash"]), block["transactions"]
            if any(hash_of(one["blockHash"]) != block_hash for one in listed):
                raise BadHex(f"a transaction of another block than {block_hash}")
            return tuple(_read(one, number) for one in listed if address_of(one["from"]) == address)

        return await self._agreed(ask)


async def _hand_over(node: Node, content: str) -> None:
    try:
        await node.call("eth_sendRawTransaction", content, left=lambda: reach("payment_sent"))
    except RpcRefused as problem:
        if not any(word in str(problem).lower() for word in _KNOWN):
            _log.warning("a chain endpoint declined a transaction", problem=str(problem))
            raise


def _read(one: Any, block: int) -> Outgoing:
    transaction, nonce = hash_of(one["hash"]), quantity(one["nonce"])
    data, target = one["input"], one["to"]
    if target is not None and len(data) == _TRANSFER_DIGITS and data.startswith(_TRANSFER):
        recipient, units = address_of("0x" + data[10:74]), quantity("0x" + data[74:])
        return Outgoing(transaction, nonce, address_of(target), recipient, units, block)
    recipient = "" if target is None else address_of(target)
    return Outgoing(transaction, nonce, None, recipient, quantity(one["value"]) if data == "0x" else 0, block)
