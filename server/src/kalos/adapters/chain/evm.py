"""An EVM chain over several JSON-RPC endpoints: a block is believed when most of them tell it alike."""

import asyncio
import math
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import structlog

from kalos.adapters.chain.addresses import DepositAddresses
from kalos.adapters.chain.asking import Answer, Question
from kalos.adapters.chain.checks import Checks
from kalos.adapters.chain.hexes import BadHex, address_of, hash_of, quantity, selector, word
from kalos.adapters.chain.rpc import Node, RpcRefused
from kalos.core.errors import NotTold, Outage
from kalos.core.ports import Block, Network, TokenTransfer

TRANSFER: Final = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
"""keccak-256 of Transfer(address,address,uint256), the first topic of an ERC-20 transfer."""

_TRANSFER_CALL: Final = "0xa9059cbb"  # transfer(address,uint256)
_TRANSFER_CALL_DIGITS: Final = 2 + 8 + 2 * 64
_BALANCE_CALL: Final = selector("balanceOf(address)")
_QUESTIONS_AT_ONCE: Final = 20
_MOST_LOGS: Final = 1_000  # of one answer: to read them takes some 25 ms, in which nothing else goes on
MOST_BEHIND: Final = 3
"""Blocks that an endpoint may be behind what most have reached, and still vote."""

_REMEMBERED_SECONDS: Final = 15.0  # longer than a job waits before it asks again
_NEWEST_SECONDS: Final = 1.0
_TOLD_SECONDS: Final = 60.0
_MOST_TOLD: Final = 20  # in that time
_MOST_LATE: Final = 50  # questions that one endpoint still owes the answer to: an idle worker's of three seconds
_log = structlog.get_logger()


