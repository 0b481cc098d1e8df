"""An account that its owner closed, and the withdrawal password that goes with it."""

from alembic import op

revision = "0020_security"
down_revision = "0019_factors"
branch_labels = None
depends_on = None

STATEMENTS = (
    "ALTER TABLE members ADD closed_at bigint",
    "GRANT DELETE ON out_passwords TO kalos_app",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
