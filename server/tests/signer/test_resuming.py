"""After a pause, and after records that went back in time: what the chain has is found, and nothing is paid twice."""

import dataclasses
import re
from pathlib import Path

import pytest

from kalos.adapters.chain.paying import PayingChain
from kalos.adapters.chain.sandbox import SANDBOX_XPUB
from kalos.core.assets import KLS, USDT, Asset
from kalos.core.clock import SECOND_MS, Clock
from kalos.core.payments import Outgoing, Payment
from kalos.core.ports import Block
from kalos.signer import queries, resuming, rules
from kalos.signer.resuming import NotYet, resume
from kalos.signer.steps import turn
from kalos.signer.sweeping import sweep
from signer.scene import COIN, Scene, new_address, with_limits
from signer.test_paying import reverting
from signer.test_sweeping import deposit, rows
from support.chains import patient

_LOST = ("broadcasts", "signer_nonces", "broadcast_ends")


async def forget(scene: Scene, withdrawal: int) -> None:
    """Go back to a time before this one was signed, as a restored backup does: paused, its records gone."""
    await scene.owner("ALTER TABLE broadcasts DISABLE TRIGGER USER")
    await scene.owner("ALTER TABLE signer_nonces DISABLE TRIGGER USER")
    for table in _LOST:
        await scene.owner(f"DELETE FROM {table} WHERE withdrawal = $1", withdrawal)
    await scene.owner("ALTER TABLE broadcasts ENABLE TRIGGER USER")
    await scene.owner("ALTER TABLE signer_nonces ENABLE TRIGGER USER")
    await scene.owner("UPDATE signer_state SET paused = true, reason = 'restored', by = 'restore', at = at + 1")


async def go_on(scene: Scene, *, accept_unknown: str | None = None) -> list[str]:
    told: list[str] = []
    await resume(scene.bench, tell=told.append, reason="looked at", by="a test", accept_unknown=accept_unknown)
    return told


async def test_a_payment_that_the_records_lost_is_found_and_not_made_again(scene: Scene) -> None:
    before, one = await scene.ask("1"), await scene.ask("100")
    await scene.finish(before, one)
    transaction = (await scene.attempts(one))[0]["hash"]
    await forget(scene, one)
    await turn(scene.bench)
    assert await scene.attempts(one) == []
    assert await go_on(scene) == [f"{transaction}: withdrawal {one}, approved"]
    assert await scene.ends(one) == ["approved"]
    assert await scene.reason() is None
    later = await scene.ask("2")
    await scene.finish(later)
    assert (await scene.has(one), await scene.has(later)) == (100 * COIN, 2 * COIN)


async def stray(scene: Scene, units: int, *, coin: Asset | None = USDT) -> tuple[str, str]:
    """A payment with the signer's key that its records don't have, mined: its transaction, and whom it was to pay."""
    chain, hot = scene.bench.chain, scene.bench.keys.hot
    payment = Payment(
        chain_id=chain.network.chain_id,
        nonce=await chain.next_nonce(hot.address, waiting=True),
        contract=None if coin is None else chain.network.contract(coin).address,
        recipient=new_address(),
        units=units,
        gas=21_000 if coin is None else 120_000,
    )
    signed = hot.sign(payment, await chain.fees())
    await chain.send(signed.raw)
    await scene.node.mine(5)
    return signed.hash, payment.recipient


async def sums(scene: Scene) -> tuple[int, int]:
    """What counts for the hour and the day now, in units of USDT."""
    hour, day = rules.since(Clock.wall())
    return await queries.sum_spent(scene.bench.db, hour), await queries.sum_spent(scene.bench.db, day)


