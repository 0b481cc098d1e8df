"""A stake's step stands without its member's row: whoever held that, the writer waited for it, and with it everybody."""

from alembic import op

revision = "0065_step_locks"
down_revision = "0064_audit_claim"
branch_labels = None
depends_on = None

STATEMENTS = ("ALTER TABLE player_steps DROP CONSTRAINT player_steps_member_fkey",)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
