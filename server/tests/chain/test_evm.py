"""The client against a real node: blocks, logs, receipts, and the checks before a start."""

import sys
from dataclasses import replace

import pytest

from kalos.adapters.chain.checks import WrongChain
from kalos.adapters.chain.evm import EvmChain
from kalos.adapters.chain.rpc import RpcRefused
from kalos.adapters.chain.sandbox import SANDBOX_XPUB
from kalos.core.assets import KLS, USDT
from kalos.core.clock import Clock
from kalos.core.errors import Outage
from kalos.core.ports import Network
from support.chains import SUPPLY_UNITS, LocalNode, patient


async def test_blocks_follow_each_other(anvil: LocalNode) -> None:
    await anvil.mine(3)
    head = await anvil.chain.head()
    blocks = [await anvil.chain.block(number) for number in range(head - 2, head + 1)]
    assert all(block is not None for block in blocks)
    first, second, third = (block for block in blocks if block is not None)
    assert (second.parent, third.parent) == (first.hash, second.hash)
    assert first.time < second.time < third.time
    assert await anvil.chain.block(head + 1) is None


async def test_block_carries_business_time(anvil: LocalNode) -> None:
    ahead = Clock.wall() + 86_400_000
    await anvil.wallet.mine(now_ms=ahead)
    block = await anvil.chain.block(await anvil.chain.head())
    assert block is not None
    assert block.time == ahead // 1000


async def test_transfer_is_seen_once_it_is_in_a_block(anvil: LocalNode) -> None:
    contract, address = anvil.chain.network.contract(USDT).address, anvil.chain.deposit_address(5_000_001)
    transaction = await anvil.wallet.transfer(contract, address, 1_500_000)
    assert await anvil.chain.transaction_transfers(transaction) is None
    await anvil.mine()
    head = await anvil.chain.head()
    (found,) = await anvil.chain.transaction_transfers(transaction) or []
    block = await anvil.chain.block(head)
    assert block is not None
    assert (found.recipient, found.units, found.contract, found.block) == (address, 1_500_000, contract, head)
    assert await anvil.chain.transfers(contracts=[contract], blocks=[block]) == [found]
    assert await anvil.chain.transfers(contracts=[anvil.chain.network.contract(KLS).address], blocks=[block]) == []
    assert await anvil.wallet.balance(contract, address) == 1_500_000


async def test_balances_are_those_after_exactly_one_block(anvil: LocalNode) -> None:
    contract = anvil.chain.network.contract(USDT).address
    owners = [anvil.chain.deposit_address(5_001_000 + number) for number in range(45)]
    await anvil.wallet.transfer(contract, owners[1], 7)
    await anvil.mine()
    first = await anvil.chain.block(await anvil.chain.head())
    await anvil.wallet.transfer(contract, owners[1], 5)
    await anvil.wallet.transfer(contract, owners[44], 9)
    await anvil.mine()
    second = await anvil.chain.block(await anvil.chain.head())
    assert first is not None
    assert second is not None
    for block, wanted in ((first, {1: 7}), (second, {1: 12, 44: 9})):
        found = await anvil.chain.token_balances(contract=contract, owners=owners, block=block)
        assert {place: units for place, units in enumerate(found) if units} == wanted
    treasury = await anvil.wallet.treasury()
    before, after = [await anvil.chain.native_balance(owner=treasury, block=block) for block in (first, second)]
    assert before > after > 0


async def test_balances_of_a_block_that_was_replaced_are_an_outage(anvil: LocalNode) -> None:
    """Another block of the same number may say something else."""
    contract, treasury = anvil.chain.network.contract(USDT).address, await anvil.wallet.treasury()
    await anvil.mine(2)
    block = await anvil.chain.block(await anvil.chain.head())
    assert block is not None
    await anvil.wallet.reorganise(1)
    with pytest.raises(Outage):
        await anvil.chain.token_balances(contract=contract, owners=[treasury], block=block)
    with pytest.raises(Outage):
        await anvil.chain.native_balance(owner=treasury, block=block)


async def test_reverted_transaction_has_no_transfers(anvil: LocalNode) -> None:
    contract, address = anvil.chain.network.contract(USDT).address, anvil.chain.deposit_address(5_000_002)
    transaction = await anvil.wallet.transfer(contract, address, SUPPLY_UNITS + 1)
    await anvil.mine()
    assert await anvil.chain.transaction_transfers(transaction) == []


