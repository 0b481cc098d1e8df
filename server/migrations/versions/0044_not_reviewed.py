"""Withdrawals that lack reviewers' signatures by the signer's own count go back to people, as many as it needs."""

from alembic import op

revision = "0044_not_reviewed"
down_revision = "0043_ledger_sums"
branch_labels = None
depends_on = None

STATEMENTS = (
    "ALTER TABLE broadcast_returns DROP CONSTRAINT broadcast_returns_reason_check",
    """
    ALTER TABLE broadcast_returns ADD CONSTRAINT broadcast_returns_reason_check
        CHECK (reason IN ('account_frozen', 'security_hold', 'house_address', 'not_reviewed')),
        ADD needed smallint CHECK (needed BETWEEN 1 AND 2),
        ADD CONSTRAINT broadcast_returns_needed CHECK ((reason = 'not_reviewed') = (needed IS NOT NULL))
    """,
    # As before, but so many must say yes as the signer says where that is why: never fewer than before, and one at least.
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
        RAISE EXCEPTION USING ERRCODE = 'KL003', MESSAGE = 'a withdrawal goes no such way', TABLE = 'withdrawals';
    END $$
    """,
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("what came back is looked at: restore a backup")
