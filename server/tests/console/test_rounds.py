"""A withdrawal that the signer gave back is looked at anew, by the same people if need be: each round counts alone."""

import asyncpg

from console.scene import MakeReviewer
from console.test_desk import REVIEW, WHOLE
from kalos.domains.context import Context
from kalos.domains.withdrawals import jobs
from kalos.domains.withdrawals.tables import Withdrawal
from support.plain import Plain
from withdrawals.scene import stored, withdraw


async def give_back(me: Context, owner_url: str, one: Withdrawal) -> Withdrawal:
    """As the signer's word brings it back."""
    db = await asyncpg.connect(owner_url)
    try:
        await db.execute("SET ROLE kalos_signer")
        word = "INSERT INTO broadcast_returns (withdrawal, revision, reason, at) VALUES ($1, $2, 'account_frozen', 1)"
        await db.execute(word, one.id, one.revision)
    finally:
        await db.close()
    await jobs.take_back(me.house)
    return await stored(me, one.id)


async def test_who_said_yes_before_it_came_back_says_so_again(
    api: Plain, here: Context, reviewer: MakeReviewer, database_url: str
) -> None:
    one, first, second = (await withdraw(here, WHOLE)).withdrawal, await reviewer(), await reviewer()
    earlier = first.sign(one)
    for who in (first, second):
        await api.data(REVIEW, who.body(await stored(here, one.id)), token=who.token)
    back = await give_back(here, database_url, await stored(here, one.id))
    shown = next(
        row
        for row in (await api.data("/api/operator/withdrawals", {"size": 100}, token=first.token))["list"]
        if row["id"] == str(one.id)
    )
    assert (shown["round"], shown["needed"], [said["round"] for said in shown["reviews"]]) == (1, 2, [0, 0])
    assert shown["message"].splitlines()[-1] == "1"
    answer = await api.post(REVIEW, first.body(back, signature=earlier), token=first.token)
    assert answer["data"]["errors"] == [{"field": "signature", "reason": "invalid"}]
    again = await api.data(REVIEW, first.body(back), token=first.token)
    assert (again["status"], [said["round"] for said in again["reviews"]]) == ("pending_review", [0, 0, 1])
    last = await api.data(REVIEW, second.body(await stored(here, one.id)), token=second.token)
    assert last["status"] == "on_chain_processing"
