"""The dashboard: each figure is what it says, and it is there whatever else is away."""

from datetime import date
from typing import Final

import asyncpg

from conftest import MakeMember
from console.scene import MakeReviewer, wait
from deposits.scene import ONE, SandboxScene
from games.stage import Stage
from kalos.core.assets import KLS, USDT
from kalos.core.clock import business_day
from kalos.domains.context import Context, House
from kalos.domains.deposits.jobs import watch
from kalos.ledger import purse
from kalos.ledger.payables import Debt, owe
from kalos.ledger.payables_settle import settle
from kalos.ledger.postings import Move
from kalos.ledger.purse import Purpose
from kalos.operator import desk_queries
from support.ledger import new_owner, posting
from support.plain import Plain
from withdrawals.scene import withdraw

PATH: Final = "/api/operator/dashboard"


async def test_the_dashboard_tells_what_waits_and_since_when(
    api: Plain, here: Context, scene: SandboxScene, reviewer: MakeReviewer
) -> None:
    who = await reviewer("content")
    before = {row["name"]: row for row in (await api.data(PATH, {}, token=who.token))["queues"]}
    await withdraw(here, "20000")
    scene.pay(ONE)
    scene.pay(5 * 10**8, asset=KLS)
    await scene.grow(4)
    board = await api.data(PATH, {}, token=who.token)
    after = {row["name"]: row for row in board["queues"]}
    grown = {name: after[name]["count"] - before[name]["count"] for name in after}
    assert grown == {"withdrawals": 1, "deposits": 1, "strays": 0, "commands": 0, "tickets": 0}
    assert after["withdrawals"]["oldest_at"] is not None
    assert [row["asset"] for row in board["bankroll"]] == ["USDT", "KLS"]
    assert {row["name"]: row["is_late"] for row in board["jobs"]}["whole audit"] is True
    (price,) = board["prices"]
    assert (price["asset"], price["rate"], price["is_stale"]) == ("KLS", "0.50000000", False)


async def test_the_dashboard_is_there_while_the_chain_is_away(api: Plain, house: House, reviewer: MakeReviewer) -> None:
    who = await reviewer()
    house.chain.away = True  # type: ignore[attr-defined]
    try:
        chain = (await api.data(PATH, {}, token=who.token))["chain"]
    finally:
        house.chain.away = False  # type: ignore[attr-defined]
    assert (chain["head"], chain["lag_blocks"], chain["gas"], chain["gas_low"]) == (None, None, None, False)


async def test_the_dashboard_holds_reserves_against_liabilities(
    api: Plain, house: House, reviewer: MakeReviewer
) -> None:
    who = await reviewer()
    await house.db.execute(
        "INSERT INTO reserves (asset, place, units, block, at) VALUES "
        "('USDT', 'hot', 1000000, 7, 9), ('USDT', 'cold', 2000000, 7, 9), ('USDT', 'deposits', 500000, 7, 9)"
    )
    await house.db.execute(
        "INSERT INTO reserve_checks (asset, owed, expected, missing, block, at) "
        "VALUES ('USDT', 3500001, 3500001, 1, 7, 9)"
    )
    board = await api.data(PATH, {}, token=who.token)
    assert board["assets"] == [
        {
            "asset": "USDT", "liabilities": "3.500001", "hot": "1.000000", "cold": "2.000000", "deposits": "0.500000",
            "reserves": "3.500000", "covered": False,
        }
    ]  # fmt: skip
    await house.db.execute("DELETE FROM reserves")
    await house.db.execute("DELETE FROM reserve_checks")


async def test_the_dashboard_names_the_moment_since_when_the_oldest_waits(
    api: Plain, here: Context, scene: SandboxScene, reviewer: MakeReviewer, database_url: str
) -> None:
    who = await reviewer()
    asked = [str((await withdraw(here, "20000")).withdrawal.id) for _ in range(2)]
    for units in (5 * 10**8, 6 * 10**8):
        scene.pay(units, asset=KLS)
        await scene.grow(4)
    came = [str(row.id) for row in await scene.rows()]
    since = {
        "withdrawals": await wait(database_url, "withdrawals", "requested_at", asked[0], 40),
        "deposits": await wait(database_url, "deposits", "seen_at", came[0], 50),
    }
    queues = (await api.data(PATH, {}, token=who.token))["queues"]
    assert {row["name"]: row["oldest_at"] for row in queues if row["name"] in since} == since


