"""Switches of features, notices that members accepted, and their own limits and breaks."""

from alembic import op

revision = "0015_protection"
down_revision = "0014_bets"
branch_labels = None
depends_on = None

STATEMENTS = (
    # Staff can't take part in what the house offers.
    "ALTER TABLE members ADD is_staff boolean NOT NULL DEFAULT false",
    # Who ordered what and why, for ever; the latest row of a name and country counts. Country '' is everywhere.
    """
    CREATE TABLE switches (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL CHECK (name ~ '^[a-z_]{2,40}$'),
        country text NOT NULL CHECK (country ~ '^([A-Z]{2})?$'),
        is_on boolean NOT NULL,
        reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
        ordered_by text NOT NULL CHECK (length(ordered_by) BETWEEN 1 AND 100),
        at bigint NOT NULL
    )
    """,
    "CREATE INDEX switches_latest ON switches (name, country, id DESC)",
    """
    CREATE TABLE notices_accepted (
        member bigint NOT NULL REFERENCES members,
        feature text NOT NULL CHECK (feature ~ '^[a-z_]{2,40}$'),
        version integer NOT NULL CHECK (version > 0),
        lang text NOT NULL CHECK (lang IN ('en', 'vi', 'th', 'ja', 'ko', 'zh_CN', 'tw')),
        text_hash bytea NOT NULL CHECK (length(text_hash) = 32),
        at bigint NOT NULL,
        PRIMARY KEY (member, feature, version)
    )
    """,
    # In units of USDT for a business day, `reminder` in minutes; null is no limit.
    """
    CREATE TABLE player_limits (
        member bigint NOT NULL REFERENCES members,
        kind text NOT NULL CHECK (kind IN ('stake', 'loss', 'topup', 'reminder')),
        value bigint CHECK (value >= 0),
        next_value bigint CHECK (next_value >= 0),
        next_from bigint,
        changed_at bigint NOT NULL,
        PRIMARY KEY (member, kind),
        CONSTRAINT player_limits_next CHECK (next_from > changed_at),
        CONSTRAINT player_limits_higher CHECK (next_value > value),
        CONSTRAINT player_limits_waits CHECK (next_value IS NULL OR next_from IS NOT NULL)
    )
    """,
    """
    CREATE TABLE player_breaks (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        member bigint NOT NULL REFERENCES members,
        kind text NOT NULL CHECK (kind IN ('break', 'exclusion')),
        from_at bigint NOT NULL,
        until_at bigint NOT NULL,
        CONSTRAINT player_breaks_time CHECK (until_at > from_at)
    )
    """,
    "CREATE INDEX player_breaks_member ON player_breaks (member, until_at)",
    # Counted by the posting of each stake that was held against limits: of two at once, one finds it changed.
    """
    CREATE TABLE player_steps (
        member bigint PRIMARY KEY REFERENCES members,
        step bigint NOT NULL CHECK (step > 0)
    ) WITH (fillfactor = 50)
    """,
    "GRANT INSERT ON switches, notices_accepted, player_breaks TO kalos_app",
    "GRANT INSERT, UPDATE ON player_limits TO kalos_app",
    "GRANT SELECT, INSERT ON player_steps TO kalos_writer",
    "GRANT UPDATE (step) ON player_steps TO kalos_writer",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
