"""Who may write which table, tried table by table: only the writer's role writes the ledger, nobody its history."""

from collections.abc import AsyncIterator
from typing import Final, NamedTuple
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest

from kalos.app.migrate import ROLES, SIGNER_ROLE, role_url
from kalos.ledger.writer import Writer
from support.clusters import SECRET
from support.ledger import funded

STRANGER: Final = "test_stranger"
ALL: Final = "every column"


class May(NamedTuple):
    """What a role may do to a table besides reading: `update` names the columns."""

    insert: bool = False
    update: str = ""
    delete: bool = False


NOTHING: Final = May()
MADE: Final = May(insert=True)
WRITTEN: Final = May(insert=True, update=ALL, delete=True)
PASSING: Final = May(insert=True, delete=True)

APP: Final[dict[str, May]] = {
    "auth_tokens": WRITTEN,
    "authenticators": WRITTEN,
    "bulletin_texts": PASSING,
    "bulletins": May(insert=True, update=ALL),
    "captchas": WRITTEN,
    "chain_pulse": May(update=ALL),
    "clock": May(update=ALL),
    "commands": May(insert=True, update="checker checker_signature decided_at outcome refused_by state"),
    "demo_mails": MADE,
    "devices": WRITTEN,
    "deposit_addresses": MADE,
    "deposit_blocks": PASSING,
    "deposit_cursors": May(insert=True, update=ALL),
    "domain_outbox": WRITTEN,
    "email_codes": WRITTEN,
    "freeze_tokens": PASSING,
    "game_returns": May(insert=True, update=ALL),
    "installation": MADE,
    "ledger_audit": May(insert=True, update=ALL),
    "job_runs": May(insert=True, update=ALL),
    "ledger_flag_changes": MADE,
    "ledger_flags": WRITTEN,
    "ledger_sums": WRITTEN,
    "ledger_watch": May(insert=True, update=ALL),
    "ledger_watch_blocks": WRITTEN,
    "ledger_watch_days": WRITTEN,
    "limits": WRITTEN,
    "login_wallets": May(insert=True, update="removed_at"),
    "members": May(insert=True, update=ALL),
    "notices_accepted": MADE,
    "number_orders": MADE,
    "operator_audit": MADE,
    "out_passwords": WRITTEN,
    "outbox_cursors": May(insert=True, update=ALL),
    "player_breaks": May(insert=True, update="from_at until_at", delete=True),
    "player_limits": WRITTEN,
    "reserve_addresses": WRITTEN,
    "reserve_checks": WRITTEN,
    "reserve_state": May(update=ALL),
    "reserves": WRITTEN,
    "security_events": MADE,
    "price_orders": MADE,
    "recovery_codes": PASSING,
    "sessions": WRITTEN,
    "signer_alarms": MADE,
    "slide_proofs": PASSING,
    "slides": PASSING,
    "staff": May(update="last_step password_hash public_key totp_secret"),
    "staff_devices": WRITTEN,
    "staff_refusals": WRITTEN,
    "staff_requests": MADE,
    "staff_secrets": WRITTEN,
    "staff_sessions": May(insert=True, update="idle_until", delete=True),
    "stray_passes": May(insert=True, update=ALL),
    "strays": May(insert=True, update="decided_at payment reason staff state", delete=True),
    "switches": MADE,
    "teams": May(insert=True, update=ALL),
    "teams_cursor": May(update=ALL),
    "ticket_messages": PASSING,
    "tickets": May(insert=True, update="asked_at lang last_message read_message state touched_at", delete=True),
    "tries": WRITTEN,
    "turnover_days": WRITTEN,
    "turnover_prices": May(insert=True, update="last_move"),
    "uploads": WRITTEN,
    "wallet_nonces": PASSING,
    "withdrawal_addresses": May(insert=True, update="is_listed label removal_hash removal_id removed_at"),
    "withdrawal_proofs": PASSING,
    "wire_keys": PASSING,
    "wire_nonces": PASSING,
    "wire_ticket_keys": PASSING,
}
WRITER: Final[dict[str, May]] = {
    "accounts": May(insert=True, update="balance open padding version"),
    "bets": May(insert=True, update="prize_units status tie"),
    "corrections": MADE,
    "daily_sums": May(insert=True, update=ALL),
    "day_runs": MADE,
    "deposit_decisions": MADE,
    "deposits": May(
        insert=True,
        update="asset block block_hash changed_at credited_at owner reason recipient revision sender status units",
    ),
    "grants": May(insert=True, update="released released_day status"),
    "heights": May(
        insert=True,
        update="block_hash block_parent block_time digit draws final_at rounds sealed_at settled_at state void_reason",
    ),
    "height_limits": MADE,
    "holds": May(insert=True, update="left_units state"),
    "journal": MADE,
    "keys": MADE,
    "kinds": MADE,
    "ledger_tail": May(update=ALL),
    "outbox": MADE,
    "payables": May(insert=True, update="left_units settled_at"),
    "player_steps": May(insert=True, update="step"),
    "quotas": May(insert=True, update="left_units padding state version"),
    "rounds": May(insert=True, update="bet_count merkle_root pieces"),
    "withdrawal_reviews": MADE,
    "withdrawals": May(
        insert=True, update="changed_at decided_at needed reason returned revision risks status transaction"
    ),
    "writer_lease": May(update=ALL),
}
OWNERS: Final = {"alembic_version", "staff_keys"}
"""Tables that the schema's owner alone writes."""
SIGNER: Final[dict[str, May]] = {
    "broadcast_ends": MADE,
    "broadcast_returns": MADE,
    "broadcasts": May(insert=True, update="sent_at"),
    "signer_nonces": May(insert=True, update="ended_at outcome seen_block seen_hash transaction"),
    "signer_state": May(
        update="at beat_at by gas_low head hot limits limits_order limits_refused looked_at native_units paused reason"
        " waiting"
    ),
    "sweep_news": May(delete=True),
    "sweep_sums": May(insert=True, update=ALL),
}