class EvmChain:
    """A `ChainClient`. Endpoints that fail or answer nonsense are left out of that question, those of another chain or
    too far behind out of all but the question how far they are. One that is shut counts as one that doesn't answer.

    A question is answered once the endpoints that are late can't change it. What they say then is noted all the same.

    Raises: Outage where no more than half of those that vote answer, or where no answer has more than half of those
      that came.
    """

    def __init__(self, network: Network, *, urls: Sequence[str], xpub: str) -> None:
        assert urls, "no endpoint"
        self._network = network
        self._addresses = DepositAddresses(xpub)
        self.nodes = [Node(url) for url in urls]
        self._checks: Checks | None = None
        self._strangers: set[Node] = set()
        self._silent: set[Node] = set()  # at the last head that it was asked for
        self._behind: dict[Node, int] = {}
        self._outvoted: dict[Node, float] = {}  # when it last said something else than most
        self._late: set[Question[Any]] = set()  # answered without some that are still asked
        self._newest: asyncio.Future[Block | None] | None = None
        self._newest_until = 0.0
        self._unsettled: dict[str, float] = {}  # when a question last found no answer of most
        self._told: set[str] = set()
        self._told_until = 0.0

    async def check(self) -> None:
        """Ask endpoints nothing before they were seen to fit; those that are away now, when they are back.

        Raises: WrongChain.
        """
        self._checks = Checks(self._network, self.nodes)
        await self._checks.begin()

    @property
    def network(self) -> Network:
        return self._network

    def deposit_address(self, owner: int) -> str:
        return self._addresses.address(owner)

    async def head(self) -> int:
        """The highest block that more than half of those that answer have reached."""

        async def ask(node: Node) -> int:
            return quantity(await node.call("eth_blockNumber"))

        ours = [node for node in self.nodes if node not in self._strangers]
        asked = await self._ask(ask, ours, lambda it: it.is_agreed(len(ours)) or self._lacks_silent(it, ours))
        heights = sorted(asked.answers.values(), reverse=True)
        head = heights[len(heights) // 2]

        def note(node: Node, height: int | Outage) -> None:
            self._behind.pop(node, None)
            if isinstance(height, Outage):
                self._silent.add(node)
                return
            self._silent.discard(node)
            if head - height > MOST_BEHIND:
                self._behind[node] = head - height

        self._silent -= self._strangers
        asked.note(note)
        return head

    async def survey(self) -> dict[int, str]:
        """Ask every endpoint for its chain, and tell what is wrong with which since the last head; places begin with 1.

        Raises: Outage where a block or its transfers found no answer of most when they were last asked for.
        """

        async def ask(node: Node) -> int:
            return quantity(await node.call("eth_chainId"))

        def note(node: Node, chain_id: int | Outage) -> None:
            if isinstance(chain_id, Outage) or chain_id == self._network.chain_id:
                self._strangers.discard(node)
            else:
                self._strangers.add(node)

        asked = await self._ask(ask, self.nodes, lambda it: self._lacks_silent(it, self.nodes))
        asked.note(note)
        since = time.monotonic() - _REMEMBERED_SECONDS
        self._unsettled = {question: at for question, at in self._unsettled.items() if at > since}
        if self._unsettled:
            raise Outage(f"chain endpoints disagree on {next(iter(self._unsettled))}")
        faults = {
            place: self._fault(node, answered=node in asked.answers, since=since)
            for place, node in enumerate(self.nodes, 1)
        }
        return {place: fault for place, fault in faults.items() if fault}

    def _fault(self, node: Node, *, answered: bool, since: float) -> str:
        if node.shut:
            return node.shut
        if not answered or node in self._silent:
            return "does not answer"
        if node in self._strangers:
            return "is on another chain"
        if node in self._behind:
            return f"is {self._behind[node]} blocks behind"
        return "says something else than most" if self._outvoted.get(node, -math.inf) > since else ""

    async def block(self, number: int) -> Block | None:
        return await self._block(number, of_all=True)

    async def _block(self, number: int, *, of_all: bool) -> Block | None:
        async def ask(node: Node) -> Block | None:
            return _read_block(await node.call("eth_getBlockByNumber", hex(number), False), number)

        return await self._agreed(ask, f"block {number}", of_all=of_all)

    async def newest(self) -> Block | None:
        """Whoever asks while it is asked for, or within a second after, has the same answer: nodes are asked once."""
        if self._newest is None or (self._newest.done() and time.monotonic() >= self._newest_until):
            self._newest = asyncio.ensure_future(self._ask_newest())
            self._newest.add_done_callback(lambda asked: asked.cancelled() or asked.exception())  # maybe nobody waits
        return await asyncio.shield(self._newest)

    async def _ask_newest(self) -> Block | None:
        try:
            return await self._block(await self.head(), of_all=False)  # only shown: whoever answers will do
        finally:
            self._newest_until = time.monotonic() + _NEWEST_SECONDS

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

        return await self._agreed(ask, f"transfers of {block.hash}")

    async def transfers_to(self, recipients: Sequence[str], *, first: int, last: int) -> list[TokenTransfer]:
        """A node that hasn't got that far answers with nothing: blocks must be deeper than any that votes is behind.

        That a node won't say so much is its vote, so that no node which has lost old blocks is believed alone.
        """
        topics = [TRANSFER, None, ["0x" + word(recipient) for recipient in recipients]]
        question = {"fromBlock": hex(first), "toBlock": hex(last), "topics": topics}
        asked = frozenset(recipients)

        async def ask(node: Node) -> tuple[TokenTransfer, ...] | None:
            try:
                logs = await node.call("eth_getLogs", question)
            except RpcRefused as problem:
                _log.warning("chain endpoint won't tell", problem=str(problem))
                return None
            transfers = _read_logs(logs) if len(logs) <= _MOST_LOGS else None
            if any(one.recipient not in asked or not first <= one.block <= last for one in transfers or ()):
                raise BadHex("a log that wasn't asked for")
            return transfers

        found = await self._agreed(ask)
        if found is None:
            raise NotTold(f"chain endpoints won't tell of blocks {first} to {last}")
        return list(found)

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
        if self._checks is not None:
            await self._checks.close()
        if self._newest is not None:
            self._newest.cancel()
            await asyncio.wait([self._newest])
        for question in tuple(self._late):
            await question.end()
        for node in self.nodes:
            await node.close()

    async def _agreed(
        self, ask: Callable[[Node], Awaitable[Answer]], question: str = "", *, of_all: bool = True
    ) -> Answer:
        """What most say, where most of those that vote have answered: while the others miss a call, one alone would
        else decide what is paid or given back for good. Without `of_all` whoever answers will do.

        A `question` with a name is one on which honest nodes don't differ for long: who was outvoted is remembered for
        a while, and that there was no answer of most until there is one.
        """
        voters = self._voters
        asked = await self._ask(ask, voters, lambda it: it.is_agreed(len(voters)))
        answers = asked.answers
        answer, votes = Counter(answers.values()).most_common(1)[0]

        def note(node: Node, said: Answer | Outage) -> None:
            if said != answer and not isinstance(said, Outage):
                self._outvoted[node] = time.monotonic()

        agree = votes * 2 > len(answers)
        if question and agree:
            self._unsettled.pop(question, None)
            asked.note(note)
        elif question:
            self._unsettled[question] = time.monotonic()
        if not agree:
            raise Outage(f"{len(answers)} chain endpoints disagree")
        if of_all and len(answers) * 2 <= len(self._voters):
            raise Outage(f"{len(answers)} of {len(self._voters)} chain endpoints answer")
        return answer

    @property
    def _voters(self) -> list[Node]:
        return [node for node in self.nodes if node not in self._strangers and node not in self._behind]

    async def _answers(self, ask: Callable[[Node], Awaitable[Answer]], nodes: Sequence[Node]) -> dict[Node, Answer]:
        """Of all nodes, but those that are silent."""
        question = await self._ask(ask, nodes, lambda it: self._lacks_silent(it, nodes))
        return {node: question.answers[node] for node in nodes if node in question.answers}

    async def _ask(
        self,
        ask: Callable[[Node], Awaitable[Answer]],
        nodes: Sequence[Node],
        is_enough: Callable[[Question[Answer]], bool],
    ) -> Question[Answer]:
        """Put a question to nodes until it is answered well enough. Who owes many answers is waited for; one that is
        silent besides isn't asked. Raises: Outage where nobody answers."""
        self._late = {question for question in self._late if question.open}
        owing = {node for node in nodes if sum(node in question.open for question in self._late) >= _MOST_LATE}
        question = Question(ask, [node for node in nodes if node not in owing & self._silent])
        question.note(self._tell)
        await question.until(lambda: is_enough(question) and owing.isdisjoint(question.open))
        if question.open:
            self._late.add(question)
        if not question.answers:
            raise Outage("no chain endpoint answers")
        return question

    def _lacks_silent(self, question: Question[Any], nodes: Sequence[Node]) -> bool:
        """Whether more than half have answered, and of the others none that wasn't silent is still asked."""
        return len(question.answers) * 2 > len(nodes) and self._silent.issuperset(question.open)

    def _tell(self, _: Node, said: object) -> None:
        """Once a minute: an endpoint that is away fails at each of twenty questions a second."""
        if not isinstance(said, Outage):
            return
        problem = str(said)
        if time.monotonic() >= self._told_until:
            self._told.clear()
            self._told_until = time.monotonic() + _TOLD_SECONDS
        if problem not in self._told and len(self._told) < _MOST_TOLD:
            self._told.add(problem)
            _log.warning("chain endpoint left out", problem=problem)


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
