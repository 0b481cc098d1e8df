"""Rows of this domain's tables; the fields are the columns. Withdrawals and reviews are postings' riders."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any, Final, Literal, TypedDict

import msgspec

from kalos.core.assets import BY_CODE, Asset
from kalos.core.money import Amount
from kalos.core.ports import Price
from kalos.domains.context import Member
from kalos.domains.wallets.tables import AddressRow
from kalos.domains.withdrawals.rules import RETURNS, Outcome, Purchase, Reason, Status
from kalos.ledger.postings import Fact, Set, Stamp

WITHDRAWALS: Final = "withdrawals"
REVIEWS: Final = "withdrawal_reviews"
ENDS: Final = "broadcast_ends"
RETURNED: Final = "broadcast_returns"
PROOFS: Final = "withdrawal_proofs"

TOPIC: Final = "withdrawals"
"""Facts of this topic say of which withdrawal there is news: {withdrawal, news}."""


class Risk(TypedDict):
    """Why people look at a withdrawal, and what that is about: a point in time in ms, an amount in USDT, or nothing.

    Of `not_reviewed` it is how many people were to look at first.
    """

    reason: Reason
    detail: str


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """`price_*` is the price of KLS that fee and value were made with; `risks` are of {reason, detail}.

    `free_units` is what it took of the room without an approved identity, `day` whose room it took, and `day_*` what
    that room was at first, where this is the first of its day. `lang` is the member's when it was asked for. `returned`
    counts how often the signer gave it back to people.
    """

    id: int
    revision: int
    member: int
    account: str
    asset: str
    units: int
    chain_id: int
    address: str
    wallet: int
    label: str
    fee_units: int
    fee_rate: str
    price_numerator: int
    price_denominator: int
    price_source: str
    price_at: int
    value_units: int
    free_units: int
    day: date
    hold: int
    fee_hold: int | None
    status: Status
    needed: int
    risks: list[Risk]
    reason: str | None
    lang: str
    requested_at: int
    changed_at: int
    decided_at: int | None
    transaction: str | None
    returned: int
    day_value_units: int
    day_free_units: int

    @property
    def coin(self) -> Asset:
        return BY_CODE[self.asset]

    @property
    def price(self) -> Fraction:
        return Fraction(self.price_numerator, self.price_denominator)

    @property
    def first_risks(self) -> list[Risk]:
        """As they were answered to who asked."""
        return [risk for risk in self.risks if risk["reason"] not in RETURNS]

    @property
    def first_needed(self) -> int:
        """As it was answered to who asked: without a risk nobody looked, and the signer may want more."""
        for risk in self.risks:
            if risk["reason"] == "not_reviewed":
                return int(risk["detail"])
        return self.needed if self.first_risks else 0

    @property
    def young_until(self) -> int:
        """Until when the signer pays nothing to its address, by the wall's clock; 0: it has said nothing of that."""
        return max((int(risk["detail"]) for risk in self.risks if risk["reason"] == "young_address"), default=0)

    @property
    def first_status(self) -> Status:
        return "pending_review" if self.first_needed else "on_chain_processing"


@dataclass(frozen=True, slots=True)
class Review:
    """What one of the house's people said; `signature` is of `rules.message`.

    `round` is how often the withdrawal had come back by then: what was said in an earlier one counts no longer.
    `follows` is who spoke before them in it; None: they were the first.
    """

    withdrawal: int
    staff: int
    verdict: Literal["yes", "no"]
    reason: str
    signature: bytes | None
    at: int
    round: int
    follows: int | None


@dataclass(frozen=True, slots=True)
class End:
    """The signer's final word."""

    withdrawal: int
    outcome: Outcome
    transaction: str
    block: int
    at: int


@dataclass(frozen=True, slots=True)
class Returned:
    """The signer's word that it doesn't sign a withdrawal as it stood at a revision, and until when that is so.

    `needed`: how many people must have signed it, where too few have.
    """

    withdrawal: int
    revision: int
    reason: Reason
    until_at: int | None
    at: int
    needed: int | None


