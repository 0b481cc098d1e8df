"""A slide for whoever can't see it: tones, whose numbers are its answer."""

from alembic import op

revision = "0058_tones"
down_revision = "0057_tighter"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "ALTER TABLE slides ALTER x DROP NOT NULL, ADD code text, "
        "ADD CONSTRAINT slides_code_check CHECK (code ~ '^[1-6]{4}$'), "
        "ADD CONSTRAINT slides_answered_once CHECK (num_nonnulls(x, code) = 1)"
    )


def downgrade() -> None:
    raise NotImplementedError("what was played has no place in a picture: restore a backup")
