"""The whole way on a real node: coins sent by real transactions, reorganisations, a node that is killed."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from eth_abi.abi import encode

from conftest import MakeContext, MakeMember
from deposits.scene import ONE, Scene, node_scene
from factors.scene import hashed
from kalos.adapters.chain.hexes import address_of, selector, word
from kalos.core.assets import KLS, USDT
from kalos.core.errors import InvalidAmount, InvalidInput, Outage, Refusal
from kalos.core.pages import PageQuery
from kalos.domains.context import Context, House
from kalos.domains.deposits import service
from kalos.domains.deposits.errors import HashMismatch, HashUsed, SubmitFailed
from kalos.domains.deposits.jobs import Strays
from kalos.domains.deposits.queries import EXPLAINED, list_strays
from kalos.domains.deposits.tables import Deposit
from kalos.ledger.audit import audit
from security.scene import close
from support.chains import SUPPLY_UNITS, LocalNode
from support.members import make_member
from support.people import PASSWORD

BATCH = json.loads((Path(__file__).parents[1] / "chain" / "batch.json").read_text())["bytecode"]
FORGED = "0x" + "ab" * 32


@pytest.fixture
async def scene(house: House, member: MakeMember, anvil: LocalNode) -> AsyncIterator[Scene]:
    made = await node_scene(house, await member(), anvil)
    yield made
    await made.close()


async def pay(scene: Scene, anvil: LocalNode, units: int) -> str:
    return await anvil.wallet.transfer(anvil.chain.network.contract(USDT).address, scene.address, units)


async def grow(scene: Scene, anvil: LocalNode, blocks: int = 1) -> None:
    for _ in range(blocks):
        await anvil.mine()
        await scene.watch()


def calling(scene: Scene) -> Context:
    return Context(house=scene.house, member=scene.member, path="/api/recharge/recharge")


async def submit(scene: Scene, transaction: str, amount: str | None = None) -> Deposit:
    return await service.submit_hash(calling(scene), transaction=transaction, amount=amount)


async def test_coins_sent_on_the_chain_are_credited_once(scene: Scene, anvil: LocalNode) -> None:
    await pay(scene, anvil, 50 * ONE)
    await grow(scene, anvil)
    assert await scene.states() == [(50 * ONE, "on_chain_processing", None)]
    await grow(scene, anvil, 2)
    assert await scene.available() == 0
    await grow(scene, anvil, 3)
    assert await scene.states() == [(50 * ONE, "approved", None)]
    assert await scene.available() == 50 * ONE


async def test_coins_sent_to_a_closed_account_stay_in_suspense(
    house: House, ctx: MakeContext, database_url: str, anvil: LocalNode
) -> None:
    who = await make_member(database_url, password_hash=hashed(PASSWORD))
    scene = await node_scene(house, who, anvil)
    before = await scene.suspense()
    await close(ctx(who))
    await pay(scene, anvil, 50 * ONE)
    await grow(scene, anvil, 5)
    assert await scene.states() == [(50 * ONE, "pending_review", "closed_account")]
    assert (await scene.available(), await scene.suspense() - before) == (0, 50 * ONE)
    assert await audit(house.db, EXPLAINED) == []
    await scene.close()


async def test_contract_that_pays_many_at_once_makes_a_deposit_of_each_log(
    scene: Scene, anvil: LocalNode, member: MakeMember
) -> None:
    others = [await member() for _ in range(30)]
    addresses = [await service.deposit_address(scene.house, other.id) for other in others]
    usdt = anvil.chain.network.contract(USDT).address
    creation = await anvil.wallet.deploy(BATCH)
    await anvil.mine()
    receipt = await anvil.node.call("eth_getTransactionReceipt", creation)
    batch = address_of(receipt["contractAddress"])
    recipients = [*addresses, scene.address, scene.address]
    amounts = [(20 + number) * ONE for number in range(len(recipients))]
    pay_many = encode(["address", "address[]", "uint256[]"], [usdt, recipients, amounts]).hex()
    await anvil.wallet.call(usdt, selector("approve(address,uint256)") + word(batch) + word(SUPPLY_UNITS))
    await anvil.wallet.call(batch, selector("pay(address,address[],uint256[])") + pay_many)
    await grow(scene, anvil, 5)
    for number, other in enumerate(others):
        assert await scene.states(other.id) == [((20 + number) * ONE, "approved", None)]
    assert await scene.states() == [(50 * ONE, "approved", None), (51 * ONE, "approved", None)]


async def test_submitted_hash_is_recorded_but_never_credited_by_it(scene: Scene, anvil: LocalNode) -> None:
    transaction = await pay(scene, anvil, 50 * ONE)
    with pytest.raises(SubmitFailed):
        await submit(scene, transaction)
    await anvil.mine()
    recorded = await submit(scene, transaction.upper().replace("0X", "0x"), "50")
    assert (recorded.status, recorded.units, recorded.owner) == ("on_chain_processing", 50 * ONE, scene.member.id)
    for _ in range(5):
        assert (await submit(scene, transaction)).id == recorded.id
    assert await scene.available() == 0
    await grow(scene, anvil, 4)
    assert (await submit(scene, transaction)).status == "approved"
    assert await scene.available() == 50 * ONE
    assert len(await scene.rows()) == 1


@pytest.mark.parametrize("amount", ["49.999999", "50.000001", "0"])
async def test_other_amount_than_was_sent_is_refused(scene: Scene, anvil: LocalNode, amount: str) -> None:
    transaction = await pay(scene, anvil, 50 * ONE)
    await anvil.mine()
    await refused(scene, transaction, HashMismatch, amount)


@pytest.mark.parametrize("amount", ["-50", "50.0000001", "1e2", " 50", "٥٠", "9" * 30])
async def test_hostile_amount_is_refused(scene: Scene, anvil: LocalNode, amount: str) -> None:
    transaction = await pay(scene, anvil, 50 * ONE)
    await anvil.mine()
    await refused(scene, transaction, InvalidAmount, amount)


@pytest.mark.parametrize(
    "text", ["", "0x", "ab" * 32, "0x" + "zz" * 32, "0x" + "ab" * 33, "0x" + "٠" * 64, "0x0x" + "a" * 62]
)
async def test_what_is_no_hash_is_refused(scene: Scene, anvil: LocalNode, text: str) -> None:
    await refused(scene, text, InvalidInput)


async def test_forged_hash_is_refused(scene: Scene, anvil: LocalNode) -> None:
    await refused(scene, FORGED, SubmitFailed)


async def test_foreign_hash_is_refused(scene: Scene, anvil: LocalNode, member: MakeMember) -> None:
    """Before and after the watcher has written down whose deposit it is."""
    other = await member()
    address = await service.deposit_address(scene.house, other.id)
    transaction = await anvil.wallet.transfer(anvil.chain.network.contract(USDT).address, address, 50 * ONE)
    await anvil.mine()
    await refused(scene, transaction, HashMismatch)
    await grow(scene, anvil, 4)
    await refused(scene, transaction, HashUsed)
    assert await scene.states(other.id) == [(50 * ONE, "approved", None)]


async def test_reverted_transaction_is_recorded_as_failed(scene: Scene, anvil: LocalNode) -> None:
    transaction = await pay(scene, anvil, SUPPLY_UNITS + 1)
    await grow(scene, anvil)
    recorded = await submit(scene, transaction)
    assert (recorded.status, recorded.reason, recorded.units) == ("failed", "reverted", SUPPLY_UNITS + 1)
    await grow(scene, anvil, 5)
    assert (await submit(scene, transaction)).id == recorded.id
    assert await scene.states() == [(SUPPLY_UNITS + 1, "failed", "reverted")]
    assert await scene.available() == 0


async def test_reverted_transaction_of_a_stranger_is_refused(
    scene: Scene, anvil: LocalNode, member: MakeMember
) -> None:
    address = await service.deposit_address(scene.house, (await member()).id)
    contract = anvil.chain.network.contract(USDT).address
    transaction = await anvil.wallet.transfer(contract, address, SUPPLY_UNITS + 1)
    await grow(scene, anvil)
    await refused(scene, transaction, HashMismatch)


async def test_reverted_transaction_that_succeeds_after_a_reorganisation_is_credited(
    scene: Scene, anvil: LocalNode
) -> None:
    """The same signed transaction, once while the payer has too little, once when there is enough."""
    usdt, treasury = anvil.chain.network.contract(USDT).address, await anvil.wallet.treasury()
    payer = address_of((await anvil.node.call("eth_accounts"))[1])
    snapshot = await anvil.snapshot()
    data = selector("transfer(address,uint256)") + word(scene.address) + word(50 * ONE)
    call = {"from": payer, "to": usdt, "data": data, "gas": hex(200_000)}
    transaction = await anvil.node.call("eth_sendTransaction", call)
    signed = await anvil.node.call("eth_getRawTransactionByHash", transaction)
    await grow(scene, anvil)
    assert (await submit(scene, transaction)).reason == "reverted"
    await anvil.revert(snapshot)
    assert await anvil.wallet.balance(usdt, treasury) >= 50 * ONE
    await anvil.wallet.transfer(usdt, payer, 50 * ONE)
    await anvil.mine()
    assert await anvil.node.call("eth_sendRawTransaction", signed) == transaction
    await grow(scene, anvil, 6)
    assert await scene.available() == 50 * ONE
    assert [state[1] for state in await scene.states()] == ["approved"]


async def test_other_coin_is_recorded_and_not_credited(scene: Scene, anvil: LocalNode) -> None:
    contract = anvil.chain.network.contract(KLS).address
    transaction = await anvil.wallet.transfer(contract, scene.address, 50 * 10**8)
    await grow(scene, anvil, 5)
    assert await scene.states() == [(50 * 10**8, "pending_review", "other_asset")]
    await refused(scene, transaction, HashUsed, rows=1)


async def test_token_of_the_same_name_is_nothing(scene: Scene, anvil: LocalNode) -> None:
    creation = await anvil.wallet.deploy_token(USDT, units=SUPPLY_UNITS)
    await anvil.mine()
    fake = await anvil.wallet.contract_of(creation, USDT)
    transaction = await anvil.wallet.transfer(fake.address, scene.address, 50 * ONE)
    await grow(scene, anvil, 5)
    await refused(scene, transaction, HashMismatch)


async def test_a_token_that_nobody_knows_is_recorded_for_support(scene: Scene, anvil: LocalNode) -> None:
    creation = await anvil.wallet.deploy_token(USDT, units=SUPPLY_UNITS)
    await anvil.mine()
    token = (await anvil.wallet.contract_of(creation, USDT)).address
    transaction = await anvil.wallet.transfer(token, scene.address, 7)
    await pay(scene, anvil, 50 * ONE)
    await grow(scene, anvil, 13)
    await Strays(scene.house).look()
    page = await list_strays(scene.house.db, PageQuery(1_000), state="open", account=scene.member.account)
    (one,) = [one for one, _ in page.rows if one.contract == token]
    assert (one.transaction, one.recipient, one.owner, one.units) == (transaction, scene.address, scene.member.id, 7)
    assert one.sender == await anvil.wallet.treasury()
    assert await scene.states() == [(50 * ONE, "approved", None)]


@pytest.mark.parametrize("depth", [1, 2, 3])
async def test_replaced_block_takes_its_deposit_along(scene: Scene, anvil: LocalNode, depth: int) -> None:
    await anvil.mine(3)
    await pay(scene, anvil, 50 * ONE)
    await grow(scene, anvil, depth)
    assert await scene.states() == [(50 * ONE, "on_chain_processing", None)]
    await anvil.wallet.reorganise(depth)
    await scene.watch(2)
    assert await scene.states() == [(50 * ONE, "failed", "orphaned")]
    await grow(scene, anvil, 5)
    assert await scene.available() == 0


async def test_transaction_sent_again_after_a_reorganisation_is_credited_once(scene: Scene, anvil: LocalNode) -> None:
    snapshot = await anvil.snapshot()
    first = await pay(scene, anvil, 50 * ONE)
    signed = await anvil.node.call("eth_getRawTransactionByHash", first)
    await grow(scene, anvil, 2)
    await anvil.revert(snapshot)
    await scene.watch(2)
    assert await scene.states() == [(50 * ONE, "on_chain_processing", None)]
    await anvil.mine()
    assert await anvil.node.call("eth_sendRawTransaction", signed) == first
    await grow(scene, anvil, 5)
    assert [state[1] for state in await scene.states()] == ["approved"]
    assert await scene.available() == 50 * ONE


async def test_chain_taken_back_before_the_deposit_credits_nothing(scene: Scene, anvil: LocalNode) -> None:
    snapshot = await anvil.snapshot()
    await pay(scene, anvil, 50 * ONE)
    await grow(scene, anvil, 3)
    await anvil.revert(snapshot)
    await scene.watch()
    await grow(scene, anvil, 6)
    assert await scene.states() == [(50 * ONE, "failed", "orphaned")]
    assert await scene.available() == 0


async def refused(
    scene: Scene, transaction: str, refusal: type[Refusal], amount: str | None = None, *, rows: int = 0
) -> None:
    """The refusal, and that nothing was written or moved."""
    with pytest.raises(refusal):
        await submit(scene, transaction, amount)
    assert len(await scene.rows()) == rows
    assert await scene.available() == 0


async def test_killed_node_loses_its_last_seconds_and_no_credit(
    house: House, member: MakeMember, ctx: MakeContext
) -> None:
    """Whatever the node forgets was not credited; what it remembers is credited once."""
    node = LocalNode()
    await node.start()
    await node.deploy()
    made = await node_scene(house, await member(), node)
    try:
        for units in (50, 60, 70):
            await node.wait_for_state()
            await pay(made, node, units * ONE)
            await grow(made, node, 2)
            before = await node.chain.head()
            await node.kill()
            with pytest.raises(Outage):
                await made.watch()
            await node.start()
            assert await node.chain.head() <= before
            await made.watch(2)
            await grow(made, node, 6)
            await made.watch(2)
            held = await node.wallet.balance(node.chain.network.contract(USDT).address, made.address)
            assert await made.available() == held
        assert all(state[1] in ("approved", "failed") for state in await made.states())
    finally:
        await made.close()
        await node.close()
