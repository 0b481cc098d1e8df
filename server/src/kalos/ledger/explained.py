"""What a domain's own rows say of money: the port by which the audits know each purpose. Source: ledger.md."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kalos.core.assets import ASSETS, BY_CODE, BY_NUMBER, CAPPED, USA, USDT, USO, Asset
from kalos.core.database import Connection
from kalos.ledger.purse import Purpose, house, outside

_MOST_SHOWN: Final = 20
_PATIENCE_SECONDS: Final = 600.0  # rows of all time are summed, and a whole audit may take that long


@dataclass(frozen=True, slots=True)
class Sums:
    """`rows` selects (asset's code, units): together they are what the house's accounts of `purpose` have.

    It is read at each step of the running audit: what it reads must be bounded by what is open, with an index.
    """

    purpose: Purpose
    rows: str


@dataclass(frozen=True, slots=True)
class Holds:
    """`rows` selects (number, units, open): the holds of `kind`, what is left in each, and whether it is open still.

    A hold's id is `times` its number. The audits ask for numbers one by one and in ranges: both need an index. Who is
    open is told, not chosen by the query: an index of the open ones would be read whole for each.
    """

    kind: str
    rows: str
    times: int = 1


@dataclass(frozen=True, slots=True)
class Issued:
    """What is issued of an asset was taken from these quotas, which began with their caps."""

    asset: Asset
    caps: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Quotas:
    """`rows` selects (quota, left units): what is left in each of these, by the rows that took from it.

    It is read at each step, as that of `Sums`; where it is `seldom`, by the whole audit alone.
    """

    rows: str
    seldom: bool = False


@dataclass(frozen=True, slots=True)
class Backed:
    """Of each unit of these `assets` that exists the house has so many `units` of USDT in its account of `purpose`."""

    purpose: Purpose
    assets: Sequence[Asset]
    units: int = 1


@dataclass(frozen=True, slots=True)
class Nothing:
    """No account of these purposes has anything: nothing that is built puts it there."""

    purposes: frozenset[Purpose]


@dataclass(frozen=True, slots=True)
class NoOtherHolds:
    """The `Holds` beside this are all: an open hold of another kind is nobody's."""


Explained = Sums | Holds | Issued | Quotas | Backed | Nothing | NoOtherHolds
_RESERVES: Final = (Backed(Purpose.USA_RESERVE, (USA,)), Backed(Purpose.USO_RESERVE, (USO,)))


async def check_sums(db: Connection, explained: Sequence[Explained], *, whole: bool = False) -> list[str]:
    """Whether what rows, reserves and caps explain is exactly so, all of it or (not `whole`) what is read at each step.

    Returns a sentence a problem.
    """
    exist = await _existing(db)
    problems = [
        f"beyond its cap: {exist[asset]} {asset} exist of {asset.maximum_units}"
        for asset in CAPPED
        if exist.get(asset, 0) > asset.maximum_units
    ]
    for one in (*_RESERVES, *explained):
        if isinstance(one, Sums):
            problems += await _check_purpose(db, one)
        elif isinstance(one, Issued):
            problems += await _check_issued(db, one)
        elif isinstance(one, Quotas) and (whole or not one.seldom):
            problems += await _check_quotas(db, one)
        elif isinstance(one, Backed):
            problems += await _check_backing(db, one, exist)
        elif isinstance(one, Nothing):
            problems += await _told_of_nobody(
                db, one, [house(purpose, asset) for purpose in one.purposes for asset in ASSETS]
            )
    return problems


async def check_nothing(db: Connection, explained: Sequence[Explained], accounts: Sequence[int] | None) -> list[str]:
    """The accounts that have something although nothing puts it there; None: among all, which are all read."""
    problems = []
    for one in explained:
        if isinstance(one, Nothing):
            some = None if accounts is None else [account for account in accounts if account & 255 in one.purposes]
            problems += [] if some == [] else await _told_of_nobody(db, one, some)
    return problems


async def _told_of_nobody(db: Connection, one: Nothing, accounts: Sequence[int] | None) -> list[str]:
    among = "" if accounts is None else "AND id = ANY($2::bigint[])"
    rows = await db.fetch(
        f"""
        SELECT id, balance FROM accounts
        WHERE balance <> 0 AND id & 255 = ANY($1::bigint[]) {among}
        ORDER BY id LIMIT {_MOST_SHOWN}
        """,
        list(one.purposes),
        *([] if accounts is None else [accounts]),
        timeout=_PATIENCE_SECONDS,
    )
    return [
        f"account of nobody: {account} has {balance}, and nothing is built that uses it" for account, balance in rows
    ]


async def check_holds(db: Connection, one: Holds, *, after: int, last: int) -> list[str]:
    """Whether the open holds of a kind with such an id and the domain's rows are the same."""
    rows = await db.fetch(
        f"""
        SELECT coalesce(h.id, r.hold) AS hold, h.left_units, r.units
        FROM (
            SELECT h.id, h.left_units FROM holds h
            WHERE h.state = 'open' AND h.kind = (SELECT id FROM kinds WHERE name = $1) AND h.id > $2 AND h.id <= $3
        ) AS h
        FULL JOIN (
            SELECT number * {one.times} AS hold, units FROM ({one.rows}) AS told (number, units, open)
            WHERE open AND number > $2::bigint / {one.times} AND number <= $3::bigint / {one.times}
        ) AS r ON r.hold = h.id
        WHERE h.left_units IS DISTINCT FROM r.units ORDER BY 1 LIMIT {_MOST_SHOWN}
        """,
        one.kind,
        after,
        last,
        timeout=_PATIENCE_SECONDS,
    )
    return [_hold_told(one, *row.values()) for row in rows]


async def check_holds_of(db: Connection, one: Holds, accounts: Sequence[int]) -> list[str]:
    """Whether the domain has its row for each open hold of a kind in these accounts."""
    rows = await db.fetch(
        f"""
        SELECT h.id, h.left_units, r.units
        FROM holds h LEFT JOIN LATERAL (
            SELECT CASE WHEN open THEN units END AS units FROM ({one.rows}) AS told (number, units, open)
            WHERE number = h.id / {one.times}
        ) AS r ON h.id % {one.times} = 0
        WHERE h.account_id = ANY($2::bigint[]) AND h.state = 'open'
            AND h.kind = (SELECT id FROM kinds WHERE name = $1) AND h.left_units IS DISTINCT FROM r.units
        ORDER BY 1 LIMIT {_MOST_SHOWN}
        """,
        one.kind,
        accounts,
    )
    return [_hold_told(one, *row.values()) for row in rows]


def _hold_told(one: Holds, hold: int, left: int | None, units: int | None) -> str:
    return f"hold not explained: {one.kind} {hold} has {left or 0} left, its row says {units or 0}"


async def _check_purpose(db: Connection, one: Sums) -> list[str]:
    told_by_asset = f"SELECT asset, sum(units) FROM ({one.rows}) AS told (asset, units) GROUP BY asset"
    rows = await db.fetch(told_by_asset, timeout=_PATIENCE_SECONDS)
    told = {BY_CODE[code]: int(units) for code, units in rows}
    has = await _balances(db, {house(one.purpose, asset): asset for asset in BY_NUMBER.values()})
    name = one.purpose.name.lower()
    return [
        f"purpose not explained: {name} has {has.get(asset, 0)} {asset}, rows say {told.get(asset, 0)}"
        for asset in BY_NUMBER.values()
        if has.get(asset, 0) != told.get(asset, 0)
    ]


async def _check_issued(db: Connection, one: Issued) -> list[str]:
    names = list(one.caps)
    rows = await db.fetch("SELECT id, left_units FROM quotas WHERE id = ANY($1::text[])", names)
    left = {row["id"]: sum(row["left_units"]) for row in rows}
    taken = sum(cap - left[name] for name, cap in one.caps.items() if name in left)
    account = outside(Purpose.ISSUANCE, one.asset)
    issued = -(await _balances(db, {account: one.asset})).get(one.asset, 0)
    return [] if issued == taken else [f"issue not explained: {issued} {one.asset} issued, {taken} taken from its caps"]


async def _check_quotas(db: Connection, one: Quotas) -> list[str]:
    rows = await db.fetch(
        f"""
        SELECT told.quota, q.left_units, told.units FROM ({one.rows}) AS told (quota, units)
        LEFT JOIN quotas q ON q.id = told.quota
        WHERE q.left_units IS DISTINCT FROM told.units ORDER BY 1 LIMIT {_MOST_SHOWN}
        """,
        timeout=_PATIENCE_SECONDS,
    )
    return [f"quota not explained: {quota} has {left} left, rows say {units}" for quota, left, units in rows]


async def _existing(db: Connection) -> dict[Asset, int]:
    """What exists of an asset is what the outside's accounts of it lack, as each asset sums to zero."""
    lacking = await _balances(db, {outside(purpose, asset): asset for asset in ASSETS for purpose in Purpose})
    return {asset: -units for asset, units in lacking.items()}


async def _check_backing(db: Connection, one: Backed, exist: Mapping[Asset, int]) -> list[str]:
    has = (await _balances(db, {house(one.purpose, USDT): USDT})).get(USDT, 0)
    made = sum(exist.get(asset, 0) for asset in one.assets)
    names = " and ".join(map(str, one.assets))
    return [] if made * one.units == has else [f"not backed: {made} {names} exist, its reserve has {has} {USDT}"]


async def _balances(db: Connection, accounts: Mapping[int, Asset]) -> dict[Asset, int]:
    """Sums by asset of what these accounts have, each counted for the asset that it is given with."""
    rows = await db.fetch("SELECT id, balance FROM accounts WHERE id = ANY($1::bigint[])", list(accounts))
    found: dict[Asset, int] = {}
    for account, balance in rows:
        found[accounts[account]] = found.get(accounts[account], 0) + balance
    return found
