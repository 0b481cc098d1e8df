"""Every statement on the tables of deposits."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from kalos.core.database import Connection, Database, Record
from kalos.core.pages import MOST_COUNTED, Page, PageQuery, counted_page
from kalos.core.ports import Block, TokenTransfer
from kalos.domains.deposits.tables import Cursor, DecisionRow, Deposit, Stray, StrayPass
from kalos.ledger.explained import Sums
from kalos.ledger.purse import Purpose

BATCH: Final = 100
"""The most deposits that one step resolves."""

LARGEST_RELEASE: Final = 200
"""The most waiting deposits that one posting credits."""

MOST_STRAYS: Final = 20
"""The most undecided ones of one token at one address, the largest: who makes tokens can send any number of them."""

_KEPT_BLOCKS: Final = 512
_COLUMNS: Final = ", ".join(f"d.{name}" for name in Deposit.__dataclass_fields__)
_STRAY: Final = ", ".join(f"s.{name}" for name in Stray.__dataclass_fields__)
_IS_WAITING: Final = "d.status = 'pending_review' AND d.reason = 'below_minimum'"
_IS_SUSPENDED: Final = (
    "d.status = 'pending_review' AND d.reason IN ('below_minimum', 'closed_account', 'listed_sender')"
)

EXPLAINED: Final = (Sums(Purpose.SUSPENSE, f"SELECT d.asset, d.units FROM deposits d WHERE {_IS_SUSPENDED}"),)
"""Deposits under the minimum, those of closed accounts and those of listed senders."""

READ: Final = "SELECT number FROM deposit_cursors WHERE chain_id = $1"
"""For the reserves: the last block whose deposits stand in the table."""

RECEIVED: Final = "SELECT d.recipient, d.id FROM deposits d WHERE d.chain_id = $1 AND (d.id > $2 OR d.block > $3)"
"""For the reserves: addresses and ids of deposits beyond an id, or of blocks beyond one."""

CREDITED_LATER: Final = f"""
    SELECT d.asset, d.units FROM deposits d
    WHERE d.chain_id = $1 AND d.block > $2 AND (d.status = 'approved' OR {_IS_SUSPENDED})
"""
"""For the reserves: what the ledger has of blocks beyond one."""


async def sum_unbooked(db: Connection, asset: str) -> int:
    """Units that came and that the ledger owes to nobody yet: a confirmation or a person may credit them."""
    return int(
        await db.fetchval(
            f"""
            SELECT coalesce(sum(d.units), 0) FROM deposits d
            WHERE d.asset = $1 AND (d.status = 'on_chain_processing' OR d.status = 'pending_review')
                AND NOT ({_IS_SUSPENDED})
            """,
            asset,
        )
    )


def _deposits(rows: Iterable[Record]) -> list[Deposit]:
    return [Deposit(**dict(row)) for row in rows]


async def find_address(db: Database, owner: int) -> str | None:
    address: str | None = await db.value("SELECT address FROM deposit_addresses WHERE owner = $1", owner)
    return address


async def add_address(db: Database, owner: int, address: str, at: int) -> None:
    await db.execute(
        "INSERT INTO deposit_addresses (owner, address, made_at) VALUES ($1, $2, $3) ON CONFLICT (owner) DO NOTHING",
        owner,
        address,
        at,
    )


async def is_deposit_address(db: Database, address: str) -> bool:
    """Whether it is anybody's, a member's or the house's."""
    return bool(await db.value("SELECT EXISTS (SELECT FROM deposit_addresses WHERE address = $1)", address))


async def find_owners(db: Database, addresses: Sequence[str]) -> dict[str, int]:
    rows = await db.rows("SELECT address, owner FROM deposit_addresses WHERE address = ANY($1)", addresses)
    return {row["address"]: row["owner"] for row in rows}


async def find_cursor(db: Database, chain_id: int) -> Cursor | None:
    row = await db.row("SELECT chain_id, number, hash FROM deposit_cursors WHERE chain_id = $1", chain_id)
    return None if row is None else Cursor(**dict(row))


async def find_behind(db: Database, chain_id: int) -> int | None:
    """How many blocks the cursor is off the newest that a worker saw, to either side. None: one isn't known yet."""
    query = "SELECT abs(p.head - c.number) FROM chain_pulse p, deposit_cursors c WHERE c.chain_id = $1"
    behind: int | None = await db.value(query, chain_id)
    return behind


