"""An address that is listed while the signer waits to pay there."""

import pytest

from kalos.domains.wallets.queries import mark_listed
from kalos.domains.withdrawals import jobs
from kalos.signer.steps import turn
from signer.scene import COIN, Scene
from signer.test_returning import book, returns
from signer.test_whole import Rich, rich, say_yes
from withdrawals.scene import stored, withdraw

__all__ = ["rich"]


@pytest.mark.parametrize("signed", [(), ("ann",)], ids=["unseen", "seen"])
async def test_what_goes_to_an_address_that_was_listed_since_comes_back_and_is_signed_anew(
    scene: Scene, rich: Rich, signed: tuple[str, ...]
) -> None:
    """Also where somebody had said yes: the list didn't have it then."""
    me = await rich(usdt="20000", kls="1000")
    one = (await withdraw(me, "15000" if signed else "100")).withdrawal
    for name in signed:
        await say_yes(scene, me, one.id, name)
    await mark_listed(me.db, [one.wallet])
    other = await scene.ask("5")
    await scene.finish(other)
    assert (await scene.reason(), await scene.has(other), await scene.attempts(one.id)) == (None, 5 * COIN, [])
    assert await returns(scene, one.id) == [(1 + len(signed), "listed_since", None)]
    assert await jobs.take_back(me.house) == 1
    back = await stored(me, one.id)
    assert (back.status, back.needed, back.risks[-1]) == ("pending_review", 1, {"reason": "listed_since", "detail": ""})
    assert (back.first_needed, back.first_risks) == (len(signed), one.risks)
    await jobs.screen(me.house)
    assert await stored(me, one.id) == back, "nobody is told twice"
    await turn(scene.bench)
    assert await scene.attempts(one.id) == []
    await say_yes(scene, me, one.id, "bob")
    await scene.finish(one.id)
    await book(me, one.id)
    assert await scene.has(one.id) == one.units
