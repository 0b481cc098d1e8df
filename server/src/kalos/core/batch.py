"""One statement for many: what callers ask while statements run goes together in the next one."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextvars import Context
from typing import Final, Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_MOST: Final = 500


class Batch(Generic[Item, Result]):
    """`run` takes the items that wait and gives their results in the same order; its failure is everybody's.

    At most `at_once` statements are under way. With two, one is worked on here while the database works on the other.
    """

    def __init__(self, run: Callable[[Sequence[Item]], Awaitable[Sequence[Result]]], *, at_once: int = 1) -> None:
        self._run = run
        self._free = at_once
        self._items: list[Item] = []
        self._futures: list[asyncio.Future[Result]] = []
        self._running: set[asyncio.Task[None]] = set()

    def ask(self, item: Item) -> "asyncio.Future[Result]":
        """The item's result, to be awaited."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        self._items.append(item)
        self._futures.append(future)
        if self._free:
            self._free -= 1
            # It begins with the loop's next turn: whoever asks in this one goes with it.
            task = loop.create_task(self._drain(), context=Context())  # nobody's own: it works for all
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        return future

    async def _drain(self) -> None:
        try:
            while self._items:
                items, self._items = self._items[:_MOST], self._items[_MOST:]
                futures, self._futures = self._futures[:_MOST], self._futures[_MOST:]
                await self._answer(items, futures)
        finally:
            self._free += 1

    async def _answer(self, items: list[Item], futures: "list[asyncio.Future[Result]]") -> None:
        try:
            results = await self._run(items)
        except Exception as problem:  # noqa: BLE001 - everybody who waits is told
            for future in futures:
                if not future.done():
                    future.set_exception(problem)
            return
        for future, result in zip(futures, results, strict=True):
            if not future.done():
                future.set_result(result)
