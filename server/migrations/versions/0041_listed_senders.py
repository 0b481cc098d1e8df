"""Top-ups whose sender the list of sanctions has: kept in suspense under a reason of their own until people decide."""

from alembic import op

revision = "0041_listed_senders"
down_revision = "0040_signer_limits"
branch_labels = None
depends_on = None

STATEMENTS = (
    "ALTER TABLE deposits DROP CONSTRAINT deposits_reason_check",
    """
    ALTER TABLE deposits ADD CONSTRAINT deposits_reason_check CHECK (reason IN (
        'below_minimum', 'closed_account', 'listed_sender', 'other_asset', 'house', 'repeated', 'orphaned', 'reverted'
    ))
    """,
    "DROP INDEX deposits_suspense",
    """
    CREATE INDEX deposits_suspense ON deposits (owner, asset, units)
    WHERE status = 'pending_review' AND reason IN ('below_minimum', 'closed_account', 'listed_sender')
    """,
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("deposits are not taken down: restore a backup")
