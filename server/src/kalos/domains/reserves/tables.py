"""Rows of this domain's tables; the fields are the columns."""

from dataclasses import dataclass
from typing import Final

from kalos.domains.reserves.rules import Mark, Place

RESERVES: Final = "reserves"
CHECKS: Final = "reserve_checks"
ADDRESSES: Final = "reserve_addresses"
STATE: Final = "reserve_state"


@dataclass(frozen=True, slots=True)
class ReserveRow:
    """What one place has of an asset after a block."""

    asset: str
    place: Place
    units: int
    block: int
    at: int


@dataclass(frozen=True, slots=True)
class CheckRow:
    """What the reserves of an asset were compared with; `missing` units make money out stop."""

    asset: str
    owed: int
    expected: int
    missing: int
    hot_mark: Mark | None
    block: int
    at: int


@dataclass(frozen=True, slots=True)
class AddressRow:
    """A top-up address that isn't empty."""

    address: str
    asset: str
    units: int


@dataclass(frozen=True, slots=True)
class StateRow:
    """The one row that says how far was looked: `at` is None before the first look."""

    one: bool
    begun_at: int
    at: int | None
    block: int
    deposit: int
    gas_gwei: int | None
    is_gas_low: bool


ROWS: Final = {RESERVES: ReserveRow, CHECKS: CheckRow, ADDRESSES: AddressRow, STATE: StateRow}
