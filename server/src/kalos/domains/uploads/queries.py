"""Every statement on the table of uploads."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from kalos.core.database import Connection, Database
from kalos.domains.uploads.rules import Sum
from kalos.domains.uploads.tables import UploadRow


@dataclass(frozen=True, slots=True)
class Kept:
    """What stands in the store for an upload."""

    size: int
    sha256: bytes
    width: int
    height: int


async def sum_sent(db: Connection, owner: int, since: int) -> Sum:
    """What a member has sent since then. Until the commit nobody else can count for this member."""
    await db.execute("SELECT FROM members WHERE id = $1 FOR NO KEY UPDATE", owner)
    (row,) = await db.fetch(
        """
        SELECT count(*) AS files, coalesce(min(created_at), $2) AS since,
            coalesce(sum(greatest(sent_bytes, kept_bytes)) FILTER (WHERE state <> 'refused'), 0) AS size
        FROM uploads WHERE owner = $1 AND created_at > $2
        """,
        owner,
        since,
    )
    return Sum(row["files"], int(row["size"]), row["since"])


async def insert(db: Connection, row: UploadRow) -> None:
    await db.execute(
        """
        INSERT INTO uploads (id, owner, purpose, kind, state, sent_bytes, sent_sha256, grant_hash, until_at, name,
            created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        """,
        row.id, row.owner, row.purpose, row.kind, row.state, row.sent_bytes, row.sent_sha256, row.grant_hash,
        row.until_at, row.name, row.created_at,
    )  # fmt: skip


async def find_granted(db: Database, grant_hash: bytes, wall: int) -> UploadRow | None:
    """The upload that may be put under this path now."""
    row = await db.row(
        "SELECT * FROM uploads WHERE grant_hash = $1 AND state = 'granted' AND until_at > $2", grant_hash, wall
    )
    return None if row is None else UploadRow(**row)


async def take_grant(db: Database, upload_id: str, wall: int) -> bool:
    """Use a grant up: of many who come at once, one gets it."""
    tag = await db.execute(
        "UPDATE uploads SET state = 'receiving' WHERE id = $1 AND state = 'granted' AND until_at > $2", upload_id, wall
    )
    return tag == "UPDATE 1"


async def keep(db: Database, upload_id: str, kept: Kept, *, sent_bytes: int, wall: int) -> bool:
    """Note that the file is in the store."""
    tag = await db.execute(
        """
        UPDATE uploads SET state = 'kept', sent_bytes = $2, kept_bytes = $3, kept_sha256 = $4, width = $5, height = $6,
            kept_at = $7
        WHERE id = $1 AND state = 'receiving'
        """,
        upload_id, sent_bytes, kept.size, kept.sha256, kept.width, kept.height, wall,
    )  # fmt: skip
    return tag == "UPDATE 1"


async def refuse(db: Database, upload_id: str) -> None:
    await db.execute("UPDATE uploads SET state = 'refused' WHERE id = $1 AND state = 'receiving'", upload_id)


async def find_kept(db: Database, upload_id: str) -> UploadRow | None:
    row = await db.row("SELECT * FROM uploads WHERE id = $1 AND state IN ('kept', 'used')", upload_id)
    return None if row is None else UploadRow(**row)


async def use(db: Connection, ids: Collection[str], *, owner: int, purpose: str, by: str, wall: int) -> int:
    """Returns how many of them were the owner's, of that purpose, and not used yet."""
    tag: str = await db.execute(
        """
        UPDATE uploads SET state = 'used', used_at = $5, used_by = $4
        WHERE id = ANY($1::text[]) AND owner = $2 AND purpose = $3 AND state = 'kept'
        """,
        list(ids), owner, purpose, by, wall,
    )  # fmt: skip
    return int(tag.rpartition(" ")[2])


async def sizes(db: Connection, ids: Collection[str]) -> dict[str, tuple[int, int]]:
    rows = await db.fetch("SELECT id, width, height FROM uploads WHERE id = ANY($1::text[]) AND kept_at > 0", list(ids))
    return {row["id"]: (row["width"], row["height"]) for row in rows}


async def end_used(db: Connection, ids: Sequence[str], by: Sequence[str]) -> None:
    """Take pictures out of everybody's reach that are used under these names; `ids` and `by` go in pairs."""
    await db.execute(
        """
        UPDATE uploads u SET state = 'ended', used_at = NULL, used_by = NULL
        FROM unnest($1::text[], $2::text[]) AS pair (id, by) WHERE u.id = pair.id AND u.used_by = pair.by
        """,
        list(ids), list(by),
    )  # fmt: skip


async def end_unused(db: Database, *, before: int, after: tuple[int, str], most: int) -> Sequence[UploadRow]:
    """Take the oldest that nothing used out of everybody's reach, and those that were taken out and still stand.

    Only of what comes `after` that time and id.
    """
    rows = await db.rows(
        """
        UPDATE uploads SET state = 'ended' WHERE id = ANY(ARRAY(
            SELECT id FROM uploads WHERE state <> 'used' AND created_at < $1 AND (created_at, id COLLATE "C") > ($2, $3)
            ORDER BY created_at, id COLLATE "C" LIMIT $4 FOR UPDATE SKIP LOCKED))
        RETURNING *
        """,
        before, *after, most,
    )  # fmt: skip
    return [UploadRow(**row) for row in rows]


async def delete_ended(db: Database, ids: Collection[str]) -> None:
    await db.execute("DELETE FROM uploads WHERE id = ANY($1::text[]) AND state = 'ended'", list(ids))