async def list_blocks(db: Database, chain_id: int) -> list[tuple[int, str]]:
    """Numbers and hashes of the blocks that are remembered, newest first."""
    rows = await db.rows("SELECT number, hash FROM deposit_blocks WHERE chain_id = $1 ORDER BY number DESC", chain_id)
    return [(row["number"], row["hash"]) for row in rows]


async def start_cursor(db: Database, chain_id: int, block: Block) -> None:
    async with db.transaction() as step:
        tag = await step.execute(
            "INSERT INTO deposit_cursors (chain_id, number, hash) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
            chain_id,
            block.number,
            block.hash,
        )
        if tag == "INSERT 0 1":
            await step.execute(
                "INSERT INTO deposit_blocks (chain_id, number, hash) VALUES ($1, $2, $3)",
                chain_id,
                block.number,
                block.hash,
            )


async def move_cursor(db: Database, cursor: Cursor, to: Cursor, blocks: Sequence[Block] = ()) -> bool:
    """Move the cursor, forward over `blocks` or back. False where another watcher has moved it meanwhile."""
    async with db.transaction() as step:
        tag = await step.execute(
            "UPDATE deposit_cursors SET number = $4, hash = $5 WHERE chain_id = $1 AND number = $2 AND hash = $3",
            cursor.chain_id,
            cursor.number,
            cursor.hash,
            to.number,
            to.hash,
        )
        if tag != "UPDATE 1":
            return False
        await step.execute(
            "DELETE FROM deposit_blocks WHERE chain_id = $1 AND (number > least($2, $3::bigint) OR number < $3 - $4)",
            cursor.chain_id,
            cursor.number,
            to.number,
            _KEPT_BLOCKS,
        )
        await step.executemany(
            "INSERT INTO deposit_blocks (chain_id, number, hash) VALUES ($1, $2, $3)",
            [(cursor.chain_id, block.number, block.hash) for block in blocks],
        )
        return True


async def list_transaction(db: Database, chain_id: int, transactions: Sequence[str]) -> list[Deposit]:
    """All deposits that these transactions made."""
    query = f"SELECT {_COLUMNS} FROM deposits d WHERE chain_id = $1 AND transaction = ANY($2) ORDER BY log_index"
    return _deposits(await db.rows(query, chain_id, transactions))


async def list_unresolved(db: Database, cursor: Cursor) -> list[Deposit]:
    """Deposits that can be resolved: of a block that is not the one that was read, or final."""
    query = f"""
        SELECT {_COLUMNS} FROM deposits d
        LEFT JOIN deposit_blocks b ON b.chain_id = d.chain_id AND b.number = d.block
        WHERE d.chain_id = $1 AND d.status = 'on_chain_processing' AND d.block <= $2
          AND (b.hash IS DISTINCT FROM d.block_hash OR d.block + d.required <= $2)
        ORDER BY d.id LIMIT {BATCH}
    """
    return _deposits(await db.rows(query, cursor.chain_id, cursor.number))


async def is_coming(db: Connection, owner: int) -> bool:
    """Whether a deposit of the owner has been seen and not been decided on."""
    found: bool = await db.fetchval(
        "SELECT EXISTS (SELECT FROM deposits WHERE owner = $1 AND status = 'on_chain_processing')", owner
    )
    return found


async def was_decided_elsewhere(db: Database, deposit: Deposit) -> bool:
    """Whether the same transaction was final in another block: its money may have been booked there."""
    found: bool = await db.value(
        """
        SELECT EXISTS (
            SELECT FROM deposits WHERE chain_id = $1 AND transaction = $2 AND block_hash <> $3
                AND status IN ('approved', 'pending_review', 'refused')
        )
        """,
        deposit.chain_id,
        deposit.transaction,
        deposit.block_hash,
    )
    return found


async def list_waiting(db: Database, owner: int, asset: str) -> list[Deposit]:
    """What an owner's deposits below the minimum are, the largest first."""
    query = f"""
        SELECT {_COLUMNS} FROM deposits d WHERE d.owner = $1 AND d.asset = $2 AND {_IS_WAITING}
        ORDER BY d.units DESC, d.id LIMIT {LARGEST_RELEASE}
    """
    return _deposits(await db.rows(query, owner, asset))


