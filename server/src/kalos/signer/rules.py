"""What must be true before anything is signed, and what a payment costs: pure."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from kalos.core.assets import BY_CODE, USDT, Asset
from kalos.core.clock import DAY_MS, HOUR_MS
from kalos.core.payments import Fees
from kalos.ledger import purse
from kalos.signer.tables import Due, Returned

HOLD_KIND: Final = "withdrawal.open"
TOKEN_GAS: Final = 120_000
NATIVE_GAS: Final = 21_000
_WHOLE: Final = 10**USDT.scale
_GWEI: Final = 10**9
_RAISE: Final = Fraction(9, 8)  # nodes take a replacement from a tenth more on
_MOST_GAP: Final = 1


class Stop(Exception):
    """Something is wrong: nothing more is signed until an operator says so. `name` is a word, `text` says of what."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(f"{name}: {text}")
        self.name = name


class Wait(Exception):
    """Nothing is wrong, but this can't be paid now; `text` says why."""


class Halted(Exception):
    """Money out was stopped, or the signer paused, maybe in the middle of a turn: nothing more is signed or sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The signer's own numbers, of its own file: who writes the database changes none without two reviewers' keys.

    Values in whole USDT, `address_wait` in hours, `fee_most` in gwei for a unit of gas, `gas_low` in native coins of 18
    decimals, `raise_blocks` in blocks. `least_price` is a floor under what KLS is counted for, in USDT for one: near
    its price, for whoever writes the rows can value it down to that. `order` is the last of the console's that was
    taken up.
    """

    auto_max: int = 10_000
    two_reviewers: int = 50_000
    hour: int = 200_000
    day: int = 1_000_000
    address_wait: int = 24
    fee_most: int = 500
    raise_blocks: int = 5
    gas_low: Fraction = Fraction(1, 2)
    least_price: Fraction = Fraction(2, 5)
    sweep_usdt: int = 1_000
    order: int = 0

    def __post_init__(self) -> None:
        assert 0 <= self.auto_max <= self.two_reviewers, "two_reviewers must not be below auto_max"
        assert 0 < self.hour <= self.day, "day must not be below hour"
        assert min(self.address_wait, self.order) >= 0
        assert min(self.fee_most, self.raise_blocks, self.sweep_usdt) > 0
        assert self.least_price > 0

    @property
    def fee_cap(self) -> int:
        """In the native coin's smallest unit."""
        return self.fee_most * _GWEI


def message(due: Due) -> bytes:
    """What a reviewer signs: of this round alone, whatever round a row of it names."""
    lines = ("kalos withdrawal 2", due.id, due.asset, due.units, due.chain_id, due.address, due.needed, due.round)
    return "\n".join(map(str, lines)).encode()


def check(due: Due, *, limits: Limits, trusted: Mapping[str, bytes], chain_id: int, wall: int) -> int:
    """Compare a withdrawal with its hold, its address and its reviews. Returns its value in units of USDT.

    Raises: Stop.
    """
    value = check_rows(due, limits=limits, chain_id=chain_id)
    if young_until(due, limits, wall) is not None:
        raise Stop("young_address", f"the address of withdrawal {due.id} is not {limits.address_wait} h old")
    _check_reviews(due, value, limits, trusted)
    return value


def check_rows(due: Due, *, limits: Limits, chain_id: int) -> int:
    """The same without its address's age and its reviews. Raises: Stop."""
    asset = BY_CODE.get(due.asset)
    if asset is None or asset.kind != "chain" or due.units <= 0:
        raise Stop("bad_withdrawal", f"withdrawal {due.id} is of {due.units} {due.asset}")
    if due.chain_id != chain_id:
        raise Stop("wrong_chain", f"withdrawal {due.id} is for chain {due.chain_id}, not {chain_id}")
    _check_hold(due, asset)
    _check_address(due)
    return value_of(due, asset, limits)


def returned(due: Due, own: Collection[str]) -> Returned | None:
    """Why a withdrawal goes back to people before anything is signed; None where nothing keeps it.

    `own` are the signer's own addresses and the coins' contracts.
    """
    if due.brakes.is_deposit or due.address in own:
        return Returned("house_address")
    if due.brakes.is_frozen:
        return Returned("account_frozen")
    if due.brakes.held_until is not None:
        return Returned("security_hold", due.brakes.held_until)
    if due.book is not None and due.book.is_removed:
        return Returned("address_removed")
    if due.brakes.is_listed_since:
        return Returned("listed_since")
    return None


def _check_hold(due: Due, asset: Asset) -> None:
    hold = due.hold
    if hold is None:
        raise Stop("no_hold", f"withdrawal {due.id} has no open hold {due.hold_id}")
    if hold.kind != HOLD_KIND or hold.account != purse.held(due.member, asset) or hold.units != due.units:
        raise Stop("wrong_hold", f"hold {due.hold_id} is not the amount of withdrawal {due.id}")


