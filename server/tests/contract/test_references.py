"""What a row refers to stands: every foreign key of the database is listed here, and PostgreSQL holds each."""

from typing import Final

import asyncpg

REFERENCES: Final[dict[str, set[str]]] = {
    "auth_tokens": {"(session) -> sessions(token_hash) ON DELETE CASCADE"},
    "authenticators": {"(member) -> members(id)"},
    "broadcast_ends": {"(withdrawal) -> withdrawals(id)"},
    "broadcast_returns": {"(withdrawal) -> withdrawals(id)"},
    "broadcasts": {
        "(sender, nonce) -> signer_nonces(sender, nonce)",
        "(sender, nonce, withdrawal) -> signer_nonces(sender, nonce, withdrawal)",
    },
    "bulletin_texts": {"(bulletin) -> bulletins(id)"},
    "bulletins": {"(picture) -> uploads(id)"},
    "commands": {"(checker) -> staff(id)", "(maker) -> staff(id)", "(refused_by) -> staff(id)"},
    "deposit_decisions": {"(deposit) -> deposits(id)"},
    "deposits": {"(recipient) -> deposit_addresses(address)"},
    "devices": {"(member) -> members(id) ON DELETE CASCADE"},
    "freeze_tokens": {"(member) -> members(id)"},
    "height_limits": {"(closes_at) -> heights(closes_at)"},
    "login_wallets": {"(member) -> members(id)"},
    "members": {"(inviter) -> members(id)"},
    "notices_accepted": {"(member) -> members(id)"},
    "operator_audit": {"(staff) -> staff(id)"},
    "out_passwords": {"(member) -> members(id)"},
    "player_breaks": {"(member) -> members(id)"},
    "player_limits": {"(member) -> members(id)"},
    "recovery_codes": {"(member) -> authenticators(member) ON DELETE CASCADE"},
    "rounds": {"(closes_at) -> heights(closes_at)"},
    "security_events": {"(member) -> members(id)"},
    "sessions": {"(member) -> members(id) ON DELETE CASCADE"},
    "signer_nonces": {"(withdrawal) -> withdrawals(id)"},
    "staff": {"(member) -> members(id)"},
    "staff_devices": {"(staff) -> staff(id)"},
    "staff_keys": {"(staff) -> staff(id)"},
    "staff_refusals": {"(staff) -> staff(id)"},
    "staff_secrets": {"(staff) -> staff(id)"},
    "staff_sessions": {"(staff) -> staff(id)"},
    "strays": {"(recipient) -> deposit_addresses(address)", "(staff) -> staff(id)"},
    "teams": {"(member) -> members(id)"},
    "ticket_messages": {"(staff) -> staff(id)", "(ticket) -> tickets(id) ON DELETE CASCADE"},
    "tickets": {"(member) -> members(id)"},
    "turnover_days": {"(member) -> members(id)"},
    "uploads": {"(owner) -> members(id)"},
    "wallet_nonces": {"(member) -> members(id)"},
    "withdrawal_addresses": {"(member) -> members(id)"},
    "withdrawal_proofs": {"(member) -> members(id)"},
    "withdrawal_reviews": {
        "(withdrawal) -> withdrawals(id)",
        "(withdrawal, round, follows) -> withdrawal_reviews(withdrawal, round, staff)",
    },
}
"""Table: its columns and what they name. One more has a line here; one that is gone would be noticed by nobody else."""


async def test_every_reference_is_held_by_the_database(database_url: str) -> None:
    db = await asyncpg.connect(database_url)
    try:
        found = await db.fetch(
            """
            SELECT conrelid::regclass::text AS source, pg_get_constraintdef(oid) AS reference,
                convalidated AND conenforced AND NOT condeferrable AS held
            FROM pg_constraint WHERE contype = 'f'
            """
        )
    finally:
        await db.close()
    assert [row["source"] for row in found if not row["held"]] == []
    references: dict[str, set[str]] = {}
    for row in found:
        columns = row["reference"].removeprefix("FOREIGN KEY ").replace(" REFERENCES", " ->")
        references.setdefault(row["source"], set()).add(columns)
    assert references == REFERENCES


async def test_the_writer_waits_for_nobodys_row(database_url: str) -> None:
    """What it inserts refers to rows that no other role can lock: a key is checked by locking what it names."""
    db = await asyncpg.connect(database_url)
    try:
        found = await db.fetch(
            """
            SELECT conrelid::regclass::text AS source, confrelid::regclass::text AS target, rolname AS role
            FROM pg_constraint, pg_roles
            WHERE contype = 'f' AND rolname LIKE 'kalos\\_%' AND rolname <> 'kalos_writer'
                AND has_any_column_privilege('kalos_writer', conrelid, 'INSERT')
                AND (has_any_column_privilege(rolname, confrelid, 'UPDATE')
                    OR has_table_privilege(rolname, confrelid, 'DELETE'))
            """
        )
    finally:
        await db.close()
    assert [tuple(row) for row in found] == []
