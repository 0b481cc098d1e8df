"""Processes that end in the middle: a withdrawal is made once or not at all, and who sends it again gets it."""

from dataclasses import replace as changed

from msgspec.structs import replace

from deposits.scene import Crash, Effects, MortalDatabase, MortalLedger
from kalos.domains.context import Context
from kalos.domains.withdrawals import service
from withdrawals.conftest import MakeRich
from withdrawals.scene import asking, holdings, reviewed, wish, withdraw

MOST_EFFECTS = 40
"""More than a withdrawal has: before and after each commit and posting."""


def mortal(ctx: Context, crash_at: int) -> Context:
    """The call in a process that ends at its effect of that number."""
    effects = Effects(crash_at)
    house = changed(ctx.house, db=MortalDatabase(ctx.db, effects), ledger=MortalLedger(ctx.ledger, effects))
    return replace(ctx, house=house)


async def test_whatever_effect_was_the_last_the_request_is_made_once_when_it_comes_again(rich: MakeRich) -> None:
    for crash_at in range(MOST_EFFECTS):
        me = asking(await rich(usdt="100", kls="10"))
        asked = await wish(me, "10")
        ended = False
        try:
            await service.withdraw(mortal(me, crash_at), asked)
            ended = True
        except Crash:
            pass
        placed = await service.withdraw(me, asked)
        assert await me.db.value("SELECT count(*) FROM withdrawals WHERE member = $1", me.caller.id) == 1
        assert (await holdings(me))["USDT held"] == placed.withdrawal.units == 10_000_000
        if ended:
            break
    assert ended
    assert crash_at >= 8


async def test_a_review_that_was_cut_off_is_said_once(rich: MakeRich) -> None:
    for crash_at in range(3):
        me = await rich(usdt="100000", kls="1000")
        one = (await withdraw(me, "20000")).withdrawal
        had = await holdings(me)
        try:
            await reviewed(mortal(me, crash_at), one, is_yes=False)
        except Crash:
            after = await holdings(me)
            assert (after == had) is (crash_at == 0)
        if await holdings(me) == had:
            await reviewed(me, one, is_yes=False)
        assert await holdings(me) == {
            "USDT available": 100_000_000_000,
            "USDT held": 0,
            "KLS available": 100_000_000_000,
            "KLS held": 0,
        }
