"""One statement for many: what callers ask while statements run goes together in the next one."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextvars import Context
from typing import Final, Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_MOST: Final = 500
_LEAST_SHARED: Final = 32  # fewer cost more in two statements than one of them would wait for the other


class Batch(Generic[Item, Result]):
    """`run` takes the items that wait and gives their results in the same order; its failure is everybody's.

    At most `at_once` statements are under way. With two, one is worked on here while the database works on the other:
    many who ask in one turn are shared between them, else all would wait for the same one again and again.
    """

    def __init__(self, run: Callable[[Sequence[Item]], Awaitable[Sequence[Result]]], *, at_once: int = 1) -> None:
        self._run = run
        self._free = at_once
        self._beginning = 0
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
            self._beginning += 1
            # It begins with the loop's next turn: whoever asks in this one goes with it.
            task = loop.create_task(self._drain(), context=Context())  # nobody's own: it works for all
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        return future

    async def _drain(self) -> None:
        self._beginning -= 1
        try:
            while self._items:
                most = self._share()
                items, self._items = self._items[:most], self._items[most:]
                futures, self._futures = self._futures[:most], self._futures[most:]
                await self._answer(items, futures)
        finally:
            self._free += 1

    def _share(self) -> int:
        """How many go with the next statement: of many, an equal part for each that begins in this turn."""
        waiting = len(self._items)
        return min(_MOST, waiting if waiting < _LEAST_SHARED else -(-waiting // (1 + self._beginning)))

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
