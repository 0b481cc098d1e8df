"""What came to and went from an account, by kind: since a point in time, and in all its life.

A long history is walked once: its sums up to a version are kept in `ledger_sums`, and only what came since is added.
They follow from the journal alone. All kinds together must be the account's balance; where they aren't, what was kept
is made anew. What a busy account moved since a point in time is kept by each process, which may lose it.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

import structlog

from kalos.core.database import Database, Record
from kalos.ledger.statements import versions_before

log = structlog.get_logger(__name__)

_STEP: Final = 50_000
"""So many versions are walked and kept at once: who gives up meanwhile begins there again."""
_WORTH_KEEPING: Final = 1_000
_MOST_KEPT: Final = 2_000

_TOPS: Final = """
    SELECT a.id, a.version AS top, a.balance, coalesce(s.version, 0) AS version, s.kinds, s.units
    FROM accounts a LEFT JOIN ledger_sums s ON s.account = a.id WHERE a.id = ANY($1::bigint[])
"""
_WALK: Final = """
    SELECT part.id, part.low, k.name, sum(moved.units) AS units
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS part(id, low, high) CROSS JOIN LATERAL (
        SELECT kind, -amount AS units FROM journal
        WHERE from_id = part.id AND from_version > part.low AND from_version <= part.high
        UNION ALL
        SELECT kind, amount FROM journal WHERE to_id = part.id AND to_version > part.low AND to_version <= part.high
    ) AS moved JOIN kinds k ON k.id = moved.kind GROUP BY 1, 2, 3
"""
_KEEP: Final = """
    INSERT INTO ledger_sums (account, version, kinds, units) VALUES ($1, $2, $3, $4)
    ON CONFLICT (account) DO UPDATE SET version = excluded.version, kinds = excluded.kinds, units = excluded.units
    WHERE ledger_sums.version < excluded.version
"""
_FORGET: Final = "DELETE FROM ledger_sums WHERE account = $1"

Part = tuple[int, int, int]
"""Of an account, the versions after the first up to the second."""

Units = dict[tuple[int, str], int]
"""Units that came to (positive) or went from (negative) an account, by account and kind; both ways summed up."""


Kept = OrderedDict[tuple[int, int], tuple[int, dict[str, int]]]
"""By account and the version before a walk's first: its last version, and the units by kind. What moved stays so."""

_kept: Final[WeakKeyDictionary[Database, Kept]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Sums:
    """Of the same moves all: `ever` since the first one, `since` from each point in time that was asked for."""

    ever: Units
    since: dict[int, Units]


async def sums_since(db: Database, accounts: Iterable[int], start: int) -> Units:
    """What moved since a point in time. Costs a walk over the moves since then, or since this process last made one."""
    tops = {row["id"]: row["top"] for row in await db.rows(_TOPS, list(accounts))}
    return (await _since(db, tops, [start]))[start]


async def sums_of(db: Database, accounts: Iterable[int], starts: Sequence[int]) -> Sums:
    """What ever moved, and what since each of `starts`. Costs a walk over the moves since each of them, and over those
    that came since the sums were kept.
    """
    rows = await db.rows(_TOPS, list(accounts))
    ever: Units = {}
    for row in rows:
        ever |= {(row["id"], kind): units for kind, units in (await _ever(db, row)).items()}
    return Sums(ever, await _since(db, {row["id"]: row["top"] for row in rows}, starts))


async def _since(db: Database, tops: Mapping[int, int], starts: Sequence[int]) -> dict[int, Units]:
    before = await versions_before(db, tops, starts)
    found: dict[int, Units] = {}
    for start in starts:
        found[start] = await _between(db, [(one, before.get((one, start), 0), top) for one, top in tops.items()])
    return found


@dataclass(slots=True)
class _Way:
    """How far an account's moves after version `low` are summed up, and to where they are asked for."""

    account: int
    low: int
    version: int
    sums: dict[str, int]
    top: int


async def _between(db: Database, parts: Sequence[Part]) -> Units:
    """Walk on from where each of these parts was walked last, all of them together."""
    kept = _kept.setdefault(db, OrderedDict())
    ways = {account: _begun(kept, account, low, top) for account, low, top in parts}
    while due := [way for way in ways.values() if way.version < way.top]:
        steps = [(way.account, way.version, min(way.version + _STEP, way.top)) for way in due]
        for (account, kind), units in (await _walk(db, steps)).items():
            sums = ways[account].sums
            sums[kind] = sums.get(kind, 0) + units
        for way, (_, _, version) in zip(due, steps, strict=True):
            way.version = version
            _keep(kept, way)
    return {(account, kind): units for account, way in ways.items() for kind, units in way.sums.items()}


def _begun(kept: Kept, account: int, low: int, top: int) -> _Way:
    version, sums = kept.get((account, low), (low, {}))
    if version > top:  # who asked later has walked further
        version, sums = low, {}
    return _Way(account, low, version, dict(sums), top)


def _keep(kept: Kept, way: _Way) -> None:
    if way.version - way.low >= _WORTH_KEEPING:
        kept[way.account, way.low] = way.version, dict(way.sums)
        kept.move_to_end((way.account, way.low))
        if len(kept) > _MOST_KEPT:
            kept.popitem(last=False)


async def _ever(db: Database, row: Record) -> dict[str, int]:
    """All that an account's moves are up to its `top`, by kind."""
    account, top, version = row["id"], row["top"], row["version"]
    sums = dict(zip(row["kinds"] or (), map(int, row["units"] or ()), strict=True))
    found = await _continued(db, account, version, top, sums)
    if sum(found.values()) != row["balance"] and version:
        log.error("kept sums were wrong", account=account, version=version)
        await db.execute(_FORGET, account)
        found = await _continued(db, account, 0, top, {})
    return found


async def _continued(db: Database, account: int, version: int, top: int, sums: Mapping[str, int]) -> dict[str, int]:
    found = dict(sums)
    while version < top:
        first, version = version, min(version + _STEP, top)
        for (_, kind), units in (await _walk(db, [(account, first, version)])).items():
            found[kind] = found.get(kind, 0) + units
        if version - first >= _WORTH_KEEPING:
            await db.execute(_KEEP, account, version, list(found), list(found.values()))
    return found


async def _walk(db: Database, parts: Sequence[Part]) -> Units:
    accounts, lows, highs = zip(*parts, strict=True) if parts else ((), (), ())
    rows = await db.rows(_WALK, accounts, lows, highs)
    return {(row["id"], row["name"]): int(row["units"]) for row in rows}