@pytest.fixture(scope="module")
async def logins(database_url: str, owner: asyncpg.Connection) -> AsyncIterator[dict[str, asyncpg.Connection]]:
    """A connection for each role, and one for a login that was given nothing."""
    await owner.execute(f"DROP ROLE IF EXISTS {STRANGER}; CREATE ROLE {STRANGER} LOGIN PASSWORD 'nothing'")
    parts = urlsplit(database_url)
    stranger = urlunsplit(parts._replace(netloc=f"{STRANGER}:nothing@{parts.netloc.rpartition('@')[2]}"))
    urls = {role: role_url(database_url, role, SECRET) for role in ROLES} | {STRANGER: stranger}
    opened = {role: await asyncpg.connect(url) for role, url in urls.items()}
    opened[SIGNER_ROLE] = await asyncpg.connect(database_url)
    await opened[SIGNER_ROLE].execute(f"SET ROLE {SIGNER_ROLE}")  # its password is no matter of the schema
    yield opened
    for connection in opened.values():
        await connection.close()
    await owner.execute(f"DROP ROLE {STRANGER}")


async def columns_of(owner: asyncpg.Connection) -> dict[str, set[str]]:
    """Every table of the house with its columns; what tests made themselves is not the house's."""
    rows = await owner.fetch(
        """
        SELECT table_name, array_agg(column_name::text) AS columns FROM information_schema.columns
        JOIN information_schema.tables USING (table_schema, table_name)
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name NOT LIKE 'test\\_%' GROUP BY 1
        """
    )
    return {row["table_name"]: set(row["columns"]) for row in rows}


async def is_refused(db: asyncpg.Connection, statement: str) -> bool:
    """Whether the role has no right to it. Whatever else is wrong with it, nothing of it stays."""
    change = db.transaction()
    await change.start()
    try:
        await db.execute(statement)
    except asyncpg.InsufficientPrivilegeError:
        return True
    except asyncpg.PostgresError:
        return False
    else:
        return False
    finally:
        await change.rollback()


async def rights(db: asyncpg.Connection, table: str, columns: set[str]) -> tuple[May, bool]:
    """What the role of this connection can really do to a table, and whether it can empty it."""
    updates = {one for one in columns if not await is_refused(db, f'UPDATE {table} SET "{one}" = DEFAULT WHERE false')}
    found = May(
        insert=not await is_refused(db, f"INSERT INTO {table} DEFAULT VALUES"),
        update=ALL if updates == columns else " ".join(sorted(updates)),
        delete=not await is_refused(db, f"DELETE FROM {table} WHERE false"),
    )
    return found, not await is_refused(db, f"TRUNCATE {table}")


