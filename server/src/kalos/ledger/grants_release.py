"""Releases one day of all grants: slices of rows, several on their way at once, each grant and day once."""

import asyncio
import random
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import groupby
from typing import Any, Final

from kalos.core.database import Database
from kalos.core.errors import PASSING, ForOperator, InsufficientBalance, StateChanged
from kalos.core.failpoints import reach
from kalos.ledger import days
from kalos.ledger.grants import ENDED, RUNNING, TABLE
from kalos.ledger.payables import Debt, OlderPayables, in_turn, owe
from kalos.ledger.postings import Insert, Ledger, MoveMany, Posted, Posting, SetMany, key_of

JOB: Final = "grants"
SLICE: Final = 100
LANES: Final = 8
"""Slices on their way at once: the writer decides some while others are read."""
_SHORT: Final = (InsufficientBalance, OlderPayables)
_MOST_NAMED: Final = 5

_Sort = tuple[int, Sequence[Any]]
"""What one posting releases: the house account that pays, or 0, and groups of grants."""

# The first id of every slice that has something to release; what another worker has released meanwhile is missing.
_STARTS: Final = f"""
    SELECT id FROM (
        SELECT id, row_number() OVER (ORDER BY id) AS place FROM grants
        WHERE status = '{RUNNING}' AND released_day = $1::date - 1
    ) AS due WHERE (place - 1) % $2 = 0 ORDER BY id
"""
# One row for each sort of move, its columns as arrays: no row of Python for a grant. `payer` is a house account, or 0.
_DUE: Final = f"""
    SELECT payer, kind, last, units > 0 AS pays, array_agg(id) AS ids, array_agg(source) AS sources,
        array_agg(target) AS targets, array_agg(reference) AS refs, array_agg(units) AS units,
        array_agg(released + units) AS released
    FROM (
        SELECT id, source, target, kind, reference, released, last_day = $1::date AS last,
            CASE WHEN last_day = $1::date THEN total - released ELSE daily END AS units,
            CASE WHEN source >> 16 = 2 THEN source ELSE 0 END AS payer
        FROM grants
        WHERE status = '{RUNNING}' AND released_day = $1::date - 1 AND id >= $2 AND id < $3
        ORDER BY id LIMIT $4
    ) AS due
    GROUP BY payer, kind, last, pays ORDER BY payer, kind, last, pays
"""
_LEFT: Final = f"""
    SELECT id, count(*) OVER () AS count FROM grants
    WHERE status = '{RUNNING}' AND released_day = $1::date - 1 ORDER BY id LIMIT {_MOST_NAMED}
"""


class NotReleased(ForOperator):
    """Grants can't be posted, and somebody must look: they wait, and their day is not done; all others are released."""


async def release(db: Database, ledger: Ledger, day: date) -> None:
    """Release one day that has ended of every grant that has it, and mark it as done.

    Any number of workers may, and may be killed anywhere: a slice is one posting that finds every grant as it was read
    or changes nothing. What a house account can't pay becomes payable. The day before must be done.
    Moves: the grant's source -> its target, with the grant's kind.
    Raises: Outage, RequestRunning, Busy; what was released by then is. NotReleased when all is that can be.
    Source: ledger.md, "Grants".
    """
    if "" in await days.done(db, JOB, day):
        return
    while starts := [row["id"] for row in await db.rows(_STARTS, day, SLICE)]:
        # Workers that begin at different places don't meet before most is done.
        turn = random.randrange(len(starts))
        spans = list(zip(starts, [*starts[1:], 2**63 - 1], strict=True))
        waiting = iter(spans[turn:] + spans[:turn])
        try:
            async with asyncio.TaskGroup() as group:
                lanes = [group.create_task(_lane(db, ledger, day, waiting)) for _ in range(LANES)]
        except BaseExceptionGroup as problems:
            raise problems.exceptions[0] from problems
        refused = [problem for lane in lanes if (problem := lane.result()) is not None]
        left = await db.rows(_LEFT, day) if refused else []
        if left:
            which = f"{left[0]['count']} of the grants of {day}, first {', '.join(str(row['id']) for row in left)}"
            raise NotReleased(f"{which}: {type(refused[0]).__name__}") from refused[0]
    await days.finish(ledger, JOB, day)


