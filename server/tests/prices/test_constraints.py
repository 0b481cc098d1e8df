"""What no row of a price may say, PostgreSQL itself refuses: each constraint, written to by hand."""

from functools import partial
from typing import Any, Final

from support import constraints
from support.constraints import *  # noqa: F403 - pytest finds its tests here

# A row that the table takes: a case changes what its constraint looks at, and nothing else.
ROWS: Final[dict[str, dict[str, Any]]] = {
    "price_orders": {
        "id": 1,
        "asset": "KLS",
        "numerator": 1,
        "denominator": 4,
        "at": 1,
        "staff": 1,
        "command": 1,
        "ordered_by": "anna",
        "reason": "a new list",
    },
}
_OF_TWO: Final = "ALTER TABLE price_orders DROP CONSTRAINT price_orders_of_two; "
_BY_CONSOLE: Final = "ALTER TABLE price_orders DROP CONSTRAINT price_orders_by_console; "

row, twice = partial(constraints.insert, ROWS), partial(constraints.twice, ROWS)
CASES: Final[dict[str, str]] = {
    "price_orders_pkey": twice("price_orders", command=2),
    "price_orders_command": twice("price_orders", id=2),
    "price_orders_asset_check": row("price_orders", asset="USDT"),
    "price_orders_numerator_check": row("price_orders", numerator=0),
    "price_orders_denominator_check": row("price_orders", denominator=0),
    "price_orders_at_check": row("price_orders", at=0),
    "price_orders_ordered_by_check": row("price_orders", ordered_by=""),
    "price_orders_ordered_by_check/too long": row("price_orders", ordered_by="x" * 101),
    "price_orders_reason_check": row("price_orders", reason=""),
    "price_orders_reason_check/too long": row("price_orders", reason="x" * 501),
    "price_orders_by_console": _OF_TWO + row("price_orders", staff=None),
    "price_orders_by_console/without a command": _OF_TWO + row("price_orders", command=None),
    "price_orders_of_two": row("price_orders", staff=None, command=None),
    "price_orders_of_two/one": _BY_CONSOLE + row("price_orders", staff=None),
    "price_orders_of_two/without a command": _BY_CONSOLE + row("price_orders", command=None),
}
