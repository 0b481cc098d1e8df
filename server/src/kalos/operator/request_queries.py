"""Every statement on requests of staff that were answered."""

from kalos.core.database import Connection, Database
from kalos.core.errors import StateChanged


async def find_answer(db: Database, key: bytes) -> tuple[bytes, str] | None:
    """The fingerprint of the request and what it was answered."""
    row = await db.row("SELECT fingerprint, answer FROM staff_requests WHERE key = $1", key)
    return None if row is None else (row["fingerprint"], row["answer"])


async def insert_answer(db: Connection, key: bytes, *, fingerprint: bytes, answer: str, at: int) -> None:
    """Raises: StateChanged (somebody else just answered the same request)."""
    tag: str = await db.execute(
        "INSERT INTO staff_requests (key, fingerprint, answer, at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
        key, fingerprint, answer, at,
    )  # fmt: skip
    if tag != "INSERT 0 1":
        raise StateChanged
