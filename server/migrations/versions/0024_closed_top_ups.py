"""Top-ups at a closed account's address: kept in suspense under a reason of their own, never credited."""

from alembic import op

revision = "0024_closed_top_ups"
down_revision = "0023_numbers"
branch_labels = None
depends_on = None

STATEMENTS = (
    "ALTER TABLE deposits DROP CONSTRAINT deposits_reason_check",
    """
    ALTER TABLE deposits ADD CONSTRAINT deposits_reason_check CHECK (reason IN (
        'below_minimum', 'closed_account', 'other_asset', 'house', 'repeated', 'orphaned', 'reverted'
    ))
    """,
    # All that stands in suspense: the running audit sums it up at each step.
    "DROP INDEX deposits_waiting",
    """
    CREATE INDEX deposits_suspense ON deposits (owner, asset, units)
    WHERE status = 'pending_review' AND reason IN ('below_minimum', 'closed_account')
    """,
    # A credit and a close of the same account can't pass each other: the credit holds the member's row until it is
    # committed, so that the close sees its money; where the row isn't open or somebody else holds it, the deposit
    # stays as it was, and the writer answers StateChanged. It never waits here: a waiting writer stops all members.
    """
    CREATE FUNCTION deposits_credit_the_open() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    BEGIN
        PERFORM FROM members WHERE id = NEW.owner AND closed_at IS NULL FOR SHARE SKIP LOCKED;
        IF FOUND THEN
            RETURN NEW;
        END IF;
        RETURN NULL;
    END $$
    """,
    "REVOKE EXECUTE ON FUNCTION deposits_credit_the_open() FROM PUBLIC",
    # Owner 2 is the house: a treasurer's posting places its top-ups.
    """
    CREATE TRIGGER deposits_credit_the_open BEFORE UPDATE ON deposits
    FOR EACH ROW WHEN (NEW.status = 'approved' AND NEW.owner <> 2) EXECUTE FUNCTION deposits_credit_the_open()
    """,
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("deposits are not taken down: restore a backup")
