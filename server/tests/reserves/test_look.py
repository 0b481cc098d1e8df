"""Reserves against liabilities on a chain in memory: what is on its way alarms nobody, what is gone stops money out."""

import asyncio
from typing import Final

import asyncpg
import pytest

from deposits.scene import ONE, SandboxScene
from kalos.app.reserving import TOLD
from kalos.core.assets import KLS, USDT
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.errors import Outage
from kalos.domains.reserves import jobs, queries, service
from kalos.domains.reserves.service import Wallets
from kalos.ledger.flags import money_out_stopped
from reserves.scene import COLD, FINAL, HOT, WALLETS, Told, look, take, usdt
from support.waiting import until_waiting

PAYER: Final = "0x00000000000000000000000000000000000000B4"


async def is_stopped(scene: SandboxScene) -> bool:
    return await money_out_stopped(scene.house.db) is not None


async def test_what_arrived_is_held_against_what_is_owed(scene: SandboxScene) -> None:
    before = await usdt(scene)
    scene.pay(70 * ONE)
    await scene.grow(FINAL + 1)
    after = await usdt(scene)
    assert after == {**before, "deposits": before["deposits"] + 70 * ONE, "owed": before["owed"] + 70 * ONE}
    assert (after["missing"], await is_stopped(scene)) == (0, False)


async def test_coins_that_wait_in_suspense_or_for_somebody_to_look_are_no_shortage(scene: SandboxScene) -> None:
    scene.pay(1)
    scene.pay(5 * 10**8, asset=KLS)
    await scene.grow(FINAL + 1)
    found = {one.asset: one for one in (await look(scene)).standings}
    assert (found[USDT].missing, found[USDT].units["deposits"]) == (0, 1)
    assert (found[KLS].missing, found[KLS].units["deposits"]) == (0, 5 * 10**8)


async def test_a_single_unit_that_was_taken_by_hand_stops_money_out_and_is_told_once(scene: SandboxScene) -> None:
    scene.pay(70 * ONE)
    await scene.grow(FINAL + 1)
    assert not (await look(scene)).problems
    take(scene, 1, of=COLD)
    await scene.grow(FINAL)
    told = Told()
    assert not (await look(scene, told)).problems, "the block is not final yet"
    await scene.grow()
    found = await look(scene, told)
    assert found.stopped
    assert told.reasons == ["\n".join(found.problems)]
    assert told.reasons[0].startswith(f"reserves under liabilities: after block {found.block.number} ")
    assert await service.list_problems(scene.house.db) == list(found.problems)
    assert not (await look(scene, told)).stopped
    assert len(told.reasons) == 1
    flag = await money_out_stopped(scene.house.db)
    assert flag is not None
    assert flag.reason == told.reasons[0]


async def test_coins_that_came_back_end_the_shortage_and_a_person_the_stop(scene: SandboxScene) -> None:
    take(scene, 5, of=COLD)
    await scene.grow(FINAL + 1)
    assert (await look(scene)).problems
    scene.chain.transfer(USDT, HOT, 5)
    await scene.grow(FINAL + 1)
    assert not (await look(scene)).problems
    assert await service.list_problems(scene.house.db) == []
    assert await is_stopped(scene)


