"""What an operator on the machine says with `price`."""

import pytest

from kalos.app.prices import USAGE, obey
from kalos.app.settings import PROJECT
from kalos.core.database import Database
from kalos.domains.prices import queries
from kalos.domains.protection.queries import insert_number
from kalos.operator.queries import list_audit

FILE = PROJECT / "server" / "terms.toml"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], 2),
        (["set", "KLS", "0.5"], 2),
        (["set", "USDT", "1", "--reason", "x"], 2),
        (["set", "KLS", "0.5", "--reason", " "], 1),
        (["set", "KLS", "0.5", "--reason", "x" * 501], 1),
        (["set", "KLS", "-0.5", "--reason", "x"], 1),
        (["set", "KLS", "0,5", "--reason", "x"], 1),
        (["set", "KLS", "0.6", "--reason", "x"], 1),
    ],
)
async def test_what_is_no_price_changes_nothing(db: Database, arguments: list[str], code: int) -> None:
    found, text = await obey(db, FILE, arguments)
    assert found == code
    assert (text == USAGE) == (code == 2)
    assert await queries.list_orders(db) == []


async def test_the_first_price_keeps_to_the_step_that_was_ordered(db: Database) -> None:
    """Two have brought the step of a day down to a hundredth of the price."""
    await insert_number(
        db, name="price_daily_step", country="", value=10**6, reason="calm", ordered_by="olive", at=1, checker="mike"
    )
    code, text = await obey(db, FILE, ["set", "KLS", "0.51", "--reason", "opening"])
    assert (code, text) == (1, "a day may bring the price to 0.49500000 to 0.50500000 (price_daily_step, ref_first)")
    assert await queries.list_orders(db) == []
    await insert_number(
        db, name="price_daily_step", country="", value=5 * 10**6, reason="as it was", ordered_by="olive", at=2
    )


async def test_the_first_price_is_set_and_shown_with_its_reason_and_no_second_one(db: Database) -> None:
    shown = await obey(db, FILE, ["show"])
    assert shown == (0, "KLS 0.50000000 USDT (ref_first: nobody has ordered a price)")
    assert await obey(db, FILE, ["set", "KLS", "0.51", "--reason", "opening"]) == (0, "KLS is 0.51000000 USDT")
    (row,) = await list_audit(db, before=None, most=1)
    assert (row.act, row.object, row.staff) == ("machine.order", "price of KLS", None)
    assert (row.before, row.after) == ({"price": None}, {"price": "0.51", "reason": "opening"})
    code, text = await obey(db, FILE, ["set", "KLS", "0.52", "--reason", "again"])
    assert (code, text) == (1, "KLS has a price: two people change it in the console")
    lines = (await obey(db, FILE, ["show"]))[1].splitlines()
    assert lines[0] == "KLS 0.51000000 USDT"
    assert lines[1].endswith(": opening")
    assert len(lines) == 2
