"""Time limits for what nearly always takes no time: one timer for all instead of one for each."""

import asyncio
from math import ceil
from typing import Final

_LOOK_SECONDS: Final = 0.5


class Patience:
    """What may take `seconds`, or half a second more, stands between `begin` and `end`; then it is cancelled.

    One is for all tasks of a loop; a task begins once at a time. Time is told by the timer's own looks: reading a clock
    for each body costs more than all else here.
    """

    def __init__(self, seconds: float) -> None:
        self._patience = ceil(seconds / _LOOK_SECONDS) + 1  # in looks: the first may come at once
        self._looks = 0
        self._until: dict[asyncio.Task[object], int] = {}
        self._cut_off: set[asyncio.Task[object]] = set()
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> "asyncio.Task[object]":
        """Returns the task that runs, which `end` is to be given."""
        task = asyncio.current_task()
        assert task is not None
        self._until[task] = self._looks + self._patience
        if self._timer is None:
            loop = task.get_loop()
            self._timer = loop.call_later(_LOOK_SECONDS, self._look, loop)
        return task

    def end(self, task: "asyncio.Task[object]") -> bool:
        """Whether it was cancelled because it took too long, and by nobody else."""
        if task not in self._cut_off:
            del self._until[task]
            return False
        self._cut_off.discard(task)
        return task.uncancel() == 0

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        self._looks += 1
        for task in [task for task, until in self._until.items() if until <= self._looks]:
            del self._until[task]
            self._cut_off.add(task)
            task.cancel()
        self._timer = loop.call_later(_LOOK_SECONDS, self._look, loop) if self._until else None
