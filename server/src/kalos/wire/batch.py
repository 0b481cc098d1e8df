"""One statement for many: what callers ask while a statement runs goes together in the next one."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_MOST: Final = 500


class Batch(Generic[Item, Result]):
    """`run` takes the items that wait and gives their results in the same order; its failure is everybody's."""

    def __init__(self, run: Callable[[Sequence[Item]], Awaitable[Sequence[Result]]]) -> None:
        self._run = run
        self._waiting: list[tuple[Item, asyncio.Future[Result]]] = []
        self._task: asyncio.Task[None] | None = None

    async def ask(self, item: Item) -> Result:
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, future))
        if self._task is None:
            self._task = asyncio.create_task(self._drain())
        return await future

    async def _drain(self) -> None:
        try:
            while self._waiting:
                taken, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
                await self._answer(taken)
        finally:
            self._task = None

    async def _answer(self, taken: list[tuple[Item, asyncio.Future[Result]]]) -> None:
        try:
            results = await self._run([item for item, _ in taken])
        except Exception as problem:  # noqa: BLE001 - everybody who waits is told
            for _, future in taken:
                if not future.done():
                    future.set_exception(problem)
            return
        for (_, future), result in zip(taken, results, strict=True):
            if not future.done():
                future.set_result(result)
