"""A code belongs to who asked for it: what a stranger has sent to an address takes nothing from its owner."""

from alembic import op

revision = "0067_code_askers"
down_revision = "0066_one_break"
branch_labels = None
depends_on = None

STATEMENTS = (
    # Nobody known; a member with a session; a device that the address's owner has logged in on.
    """
    ALTER TABLE email_codes
    ADD COLUMN asker text NOT NULL DEFAULT '',
    ADD CONSTRAINT email_codes_asker_check CHECK (asker ~ '^(|member [0-9]{1,19}|device [0-9a-f]{24})$'),
    DROP CONSTRAINT email_codes_pkey,
    ADD PRIMARY KEY (email, scene, asker)
    """,
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("codes of several askers do not fit one row")
