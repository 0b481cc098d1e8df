"""What a reviewer is shown of balances before and after is what the decision then does."""

from typing import Any

import asyncpg
import pytest

from console.scene import MakeReviewer
from console.test_desk import DECIDE, HALF, REVIEW, decision
from deposits.scene import ONE, SandboxScene
from kalos.core.assets import BY_CODE, KLS, USDT, Asset
from kalos.core.money import text_of
from kalos.domains.context import Context, House
from kalos.domains.withdrawals.service import settle
from kalos.ledger import purse
from kalos.ledger.purse import Purpose
from kalos.ledger.statements import balances_of
from support.plain import Plain
from withdrawals.scene import withdraw


async def shown(api: Plain, who: Any, queue: str, number: int) -> list[dict[str, str]]:
    rows = (await api.data(f"/api/operator/{queue}", {"size": 100}, token=who.token))["list"]
    return list(next(row["effects"] for row in rows if row["id"] == str(number)))


async def now(house: House, member: int, effect: dict[str, str]) -> str:
    """What the account of an effect has now."""
    asset: Asset = BY_CODE[effect["asset"]]
    owner = member if effect["account"] else purse.HOUSE
    account = purse.account(owner, asset, Purpose[effect["place"].upper()])
    return text_of((await balances_of(house.db, owner)).get(account, 0), asset)


async def agrees(house: House, member: int, effects: list[dict[str, str]], verdict: str, side: str) -> None:
    chosen = [one for one in effects if one["verdict"] == verdict]
    assert [await now(house, member, one) for one in chosen] == [one[side] for one in chosen]


@pytest.mark.parametrize("verdict", ["yes", "no"])
async def test_a_review_shows_what_the_answer_does_to_the_members_balances(
    api: Plain, here: Context, reviewer: MakeReviewer, verdict: str
) -> None:
    one, who = (await withdraw(here, HALF)).withdrawal, await reviewer()
    effects = await shown(api, who, "withdrawals", one.id)
    told = {(row["verdict"], row["account"], row["place"], row["asset"]) for row in effects}
    mine = one.account
    assert told == {
        ("yes", mine, "held", "USDT"), ("yes", mine, "held", "KLS"), ("yes", "", "fees", "KLS"),
        ("no", mine, "held", "USDT"), ("no", mine, "available", "USDT"),
        ("no", mine, "held", "KLS"), ("no", mine, "available", "KLS"),
    }  # fmt: skip
    held = next(row for row in effects if (row["verdict"], row["place"], row["asset"]) == ("no", "held", "USDT"))
    assert (held["before"], held["after"]) == ("20000.000000", "0.000000")
    for either in ("yes", "no"):
        await agrees(here.house, here.caller.id, effects, either, "before")
    done = await api.data(REVIEW, who.body(one, verdict), token=who.token)
    assert done["effects"] == []
    if verdict == "yes":
        await settle(here.house, withdrawal=one.id, transaction=f"0x{one.id:064x}", outcome="approved")
    await agrees(here.house, here.caller.id, effects, verdict, "after")


@pytest.mark.parametrize(
    ("verdict", "reason", "moved"),
    [
        ("credit", "below_minimum", ["suspense", "available"]),
        ("credit", "other_asset", ["available"]),
        ("refuse", "other_asset", []),
        ("refuse", "closed_account", ["suspense"]),
    ],
)
async def test_a_decision_on_a_top_up_shows_what_it_does_to_balances(
    api: Plain,
    scene: SandboxScene,
    house: House,
    reviewer: MakeReviewer,
    database_url: str,
    verdict: str,
    reason: str,
    moved: list[str],
) -> None:
    who = await reviewer()
    scene.pay(3 * ONE, asset=KLS if reason == "other_asset" else USDT)
    await scene.grow(4)
    (deposit,) = await scene.rows()
    owner = await asyncpg.connect(database_url)
    await owner.execute("UPDATE deposits SET reason = $2 WHERE id = $1", deposit.id, reason)
    await owner.close()
    effects = await shown(api, who, "deposits", deposit.id)
    assert [row["place"] for row in effects if row["verdict"] == verdict] == moved
    assert all(row["account"] == ("" if row["place"] == "suspense" else scene.member.account) for row in effects)
    await agrees(house, scene.member.id, effects, verdict, "before")
    await api.data(DECIDE, decision(deposit.id, deposit.revision, verdict), token=who.token)
    await agrees(house, scene.member.id, effects, verdict, "after")
