"""Members, sessions, captchas, e-mail codes, tries; and the demo mode's received mails."""

from alembic import op

revision = "0003_identity"
down_revision = "0002_ledger"
branch_labels = None
depends_on = None

STATEMENTS = (
    # A member's id is the owner of ledger accounts; smaller owners are the house and the outside. Who invited whom is
    # fixed, and an inviter is always the older of two: so there are no cycles.
    """
    CREATE TABLE members (
        id bigint GENERATED ALWAYS AS IDENTITY (START 1000) PRIMARY KEY CHECK (id >= 1000),
        account text NOT NULL UNIQUE CHECK (account ~ '^[1-9][0-9]{7}$'),
        email text NOT NULL UNIQUE CHECK (length(email) BETWEEN 6 AND 254 AND email ~ '^[!-~]+@[a-z0-9.-]+$'),
        password_hash text NOT NULL CHECK (password_hash ~ '^[$]argon2id[$]'),
        invite_code text NOT NULL UNIQUE CHECK (invite_code ~ '^[A-Z0-9]{6,12}$'),
        inviter bigint REFERENCES members CHECK (inviter < id),
        country text CHECK (country ~ '^[A-Z]{2}$'),
        birth_date date,
        terms_version text CHECK (length(terms_version) BETWEEN 1 AND 20),
        registered_at bigint NOT NULL
    )
    """,
    "CREATE INDEX members_inviter ON members (inviter, id)",
    # Only hashes of tokens are stored. `keep_ms` is what each use moves `until_at` ahead.
    """
    CREATE TABLE sessions (
        token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
        member bigint NOT NULL REFERENCES members ON DELETE CASCADE,
        network text NOT NULL CHECK (length(network) <= 64),
        device text NOT NULL CHECK (length(device) <= 200),
        created_at bigint NOT NULL,
        keep_ms bigint NOT NULL CHECK (keep_ms > 0),
        until_at bigint NOT NULL CHECK (until_at > created_at)
    ) WITH (fillfactor = 80)
    """,
    "CREATE INDEX sessions_member ON sessions (member)",
    "CREATE INDEX sessions_until ON sessions (until_at)",
    """
    CREATE TABLE auth_tokens (
        token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
        session bytea NOT NULL REFERENCES sessions ON DELETE CASCADE,
        until_at bigint NOT NULL
    )
    """,
    "CREATE INDEX auth_tokens_session ON auth_tokens (session)",
    "CREATE INDEX auth_tokens_until ON auth_tokens (until_at)",
    # A captcha's row goes with its first use.
    """
    CREATE TABLE captchas (
        id text PRIMARY KEY CHECK (length(id) = 22),
        answer text NOT NULL,
        until_at bigint NOT NULL
    )
    """,
    "CREATE INDEX captchas_until ON captchas (until_at)",
    # One living code for each address and scene: a new one takes the old one's place.
    """
    CREATE TABLE email_codes (
        email text NOT NULL,
        scene text NOT NULL CHECK (scene IN ('register')),
        code_hash bytea NOT NULL CHECK (length(code_hash) = 32),
        tries integer NOT NULL CHECK (tries >= 0),
        until_at bigint NOT NULL,
        used_at bigint,
        PRIMARY KEY (email, scene)
    )
    """,
    "CREATE INDEX email_codes_until ON email_codes (until_at)",
    # When each of the last tries of one thing was, oldest first: a window that slides, exactly.
    """
    CREATE TABLE tries (
        subject text PRIMARY KEY CHECK (length(subject) BETWEEN 1 AND 300),
        times bigint[] NOT NULL CHECK (cardinality(times) <= 1000),
        until_at bigint NOT NULL
    ) WITH (fillfactor = 50)
    """,
    "CREATE INDEX tries_until ON tries (until_at)",
    "CREATE INDEX domain_outbox_done ON domain_outbox (done_at) WHERE done_at IS NOT NULL",
    # What the demo mode's inbox received.
    """
    CREATE TABLE demo_mails (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        recipient text NOT NULL CHECK (length(recipient) <= 320),
        subject text NOT NULL,
        text text NOT NULL,
        at bigint NOT NULL
    )
    """,
    "CREATE INDEX demo_mails_recipient ON demo_mails (recipient, id)",
    "GRANT SELECT, INSERT, UPDATE ON members TO kalos_app",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON sessions, auth_tokens, captchas, email_codes, tries TO kalos_app",
    "GRANT SELECT, INSERT ON demo_mails TO kalos_app",
    "GRANT SELECT ON members TO kalos_writer",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
