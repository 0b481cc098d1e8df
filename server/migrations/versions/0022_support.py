"""Customer service: tickets and what is written in them."""

from alembic import op

revision = "0022_support"
down_revision = "0021_teams"
branch_labels = None
depends_on = None

STATEMENTS = (
    # `last_message` is set by the commit that makes the ticket, before anybody sees it.
    """
    CREATE TABLE tickets (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        member bigint NOT NULL REFERENCES members,
        subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 80),
        state text NOT NULL CHECK (state IN ('open', 'answered', 'closed')),
        last_message bigint NOT NULL DEFAULT 0 CHECK (last_message >= 0),
        read_message bigint NOT NULL DEFAULT 0 CHECK (read_message BETWEEN 0 AND last_message),
        created_at bigint NOT NULL CHECK (created_at >= 0),
        touched_at bigint NOT NULL CHECK (touched_at >= created_at)
    )
    """,
    "CREATE INDEX tickets_of_member ON tickets (member, last_message)",
    "CREATE INDEX tickets_waiting ON tickets (touched_at) WHERE state = 'open'",
    "CREATE INDEX tickets_touched ON tickets (touched_at)",
    """
    CREATE TABLE ticket_messages (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        ticket bigint NOT NULL REFERENCES tickets ON DELETE CASCADE,
        by_house boolean NOT NULL,
        text text NOT NULL CHECK (length(text) BETWEEN 1 AND 2000),
        pictures text[] NOT NULL CHECK (cardinality(pictures) <= 4),
        at bigint NOT NULL CHECK (at >= 0)
    )
    """,
    "CREATE INDEX ticket_messages_of_ticket ON ticket_messages (ticket, id)",
    """
    CREATE FUNCTION ticket_messages_stay() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'what was written stays as it is';
    END $$
    """,
    """
    CREATE TRIGGER ticket_messages_stay BEFORE UPDATE ON ticket_messages
    FOR EACH ROW EXECUTE FUNCTION ticket_messages_stay()
    """,
    "GRANT INSERT, DELETE ON tickets TO kalos_app",
    "GRANT UPDATE (state, last_message, read_message, touched_at) ON tickets TO kalos_app",
    "GRANT INSERT, DELETE ON ticket_messages TO kalos_app",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
