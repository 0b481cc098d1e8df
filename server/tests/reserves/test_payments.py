"""Withdrawals that are on their way alarm nobody, and hide no theft."""

import itertools
import random
from typing import Final

import asyncpg
import pytest
from msgspec.structs import replace

from conftest import MakeContext, MakeMember
from deposits.scene import ONE, SandboxScene
from factors.scene import give_out
from kalos.core.assets import KLS, USDT
from kalos.core.errors import Outage
from kalos.core.tokens import digest
from kalos.domains.context import Context
from kalos.domains.wallets.queries import insert_address
from kalos.domains.withdrawals import service
from kalos.domains.withdrawals.tables import Withdrawal
from kalos.ledger.flags import money_out_stopped
from reserves.scene import COLD, FINAL, HOT, look, take
from support.ledger import until_money_goes_out
from support.members import begin_session
from wallets.people import new_wallet
from withdrawals.scene import DAY, withdraw

ROUNDS: Final = 60
_nonces = itertools.count(1)


@pytest.fixture
async def here(ctx: MakeContext, member: MakeMember, scene: SandboxScene) -> Context:
    """A member who can withdraw, and a hot wallet that has what the member has."""
    someone = await member(usdt="5000", kls="5000")
    session = digest(await begin_session(ctx().db, someone))
    made = replace(ctx(someone, session=session), house=scene.house)
    await give_out(made)
    await until_money_goes_out(scene.house.ledger, scene.house.db.value)
    scene.chain.transfer(USDT, HOT, 5_000 * ONE)
    scene.chain.transfer(KLS, HOT, 5_000 * 10**8)
    await scene.grow(FINAL + 1)
    return made


async def sign(owner: asyncpg.Connection, one: Withdrawal, attempt: int = 1) -> str:
    """What the signer writes down before it sends, with its own role. Returns the transaction's hash."""
    number = next(_nonces)
    made = f"0x{number:064x}"
    await owner.execute("SET ROLE kalos_signer")
    try:
        if attempt == 1:
            await owner.execute(
                """
                INSERT INTO signer_nonces (
                    sender, nonce, purpose, withdrawal, hold, asset, recipient, units, value_units, gas, taken_at,
                    taken_block
                ) VALUES ($1, $2, 'withdrawal', $2, $3, $4, $5, $6, 0, 0, 1, 1)
                """,
                HOT, one.id, one.hold, one.asset, one.address, one.units,
            )  # fmt: skip
        await owner.execute(
            """
            INSERT INTO broadcasts (sender, nonce, attempt, withdrawal, raw, hash, max_fee, tip, made_at, made_block)
            VALUES ($1, $2, $3, $2, $4, $5, 1, 1, 1, 1)
            """,
            HOT, one.id, attempt, b"r" * 100, made,
        )  # fmt: skip
    finally:
        await owner.execute("RESET ROLE")
    return made


async def see(owner: asyncpg.Connection, one: Withdrawal, transaction: str, block: int) -> None:
    """What the signer notes of a payment that it finds in a block."""
    await owner.execute("SET ROLE kalos_signer")
    await owner.execute(
        "UPDATE signer_nonces SET seen_hash = $2, seen_block = $3 WHERE withdrawal = $1", one.id, transaction, block
    )
    await owner.execute("RESET ROLE")


def pay(scene: SandboxScene, one: Withdrawal, transaction: str) -> None:
    """The chain takes it into the next block."""
    scene.chain.transfer(one.coin, one.address, one.units, sender=HOT, transaction=transaction)


async def settle(scene: SandboxScene, owner: asyncpg.Connection, one: Withdrawal, transaction: str, block: int) -> None:
    await owner.execute("SET ROLE kalos_signer")
    await owner.execute(
        "INSERT INTO broadcast_ends (withdrawal, outcome, transaction, block, at) VALUES ($1, 'approved', $2, $3, 1)",
        one.id, transaction, block,
    )  # fmt: skip
    await owner.execute("RESET ROLE")
    await service.settle(scene.house, withdrawal=one.id, transaction=transaction, outcome="approved")


async def asked(here: Context, amount: str = "100", asset: str = "USDT") -> Withdrawal:
    """Of an address that the member has had for long."""
    made = here.now - 40 * DAY
    async with here.db.transaction() as db:
        row = await insert_address(
            db, member=here.caller.id, chain=here.house.chain.network.chain_id, address=new_wallet().address,
            label="My wallet", is_listed=False, created_at=made, usable_at=made + DAY,
        )  # fmt: skip
    assert row is not None
    one = (await withdraw(here, amount, asset, wallet=row.id)).withdrawal
    assert one.status == "on_chain_processing"
    return one


@pytest.mark.parametrize("asset", ["USDT", "KLS"])
async def test_a_payment_that_the_chain_has_and_the_ledger_not_yet_is_no_shortage(
    scene: SandboxScene, here: Context, owner: asyncpg.Connection, asset: str
) -> None:
    assert not (await look(scene)).problems
    one = await asked(here, asset=asset)
    first, second = await sign(owner, one), await sign(owner, one, 2)
    assert first != second
    pay(scene, one, second)
    await scene.grow(FINAL + 1)
    found = await look(scene)
    assert not found.problems
    assert sum(standing.books.paid for standing in found.standings) == one.units
    await settle(scene, owner, one, second, found.block.number)
    after = await look(scene)
    assert not after.problems
    assert sum(standing.books.paid for standing in after.standings) == 0


