"""The language that a member's page had last: that of the mails about the account, whoever causes them."""

from alembic import op

revision = "0039_member_language"
down_revision = "0038_signer_reads"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE members ADD lang text CHECK (length(lang) BETWEEN 2 AND 10)")


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
