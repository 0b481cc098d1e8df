"""A living session that is deleted is told of, whoever deletes it: processes keep sessions at hand for as long as they
hear every ending."""

from alembic import op

revision = "0013_endings"
down_revision = "0012_content"
branch_labels = None
depends_on = None

STATEMENTS = (
    """
    CREATE FUNCTION tell_ended_session() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM pg_notify('kalos_sessions', encode(OLD.token_hash, 'hex'));
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER sessions_ended AFTER DELETE ON sessions FOR EACH ROW
    WHEN (OLD.until_at > extract(epoch FROM clock_timestamp()) * 1000) EXECUTE FUNCTION tell_ended_session()
    """,
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("sessions that end untold would be taken for living: restore a backup")
