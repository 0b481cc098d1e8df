"""What happens to an account's security, what it holds, the word of its mails, and tokens that freeze it."""

from alembic import op

revision = "0016_identity"
down_revision = "0015_protection"
branch_labels = None
depends_on = None

STATEMENTS = (
    """
    ALTER TABLE members
        ADD anti_phishing text CHECK (length(anti_phishing) BETWEEN 1 AND 20),
        ADD frozen_at bigint
    """,
    # The log and the holds at once, for ever: `held_until` is until when withdrawals wait because of it.
    """
    CREATE TABLE security_events (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        member bigint NOT NULL REFERENCES members,
        event text NOT NULL CHECK (event ~ '^[a-z_]{2,40}$'),
        network text NOT NULL CHECK (length(network) <= 64),
        device text NOT NULL CHECK (length(device) <= 200),
        at bigint NOT NULL,
        held_until bigint CHECK (held_until > at)
    )
    """,
    "CREATE INDEX security_events_member ON security_events (member, id)",
    "CREATE INDEX security_events_held ON security_events (member, held_until) WHERE held_until IS NOT NULL",
    # Each security mail has one; its row goes with its use.
    """
    CREATE TABLE freeze_tokens (
        token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
        member bigint NOT NULL REFERENCES members,
        until_at bigint NOT NULL
    )
    """,
    "CREATE INDEX freeze_tokens_until ON freeze_tokens (until_at)",
    """
    ALTER TABLE email_codes DROP CONSTRAINT email_codes_scene_check, ADD CONSTRAINT email_codes_scene_check CHECK (
        scene IN ('register', 'reset', 'withdraw', 'address', 'password', 'google', 'bind', 'unbind', 'okx', 'close',
            'login_wallet'))
    """,
    "GRANT SELECT, INSERT ON security_events TO kalos_app",
    "GRANT SELECT, INSERT, DELETE ON freeze_tokens TO kalos_app",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