async def test_a_top_up_that_a_faster_node_had_credited_from_a_later_block_is_no_shortage(
    scene: SandboxScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.pay(70 * ONE)
    await scene.grow(FINAL + 1)
    assert await scene.available() == 70 * ONE
    head = await scene.chain.head()

    async def behind() -> int:
        return head - 2

    monkeypatch.setattr(scene.chain, "head", behind)
    found = await look(scene)
    assert not found.problems
    assert [one.books.credited_later for one in found.standings] == [70 * ONE, 0]
    assert found.standings[0].units["deposits"] == 0


async def test_no_block_is_looked_at_before_its_top_ups_are_written_down(scene: SandboxScene) -> None:
    await scene.grow(FINAL)
    read = await scene.chain.head()
    scene.pay(70 * ONE)
    for _ in range(FINAL + 2):
        scene.chain.mine()
    assert (await look(scene)).block.number == read
    await scene.watch(2)
    assert await scene.available() == 70 * ONE
    found = await look(scene)
    assert (found.problems, found.standings[0].units["deposits"]) == ((), 70 * ONE)


async def test_a_chain_that_nobody_has_read_yet_is_not_looked_at(
    scene: SandboxScene, owner: asyncpg.Connection
) -> None:
    await owner.execute("DELETE FROM deposit_cursors WHERE chain_id = $1", scene.chain.network.chain_id)
    assert await service.look(scene.house, WALLETS, TOLD, wall=1) is None


async def test_a_top_up_that_a_reorganisation_put_off_until_the_watcher_stood_still_is_counted(
    scene: SandboxScene,
) -> None:
    """Its row says an old block until the watcher goes on, and its address was empty when it was last looked at."""
    scene.pay(70 * ONE)
    await scene.grow()
    scene.chain.reorganise(1, keep=True, regrow=False)
    waiting, scene.chain._waiting = scene.chain._waiting, []
    await scene.grow(2 * FINAL)
    assert await scene.states() == [(70 * ONE, "failed", "orphaned")]
    assert (await look(scene)).standings[0].units["deposits"] == 0
    scene.chain._waiting = waiting
    for _ in range(FINAL + 2):
        scene.chain.mine()
    await look(scene)
    await scene.watch(2)
    assert await scene.available() == 70 * ONE
    found = await look(scene)
    assert (found.problems, found.standings[0].units["deposits"]) == ((), 70 * ONE)


async def test_a_top_up_that_a_reorganisation_moved_behind_the_last_look_is_counted(scene: SandboxScene) -> None:
    scene.pay(70 * ONE)
    await scene.grow()
    assert not (await look(scene)).problems
    scene.chain.reorganise(1, keep=True, regrow=False)
    waiting, scene.chain._waiting = scene.chain._waiting, []
    scene.chain.mine()
    scene.chain.mine()
    scene.chain._waiting = waiting
    await scene.watch(3)
    for _ in range(FINAL):
        await scene.grow()
        assert not (await look(scene)).problems
    await scene.grow(2)
    found = await look(scene)
    assert await scene.available() == 70 * ONE
    assert (found.problems, found.standings[0].units["deposits"]) == ((), 70 * ONE)


async def test_a_top_up_in_the_place_of_a_final_block_is_counted(scene: SandboxScene) -> None:
    """A reorganisation went deeper than finality: its block was looked at when it was another one."""
    await scene.grow(2 * FINAL)
    looked = (await look(scene)).block.number
    scene.chain.reorganise(FINAL + 1, regrow=False)
    scene.pay(70 * ONE)
    for _ in range(2 * FINAL):
        scene.chain.mine()
    await scene.watch(3)
    assert [row.block for row in await scene.rows()] == [looked]
    assert await scene.available() == 70 * ONE
    found = await look(scene)
    assert (found.problems, found.standings[0].units["deposits"]) == ((), 70 * ONE)


async def test_what_is_swept_is_counted_where_it_went(scene: SandboxScene) -> None:
    scene.pay(70 * ONE)
    await scene.grow(FINAL + 1)
    before = await usdt(scene)
    scene.chain.transfer(USDT, HOT, 70 * ONE, sender=scene.address)
    await scene.grow(FINAL + 1)
    after = await usdt(scene)
    assert after == {**before, "hot": before["hot"] + 70 * ONE, "deposits": before["deposits"] - 70 * ONE}
    kept = await scene.house.db.value("SELECT count(*) FROM reserve_addresses WHERE address = $1", scene.address)
    assert kept == 0, "an empty address is asked again only after its next top-up"


async def test_a_top_up_address_that_is_a_wallet_of_the_house_counts_once(scene: SandboxScene) -> None:
    """Who keeps the cold reserves at an address of the same seed would else own them twice."""
    before = await usdt(scene)
    scene.pay(70 * ONE)
    await scene.grow(FINAL + 1)
    wallets = {asset: Wallets(own.hot, (*own.cold, scene.address)) for asset, own in WALLETS.items()}
    found = await service.look(scene.house, wallets, TOLD, wall=1)
    assert found is not None
    assert found.standings[0].units == {"hot": before["hot"], "cold": before["cold"] + 70 * ONE, "deposits": 0}
    assert (await usdt(scene))["deposits"] == 70 * ONE, "it is remembered for when it is a wallet no longer"


@pytest.mark.parametrize(("part", "mark"), [(0.019, "low"), (0.021, None), (0.099, None), (0.101, "high")])
async def test_the_hot_wallet_is_marked_below_and_above_its_parts(
    scene: SandboxScene, part: float, mark: str | None
) -> None:
    scene.pay(1_000 * ONE)
    await scene.grow(FINAL + 1)
    all_owed = (await usdt(scene))["owed"]
    scene.chain.transfer(USDT, HOT, round(part * 1000) * all_owed // 1000)
    await scene.grow(FINAL + 1)
    await look(scene)
    assert {row.asset: row.hot_mark for row in await queries.list_checks(scene.house.db)}["USDT"] == mark


async def test_little_gas_is_told(scene: SandboxScene) -> None:
    for wei, is_low in ((10**17 - 1, True), (10**17, False)):
        scene.chain.native[HOT] = wei
        assert (await look(scene)).is_gas_low is is_low
        state = await queries.find_state(scene.house.db)
        assert (state.gas_gwei, state.is_gas_low) == (wei // 10**9, is_low)


async def test_gas_is_that_of_the_wallet_that_pays(scene: SandboxScene, database_url: str) -> None:
    owner = Database(database_url, size=1)
    scene.chain.native |= {HOT: 10**18, PAYER: 10**17 - 1}
    await owner.execute("UPDATE signer_state SET hot = $1", PAYER)
    assert (await look(scene)).is_gas_low
    scene.chain.native |= {HOT: 0, PAYER: 10**17}
    assert not (await look(scene)).is_gas_low
    await owner.execute("UPDATE signer_state SET hot = NULL")
    assert (await look(scene)).is_gas_low
    await owner.close()


async def test_a_look_is_read_whole_while_the_next_one_is_stored(
    scene: SandboxScene, db: Database, owner: asyncpg.Connection
) -> None:
    await look(scene)
    before = await queries.list_looks(db)
    async with owner.transaction():
        await owner.execute("LOCK reserve_checks")
        reading = asyncio.ensure_future(queries.list_looks(db))
        await until_waiting(db, 1)
        await owner.execute("UPDATE reserves SET units = units + 1")
        await owner.execute("UPDATE reserve_checks SET owed = owed + 1")
    after = await queries.list_looks(db)
    assert after != before
    assert await reading in (before, after)


async def test_an_away_chain_changes_nothing(scene: SandboxScene) -> None:
    await look(scene)
    before = [await queries.find_state(scene.house.db), *await queries.list_checks(scene.house.db)]
    scene.chain.away = True
    with pytest.raises(Outage):
        await look(scene)
    assert [await queries.find_state(scene.house.db), *await queries.list_checks(scene.house.db)] == before


async def test_nodes_that_went_back_are_waited_for(scene: SandboxScene, monkeypatch: pytest.MonkeyPatch) -> None:
    await scene.grow(2)
    before = (await look(scene)).block.number

    async def behind() -> int:
        return before + FINAL - 1

    monkeypatch.setattr(scene.chain, "head", behind)
    assert await service.look(scene.house, WALLETS, TOLD, wall=1) is None
    assert (await queries.find_state(scene.house.db)).block == before


async def test_a_worker_that_was_overtaken_keeps_nothing(scene: SandboxScene, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it found is older than what stands there by then."""
    take(scene, 1, of=COLD)
    await scene.grow(FINAL + 1)
    snapshot = queries.take_snapshot

    async def overtaken(*values: object, **fields: object) -> queries.Snapshot:
        taken = await snapshot(*values, **fields)  # type: ignore[arg-type]
        monkeypatch.setattr(queries, "take_snapshot", snapshot)
        scene.chain.transfer(USDT, HOT, 1)
        await scene.grow(FINAL + 1)
        assert not (await look(scene, wall=2)).problems
        return taken

    monkeypatch.setattr(queries, "take_snapshot", overtaken)
    assert await service.look(scene.house, WALLETS, TOLD, wall=1) is None
    assert (await queries.find_state(scene.house.db)).at == 2
    assert not await is_stopped(scene)


async def test_one_worker_looks_in_a_minute(scene: SandboxScene) -> None:
    db, minute = scene.house.db, 54_000
    assert [await queries.claim(db, 100_000, minute) for _ in range(2)] == [True, False]
    assert [await queries.claim(db, 100_000 + minute, minute) for _ in range(2)] == [True, False]
    assert await queries.claim(db, 1, minute), "a clock that was put back silences nothing"


async def test_the_job_looks_and_tells(scene: SandboxScene) -> None:
    told = Told()
    take(scene, 1, of=COLD)
    await scene.grow(FINAL + 1)
    for _ in range(2):
        await jobs.watch(scene.house, WALLETS, TOLD, told.alarm)
    assert len(told.reasons) == 1
    state = await queries.find_state(scene.house.db)
    assert state.at is not None
    assert abs(state.at - Clock.wall()) < 60_000
