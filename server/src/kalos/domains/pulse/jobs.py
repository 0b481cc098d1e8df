"""The beat: one look at nodes, newest block and clocks, written down for everybody."""

import uuid
from contextlib import suppress
from typing import Final

import structlog

from kalos.core.clock import SECOND_MS, skew
from kalos.core.errors import Outage
from kalos.domains.context import House
from kalos.domains.pulse import queries, rules
from kalos.domains.pulse.rules import Look, Tip

PAUSE_SECONDS: Final = 1.0
_log = structlog.get_logger("pulse")


class Heart:
    """What one worker remembers from beat to beat."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._holder = uuid.uuid4().hex
        self._last: Look | None = None
        self._block_off = 0  # of the newest block that counts
        self._reason: rules.Reason | None = None

    async def beat(self) -> None:
        """Look once and write down what is wrong. Raises: Outage where the database doesn't answer."""
        house = self._house
        faults, look = await self._look()
        clock_off = await self._clock_off()
        block_off = rules.off_by(self._last, look, is_demo=house.is_demo)
        if block_off is not None:
            self._block_off = block_off
        reason = rules.reason_of(
            look,
            block_off=self._block_off,
            clock_off=clock_off,
            block_seconds=house.chain_terms.block_seconds,
            window_seconds=house.terms.result_window,
        )
        if look.tip is not None:
            self._last = look
        if reason != self._reason:
            _log.warning("games are open again" if reason is None else "games are closed", reason=reason)
            self._reason = reason
        await queries.beat(
            house.db,
            self._holder,
            reason=reason,
            head=None if look.tip is None else look.tip.number,
            clock_off_ms=clock_off,
            block_off_ms=self._block_off,
            faults=faults,
        )

    async def _look(self) -> tuple[list[str], Look]:
        chain, clock = self._house.chain, self._house.clock
        began = clock.now()
        try:
            head = await chain.head()
            block, parent = await chain.block(head), await chain.block(max(head - 1, 0))
            faults = [f"node {place} {fault}" for place, fault in sorted((await chain.survey()).items())]
        except Outage as problem:
            _log.warning("the chain is not known", reason=str(problem))
            with suppress(Outage):  # nodes that were all on another chain are asked nothing else
                await chain.survey()
            return ["the nodes don't answer or don't agree"], Look(began, max(began, clock.now()), None)
        tip = None
        if block is not None and parent is not None:
            tip = Tip(block.number, block.time * SECOND_MS, parent.time * SECOND_MS)
        return faults, Look(began, max(began, clock.now()), tip)

    async def _clock_off(self) -> int:
        clock = self._house.clock
        before = clock.wall()
        theirs = await queries.read_database_time(self._house.db)
        return skew(before, theirs, max(before, clock.wall()))
