"""What a withdrawal is worth and costs, why people look at it, and what they sign: pure functions."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from kalos.core.assets import KLS, USDT, Asset
from kalos.core.clock import HOUR_MS
from kalos.core.errors import Busy, LimitReached, WrongState
from kalos.core.money import Amount, text_of, times_up
from kalos.core.ports import Price
from kalos.core.terms import Terms
from kalos.domains.withdrawals.errors import ClaimTooHigh, PriceChanged
from kalos.ledger import purse
from kalos.ledger.postings import Move, Resolve, Take
from kalos.ledger.purse import Purpose

if TYPE_CHECKING:
    from kalos.domains.withdrawals.tables import Withdrawal

Status = Literal["pending_review", "on_chain_processing", "approved", "refused", "failed"]
Outcome = Literal["approved", "failed"]
Reason = Literal[
    "new_address", "recent_security_change", "over_auto_max", "over_daily_limit", "listed_address", "kyc_free_limit",
    "account_frozen", "security_hold", "house_address", "not_reviewed", "address_removed", "restored", "young_address",
    "listed_since",
]  # fmt: skip
"""Why people look at a withdrawal. Over the daily limit, or over the limit without an identity, it is refused."""
RETURNS: Final[tuple[Reason, ...]] = (
    "account_frozen", "security_hold", "house_address", "not_reviewed", "address_removed", "restored", "young_address",
    "listed_since",
)  # fmt: skip
"""What came after it was asked for: the signer gave one back that had been let go, and says so itself; or while people
looked at it, its address was listed."""
STATUSES: Final[tuple[Status, ...]] = get_args(Status)
OPEN: Final[tuple[Status, ...]] = ("pending_review", "on_chain_processing")
"""Those whose money is held."""

CoinType = Literal[1, 2]
COINS: Final[Mapping[CoinType, Asset]] = {1: USDT, 2: KLS}
"""By `coin_type`. Source: treasury.md, "Withdrawal"."""

OPENED: Final = "withdrawal.open"
FEE_OPENED: Final = "withdrawal.fee_open"
BOUGHT: Final = "withdrawal.buy_fee"
PAID: Final = "withdrawal.paid"
FEE_PAID: Final = "withdrawal.fee"
RETURNED: Final = "withdrawal.returned"
CLAIMED: Final = "income.claimed"

FREE_DAYS: Final = 30
"""So many business days, today's among them, count against `kyc_free_limit`."""

PROOF_MS: Final = HOUR_MS
"""For so long the same request needs no new code."""

_ONE: Final[int] = 10**USDT.scale
_MESSAGE: Final = "kalos withdrawal 2"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a member asks for, and what is shown for it.

    The fee must not be more than `most_fee`, nor its bought KLS dearer than `most_purchase`; None: whatever it is.
    """

    amount: Amount
    wallet: int
    out_password: str
    google_code: str | None
    email_code: str | None
    buys_fee: bool
    request_id: str
    most_fee: Amount | None = None
    most_purchase: Amount | None = None


@dataclass(frozen=True, slots=True)
class Purchase:
    """KLS that the house sells for a fee, and what it costs; both in smallest units."""

    kls: int
    usdt: int


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands beside the amount when people or rules judge: all times are business time in ms.

    `held_until` is the end of the last hold of withdrawals that isn't older than a hold is long. `is_listed`: the
    operator's list has the address that it goes to; `listed_wallet`: and this one, by which the member logs in.
    """

    now: int
    created_at: int
    usable_at: int
    held_until: int | None
    is_listed: bool
    listed_wallet: str | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """Where the signer found a payment that isn't final, and the newest block that it knew then."""

    transaction: str
    block: int
    head: int


def value_units(amount: Amount, price: Fraction) -> int:
    """What an amount is worth in the smallest units of USDT, rounded up: limits look at it.

    `price` is that of KLS, in USDT for one whole coin.
    """
    if amount.asset is USDT:
        return amount.units
    return max(1, times_up(amount.units, price * Fraction(_ONE, 10**KLS.scale)))


def fee_units(amount: Amount, rate: Fraction, price: Fraction) -> int:
    """The fee in the smallest units of KLS, rounded up.

    Source: treasury.md, "Withdrawal"; ledger.md, "Rounding".
    """
    if amount.asset is KLS:
        return times_up(amount.units, rate)
    return times_up(amount.units, rate / price * Fraction(10**KLS.scale, _ONE))


def missing_kls(amount: Amount, fee: int, available: int) -> int:
    """How much of the fee the member lacks, where the amount itself is there."""
    own = amount.units if amount.asset is KLS else 0
    return min(fee, max(0, own + fee - available))


def purchase(missing: int, selling: Fraction) -> Purchase | None:
    """What the member buys of the house at its selling price; None where nothing is missing."""
    if missing == 0:
        return None
    return Purchase(missing, times_up(missing, selling * Fraction(_ONE, 10**KLS.scale)))


def check_agreed(wish: Wish, fee: int, bought: Purchase | None) -> None:
    """Nobody pays more than was shown: it may have been another price. Raises: PriceChanged."""
    cost = bought.usdt if bought else 0
    for units, most in ((fee, wish.most_fee), (cost, wish.most_purchase)):
        if most is not None and units > most.units:
            raise PriceChanged(fee=text_of(fee, KLS), purchase=text_of(cost, USDT))


