"""Endpoints are asked nothing before they were seen to fit: at the start, and when they come later."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from structlog.testing import capture_logs

from kalos.adapters.chain import checks
from kalos.adapters.chain.checks import WrongChain
from kalos.adapters.chain.evm import EvmChain
from kalos.adapters.chain.paying import PayingChain
from kalos.adapters.chain.rpc import Node
from kalos.core.errors import Outage
from support.chains import LocalNode
from support.liars import Held, Twist, chain_of, endpoints, honest, survey

_SECONDS = 20
_BUG = "a chain endpoint could not be looked at"


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "_AGAIN_SECONDS", 0.02)


@pytest.fixture
def logs() -> Iterator[list[Any]]:
    with capture_logs() as found:
        yield found


def other(method: str, result: Any) -> Any:
    return "0x1" if method == "eth_chainId" else result


def codeless(method: str, result: Any) -> Any:
    return "0x" if method == "eth_getCode" else result


def away(method: str, result: Any) -> Any:
    return b"<html>504</html>"


def nonsense(method: str, result: Any) -> Any:
    return b'{"jsonrpc":"2.0","id":1,"result":{"number":true,"hash":7}}'


def odd(method: str, result: Any) -> Any:
    return "0x123" if method == "eth_getCode" else result


def wordy(method: str, result: Any) -> Any:
    return "hello world" if method == "eth_getCode" else result


class Turning:
    """Says what `now` does."""

    def __init__(self, now: Twist) -> None:
        self.now = now

    def __call__(self, method: str, result: Any) -> Any:
        return self.now(method, result)


async def until_asked(chain: EvmChain, place: int) -> None:
    async with asyncio.timeout(_SECONDS):
        while chain.nodes[place].shut:
            await asyncio.sleep(0.01)


async def test_endpoints_that_do_not_fit_stop_the_start_where_they_are_most(anvil: LocalNode) -> None:
    async with endpoints(anvil, honest, other, dead=1) as chain:
        with pytest.raises(WrongChain, match="chain id is 1"):
            await chain.check()
    async with endpoints(anvil, honest, codeless, honest, dead=1) as chain:
        await chain.check()
        for node in chain.nodes:
            async with asyncio.timeout(_SECONDS):
                while node.shut == "is not checked yet":
                    await asyncio.sleep(0.01)
        assert await survey(chain) == {2: "does not fit the settings", 4: "does not answer"}


@pytest.mark.parametrize("bad", [nonsense, odd, wordy])
async def test_nonsense_of_one_endpoint_stops_no_start_and_no_further_look(
    anvil: LocalNode, logs: list[Any], bad: Twist
) -> None:
    turning = Turning(bad)
    async with endpoints(anvil, honest, turning, honest) as chain:
        await chain.check()
        assert await chain.head() == await anvil.chain_head()
        async with asyncio.timeout(_SECONDS):
            while (await survey(chain)).get(2) != "does not answer":
                await asyncio.sleep(0.01)
        turning.now = honest
        await until_asked(chain, 1)
        await chain.head()
        assert await survey(chain) == {}
    assert _BUG not in [log["event"] for log in logs]


async def test_a_start_waits_for_no_chain_and_what_needs_it_goes_on_when_it_is_back(
    anvil: LocalNode, logs: list[Any]
) -> None:
    turning = Turning(away)
    async with endpoints(anvil, turning) as chain:
        await chain.check()
        with pytest.raises(Outage, match="no chain endpoint answers"):
            await chain.head()
        turning.now = honest
        await until_asked(chain, 0)
        assert await chain.head() == await anvil.chain_head()
        assert await survey(chain) == {}
    ours = [log for log in logs if log["event"].startswith("a chain endpoint")]
    assert [log["event"] for log in ours] == [
        "a chain endpoint is asked nothing",
        "a chain endpoint is asked from now on",
    ]


@pytest.mark.parametrize("bad", [other, codeless])
async def test_who_was_away_at_the_start_is_asked_nothing_before_it_fits(anvil: LocalNode, bad: Twist) -> None:
    asked = list[str]()

    def counted(method: str, result: Any) -> Any:
        asked.append(method)
        return turning(method, result)

    turning = Turning(away)
    async with chain_of(PayingChain, anvil, counted) as chain:
        await chain.check()
        turning.now = bad
        async with asyncio.timeout(_SECONDS):
            while chain.nodes[0].shut != "does not fit the settings":
                await asyncio.sleep(0.01)
        with pytest.raises(Outage, match="no chain endpoint answers"):
            await chain.head()
        with pytest.raises(Outage, match="no chain endpoint took the transaction"):
            await chain.send(b"\x02")
        assert {"eth_blockNumber", "eth_sendRawTransaction"}.isdisjoint(asked)
        turning.now = honest
        await until_asked(chain, 0)
        assert await chain.head() == await anvil.chain_head()


async def test_who_came_alone_decides_nothing_for_those_that_are_away(anvil: LocalNode) -> None:
    async with endpoints(anvil, honest, dead=2) as chain:
        await chain.check()
        with pytest.raises(Outage, match="1 of 3 chain endpoints answer"):
            await chain.block(await anvil.chain_head())


async def test_endpoints_are_looked_at_beside_each_other(anvil: LocalNode) -> None:
    both = asyncio.Barrier(2)

    async def together(method: str, result: Any) -> Any:
        if method == "eth_chainId":
            await both.wait()
        return result

    async with endpoints(anvil, together, together) as chain, asyncio.timeout(_SECONDS):
        await chain.check()
        assert await chain.head() == await anvil.chain_head()


async def test_one_that_hangs_keeps_neither_the_start_nor_those_that_come_back(anvil: LocalNode) -> None:
    held, turning = Held(), Turning(away)
    async with endpoints(anvil, held, honest, honest, turning) as chain, asyncio.timeout(_SECONDS):
        turning.now = honest
        await chain.check()
        await until_asked(chain, 3)
        assert chain.nodes[0].shut == "is not checked yet"
        held.may.set()
        await until_asked(chain, 0)


async def test_a_chain_that_closes_looks_no_more(anvil: LocalNode) -> None:
    held = Held()
    async with endpoints(anvil, held, honest, honest) as chain, asyncio.timeout(_SECONDS):
        await chain.check()
        assert chain._checks is not None
        looking = chain._checks._looking
        await chain.close()
        assert all(task.done() for task in looking)
        held.may.set()


async def test_a_bug_in_a_look_is_told_and_the_next_one_is_made(
    anvil: LocalNode, logs: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    misfit, times = checks.Checks._misfit, 0

    async def fails(self: checks.Checks, node: Node) -> str:
        nonlocal times
        times += 1
        if times == 1:
            raise ZeroDivisionError
        return await misfit(self, node)

    monkeypatch.setattr(checks.Checks, "_misfit", fails)
    async with endpoints(anvil, honest) as chain:
        await chain.check()
        await until_asked(chain, 0)
    assert _BUG in [log["event"] for log in logs]
