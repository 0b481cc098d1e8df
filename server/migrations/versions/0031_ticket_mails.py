"""The language that a ticket was written in, for the mail that tells of its answer."""

from alembic import op

revision = "0031_ticket_mails"
down_revision = "0029_reserves"
branch_labels = None
depends_on = None

STATEMENTS = (
    """
    ALTER TABLE tickets ADD COLUMN lang text NOT NULL DEFAULT 'en'
    CHECK (lang IN ('en', 'vi', 'th', 'ja', 'ko', 'zh_CN', 'tw'))
    """,
    "ALTER TABLE tickets ALTER COLUMN lang DROP DEFAULT",
    "GRANT UPDATE (lang) ON tickets TO kalos_app",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
