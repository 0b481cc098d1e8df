"""What no row of a switch or a limit may say, PostgreSQL itself refuses: each constraint, written to by hand."""

from functools import partial
from typing import Any, Final

from support import constraints
from support.constraints import (
    pytest_generate_tests,
    test_each_constraint_of_these_tables_has_its_case,
    test_the_database_itself_refuses,
    test_the_row_that_the_cases_change_is_a_good_one,
)

__all__ = [
    "pytest_generate_tests",
    "test_each_constraint_of_these_tables_has_its_case",
    "test_the_database_itself_refuses",
    "test_the_row_that_the_cases_change_is_a_good_one",
]

# A row that each table takes: a case changes what its constraint looks at, and nothing else.
ROWS: Final[dict[str, dict[str, Any]]] = {
    "switches": {
        "id": 1,
        "name": "games",
        "country": "",
        "is_on": True,
        "reason": "asked for",
        "ordered_by": "ann",
        "at": 1,
        "checker": "ben",
    },
    "number_orders": {
        "id": 1,
        "name": "age_min",
        "country": "VN",
        "value": 21,
        "reason": "asked for",
        "ordered_by": "ann",
        "at": 1,
        "checker": "ben",
    },
    "notices_accepted": {
        "member": 1000,
        "feature": "games",
        "version": 2,
        "lang": "en",
        "text_hash": r"\x" + "ab" * 32,
        "at": 1,
    },
    "player_limits": {
        "member": 1000,
        "kind": "stake",
        "value": 5,
        "next_value": 6,
        "next_from": 2,
        "changed_at": 1,
    },
    "player_breaks": {"id": 1, "member": 1000, "kind": "break", "from_at": 1, "until_at": 2},
    "player_steps": {"member": 1000, "step": 1},
}

row, twice = partial(constraints.insert, ROWS), partial(constraints.twice, ROWS)
CASES: Final[dict[str, str]] = {
    "switches_pkey": twice("switches", is_on=False),
    "switches_name_check": row("switches", name="Games"),
    "switches_name_check/short": row("switches", name="x"),
    "switches_name_check/long": row("switches", name="x" * 41),
    "switches_country_check": row("switches", country="vn"),
    "switches_country_check/short": row("switches", country="V"),
    "switches_country_check/long": row("switches", country="VNM"),
    "switches_reason_check": row("switches", reason=""),
    "switches_reason_check/long": row("switches", reason="x" * 501),
    "switches_ordered_by_check": row("switches", ordered_by=""),
    "switches_ordered_by_check/long": row("switches", ordered_by="x" * 101),
    "switches_checker_check": row("switches", checker=""),
    "switches_checker_check/long": row("switches", checker="x" * 101),
    "switches_two_people": row("switches", checker="ann"),
    "number_orders_pkey": twice("number_orders", value=22),
    "number_orders_name": row("number_orders", country="", name="age-min"),
    "number_orders_name/first": row("number_orders", country="", name="2_age"),
    "number_orders_name/short": row("number_orders", country="", name="x"),
    "number_orders_name/long": row("number_orders", country="", name="x" * 41),
    "number_orders_name/coin": row("number_orders", country="", name="swap_min.usdt"),
    "number_orders_name/coin short": row("number_orders", country="", name="swap_min.U"),
    "number_orders_name/coin long": row("number_orders", country="", name="swap_min.USDTUSD"),
    "number_orders_country": row("number_orders", name="age_max"),
    "number_orders_country_check": row("number_orders", country="vn"),
    "number_orders_country_check/short": row("number_orders", country="V"),
    "number_orders_country_check/long": row("number_orders", country="VNM"),
    "number_orders_value_check": row("number_orders", value=-1),
    "number_orders_reason_check": row("number_orders", reason=""),
    "number_orders_reason_check/long": row("number_orders", reason="x" * 501),
    "number_orders_ordered_by_check": row("number_orders", ordered_by=""),
    "number_orders_ordered_by_check/long": row("number_orders", ordered_by="x" * 101),
    "number_orders_checker_check": row("number_orders", checker=""),
    "number_orders_checker_check/long": row("number_orders", checker="x" * 101),
    "number_orders_two_people": row("number_orders", checker="ann"),
    "notices_accepted_pkey": twice("notices_accepted", lang="vi"),
    "notices_accepted_feature_check": row("notices_accepted", feature="Games"),
    "notices_accepted_feature_check/short": row("notices_accepted", feature="x"),
    "notices_accepted_feature_check/long": row("notices_accepted", feature="x" * 41),
    "notices_accepted_version_check": row("notices_accepted", version=0),
    "notices_accepted_lang_check": row("notices_accepted", lang="de"),
    "notices_accepted_text_hash_check": row("notices_accepted", text_hash=r"\x" + "ab" * 31),
    "notices_accepted_text_hash_check/long": row("notices_accepted", text_hash=r"\x" + "ab" * 33),
    "player_limits_pkey": twice("player_limits", changed_at=0),
    "player_limits_kind_check": row("player_limits", kind="win"),
    "player_limits_value_check": row("player_limits", value=-1),
    "player_limits_next_value_check": "ALTER TABLE player_limits DROP CONSTRAINT player_limits_waits_above;"
    + row("player_limits", value=None, next_value=-1),
    "player_limits_next": row("player_limits", next_from=1),
    "player_limits_higher": row("player_limits", next_value=5),
    "player_limits_waits": row("player_limits", next_from=None),
    "player_limits_waits_above": row("player_limits", value=None),
    "player_limits_waits_above/reminder": row("player_limits", kind="reminder"),
    "player_breaks_pkey": twice("player_breaks", until_at=3),
    "player_breaks_kind_check": row("player_breaks", kind="pause"),
    "player_breaks_time": row("player_breaks", until_at=1),
    "player_steps_pkey": twice("player_steps", step=2),
    "player_steps_step_check": row("player_steps", step=0),
}
