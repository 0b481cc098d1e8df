"""Tickets in the console: since when the house is waited for, and who answered."""

from alembic import op

revision = "0033_ticket_answers"
down_revision = "0032_console"
branch_labels = None
depends_on = None

STATEMENTS = (
    # Of an open ticket, its first message that has no answer: whoever writes once more goes on waiting since then.
    "ALTER TABLE tickets ADD COLUMN asked_at bigint",
    """
    UPDATE tickets SET asked_at = least(touched_at, greatest(created_at, coalesce((
        SELECT min(asked.at) FROM ticket_messages asked WHERE asked.ticket = tickets.id AND asked.id > coalesce((
            SELECT max(said.id) FROM ticket_messages said WHERE said.ticket = tickets.id AND said.by_house
        ), 0)
    ), created_at)))
    """,
    """
    ALTER TABLE tickets
        ALTER COLUMN asked_at SET NOT NULL,
        ADD CONSTRAINT tickets_asked CHECK (asked_at BETWEEN created_at AND touched_at)
    """,
    "GRANT UPDATE (asked_at) ON tickets TO kalos_app",
    # Null: by a command on the machine.
    """
    ALTER TABLE ticket_messages
        ADD COLUMN staff bigint REFERENCES staff,
        ADD CONSTRAINT ticket_messages_staff CHECK (staff IS NULL OR by_house)
    """,
    "DROP INDEX tickets_waiting",
    "CREATE INDEX tickets_waiting ON tickets (asked_at, id) WHERE state = 'open'",
    "CREATE INDEX tickets_by_state ON tickets (state, last_message)",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
