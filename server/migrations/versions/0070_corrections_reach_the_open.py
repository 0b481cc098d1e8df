"""A correction to a member's account and the closing of that account can't pass each other."""

from alembic import op

revision = "0070_corrections_reach_the_open"
down_revision = "0069_padding"
branch_labels = None
depends_on = None

STATEMENTS = (
    # As a credit (0024): it holds the member's row until it is committed, so that the close sees its money. It never waits.
    """
    CREATE FUNCTION corrections_reach_the_open() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    BEGIN
        PERFORM FROM members WHERE id = NEW.target >> 16 AND closed_at IS NULL FOR SHARE SKIP LOCKED;
        IF NOT FOUND THEN
            RAISE EXCEPTION USING ERRCODE = 'KL003', MESSAGE = 'a correction to an account that is closed or closing',
                TABLE = 'corrections';
        END IF;
        RETURN NEW;
    END $$
    """,
    "REVOKE EXECUTE ON FUNCTION corrections_reach_the_open() FROM PUBLIC",
    # Owners under 1000 are the house and the outside.
    """
    CREATE TRIGGER corrections_reach_the_open BEFORE INSERT ON corrections FOR EACH ROW
    WHEN (NEW.outcome = 'moved' AND NEW.target >> 16 >= 1000) EXECUTE FUNCTION corrections_reach_the_open()
    """,
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    op.execute("DROP TRIGGER corrections_reach_the_open ON corrections")
    op.execute("DROP FUNCTION corrections_reach_the_open()")
