"""What must never be in the ledger's tables, PostgreSQL itself refuses: each constraint, written to by hand."""

import ast
from pathlib import Path
from typing import Any, Final

import asyncpg
import pytest

from kalos.app.migrate import role_url
from kalos.core.assets import KLS, USDT
from kalos.ledger import purse
from kalos.ledger.purse import Purpose
from support.clusters import SECRET

MEMBER: Final = purse.available(1000, USDT)
OTHER: Final = purse.available(1001, USDT)
HELD: Final = purse.held(1000, USDT)
FEES: Final = purse.house(Purpose.FEES, USDT)
CHAIN: Final = purse.outside(Purpose.CHAIN, USDT)
ONE: Final = "00000000-0000-0000-0000-000000000001"

# A row that each table takes: a case changes what its constraint looks at, and nothing else.
ROWS: Final[dict[str, dict[str, Any]]] = {
    "kinds": {"id": 9_000, "name": "test.constraint"},
    "accounts": {"id": MEMBER, "balance": 5, "version": 1},
    "journal": {
        "id": 1,
        "posting_id": 1,
        "reference": 1,
        "at": 1,
        "day": "2026-01-01",
        "kind": 1,
        "amount": 5,
        "from_id": CHAIN,
        "from_version": 1,
        "from_balance": -5,
        "to_id": MEMBER,
        "to_version": 1,
        "to_balance": 5,
    },
    "keys": {"id": 1, "at": 1, "key": ONE, "fingerprint": 1},
    "holds": {"id": 8, "account_id": HELD, "left_units": 5, "reference": 1, "kind": 1, "state": "open"},
    "quotas": {"id": "q", "left_units": "{5,0}", "version": 1, "state": "open"},
    "outbox": {"id": 1, "posting_id": 1, "topic": "rounds", "body": "{}", "at": 1},
    "daily_sums": {"day": "2026-01-01", "asset": 1, "kind": 1, "units": 5, "moves": 1},
    "day_runs": {"job": "test", "item": "", "day": "2026-01-01", "at": 1, "ran_on": "2026-01-02"},
    "grants": {
        "id": 1,
        "member": 1000,
        "source": FEES,
        "target": MEMBER,
        "kind": "test.grant",
        "reference": 0,
        "total": 100,
        "daily": 10,
        "released": 0,
        "status": "running",
        "opened_day": "2026-01-01",
        "first_day": "2026-01-01",
        "last_day": "2026-01-10",
        "released_day": "2025-12-31",
    },
    "payables": {
        "posting": 1,
        "place": 0,
        "account": FEES,
        "member": 1000,
        "target": MEMBER,
        "asset": USDT.number,
        "kind": "test.due",
        "reference": 0,
        "day": "2026-01-01",
        "units": 10,
        "left_units": 10,
        "paid_from": "account",
        "since": 1,
    },
    "outbox_cursors": {"consumer": "test", "last_fact": 0, "seen_at": 1},
    "ledger_audit": {"one": True, "at": 1, "problems": "{}"},
    "ledger_flags": {"name": "money_out_stopped", "reason": "by hand", "since": 1},
    "ledger_flag_changes": {"id": 9, "name": "x", "stands": True, "reason": "by hand", "made_by": "a test", "at": 1},
    "ledger_watch": {
        "one": True,
        "at": 1,
        "move": 9,
        "posting": 9,
        "behind": 0,
        "rolled_move": 0,
        "rolled_block": 0,
        "rolled_hold": 0,
        "rolled_quota": "",
        "fact": 9,
        "rolled_fact": 0,
    },
    "ledger_sums": {"account": 1, "version": 1, "kinds": "{test.a}", "units": "{1}"},
    "ledger_watch_blocks": {"block": 1, "asset": 1, "units": 1},
    "ledger_watch_days": {"lane": "new", "day": "2026-01-01", "asset": 1, "kind": 1, "units": 1, "moves": 1},
}
NUMBERED: Final = {"kinds", "ledger_flag_changes"}
"""Tables that number their rows themselves."""
OF_THE_APP: Final = {"outbox_cursors", *(table for table in ROWS if table.startswith("ledger_"))}
OF_THE_OWNER: Final = {"ledger_tail_pkey", "writer_lease_pkey"}
"""No role may add a row where there is one for ever."""
OTHER_ROOMS: Final = sorted(set(Path(__file__).parents[1].glob("*/test_constraints.py")) - {Path(__file__)})
"""Their tables' constraints are broken there."""


def row(table: str, **changes: Any) -> str:
    """An insert of the table's row with some of its values changed."""
    values = ROWS[table] | changes
    told = ", ".join("NULL" if value is None else f"'{value}'" for value in values.values())
    numbered = "OVERRIDING SYSTEM VALUE " if table in NUMBERED else ""
    return f"INSERT INTO {table} ({', '.join(values)}) {numbered}VALUES ({told})"


