"""The signer's limits: what it says of them, and the command that orders another one.

The order reaches it as a text with two signatures; nothing else of the row is believed there.
"""

from dataclasses import dataclass
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from kalos.core.database import Connection, Database
from kalos.core.limits import MOST, LimitName, LimitOrder
from kalos.domains.protection.tables import NumberRow
from kalos.operator import rules
from kalos.operator.context import Desk
from kalos.operator.kinds import Kind, Preview, refused
from kalos.operator.tables import CommandRow
from kalos.wire.calls import Body

_MOST_SHOWN: Final = 20


class LimitBody(Body, frozen=True):
    """`value` is whole USDT, such as "250000"."""

    limit: LimitName
    value: Annotated[str, Meta(max_length=24)]


@dataclass(frozen=True, slots=True)
class SignerLimits:
    """As the signer says: `values` in whole USDT, empty before its first word. `refused`: why it didn't follow the last
    order, `order`."""

    values: dict[LimitName, int]
    order: int
    refused: str | None


async def find_limits(db: Database | Connection) -> SignerLimits:
    statement = "SELECT limits, limits_order, limits_refused FROM signer_state"
    row = await (db.row(statement) if isinstance(db, Database) else db.fetchrow(statement))
    assert row is not None
    values = {} if row["limits"] is None else msgspec.json.decode(row["limits"])
    return SignerLimits(values, row["limits_order"], row["limits_refused"])


async def list_orders(db: Database, name: LimitName) -> list[NumberRow]:
    """What was ordered of a limit, the latest first, with who signed it."""
    rows = await db.rows(
        """
        SELECT c.id, (c.after ->> $1)::bigint AS value, c.reason, m.name AS ordered_by, c.decided_at AS at,
            k.name AS checker
        FROM commands c JOIN staff m ON m.id = c.maker LEFT JOIN staff k ON k.id = c.checker
        WHERE c.kind = 'signer_limit' AND c.state = 'carried_out' AND c.after ? $1 ORDER BY c.id DESC LIMIT $2
        """,
        name,
        _MOST_SHOWN,
    )
    return [NumberRow(name=name, country="", **row) for row in rows]


async def _preview(_: Desk, db: Connection, body: LimitBody) -> Preview:
    """Raises: InvalidInput (no such value, the same one, one that doesn't fit the others, or the signer is still to say
    what became of the last order)."""
    known = await find_limits(db)
    number = known.order + 1
    waiting = await db.fetchval(
        """
        SELECT true FROM commands
        WHERE kind = 'signer_limit' AND state = 'carried_out' AND split_part(message, E'\\n', 2) = $1
        """,
        str(number),
    )
    if waiting or not known.values:
        raise refused("limit", "signer_has_not_answered")
    before, value = known.values[body.limit], body.value.strip()
    if not (value.isascii() and value.isdecimal() and int(value) <= MOST):
        raise refused("value", "not_of_kind")
    after = int(value)
    if after == before:
        raise refused("value", "same")
    if not _fit(known.values | {body.limit: after}):
        raise refused("value", "out_of_bounds")
    order = LimitOrder(number, body.limit, before, after)
    return Preview(
        object="signer limits",
        before={body.limit: str(before)},
        after={body.limit: str(after)},
        version=rules.version_of(order.message),
        message=order.message,
    )


def _fit(values: dict[LimitName, int]) -> bool:
    """As the signer holds them against each other."""
    return values["auto_max"] <= values["two_reviewers"] and 0 < values["hour"] <= values["day"]


async def _carry_out(desk: Desk, db: Connection, command: CommandRow, body: LimitBody) -> None:
    """It is the signer's to follow: the signed row is all that it reads."""


LIMIT: Final = Kind(
    "signer_limit",
    LimitBody,
    makers=frozenset({"owner", "treasurer"}),
    checkers=frozenset({"owner", "treasurer"}),
    preview=_preview,
    carry_out=_carry_out,
)
