"""Issuing KLS: the command that adds to the house's stock, within its cap and what the reserves hold for it."""

from typing import Annotated, Final

from msgspec import Meta

from kalos.core.assets import KLS
from kalos.core.clock import MINUTE_MS
from kalos.core.database import Connection
from kalos.core.errors import InvalidInput
from kalos.core.money import Amount, parse_amount, text_of
from kalos.domains.deposits import queries as deposits
from kalos.domains.reserves import queries as reserves
from kalos.ledger import purse
from kalos.ledger.explained import Issued
from kalos.ledger.postings import Move, Take
from kalos.ledger.purse import Purpose
from kalos.operator import command_queries as queries
from kalos.operator import rules
from kalos.operator.context import Desk
from kalos.operator.kinds import Kind, Preview, refused
from kalos.operator.moving import move_once
from kalos.operator.tables import CommandRow
from kalos.wire.calls import Body

MOVE: Final = "treasury.issue"
STOCK_CAP: Final = "issuance.house_stock"
_CAP: Final = parse_amount("100000000", KLS).units
ISSUED: Final = Issued(KLS, {STOCK_CAP: _CAP})
"""What of KLS may be issued to the house's stock. Source: settings.md, `kls_subcaps`."""
_ISSUANCE: Final = purse.outside(Purpose.ISSUANCE, KLS)
_FRESH_MS: Final = MINUTE_MS
_STOCK: Final = purse.house(Purpose.KLS_STOCK, KLS)


class IssueBody(Body, frozen=True):
    """So many KLS."""

    amount: Annotated[str, Meta(max_length=32)]


def _over_cap(**_: object) -> InvalidInput:
    return refused("amount", "over_cap")


def take_of(units: int) -> Take:
    """From the cap, which begins with the first issue."""
    return Take(STOCK_CAP, (units,), first=(_CAP,), short=_over_cap)


async def _preview(desk: Desk, db: Connection, body: IssueBody) -> Preview:
    """Raises: InvalidInput (nothing, above the cap, or more than the reserves hold beyond what is owed),
    InvalidAmount."""
    amount = _amount(body)
    stock = (await queries.balances_of(db, [_STOCK])).get(_STOCK, 0)
    left = await queries.left_of(db, STOCK_CAP)
    room = _CAP if left is None else left
    if amount.units > room:
        raise _over_cap()
    if amount.units > await _uncommitted(desk, db):
        raise refused("amount", "not_covered")
    return Preview(
        object="issue of KLS",
        before={"house kls_stock": text_of(stock, KLS), "left of the cap": text_of(room, KLS)},
        after={
            "house kls_stock": text_of(stock + amount.units, KLS),
            "left of the cap": text_of(room - amount.units, KLS),
        },
        version=rules.version_of(amount.units, room),
    )


async def _uncommitted(desk: Desk, db: Connection) -> int:
    """What the reserves hold of KLS beyond what is owed and what may be credited of top-ups that wait; 0 where nobody
    looked just now and since the last issue.

    Of what is owed then and now it is the more.
    """
    look = await reserves.find_look(db, KLS)
    issued_at = (await queries.last_moved(db, _ISSUANCE) or 0) - desk.house.clock.offset_ms
    if look is None or look.check.at <= max(issued_at, desk.wall - _FRESH_MS):
        return 0
    owed = max(look.check.expected, await reserves.find_owed(db, KLS))
    return sum(look.units.values()) - owed - await deposits.sum_unbooked(db, KLS.code)


async def _post(desk: Desk, command: CommandRow, body: IssueBody) -> None:
    """Moves: outside issuance -> kls_stock, once. Raises: as `move_once`."""
    amount = _amount(body)
    move = Move(MOVE, _ISSUANCE, _STOCK, amount.units, reference=command.id)
    await move_once(desk, command, amount, move, takes=(take_of(amount.units),))


def _amount(body: IssueBody) -> Amount:
    """Raises: InvalidInput, InvalidAmount."""
    amount = parse_amount(body.amount, KLS)
    if amount.units == 0:
        raise refused("amount", "out_of_bounds")
    return amount


ISSUE: Final = Kind(
    "issue",
    IssueBody,
    makers=frozenset({"owner", "treasurer"}),
    checkers=frozenset({"owner", "treasurer"}),
    preview=_preview,
    post=_post,
)
