"""Every statement on the tables of reserves, and the snapshot of the books that they are compared with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from kalos.core.assets import Asset
from kalos.core.database import Connection, Database, Record
from kalos.core.ports import Block
from kalos.domains.reserves.rules import Books, Place, Standing
from kalos.domains.reserves.tables import CheckRow, StateRow
from kalos.ledger import purse
from kalos.ledger.purse import Purpose

_OWED: Final = (Purpose.CHAIN, Purpose.ISSUANCE, Purpose.BURNED)
_CLAIM: Final = """
    UPDATE reserve_state SET begun_at = $1 WHERE begun_at <= $1 - $2::bigint OR begun_at > $1 + $2 RETURNING true
"""
_LOOKS: Final = """
    SELECT c.asset, c.owed, c.expected, c.missing, c.hot_mark, c.block, c.at, r.place, r.units
    FROM reserve_checks c LEFT JOIN reserves r USING (asset) ORDER BY c.asset
"""
_STATE: Final = "SELECT one, begun_at, at, block, deposit, gas_gwei, is_gas_low FROM reserve_state"


@dataclass(frozen=True, slots=True)
class Told:
    """What other domains' rows say of the chain, as statements on them. $1 is the chain's id.

    `read` selects the last block whose top-ups were written down, or no row; it takes $1 alone.
    `credited_later` and `settled_later` select (asset, units) of what was booked from blocks after $2; `sent` selects
    (withdrawal, asset, units, hash, seen) of each transaction that may have paid one which is not booked yet, with the
    block where the signer saw it, and takes $1 alone; `received` selects (recipient, id) of top-ups with an id above $2
    or a block after $3.
    """

    read: str
    received: str
    credited_later: str
    settled_later: str
    sent: str


@dataclass(frozen=True, slots=True)
class Sent:
    """A payment whose transactions may be on the chain, though the ledger still holds its coins.

    `seen` are those of `hashes` that the signer saw in a block up to the one that is looked at.
    """

    asset: str
    units: int
    hashes: tuple[str, ...]
    seen: tuple[str, ...]


@dataclass(slots=True)
class Snapshot:
    """The books at one moment. `addresses` are those that may have coins; `deposit` is the last top-up."""

    state: StateRow
    deposit: int
    addresses: list[str]
    books: dict[Asset, Books] = field(default_factory=dict)
    sent: list[Sent] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Look:
    """What was compared of an asset, and the units that each place had then."""

    check: CheckRow
    units: dict[Place, int]


async def claim(db: Database, wall: int, every_ms: int) -> bool:
    """Whether this look is ours to make. False: another worker begins or began one less than `every_ms` ago."""
    return bool(await db.value(_CLAIM, wall, every_ms))


async def find_payer(db: Database) -> str | None:
    """The address that the signer pays from; None before its first look."""
    address: str | None = await db.value("SELECT hot FROM signer_state")
    return address


async def find_read(db: Database, told: Told, chain_id: int) -> int | None:
    """The last block whose top-ups are all written down; None before the first."""
    number: int | None = await db.value(told.read, chain_id)
    return number


async def take_snapshot(db: Database, told: Told, *, chain_id: int, assets: Sequence[Asset], block: Block) -> Snapshot:
    async with db.connection() as connection, connection.transaction(isolation="repeatable_read", readonly=True):
        row = await connection.fetchrow(_STATE)
        assert row is not None, "the migration makes this row"
        state = StateRow(**dict(row))
        received = await connection.fetch(told.received, chain_id, state.deposit, state.block)
        known = await connection.fetch("SELECT DISTINCT address FROM reserve_addresses")
        taken = Snapshot(
            state=state,
            deposit=max((row["id"] for row in received), default=state.deposit),
            addresses=sorted({row[0] for row in (*received, *known)}),
        )
        credited = await _sums(connection, told.credited_later, chain_id, block.number)
        settled = await _sums(connection, told.settled_later, chain_id, block.number)
        for asset in assets:
            owed = await find_owed(connection, asset)
            code = asset.code
            taken.books[asset] = Books(owed, credited_later=credited.get(code, 0), settled_later=settled.get(code, 0))
        taken.sent = await _sent(connection, told.sent, chain_id, block.number)
        return taken


async def find_owed(db: Connection, asset: Asset) -> int:
    """What the ledger owes of an asset now, to members and to the house itself."""
    accounts = [purse.outside(purpose, asset) for purpose in _OWED]
    lacking = await db.fetchval("SELECT coalesce(sum(balance), 0) FROM accounts WHERE id = ANY($1::bigint[])", accounts)
    return -int(lacking)


async def _sums(db: Connection, rows: str, chain_id: int, block: int) -> dict[str, int]:
    found = await db.fetch(
        f"SELECT asset, sum(units) FROM ({rows}) AS told (asset, units) GROUP BY asset", chain_id, block
    )
    return {asset: int(units) for asset, units in found}


async def _sent(db: Connection, rows: str, chain_id: int, block: int) -> list[Sent]:
    found = await db.fetch(
        f"""
        SELECT asset, units, array_agg(DISTINCT hash) AS hashes,
            coalesce(array_agg(hash) FILTER (WHERE seen <= $2), '{{}}') AS seen
        FROM ({rows}) AS told (withdrawal, asset, units, hash, seen) GROUP BY withdrawal, asset, units
        """,
        chain_id,
        block,
    )
    return [Sent(row["asset"], row["units"], tuple(row["hashes"]), tuple(row["seen"])) for row in found]


async def store(
    db: Connection,
    seen: Snapshot,
    *,
    block: Block,
    gas_gwei: int,
    is_gas_low: bool,
    addresses: Mapping[Asset, Mapping[str, int]],
    at: int,
) -> bool:
    """Keep how far was looked, and which top-up addresses have what. False where another worker looked meanwhile."""
    tag = await db.execute(
        """
        UPDATE reserve_state SET at = $1, block = $2, deposit = $3, gas_gwei = $4, is_gas_low = $5
        WHERE block = $6 AND deposit = $7 AND at IS NOT DISTINCT FROM $8
        """,
        at, block.number, seen.deposit, gas_gwei, is_gas_low, seen.state.block, seen.state.deposit, seen.state.at,
    )  # fmt: skip
    if tag != "UPDATE 1":
        return False
    await db.execute("DELETE FROM reserve_addresses WHERE address = ANY($1)", seen.addresses)
    await db.executemany(
        "INSERT INTO reserve_addresses (address, asset, units) VALUES ($1, $2, $3)",
        [
            (address, asset.code, units)
            for asset, found in addresses.items()
            for address, units in found.items()
            if units
        ],
    )
    return True


async def store_standing(db: Connection, standing: Standing, mark: str | None, *, block: Block, at: int) -> None:
    code, books = standing.asset.code, standing.books
    await db.executemany(
        """
        INSERT INTO reserves (asset, place, units, block, at) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (asset, place) DO UPDATE SET units = excluded.units, block = excluded.block, at = excluded.at
        """,
        [(code, place, units, block.number, at) for place, units in standing.units.items()],
    )
    await db.execute(
        """
        INSERT INTO reserve_checks (asset, owed, expected, missing, hot_mark, block, at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (asset) DO UPDATE SET owed = excluded.owed, expected = excluded.expected,
            missing = excluded.missing, hot_mark = excluded.hot_mark, block = excluded.block, at = excluded.at
        """,
        code, books.owed, books.expected, standing.missing, mark, block.number, at,
    )  # fmt: skip


async def find_state(db: Database) -> StateRow:
    row = await db.row(_STATE)
    assert row is not None, "the migration makes this row"
    return StateRow(**dict(row))


async def list_looks(db: Database) -> list[Look]:
    """The last look, by asset; in one statement, for the next one may be stored between two."""
    return _looks(await db.rows(_LOOKS))


async def find_look(db: Connection, asset: Asset) -> Look | None:
    """The last look at one asset."""
    return next((look for look in _looks(await db.fetch(_LOOKS)) if look.check.asset == asset.code), None)


def _looks(rows: Sequence[Record]) -> list[Look]:
    found: dict[str, Look] = {}
    for row in rows:
        fields = dict(row)
        place, units = fields.pop("place"), fields.pop("units")
        look = found.setdefault(row["asset"], Look(CheckRow(**fields), {}))
        if place is not None:
            look.units[place] = units
    return list(found.values())


async def list_checks(db: Database | Connection) -> list[CheckRow]:
    """What was compared at the last look, by asset."""
    read = db.rows if isinstance(db, Database) else db.fetch
    rows = await read("SELECT asset, owed, expected, missing, hot_mark, block, at FROM reserve_checks ORDER BY asset")
    return [CheckRow(**dict(row)) for row in rows]
