"""Business numbers: what each is, what was ordered, and the command that changes one."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Annotated, Final

from msgspec import Meta

from kalos.core.database import Connection
from kalos.core.errors import NotFound
from kalos.core.limits import LimitName
from kalos.core.terms import Number
from kalos.domains.protection import queries as orders
from kalos.domains.protection.tables import NumberRow
from kalos.operator import limits, rules
from kalos.operator.context import Desk
from kalos.operator.kinds import Kind, Preview, refused
from kalos.operator.tables import CommandRow
from kalos.wire.calls import Body

READERS: Final = ("owner", "treasurer", "auditor")
_MOST_SHOWN: Final = 20
_SIGNERS: Final[dict[str, LimitName]] = {"signer_hour": "hour", "signer_day": "day"}


class SettingBody(Body, frozen=True):
    """`value` as people write it, such as "48" or "0.0125"."""

    name: Annotated[str, Meta(max_length=50)]
    value: Annotated[str, Meta(max_length=24)]


@dataclass(frozen=True, slots=True)
class Setting:
    """A number, its present value as text, and what was ordered of it, the latest first."""

    number: Number
    value: str
    history: list[tuple[NumberRow, str]]


async def list_settings(desk: Desk) -> list[Setting]:
    """Every business number in the order of the table. Raises: Forbidden."""
    desk.need(*READERS)
    ordered: defaultdict[str, list[NumberRow]] = defaultdict(list)
    for row in await orders.list_numbers(desk.db):
        if not row.country:
            ordered[row.name].insert(0, row)
    found = {name: _setting(number, ordered[name][:_MOST_SHOWN]) for name, number in desk.numbers.items()}
    said = (await limits.find_limits(desk.db)).values
    for name, limit in _SIGNERS.items():  # the signer's word counts, not what it once began with
        rows = [(row, str(row.value)) for row in await limits.list_orders(desk.db, limit)]
        found[name] = Setting(desk.numbers[name], str(said.get(limit, found[name].value)), rows)
    return list(found.values())


def _setting(number: Number, rows: list[NumberRow]) -> Setting:
    known = number.changeable
    if known is None:
        return Setting(number, number.default, [])
    value = rows[0].value if rows and known.takes(rows[0].value) else known.default
    return Setting(number, known.text(value), [(row, known.text(row.value)) for row in rows])


async def _preview(desk: Desk, db: Connection, body: SettingBody) -> Preview:
    """Raises: NotFound (no such number), InvalidInput (fixed, out of its bounds, what it is already, or not what
    goes with its partner)."""
    number = desk.numbers.get(body.name)
    if number is None:
        raise NotFound()
    known = number.changeable
    value = None if known is None else known.read(body.value)
    if known is None or value is None:
        raise refused("value", "fixed" if known is None else "out_of_bounds")
    latest = await db.fetchrow(
        "SELECT id, value FROM number_orders WHERE name = $1 AND country = '' ORDER BY id DESC LIMIT 1", body.name
    )
    order, present = (0, known.default) if latest is None else (latest["id"], latest["value"])
    if present == value:
        raise refused("value", "same")
    changeable = {name: one.changeable for name, one in desk.numbers.items() if one.changeable}
    if not await orders.fits_beside(db, body.name, value, changeable):
        raise refused("value", "out_of_bounds")
    return Preview(
        object=f"setting {body.name}",
        before={"value": known.text(present)},
        after={"value": known.text(value)},
        version=rules.version_of(body.name, order, present, value),
        signers=known.signers,
    )


async def _carry_out(desk: Desk, db: Connection, command: CommandRow, body: SettingBody) -> None:
    known = desk.numbers[body.name].changeable
    value = None if known is None else known.read(body.value)
    assert value is not None, body
    await orders.insert_number(
        db,
        name=body.name,
        country="",
        value=value,
        reason=command.reason,
        ordered_by=command.maker_name,
        at=desk.wall,
        checker=command.checker_name,
    )


SETTING: Final = Kind(
    "setting",
    SettingBody,
    makers=frozenset({"owner", "treasurer"}),
    checkers=frozenset({"owner", "treasurer"}),
    preview=_preview,
    carry_out=_carry_out,
)
