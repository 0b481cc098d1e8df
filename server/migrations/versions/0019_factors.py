"""Withdrawal passwords, authenticators and recovery codes."""

from alembic import op

revision = "0019_factors"
down_revision = "0018_wallets"
branch_labels = None
depends_on = None

STATEMENTS = (
    # `wrong_at`: when it was wrong within the last day. Locked until it is set anew.
    """
    CREATE TABLE out_passwords (
        member bigint PRIMARY KEY REFERENCES members,
        password_hash text NOT NULL CHECK (password_hash ~ '^[$]argon2id[$]'),
        wrong_at bigint[] NOT NULL DEFAULT '{}' CHECK (cardinality(wrong_at) <= 100),
        locked_at bigint,
        set_at bigint NOT NULL
    ) WITH (fillfactor = 80)
    """,
    # A secret waits to be bound, or is bound; sealed under a key that isn't in the database.
    """
    CREATE TABLE authenticators (
        member bigint PRIMARY KEY REFERENCES members,
        sealed_secret bytea NOT NULL CHECK (length(sealed_secret) = 48),
        bound_at bigint,
        last_step bigint NOT NULL DEFAULT 0 CHECK (last_step >= 0),
        until_at bigint,
        CONSTRAINT authenticators_state CHECK ((bound_at IS NULL) <> (until_at IS NULL))
    ) WITH (fillfactor = 80)
    """,
    "CREATE INDEX authenticators_until ON authenticators (until_at) WHERE until_at IS NOT NULL",
    # They go with the authenticator that they stand in for.
    """
    CREATE TABLE recovery_codes (
        member bigint NOT NULL REFERENCES authenticators ON DELETE CASCADE,
        code_hash bytea NOT NULL CHECK (length(code_hash) = 32),
        PRIMARY KEY (member, code_hash)
    )
    """,
    "GRANT INSERT, UPDATE ON out_passwords TO kalos_app",
    "GRANT INSERT, UPDATE, DELETE ON authenticators TO kalos_app",
    "GRANT INSERT, DELETE ON recovery_codes TO kalos_app",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
