"""How many calls a member and a network may make in a second, counted together across all API processes.

The first few calls of a second a process lets through without telling anybody: so few that all processes together pass
the limit by a tenth at most; one that serves alone may let all through. For more it takes permits from the shared
counter in lots of a tenth, and tells what it let through before. What visitors may try is counted one by one, so
exactly.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from kalos.core.batch import Batch
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.errors import TooMany
from kalos.core.terms import Terms
from kalos.wire.calls import Load
from kalos.wire.free import FREE
from kalos.wire.networks import is_loopback

_SLOT_MS: Final = 1_000
_KEEP_MS: Final = 10_000
_MOST_NAMES: Final = 100_000
_NONE: Final = -1  # the shared counter has nothing left in this second


@dataclass(frozen=True, slots=True)
class _Want:
    name: str
    slot: int
    used: int  # without asking
    lot: int
    most: int


class Limits:
    """A check returns FREE where nobody need be asked. Raises: TooMany with `retry_after`, Outage."""

    def __init__(
        self, db: Database, clock: Clock, terms: Terms, *, count_loopback: bool, others: Callable[[], int | None]
    ) -> None:
        self._db = db
        self._clock = clock
        self._terms = terms
        self._count_loopback = count_loopback
        self._others = others
        self._beside: int | None = None
        self._batch: Batch[_Want, int] = Batch(self._take)
        self._slot = 0
        self._left: dict[str, int] = {}
        self._told: set[str] = set()  # whose first few calls the shared counter knows
        self._asking: dict[str, asyncio.Task[None]] = {}

    def check_network(self, network: str, load: Load) -> Awaitable[None]:
        if is_loopback(network) and not self._count_loopback:
            return FREE
        if load == "draw":  # of all that anybody may ask for at will it takes the most work
            return self._check(f"draw {network}", self._terms.rate_draw, exact=True)
        return self._check(f"network {network}", self._terms.rate_network, exact=load == "entry")

    def check_member(self, member: int, load: Load) -> Awaitable[None]:
        most = self._terms.rate_money if load == "money" else self._terms.rate_read
        return self._check(f"{load} {member}", most, exact=load == "entry")

    async def forget(self) -> None:
        """Delete the counters of seconds that are over."""
        await self._db.execute("DELETE FROM limits WHERE until_at <= $1", self._clock.wall())

    def _check(self, name: str, most: int, *, exact: bool) -> Awaitable[None]:
        return FREE if self._lets(name, most, exact=exact) else self._ask(name, most, exact=exact)

    def _lets(self, name: str, most: int, *, exact: bool) -> bool:
        """Whether it may go on without asking."""
        slot = self._clock.wall() // _SLOT_MS
        if slot != self._slot or len(self._left) >= _MOST_NAMES:
            self._begin_anew(slot)
        left = self._left.get(name)
        if left is None:
            left = self._free(most)
        if left > 0 and (not exact or self._beside == 0 or name in self._told):
            self._left[name] = left - 1
            return True
        return False

    async def _ask(self, name: str, most: int, *, exact: bool) -> None:
        """Have a lot taken from the shared counter, until one of it is ours. Raises: TooMany."""
        while not self._lets(name, most, exact=exact):
            free = self._free(most)
            left = self._left.get(name, free)
            if left == _NONE or (left == 0 and self._beside == 0):
                raise TooMany(retry_after=1)
            if name not in self._asking:
                used = 0 if name in self._told else free - left
                want = _Want(name, self._slot, used, 1 if exact else max(1, most // 10), most)
                self._left[name] = 0  # what was let through untold is told now: no more of that
                self._asking[name] = asyncio.create_task(self._fill(want))
            await asyncio.shield(self._asking[name])

    def _begin_anew(self, slot: int) -> None:
        """With each second. Who comes to serve beside this process waits until its present one is over."""
        self._beside = self._others() if slot != self._slot else None
        self._slot, self._left, self._told = slot, {}, set()

    def _free(self, most: int) -> int:
        """So many calls of a second need not be told: all that are allowed, where nobody else counts."""
        if not self._beside:
            return most if self._beside == 0 else 0
        return most // 10 // self._beside

    async def _fill(self, want: _Want) -> None:
        try:
            granted = await self._batch.ask(want)
        finally:
            del self._asking[want.name]
        if want.slot == self._slot:
            self._told.add(want.name)
            self._left[want.name] = granted or _NONE

    async def _take(self, wants: Sequence[_Want]) -> Sequence[int]:
        """Take each lot from its counter, as far as there is something left; several of one name share one row."""
        totals: dict[tuple[str, int], int] = {}
        for want in wants:
            totals[want.name, want.slot] = totals.get((want.name, want.slot), 0) + want.used + want.lot
        keys = sorted(totals)
        rows = await self._db.planned.rows(
            """
            INSERT INTO limits (name, slot, used, until_at)
            SELECT * FROM unnest($1::text[], $2::bigint[], $3::int[], $4::bigint[])
            ON CONFLICT (name, slot) DO UPDATE SET used = limits.used + excluded.used RETURNING name, slot, used
            """,
            [name for name, _ in keys],
            [slot for _, slot in keys],
            [totals[key] for key in keys],
            [slot * _SLOT_MS + _KEEP_MS for _, slot in keys],
        )
        before = {(row["name"], row["slot"]): row["used"] - totals[row["name"], row["slot"]] for row in rows}
        granted = []
        for want in wants:
            key = (want.name, want.slot)
            granted.append(max(0, min(want.lot, want.most - before[key] - want.used)))
            before[key] += want.used + want.lot
        return granted
