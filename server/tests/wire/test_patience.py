"""What takes too long is cut off in time, and nothing else is."""

import asyncio

import pytest

from kalos.wire.patience import Patience

SECONDS = 1.0


async def test_who_takes_too_long_is_cut_off_and_not_before_the_time() -> None:
    """Whenever it began: the timer is one for all."""
    patience, loop = Patience(SECONDS), asyncio.get_running_loop()

    async def wait_for_ever(later: float = 0) -> tuple[bool, float]:
        await asyncio.sleep(later)
        task, begun = patience.begin(), loop.time()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return patience.end(task), loop.time() - begun
        raise AssertionError("nobody sets it")

    for cut_off, seconds in await asyncio.gather(*map(wait_for_ever, (0, 0.2, 0.4))):
        assert cut_off
        assert seconds >= SECONDS * 0.99
    for cut_off, seconds in await asyncio.gather(wait_for_ever()):
        assert cut_off, "its timer began anew"
        assert seconds >= SECONDS * 0.99


async def test_who_ends_in_time_is_not_cut_off_later() -> None:
    patience, task = Patience(SECONDS), asyncio.current_task()
    assert patience.begin() is task
    assert not patience.end(patience.begin())
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(2 * SECONDS + 1):
            await asyncio.Event().wait()
    assert task is not None
    assert task.cancelling() == 0


async def test_who_is_cancelled_by_another_was_not_cut_off() -> None:
    patience, ends = Patience(SECONDS), list[bool]()

    async def wait_for_ever() -> None:
        task = patience.begin()
        try:
            await asyncio.Event().wait()
        finally:
            ends.append(patience.end(task))

    waiting = asyncio.create_task(wait_for_ever())
    await asyncio.wait([waiting], timeout=0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert ends == [False]
