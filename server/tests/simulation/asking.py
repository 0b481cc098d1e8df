"""Asks for something until there is an answer: whoever asks may end in the middle, and so may the writer."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from deposits.scene import Crash, Effects, MortalDatabase, MortalLedger
from kalos.core.errors import Busy, Outage, RequestRunning, StateChanged, TooMany
from kalos.domains.context import House
from simulation.world import World

UNKNOWN: Final = (Outage, RequestRunning, Busy, TooMany, TimeoutError)
"""What says nothing about a request: it may have been done."""

Ask = Callable[[House], Awaitable[None]]


class Asking:
    """`unanswered` is what nobody was told the fate of, by its name; `count` counts outcomes."""

    def __init__(self, world: World, seed: int, count: Callable[[str], None]) -> None:
        self.world, self.house, self.count = world, world.house, count
        self.unanswered: dict[str, Ask] = {}
        self._seed = seed

    def id(self, word: str, number: int) -> str:
        """The id of a request, the same in each try."""
        return f"{word}-{self._seed}-{number:012d}"

    async def once(self, name: str, ask: Ask, crash_at: int | None = None) -> None:
        """Ask in a process that ends at its effect of that number; without an answer it is asked again later."""
        house = self.house
        if crash_at is not None:
            effects = Effects(crash_at)
            house = replace(house, db=MortalDatabase(house.db, effects), ledger=MortalLedger(house.ledger, effects))
        try:
            await ask(house)
        except Crash:
            self.count("a process's crash")
            self.unanswered[name] = ask
        except (*UNKNOWN, StateChanged):
            self.unanswered[name] = ask
        else:
            self.unanswered.pop(name, None)

    async def again(self) -> None:
        """Ask once more for all that has no answer."""
        for name, ask in list(self.unanswered.items()):
            await self.once(name, ask)


async def patiently(step: Callable[[House], Awaitable[object]], house: House) -> bool:
    """One step of a job. False where something was away, or another worker was faster: it is for the next time."""
    try:
        await step(house)
    except (*UNKNOWN, StateChanged):
        await asyncio.sleep(0.01)
        return False
    return True