@dataclass(frozen=True, slots=True)
class Proof:
    """For this request the second factor was shown."""

    member: int
    request_id: str
    request_hash: bytes
    until_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A withdrawal as it would be posted now. `daily` and `free` are the room of a day that has none written yet."""

    amount: Amount
    entry: AddressRow
    price: Price
    value: int
    fee: int
    purchase: Purchase | None
    risks: Mapping[Reason, str]
    needed: int
    daily: int
    free: int
    asks_identity: bool


@dataclass(frozen=True, slots=True)
class Terms:
    """What the form must know before anything is asked for. `held_until` is None where nothing is held."""

    available: Mapping[Asset, int]
    daily_left: int
    price: Price
    held_until: int | None
    is_stopped: bool
    entries: Sequence[AddressRow]


def new_row(plan: Plan, member: Member, *, day: date, free: int, fee_rate: str, lang: str) -> dict[str, Any]:
    """The row of a withdrawal that is asked for now."""
    rate = plan.price.rate
    return {
        "id": Stamp.ID,
        "revision": 1,
        "member": member.id,
        "account": member.account,
        "asset": plan.amount.asset.code,
        "units": plan.amount.units,
        "chain_id": plan.entry.chain,
        "address": plan.entry.address,
        "wallet": plan.entry.id,
        "label": plan.entry.label,
        "fee_units": plan.fee,
        "fee_rate": fee_rate,
        "price_numerator": rate.numerator,
        "price_denominator": rate.denominator,
        "price_source": plan.price.source,
        "price_at": plan.price.at_ms,
        "value_units": plan.value,
        "free_units": free,
        "day": str(day),
        "hold": Stamp.HOLD,
        "status": "pending_review" if plan.needed else "on_chain_processing",
        "needed": plan.needed,
        "risks": [{"reason": reason, "detail": detail} for reason, detail in plan.risks.items()],
        "reason": None,
        "lang": lang,
        "requested_at": Stamp.AT,
        "changed_at": Stamp.AT,
        "decided_at": None if plan.needed else Stamp.AT,
        "transaction": None,
        "day_value_units": plan.daily,
        "day_free_units": plan.free,
    }


def new_review(
    one: Withdrawal, said: Sequence[Review], *, staff: int, is_yes: bool, reason: str, signature: bytes
) -> dict[str, Any]:
    """What somebody says of a withdrawal now, of which others of the same round have `said` something before."""
    followed = {before.follows for before in said}
    return {
        "withdrawal": one.id,
        "staff": staff,
        "verdict": "yes" if is_yes else "no",
        "reason": reason,
        "signature": signature or None,
        "at": Stamp.AT,
        "round": one.returned,
        "follows": next((before.staff for before in said if before.staff not in followed), None),
    }


def change_of(one: Withdrawal, values: Mapping[str, Any]) -> Set:
    """A change of one withdrawal where it is still as it was read."""
    return Set(
        WITHDRAWALS,
        key={"id": one.id},
        expect={"revision": one.revision},
        values={"revision": one.revision + 1, "changed_at": Stamp.AT, **values},
    )


def return_of(one: Withdrawal, back: Returned) -> Set:
    """Before people again, with what the signer says added to the reasons."""
    risks = [risk for risk in one.risks if risk["reason"] != back.reason]
    first = one.first_needed if back.reason == "not_reviewed" else None
    detail = next((str(value) for value in (back.until_at, first) if value is not None), "")
    values = {
        "status": "pending_review",
        "decided_at": None,
        "needed": max(one.needed, 1, back.needed or 0),
        "risks": msgspec.json.encode([*risks, Risk(reason=back.reason, detail=detail)]).decode(),
        "returned": one.returned + 1,
    }
    return change_of(one, values)


def listed_since(one: Withdrawal) -> Set:
    """What people look at already, with one reason more: its address is listed by now."""
    risks = [*one.risks, Risk(reason="listed_since", detail="")]
    return change_of(one, {"risks": msgspec.json.encode(risks).decode()})


def news_of(withdrawal: int | Stamp, news: str) -> Fact:
    """What members are mailed about."""
    return Fact(TOPIC, {"withdrawal": withdrawal, "news": news})


ROWS: Final[dict[str, type[Any]]] = {
    WITHDRAWALS: Withdrawal,
    REVIEWS: Review,
    ENDS: End,
    RETURNED: Returned,
    PROOFS: Proof,
}