async def test_the_oldest_is_told_also_where_more_wait_than_are_counted(
    house: House, member: MakeMember, database_url: str
) -> None:
    who, owner = await member(), await asyncpg.connect(database_url)
    try:
        for count, at in ((1_001, 5), (1, 4)):  # the oldest was written last
            await owner.execute(
                "INSERT INTO tickets (member, lang, subject, state, created_at, touched_at, asked_at) "
                "SELECT $1, 'en', 'subject', 'open', $3, $3, $3 FROM generate_series(1, $2)", who.id, count, at,
            )  # fmt: skip
        found = {queue.name: queue for queue in await desk_queries.list_queues(house.db)}
    finally:
        await owner.execute("DELETE FROM tickets WHERE member = $1", who.id)
        await owner.close()
    assert (found["tickets"].count, found["tickets"].oldest_at) == (1_000, 4)


async def test_the_dashboard_has_what_is_free_in_the_bankroll_and_what_open_heights_may_cost(
    api: Plain, house: House, member: MakeMember, reviewer: MakeReviewer
) -> None:
    """Of a million coins each the height of this minute sets an eightieth aside, the other one that of the rest."""
    who, stage, player = await reviewer(), Stage(house), await member(usdt="100")
    view = await stage.begin()
    await stage.bet(player, view, "odd", "10")
    board = await api.data(PATH, {}, token=who.token)
    assert board["bankroll"] == [
        {"asset": "USDT", "available": "975156.250000", "reserved": "24843.750000"},
        {"asset": "KLS", "available": "975156.25000000", "reserved": "24843.75000000"},
    ]
    assert board["results"]["open_stakes"][0] == {"asset": "USDT", "staked": "10.000000"}
    await stage.play(view, 1)


async def test_the_dashboard_has_what_each_account_of_the_house_owes(
    api: Plain, house: House, reviewer: MakeReviewer
) -> None:
    """Of the prize pool three: the oldest is paid meanwhile, and the next one in part."""
    who = await reviewer()
    prizes, nfts = purse.house(Purpose.PRIZE_POOL, USDT), purse.house(Purpose.NFT_POOL, KLS)
    since = [await owed(house, prizes, units) for units in (5 * ONE, 7 * ONE, ONE)]
    later = await owed(house, nfts, 300_000_000)
    paid = Move("test.fund", purse.outside(Purpose.CHAIN, USDT), prizes, 6 * ONE + 1)
    await house.ledger.post(posting(paid))
    await settle(house.db, house.ledger, part_of=date(2026, 1, 1))
    assert (await api.data(PATH, {}, token=who.token))["payables"] == [
        {"account": "prize_pool", "asset": "USDT", "amount": "6.999999", "count": 2, "oldest_at": since[1]},
        {"account": "nft_pool", "asset": "KLS", "amount": "3.00000000", "count": 1, "oldest_at": later},
    ]


async def owed(house: House, account: int, units: int) -> int:
    """An account of the house owes somebody so much. Returns since when: no two since the same moment."""
    house.clock.offset_ms += 1_000
    debt = Debt("test.owed", purse.available(new_owner(), purse.asset_of(account)), units, 7)
    takes, riders = owe(account, [debt], business_day(house.clock.now()))
    return (await house.ledger.post(posting(takes=takes, riders=riders))).at


async def test_the_dashboard_has_the_chains_height_its_lag_and_the_gas(
    api: Plain, house: House, reviewer: MakeReviewer
) -> None:
    who = await reviewer()
    await house.db.execute("UPDATE reserve_state SET gas_gwei = 1250000001, is_gas_low = true")
    while (height := await read_to(house)) < await house.chain.head():
        await watch(house)
    for _ in range(3):
        house.chain.mine()  # type: ignore[attr-defined]
    assert (await api.data(PATH, {}, token=who.token))["chain"] == {
        "height": height, "head": height + 3, "lag_blocks": 3, "gas": "1.250000001", "gas_low": True,
    }  # fmt: skip
    await house.db.execute("UPDATE reserve_state SET gas_gwei = NULL, is_gas_low = false")


async def read_to(house: House) -> int:
    """The last block that the watcher has read; before the first none."""
    query = "SELECT number FROM deposit_cursors WHERE chain_id = $1"
    number: int | None = await house.db.value(query, house.chain.network.chain_id)
    return -1 if number is None else number