async def _lane(db: Database, ledger: Ledger, day: date, waiting: Iterator[tuple[int, int]]) -> Exception | None:
    """Release slices while there are any. Returns why a grant can't be released, where there is such a one."""
    problem = None
    for first, end in waiting:
        problem = await _release_slice(db, ledger, day, first, end) or problem
        reach("grant_slice")
    return problem


async def _release_slice(db: Database, ledger: Ledger, day: date, first: int, end: int) -> Exception | None:
    """Release a slice; what is refused, grant by grant, so that one that can't be keeps none of the others waiting."""
    results: list[Posted | Exception] = [StateChanged()]
    while any(isinstance(result, StateChanged) for result in results):
        # Where another worker was faster, what it left is read again.
        groups = await db.rows(_DUE, day, first, end, SLICE)
        sorts = [(payer, list(some)) for payer, some in groupby(groups, lambda group: group["payer"])]
        results = await _post(ledger, day, sorts)
    refused = [sort for sort, result in zip(sorts, results, strict=True) if isinstance(result, Exception)]
    results = await _post(ledger, day, [alone for sort in refused for alone in _one_by_one(*sort)])
    return next((one for one in results if isinstance(one, Exception) and not isinstance(one, StateChanged)), None)


async def _post(ledger: Ledger, day: date, sorts: Sequence[_Sort]) -> list[Posted | Exception]:
    """Release each sort in a posting of its own: what the house account can't pay, as payables.

    Raises: Outage, RequestRunning, Busy.
    """
    results = await ledger.post_many([_payment(day, *sort) for sort in sorts])
    short = [place for place, sort in enumerate(sorts) if sort[0] and isinstance(results[place], _SHORT)]
    owed = await ledger.post_many([_debt(day, *sorts[place]) for place in short])
    for place, result in zip(short, owed, strict=True):
        results[place] = result
    for result in results:
        if isinstance(result, PASSING):
            raise result
    return results


def _one_by_one(payer: int, groups: Sequence[Any]) -> Iterator[_Sort]:
    for group in groups:
        for place in range(len(group["ids"])):
            one = {name: [column[place]] if isinstance(column, list) else column for name, column in group.items()}
            yield payer, [one]


def _debt(day: date, payer: int, groups: Sequence[Any]) -> Posting:
    """Releases what the house account can't pay as payables; they stand in line behind the older ones."""
    debts = [
        Debt(group["kind"], *debt)
        for group in groups
        if group["pays"]
        for debt in zip(group["targets"], group["units"], group["refs"], strict=True)
    ]
    takes, riders = owe(payer, debts, day)
    return Posting(_key(day, payer, groups, "owed"), takes=takes, riders=[*riders, *_changes(day, groups)])


def _payment(day: date, payer: int, groups: Sequence[Any]) -> Posting:
    return Posting(
        _key(day, payer, groups, "paid"),
        many=[
            MoveMany(group["kind"], group["sources"], group["targets"], group["units"], group["refs"])
            for group in groups
            if group["pays"]
        ],
        takes=in_turn(payer) if payer else (),
        riders=_changes(day, groups),
    )


def _changes(day: date, groups: Sequence[Any]) -> list[SetMany | Insert]:
    changes: list[SetMany | Insert] = []
    for group in groups:
        count = len(group["ids"])
        values: dict[str, Sequence[Any]] = {"released": group["released"], "released_day": [str(day)] * count}
        if group["last"]:
            values["status"] = [ENDED] * count
        expect = {"status": [RUNNING] * count, "released_day": [str(days.day_before(day))] * count}
        changes.append(SetMany(TABLE, {"id": group["ids"]}, expect, values))
    return changes


def _key(day: date, payer: int, groups: Sequence[Any], way: str) -> bytes:
    """The first grant of a slice is released once for a day, so that no two slices have one key."""
    ids = [number for group in groups for number in (group["ids"][0], group["ids"][-1])]
    return key_of(JOB, day, way, payer, *ids)
