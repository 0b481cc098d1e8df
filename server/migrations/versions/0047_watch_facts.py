"""The running audit counts the facts, too: up to where it has, and how far the second look at old ones is."""

from alembic import op

revision = "0047_watch_facts"
down_revision = "0046_closed_labels"
branch_labels = None
depends_on = None

STATEMENTS = (
    # From none on: the first steps count what is left, some hundred thousand each.
    """
    ALTER TABLE ledger_watch
        ADD COLUMN fact bigint NOT NULL DEFAULT 0,
        ADD COLUMN rolled_fact bigint NOT NULL DEFAULT 0,
        ADD CONSTRAINT ledger_watch_facts CHECK (rolled_fact BETWEEN 0 AND fact)
    """,
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the running audit is not taken down: restore a backup")
