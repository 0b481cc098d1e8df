"""The signer is told of each deposit by `sweep_news`: it reads none of them."""

from alembic import op

revision = "0038_signer_reads"
down_revision = "0037_own_accounts"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("REVOKE SELECT ON deposits FROM kalos_signer")


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