async def test_reorganised_transaction_is_in_no_block(anvil: LocalNode) -> None:
    contract, address = anvil.chain.network.contract(USDT).address, anvil.chain.deposit_address(5_000_003)
    transaction = await anvil.wallet.transfer(contract, address, 7)
    await anvil.mine()
    before = await anvil.chain.block(await anvil.chain.head())
    await anvil.wallet.reorganise(1)
    after = await anvil.chain.block(await anvil.chain.head())
    assert before is not None
    assert after is not None
    assert (after.number, after.parent) == (before.number, before.parent)
    assert after.hash != before.hash
    assert await anvil.chain.transaction_transfers(transaction) is None


async def test_transfers_of_a_block_that_is_gone_are_an_outage_and_never_none(anvil: LocalNode) -> None:
    await anvil.mine()
    gone = await anvil.chain.block(await anvil.chain.head())
    assert gone is not None
    await anvil.wallet.reorganise(1)
    with pytest.raises(Outage):
        await anvil.chain.transfers(contracts=[anvil.chain.network.contract(USDT).address], blocks=[gone])


async def test_reorganisation_deeper_than_history_is_refused(anvil: LocalNode) -> None:
    with pytest.raises(RpcRefused):
        await anvil.wallet.reorganise(await anvil.chain.head() + 10)


async def test_whole_supply_is_the_treasurys(anvil: LocalNode) -> None:
    creation = await anvil.wallet.deploy_token(KLS, units=SUPPLY_UNITS)
    await anvil.mine()
    made = await anvil.wallet.contract_of(creation, KLS)
    assert await anvil.wallet.balance(made.address, await anvil.wallet.treasury()) == SUPPLY_UNITS


async def test_right_settings_pass_the_check(anvil: LocalNode) -> None:
    chain = anvil.client(anvil.chain.network)
    await chain.check()
    assert await chain.head() == await anvil.chain_head()
    await chain.close()


async def checked(anvil: LocalNode, network: Network) -> str:
    chain = patient(EvmChain(network, urls=[anvil.url], xpub=SANDBOX_XPUB))
    try:
        with pytest.raises(WrongChain) as problem:
            await chain.check()
    finally:
        await chain.close()
    return str(problem.value)


async def test_wrong_chain_id_stops_the_start(anvil: LocalNode) -> None:
    text = await checked(anvil, replace(anvil.chain.network, chain_id=1))
    assert text == "127.0.0.1: chain id is 31337, the settings say 1"


async def test_address_without_code_stops_the_start(anvil: LocalNode) -> None:
    usdt = replace(anvil.chain.network.contract(USDT), address="0x" + "12" * 20)
    assert "there is no contract at this address" in await checked(anvil, anvil.network(contracts=(usdt,)))


async def test_other_code_stops_the_start(anvil: LocalNode) -> None:
    """KLS at the address that the settings name for USDT, though both are the same program."""
    usdt, kls = (anvil.chain.network.contract(asset) for asset in (USDT, KLS))
    text = await checked(anvil, anvil.network(contracts=(replace(usdt, address=kls.address),)))
    assert f"the code's hash is {kls.code_hash}, the settings say {usdt.code_hash}" in text


async def test_wrong_decimals_stop_the_start(anvil: LocalNode) -> None:
    usdt, kls = (anvil.chain.network.contract(asset) for asset in (USDT, KLS))
    stated = replace(usdt, decimals=18)
    assert "18 decimals, the asset has 6" in await checked(anvil, anvil.network(contracts=(stated,)))
    swapped = replace(usdt, address=kls.address, code_hash=kls.code_hash)
    assert "it has 8 decimals, the settings say 6" in await checked(anvil, anvil.network(contracts=(swapped,)))


async def test_a_question_looks_for_no_module(anvil: LocalNode, monkeypatch: pytest.MonkeyPatch) -> None:
    """httpcore asks which library it runs under at each lock that it makes."""
    looked = list[str]()

    class Finder:
        @staticmethod
        def find_spec(name: str, *_: object) -> None:
            looked.append(name)

    await anvil.chain.head()
    monkeypatch.setattr(sys, "meta_path", [Finder, *sys.meta_path])
    await anvil.chain.head()
    assert looked == []


async def test_no_node_is_an_outage(anvil: LocalNode) -> None:
    chain = EvmChain(anvil.chain.network, urls=["http://127.0.0.1:9"], xpub=SANDBOX_XPUB)
    with pytest.raises(Outage, match="no chain endpoint answers"):
        await chain.head()
    await chain.close()