def _check_address(due: Due) -> None:
    book = due.book
    if book is None or (book.member, book.chain, book.address) != (due.member, due.chain_id, due.address):
        raise Stop("wrong_address", f"withdrawal {due.id} pays an address that its member's book doesn't have")


def young_until(due: Due, limits: Limits, wall: int) -> int | None:
    """Until when nothing is paid to its address, by the wall's clock; None where that is old enough."""
    if due.book is None or limits.address_wait == 0:
        return None
    until = due.book.written_at + limits.address_wait * HOUR_MS
    return until if until > wall else None


def needed_of(due: Due, value: int, limits: Limits) -> int:
    """How many reviewers' signatures one of a value in units of USDT must have: never fewer than the house asked for.

    Source: treasury.md, "Withdrawal".
    """
    own = 2 if value >= limits.two_reviewers * _WHOLE else 1 if value > limits.auto_max * _WHOLE else 0
    listed = 1 if due.book is not None and due.book.is_listed else 0
    return max(own, listed, due.needed)


def _check_reviews(due: Due, value: int, limits: Limits, trusted: Mapping[str, bytes]) -> None:
    needed = needed_of(due, value, limits)
    signed = count_signed(due, trusted)
    if signed < needed:
        raise Stop("not_reviewed", f"withdrawal {due.id} needs {needed} reviewers' signatures and has {signed}")


def count_signed(due: Due, trusted: Mapping[str, bytes]) -> int:
    """How many trusted keys have signed this round of it."""
    return len(signers(message(due), due.signatures, trusted))


def signers(text: bytes, signatures: Collection[bytes], trusted: Mapping[str, bytes]) -> set[bytes]:
    """The trusted keys, each once, that signed `text`."""
    return {key for key in trusted.values() if any(_is_of(key, signature, text) for signature in signatures)}


def _is_of(key: bytes, signature: bytes, text: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, text)
    except InvalidSignature:
        return False
    return True


def value_of(due: Due, asset: Asset, limits: Limits) -> int:
    """What it counts for: never less than the amount itself in USDT, or than the floor of its price."""
    return max(due.value_units, least_value(due.units, asset, limits))


def least_value(units: int, asset: Asset, limits: Limits) -> int:
    """What an amount is worth at the least, in units of USDT, rounded up: all that is known of one without a row."""
    rate = Fraction(1) if asset == USDT else limits.least_price
    value: int = math.ceil(Fraction(units, 10**asset.scale) * rate * _WHOLE)
    return value


def least_swept(asset: Asset, limits: Limits) -> int:
    """From so many units on a deposit address is emptied, in units of the asset, rounded up."""
    rate = Fraction(1) if asset == USDT else limits.least_price
    units: int = math.ceil(limits.sweep_usdt / rate * 10**asset.scale)
    return units


def check_sums(value: int, *, spent_hour: int, spent_day: int, limits: Limits) -> None:
    """Raises: Stop where an hour's or a day's payments would pass their limit."""
    for name, spent, most in (("hour", spent_hour, limits.hour), ("day", spent_day, limits.day)):
        if spent + value > most * _WHOLE:
            raise Stop(f"{name}_limit", f"{(spent + value) // _WHOLE} USDT within one {name}, at most {most}")


def since(wall: int) -> tuple[int, int]:
    """Where the hour and the day begin that are summed up."""
    return wall - HOUR_MS, wall - DAY_MS


def check_nonce(nonce: int, *, mined: int, waiting: int) -> None:
    """`nonce` is the next of ours; `mined` and `waiting` are what the nodes count, the latter with the former.

    Raises: Stop where somebody else has used our key, or more than one of our payments isn't known to the nodes.
    """
    if max(mined, waiting) > nonce:
        raise Stop("unknown_payment", f"the chain counts {max(mined, waiting)} payments, our records {nonce}")
    if nonce - waiting > _MOST_GAP:
        raise Stop("nonce_gap", f"our records count {nonce} payments, the nodes {waiting}")


def first_fees(asked: Fees, limits: Limits) -> Fees:
    """What the chain asks for, within the limit."""
    most = min(asked.max_fee, limits.fee_cap)
    return Fees(most, min(asked.tip, most))


def raised(before: Fees, asked: Fees, limits: Limits) -> Fees | None:
    """Fees that nodes take in the place of `before`, within the limit; None where even the least would pass it."""
    least = max(_more(before.max_fee), _more(before.tip))
    if least > limits.fee_cap:
        return None
    most = min(max(asked.max_fee, least), limits.fee_cap)
    return Fees(most, min(max(asked.tip, _more(before.tip)), most))


def _more(fee: int) -> int:
    return fee * _RAISE.numerator // _RAISE.denominator + 1
