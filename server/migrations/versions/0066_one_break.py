"""Of each kind of break a member has one row, whose end only moves on: what a member may add to has a bound."""

from alembic import op

revision = "0066_one_break"
down_revision = "0065_step_locks"
branch_labels = None
depends_on = None

STATEMENTS = (
    # The latest end counts, as it did: nobody's standing changes, so nobody need be told.
    "ALTER TABLE player_breaks DISABLE TRIGGER USER",
    """
    DELETE FROM player_breaks b USING (
        SELECT id, row_number() OVER (PARTITION BY member, kind ORDER BY until_at DESC, id) AS place FROM player_breaks
    ) AS ranked WHERE ranked.id = b.id AND ranked.place > 1
    """,
    "ALTER TABLE player_breaks ENABLE TRIGGER USER",
    "DROP INDEX player_breaks_member",
    "ALTER TABLE player_breaks DROP COLUMN id, ADD PRIMARY KEY (member, kind)",
    """
    CREATE FUNCTION breaks_last() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'nothing shortens a break';
    END $$
    """,
    """
    CREATE TRIGGER player_breaks_last BEFORE UPDATE ON player_breaks FOR EACH ROW
    WHEN (NEW.until_at < OLD.until_at) EXECUTE FUNCTION breaks_last()
    """,
    "GRANT UPDATE (from_at, until_at) ON player_breaks TO kalos_app",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("breaks that are over do not come back")