async def list_ripe(db: Database, asset: str, minimum: int) -> list[int]:
    """Owners whose waiting deposits together reach the minimum, or whose account is closed: nothing more will come."""
    query = f"""
        SELECT d.owner FROM deposits d WHERE d.asset = $1 AND {_IS_WAITING}
        GROUP BY d.owner HAVING sum(d.units) >= $2
          OR EXISTS (SELECT FROM members m WHERE m.id = d.owner AND m.closed_at IS NOT NULL) LIMIT {BATCH}
    """
    return [row["owner"] for row in await db.rows(query, asset, minimum)]


async def find_deposit(db: Database | Connection, number: int) -> Deposit | None:
    statement = f"SELECT {_COLUMNS} FROM deposits d WHERE d.id = $1"
    row = await (db.row(statement, number) if isinstance(db, Database) else db.fetchrow(statement, number))
    return None if row is None else Deposit(**dict(row))


async def find_decision(db: Database, number: int) -> DecisionRow | None:
    row = await db.row("SELECT deposit, staff, verdict, reason, at FROM deposit_decisions WHERE deposit = $1", number)
    return None if row is None else DecisionRow(**dict(row))


async def list_review(db: Database, page: PageQuery) -> Page[tuple[Deposit, str]]:
    """Deposits that wait for a person or for more money, each with its owner's account; the oldest first."""
    total = await db.value(
        f"SELECT count(*) FROM (SELECT FROM deposits WHERE status = 'pending_review' LIMIT {MOST_COUNTED + 1}) AS these"
    )
    query = f"""
        SELECT {_COLUMNS}, coalesce(m.account, '') AS account FROM deposits d LEFT JOIN members m ON m.id = d.owner
        WHERE d.status = 'pending_review' AND ($1::bigint IS NULL OR d.id > $1) ORDER BY d.id LIMIT $2 OFFSET $3
    """
    found = [dict(row) for row in await db.rows(query, page.after, page.size + 1, page.skip)]
    rows = [(row.pop("account"), Deposit(**row)) for row in found]
    return counted_page([(deposit, account) for account, deposit in rows], page, total, lambda one: one[0].id)


async def list_deposits(db: Database, owner: int, page: PageQuery, status: str | None) -> Page[Deposit]:
    """An owner's deposits, newest first; the total is counted up to 1,000."""
    total = await db.value(
        f"""
        SELECT count(*) FROM (
            SELECT FROM deposits WHERE owner = $1 AND ($2::text IS NULL OR status = $2) LIMIT {MOST_COUNTED + 1}
        ) counted
        """,
        owner,
        status,
    )
    query = f"""
        SELECT {_COLUMNS} FROM deposits d
        WHERE d.owner = $1 AND ($2::text IS NULL OR d.status = $2) AND ($3::bigint IS NULL OR d.id < $3)
        ORDER BY d.id DESC LIMIT $4 OFFSET $5
    """
    found = _deposits(await db.rows(query, owner, status, page.after, page.size + 1, page.skip))
    return counted_page(found, page, total, lambda one: one.id)


# Strays


async def list_addresses(db: Database, after: int, most: int) -> list[tuple[int, str]]:
    """Owners with their addresses, in the order of the owners, after one of them."""
    rows = await db.rows(
        "SELECT owner, address FROM deposit_addresses WHERE owner > $1 ORDER BY owner LIMIT $2", after, most
    )
    return [(row["owner"], row["address"]) for row in rows]


async def find_pass(db: Database, chain_id: int) -> StrayPass | None:
    row = await db.row("SELECT chain_id, number, upto, owner FROM stray_passes WHERE chain_id = $1", chain_id)
    return None if row is None else StrayPass(**dict(row))


async def start_passes(db: Database, first: StrayPass) -> None:
    await db.execute(
        "INSERT INTO stray_passes (chain_id, number, upto, owner) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
        first.chain_id,
        first.number,
        first.upto,
        first.owner,
    )


