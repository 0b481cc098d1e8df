"""A withdrawal goes on its way with as many people's yes as it needs: the table itself counts them."""

from alembic import op

revision = "0049_reviewed_by_as_many"
down_revision = "0048_valued_at"
branch_labels = None
depends_on = None

STATEMENTS = (
    # After the statement, for the last yes comes in the same one. Of this round alone; nobody stands twice in it, by
    # the key of the reviews.
    """
    CREATE FUNCTION withdrawals_are_reviewed() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
    BEGIN
        IF (SELECT count(DISTINCT r.staff) FROM withdrawal_reviews r WHERE r.withdrawal = NEW.id
            AND r.round = NEW.returned AND r.verdict = 'yes') < NEW.needed
        THEN
            RAISE EXCEPTION USING ERRCODE = 'KL003', MESSAGE = 'a withdrawal that too few have reviewed',
                TABLE = 'withdrawals';
        END IF;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER withdrawals_are_reviewed_first AFTER INSERT ON withdrawals FOR EACH ROW
    WHEN (NEW.status = 'on_chain_processing' AND NEW.needed > 0) EXECUTE FUNCTION withdrawals_are_reviewed()
    """,
    """
    CREATE TRIGGER withdrawals_are_reviewed AFTER UPDATE ON withdrawals FOR EACH ROW
    WHEN (NEW.status = 'on_chain_processing' AND OLD.status <> 'on_chain_processing')
    EXECUTE FUNCTION withdrawals_are_reviewed()
    """,
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("withdrawals are not taken down: restore a backup")
