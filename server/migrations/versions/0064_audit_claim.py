"""Who makes the whole audit holds a lock while it is made: no time says any more that somebody has begun."""

from alembic import op

revision = "0064_audit_claim"
down_revision = "0063_standing_told"
branch_labels = None
depends_on = None

STATEMENTS = (
    "DELETE FROM ledger_audit WHERE at = 0",  # begun, and never done
    "ALTER TABLE ledger_audit DROP COLUMN begun_at",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the ledger is not taken down: restore a backup")
