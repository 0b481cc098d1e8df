"""An address that is old enough for the house and too new for the signer: nobody is at fault, and nobody else waits."""

from dataclasses import replace

import pytest
from msgspec import structs

from kalos.core.clock import HOUR_MS, Clock
from kalos.domains.context import Context
from kalos.domains.withdrawals import jobs
from kalos.domains.withdrawals.errors import AddressWaiting
from kalos.domains.withdrawals.tables import Withdrawal
from kalos.signer.steps import turn
from signer.scene import COIN, LIMITS, Scene
from signer.test_returning import book, returns
from signer.test_whole import Rich, rich, say_yes
from withdrawals.scene import holdings, reviewed, stored, withdraw, write_down

__all__ = ["rich"]


class Later(Clock):
    """After the signer's wait."""

    @staticmethod
    def wall() -> int:
        return Clock.wall() + HOUR_MS


async def withdraw_early(scene: Scene, me: Context) -> tuple[Withdrawal, int]:
    """One that the house lets go an hour before the signer would; returns it, and that time."""
    number, written_at = await write_down(me), Clock.wall() - (LIMITS.address_wait - 1) * HOUR_MS
    await scene.owner("UPDATE withdrawal_addresses SET written_at = $2 WHERE id = $1", number, written_at)
    return (await withdraw(me, "100", wallet=number)).withdrawal, written_at + LIMITS.address_wait * HOUR_MS


async def test_a_young_address_brings_it_back_and_stops_nobody(scene: Scene, rich: Rich) -> None:
    """Until its time nobody says yes; a no returns everything at once."""
    me = await rich(usdt="1000", kls="20")
    had = await holdings(me)
    one, until = await withdraw_early(scene, me)
    other = await scene.ask("5")
    await scene.finish(other)
    assert (await scene.reason(), await scene.has(other)) == (None, 5 * COIN)
    assert (await scene.attempts(one.id), await returns(scene, one.id)) == ([], [(1, "young_address", until)])
    assert await jobs.take_back(me.house) == 1
    back = await stored(me, one.id)
    assert (back.status, back.needed, back.returned) == ("pending_review", 1, 1)
    assert back.risks == [{"reason": "young_address", "detail": str(until)}]
    assert (back.first_status, back.first_needed, back.first_risks) == ("on_chain_processing", 0, [])
    with pytest.raises(AddressWaiting) as refused:
        await reviewed(me, back)
    assert refused.value.until == until
    assert await stored(me, one.id) == back
    assert (await reviewed(me, back, is_yes=False)).status == "refused"
    assert await holdings(me) == had


async def test_from_its_time_on_a_yes_sends_it(scene: Scene, rich: Rich) -> None:
    me = await rich(usdt="1000", kls="20")
    one, _ = await withdraw_early(scene, me)
    await turn(scene.bench)
    await jobs.take_back(me.house)
    later = structs.replace(me, house=replace(me.house, clock=Later()))
    await scene.owner("UPDATE withdrawal_addresses SET written_at = written_at - $2 WHERE id = $1", one.wallet, HOUR_MS)
    await say_yes(scene, later, one.id, "ann")
    await scene.finish(one.id)
    await book(me, one.id)
    assert (await scene.has(one.id), (await stored(me, one.id)).status) == (100 * COIN, "approved")


async def test_one_that_comes_too_early_and_lacks_signatures_waits_first(scene: Scene) -> None:
    """No signature would let it go before that."""
    one = await scene.ask("10001", age_hours=LIMITS.address_wait - 1)
    await turn(scene.bench)
    ((revision, reason, until),) = await returns(scene, one)
    assert (await scene.reason(), await scene.attempts(one), revision, reason) == (None, [], 1, "young_address")
    assert 0 < until - Clock.wall() <= HOUR_MS
