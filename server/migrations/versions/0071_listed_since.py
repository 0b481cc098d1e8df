"""An address that is listed while a withdrawal to it waits: the book says so, and people look at it anew."""

from alembic import op

revision = "0071_listed_since"
down_revision = "0070_corrections_reach_the_open"
branch_labels = None
depends_on = None

STATEMENTS = (
    "GRANT UPDATE (is_listed) ON withdrawal_addresses TO kalos_app",
    # Whether people were told that the address which a withdrawal goes to is listed.
    """
    CREATE FUNCTION is_told_listed(risks jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN risks @> '[{"reason": "listed_address", "detail": ""}]' OR risks @> '[{"reason": "listed_since"}]'
    """,
    # Who could take the mark away would have paid unseen what people are to look at.
    """
    CREATE FUNCTION listed_addresses_stay() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION USING ERRCODE = 'check_violation', MESSAGE = 'an address that was listed stays so',
            TABLE = 'withdrawal_addresses', CONSTRAINT = 'listed_addresses_stay';
    END $$
    """,
    """
    CREATE TRIGGER listed_addresses_stay BEFORE UPDATE OF is_listed ON withdrawal_addresses FOR EACH ROW
    WHEN (OLD.is_listed AND NOT NEW.is_listed) EXECUTE FUNCTION listed_addresses_stay()
    """,
    "ALTER TABLE broadcast_returns DROP CONSTRAINT broadcast_returns_reason_check",
    """
    ALTER TABLE broadcast_returns ADD CONSTRAINT broadcast_returns_reason_check CHECK (
        reason IN ('account_frozen', 'security_hold', 'house_address', 'not_reviewed', 'address_removed', 'restored',
            'young_address', 'listed_since'))
    """,
    # As before (0060); and while people look at it, this one reason more may come to the others.
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
        IF OLD.status = 'pending_review' AND NEW.status = 'pending_review' AND NEW.revision = OLD.revision + 1
            AND (NEW.needed, NEW.returned) IS NOT DISTINCT FROM (OLD.needed, OLD.returned)
            AND NEW.risks = OLD.risks || '[{"reason": "listed_since", "detail": ""}]'
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
