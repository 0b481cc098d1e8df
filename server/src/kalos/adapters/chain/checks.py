"""What must be true of a chain before a process starts: chain id, and each token's code and decimals."""

import asyncio
from typing import Any, Final

import structlog

from kalos.adapters.chain.evm import EvmChain
from kalos.adapters.chain.hexes import BadHex, code_hash, quantity, selector
from kalos.adapters.chain.rpc import Node
from kalos.core.errors import ForOperator, Outage
from kalos.core.ports import Contract

_EMPTY_CODE = code_hash("0x")
_log: Final[Any] = structlog.get_logger()


class WrongChain(ForOperator, ValueError):
    """The settings and the chain don't fit; the text says which number, what was expected and what is there."""


async def check_chain(chain: EvmChain) -> None:
    """Ask every endpoint that answers; most of them decide, as they do later: one that is set up anew stops nobody.

    Raises: WrongChain, Outage where none answers.
    """
    answers = await asyncio.gather(*(_check_node(chain, node) for node in chain.nodes), return_exceptions=True)
    told = [answer for answer in answers if not isinstance(answer, Outage)]
    wrong = [answer for answer in told if answer is not None]
    for answer in wrong:
        if len(wrong) * 2 >= len(told) or not isinstance(answer, WrongChain):
            raise answer
        _log.warning("a chain endpoint doesn't fit the settings", problem=str(answer))
    if not told:
        raise Outage("no chain endpoint answers")


async def _check_node(chain: EvmChain, node: Node) -> None:
    expected = chain.network.chain_id
    found = quantity(await node.call("eth_chainId"))
    if found != expected:
        raise WrongChain(f"{node.host}: chain id is {found}, the settings say {expected}")
    for contract in chain.network.contracts:
        await _check_contract(node, contract)


async def _check_contract(node: Node, contract: Contract) -> None:
    name = f"{node.host}: {contract.asset} contract {contract.address}"
    if contract.decimals != contract.asset.scale:
        raise WrongChain(f"{name}: {contract.decimals} decimals, the asset has {contract.asset.scale}")
    code = code_hash(await node.call("eth_getCode", contract.address, "latest"))
    if code == _EMPTY_CODE:
        raise WrongChain(f"{name}: there is no contract at this address")
    if code != contract.code_hash:
        raise WrongChain(f"{name}: the code's hash is {code}, the settings say {contract.code_hash}")
    question = {"to": contract.address, "data": selector("decimals()")}
    try:
        decimals = quantity(await node.call("eth_call", question, "latest"))
    except BadHex as problem:
        raise WrongChain(f"{name}: it doesn't tell its decimals") from problem
    if decimals != contract.decimals:
        raise WrongChain(f"{name}: it has {decimals} decimals, the settings say {contract.decimals}")
