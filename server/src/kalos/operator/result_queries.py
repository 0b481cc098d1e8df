"""Every statement on what games returned, and the reads of the ledger's daily sums."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

from kalos.core.database import Connection, Database

Sums = dict[tuple[int, str], tuple[int, int]]
"""By asset's number and kind: the units of the last day, and of all days."""
Counted = tuple[int, int, int]
"""Bets, staked units, paid units."""

_KINDS: Final = """
    SELECT s.asset, k.name, coalesce(sum(s.units) FILTER (WHERE s.day = $2), 0) AS today, sum(s.units) AS month
    FROM daily_sums s JOIN kinds k ON k.id = s.kind
    WHERE s.day BETWEEN $1 AND $2 AND k.name = ANY($3::text[]) GROUP BY 1, 2
"""
_RETURNS: Final = """
    SELECT game, asset, sum(bets)::bigint AS bets, sum(staked_units) AS staked, sum(paid_units) AS paid,
        coalesce(sum(bets) FILTER (WHERE day = $2), 0)::bigint AS bets_today,
        coalesce(sum(staked_units) FILTER (WHERE day = $2), 0) AS staked_today,
        coalesce(sum(paid_units) FILTER (WHERE day = $2), 0) AS paid_today
    FROM game_returns WHERE day BETWEEN $1 AND $2 GROUP BY 1, 2
"""
# What was staked and is neither lost nor back: one row a day, asset and kind, however many bets there were.
_OPEN: Final = """
    SELECT s.asset, sum(CASE WHEN k.name = 'game.stake' THEN s.units ELSE -s.units END) AS units
    FROM daily_sums s JOIN kinds k ON k.id = s.kind
    WHERE k.name IN ('game.stake', 'game.lost', 'game.stake_back', 'game.refund') GROUP BY 1
"""
# Each round's bets are read once in their lives, by the round's index.
_ADD: Final = """
    INSERT INTO game_returns AS g (day, game, asset, bets, staked_units, paid_units, last_at)
    SELECT n.day, b.game, b.asset, count(*), sum(b.units), sum(b.prize_units), max(n.at)
    FROM unnest($1::bigint[], $2::date[], $3::bigint[]) AS n(round, day, at) JOIN bets b ON b.round = n.round
    WHERE b.status IN ('won', 'not_won') GROUP BY 1, 2, 3
    ON CONFLICT (day, game, asset) DO UPDATE SET bets = g.bets + excluded.bets,
        staked_units = g.staked_units + excluded.staked_units, paid_units = g.paid_units + excluded.paid_units,
        last_at = greatest(g.last_at, excluded.last_at)
"""


async def sum_kinds(db: Database, first: date, last: date, kinds: Sequence[str]) -> Sums:
    """What moved of these kinds on the business days from `first` to `last`, both included."""
    rows = await db.rows(_KINDS, first, last, list(kinds))
    return {(row["asset"], row["name"]): (int(row["today"]), int(row["month"])) for row in rows}


async def find_last_posting(db: Database) -> int:
    """When the ledger posted last, in business time: until then the daily sums are whole."""
    at: int = await db.value("SELECT last_at FROM ledger_tail")
    return at


async def sum_open_stakes(db: Database) -> dict[int, int]:
    """By asset's number, the stakes that wait for their draw."""
    return {row["asset"]: int(row["units"]) for row in await db.rows(_OPEN)}


async def count_open_rounds(db: Database, now: int) -> tuple[int, int | None]:
    """Rounds whose time is over and that aren't settled, and when the oldest of them closed."""
    row = await db.row(
        """
        SELECT count(*) AS rounds, min(h.closes_at) AS since FROM heights h JOIN rounds r USING (closes_at)
        WHERE h.settled_at IS NULL AND h.closes_at <= $1
        """,
        now,
    )
    assert row is not None
    return row["rounds"], row["since"]


async def sum_returns(db: Database, first: date, last: date) -> dict[tuple[str, str], tuple[Counted, Counted]]:
    """By game and asset: of the last day, and of all days from `first` on."""
    return {
        (row["game"], row["asset"]): (
            (row["bets_today"], int(row["staked_today"]), int(row["paid_today"])),
            (row["bets"], int(row["staked"]), int(row["paid"])),
        )
        for row in await db.rows(_RETURNS, first, last)
    }


async def find_counted_at(db: Database) -> int | None:
    """When the last round that is counted was settled."""
    at: int | None = await db.value("SELECT max(last_at) FROM game_returns")
    return at


async def add_returns(db: Connection, rounds: Mapping[int, tuple[date, int]]) -> None:
    """Add the settled bets of rounds, by number, to the day they were settled on."""
    if rounds:
        days, times = zip(*rounds.values(), strict=True)
        await db.execute(_ADD, list(rounds), list(days), list(times))
