"""Slides and their proofs, captchas that serve once more, and the devices that members log in with."""

from alembic import op

revision = "0017_entry"
down_revision = "0016_identity"
branch_labels = None
depends_on = None

STATEMENTS = (
    # Where a second factor was asked for, the same captcha and proof serve once more, for that name alone.
    "ALTER TABLE captchas ADD served_for bytea CHECK (length(served_for) = 32)",
    # A slide's row goes with its first answer.
    """
    CREATE TABLE slides (
        id text PRIMARY KEY CHECK (length(id) = 22),
        x integer NOT NULL CHECK (x >= 0),
        until_at bigint NOT NULL
    )
    """,
    "CREATE INDEX slides_until ON slides (until_at)",
    # Of a slide that was answered right; goes with its use.
    """
    CREATE TABLE slide_proofs (
        token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
        until_at bigint NOT NULL,
        served_for bytea CHECK (length(served_for) = 32)
    )
    """,
    "CREATE INDEX slide_proofs_until ON slide_proofs (until_at)",
    # A device has one token for all members who log in with it.
    """
    CREATE TABLE devices (
        token_hash bytea NOT NULL CHECK (length(token_hash) = 32),
        member bigint NOT NULL REFERENCES members ON DELETE CASCADE,
        last_at bigint NOT NULL,
        until_at bigint NOT NULL CHECK (until_at > last_at),
        PRIMARY KEY (token_hash, member)
    ) WITH (fillfactor = 80)
    """,
    "CREATE INDEX devices_member ON devices (member, last_at)",
    "CREATE INDEX devices_until ON devices (until_at)",
    "GRANT SELECT, INSERT, DELETE ON slides, slide_proofs TO kalos_app",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON devices TO kalos_app",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
