"""While the others miss a call, no endpoint alone decides what money follows from."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import pytest

from chain.test_quorum import broken, told, with_transfer
from kalos.adapters.chain.evm import EvmChain
from kalos.core.assets import USDT
from kalos.core.errors import Outage
from kalos.core.ports import Block
from support.chains import LocalNode
from support.liars import endpoints, honest


@dataclass(frozen=True, slots=True)
class Asked:
    """A block with one transfer of a coin."""

    block: Block
    contract: str
    transaction: str


QUESTIONS: Final[Mapping[str, Callable[[EvmChain, Asked], Awaitable[Any]]]] = {
    "block": lambda chain, asked: chain.block(asked.block.number),
    "transfers": lambda chain, asked: chain.transfers(contracts=[asked.contract], blocks=[asked.block]),
    "transfers_to": lambda chain, asked: told(chain, asked.block),
    "transaction_transfers": lambda chain, asked: chain.transaction_transfers(asked.transaction),
    "reverted_transfer": lambda chain, asked: chain.reverted_transfer(asked.transaction),
    "token_balances": lambda chain, asked: chain.token_balances(
        contract=asked.contract, owners=[chain.deposit_address(5_000_100)], block=asked.block
    ),
    "native_balance": lambda chain, asked: chain.native_balance(
        owner=chain.deposit_address(5_000_100), block=asked.block
    ),
}
"""What money follows from, of a block with one transfer."""


@pytest.mark.parametrize("name", QUESTIONS)
async def test_what_money_follows_from_is_told_by_more_than_half_of_all(anvil: LocalNode, name: str) -> None:
    """Those that miss a call leave nobody to decide alone; a house of one endpoint goes by that."""
    block = await with_transfer(anvil)
    contract = anvil.chain.network.contract(USDT).address
    (transfer,) = await anvil.chain.transfers(contracts=[contract], blocks=[block])
    ask, asked = QUESTIONS[name], Asked(block, contract, transfer.transaction)
    expected = await ask(anvil.chain, asked)
    for enough in ((honest,), (honest, broken, honest), (honest, honest)):
        async with endpoints(anvil, *enough) as chain:
            assert await ask(chain, asked) == expected
    for few in ((honest, broken, broken), (broken, honest), (honest, broken, broken, honest)):
        async with endpoints(anvil, *few) as chain:
            with pytest.raises(Outage, match=rf"^[12] of {len(few)} chain endpoints answer$"):
                await ask(chain, asked)


async def test_head_and_what_is_only_shown_are_told_by_whoever_answers(anvil: LocalNode) -> None:
    block = await with_transfer(anvil)
    async with endpoints(anvil, broken, honest, broken) as chain:
        assert await chain.head() == block.number
        assert await chain.newest() == block
