"""Chain and clocks that disagree, on a real node behind endpoints that lie: games close, deposits wait, all goes on."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any, Final

import pytest

from chain.test_quorum import broken, forged, forgetful, inventive
from conftest import MakeMember
from deposits.scene import ONE, Scene, node_scene
from kalos.adapters.chain.evm import EvmChain
from kalos.adapters.chain.sandbox import SANDBOX_XPUB
from kalos.core.assets import USDT
from kalos.core.clock import Clock
from kalos.core.errors import Outage
from kalos.core.ports import Closed
from kalos.domains.context import House
from kalos.domains.deposits.jobs import watch
from kalos.domains.pulse import queries
from kalos.domains.pulse.jobs import Heart
from kalos.domains.pulse.rules import UNWATCHED_SECONDS
from kalos.domains.pulse.service import FollowedPulse
from support.chains import LocalNode, patient
from support.liars import Twist, heard, honest, liar

AHEAD_MS: Final = 30_000
"""So much that it shows however slowly the database answers."""
HELD_SECONDS: Final = queries._HELD_SECONDS
LONG_SECONDS: Final = 60


class Endpoint:
    """What it does to the node's answers may change at any time. The chain's id is that of the scene."""

    def __init__(self, chain_id: int) -> None:
        self._chain_id = chain_id
        self.twist: Twist = honest

    def __call__(self, method: str, result: Any) -> Any:
        return self.twist(method, hex(self._chain_id) if method == "eth_chainId" else result)


class Ward:
    """A house that follows the node through such endpoints, and the worker's heart that watches them."""

    def __init__(self, scene: Scene, anvil: LocalNode, endpoints: list[Endpoint], chain: EvmChain) -> None:
        self.scene, self.anvil, self.endpoints, self.chain = scene, anvil, endpoints, chain
        self.house: House = replace(scene.house, chain=chain, clock=Clock(), is_demo=False)
        self.heart = Heart(self.house)

    async def pay(self) -> None:
        contract = self.anvil.chain.network.contract(USDT).address
        await self.anvil.wallet.transfer(contract, self.scene.address, 50 * ONE)
        await self.tick()

    async def tick(self, blocks: int = 1) -> None:
        """Mine, each block at its time as far as whole seconds can tell, and do what the worker does."""
        for _ in range(blocks):
            last = await self.anvil.node.call("eth_getBlockByNumber", "latest", False)
            ahead = int(last["timestamp"], 16) * 1000 + 1_000 - self.house.clock.now()
            self.house.clock.offset_ms += max(ahead, 0)
            await self.anvil.wallet.mine(now_ms=self.house.clock.now())
            await self.watch()

    async def watch(self) -> bool:
        """One step of the deposits' watcher. Returns whether the chain let it."""
        try:
            await watch(self.house)
        except Outage:
            return False
        return True

    async def closed(self) -> Closed | None:
        """What a process knows after a beat, once nobody is late."""
        await heard(self.chain)
        await self.heart.beat()
        pulse = FollowedPulse(self.house.db, self.house.clock)
        await pulse.look()
        return pulse.closed()

    async def faults(self) -> str:
        return (await queries.read_pulse(self.house.db)).faults


