"""What an operator on the machine is told by `price`."""

from fractions import Fraction
from typing import Any

import pytest

from kalos.app.prices import USAGE, obey
from kalos.app.settings import PROJECT
from kalos.core.assets import KLS
from kalos.core.clock import HOUR_MS, Clock, utc_text
from kalos.core.database import Database
from kalos.core.terms import load_terms
from kalos.domains.prices import queries
from kalos.domains.prices.service import order_price
from kalos.domains.protection.queries import insert_number

FILE = PROJECT / "server" / "terms.toml"


@pytest.mark.parametrize("arguments", [[], ["show", "KLS"], ["set", "KLS", "0.5", "--reason", "one person alone"]])
async def test_the_machine_orders_no_price(db: Database, arguments: list[str]) -> None:
    assert await obey(db, FILE, arguments) == (2, USAGE)
    assert await queries.list_orders(db) == []


async def test_what_counts_is_shown_with_who_ordered_it_why_and_whether_it_is_stale(db: Database) -> None:
    first = "KLS 0.50000000 USDT (ref_first: nobody has ordered a price)"
    assert await obey(db, FILE, ["show"]) == (0, first)
    at = Clock.wall() - 3 * HOUR_MS
    async with db.transaction() as step:
        row: dict[str, Any] = {"staff": 1, "command": 1, "ordered_by": "olive", "reason": "opening"}
        await order_price(step, load_terms(FILE), asset=KLS, rate=Fraction("0.51"), now=at, **row)
    shown = ["KLS 0.51000000 USDT", f"{utc_text(at)}  KLS 0.51000000  olive: opening"]
    assert (await obey(db, FILE, ["show"]))[1].splitlines() == shown
    await insert_number(
        db, name="ref_stale", country="", value=2, reason="calm", ordered_by="olive", at=1, checker="mike"
    )
    assert (await obey(db, FILE, ["show"]))[1].splitlines() == [shown[0] + " (stale)", shown[1]]
