"""Features and countries: what is on where, and the command that switches one."""

from dataclasses import dataclass
from typing import Annotated, Final

from msgspec import Meta

from kalos.core.database import Connection
from kalos.domains.protection import queries as orders
from kalos.domains.protection.rules import FEATURES, GATES, Installation
from kalos.operator import rules
from kalos.operator.context import Desk
from kalos.operator.kinds import Kind, Preview, refused
from kalos.operator.settings import READERS
from kalos.operator.tables import CommandRow
from kalos.wire.calls import Body

SWITCHED: Final = (*FEATURES, GATES)


class SwitchBody(Body, frozen=True):
    """Without a country it counts wherever a country has no order of its own."""

    feature: Annotated[str, Meta(max_length=40)]
    is_on: bool
    country: Annotated[str, Meta(pattern="^[A-Z]{2}$")] | None = None


@dataclass(frozen=True, slots=True)
class Switch:
    """`country` is empty for all that have no order of their own; who, when and why is empty where nobody ordered."""

    feature: str
    country: str
    is_on: bool
    at: int | None = None
    staff: str | None = None
    checker: str | None = None
    reason: str | None = None


async def list_switches(desk: Desk) -> list[Switch]:
    """What counts now: of each feature everywhere, and of each country with an order of its own. Raises: Forbidden."""
    desk.need(*READERS)
    house = Installation({}, desk.house.is_demo, desk.terms.age_min)
    found = {(name, ""): Switch(name, "", house.is_on(name, "")) for name in SWITCHED}
    for row in await orders.list_switches(desk.db):
        if row.name in SWITCHED:
            found[row.name, row.country] = Switch(
                row.name, row.country, row.is_on, row.at, row.ordered_by, row.checker, row.reason
            )
    return [found[key] for key in sorted(found, key=lambda key: (SWITCHED.index(key[0]), key[1]))]


async def _preview(desk: Desk, db: Connection, body: SwitchBody) -> Preview:
    """Raises: InvalidInput (no such feature, or it is so already)."""
    if body.feature not in SWITCHED:
        raise refused("feature", "not_on_offer")
    country = body.country or ""
    rows = await db.fetch(
        """
        SELECT DISTINCT ON (country) id, country, is_on FROM switches
        WHERE name = $1 AND country IN ('', $2) ORDER BY country, id DESC
        """,
        body.feature,
        country,
    )
    ordered = {(body.feature, row["country"]): row["is_on"] for row in rows}
    is_on = Installation(ordered, desk.house.is_demo, desk.terms.age_min).is_on(body.feature, country)
    if is_on == body.is_on and (body.feature, country) in ordered:
        raise refused("is_on", "same")
    return Preview(
        object=f"switch {body.feature} {country or 'everywhere'}",
        before={"is_on": is_on},
        after={"is_on": body.is_on},
        version=rules.version_of(body.feature, country, body.is_on, [row["id"] for row in rows]),
    )


async def _carry_out(desk: Desk, db: Connection, command: CommandRow, body: SwitchBody) -> None:
    await orders.insert_switch(
        db,
        name=body.feature,
        country=body.country or "",
        is_on=body.is_on,
        reason=command.reason,
        ordered_by=command.maker_name,
        at=desk.wall,
        checker=command.checker_name,
    )


SWITCH: Final = Kind(
    "switch",
    SwitchBody,
    makers=frozenset({"owner", "treasurer"}),
    checkers=frozenset({"owner", "treasurer"}),
    preview=_preview,
    carry_out=_carry_out,
)
