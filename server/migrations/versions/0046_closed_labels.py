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
    # Of the accounts that are closed already: the names, the tickets, and the pictures in them, which the next sweep takes.
    "UPDATE withdrawal_addresses a SET label = '-' FROM members m WHERE m.id = a.member AND m.closed_at IS NOT NULL",
    """
    UPDATE uploads u SET state = 'ended', used_at = NULL, used_by = NULL
    FROM ticket_messages s JOIN tickets t ON t.id = s.ticket JOIN members m ON m.id = t.member
    WHERE m.closed_at IS NOT NULL AND u.id = ANY(s.pictures) AND u.used_by = 'ticket message ' || s.id
    """,
    "DELETE FROM tickets t USING members m WHERE m.id = t.member AND m.closed_at IS NOT NULL",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("what was erased is gone: restore a backup")
