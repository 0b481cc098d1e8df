"""Tables themselves tell whose standing has changed, whoever changes it: processes keep standings at hand for as long as
they hear every change."""

from alembic import op

revision = "0063_standing_told"
down_revision = "0062_another_reviewer"
branch_labels = None
depends_on = None

STATEMENTS = (
    # Its argument is the column that has the member.
    """
    CREATE FUNCTION tell_standing() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM pg_notify('kalos_protection', coalesce(to_jsonb(NEW), to_jsonb(OLD)) ->> TG_ARGV[0]);
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER members_standing AFTER UPDATE OF country, birth_date, terms_version, is_staff ON members
    FOR EACH ROW EXECUTE FUNCTION tell_standing('id')
    """,
    *(
        f"""
        CREATE TRIGGER {table}_standing AFTER INSERT OR UPDATE OR DELETE ON {table}
        FOR EACH ROW EXECUTE FUNCTION tell_standing('member')
        """
        for table in ("notices_accepted", "player_breaks", "player_limits")
    ),
    # An empty text is everybody's.
    """
    CREATE FUNCTION tell_order() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM pg_notify('kalos_protection', '');
        RETURN NULL;
    END $$
    """,
    *(
        f"CREATE TRIGGER {table}_told AFTER INSERT OR UPDATE OR DELETE ON {table} EXECUTE FUNCTION tell_order()"
        for table in ("switches", "number_orders")
    ),
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("standings that change untold would be taken for what they were: restore a backup")
