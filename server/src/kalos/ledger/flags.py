"""The stored flag that stops money out: who set it, who cleared it, and why. The writer obeys it."""

from dataclasses import dataclass
from typing import Final

from kalos.core.database import Connection, Database

MONEY_OUT_STOPPED: Final = "money_out_stopped"
_LONGEST: Final = 2_000


@dataclass(frozen=True, slots=True)
class Flag:
    """`since` is the wall's time in milliseconds; `reason` has a line for each problem."""

    reason: str
    since: int


async def money_out_stopped(db: Database | Connection) -> Flag | None:
    """The flag as it stands, None where money may go out."""
    read = db.row if isinstance(db, Database) else db.fetchrow
    row = await read("SELECT reason, since FROM ledger_flags WHERE name = $1", MONEY_OUT_STOPPED)
    return None if row is None else Flag(row["reason"], row["since"])


async def stop_money_out(db: Connection, *, reason: str, by: str, wall: int, follows: bool = False) -> bool:
    """Set the flag. False where it stands: its first reason stays, and this one `follows` it where that is said."""
    reason = reason[: _LONGEST // 2]
    made = await db.fetchval(
        """
        INSERT INTO ledger_flags (name, reason, since) VALUES ($1, $2, $3)
        ON CONFLICT (name) DO UPDATE
        SET reason = left(ledger_flags.reason, $4 - length(excluded.reason) - 1) || E'\n' || excluded.reason
        WHERE $5 AND position(excluded.reason IN ledger_flags.reason) = 0 RETURNING xmax = 0
        """,
        MONEY_OUT_STOPPED,
        reason,
        wall,
        _LONGEST,
        follows,
    )
    if made:
        await _record(db, stands=True, reason=reason, by=by, wall=wall)
    return bool(made)


async def clear_money_out(db: Connection, *, reason: str, by: str, wall: int, stood: str | None = None) -> bool:
    """Clear the flag; only after an audit that found nothing.

    False where it doesn't stand, or no longer for the reason that `stood` when the audit began.
    """
    tag = await db.execute(
        "DELETE FROM ledger_flags WHERE name = $1 AND reason = coalesce($2, reason)", MONEY_OUT_STOPPED, stood
    )
    if tag == "DELETE 1":
        await _record(db, stands=False, reason=reason[:_LONGEST], by=by, wall=wall)
    return bool(tag == "DELETE 1")


async def _record(db: Connection, *, stands: bool, reason: str, by: str, wall: int) -> None:
    await db.execute(
        "INSERT INTO ledger_flag_changes (name, stands, reason, made_by, at) VALUES ($1, $2, $3, $4, $5)",
        MONEY_OUT_STOPPED,
        stands,
        reason,
        by,
        wall,
    )
