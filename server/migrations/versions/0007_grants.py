"""Grants that release over days, payables, and the runs of day jobs. All are written through postings alone."""

from alembic import op

revision = "0007_grants"
down_revision = "0006_ledger_whole"
branch_labels = None
depends_on = None

KIND = "kind ~ '^[a-z_]{1,30}(\\.[a-z_]{1,30})+$'"

STATEMENTS = (
    # One row for each thing that a job does once for a day. A day is over when its row was written on a later one.
    """
    CREATE TABLE day_runs (
        job text NOT NULL CHECK (job ~ '^[a-z_]{1,40}$'),
        item text NOT NULL CHECK (length(item) <= 120),
        day date NOT NULL,
        at bigint NOT NULL,
        ran_on date NOT NULL,
        PRIMARY KEY (job, item, day),
        CONSTRAINT day_runs_after_the_day CHECK (ran_on > day)
    )
    """,
    # The house's midnights begin with that of yesterday: what was before needs none.
    """
    INSERT INTO day_runs (job, item, day, at, ran_on)
    SELECT 'midnight', '', today - 2, at, today
    FROM (SELECT (extract(epoch FROM now()) * 1000)::bigint + offset_ms AS at FROM clock) AS clock
    CROSS JOIN LATERAL (SELECT (to_timestamp((at + 28800000) / 1000) AT TIME ZONE 'UTC')::date AS today) AS days
    """,
    # `id` is the posting that opened it. `released_day` is the last day that was released (at first the one before
    # `first_day`), and what is released follows from it: a day can't be paid twice, nor be left out.
    f"""
    CREATE TABLE grants (
        id bigint PRIMARY KEY,
        member bigint NOT NULL CHECK (member >= 1000),
        source bigint NOT NULL,
        target bigint NOT NULL,
        kind text NOT NULL CHECK ({KIND}),
        reference bigint NOT NULL CHECK (reference >= 0),
        total bigint NOT NULL CHECK (total > 0),
        daily bigint NOT NULL CHECK (daily >= 0),
        released bigint NOT NULL,
        opened_day date NOT NULL,
        first_day date NOT NULL,
        last_day date NOT NULL,
        released_day date NOT NULL,
        status text NOT NULL CHECK (status IN ('running', 'ended', 'stopped')),
        CONSTRAINT grants_target CHECK (target >> 16 = member),
        CONSTRAINT grants_source CHECK (source >> 16 IN (2, member) OR (source >> 16 = 1 AND source & 255 = 97)),
        CONSTRAINT grants_one_asset CHECK (source >> 8 & 255 = target >> 8 & 255 AND source <> target),
        CONSTRAINT grants_days CHECK (
            opened_day <= first_day AND first_day <= last_day AND released_day BETWEEN first_day - 1 AND last_day
        ),
        CONSTRAINT grants_daily CHECK (daily::numeric * (last_day - first_day) <= total),
        CONSTRAINT grants_never_too_much CHECK (released BETWEEN 0 AND total),
        CONSTRAINT grants_released CHECK (
            released = CASE WHEN released_day = last_day THEN total ELSE daily * (released_day - first_day + 1) END
        ),
        CONSTRAINT grants_end CHECK ((status = 'ended') = (released_day = last_day))
    ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_cost_delay = 0)
    """,
    # A night's release changes no column of an index, so that a row stays in its page (HOT).
    "CREATE INDEX grants_running ON grants (id) WHERE status = 'running'",
    "CREATE INDEX grants_of_member ON grants (member, id)",
    # What a house account owes. Ids are in the ledger's own order, so that the oldest is the lowest.
    f"""
    CREATE TABLE payables (
        posting bigint NOT NULL,
        place integer NOT NULL CHECK (place BETWEEN 0 AND 999),
        id bigint GENERATED ALWAYS AS (posting * 1000 + place) STORED PRIMARY KEY,
        account bigint NOT NULL CHECK (account >> 16 = 2),
        member bigint NOT NULL,
        target bigint NOT NULL CHECK (target <> account),
        asset smallint NOT NULL,
        kind text NOT NULL CHECK ({KIND}),
        reference bigint NOT NULL CHECK (reference >= 0),
        day date NOT NULL,
        units bigint NOT NULL CHECK (units > 0),
        left_units bigint NOT NULL,
        paid_from text NOT NULL CHECK (paid_from IN ('account', 'distribution')),
        since bigint NOT NULL,
        settled_at bigint,
        CONSTRAINT payables_target CHECK (target >> 16 = member),
        CONSTRAINT payables_one_asset CHECK (asset = account >> 8 & 255 AND asset = target >> 8 & 255),
        CONSTRAINT payables_left CHECK (left_units BETWEEN 0 AND units),
        CONSTRAINT payables_settled CHECK ((left_units = 0) = (settled_at IS NOT NULL))
    ) WITH (fillfactor = 80)
    """,
    "CREATE INDEX payables_open ON payables (account, id) WHERE left_units > 0",
    "CREATE INDEX payables_of_member ON payables (member, id)",
    "GRANT SELECT ON day_runs, grants, payables TO kalos_app, kalos_writer",
    "GRANT INSERT ON day_runs, grants, payables TO kalos_writer",
    "GRANT UPDATE (released, released_day, status) ON grants TO kalos_writer",
    "GRANT UPDATE (left_units, settled_at) ON payables TO kalos_writer",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("grants are not taken down: restore a backup")