async def test_what_was_found_counts_with_its_value_in_the_sums(scene: Scene) -> None:
    one, third = await scene.ask("100"), await scene.ask("10", KLS)
    other = await scene.ask("40", KLS, row={"value_units": 1})
    await scene.finish(one, other, third)
    for lost in (one, other, third):
        await forget(scene, lost)
    before, began = await sums(scene), Clock.wall()
    assert len(await go_on(scene)) == 3
    # 100 USDT, and 40 KLS for no less than their floor of 0.40 each, whatever the row says; 10 KLS at the row's 0.5.
    assert [now - then for now, then in zip(await sums(scene), before, strict=True)] == [121 * COIN, 121 * COIN]
    assert await scene.made_with(one) == (None,) * 4
    assert await scene.made_with(third) == (1, 2, 0, "test")
    *rate, at, source = await scene.made_with(other)
    assert (rate, source) == ([2, 5], "least_price")
    assert began <= at <= Clock.wall()
    more = await scene.ask("1")
    await turn(with_limits(scene, hour=(await sums(scene))[0] // COIN))
    assert await scene.reason() == "hour_limit"
    assert await scene.attempts(more) == []
    await scene.go_on()
    await scene.finish(more)


async def test_a_stolen_payment_counts_too_once_it_is_accepted(scene: Scene) -> None:
    transaction, _ = await stray(scene, 7 * COIN)
    before = await sums(scene)
    await go_on(scene, accept_unknown=transaction)
    assert [now - then for now, then in zip(await sums(scene), before, strict=True)] == [7 * COIN, 7 * COIN]


async def raised_and_forgotten(scene: Scene) -> tuple[int, str]:
    """A withdrawal whose fee was raised, and the dearer transaction, which the records lack as after a restore."""
    one = await scene.ask("100")
    await turn(scene.bench)
    (first,) = await scene.attempts(one)
    await scene.node.node.call("anvil_dropTransaction", first["hash"])
    await scene.node.mine(scene.bench.limits.raise_blocks)
    await turn(scene.bench)
    _, dearer = await scene.attempts(one)
    await scene.owner("ALTER TABLE broadcasts DISABLE TRIGGER USER")
    await scene.owner("DELETE FROM broadcasts WHERE hash = $1", dearer["hash"])
    await scene.owner("ALTER TABLE broadcasts ENABLE TRIGGER USER")
    await scene.owner("UPDATE signer_state SET paused = true, reason = 'restored', by = 'restore', at = at + 1")
    return one, dearer["hash"]


async def test_a_dearer_attempt_that_the_records_lost_is_the_same_payment(scene: Scene) -> None:
    """Given back it would be paid twice; and it is looked at while the signer is paused, before anybody resumes."""
    one, transaction = await raised_and_forgotten(scene)
    await scene.node.mine(scene.node.chain.network.confirmations + 1)
    for _ in range(2):
        await turn(scene.bench)
    assert await scene.ends(one) == ["approved"]
    found = await scene.bench.db.value("SELECT transaction FROM broadcast_ends WHERE withdrawal = $1", one)
    assert (found, await scene.has(one)) == (transaction, 100 * COIN)


async def test_a_dearer_attempt_that_the_records_lost_and_that_reverted_has_failed(scene: Scene) -> None:
    one, _ = await raised_and_forgotten(scene)
    async with reverting(scene):
        await scene.node.mine(scene.node.chain.network.confirmations + 1)
    await turn(scene.bench)
    assert await scene.ends(one) == ["failed"]
    assert await scene.has(one) == 0


class TwoHoursAgo(PayingChain):
    """The node's chain, had its blocks been mined two hours before."""

    async def block(self, number: int) -> Block | None:
        found = await super().block(number)
        return found and dataclasses.replace(found, time=Clock.wall() // SECOND_MS - 7_200)


async def test_what_was_found_counts_from_the_time_of_its_block(scene: Scene) -> None:
    one = await scene.ask("100")
    await scene.finish(one)
    await forget(scene, one)
    before = await sums(scene)
    chain = patient(TwoHoursAgo(scene.bench.chain.network, urls=[scene.node.url], xpub=SANDBOX_XPUB))
    bench = dataclasses.replace(scene.bench, chain=chain)
    await resume(bench, tell=list[str]().append, reason="looked at", by="a test")
    await chain.close()
    assert [now - then for now, then in zip(await sums(scene), before, strict=True)] == [0, 100 * COIN]


async def test_a_withdrawal_that_is_back_in_review_is_never_paid_again(scene: Scene) -> None:
    one = await scene.ask("100")
    await scene.finish(one)
    await forget(scene, one)
    await scene.owner("ALTER TABLE withdrawals DISABLE TRIGGER USER")
    await scene.owner(
        "UPDATE withdrawals SET status = 'pending_review', needed = 1, decided_at = NULL WHERE id = $1", one
    )
    (line,) = await go_on(scene)
    assert "say yes, for it is paid" in line
    await scene.owner(
        "UPDATE withdrawals SET status = 'on_chain_processing', needed = 0, decided_at = 1 WHERE id = $1", one
    )
    await scene.owner("ALTER TABLE withdrawals ENABLE TRIGGER USER")
    for _ in range(5):
        await turn(scene.bench)
        await scene.node.mine()
    assert await scene.has(one) == 100 * COIN
    assert await scene.attempts(one) == []


async def test_it_stays_paused_until_a_lost_payment_is_final(scene: Scene) -> None:
    one = await scene.ask("100")
    await turn(scene.bench)
    await forget(scene, one)
    with pytest.raises(NotYet, match="wait for a block"):
        await go_on(scene)
    await scene.node.mine()
    with pytest.raises(NotYet, match="isn't final yet"):
        await go_on(scene)
    assert await scene.reason() == "restored"
    await scene.node.mine(scene.node.chain.network.confirmations)
    await go_on(scene)
    assert await scene.ends(one) == ["approved"]


async def test_a_payment_of_no_withdrawal_must_be_accepted_by_name(scene: Scene) -> None:
    transaction, recipient = await stray(scene, 1, coin=None)
    one = await scene.ask("100")
    await turn(scene.bench)
    assert await scene.reason() == "unknown_payment"
    with pytest.raises(NotYet, match=rf"^{transaction}: 1 units of the chain's own coin, .* to {recipient}\n"):
        await go_on(scene)
    assert await scene.reason() == "unknown_payment"
    (line,) = await go_on(scene, accept_unknown=transaction)
    assert line.endswith(f"no member asked for it, to {recipient}")
    await scene.finish(one)
    assert await scene.has(one) == 100 * COIN


async def test_nobody_accepts_a_payment_that_was_not_named(scene: Scene) -> None:
    known = await scene.ask("100")
    await scene.finish(known)
    await forget(scene, known)
    hashes = []
    for units in (5, 7):
        hashes.append((await stray(scene, units * COIN))[0])
        for accepted in (None, *hashes[:-1]):
            with pytest.raises(NotYet) as refused:
                await go_on(scene, accept_unknown=accepted)
            *named, what_to_do = str(refused.value).splitlines()
            assert [line.partition(" to ")[0] for line in named] == [
                f"{one}: {paid}.000000 USDT" for one, paid in zip(hashes, (5, 7), strict=False)
            ]
            assert what_to_do.endswith(f"--accept-unknown {hashes[-1]}")
        assert await scene.ends(known) == []
    assert len(await go_on(scene, accept_unknown=hashes[-1])) == 3
    assert await scene.ends(known) == ["approved"]


async def test_a_payment_that_failed_is_named_as_one(scene: Scene) -> None:
    # More than anybody has, and than a withdrawal can be of.
    transaction, recipient = await stray(scene, 2**70)
    await scene.owner("UPDATE signer_state SET paused = true, reason = 'looked at'")
    with pytest.raises(NotYet, match=f" to {recipient}, which failed: nothing was paid\n"):
        await go_on(scene)
    before = await sums(scene)
    (line,) = await go_on(scene, accept_unknown=transaction)
    assert line.endswith("nothing was paid")
    assert await sums(scene) == before


async def test_a_pause_that_comes_while_it_is_looked_at_stands(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    db = scene.bench.db
    await queries.pause(db, reason="a look", by="ann", wall=Clock.wall())

    async def interrupted(*_: object) -> list[Outgoing]:
        assert not await queries.pause(db, reason="theft", by="bob", wall=Clock.wall())
        assert await queries.add_reason(db, reason="theft", by="bob", wall=Clock.wall())
        return []

    with monkeypatch.context() as patch:
        patch.setattr(resuming, "_lost_payments", interrupted)
        with pytest.raises(NotYet, match="paused once more"):
            await go_on(scene)
    assert (await queries.find_state(db)).reason == "a look\nbob: theft"
    assert await go_on(scene) == []
    assert not await queries.add_reason(db, reason="late", by="bob", wall=Clock.wall())


async def test_a_long_first_reason_leaves_room_for_another(scene: Scene) -> None:
    await queries.pause(scene.bench.db, reason="x" * 3_000, by="ann", wall=Clock.wall())
    await queries.add_reason(scene.bench.db, reason="theft", by="bob", wall=Clock.wall())
    reason = (await queries.find_state(scene.bench.db)).reason
    assert reason is not None
    assert (len(reason), reason.endswith("x\nbob: theft")) == (2_000, True)
    await go_on(scene)


async def test_gas_of_a_sweep_that_the_records_lost_is_known_by_its_address(scene: Scene) -> None:
    owner, _ = await deposit(scene, 2_000)
    await turn(scene.bench, more=sweep)
    assert await rows(scene, owner) == [("gas", None)]
    await scene.node.mine(5)
    await scene.owner("ALTER TABLE broadcasts DISABLE TRIGGER USER")
    await scene.owner("ALTER TABLE signer_nonces DISABLE TRIGGER USER")
    await scene.owner("DELETE FROM broadcasts WHERE sender = $1", scene.bench.keys.hot.address)
    await scene.owner("DELETE FROM signer_nonces WHERE owner = $1", owner)
    await scene.owner("ALTER TABLE broadcasts ENABLE TRIGGER USER")
    await scene.owner("ALTER TABLE signer_nonces ENABLE TRIGGER USER")
    await turn(scene.bench, more=sweep)
    one = await scene.ask("3")
    await turn(scene.bench)
    assert await scene.reason() == "unknown_payment"
    (line,) = await go_on(scene)
    assert line.endswith("gas for a deposit address")
    await scene.finish(one)
    assert await scene.has(one) == 3 * COIN


async def test_what_was_sent_is_followed_to_its_end_while_it_is_paused(scene: Scene) -> None:
    one = await scene.ask("100")
    await turn(scene.bench)
    await scene.owner("UPDATE signer_state SET paused = true, reason = 'looked at'")
    await scene.node.mine(5)
    await turn(scene.bench)
    assert await scene.ends(one) == ["approved"]


async def test_orders_of_an_operator(scene: Scene, tmp_path: Path) -> None:
    from kalos.app.settings import load_settings
    from kalos.app.signer_orders import USAGE, obey
    from signer.scene import SignerProcess

    process = SignerProcess(scene, tmp_path, rpc=scene.node.url)
    settings = load_settings({name: process._environment[name] for name in process._environment if name.isupper()})
    await process.end()
    for wrong in ([], ["stop"], ["pause"], ["pause", "--reason", " "], ["trust", "ann"], ["show", "all"]):
        assert await obey(settings, wrong) == (2, USAGE)
    assert await obey(settings, ["pause", "--reason", "a look"]) == (0, "the signer is paused")
    assert await obey(settings, ["pause", "--reason", "another"]) == (
        0,
        "the signer is paused already: this reason stands behind the first",
    )
    code, text = await obey(settings, ["show"])
    assert code == 0
    assert "paused by" in text
    assert re.search(r": a look\n\S+: another$", text)
    assert scene.bench.keys.hot.address in text
    for wrong in (["--accept"], ["--accept-unmoved", "--force"], ["--accept-unknown"], ["--accept-unknown", "a", "b"]):
        assert await obey(settings, ["resume", "--reason", "looked", *wrong]) == (2, USAGE)
    assert await obey(settings, ["resume", "--reason", "looked"]) == (0, "the signer goes on")
    assert await obey(settings, ["pause", "--reason", "a look"]) == (0, "the signer is paused")
    accepted = ["--accept-unmoved", "--accept-unknown", "0x" + "ab" * 32]
    assert await obey(settings, ["resume", "--reason", "looked", *accepted]) == (0, "the signer goes on")
    assert await scene.reason() is None
    key = "ab" * 32
    assert await obey(settings, ["trust", "ann", key]) == (0, "ann is trusted")
    assert scene.folder.reviewers()["ann"] == bytes.fromhex(key)
    assert (await obey(settings, ["trust", "bob", key]))[0] == 1
    assert (await obey(settings, ["trust", "bob", "ab"]))[0] == 1
    assert await obey(settings, ["distrust", "ann"]) == (0, "ann is no longer trusted")
    assert (await obey(settings, ["distrust", "ann"]))[0] == 1
