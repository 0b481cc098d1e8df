"""A height that is drawn has its block, or was void for want of one: also where nothing says why it would be void."""

from alembic import op

revision = "0051_drawn"
down_revision = "0050_signer_rows"
branch_labels = None
depends_on = None

STATEMENTS = (
    # A comparison with what isn't there is neither true nor false, and a CHECK takes that for true.
    "ALTER TABLE heights DROP CONSTRAINT heights_drawn",
    """
    ALTER TABLE heights ADD CONSTRAINT heights_drawn CHECK (
        (state IN ('open', 'sealed') AND digit IS NULL AND void_reason IS NULL AND block_hash IS NULL)
        OR (state IN ('drawn', 'settled', 'void')
            AND (block_hash IS NOT NULL OR void_reason IS NOT DISTINCT FROM 'no_block'))
    )
    """,
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("a rule for what was drawn is not taken down: restore a backup")
