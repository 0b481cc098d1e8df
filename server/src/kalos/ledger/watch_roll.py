"""The second look: a further part of old moves, accounts, holds, quotas and facts at each step, round and round."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kalos.core.database import Connection
from kalos.ledger.audit_rows import MOST_SHOWN
from kalos.ledger.audit_tables import check_other_holds
from kalos.ledger.explained import Explained, Holds, check_holds
from kalos.ledger.watch_days import Days
from kalos.ledger.watch_moves import RANGE, Known, check_accounts, check_moves
from kalos.ledger.watch_tables import check_facts, first_fact

_BLOCK_BITS: Final = 26
_LAST_HOLD: Final = 2**63 - 1

_NEXT_BLOCK: Final = f"""
    SELECT least(
        (SELECT id >> {_BLOCK_BITS} FROM accounts WHERE id >= $1::bigint << {_BLOCK_BITS} ORDER BY id LIMIT 1),
        (SELECT block FROM ledger_watch_blocks WHERE block >= $1 ORDER BY block LIMIT 1)
    )
"""
_BLOCK: Final = """
    SELECT (id >> 8 & 255)::int AS asset, sum(balance) AS units, count(*) AS accounts FROM accounts
    WHERE id BETWEEN $1 AND $2 GROUP BY 1
"""
_HOLDS: Final = """
    SELECT count(*) AS holds, max(id) AS last, array_agg(DISTINCT account_id) FILTER (WHERE state = 'open') AS accounts
    FROM (SELECT id, account_id, state FROM holds WHERE id > $1 ORDER BY id LIMIT $2) AS part
"""
_WRONG_HOLDS: Final = f"""
    SELECT id, left_units, state FROM holds
    WHERE id > $1 AND id <= $2 AND (left_units < 0 OR (state = 'ended') <> (left_units = 0) OR id >> 3 > $3)
    ORDER BY id LIMIT {MOST_SHOWN}
"""
_ORPHANS: Final = f"""
    SELECT account_id FROM unnest($1::bigint[]) AS account_id
    WHERE NOT EXISTS (SELECT FROM accounts WHERE id = account_id) LIMIT {MOST_SHOWN}
"""
_QUOTAS: Final = """
    SELECT count(*) AS quotas, max(id) AS last, array_agg(id) FILTER (WHERE NOT 0 <= ALL (left_units)) AS wrong
    FROM (SELECT id, left_units FROM quotas WHERE id > $1 ORDER BY id LIMIT $2) AS part
"""


@dataclass(frozen=True, slots=True)
class Pace:
    """How many old rows a step looks at, at least one; of accounts it finishes the block that it has begun."""

    moves: int = 20_000
    accounts: int = 10_000
    holds: int = 20_000
    quotas: int = 20_000
    facts: int = 20_000


@dataclass(slots=True)
class Roll:
    """How far the second look is: the last move, block, hold, quota and fact that it saw."""

    pace: Pace

    move: int
    block: int
    hold: int
    quota: str
    fact: int


async def roll_moves(db: Connection, roll: Roll, *, newest: int, known: Known, behind: bool, days: Days) -> list[str]:
    """Check the next moves once more, up to the `newest` that was checked; then begin anew."""
    last = min(roll.move + roll.pace.moves, newest)
    problems: list[str] = []
    if last > roll.move:
        cells, problems = await check_moves(db, roll.move, last, known)
        days.add(cells)
    roll.move = last
    over = last >= newest
    problems += await days.compare(db, newest=over and not behind)
    if over:
        roll.move, days.cells = 0, {}
    return problems


async def roll_accounts(db: Connection, roll: Roll) -> list[str]:
    """Check the accounts of the next blocks, and each block's sums against those that are kept."""
    problems: list[str] = []
    seen = 0
    while seen < roll.pace.accounts:
        block = await db.fetchval(_NEXT_BLOCK, roll.block + 1)
        if block is None:
            roll.block = -1
            break
        assert block > roll.block
        first, last = block << _BLOCK_BITS, (block + 1 << _BLOCK_BITS) - 1
        rows = await db.fetch(_BLOCK, first, last)
        problems += await check_accounts(db, RANGE, first, last)
        problems += await _compare_block(db, block, {row["asset"]: int(row["units"]) for row in rows})
        seen += sum(row["accounts"] for row in rows) + 1
        roll.block = block
    return problems


async def _compare_block(db: Connection, block: int, has: dict[int, int]) -> list[str]:
    """What is read is kept from now on: a difference stands in the asset's sum until everything is audited anew."""
    kept = {
        row["asset"]: int(row["units"])
        for row in await db.fetch("SELECT asset, units FROM ledger_watch_blocks WHERE block = $1", block)
    }
    problems = []
    for asset in sorted(has.keys() | kept.keys()):
        now, was = has.get(asset, 0), kept.get(asset, 0)
        if now != was:
            problems.append(f"sum of accounts: block {block} asset {asset} has {now}, its moves say {was}")
            await add_to_blocks(db, {(block, asset): now - was})
    return problems


async def add_to_blocks(db: Connection, units: dict[tuple[int, int], int]) -> None:
    blocks, assets = zip(*units, strict=True) if units else ((), ())
    await db.execute(
        """
        INSERT INTO ledger_watch_blocks (block, asset, units)
        SELECT * FROM unnest($1::bigint[], $2::smallint[], $3::numeric[])
        ON CONFLICT (block, asset) DO UPDATE SET units = ledger_watch_blocks.units + excluded.units
        """,
        blocks,
        assets,
        list(units.values()),
    )


async def roll_holds(db: Connection, roll: Roll, posting: int, explained: Sequence[Explained]) -> list[str]:
    """Check the next holds, the accounts of the open ones, and their domains' rows."""
    row = await db.fetchrow(_HOLDS, roll.hold, roll.pace.holds)
    assert row is not None
    full = row["holds"] == roll.pace.holds
    last = row["last"] if full else _LAST_HOLD
    problems = [
        f"wrong hold: {hold} has {left} left and is {state}, the last posting is {posting}"
        for hold, left, state in await db.fetch(_WRONG_HOLDS, roll.hold, last, posting)
    ]
    orphans = await db.fetch(_ORPHANS, row["accounts"] or [])
    problems += [f"held and holds differ: account {account} has no row, and open holds" for (account,) in orphans]
    for one in explained:
        if isinstance(one, Holds):
            problems += await check_holds(db, one, after=roll.hold, last=last)
    problems += await check_other_holds(db, explained, after=roll.hold, last=last)
    roll.hold = last if full else 0
    return problems


async def roll_quotas(db: Connection, roll: Roll) -> list[str]:
    """Check the next quotas."""
    row = await db.fetchrow(_QUOTAS, roll.quota, roll.pace.quotas)
    assert row is not None
    roll.quota = row["last"] if row["quotas"] == roll.pace.quotas else ""
    return [f"negative quota: {name}" for name in (row["wrong"] or [])[:MOST_SHOWN]]


async def roll_facts(db: Connection, roll: Roll, newest: int) -> list[str]:
    """Count the next facts once more, up to the `newest` that was counted; then begin anew."""
    first = await first_fact(db, roll.fact, newest)
    last = min(first + roll.pace.facts, newest)
    problems = await check_facts(db, first, last)
    roll.fact = 0 if last >= newest else last
    return problems
