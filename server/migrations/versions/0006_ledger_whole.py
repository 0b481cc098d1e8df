"""Closed accounts, sums of the day, flags of the ledger; frequent kinds leave the indexes by kind."""

from alembic import op

revision = "0006_ledger_whole"
down_revision = "0005_games"
branch_labels = None
depends_on = None

STATEMENTS = (
    # A closed account stays as it is for ever: no money may be left in it.
    "ALTER TABLE accounts ADD COLUMN open boolean NOT NULL DEFAULT true",
    "ALTER TABLE accounts ADD CONSTRAINT accounts_closed_empty CHECK (open OR balance = 0)",
    "GRANT UPDATE (open) ON accounts TO kalos_writer",
    # Kinds below zero are the frequent ones (ledger/kinds.py). A statement of such a kind walks the account's versions:
    # most of them are of that kind; an index entry for every bet would cost more than all such walks.
    "DROP INDEX journal_from_kind",
    "DROP INDEX journal_to_kind",
    "CREATE INDEX journal_from_kind ON journal (from_id, kind, from_version) WHERE from_id >= 65536000 AND kind > 0",
    "CREATE INDEX journal_to_kind ON journal (to_id, kind, to_version) WHERE to_id >= 65536000 AND kind > 0",
    # The key says whose request it is; of its body eight bytes are enough to tell it from another under the same key.
    """
    ALTER TABLE keys ALTER COLUMN fingerprint TYPE bigint
    USING ('x' || left(replace(fingerprint::text, '-', ''), 16))::bit(64)::bigint
    """,
    # Nobody asks inside a fact's body: checked text is enough, and costs the writer less.
    "ALTER TABLE outbox ALTER COLUMN body TYPE json USING body::json",
    # What moved on a business day, kept by the writer in the commit that moved it.
    """
    CREATE TABLE daily_sums (
        day date NOT NULL,
        asset smallint NOT NULL,
        kind smallint NOT NULL,
        units numeric(40) NOT NULL CHECK (units > 0 AND units <> 'NaN'),
        moves bigint NOT NULL CHECK (moves > 0),
        PRIMARY KEY (day, asset, kind)
    ) WITH (fillfactor = 50)
    """,
    """
    INSERT INTO daily_sums (day, asset, kind, units, moves)
    SELECT day, from_id >> 8 & 255, kind, sum(amount), count(*) FROM journal GROUP BY 1, 2, 3
    """,
    # What the whole house must know of the ledger: while `money_out_stopped` stands, the writer lets no money out.
    """
    CREATE TABLE ledger_flags (
        name text PRIMARY KEY CHECK (name IN ('money_out_stopped')),
        reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 2000),
        since bigint NOT NULL
    )
    """,
    "GRANT SELECT ON daily_sums, ledger_flags TO kalos_app, kalos_writer",
    "GRANT INSERT, UPDATE ON daily_sums TO kalos_writer",
    "GRANT INSERT, UPDATE, DELETE ON ledger_flags TO kalos_app",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the ledger is not taken down: restore a backup")