@pytest.fixture
async def fresh(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker has beaten yet. One that has holds the pulse, however long the machine stands still."""
    monkeypatch.setattr(queries, "_HELD_SECONDS", LONG_SECONDS)
    await house.db.execute(
        "UPDATE chain_pulse SET holder = NULL, beat_at = NULL, reason = NULL, since = NULL, faults = '', left_out = 0"
    )


async def fall_silent(house: House) -> None:
    """The last beat is so long ago that its worker doesn't hold the pulse any more."""
    await house.db.execute(
        "UPDATE chain_pulse SET beat_at = beat_at - make_interval(secs => $1)", LONG_SECONDS + HELD_SECONDS
    )


@asynccontextmanager
async def ward(house: House, member: MakeMember, anvil: LocalNode, endpoints: int) -> AsyncIterator[Ward]:
    scene = await node_scene(house, await member(), anvil)
    async with AsyncExitStack() as stack:
        twists = [Endpoint(scene.chain.network.chain_id) for _ in range(endpoints)]
        urls = [await stack.enter_async_context(liar(anvil.node, twist)) for twist in twists]
        chain = patient(EvmChain(scene.chain.network, urls=urls, xpub=SANDBOX_XPUB))
        stack.push_async_callback(chain.close)
        made = Ward(scene, anvil, twists, chain)
        await made.tick()
        assert await made.closed() is None
        yield made
    await scene.close()


@pytest.mark.parametrize("bad", [forged, forgetful, inventive])
async def test_two_endpoints_that_disagree_stop_deposits_and_games_until_they_agree(
    bad: Twist, fresh: None, house: House, member: MakeMember, anvil: LocalNode
) -> None:
    async with ward(house, member, anvil, 2) as it:
        it.endpoints[1].twist = bad
        await it.pay()
        await it.tick(4)
        assert not await it.watch()
        assert (await it.scene.states(), await it.scene.available()) == ([], 0)
        assert await it.closed() == "chain"
        assert await it.faults() == "the nodes don't answer or don't agree"
        it.endpoints[1].twist = honest
        while await it.watch() and await it.scene.available() == 0:
            await it.tick()
        assert await it.scene.states() == [(50 * ONE, "approved", None)]
        assert await it.closed() is None
        assert await it.faults() == ""


async def test_endpoints_that_were_all_on_another_chain_are_asked_again(
    fresh: None, house: House, member: MakeMember, anvil: LocalNode
) -> None:
    def elsewhere(method: str, result: Any) -> Any:
        return "0x1" if method == "eth_chainId" else result

    async with ward(house, member, anvil, 1) as it:
        it.endpoints[0].twist = elsewhere
        await it.closed()  # in this look it says so
        assert await it.closed() == "chain"
        it.endpoints[0].twist = honest
        await it.closed()
        assert await it.closed() is None
        assert await it.faults() == ""


@pytest.mark.parametrize("bad", [forged, forgetful, inventive])
async def test_one_liar_of_three_stops_nothing_and_is_named(
    bad: Twist, fresh: None, house: House, member: MakeMember, anvil: LocalNode
) -> None:
    async with ward(house, member, anvil, 3) as it:
        it.endpoints[1].twist = bad
        await it.pay()
        await it.tick(4)
        assert await it.scene.states() == [(50 * ONE, "approved", None)]
        assert await it.closed() is None
        assert await it.faults() == "node 2 says something else than most"


async def test_one_of_three_that_answers_closes_games_and_credits_nothing(
    fresh: None, house: House, member: MakeMember, anvil: LocalNode
) -> None:
    """No round could be drawn by it: who wants to bet is told so, and all of it goes on with one more."""
    async with ward(house, member, anvil, 3) as it:
        it.endpoints[0].twist = it.endpoints[2].twist = broken
        await it.pay()
        await it.tick(4)
        assert not await it.watch()
        assert await it.closed() == "chain"
        assert (await it.scene.states(), await it.scene.available()) == ([], 0)
        it.endpoints[2].twist = honest
        await it.tick()
        assert await it.closed() is None
        assert await it.scene.states() == [(50 * ONE, "approved", None)]


async def test_endpoints_that_stand_still_close_games_until_they_move(
    fresh: None, house: House, member: MakeMember, anvil: LocalNode
) -> None:
    async with ward(house, member, anvil, 2) as it:
        stood = await it.house.chain.head()

        def still(method: str, result: Any) -> Any:
            return hex(stood) if method == "eth_blockNumber" else result

        it.endpoints[0].twist = still
        it.house.clock.offset_ms += (it.house.terms.result_window + 2) * 1000
        await it.pay()
        assert await it.closed() == "chain"
        assert await it.scene.states() == []
        it.endpoints[0].twist = honest
        await it.tick()
        assert await it.closed() is None
        assert await it.scene.states() == [(50 * ONE, "on_chain_processing", None)]


@pytest.mark.parametrize("ahead_ms", [AHEAD_MS, -AHEAD_MS])
async def test_a_wall_clock_that_is_not_the_databases_closes_games(
    ahead_ms: int, fresh: None, house: House, member: MakeMember, anvil: LocalNode
) -> None:
    class Off(Clock):
        @staticmethod
        def wall() -> int:
            return Clock.wall() + ahead_ms

    async with ward(house, member, anvil, 1) as it:
        it.heart = Heart(replace(it.house, clock=Off(it.house.clock.offset_ms - ahead_ms)))
        assert await it.closed() is None, "another worker holds the pulse"
        await fall_silent(it.house)
        assert await it.closed() == "clock"
        known = await queries.read_pulse(it.house.db)
        assert (known.reason, abs(known.clock_off_ms + ahead_ms) < 10_000) == ("clock", True)
    await house.db.execute("UPDATE chain_pulse SET reason = NULL, since = NULL")
    own = FollowedPulse(house.db, Off())
    await own.look()
    assert own.closed() == "clock", "a process whose own clock is off takes no bets, whatever the worker says"


async def test_block_times_off_business_time_close_games_until_they_are_right(
    fresh: None, house: House, member: MakeMember, anvil: LocalNode
) -> None:
    async with ward(house, member, anvil, 1) as it:
        now = it.house.clock.now()
        await anvil.wallet.mine(now_ms=now + 60_000)
        assert await it.closed() == "clock"
        assert await it.closed() == "clock", "a beat without a new block takes nothing back"
        assert (await queries.read_pulse(it.house.db)).reason == "block_time"
        it.house.clock.offset_ms += 62_000
        await anvil.wallet.mine(now_ms=it.house.clock.now())
        assert await it.closed() is None


async def test_blocks_mined_by_a_demo_call_do_not_count(
    fresh: None, house: House, member: MakeMember, anvil: LocalNode
) -> None:
    async with ward(house, member, anvil, 1) as it:
        demo = replace(it.house, is_demo=True)
        it.heart._house = demo
        await anvil.wallet.mine(blocks=30, now_ms=demo.clock.now())
        assert await it.closed() is None
        demo.clock.offset_ms += 2_000
        await anvil.wallet.mine(now_ms=demo.clock.now())
        assert await it.closed() is None, "the ticker's blocks behind them stand a second after each other"
        demo.clock.offset_ms += 60_000
        await anvil.wallet.mine(now_ms=demo.clock.now() + 60_000)
        assert await it.closed() == "clock", "a block that nothing forced ahead counts"


async def test_one_worker_beats_and_another_takes_over_when_it_is_silent(fresh: None, house: House) -> None:
    assert HELD_SECONDS < UNWATCHED_SECONDS / 3, "another one takes over long before games close"
    first, second = "a" * 32, "b" * 32
    beat: dict[str, Any] = {"reason": None, "head": 1, "clock_off_ms": 0, "block_off_ms": 0, "faults": []}
    assert await queries.beat(house.db, first, **beat)
    assert not await queries.beat(house.db, second, **(beat | {"reason": "late"}))
    assert (await queries.read_pulse(house.db)).reason is None
    await fall_silent(house)
    assert await queries.beat(house.db, second, **(beat | {"reason": "late"}))
    assert not await queries.beat(house.db, first, **beat)
    assert (await queries.read_pulse(house.db)).reason == "late"


async def test_since_when_games_are_closed_stands_until_they_open(fresh: None, house: House) -> None:
    async def since() -> Any:
        return await house.db.value("SELECT since FROM chain_pulse")

    beat: dict[str, Any] = {"head": None, "clock_off_ms": 0, "block_off_ms": 0, "faults": ["node 1 does not answer"]}
    await queries.beat(house.db, "a", reason="nodes", **beat)
    closed = await since()
    await queries.beat(house.db, "a", reason="late", **beat)
    assert await since() == closed
    await queries.beat(house.db, "a", reason=None, **beat)
    assert await since() is None


async def test_games_close_when_nobody_looks_and_open_with_the_next_beat(
    fresh: None, house: House, member: MakeMember, anvil: LocalNode
) -> None:
    async with ward(house, member, anvil, 1) as it:
        await house.db.execute("UPDATE chain_pulse SET beat_at = beat_at - interval '16 seconds'")
        pulse = FollowedPulse(house.db, it.house.clock)
        await pulse.look()
        assert pulse.closed() == "chain"
        await it.heart.beat()
        await pulse.look()
        assert pulse.closed() is None


async def test_beats_of_two_workers_at_once_are_those_of_one(
    fresh: None, house: House, member: MakeMember, anvil: LocalNode
) -> None:
    async with ward(house, member, anvil, 1) as it:
        held = await house.db.value("SELECT holder FROM chain_pulse")
        others = [Heart(it.house) for _ in range(4)]
        await asyncio.gather(*(other.beat() for other in others), it.heart.beat())
        assert await house.db.value("SELECT holder FROM chain_pulse") == held