def twice(table: str, **changes: Any) -> str:
    """The table's row, and another one that has in common with it what must stand once."""
    return f"{row(table)}; {row(table, **changes)}"


# What a constraint refuses; where one has several sides, each has its case, named after a stroke.
CASES: Final[dict[str, str]] = {
    "kinds_pkey": twice("kinds", name="test.other"),
    "kinds_name_key": twice("kinds", id=9_001),
    "kinds_name_check": row("kinds", name="no kind"),
    "accounts_pkey": twice("accounts"),
    "accounts_id_check": row("accounts", id=65_535, balance=0),
    "accounts_version_check": row("accounts", version=0),
    "accounts_never_negative": row("accounts", balance=-1),
    "accounts_closed_empty": row("accounts", open=False),
    "journal_pkey": twice("journal", from_version=2, to_version=2),
    "journal_from": twice("journal", id=2, to_id=OTHER),
    "journal_to": twice("journal", id=2, from_version=2),
    "journal_check": row("journal", from_id=MEMBER, from_balance=0),
    "journal_amount_check": row("journal", amount=0),
    "journal_from_version_check": row("journal", from_version=0),
    "journal_to_version_check": row("journal", to_version=0),
    "journal_one_asset": row("journal", to_id=purse.available(1000, KLS)),
    "journal_never_negative": row("journal", to_balance=-1),
    "journal_never_negative/source": row("journal", from_id=OTHER, from_balance=-1),
    "keys_pkey": twice("keys", id=2),
    "holds_pkey": twice("holds"),
    "holds_account_id_check": row("holds", account_id=MEMBER),
    "holds_left_units_check": row("holds", left_units=-1),
    "holds_state_check": row("holds", state="lost"),
    "holds_end_at_zero": row("holds", left_units=0),
    "holds_end_at_zero/early": row("holds", state="ended"),
    "quotas_pkey": twice("quotas"),
    "quotas_id_check": row("quotas", id=""),
    "quotas_version_check": row("quotas", version=0),
    "quotas_state_check": row("quotas", state="lost"),
    "quotas_never_negative": row("quotas", left_units="{5,-1}"),
    "quotas_size": row("quotas", left_units="{" + "1," * 16 + "1}"),
    "quotas_size/empty": row("quotas", left_units="{}"),
    "quotas_never_negative/null": row("quotas", left_units="{1,NULL}"),
    "outbox_pkey": twice("outbox"),
    "outbox_topic_check": row("outbox", topic=""),
    "outbox_cursors_pkey": twice("outbox_cursors"),
    "outbox_cursors_consumer_check": row("outbox_cursors", consumer="no consumer"),
    "outbox_cursors_last_fact_check": row("outbox_cursors", last_fact=-1),
    "ledger_tail_pkey": "INSERT INTO ledger_tail SELECT * FROM ledger_tail",
    "ledger_tail_one_check": "UPDATE ledger_tail SET one = false",
    "ledger_tail_epoch_check": "UPDATE ledger_tail SET epoch = -1",
    "ledger_tail_last_posting_check": "UPDATE ledger_tail SET last_posting = -1",
    "ledger_tail_last_move_check": "UPDATE ledger_tail SET last_move = -1",
    "ledger_tail_last_fact_check": "UPDATE ledger_tail SET last_fact = -1",
    "writer_lease_pkey": "INSERT INTO writer_lease SELECT * FROM writer_lease",
    "writer_lease_one_check": "UPDATE writer_lease SET one = false",
    "daily_sums_pkey": twice("daily_sums"),
    "daily_sums_units_check": row("daily_sums", units=0),
    "daily_sums_units_check/nan": row("daily_sums", units="NaN"),
    "daily_sums_moves_check": row("daily_sums", moves=0),
    "day_runs_pkey": twice("day_runs"),
    "day_runs_job_check": row("day_runs", job="no job"),
    "day_runs_item_check": row("day_runs", item="x" * 121),
    "day_runs_after_the_day": row("day_runs", ran_on="2026-01-01"),
    "grants_pkey": twice("grants"),
    "grants_member_check": row("grants", member=999),
    "grants_kind_check": row("grants", kind="no kind"),
    "grants_reference_check": row("grants", reference=-1),
    "grants_total_check": row("grants", total=0, daily=0),
    "grants_daily_check": row("grants", daily=-1),
    "grants_status_check": row("grants", status="lost"),
    "grants_target": row("grants", target=OTHER),
    "grants_source": row("grants", source=OTHER),
    "grants_source/chain": row("grants", source=CHAIN),
    "grants_one_asset": row("grants", target=purse.available(1000, KLS)),
    "grants_one_asset/itself": row("grants", source=MEMBER),
    "grants_days": row("grants", opened_day="2026-01-02"),
    "grants_days/last": row("grants", last_day="2025-12-31"),
    "grants_days/released": row("grants", released_day="2025-12-30"),
    "grants_daily": row("grants", daily=12),
    "grants_never_too_much": row("grants", released=101),
    "grants_never_too_much/negative": row("grants", released=-1),
    "grants_released": row("grants", released=10),
    "grants_released/end": row("grants", released_day="2026-01-10", status="ended", released=99),
    "grants_end": row("grants", released_day="2026-01-10", released=100),
    "grants_end/early": row("grants", status="ended"),
    "payables_pkey": twice("payables"),
    "payables_place_check": row("payables", place=1000),
    "payables_account_check": row("payables", account=OTHER),
    "payables_check": row("payables", target=FEES, member=2),
    "payables_kind_check": row("payables", kind="no kind"),
    "payables_reference_check": row("payables", reference=-1),
    "payables_units_check": row("payables", units=0, left_units=0, settled_at=1),
    "payables_paid_from_check": row("payables", paid_from="nowhere"),
    "payables_target": row("payables", member=1001),
    "payables_one_asset": row("payables", asset=99),
    "payables_left": row("payables", left_units=11),
    "payables_settled": row("payables", left_units=0),
    "payables_settled/early": row("payables", settled_at=1),
    "ledger_audit_pkey": twice("ledger_audit"),
    "ledger_audit_one_check": row("ledger_audit", one=False),
    "ledger_flags_pkey": twice("ledger_flags"),
    "ledger_flags_name_check": row("ledger_flags", name="other"),
    "ledger_flags_reason_check": row("ledger_flags", reason=""),
    "ledger_flag_changes_pkey": twice("ledger_flag_changes"),
    "ledger_flag_changes_reason_check": row("ledger_flag_changes", reason=""),
    "ledger_flag_changes_made_by_check": row("ledger_flag_changes", made_by=""),
    "ledger_sums_pkey": twice("ledger_sums"),
    "ledger_sums_version_check": row("ledger_sums", version=0),
    "ledger_sums_pairs": row("ledger_sums", units="{1,2}"),
    "ledger_watch_pkey": twice("ledger_watch"),
    "ledger_watch_one_check": row("ledger_watch", one=False),
    "ledger_watch_posting_check": row("ledger_watch", posting=-1),
    "ledger_watch_behind_check": row("ledger_watch", behind=-1),
    "ledger_watch_check": row("ledger_watch", rolled_move=10),
    "ledger_watch_facts": row("ledger_watch", rolled_fact=10),
    "ledger_watch_blocks_pkey": twice("ledger_watch_blocks"),
    "ledger_watch_days_pkey": twice("ledger_watch_days"),
    "ledger_watch_days_lane_check": row("ledger_watch_days", lane="other"),
}
TABLES: Final = {*ROWS, "ledger_tail", "writer_lease"}


