"""What no row of a team or a turnover may say, PostgreSQL itself refuses: each constraint, written to by hand."""

from functools import partial
from typing import Any, Final

from support import constraints
from support.constraints import *  # noqa: F403 - pytest finds its tests here

# A row that each table takes: a case changes what its constraint looks at, and nothing else.
ROWS: Final[dict[str, dict[str, Any]]] = {
    "teams": {
        "member": 1001,
        "inviter": 1000,
        "is_counted": True,
        "own_units": 5,
        "team_units": 9,
        "large_units": 7,
        "month": 2026 * 12 + 1,
        "own_month_units": 5,
        "team_month_units": 9,
        "direct_users": 2,
        "team_users": 3,
    },
    "turnover_days": {"day": "2026-01-01", "member": 1000, "units": 5},
    "teams_cursor": {"one": True, "last_move": 1},
    "turnover_prices": {
        "first_move": 1,
        "last_move": 2,
        "asset": "KLS",
        "numerator": 1,
        "denominator": 4,
        "at": 1,
        "source": "list",
    },
}

row, twice = partial(constraints.insert, ROWS), partial(constraints.twice, ROWS)
CASES: Final[dict[str, str]] = {
    "teams_pkey": twice("teams", inviter=1002),
    "teams_inviter_check": row("teams", inviter=1001),
    "teams_own_units_check": row("teams", own_units=-1),
    "teams_team_units_check": "ALTER TABLE teams DROP CONSTRAINT teams_line; " + row("teams", team_units=-1),
    "teams_large_units_check": row("teams", large_units=-1),
    "teams_month_check": row("teams", month=-1),
    "teams_own_month_units_check": row("teams", own_month_units=-1),
    "teams_team_month_units_check": row("teams", team_month_units=-1),
    "teams_direct_users_check": row("teams", direct_users=-1),
    "teams_line": row("teams", large_units=10),
    "teams_users": row("teams", team_users=1),
    "turnover_days_pkey": twice("turnover_days", units=6),
    "turnover_days_units_check": row("turnover_days", units=0),
    "teams_cursor_pkey": "INSERT INTO teams_cursor SELECT * FROM teams_cursor",
    "teams_cursor_one_check": "UPDATE teams_cursor SET one = false",
    "teams_cursor_last_move_check": "UPDATE teams_cursor SET last_move = -1",
    "turnover_prices_pkey": twice("turnover_prices", last_move=3),
    "turnover_prices_first_move_check": row("turnover_prices", first_move=0),
    "turnover_prices_moves": row("turnover_prices", last_move=0),
    "turnover_prices_numerator_check": row("turnover_prices", numerator=0),
    "turnover_prices_denominator_check": row("turnover_prices", denominator=0),
    "turnover_prices_source_check": row("turnover_prices", source=""),
    "turnover_prices_source_check/too long": row("turnover_prices", source="x" * 41),
    "turnover_prices_asset_check": row("turnover_prices", asset="x"),
    "turnover_prices_at_check": row("turnover_prices", at=-1),
}
