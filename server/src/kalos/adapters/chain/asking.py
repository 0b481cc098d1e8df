"""One question to several nodes at once: whoever asks may go on before all have answered, and the late are heard."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Final, Generic, TypeVar

from kalos.adapters.chain.hexes import BadHex
from kalos.adapters.chain.rpc import Node
from kalos.core.errors import Outage

_MALFORMED: Final = (BadHex, KeyError, TypeError, IndexError, AttributeError, RecursionError)
Answer = TypeVar("Answer")


class Question(Generic[Answer]):
    """What each node says to it, which is an Outage where it fails or answers nonsense."""

    def __init__(self, ask: Callable[[Node], Awaitable[Answer]], nodes: Sequence[Node]) -> None:
        self.answers: dict[Node, Answer] = {}
        self.open = {node: asyncio.create_task(answer_of(node, ask)) for node in nodes}
        self._said: dict[Node, Answer | Outage] = {}
        self._notes: list[Callable[[Node, Answer | Outage], None]] = []
        for node, task in self.open.items():
            task.add_done_callback(partial(self._hear, node))

    async def until(self, is_enough: Callable[[], bool]) -> None:
        """Wait until so much is known, or all have spoken. Whoever stops waiting ends the question."""
        try:
            while self.open and not is_enough():
                done, _ = await asyncio.wait(self.open.values(), return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()  # raises what is a bug
        except BaseException:
            await self.end()
            raise

    def note(self, note: Callable[[Node, Answer | Outage], None]) -> None:
        """Give `note` what each node has said, and what those say that are late, when they do."""
        self._notes.append(note)
        for node, said in self._said.items():
            note(node, said)

    def is_agreed(self, voters: int) -> bool:
        """Whether more than half of all voters say the same: the others can't change what most say, nor the median."""
        votes = Counter(self.answers.values()).most_common(1)
        return bool(votes) and votes[0][1] * 2 > voters

    async def end(self) -> None:
        tasks = list(self.open.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _hear(self, node: Node, task: asyncio.Task[Any]) -> None:
        del self.open[node]
        if task.cancelled():
            return
        said = self._said[node] = task.result()
        if not isinstance(said, Outage):
            self.answers[node] = said
        for note in self._notes:
            note(node, said)


async def answer_of(node: Node, ask: Callable[[Node], Awaitable[Answer]]) -> Answer | Outage:
    """What one node says, or the Outage that it is."""
    try:
        return await ask(node)
    except Outage as problem:
        return problem
    except _MALFORMED as problem:
        return Outage(f"{node.host}: malformed answer: {problem!r:.200}")
