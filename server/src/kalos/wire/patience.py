"""Time limits for what nearly always takes no time: one timer for all instead of one for each."""

import asyncio
from types import TracebackType
from typing import Final

_LOOK_SECONDS: Final = 0.5


class Patience:
    """`with patience:` around what may take `seconds`, or half a second more; then TimeoutError is raised in it.

    One is for all tasks of a loop; a task enters it once at a time.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._until: dict[asyncio.Task[object], float] = {}
        self._cut_off: set[asyncio.Task[object]] = set()
        self._timer: asyncio.TimerHandle | None = None

    def __enter__(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        loop = task.get_loop()
        self._until[task] = loop.time() + self._seconds
        if self._timer is None:
            self._timer = loop.call_later(_LOOK_SECONDS, self._look, loop)

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, _: TracebackType | None
    ) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._until.pop(task, None)
        if task in self._cut_off:
            self._cut_off.discard(task)
            if task.uncancel() == 0 and kind is asyncio.CancelledError:
                raise TimeoutError from problem

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        for task in [task for task, until in self._until.items() if until < now]:
            del self._until[task]
            self._cut_off.add(task)
            task.cancel()
        self._timer = loop.call_later(_LOOK_SECONDS, self._look, loop) if self._until else None
