"""Corrections: a posting between two named accounts, with the two people and the reason in it. No balance is edited."""

from typing import Annotated, Final, Literal

from msgspec import Meta, field

from kalos.core.assets import BY_CODE, Asset
from kalos.core.database import Connection
from kalos.core.errors import InsufficientBalance, NotFound, Refusal
from kalos.core.money import Amount, parse_amount, text_of
from kalos.ledger import purse
from kalos.ledger.payables import in_turn
from kalos.ledger.postings import Move
from kalos.ledger.purse import Purpose
from kalos.operator import command_queries as queries
from kalos.operator import rules
from kalos.operator.context import Desk
from kalos.operator.kinds import Kind, Preview, refused
from kalos.operator.moving import move_once
from kalos.operator.tables import CommandRow
from kalos.wire.calls import Body

MOVE: Final = "treasury.correction"
TARGETS: Final = (Purpose.BANKROLL, Purpose.KLS_STOCK, Purpose.MARKETING, Purpose.LENDING_POOL, Purpose.INSURANCE_POOL)
"""The house's own money. What rows of a domain explain (reservations, suspense, reserves) is theirs to move."""
SOURCES: Final = (*TARGETS, Purpose.REVENUE, Purpose.FEES)
"""Beside it, where the house's income arrives, its own top-ups too: nothing else leads out of there to where it works.

Nothing is put there by hand, so that all they ever received is income. Source: ledger.md, "Accounts".
"""
_ON_OFFER: Final = {
    name: {purpose.name.lower(): purpose for purpose in purposes}
    for name, purposes in (("from", SOURCES), ("to", TARGETS))
}


class Party(Body, frozen=True):
    """One of the two: a member's eight digits, whose available account it is, or a purpose of the house."""

    account: Annotated[str, Meta(pattern="^[0-9]{8}$")] | None = None
    house: Annotated[str, Meta(max_length=40)] | None = None


class CorrectionBody(Body, frozen=True):
    asset: Annotated[str, Meta(max_length=10)]
    source: Party = field(name="from")
    target: Party = field(name="to")
    amount: Annotated[str, Meta(max_length=32)]
    note: Annotated[str, Meta(max_length=200)] = ""


async def _preview(_: Desk, db: Connection, body: CorrectionBody) -> Preview:
    """Raises: InvalidInput, InvalidAmount, NotFound (no such account), InsufficientBalance."""
    amount = _amount(body)
    source = await _account(db, body.source, amount.asset, "from")
    target = await _account(db, body.target, amount.asset, "to")
    if source == target:
        raise refused("to", "same")
    balances = await queries.balances_of(db, [source, target])
    has, gets = balances.get(source, 0), balances.get(target, 0)
    if has < amount.units:
        raise InsufficientBalance(asset=amount.asset.code)
    parties = {_named(body.source): (has, -amount.units), _named(body.target): (gets, amount.units)}
    return Preview(
        object=f"correction {_named(body.source)} to {_named(body.target)} {amount.asset}",
        before={name: text_of(units, amount.asset) for name, (units, _) in parties.items()},
        after={name: text_of(units + change, amount.asset) for name, (units, change) in parties.items()},
        # Balances move all the time: what is signed is the move, and the ledger says whether it can still be made.
        version=rules.version_of(source, target, amount.asset.code, amount.units),
    )


async def _post(desk: Desk, command: CommandRow, body: CorrectionBody) -> None:
    """Moves: from one named account to the other, once. A refusal uses the key up, too: no later try can move it.

    Raises: as `move_once`.
    """
    amount = _amount(body)
    try:
        async with desk.db.connection() as db:
            source = await _account(db, body.source, amount.asset, "from")
            target = await _account(db, body.target, amount.asset, "to")
    except Refusal:
        # Also where its account was emptied and closed since: what has moved was carried out.
        if await queries.find_outcome(desk.db, command.id) == "moved":
            return
        raise
    move = Move(MOVE, source, target, amount.units, reference=command.id)
    takes = in_turn(source) if purse.owner_of(source) == purse.HOUSE else ()
    await move_once(desk, command, amount, move, takes=takes)


def _amount(body: CorrectionBody) -> Amount:
    """Raises: InvalidInput, InvalidAmount."""
    asset = BY_CODE.get(body.asset)
    if asset is None:
        raise refused("asset", "not_on_offer")
    amount = parse_amount(body.amount, asset)
    if amount.units == 0:
        raise refused("amount", "out_of_bounds")
    return amount


async def _account(db: Connection, party: Party, asset: Asset, name: Literal["from", "to"]) -> int:
    """The ledger account of a party; `name` is the field that it stands in. Raises: InvalidInput, NotFound."""
    if (party.account is None) == (party.house is None):
        raise refused(name, "account_or_house")
    if party.house is not None:
        purpose = _ON_OFFER[name].get(party.house)
        if purpose is None:
            raise refused(name, "not_on_offer")
        return purse.house(purpose, asset)
    member = await queries.find_member(db, party.account or "")
    if member is None:
        raise NotFound()
    if name == "to" and await queries.is_closed(db, member):  # its owner never comes back to it
        raise refused(name, "closed")
    return purse.available(member, asset)


def _concerns(body: CorrectionBody) -> list[str]:
    return [party.account for party in (body.source, body.target) if party.account is not None]


def _named(party: Party) -> str:
    return party.account or f"house {party.house}"


CORRECTION: Final = Kind(
    "correction",
    CorrectionBody,
    makers=frozenset({"owner", "treasurer"}),
    checkers=frozenset({"owner", "treasurer"}),
    preview=_preview,
    concerns=_concerns,
    post=_post,
)
