"""What an operator on the machine says with `price`."""

import pytest

from kalos.app.prices import USAGE, obey
from kalos.core.database import Database
from kalos.core.terms import Terms
from kalos.domains.prices import queries


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
async def test_what_is_no_price_changes_nothing(db: Database, terms: Terms, arguments: list[str], code: int) -> None:
    found, text = await obey(db, terms, arguments)
    assert found == code
    assert (text == USAGE) == (code == 2)
    assert await queries.list_orders(db) == []


async def test_the_first_price_is_set_and_shown_with_its_reason_and_no_second_one(db: Database, terms: Terms) -> None:
    shown = await obey(db, terms, ["show"])
    assert shown == (0, "KLS 0.50000000 USDT (ref_first: nobody has ordered a price)")
    assert await obey(db, terms, ["set", "KLS", "0.51", "--reason", "opening"]) == (0, "KLS is 0.51000000 USDT")
    code, text = await obey(db, terms, ["set", "KLS", "0.52", "--reason", "again"])
    assert (code, text) == (1, "KLS has a price: two people change it in the console")
    lines = (await obey(db, terms, ["show"]))[1].splitlines()
    assert lines[0] == "KLS 0.51000000 USDT"
    assert lines[1].endswith(": opening")
    assert len(lines) == 2
