"""The running audit: how far it has come, what it keeps to check sums by, and who stopped and resumed money out."""

from alembic import op

revision = "0008_watch"
down_revision = "0007_grants"
branch_labels = None
depends_on = None

STATEMENTS = (
    # One row. `move` and `posting` are the last that were checked, `rolled_*` how far the second look at old rows is.
    # Whoever changes it has made the step: two workers can't both. `at` is the wall's time of the last step.
    """
    CREATE TABLE ledger_watch (
        one boolean PRIMARY KEY CHECK (one),
        at bigint NOT NULL,
        move bigint NOT NULL,
        posting bigint NOT NULL CHECK (posting >= 0),
        behind bigint NOT NULL CHECK (behind >= 0),
        rolled_move bigint NOT NULL CHECK (rolled_move BETWEEN 0 AND move),
        rolled_block bigint NOT NULL,
        rolled_hold bigint NOT NULL,
        rolled_quota text NOT NULL
    ) WITH (fillfactor = 20)
    """,
    # A block is 1,024 owners: accounts with the same `id >> 26`. `units` are those that it had when its accounts were
    # read last, and what moved since: so an asset's sum is known at every step without reading all accounts.
    """
    CREATE TABLE ledger_watch_blocks (
        block bigint NOT NULL,
        asset smallint NOT NULL,
        units numeric(40) NOT NULL,
        PRIMARY KEY (block, asset)
    ) WITH (fillfactor = 50)
    """,
    # What the checked rows of a day that isn't compared yet sum to: of the new rows, and of the second look.
    """
    CREATE TABLE ledger_watch_days (
        lane text NOT NULL CHECK (lane IN ('new', 'old')),
        day date NOT NULL,
        asset smallint NOT NULL,
        kind smallint NOT NULL,
        units numeric(40) NOT NULL,
        moves bigint NOT NULL,
        PRIMARY KEY (lane, day, asset, kind)
    ) WITH (fillfactor = 50)
    """,
    # Every change of a flag, with its reason and who made it.
    """
    CREATE TABLE ledger_flag_changes (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL,
        stands boolean NOT NULL,
        reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 2000),
        made_by text NOT NULL CHECK (length(made_by) BETWEEN 1 AND 100),
        at bigint NOT NULL
    )
    """,
    # When the present look at everything was begun: one worker at a time.
    "ALTER TABLE ledger_audit ADD COLUMN begun_at bigint NOT NULL DEFAULT 0",
    # Keys lie in the order of their ids: a range of them is found by its pages, at a few bytes for each of these.
    "CREATE INDEX keys_id ON keys USING brin (id) WITH (pages_per_range = 32, autosummarize = on)",
    """
    GRANT SELECT ON ledger_watch, ledger_watch_blocks, ledger_watch_days, ledger_flag_changes
    TO kalos_app, kalos_writer
    """,
    "GRANT INSERT, UPDATE ON ledger_watch TO kalos_app",
    "GRANT INSERT, UPDATE, DELETE ON ledger_watch_blocks, ledger_watch_days TO kalos_app",
    "GRANT INSERT ON ledger_flag_changes TO kalos_app",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the running audit is not taken down: restore a backup")
