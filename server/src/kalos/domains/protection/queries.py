"""Every statement on the tables of protection.

Those that belong to one commit with others take its `Connection`; all else takes the `Database`.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from typing import Final

from kalos.core.database import Connection, Database
from kalos.core.ports import Feature
from kalos.domains.protection.rules import Kind, Limit, Numbers, Standing, Switches
from kalos.domains.protection.tables import BreakRow, NoticeRow, NumberRow, SwitchRow

CHANGED: Final = "kalos_protection"
"""The channel that tells whose standing has changed, by the member's id; an empty text: an operator's orders."""

_STANDING: Final = """
    SELECT m.id, m.country, m.is_staff,
        (SELECT json_object_agg(n.feature, n.version) FROM (
            SELECT feature, max(version) AS version FROM notices_accepted WHERE member = m.id GROUP BY feature
        ) n) AS accepted,
        (SELECT json_object_agg(b.kind, b.until_at) FROM (
            SELECT kind, max(until_at) AS until_at FROM player_breaks WHERE member = m.id GROUP BY kind
        ) b) AS breaks,
        (SELECT json_agg(l) FROM player_limits l WHERE l.member = m.id) AS limits
    FROM members m WHERE m.id = ANY($1::bigint[])
"""
_SWITCHES: Final = (
    "SELECT DISTINCT ON (name, country) name, country, is_on FROM switches ORDER BY name, country, id DESC"
)

_NUMBERS: Final = (
    "SELECT DISTINCT ON (name, country) name, country, value FROM number_orders ORDER BY name, country, id DESC"
)


async def find_standing(db: Database, member: int) -> Standing | None:
    """Read together with those of others who call at this moment."""
    for row in await db.rows_of(_STANDING, member):
        breaks: Mapping[str, int] = json.loads(row["breaks"] or "{}")
        limits: dict[Kind, Limit] = {
            one["kind"]: Limit(one["value"], one["next_value"], one["next_from"])
            for one in json.loads(row["limits"] or "[]")
        }
        return Standing(
            country=row["country"],
            is_staff=row["is_staff"],
            accepted=json.loads(row["accepted"] or "{}"),
            paused_until=breaks.get("break", 0),
            excluded_until=breaks.get("exclusion", 0),
            limits=limits,
        )
    return None


async def find_birth_date(db: Database, member: int) -> date | None:
    """What the member declared; nothing that anybody has looked at."""
    born: date | None = await db.value("SELECT birth_date FROM members WHERE id = $1", member)
    return born


async def list_accepted(db: Database, member: int) -> dict[tuple[str, int], int]:
    """When each text was accepted, by feature and version."""
    rows = await db.rows("SELECT feature, version, at FROM notices_accepted WHERE member = $1", member)
    return {(row["feature"], row["version"]): row["at"] for row in rows}


async def insert_accepted(db: Database, row: NoticeRow) -> None:
    """The first acceptance of a version stands."""
    await db.execute(
        f"""
        WITH accepted AS (
            INSERT INTO notices_accepted (member, feature, version, lang, text_hash, at)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING member
        )
        SELECT pg_notify('{CHANGED}', member::text) FROM accepted
        """,
        *asdict(row).values(),
    )


async def lock_limits(db: Connection, member: int) -> dict[Kind, Limit]:
    """The member's limits; until the end of the transaction nobody else changes them."""
    await db.execute("SELECT FROM members WHERE id = $1 FOR NO KEY UPDATE", member)
    rows = await db.fetch("SELECT kind, value, next_value, next_from FROM player_limits WHERE member = $1", member)
    return {row["kind"]: Limit(row["value"], row["next_value"], row["next_from"]) for row in rows}


async def put_limit(db: Connection, member: int, kind: Kind, limit: Limit, *, at: int) -> None:
    await db.execute(
        """
        INSERT INTO player_limits (member, kind, value, next_value, next_from, changed_at)
        VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (member, kind) DO UPDATE SET value = excluded.value,
            next_value = excluded.next_value, next_from = excluded.next_from, changed_at = excluded.changed_at
        """,
        member, kind, limit.value, limit.next_value, limit.next_from, at,
    )  # fmt: skip


async def insert_break(db: Connection, row: BreakRow) -> None:
    """`row.id` is the table's to give."""
    await db.execute(
        "INSERT INTO player_breaks (member, kind, from_at, until_at) VALUES ($1, $2, $3, $4)",
        row.member,
        row.kind,
        row.from_at,
        row.until_at,
    )


async def tell(db: Connection | Database, member: int) -> None:
    """With its commit all processes forget what they keep of this member."""
    await db.execute(f"SELECT pg_notify('{CHANGED}', $1)", str(member))


async def find_step(db: Database, member: int) -> int | None:
    step: int | None = await db.value("SELECT step FROM player_steps WHERE member = $1", member)
    return step


# Orders


async def read_switches(db: Database) -> Switches:
    return {(row["name"], row["country"]): row["is_on"] for row in await db.rows(_SWITCHES)}


async def list_switches(db: Database) -> list[SwitchRow]:
    """All orders, oldest first."""
    return [SwitchRow(**row) for row in await db.rows("SELECT * FROM switches ORDER BY id")]


async def insert_switch(
    db: Database, *, name: Feature | str, country: str, is_on: bool, reason: str, ordered_by: str, at: int
) -> None:
    await db.execute(
        f"""
        WITH ordered AS (
            INSERT INTO switches (name, country, is_on, reason, ordered_by, at) VALUES ($1, $2, $3, $4, $5, $6)
            RETURNING 1
        )
        SELECT pg_notify('{CHANGED}', '') FROM ordered
        """,
        name, country, is_on, reason, ordered_by, at,
    )  # fmt: skip


async def read_numbers(db: Database) -> Numbers:
    return {(row["name"], row["country"]): row["value"] for row in await db.rows(_NUMBERS)}


async def list_numbers(db: Database) -> list[NumberRow]:
    """All orders, oldest first."""
    return [NumberRow(**row) for row in await db.rows("SELECT * FROM number_orders ORDER BY id")]


async def insert_number(
    db: Database, *, name: str, country: str, value: int, reason: str, ordered_by: str, at: int
) -> None:
    await db.execute(
        f"""
        WITH ordered AS (
            INSERT INTO number_orders (name, country, value, reason, ordered_by, at) VALUES ($1, $2, $3, $4, $5, $6)
            RETURNING 1
        )
        SELECT pg_notify('{CHANGED}', '') FROM ordered
        """,
        name, country, value, reason, ordered_by, at,
    )  # fmt: skip
