"""Which member's account is a person's of staff: what concerns it is decided by somebody else."""

from alembic import op

revision = "0037_own_accounts"
down_revision = "0036_staff_devices"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE staff ADD member bigint UNIQUE REFERENCES members")


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
