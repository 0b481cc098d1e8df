"""What must be true of a chain's endpoint before it is believed: chain id, and each token's code and decimals."""

import asyncio
from collections.abc import Sequence
from typing import Any, Final

import structlog

from kalos.adapters.chain.asking import Question
from kalos.adapters.chain.hexes import BadHex, code_hash, quantity, selector
from kalos.adapters.chain.rpc import Node
from kalos.core.errors import ForOperator
from kalos.core.ports import Contract, Network

_EMPTY_CODE = code_hash("0x")
_AGAIN_SECONDS: Final = 1.0
_log: Final[Any] = structlog.get_logger()


class WrongChain(ForOperator, ValueError):
    """The settings and the chain don't fit; the text says which number, what was expected and what is there."""


class Checks:
    """Keeps endpoints shut until they were seen to fit, however long that takes: a start waits for none of them."""

    def __init__(self, network: Network, nodes: Sequence[Node]) -> None:
        self._network = network
        self._nodes = nodes
        self._looking: asyncio.Task[None] | None = None
        for node in nodes:
            node.shut = "is not checked yet"

    async def begin(self) -> None:
        """Look at all. Most of those that answer decide, as they do later: one that is set up anew stops nobody.

        Raises: WrongChain.
        """
        found = await self._look()
        wrong = [problem for problem in found.values() if problem]
        if wrong and len(wrong) * 2 >= len(found):
            raise WrongChain(wrong[0])
        if self._shut:
            self._looking = asyncio.create_task(self._look_on())

    async def close(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait([self._looking])

    @property
    def _shut(self) -> list[Node]:
        return [node for node in self._nodes if node.shut]

    async def _look_on(self) -> None:
        while self._shut:
            await asyncio.sleep(_AGAIN_SECONDS)
            await self._look()

    async def _look(self) -> dict[Node, str]:
        """Open those that fit. Returns what is wrong with each that answers, "" for nothing."""
        shut = self._shut
        question = Question(self._misfit, shut)
        await question.until(lambda: False)
        for node in shut:
            problem = question.answers.get(node)
            said = "does not answer" if problem is None else problem and "does not fit the settings"
            if said and said != node.shut:
                _log.warning("a chain endpoint is asked nothing", problem=problem or f"{node.host}: {said}")
            elif not said and self._looking is not None:
                _log.warning("a chain endpoint is asked from now on", endpoint=node.host)
            node.shut = said
        return question.answers

    async def _misfit(self, node: Node) -> str:
        expected = self._network.chain_id
        found = quantity(await node.ask("eth_chainId"))
        if found != expected:
            return f"{node.host}: chain id is {found}, the settings say {expected}"
        problems = [await _misfit_of(contract, node) for contract in self._network.contracts]
        return next(filter(None, problems), "")


async def _misfit_of(contract: Contract, node: Node) -> str:
    name = f"{node.host}: {contract.asset} contract {contract.address}"
    if contract.decimals != contract.asset.scale:
        return f"{name}: {contract.decimals} decimals, the asset has {contract.asset.scale}"
    code = code_hash(await node.ask("eth_getCode", contract.address, "latest"))
    if code == _EMPTY_CODE:
        return f"{name}: there is no contract at this address"
    if code != contract.code_hash:
        return f"{name}: the code's hash is {code}, the settings say {contract.code_hash}"
    question = {"to": contract.address, "data": selector("decimals()")}
    try:
        decimals = quantity(await node.ask("eth_call", question, "latest"))
    except BadHex:
        return f"{name}: it doesn't tell its decimals"
    if decimals != contract.decimals:
        return f"{name}: it has {decimals} decimals, the settings say {contract.decimals}"
    return ""