async def move_pass(
    db: Database, was: StrayPass, to: StrayPass, found: Sequence[TokenTransfer], owners: Mapping[str, int], at: int
) -> bool:
    """Record what was found on the way and is no deposit, each log once, and move on.

    False, and nothing, where another worker has moved. The watcher was in these blocks before: what it recorded is
    there.
    """
    async with db.transaction() as step:
        tag = await step.execute(
            """
            UPDATE stray_passes SET number = $5, upto = $6, owner = $7
            WHERE chain_id = $1 AND number = $2 AND upto = $3 AND owner = $4
            """,
            was.chain_id,
            was.number,
            was.upto,
            was.owner,
            to.number,
            to.upto,
            to.owner,
        )
        if tag != "UPDATE 1":
            return False
        await step.executemany(
            """
            INSERT INTO strays
                (chain_id, transaction, log_index, block, contract, sender, recipient, owner, units, seen_at)
            SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9::text::numeric, $10 WHERE NOT EXISTS
                (SELECT FROM deposits WHERE chain_id = $1 AND transaction = $2 AND log_index = $3)
            ON CONFLICT (chain_id, transaction, log_index) DO NOTHING
            """,
            [
                (
                    was.chain_id,
                    one.transaction,
                    one.log_index,
                    one.block,
                    one.contract,
                    one.sender,
                    one.recipient,
                    owners[one.recipient],
                    str(one.units),
                    at,
                )
                for one in found
            ],
        )
        await step.execute(
            """
            DELETE FROM strays USING (
                SELECT id, row_number() OVER (PARTITION BY recipient, contract ORDER BY units DESC, id) AS place
                FROM strays WHERE chain_id = $1 AND recipient = ANY($2) AND state = 'open'
            ) AS ranked WHERE strays.id = ranked.id AND ranked.place > $3 AND strays.state = 'open'
            """,
            was.chain_id,
            list({one.recipient for one in found}),
            MOST_STRAYS,
        )
        return True


def _stray(row: Record) -> Stray:
    return Stray(**{name: row[name] for name in Stray.__dataclass_fields__} | {"units": int(row["units"])})


async def find_stray(db: Database, number: int) -> Stray | None:
    row = await db.row(f"SELECT {_STRAY} FROM strays s WHERE s.id = $1", number)
    return None if row is None else _stray(row)


async def lock_strays(db: Connection, one: Stray) -> list[Stray]:
    """All of its token at its address, for decisions on it that come one after the other."""
    rows = await db.fetch(
        f"""
        SELECT {_STRAY} FROM strays s WHERE s.chain_id = $1 AND s.recipient = $2 AND s.contract = $3
        ORDER BY s.id FOR UPDATE
        """,
        one.chain_id,
        one.recipient,
        one.contract,
    )
    return [_stray(row) for row in rows]


async def update_stray(db: Connection, decided: Stray) -> None:
    await db.execute(
        "UPDATE strays SET state = $2, staff = $3, reason = $4, payment = $5, decided_at = $6 WHERE id = $1",
        decided.id,
        decided.state,
        decided.staff,
        decided.reason,
        decided.payment,
        decided.decided_at,
    )


async def list_strays(
    db: Database, page: PageQuery, *, state: str, account: str | None = None
) -> Page[tuple[Stray, str]]:
    """Those of a state, or of one account in it, each with its owner's account; who came first stands first among those
    that are open, last among those that are decided."""
    whose = "$2::text IS NULL OR s.owner = (SELECT id FROM members WHERE account = $2)"
    total = await db.value(
        f"SELECT count(*) FROM (SELECT FROM strays s WHERE state = $1 AND ({whose}) LIMIT {MOST_COUNTED + 1}) AS these",
        state,
        account,
    )
    behind, order = ("s.id > $3", "s.id") if state == "open" else ("s.id < $3", "s.id DESC")
    query = f"""
        SELECT {_STRAY}, coalesce(m.account, '') AS account FROM strays s LEFT JOIN members m ON m.id = s.owner
        WHERE s.state = $1 AND ({whose}) AND ($3::bigint IS NULL OR {behind}) ORDER BY {order} LIMIT $4 OFFSET $5
    """
    found = await db.rows(query, state, account, page.after, page.size + 1, page.skip)
    return counted_page([(_stray(row), row["account"]) for row in found], page, total, lambda one: one[0].id)
