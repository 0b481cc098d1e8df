"""A round says in which form its bets stand in its tree: those of before keep theirs, new ones name the block as well."""

from alembic import op

revision = "0045_leaves"
down_revision = "0044_not_reviewed"
branch_labels = None
depends_on = None

STATEMENTS = (
    # What an older process still opens meanwhile is of the first form too: it doesn't know another.
    "ALTER TABLE rounds ADD leaf_version smallint NOT NULL DEFAULT 1 CHECK (leaf_version IN (1, 2))",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("bets are not taken down: restore a backup")