def selling_price(price: Price, terms: Terms) -> Fraction:
    """At which the house sells KLS. Until there are markets, last5, P60 and P24 are all the same price.

    Source: markets.md, "REF".
    """
    return price.rate * (1 + terms.house_spread)


def risks(value: int, beside: Beside, terms: Terms) -> dict[Reason, str]:
    """Why no rule may decide alone, each with what it is about.

    An address counts as new, and a change of security as recent, for as long again as it had to wait.
    Source: treasury.md, "Withdrawal"; principles.md, "Who may".
    """
    found: dict[Reason, str] = {}
    old_at = beside.usable_at + (beside.usable_at - beside.created_at)
    if beside.now < old_at:
        found["new_address"] = str(old_at)
    if beside.held_until is not None:
        found["recent_security_change"] = str(beside.held_until)
    if value > most_alone(terms):
        found["over_auto_max"] = text_of(most_alone(terms), USDT)
    if beside.is_listed:
        found["listed_address"] = ""
    elif beside.listed_wallet is not None:
        found["listed_address"] = beside.listed_wallet
    return found


def most_alone(terms: Terms) -> int:
    """The highest value that may leave without a person, in units of USDT.

    Where both limits are the same, two people look from there on: that value doesn't leave by itself.
    """
    return max(0, min(terms.withdraw_auto_max * _ONE, terms.withdraw_two_reviewers * _ONE - 1))


def needed(value: int, found: Mapping[Reason, str], terms: Terms) -> int:
    """How many people must say yes: at every value as many as the signer asks for by the same limits.

    Source: treasury.md, "Withdrawal".
    """
    if value >= terms.withdraw_two_reviewers * _ONE:
        return 2
    return 1 if found else 0


def room(limit: int, used: int) -> int:
    """What a limit in USDT leaves, in smallest units."""
    return max(0, limit * _ONE - used)


def quota_of(member: int, day: date) -> str:
    """What a member may still withdraw on a business day: [of the daily limit, without an approved identity]."""
    return f"withdraw.day:{member}:{day}"


def confirmations(withdrawal: "Withdrawal", seen: Seen | None, required: int) -> int:
    """How many blocks stand on top of the one that has its transaction, up to the number that it needs.

    One that is still on its way may lose them again; it is final when the house says so, not when they are enough.
    """
    if withdrawal.transaction is not None:
        return required
    if withdrawal.status != "on_chain_processing" or seen is None:
        return 0
    return max(0, min(required, seen.head - seen.block))


def message(withdrawal: "Withdrawal") -> bytes:
    """What a reviewer signs: it binds the yes to this very withdrawal, and to this round of reviews."""
    one = withdrawal
    lines = (_MESSAGE, one.id, one.asset, one.units, one.chain_id, one.address, one.needed, one.returned)
    return "\n".join(map(str, lines)).encode()


def buy(member: int, bought: Purchase | None) -> list[Move]:
    """The two sides of a purchase."""
    if bought is None:
        return []
    pays = (purse.available(member, USDT), purse.house(Purpose.KLS_STOCK, USDT))
    gets = (purse.house(Purpose.KLS_STOCK, KLS), purse.available(member, KLS))
    return [Move(BOUGHT, *pays, bought.usdt), Move(BOUGHT, *gets, bought.kls, short=no_stock)]


def pay(one: "Withdrawal") -> list[Resolve]:
    """What has left, and its fee."""
    paid = [Resolve(PAID, one.hold, purse.outside(Purpose.CHAIN, one.coin), short=_ended)]
    if one.fee_hold is not None:
        paid.append(Resolve(FEE_PAID, one.fee_hold, purse.house(Purpose.FEES, KLS), short=_ended))
    return paid


def give_back(one: "Withdrawal") -> list[Resolve]:
    """Amount and fee, to the member."""
    back = [Resolve(RETURNED, one.hold, purse.available(one.member, one.coin), short=_ended)]
    if one.fee_hold is not None:
        back.append(Resolve(RETURNED, one.fee_hold, purse.available(one.member, KLS), short=_ended))
    return back


def room_back(one: "Withdrawal") -> Take:
    """The day's room comes back with the money."""
    return Take(quota_of(one.member, one.day), (-one.value_units, -one.free_units))


def rate_text(rate: Fraction) -> str:
    """A rate below 1 as a decimal string, such as "0.005"; at most 12 decimals."""
    assert 0 <= rate < 1, rate
    return f"0.{times_up(10**12, rate):012d}".rstrip("0").removesuffix(".")


def over_day(left: int) -> LimitReached:
    """`left` is the day's room in units of USDT."""
    return LimitReached(asset=USDT.code, room={USDT.code: text_of(left, USDT)})


def no_stock(left: int, **_: Any) -> LimitReached:
    """The house has less KLS to sell: `left` units."""
    return LimitReached(asset=KLS.code, room={KLS.code: text_of(max(0, left), KLS)})


def claim_too_high(**_: Any) -> ClaimTooHigh:
    """Less than that is claimable."""
    return ClaimTooHigh()


def day_over(**_: Any) -> Busy:
    """The business day whose room it takes has ended meanwhile."""
    return Busy(retry_after=1)


def _ended(**_: Any) -> WrongState:
    """What was held is paid or given back already."""
    return WrongState()
