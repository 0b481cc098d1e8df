"""Endpoints that withhold their answers: nobody waits for what changes nothing, and the late are heard."""

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any, Final

import pytest

from chain.test_alone import QUESTIONS, Asked
from chain.test_quorum import far_behind, forged, forgetful, inventive, lagging, with_transfer
from kalos.adapters.chain import evm
from kalos.adapters.chain.evm import EvmChain
from kalos.core.assets import USDT
from support.chains import PATIENCE_SECONDS, LocalNode
from support.liars import Held, Twist, endpoints, heard, honest, survey

SOON_SECONDS: Final = PATIENCE_SECONDS / 2
"""An endpoint that is waited for takes twice as long to be given up."""

ALL: Final[dict[str, Callable[[EvmChain, Asked], Awaitable[Any]]]] = {
    **QUESTIONS,
    "head": lambda chain, _: chain.head(),
}


async def fall_silent(chain: EvmChain, place: int) -> None:
    """Give an endpoint up at once for as long as one head is asked for."""
    node = chain.nodes[place]
    usual, node._timeout_seconds = node._timeout_seconds, 0.1
    await chain.head()
    await heard(chain)
    node._timeout_seconds = usual


@pytest.mark.parametrize("place", [0, 2])
@pytest.mark.parametrize("name", ALL)
async def test_one_of_three_that_withholds_its_answer_is_waited_for_by_nobody(
    anvil: LocalNode, name: str, place: int
) -> None:
    block = await with_transfer(anvil)
    contract = anvil.chain.network.contract(USDT).address
    (transfer,) = await anvil.chain.transfers(contracts=[contract], blocks=[block])
    ask, asked, held = ALL[name], Asked(block, contract, transfer.transaction), Held()
    twists: list[Twist] = [honest, honest]
    twists.insert(place, held)
    expected = await ask(anvil.chain, asked)
    async with endpoints(anvil, *twists) as chain:
        async with asyncio.timeout(SOON_SECONDS):
            assert await ask(chain, asked) == expected
        held.may.set()


@pytest.mark.parametrize("bad", [forged, forgetful, inventive])
async def test_a_liar_that_is_late_is_named(anvil: LocalNode, bad: Twist) -> None:
    block = await with_transfer(anvil)
    contracts = [anvil.chain.network.contract(USDT).address]
    held = Held(bad)
    async with endpoints(anvil, honest, honest, held) as chain:
        assert await chain.block(block.number) == block
        assert len(await chain.transfers(contracts=contracts, blocks=[block])) == 1
        held.may.set()
        assert await survey(chain) == {3: "says something else than most"}


async def test_who_is_behind_and_says_so_late_is_left_out_from_then_on(anvil: LocalNode) -> None:
    await anvil.mine(10)
    block = await with_transfer(anvil)
    held = Held(far_behind, method="eth_blockNumber")
    async with endpoints(anvil, honest, held, honest) as chain:
        assert await chain.head() == block.number
        assert await chain.survey() == {}
        held.may.set()
        assert await survey(chain) == {2: "is 10 blocks behind"}
        held.twist = honest
        assert await chain.head() == block.number
        assert await survey(chain) == {}


async def test_of_two_that_disagree_the_late_one_decides(anvil: LocalNode) -> None:
    block = await with_transfer(anvil)
    held = Held()
    async with endpoints(anvil, honest, forged, held) as chain:
        asked = asyncio.create_task(chain.block(block.number))
        await asyncio.wait([asked], timeout=0.5)
        assert not asked.done()
        held.may.set()
        assert await asked == block
        assert await survey(chain) == {2: "says something else than most"}


async def test_who_was_silent_at_the_last_head_is_not_waited_for_until_it_answers(anvil: LocalNode) -> None:
    """Two that have different blocks don't wait for a third that hangs, and the beat doesn't either."""
    block = await with_transfer(anvil)
    held = Held()
    async with endpoints(anvil, honest, lagging, held) as chain:
        await fall_silent(chain, 2)
        async with asyncio.timeout(SOON_SECONDS):
            assert await chain.head() == block.number - 5
            assert await chain.survey() == {3: "does not answer"}
        held.may.set()
        assert await survey(chain) == {}
        assert await chain.head() == block.number


async def test_two_of_three_that_are_silent_are_waited_for(anvil: LocalNode) -> None:
    """What one alone says is no head while others may still answer."""
    block = await with_transfer(anvil)
    first, second = Held(), Held()
    async with endpoints(anvil, lagging, first, second) as chain:
        chain._silent = {chain.nodes[1], chain.nodes[2]}
        asked = asyncio.create_task(chain.head())
        await asyncio.wait([asked], timeout=0.5)
        assert not asked.done()
        first.may.set()
        second.may.set()
        assert await asked == block.number


async def test_an_endpoint_owes_only_so_many_answers(anvil: LocalNode, monkeypatch: pytest.MonkeyPatch) -> None:
    def owed() -> int:
        return sum(node in question.open for question in chain._late)

    monkeypatch.setattr(evm, "_MOST_LATE", 2)
    held = Held()
    async with endpoints(anvil, honest, honest, held) as chain:
        node = chain.nodes[2]
        for _ in range(2):
            await chain.head()
        assert (owed(), node in chain._silent) == (2, False)
        node._timeout_seconds = 0.1
        await chain.head()
        assert (owed(), node in chain._silent) == (2, True), "this one waited"
        node._timeout_seconds = PATIENCE_SECONDS
        async with asyncio.timeout(SOON_SECONDS):
            for _ in range(3):
                await chain.head()
        assert owed() == 2, "these didn't even ask"
        held.may.set()
        await heard(chain)
        assert node not in chain._silent


async def test_nothing_is_asked_any_more_once_the_chain_is_closed(anvil: LocalNode) -> None:
    held = Held()
    async with endpoints(anvil, honest, honest, held) as chain:
        await chain.head()
        (late,) = [task for question in chain._late for task in question.open.values()]
        await chain.close()
        assert late.cancelled()
        held.may.set()


async def test_who_stops_waiting_leaves_no_question_behind(anvil: LocalNode) -> None:
    held = Held()
    async with endpoints(anvil, held) as chain:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await chain.head()
        assert [task for task in asyncio.all_tasks() if getattr(task.get_coro(), "__name__", "") == "_one"] == []
        held.may.set()


async def test_one_that_fails_leaves_what_most_say_to_those_that_come_later(anvil: LocalNode) -> None:
    """Two of three agree, though the first to speak was an outage and the last one was waited for."""
    block = await with_transfer(anvil)
    held = Held()
    async with endpoints(anvil, held, honest, dead=1) as chain:
        asked = asyncio.create_task(chain.block(block.number))
        await asyncio.wait([asked], timeout=0.5)
        assert not asked.done()
        held.may.set()
        assert await asked == block


async def test_the_newest_block_is_good_for_a_second_from_its_answer_on(
    anvil: LocalNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else who asks behind an answer that took longer waits for one of his own."""
    await with_transfer(anvil)
    held, now = Held(), [0.0]
    async with endpoints(anvil, held) as chain:
        monkeypatch.setattr(evm, "time", SimpleNamespace(monotonic=lambda: now[0]))
        asked = asyncio.create_task(chain.newest())
        await asyncio.sleep(0)  # it has begun
        now[0] = 5.0
        held.may.set()
        block = await asked
        await anvil.mine()
        now[0] = 5.9
        assert await chain.newest() == block
        now[0] = 6.0
        assert await chain.newest() == await anvil.chain.block(await anvil.chain.head()) != block