async def test_a_lost_receipt_of_a_payment_that_was_seen_is_no_shortage(
    scene: SandboxScene, here: Context, owner: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = await asked(here)
    transaction = await sign(owner, one)
    pay(scene, one, transaction)
    await scene.grow(FINAL + 1)
    await see(owner, one, transaction, await scene.chain.head() - FINAL)

    async def lost(transaction: str) -> None:
        return None

    with monkeypatch.context() as nodes:
        nodes.setattr(scene.chain, "transaction_transfers", lost)
        with pytest.raises(Outage, match=transaction):
            await look(scene)
    assert await money_out_stopped(scene.house.db) is None
    found = await look(scene)
    assert not found.problems
    assert sum(standing.books.paid for standing in found.standings) == one.units


async def test_a_payment_seen_in_a_later_block_alone_holds_up_no_look(
    scene: SandboxScene, here: Context, owner: asyncpg.Connection
) -> None:
    """The signer's nodes are ahead, and these know nothing of it yet: a theft beside it is still found."""
    one = await asked(here)
    transaction = await sign(owner, one)
    take(scene, one.units)
    await scene.grow(FINAL + 1)
    await see(owner, one, transaction, await scene.chain.head() + 1)
    assert (await look(scene)).standings[0].missing == one.units


async def test_a_payment_that_only_the_chain_remembers_is_no_shortage(
    scene: SandboxScene, here: Context, owner: asyncpg.Connection
) -> None:
    """A restored backup lacks the attempt whose fee was raised; the signer found it by its nonce."""
    one = await asked(here)
    await sign(owner, one)
    raised = f"0x{next(_nonces):064x}"
    pay(scene, one, raised)
    await scene.grow(FINAL + 1)
    await see(owner, one, raised, await scene.chain.head() - FINAL)
    found = await look(scene)
    assert not found.problems
    assert sum(standing.books.paid for standing in found.standings) == one.units


async def test_a_payment_that_was_not_made_hides_no_theft(
    scene: SandboxScene, here: Context, owner: asyncpg.Connection
) -> None:
    """Signed, written down, never sent: and somebody takes as much by hand."""
    one = await asked(here)
    await sign(owner, one)
    take(scene, one.units)
    await scene.grow(FINAL + 1)
    (standing, _) = (await look(scene)).standings
    assert (standing.books.paid, standing.missing) == (0, one.units)
    assert await money_out_stopped(scene.house.db) is not None


async def test_a_transaction_that_moves_something_else_is_no_payment(
    scene: SandboxScene, here: Context, owner: asyncpg.Connection
) -> None:
    one = await asked(here)
    transaction = await sign(owner, one)
    scene.chain.transfer(USDT, one.address, one.units + 1, sender=HOT, transaction=transaction)
    await scene.grow(FINAL + 1)
    assert (await look(scene)).standings[0].missing == one.units + 1


async def test_a_payment_settled_from_a_later_block_hides_no_theft(
    scene: SandboxScene, here: Context, owner: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The signer's nodes are ahead of the worker's: the ledger owes less already, the coins are still there."""
    one = await asked(here)
    transaction = await sign(owner, one)
    take(scene, 1)
    await scene.grow(FINAL + 1)
    head = await scene.chain.head()
    pay(scene, one, transaction)
    await scene.grow(FINAL + 1)
    await settle(scene, owner, one, transaction, head + 1)

    async def behind() -> int:
        return head

    monkeypatch.setattr(scene.chain, "head", behind)
    (standing, _) = (await look(scene)).standings
    assert (standing.books.settled_later, standing.missing) == (one.units, 1)


@pytest.mark.parametrize("seed", range(3))
async def test_whatever_happens_between_two_looks_nothing_is_missing_until_somebody_takes_it(
    scene: SandboxScene, here: Context, owner: asyncpg.Connection, seed: int
) -> None:
    """Top-ups, sweeps, payments and their ends in any order, looked at after each step."""
    chance = random.Random(seed)
    waiting: list[tuple[Withdrawal, str]] = []
    paid: list[tuple[Withdrawal, str, int]] = []
    for _ in range(ROUNDS):
        step = chance.choice(("top up", "ask", "pay", "settle", "sweep", "mine", "mine"))
        if step == "top up":
            scene.pay(20 * ONE + chance.randrange(ONE))
        elif step == "ask" and len(waiting) < 4:
            one = await asked(here, str(chance.randrange(10, 60)))
            waiting.append((one, await sign(owner, one)))
        elif step == "pay" and waiting:
            one, transaction = waiting.pop(chance.randrange(len(waiting)))
            pay(scene, one, transaction)
            paid.append((one, transaction, await scene.chain.head() + 1))
        elif step == "settle" and paid and await scene.chain.head() - paid[0][2] >= FINAL:
            one, transaction, block = paid.pop(0)
            await settle(scene, owner, one, transaction, block)
        elif step == "sweep":
            newest = await scene.chain.block(await scene.chain.head())
            assert newest is not None
            contract = scene.chain.network.contract(USDT).address
            (there,) = await scene.chain.token_balances(contract=contract, owners=[scene.address], block=newest)
            if there and not any(one.sender == scene.address for one in scene.chain._waiting):
                scene.chain.transfer(USDT, HOT, there, sender=scene.address)
        else:
            scene.chain.mine()
        if chance.random() < 0.5:
            await scene.watch()
        assert not (await look(scene)).problems
    assert await money_out_stopped(scene.house.db) is None
    take(scene, 1, of=COLD)
    await scene.grow(FINAL + 2)
    # Coins that arrived and are credited to nobody yet could cover one unit: there are none left by now.
    await scene.watch(2)
    assert (await look(scene)).standings[0].missing == 1
