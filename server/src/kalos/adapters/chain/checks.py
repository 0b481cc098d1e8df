"""What must be true of a chain's endpoint before it is believed: chain id, and each token's code and decimals."""

import asyncio
from collections.abc import Sequence
from typing import Any, Final

import structlog

from kalos.adapters.chain.asking import answer_of
from kalos.adapters.chain.hexes import BadHex, code_hash, quantity, selector
from kalos.adapters.chain.rpc import Node
from kalos.core.errors import ForOperator, Outage
from kalos.core.ports import Contract, Network

_EMPTY_CODE = code_hash("0x")
_AGAIN_SECONDS: Final = 1.0
_MOST_TOLD: Final = 100  # different problems: one that says something else each time would fill the log
_log: Final[Any] = structlog.get_logger()


class WrongChain(ForOperator, ValueError):
    """The settings and the chain don't fit; the text says which number, what was expected and what is there."""


class Checks:
    """Keeps endpoints shut until they were seen to fit, each by itself and however long that takes."""

    def __init__(self, network: Network, nodes: Sequence[Node]) -> None:
        self._network = network
        self._nodes = nodes
        self._found: dict[Node, str | Outage] = {}  # why one doesn't fit, "" where it does
        self._heard = asyncio.Event()
        self._told: set[str] = set()
        for node in nodes:
            node.shut = "is not checked yet"
        self._looking = [asyncio.create_task(self._until_it_fits(node)) for node in nodes]

    async def begin(self) -> None:
        """Return when more than half fit, or all were looked at.

        Most of those that answer decide, as they do later: one that is set up anew stops nobody. Raises: WrongChain.
        """
        while not self._is_decided:
            self._heard.clear()
            await self._heard.wait()
        told = [said for said in self._found.values() if not isinstance(said, Outage)]
        wrong = [problem for problem in told if problem]
        if wrong and len(wrong) * 2 >= len(told):
            raise WrongChain(wrong[0])

    @property
    def _is_decided(self) -> bool:
        fit = sum(not node.shut for node in self._nodes)
        return fit * 2 > len(self._nodes) or len(self._found) == len(self._nodes)

    async def close(self) -> None:
        for task in self._looking:
            task.cancel()
        await asyncio.wait(self._looking)

    async def _until_it_fits(self, node: Node) -> None:
        while True:
            try:
                said = await answer_of(node, self._misfit)
            except Exception as bug:  # noqa: BLE001 - else nobody would look any more, and nobody would know
                _log.exception("a chain endpoint could not be looked at")
                said = Outage(repr(bug))
            self._hear(node, said)
            if not node.shut:
                return
            await asyncio.sleep(_AGAIN_SECONDS)

    def _hear(self, node: Node, said: str | Outage) -> None:
        problem = str(said)
        if problem and problem not in self._told and len(self._told) < _MOST_TOLD:
            self._told.add(problem)
            _log.warning("a chain endpoint is asked nothing", problem=problem)
        elif not problem and node in self._found:
            _log.warning("a chain endpoint is asked from now on", endpoint=node.host)
        node.shut = "does not answer" if isinstance(said, Outage) else said and "does not fit the settings"
        self._found[node] = said
        self._heard.set()

    async def _misfit(self, node: Node) -> str:
        expected = self._network.chain_id
        found = quantity(await node.ask("eth_chainId"))
        if found != expected:
            return f"{node.host}: chain id is {found}, the settings say {expected}"
        for contract in self._network.contracts:
            if problem := await _misfit_of(contract, node):
                return problem
        return ""


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
