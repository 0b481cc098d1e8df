"""Who froze an account: what the house's people froze, a new password doesn't open."""

from alembic import op

revision = "0042_frozen_by_house"
down_revision = "0041_listed_senders"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        """
        ALTER TABLE members ADD frozen_by_house boolean NOT NULL DEFAULT false,
            ADD CONSTRAINT members_frozen CHECK (frozen_at IS NOT NULL OR NOT frozen_by_house)
        """
    )


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
