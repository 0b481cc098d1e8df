"""Every statement on the tables of wallets.

Those that belong to one commit with others take its `Connection`; all else takes the `Database`.
"""

from collections.abc import Collection
from typing import Final

from kalos.core.database import Connection, Database
from kalos.core.pages import Page, PageQuery
from kalos.domains.wallets.tables import WALLET_NONCES, AddressRow, LoginWalletRow, NonceRow

DRAWN: Final = (WALLET_NONCES,)
"""What any visitor makes with a call: it goes soon after its `until_at`."""

_LIVING: Final = (
    "SELECT member, * FROM login_wallets WHERE member = ANY($1::bigint[]) AND removed_at IS NULL ORDER BY id"
)

_LOCK: Final = "SELECT FROM members WHERE id = $1 FOR NO KEY UPDATE"
_REMOVAL: Final = "SELECT * FROM withdrawal_addresses WHERE member = $1 AND removal_id = $2"

# Nonces


async def insert_nonce(db: Database, row: NonceRow) -> None:
    await db.execute(
        "INSERT INTO wallet_nonces (nonce, address, member, text, until_at) VALUES ($1, $2, $3, $4, $5)",
        row.nonce, row.address, row.member, row.text, row.until_at,
    )  # fmt: skip


async def take_nonce(db: Database, nonce: str) -> NonceRow | None:
    """Read a nonce and use it up: of many who answer at once, one gets it."""
    row = await db.row("DELETE FROM wallet_nonces WHERE nonce = $1 RETURNING *", nonce)
    return None if row is None else NonceRow(**row)


# Login wallets


async def find_member(db: Database, address: str) -> int | None:
    """Whose login wallet it is."""
    member: int | None = await db.value(
        "SELECT member FROM login_wallets WHERE address = $1 AND removed_at IS NULL", address
    )
    return member


async def hold_login_wallet(db: Connection, *, member: int, address: str) -> bool:
    """False where it isn't the member's any more; else it is theirs until the commit."""
    number: int | None = await db.fetchval(
        "SELECT id FROM login_wallets WHERE member = $1 AND address = $2 AND removed_at IS NULL FOR SHARE",
        member,
        address,
    )
    return number is not None


async def list_login_wallets(db: Database, member: int) -> list[LoginWalletRow]:
    return [LoginWalletRow(**dict(row)) for row in await db.rows_of(_LIVING, member)]


async def count_login_wallets(db: Connection, member: int) -> int:
    """How many a member has, while nobody else adds one for the same member."""
    await db.execute(_LOCK, member)
    count: int = await db.fetchval(
        "SELECT count(*) FROM login_wallets WHERE member = $1 AND removed_at IS NULL", member
    )
    return count


async def insert_login_wallet(db: Connection, *, member: int, address: str, bound_block: int, bound_at: int) -> bool:
    """False where somebody has it."""
    tag = await db.execute(
        """
        INSERT INTO login_wallets (member, address, bound_block, bound_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (address) WHERE removed_at IS NULL DO NOTHING
        """,
        member, address, bound_block, bound_at,
    )  # fmt: skip
    return bool(tag == "INSERT 0 1")


async def remove_login_wallet(db: Connection, *, member: int, address: str, at: int) -> bool:
    tag = await db.execute(
        "UPDATE login_wallets SET removed_at = $3 WHERE member = $1 AND address = $2 AND removed_at IS NULL",
        member, address, at,
    )  # fmt: skip
    return bool(tag == "UPDATE 1")


async def remove_login_wallets(db: Connection, member: int, *, at: int) -> None:
    """All that a member has."""
    await db.execute("UPDATE login_wallets SET removed_at = $2 WHERE member = $1 AND removed_at IS NULL", member, at)


# The book


async def find_request(db: Database, member: int, request_id: str) -> AddressRow | None:
    row = await db.row("SELECT * FROM withdrawal_addresses WHERE member = $1 AND request_id = $2", member, request_id)
    return None if row is None else AddressRow(**row)


async def find_removal(db: Database, member: int, removal_id: str) -> AddressRow | None:
    row = await db.row(_REMOVAL, member, removal_id)
    return None if row is None else AddressRow(**row)


async def lock_removal(db: Connection, member: int, removal_id: str) -> AddressRow | None:
    """The same, while nobody else changes the member's book under a request."""
    await db.execute(_LOCK, member)
    row = await db.fetchrow(_REMOVAL, member, removal_id)
    return None if row is None else AddressRow(**row)


async def find_in_book(db: Database, member: int, number: int) -> AddressRow | None:
    row = await db.row(
        "SELECT * FROM withdrawal_addresses WHERE member = $1 AND id = $2 AND removed_at IS NULL", member, number
    )
    return None if row is None else AddressRow(**row)


async def count_book(db: Connection, member: int) -> int:
    """How many entries a member has, while nobody else adds one for the same member."""
    await db.execute(_LOCK, member)
    count: int = await db.fetchval(
        "SELECT count(*) FROM withdrawal_addresses WHERE member = $1 AND removed_at IS NULL", member
    )
    return count


async def insert_address(
    db: Connection,
    *,
    member: int,
    chain: int,
    address: str,
    label: str,
    is_listed: bool,
    created_at: int,
    usable_at: int,
    request_id: str | None = None,
    request_hash: bytes | None = None,
) -> AddressRow | None:
    """None: it stands in the member's book already, or the same request was heard."""
    row = await db.fetchrow(
        """
        INSERT INTO withdrawal_addresses
            (member, chain, address, label, is_listed, created_at, usable_at, request_id, request_hash)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING RETURNING *
        """,
        member, chain, address, label, is_listed, created_at, usable_at, request_id, request_hash,
    )  # fmt: skip
    return None if row is None else AddressRow(**row)


async def erase_labels(db: Connection, member: int) -> None:
    """Of a closed account's addresses, which stay as money went there."""
    await db.execute("UPDATE withdrawal_addresses SET label = '-' WHERE member = $1", member)


async def remove_address(
    db: Connection, *, member: int, number: int, at: int, removal_id: str, removal_hash: bytes
) -> bool:
    tag = await db.execute(
        """
        UPDATE withdrawal_addresses SET removed_at = $3, removal_id = $4, removal_hash = $5
        WHERE member = $1 AND id = $2 AND removed_at IS NULL
        """,
        member, number, at, removal_id, removal_hash,
    )  # fmt: skip
    return bool(tag == "UPDATE 1")


async def mark_listed(db: Database, numbers: Collection[int]) -> int:
    """These entries' addresses are listed by now; they stay so. Returns how many were not before."""
    tag = await db.execute(
        "UPDATE withdrawal_addresses SET is_listed = true WHERE id = ANY($1::bigint[]) AND NOT is_listed",
        list(numbers),
    )
    return int(tag.removeprefix("UPDATE "))


async def list_book(db: Database, member: int, query: PageQuery) -> Page[AddressRow]:
    """The newest first."""
    rows = await db.rows(
        """
        SELECT * FROM withdrawal_addresses WHERE member = $1 AND removed_at IS NULL AND ($2::bigint IS NULL OR id < $2)
        ORDER BY id DESC LIMIT $3 OFFSET $4
        """,
        member, query.after, query.size + 1, query.skip,
    )  # fmt: skip
    total = await db.value("SELECT count(*) FROM withdrawal_addresses WHERE member = $1 AND removed_at IS NULL", member)
    found = [AddressRow(**row) for row in rows[: query.size]]
    return Page(found, total, found[-1].id if len(rows) > query.size else None)
