"""Withdrawals that the signer gives back for people to look at, rounds of reviews, and what it sees for that."""

from alembic import op

revision = "0035_returns"
down_revision = "0034_payments_seen"
branch_labels = None
depends_on = None

STATEMENTS = (
    # The signer's word that it doesn't sign a withdrawal as it stood at this revision: by its own role alone.
    """
    CREATE TABLE broadcast_returns (
        withdrawal bigint NOT NULL REFERENCES withdrawals,
        revision integer NOT NULL CHECK (revision >= 1),
        reason text NOT NULL CHECK (reason IN ('account_frozen', 'security_hold', 'house_address')),
        until_at bigint,
        at bigint NOT NULL,
        PRIMARY KEY (withdrawal, revision),
        CONSTRAINT broadcast_returns_until CHECK ((reason = 'security_hold') = (until_at IS NOT NULL))
    )
    """,
    "GRANT SELECT, INSERT ON broadcast_returns TO kalos_signer",
    "GRANT SELECT ON broadcast_returns TO kalos_app, kalos_writer",
    # How often it came back. Each time people begin anew: what they said before counts no longer.
    "ALTER TABLE withdrawals ADD COLUMN returned smallint NOT NULL DEFAULT 0 CHECK (returned >= 0)",
    "ALTER TABLE withdrawal_reviews ADD COLUMN round smallint NOT NULL DEFAULT 0 CHECK (round >= 0)",
    "ALTER TABLE withdrawal_reviews DROP CONSTRAINT withdrawal_reviews_pkey",
    "ALTER TABLE withdrawal_reviews ADD PRIMARY KEY (withdrawal, round, staff)",
    "GRANT UPDATE (needed, risks, returned) ON withdrawals TO kalos_writer",
    # Back to people it goes by the signer's word alone, while no payment of it is known; then somebody must say yes.
    """
    CREATE OR REPLACE FUNCTION withdrawals_go_on() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF OLD.status = 'on_chain_processing' AND NEW.status = 'pending_review' AND NEW.revision = OLD.revision + 1
            AND NEW.returned = OLD.returned + 1 AND NEW.needed = greatest(OLD.needed, 1)
            AND EXISTS (SELECT FROM broadcast_returns r WHERE r.withdrawal = OLD.id AND r.revision = OLD.revision)
            AND NOT EXISTS (SELECT FROM signer_nonces n WHERE n.withdrawal = OLD.id)
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
        OR (OLD.status = 'pending_review' AND NEW.status NOT IN ('pending_review', 'on_chain_processing', 'refused'))
        OR (NEW.needed, NEW.risks, NEW.returned) IS DISTINCT FROM (OLD.needed, OLD.risks, OLD.returned)
    )
    EXECUTE FUNCTION withdrawals_go_on()
    """,
    # Of members the signer sees who is frozen and until when withdrawals are on hold, which is business time.
    "GRANT SELECT (id, frozen_at) ON members TO kalos_signer",
    "GRANT SELECT (member, held_until) ON security_events TO kalos_signer",
    "GRANT SELECT ON clock TO kalos_signer",
    # What was found on the chain counts in the sums of an hour and a day.
    "DROP INDEX signer_nonces_taken",
    "CREATE INDEX signer_nonces_taken ON signer_nonces (taken_at) WHERE purpose IN ('withdrawal', 'found')",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("what came back is looked at: restore a backup")