def role_of(table: str, constraint: str = "") -> str:
    """Who may write that: the owner of the schema only where no role does."""
    if constraint in OF_THE_OWNER:
        return ""
    return "kalos_app" if table in OF_THE_APP else "kalos_writer"


async def written(url: str, role: str, statements: str) -> None:
    """Execute them as that role; nothing stays."""
    db = await asyncpg.connect(role_url(url, role, SECRET) if role else url)
    transaction = db.transaction()
    await transaction.start()
    try:
        await db.execute(statements)
    finally:
        await transaction.rollback()
        await db.close()


@pytest.mark.parametrize("table", ROWS)
async def test_the_row_that_the_cases_change_is_a_good_one(database_url: str, table: str) -> None:
    await written(database_url, role_of(table), row(table))


@pytest.mark.parametrize("case", CASES)
async def test_the_database_itself_refuses(database_url: str, case: str) -> None:
    constraint = case.partition("/")[0]
    table = max((table for table in TABLES if constraint.startswith(table)), key=len)
    with pytest.raises(asyncpg.IntegrityConstraintViolationError) as refusal:
        await written(database_url, role_of(table, constraint), CASES[case])
    assert (refusal.value.table_name, refusal.value.constraint_name) == (table, constraint)


def tables_of(file: Path) -> list[str]:
    """The tables that a file of cases has a row of."""
    said = (node for node in ast.parse(file.read_text()).body if isinstance(node, ast.AnnAssign))
    rows = next(node.value for node in said if ast.unparse(node.target) == "ROWS")
    assert isinstance(rows, ast.Dict)
    return [ast.literal_eval(key) for key in rows.keys if key is not None]


async def test_each_table_has_its_cases_in_one_room(owner: asyncpg.Connection) -> None:
    found = await owner.fetch("SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public'")
    shown = sorted([*TABLES, *(table for file in OTHER_ROOMS for table in tables_of(file))])
    assert shown == sorted(one["name"] for one in found)


async def test_each_constraint_of_the_ledger_has_its_case(owner: asyncpg.Connection) -> None:
    found = await owner.fetch(
        "SELECT conname::text AS name FROM pg_constraint WHERE conrelid::regclass::text = ANY($1) AND contype <> 'n'",
        list(TABLES),
    )
    assert {one["name"] for one in found} == {case.partition("/")[0] for case in CASES}
