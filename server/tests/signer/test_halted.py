"""What is stopped in the middle of a turn is stopped for that turn, too; what no node took becomes dearer."""

import asyncio
import dataclasses
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from kalos.core.clock import DAY_MS, Clock
from kalos.core.errors import Outage
from kalos.core.payments import Declined, Fees, Payment, PaymentKey, Signed
from kalos.signer import queries
from kalos.signer.bench import Bench
from kalos.signer.steps import turn
from kalos.signer.sweeping import sweep
from signer.scene import COIN, Scene
from signer.test_sweeping import coins, deposit, rows
from support.ledger import until_money_goes_out

STOPS = {
    "paused": (
        "UPDATE signer_state SET paused = true, reason = 'a test', by = 'a test'",
        "UPDATE signer_state SET paused = false",
    ),
    "stopped": (
        "INSERT INTO ledger_flags (name, reason, since) VALUES ('money_out_stopped', 'a test', 1)",
        "DELETE FROM ledger_flags",
    ),
}


def meeting(bench: Bench, *, sending: Callable[[bytes], Awaitable[None]]) -> Bench:
    """The bench on a chain that does this instead of sending."""
    chain = type(bench.chain).__new__(type(bench.chain))
    chain.__dict__.update(vars(bench.chain))
    vars(chain)["send"] = sending
    return dataclasses.replace(bench, chain=chain)


@pytest.mark.parametrize("off_ms", [DAY_MS, -DAY_MS])
async def test_a_signer_whose_clock_is_off_signs_nothing(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, off_ms: int
) -> None:
    """A day ahead, what was paid today would count for nothing, and a young address would be old."""
    one = await scene.ask("5")

    class OwnClock(Clock):
        """The signer's alone: the ledger's writer goes by this process' clock, too, and would stop writing."""

        @staticmethod
        def wall() -> int:
            return Clock.wall() + off_ms

    with monkeypatch.context() as patch:
        for room in ("bench", "reviewing", "steps"):
            patch.setattr(f"kalos.signer.{room}.Clock", OwnClock)
        await turn(scene.bench)
        state = await queries.find_state(scene.bench.db)
        assert (state.paused, await scene.attempts(one)) == (False, [])
        assert re.fullmatch(r"the signer's clock is 8[56]\d{6} ms off the database's", state.waiting or "")
    await turn(scene.bench)
    assert len(await scene.attempts(one)) == 1
    await scene.finish(one)


@asynccontextmanager
async def halting(scene: Scene, how: str) -> AsyncIterator[Bench]:
    """Right after its first transaction is sent, somebody stops it; afterwards it may go on."""
    stop, release = STOPS[how]
    sent: list[bytes] = []

    async def send(raw: bytes) -> None:
        await scene.bench.chain.send(raw)
        sent.append(raw)
        if len(sent) == 1:
            await scene.owner(stop)

    try:
        yield meeting(scene.bench, sending=send)
    finally:
        await scene.owner(release)
        await until_money_goes_out(scene.ledger, scene.owner)
    assert len(sent) == 1


@pytest.mark.parametrize("how", STOPS)
async def test_whoever_stops_it_in_the_middle_of_a_turn_stops_the_next_payment(scene: Scene, how: str) -> None:
    ones = [await scene.ask(str(number)) for number in range(1, 4)]
    async with halting(scene, how) as bench:
        await turn(bench)
        assert [len(await scene.attempts(one)) for one in ones] == [1, 0, 0]
    await scene.finish(*ones)
    assert [await scene.has(one) for one in ones] == [1 * COIN, 2 * COIN, 3 * COIN]


class StoppingKey:
    """The hot wallet's key, that somebody stops the signer at."""

    def __init__(self, key: PaymentKey, stop: Coroutine[object, object, object]) -> None:
        self.address, self._key, self._stop = key.address, key, stop

    def sign(self, payment: Payment, fees: Fees) -> Signed:
        with ThreadPoolExecutor(1) as other:
            other.submit(asyncio.run, self._stop).result()
        return self._key.sign(payment, fees)


@pytest.mark.parametrize("how", STOPS)
async def test_what_is_stopped_while_it_is_signed_takes_no_nonce(scene: Scene, how: str) -> None:
    one = await scene.ask("1")
    stop, release = STOPS[how]
    key = StoppingKey(scene.bench.keys.hot, scene.owner(stop))
    keys: Any = SimpleNamespace(hot=key, deposit=scene.bench.keys.deposit)
    await turn(dataclasses.replace(scene.bench, keys=keys))
    assert await scene.attempts(one) == []
    await scene.owner(release)
    await until_money_goes_out(scene.ledger, scene.owner)
    await scene.finish(one)
    assert await scene.has(one) == 1 * COIN


@pytest.mark.parametrize("how", STOPS)
async def test_what_is_stopped_before_it_is_sent_stays_stored(scene: Scene, how: str) -> None:
    first, second = await scene.ask("1"), await scene.ask("2")

    async def decline(_: bytes) -> None:
        raise Declined("the pool is full")

    await turn(meeting(scene.bench, sending=decline))  # both are signed, and no node has either
    async with halting(scene, how) as bench:
        await turn(bench)
        assert [row["sent_at"] is None for one in (first, second) for row in await scene.attempts(one)] == [False, True]
    await scene.finish(first, second)


@pytest.mark.parametrize("how", STOPS)
async def test_whoever_stops_it_in_the_middle_of_sweeping_stops_the_next_address(scene: Scene, how: str) -> None:
    owners = [await deposit(scene, 2_000) for _ in range(2)]
    for _, address in owners:
        await scene.node.node.call("anvil_setBalance", address, hex(10**18))
    async with halting(scene, how) as bench:
        bench.next_sweep = 0
        await turn(bench, more=sweep)
        assert sorted([len(await rows(scene, owner)) for owner, _ in owners]) == [0, 1]
    for _ in range(10):
        scene.bench.next_sweep = 0
        await turn(scene.bench, more=sweep)
        await scene.node.mine()
    assert [await coins(scene, address) for _, address in owners] == [0, 0]


async def test_what_no_node_took_for_its_fee_becomes_dearer(scene: Scene) -> None:
    one = await scene.ask("100")

    async def away(_: bytes) -> None:
        raise Outage("no node answers")

    with pytest.raises(Outage):
        await turn(meeting(scene.bench, sending=away))
    (first,) = await scene.attempts(one)
    usual = (await scene.node.node.call("eth_getBlockByNumber", "latest", False))["baseFeePerGas"]
    for _ in range(scene.bench.limits.raise_blocks + 1):  # meanwhile each block costs more than was offered
        await scene.node.node.call("anvil_setNextBlockBaseFeePerGas", hex(int(first["max_fee"]) * 2))
        await scene.node.mine()
    await turn(scene.bench)
    assert (await scene.attempts(one))[-1]["max_fee"] > first["max_fee"] * 2
    await scene.finish(one)
    assert await scene.has(one) == 100 * COIN
    await scene.node.node.call("anvil_setNextBlockBaseFeePerGas", usual)
    await scene.node.mine()
