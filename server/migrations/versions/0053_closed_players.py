"""A closed account's limits and breaks are erased; nobody takes them from one that is open."""

from alembic import op

revision = "0053_closed_players"
down_revision = "0052_day_rooms"
branch_labels = None
depends_on = None

STATEMENTS = (
    """
    CREATE FUNCTION players_stay() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (SELECT FROM members m WHERE m.id = OLD.member AND m.closed_at IS NOT NULL) THEN
            RETURN OLD;
        END IF;
        RAISE EXCEPTION 'limits and breaks stay until the account is closed';
    END $$
    """,
    "CREATE TRIGGER player_limits_stay BEFORE DELETE ON player_limits FOR EACH ROW EXECUTE FUNCTION players_stay()",
    "CREATE TRIGGER player_breaks_stay BEFORE DELETE ON player_breaks FOR EACH ROW EXECUTE FUNCTION players_stay()",
    "GRANT DELETE ON player_limits, player_breaks TO kalos_app",
    # Of the accounts that are closed already.
    "DELETE FROM player_limits l USING members m WHERE m.id = l.member AND m.closed_at IS NOT NULL",
    "DELETE FROM player_breaks b USING members m WHERE m.id = b.member AND m.closed_at IS NOT NULL",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("what was erased does not come back")
