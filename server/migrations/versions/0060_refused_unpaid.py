"""After a restore people look again at what was to be paid, and a no gives nothing back that the chain may have paid."""

from alembic import op

revision = "0060_refused_unpaid"
down_revision = "0059_unlogged"
branch_labels = None
depends_on = None

STATEMENTS = (
    "ALTER TABLE broadcast_returns DROP CONSTRAINT broadcast_returns_reason_check",
    """
    ALTER TABLE broadcast_returns ADD CONSTRAINT broadcast_returns_reason_check CHECK (
        reason IN ('account_frozen', 'security_hold', 'house_address', 'not_reviewed', 'address_removed', 'restored'))
    """,
    # As before, and of a no one look at both: a resume writes down what it finds first, and then lets the signer go on.
    """
    CREATE OR REPLACE FUNCTION withdrawals_go_on() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF OLD.status = 'on_chain_processing' AND NEW.status = 'pending_review' AND NEW.revision = OLD.revision + 1
            AND NEW.returned = OLD.returned + 1
            AND EXISTS (SELECT FROM broadcast_returns r WHERE r.withdrawal = OLD.id AND r.revision = OLD.revision
                AND NEW.needed = greatest(OLD.needed, 1, r.needed))
            AND NOT EXISTS (SELECT FROM signer_nonces n WHERE n.withdrawal = OLD.id)
        THEN
            RETURN NEW;
        END IF;
        IF OLD.status = 'pending_review' AND NEW.status = 'refused' AND NEW.revision = OLD.revision + 1
            AND (NEW.needed, NEW.risks, NEW.returned) IS NOT DISTINCT FROM (OLD.needed, OLD.risks, OLD.returned)
            AND NOT EXISTS (SELECT FROM signer_state s
                WHERE s.paused AND (s.by = 'restore' OR s.reason LIKE 'unknown_payment:%')
                UNION ALL SELECT FROM signer_nonces n WHERE n.withdrawal = OLD.id AND n.outcome IS DISTINCT FROM 'failed')
        THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION USING ERRCODE = 'KL003', MESSAGE = 'a withdrawal goes no such way', TABLE = 'withdrawals';
    END $$
    """,
    "DROP TRIGGER withdrawals_go_on ON withdrawals",
    """
    CREATE TRIGGER withdrawals_go_on BEFORE UPDATE ON withdrawals FOR EACH ROW
    WHEN (
        NEW.revision <> OLD.revision + 1 OR OLD.status IN ('approved', 'refused', 'failed')
        OR (OLD.status = 'on_chain_processing' AND NEW.status NOT IN ('approved', 'failed'))
        OR (OLD.status = 'pending_review' AND NEW.status NOT IN ('pending_review', 'on_chain_processing'))
        OR (NEW.needed, NEW.risks, NEW.returned) IS DISTINCT FROM (OLD.needed, OLD.risks, OLD.returned)
    )
    EXECUTE FUNCTION withdrawals_go_on()
    """,
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("what was paid isn't given back: restore a backup")
