"""Alarms of money and of what comes from outside: reserves, signer, chain, clocks, prices, the archive."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from faults.station import ALARMS, Station, open_station
from kalos.adapters.chain.sandbox import SandboxChain
from kalos.app.embedded.postgres import RunningCluster
from kalos.app.migrate import migrate
from kalos.app.settings import Settings
from kalos.app.signer_watch import tell_of_orders
from kalos.core.assets import KLS
from kalos.core.clock import DAY_MS, HOUR_MS, Clock
from kalos.core.terms import Terms
from kalos.domains.deposits.jobs import watch as read_blocks
from kalos.domains.deposits.rules import MOST_BEHIND
from kalos.domains.prices.service import order_price
from kalos.domains.protection.queries import insert_number
from kalos.domains.pulse.jobs import Heart
from support import clusters
from support.clusters import SECRET
from support.doors import house_of
from support.ledger import posting
from support.promql import fires


async def look_at_reserves(station: Station, **found: object) -> None:
    """What a look leaves behind: nothing is amiss but what is told."""
    told = {"missing": 0, "hot_mark": None, "is_gas_low": False, "at": Clock.wall()} | found
    await station.db.execute(
        """
        INSERT INTO reserve_checks (asset, owed, expected, missing, hot_mark, block, at)
        VALUES ('USDT', 5, 5, $1, $2, 1, $3) ON CONFLICT (asset)
        DO UPDATE SET missing = excluded.missing, hot_mark = excluded.hot_mark, at = excluded.at
        """,
        told["missing"],
        told["hot_mark"],
        told["at"],
    )
    await station.db.execute(
        "UPDATE reserve_state SET at = $1, block = 1, gas_gwei = 1, is_gas_low = $2", told["at"], told["is_gas_low"]
    )


async def test_reserves_that_are_short(station: Station) -> None:
    await look_at_reserves(station)
    async with station.expect("ReservesShort"):
        await look_at_reserves(station, missing=1)


async def test_reserves_that_nobody_looks_at(station: Station) -> None:
    await look_at_reserves(station)
    async with station.expect("ReservesUnseen"):
        await look_at_reserves(station, at=Clock.wall() - 400_000)
    await look_at_reserves(station)
    async with station.expect("ReservesUnseen"):
        await station.db.execute("UPDATE reserve_state SET at = NULL")


async def test_a_hot_wallet_beyond_its_marks_and_little_gas(station: Station) -> None:
    for mark in ("low", "high"):
        await look_at_reserves(station)
        async with station.expect("HotWalletMark"), station.expect("GasLow"):
            await look_at_reserves(station, hot_mark=mark, is_gas_low=True)


async def test_a_signer_that_stops(station: Station) -> None:
    now = Clock.wall()
    await station.owner.execute("UPDATE signer_state SET beat_at = $1", now)
    async with station.expect("SignerPaused"), station.expect("SignerDown"):
        await station.owner.execute(
            "UPDATE signer_state SET paused = true, reason = 'a test', beat_at = $1", now - 120_000
        )
    settings = Settings(database_url=station.url, installation_secret=SECRET.hex())
    assert [await tell_of_orders(station.db, settings) for _ in range(2)] == [True, False]
    mails = "SELECT count(*) FROM domain_outbox WHERE body ->> 'mail' = 'signer_paused'"
    assert await station.db.value(mails) == 1
    await station.owner.execute("UPDATE signer_state SET at = at + 1")
    assert await tell_of_orders(station.db, settings)
    await station.owner.execute("UPDATE signer_state SET paused = false, beat_at = NULL")
    assert not await tell_of_orders(station.db, settings)


async def test_a_signer_that_waits(station: Station) -> None:
    """Whatever for; where somebody paused it, that is told instead."""
    async with station.expect("SignerWaits"):
        await station.owner.execute("UPDATE signer_state SET waiting = 'the hot wallet has too little USDT'")
    await station.owner.execute("UPDATE signer_state SET paused = true, reason = 'a test'")
    now = await station.scrape()
    assert not fires(ALARMS["SignerWaits"], now, now)
    await station.owner.execute("UPDATE signer_state SET paused = false, waiting = NULL")


async def test_a_withdrawal_that_lacks_signatures(station: Station) -> None:
    """Only of the last day, and not what came back because of its member."""
    returned = "INSERT INTO broadcast_returns (withdrawal, revision, reason, at, needed) VALUES ($1, 1, $2, $3, $4)"
    now = Clock.wall()
    await station.owner.execute("SET session_replication_role = replica")
    try:
        await station.owner.execute(returned, 1, "account_frozen", now, None)
        await station.owner.execute(returned, 2, "not_reviewed", now - DAY_MS, 1)
        async with station.expect("SignaturesMissing"):
            await station.owner.execute(returned, 3, "not_reviewed", now, 1)
    finally:
        await station.owner.execute("DELETE FROM broadcast_returns")
        await station.owner.execute("SET session_replication_role = origin")


async def test_a_withdrawal_to_a_young_address(station: Station) -> None:
    """Only of the last day, and not what came back because of its member."""
    returned = "INSERT INTO broadcast_returns (withdrawal, revision, reason, at, until_at) VALUES ($1, 1, $2, $3, $4)"
    now = Clock.wall()
    await station.owner.execute("SET session_replication_role = replica")
    try:
        await station.owner.execute(returned, 1, "security_hold", now, now + DAY_MS)
        await station.owner.execute(returned, 2, "young_address", now - DAY_MS, now)
        async with station.expect("AddressTooYoung"):
            await station.owner.execute(returned, 3, "young_address", now, now + DAY_MS)
    finally:
        await station.owner.execute("DELETE FROM broadcast_returns")
        await station.owner.execute("SET session_replication_role = origin")


async def heart_of(station: Station, terms: Terms, clock: Clock) -> tuple[Heart, SandboxChain]:
    """A worker's heart that has beaten over a chain whose block came in time."""
    house = replace(house_of(station.db, station.client, clock, terms), is_demo=False)
    assert isinstance(house.chain, SandboxChain)
    for ago in (4, 2, 0):
        house.chain.mine(time=clock.now() // 1000 - ago)
    heart = Heart(house)
    await station.db.execute("UPDATE chain_pulse SET holder = NULL, beat_at = NULL")
    await heart.beat()
    return heart, house.chain


async def test_games_that_are_closed(station: Station, terms: Terms) -> None:
    heart, chain = await heart_of(station, terms, Clock())
    async with station.expect("BettingClosed"):
        chain.away = True
        await heart.beat()
    await heart_of(station, terms, Clock())
    now = await station.scrape()
    assert not fires(ALARMS["BettingClosed"], now, now)


async def test_blocks_that_nobody_reads(station: Station, terms: Terms) -> None:
    """Also where nobody has begun to read any."""
    heart, chain = await heart_of(station, terms, Clock())
    now = await station.scrape()
    assert fires(ALARMS["DepositsBehind"], now, now)
    house = replace(house_of(station.db, station.client, Clock(), terms), chain=chain)
    for _ in range(2):
        await read_blocks(house)
    async with station.expect("DepositsBehind"):
        for _ in range(MOST_BEHIND + 1):
            chain.mine()
        await heart.beat()
    await read_blocks(house)
    now = await station.scrape()
    assert not fires(ALARMS["DepositsBehind"], now, now)


async def test_a_chain_node_that_does_not_vote(station: Station, terms: Terms) -> None:
    heart, chain = await heart_of(station, terms, Clock())
    async with station.expect("ChainNodesLeftOut"):
        chain.faults = {2: "is 9 blocks behind"}
        await heart.beat()
    chain.faults = {}
    await heart.beat()


async def test_a_clock_that_is_off(station: Station, terms: Terms) -> None:
    class Fast(Clock):
        @staticmethod
        def wall() -> int:
            return Clock.wall() + 30_000

    await heart_of(station, terms, Clock())
    async with station.expect("ClockOff"):
        await heart_of(station, terms, Fast(-30_000))
    await heart_of(station, terms, Clock())


async def test_stamps_that_are_ahead(station: Station) -> None:
    async with station.expect("LedgerAhead"):
        await station.owner.execute("UPDATE ledger_tail SET last_at = last_at + 60000")
    await station.client.post(posting())  # the writer that runs knows better


async def test_a_block_that_is_off(station: Station, terms: Terms) -> None:
    heart, chain = await heart_of(station, terms, Clock())
    async with station.expect("BlocksOff"):
        chain.mine(time=Clock.wall() // 1000 + 60)
        await heart.beat()
    await heart_of(station, terms, Clock())


async def test_a_price_that_nobody_orders_anew(station: Station, terms: Terms) -> None:
    """A sixth of what `ref_stale` gives it is left: of its default, and of what was ordered instead."""

    async def order(command: int, age_ms: int) -> None:
        row: dict[str, Any] = {"staff": 1, "command": command, "ordered_by": "test", "reason": "test"}
        async with station.db.transaction() as step:
            at = Clock.wall() - age_ms
            await order_price(step, terms, asset=KLS, rate=terms.ref_first, now=at, **row)

    async with station.expect("PriceOld"):
        await order(1, 20 * HOUR_MS + 10_000)
    await order(2, 11 * HOUR_MS)
    hours: dict[str, Any] = {"name": "ref_stale", "country": "", "value": 12}
    async with station.expect("PriceOld"):
        await insert_number(station.db, **hours, reason="test", ordered_by="olive", at=1, checker="mike")


async def test_an_archive_that_takes_nothing(tmp_path: Path) -> None:
    folder = clusters.new_folder(in_memory=True)
    cluster = clusters.cluster_in(folder, durable=False)
    running = RunningCluster(replace(cluster, extra=cluster.extra | {"archive_mode": "on"}))
    running.start()
    try:
        await migrate(running.cluster.url(), SECRET)
        async with open_station(running.cluster.url(), tmp_path) as own, own.expect("ArchiveFails"):
            await own.owner.execute("ALTER SYSTEM SET archive_command = 'false'")
            await own.owner.execute("SELECT pg_reload_conf()")
            await own.owner.execute("SELECT pg_switch_wal()")
    finally:
        running.kill()
        shutil.rmtree(folder)