async def test_each_table_is_written_by_the_roles_that_own_it_and_no_other(
    owner: asyncpg.Connection, logins: dict[str, asyncpg.Connection]
) -> None:
    tables = await columns_of(owner)
    assert tables.keys() == APP.keys() | WRITER.keys() | SIGNER.keys() | OWNERS
    assert len(tables) == len(APP) + len(WRITER) + len(SIGNER) + len(OWNERS)
    allowed = {"kalos_app": APP, "kalos_writer": WRITER, SIGNER_ROLE: SIGNER, STRANGER: {}}
    found = {
        role: {table: await rights(logins[role], table, columns) for table, columns in tables.items()}
        for role in logins
    }
    expected = {role: {table: (allowed[role].get(table, NOTHING), False) for table in tables} for role in logins}
    assert found == expected


async def test_the_app_reads_everything_and_a_stranger_nothing(
    owner: asyncpg.Connection, logins: dict[str, asyncpg.Connection]
) -> None:
    for table in await columns_of(owner):
        assert not await is_refused(logins["kalos_app"], f"SELECT FROM {table}")
        assert await is_refused(logins[STRANGER], f"SELECT FROM {table}"), table


async def test_the_signer_reads_what_it_checks_and_nothing_else(
    owner: asyncpg.Connection, logins: dict[str, asyncpg.Connection]
) -> None:
    read = [
        table for table in await columns_of(owner) if not await is_refused(logins[SIGNER_ROLE], f"SELECT FROM {table}")
    ]
    checked = {"clock", "deposit_addresses", "holds", "kinds", "ledger_flags", "members", "security_events"}
    asked = {"commands", "withdrawal_addresses", "withdrawal_reviews", "withdrawals"}
    assert set(read) == SIGNER.keys() | checked | asked | {"alembic_version"}
    assert await is_refused(logins[SIGNER_ROLE], "SELECT body FROM commands"), "text and signatures are enough"


@pytest.mark.parametrize("role", ROLES)
async def test_a_role_has_no_way_around_its_grants(logins: dict[str, asyncpg.Connection], role: str) -> None:
    db = logins[role]
    mighty = await db.fetchval(
        """
        SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls OR rolreplication
            OR EXISTS (SELECT FROM pg_auth_members WHERE member = pg_roles.oid)
        FROM pg_roles WHERE rolname = current_user
        """
    )
    assert mighty is False
    for statement in (
        "CREATE TABLE public.own (id int)",
        "ALTER TABLE journal DISABLE TRIGGER journal_is_final",
        "SET session_replication_role = replica",
        "DROP TABLE journal",
        "ALTER ROLE kalos_app SUPERUSER",
        "SET ROLE kalos_writer" if role == "kalos_app" else "SET ROLE kalos_app",
        "SELECT setval('domain_outbox_id_seq', 1)",
    ):
        assert await is_refused(db, statement), statement
    await db.execute("GRANT UPDATE ON journal TO PUBLIC")  # only a warning: who can't grant, grants nothing
    assert await is_refused(db, "UPDATE journal SET amount = 1")


@pytest.mark.parametrize(
    ("call", "may"), [("ledger_guard(true, true, true)", "kalos_writer"), ("prune_outbox(0)", "kalos_app")]
)
async def test_a_function_is_called_by_the_role_that_needs_it(
    logins: dict[str, asyncpg.Connection], call: str, may: str
) -> None:
    refused = {role: await is_refused(db, f"SELECT {call}") for role, db in logins.items()}
    assert refused == {role: role != may for role in logins}


async def test_six_functions_run_with_the_rights_of_their_owner(owner: asyncpg.Connection) -> None:
    found = await owner.fetch("SELECT proname FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace")
    assert {row["proname"] for row in found} == {
        "prune_outbox",
        "deposits_credit_the_open",
        "corrections_reach_the_open",
        "withdrawals_are_allowed",
        "deposits_tell_the_signer",
        "keep_staff_key",
    }


async def test_a_rider_table_is_closed_to_the_app(logins: dict[str, asyncpg.Connection], rows: str) -> None:
    assert await is_refused(logins["kalos_app"], f"INSERT INTO {rows} (id) VALUES (1)")
    assert not await is_refused(logins["kalos_writer"], f"INSERT INTO {rows} (id) VALUES (1)")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE journal SET amount = 1",
        "DELETE FROM journal",
        "TRUNCATE journal",
        "INSERT INTO journal SELECT * FROM journal ON CONFLICT (id) DO UPDATE SET amount = 1",
        "MERGE INTO journal USING accounts a ON journal.from_id = a.id WHEN MATCHED THEN DELETE",
    ],
)
async def test_not_even_the_owner_changes_the_journal(
    owner: asyncpg.Connection, writer: Writer, statement: str
) -> None:
    await funded(writer, 5)
    with pytest.raises(asyncpg.RaiseError, match="never changed"):
        await owner.execute(statement)
