"""Every statement on commands and corrections, and the reads of other rooms' rows that previews show.

Those that belong to one commit with others take its `Connection`; all else takes the `Database`.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import msgspec

from kalos.core.database import Connection, Database, Record
from kalos.domains.prices.tables import PriceOrder
from kalos.operator.tables import CommandRow

_SELECT: Final = """
    SELECT c.id, c.kind, c.object, c.state, c.body, c.before, c.after, c.version, c.reason, c.signers, c.maker,
        m.name AS maker_name, c.made_at, c.expires_at, c.checker, coalesce(k.name, r.name) AS checker_name, c.outcome,
        c.decided_at, c.message
    FROM commands c JOIN staff m ON m.id = c.maker LEFT JOIN staff k ON k.id = c.checker
        LEFT JOIN staff r ON r.id = c.refused_by
"""


async def insert_command(
    db: Connection,
    *,
    kind: str,
    about: str,
    body: Mapping[str, Any],
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    version: str,
    reason: str,
    signers: int,
    maker: int,
    made_at: int,
    expires_at: int,
    message: str | None,
    signature: bytes | None,
) -> int | None:
    """`about` is the object. None where a command on the same one is open or being carried out."""
    number: int | None = await db.fetchval(
        """
        INSERT INTO commands (kind, object, state, body, before, after, version, reason, signers, maker, made_at,
            expires_at, message, maker_signature)
        VALUES ($1, $2, 'open', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
        ON CONFLICT (object) WHERE state IN ('open', 'signed') DO NOTHING RETURNING id
        """,
        kind, about, _json(body), _json(before), _json(after), version, reason, signers, maker, made_at, expires_at,
        message, signature,
    )  # fmt: skip
    return number


async def lock_command(db: Connection, number: int) -> CommandRow | None:
    """The command, while nobody else decides on it."""
    row = await db.fetchrow(f"{_SELECT} WHERE c.id = $1 FOR UPDATE OF c", number)
    return None if row is None else _command(row)


async def lock_open(db: Connection, wall: int) -> list[CommandRow]:
    """All that wait for a signature, while nobody decides on them."""
    rows = await db.fetch(f"{_SELECT} WHERE c.state = 'open' AND c.expires_at > $1 ORDER BY c.id FOR UPDATE OF c", wall)
    return [_command(row) for row in rows]


async def read_command(db: Connection, number: int) -> CommandRow:
    (row,) = await db.fetch(f"{_SELECT} WHERE c.id = $1", number)
    return _command(row)


async def find_command(db: Database, number: int) -> CommandRow | None:
    row = await db.row(f"{_SELECT} WHERE c.id = $1", number)
    return None if row is None else _command(row)


async def decide(
    db: Connection,
    number: int,
    state: str,
    *,
    was: str,
    at: int,
    checker: int | None = None,
    refused_by: int | None = None,
    outcome: str | None = None,
    signature: bytes | None = None,
) -> bool:
    """From one state to the next; what isn't given stays. False where it is in another state."""
    tag: str = await db.execute(
        """
        UPDATE commands SET state = $2, decided_at = $4, checker = coalesce($5, checker),
            refused_by = coalesce($6, refused_by), outcome = coalesce($7, outcome),
            checker_signature = coalesce($8, checker_signature)
        WHERE id = $1 AND state = $3
        """,
        number, state, was, at, checker, refused_by, outcome, signature,
    )  # fmt: skip
    return tag == "UPDATE 1"


async def expire_object(db: Connection, about: str, *, wall: int) -> list[int]:
    """End the open command on an object whose time is over, so that a new one can be made."""
    rows = await db.fetch(
        """
        UPDATE commands SET state = 'expired', decided_at = $2
        WHERE object = $1 AND state = 'open' AND expires_at <= $2 RETURNING id
        """,
        about,
        wall,
    )
    return [row["id"] for row in rows]


async def list_expired(db: Database, *, wall: int, most: int) -> list[str]:
    """Objects whose open command's time is over."""
    rows = await db.rows(
        "SELECT object FROM commands WHERE state = 'open' AND expires_at <= $1 ORDER BY expires_at LIMIT $2", wall, most
    )
    return [row["object"] for row in rows]


async def list_signed(db: Database, *, before: int, most: int) -> list[CommandRow]:
    """What was signed a while ago and isn't known to be carried out."""
    rows = await db.rows(
        f"{_SELECT} WHERE c.state = 'signed' AND c.decided_at <= $1 ORDER BY c.id LIMIT $2", before, most
    )
    return [_command(row) for row in rows]


async def list_commands(
    db: Database, *, states: Collection[str], wall: int, before: int | None, most: int, skip: int
) -> list[CommandRow]:
    """The newest first; an open one whose time is over is expired already."""
    rows = await db.rows(
        f"""
        {_SELECT} WHERE c.id < $1
            AND CASE WHEN c.state = 'open' AND c.expires_at <= $3 THEN 'expired' ELSE c.state END = ANY($2::text[])
        ORDER BY c.id DESC OFFSET $4 LIMIT $5
        """,
        2**62 if before is None else before, list(states), wall, skip, most,
    )  # fmt: skip
    return [_command(row) for row in rows]


async def count_commands(db: Database, *, states: Collection[str], wall: int, most: int) -> int:
    count: int = await db.value(
        """
        SELECT count(*) FROM (
            SELECT FROM commands c
            WHERE CASE WHEN c.state = 'open' AND c.expires_at <= $2 THEN 'expired' ELSE c.state END = ANY($1::text[])
            LIMIT $3
        ) AS found
        """,
        list(states),
        wall,
        most,
    )
    return count


def _command(row: Record) -> CommandRow:
    decoded = {name: msgspec.json.decode(row[name]) for name in ("body", "before", "after")}
    return CommandRow(**dict(row) | decoded)


def _json(value: Mapping[str, Any]) -> str:
    return msgspec.json.encode(value).decode()


# Corrections


async def find_outcome(db: Database, command: int) -> str | None:
    outcome: str | None = await db.value("SELECT outcome FROM corrections WHERE command = $1", command)
    return outcome


async def has_own(db: Connection, staff: Sequence[int], accounts: Collection[str]) -> bool:
    """Whether one of these accounts is the own one of somebody of these people."""
    found: bool = await db.fetchval(
        "SELECT EXISTS (SELECT FROM staff s JOIN members m ON m.id = s.member"
        " WHERE s.id = ANY($1) AND m.account = ANY($2))",
        list(staff),
        list(accounts),
    )
    return found


async def find_member(db: Connection, account: str) -> int | None:
    member: int | None = await db.fetchval("SELECT id FROM members WHERE account = $1", account)
    return member


async def is_closed(db: Connection, member: int) -> bool:
    return bool(await db.fetchval("SELECT closed_at IS NOT NULL FROM members WHERE id = $1", member))


async def last_moved(db: Connection, source: int) -> int | None:
    """When a command last moved anything out of this account, in business time."""
    at: int | None = await db.fetchval(
        "SELECT max(at) FROM corrections WHERE source = $1 AND outcome = 'moved'", source
    )
    return at


async def left_of(db: Connection, quota: str) -> int | None:
    """What is left in a quota of one part; None before anything was taken from it."""
    left: int | None = await db.fetchval("SELECT left_units[1] FROM quotas WHERE id = $1", quota)
    return left


async def balances_of(db: Connection, accounts: Collection[int]) -> dict[int, int]:
    rows = await db.fetch("SELECT id, balance FROM accounts WHERE id = ANY($1::bigint[])", list(accounts))
    return {row["id"]: row["balance"] for row in rows}


_PRICES: Final = f"""
    SELECT {", ".join(f"p.{name}" for name in PriceOrder.__dataclass_fields__)}, k.name AS checker
    FROM price_orders p LEFT JOIN commands c ON c.id = p.command LEFT JOIN staff k ON k.id = c.checker
    WHERE p.id < $1 ORDER BY p.id DESC LIMIT $2
"""


async def list_prices(db: Database, *, before: int | None, most: int, skip: int) -> list[tuple[PriceOrder, str | None]]:
    """What was ordered of prices, the newest first, each with the name of who signed it as the second."""
    rows = await db.rows(_PRICES, 2**62 if before is None else before, skip + most)
    return [(PriceOrder(*order), checker) for *order, checker in rows[skip:]]


async def count_prices(db: Database, *, most: int) -> int:
    counted: int = await db.value("SELECT count(*) FROM (SELECT FROM price_orders LIMIT $1) AS these", most)
    return counted
