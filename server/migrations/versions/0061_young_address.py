"""Withdrawals to an address that is too new for the signer go back to people, with the time from which it may be paid to."""

from alembic import op

revision = "0061_young_address"
down_revision = "0060_refused_unpaid"
branch_labels = None
depends_on = None

STATEMENTS = (
    """
    ALTER TABLE broadcast_returns DROP CONSTRAINT broadcast_returns_reason_check,
        DROP CONSTRAINT broadcast_returns_until
    """,
    """
    ALTER TABLE broadcast_returns
        ADD CONSTRAINT broadcast_returns_reason_check CHECK (reason IN ('account_frozen', 'security_hold',
            'house_address', 'not_reviewed', 'address_removed', 'restored', 'young_address')),
        ADD CONSTRAINT broadcast_returns_until CHECK (
            (reason IN ('security_hold', 'young_address')) = (until_at IS NOT NULL))
    """,
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("what came back is looked at: restore a backup")
