"""The names that a member gave to addresses go when the account is closed; until then nobody changes one."""

from alembic import op

revision = "0046_closed_labels"
down_revision = "0045_leaves"
branch_labels = None
depends_on = None

STATEMENTS = (
    """
    CREATE FUNCTION address_labels_stay() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.label = '-' AND EXISTS (SELECT FROM members m WHERE m.id = NEW.member AND m.closed_at IS NOT NULL) THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'an address keeps its name until the account is closed';
    END $$
    """,
    """
    CREATE TRIGGER address_labels_stay BEFORE UPDATE OF label ON withdrawal_addresses
    FOR EACH ROW EXECUTE FUNCTION address_labels_stay()
    """,
    "GRANT UPDATE (label) ON withdrawal_addresses TO kalos_app",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("what was erased is gone: restore a backup")
