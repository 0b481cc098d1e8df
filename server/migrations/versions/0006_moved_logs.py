"""Deposits: a log that a reorganisation moved is written anew, with all that it says."""

from alembic import op

revision = "0006_moved_logs"
down_revision = "0005_games"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("GRANT UPDATE (asset, sender, recipient, owner, units) ON deposits TO kalos_writer")


def downgrade() -> None:
    raise NotImplementedError("deposits are not taken down: restore a backup")
