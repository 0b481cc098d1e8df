"""Every statement on the tables of entry.

Those that belong to one commit with others take its `Connection`; all else takes the `Database`.
"""

from typing import Final

from kalos.core.database import Connection, Database
from kalos.domains.entry.tables import DEVICES, DeviceRow

ENDING: Final = (DEVICES,)
"""What goes some time after its `until_at`."""


async def list_members_of(db: Database, token_hash: bytes, wall: int) -> set[int]:
    """Who has logged in with a device; nobody where its token isn't ours."""
    rows = await db.rows("SELECT member FROM devices WHERE token_hash = $1 AND until_at > $2", token_hash, wall)
    return {row["member"] for row in rows}


async def put_device(db: Connection, row: DeviceRow, *, most: int) -> None:
    """Remember a device; of its member's only the `most` that came last stay."""
    await db.execute(
        """
        INSERT INTO devices (token_hash, member, last_at, until_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (token_hash, member) DO UPDATE SET last_at = excluded.last_at, until_at = excluded.until_at
        """,
        row.token_hash, row.member, row.last_at, row.until_at,
    )  # fmt: skip
    await db.execute(
        """
        DELETE FROM devices WHERE member = $1 AND token_hash IN (
            SELECT token_hash FROM devices WHERE member = $1 ORDER BY last_at DESC, token_hash OFFSET $2)
        """,
        row.member,
        most,
    )


async def forget_devices(db: Connection, member: int, *, but: bytes = b"") -> None:
    """All but the device whose token has this hash."""
    await db.execute("DELETE FROM devices WHERE member = $1 AND token_hash <> $2", member, but)
