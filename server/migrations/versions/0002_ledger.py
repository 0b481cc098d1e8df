"""The ledger: accounts, journal, keys, holds, quotas, its outbox, and who may write them."""

from alembic import op

revision = "0002_ledger"
down_revision = "0001_house"
branch_labels = None
depends_on = None

STATEMENTS = (
    # The words of `journal.kind`; the writer adds one when it first meets it.
    """
    CREATE TABLE kinds (
        id smallint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL UNIQUE CHECK (name ~ '^[a-z_]{1,30}(\\.[a-z_]{1,30})+$')
    )
    """,
    # An id is owner << 16 | asset << 8 | purpose; owner 1 is the outside world, the only one that goes below zero.
    # No further index: a change of balance then stays in its page (HOT). A version is the count of the account's moves.
    """
    CREATE TABLE accounts (
        id bigint PRIMARY KEY CHECK (id > 65535),
        balance bigint NOT NULL,
        version bigint NOT NULL CHECK (version >= 1),
        CONSTRAINT accounts_never_negative CHECK (balance >= 0 OR id >> 16 = 1)
    ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)
    """,
    # One row a move, with both sides as they are after it. An account's versions are its history, without gaps.
    """
    CREATE TABLE journal (
        id bigint PRIMARY KEY,
        posting_id bigint NOT NULL,
        from_id bigint NOT NULL,
        to_id bigint NOT NULL CHECK (to_id <> from_id),
        amount bigint NOT NULL CHECK (amount > 0),
        from_version bigint NOT NULL CHECK (from_version >= 1),
        to_version bigint NOT NULL CHECK (to_version >= 1),
        from_balance bigint NOT NULL,
        to_balance bigint NOT NULL,
        reference bigint NOT NULL,
        at bigint NOT NULL,
        day date NOT NULL,
        kind smallint NOT NULL,
        CONSTRAINT journal_one_asset CHECK (from_id >> 8 & 255 = to_id >> 8 & 255),
        CONSTRAINT journal_never_negative CHECK (
            (from_balance >= 0 OR from_id >> 16 = 1) AND (to_balance >= 0 OR to_id >> 16 = 1)
        ),
        CONSTRAINT journal_from UNIQUE (from_id, from_version),
        CONSTRAINT journal_to UNIQUE (to_id, to_version)
    )
    """,
    # Statements of one kind, for members only: a bet or a fee costs one such entry, not one a side.
    "CREATE INDEX journal_from_kind ON journal (from_id, kind, from_version) WHERE from_id >= 65536000",
    "CREATE INDEX journal_to_kind ON journal (to_id, kind, to_version) WHERE to_id >= 65536000",
    # One row a posting. The first 16 bytes of both hashes: 128 bits are enough to tell requests apart.
    """
    CREATE TABLE keys (
        id bigint NOT NULL,
        at bigint NOT NULL,
        key uuid PRIMARY KEY,
        fingerprint uuid NOT NULL
    )
    """,
    """
    CREATE TABLE holds (
        id bigint PRIMARY KEY,
        account_id bigint NOT NULL CHECK (account_id & 255 = 2),
        left_units bigint NOT NULL CHECK (left_units >= 0),
        reference bigint NOT NULL,
        kind smallint NOT NULL,
        state text NOT NULL CHECK (state IN ('open', 'ended')),
        CONSTRAINT holds_end_at_zero CHECK ((state = 'ended') = (left_units = 0))
    ) WITH (fillfactor = 80)
    """,
    "CREATE INDEX holds_open ON holds (account_id) WHERE state = 'open'",
    """
    CREATE TABLE quotas (
        id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 120),
        left_units bigint[] NOT NULL,
        version bigint NOT NULL CHECK (version >= 1),
        state text NOT NULL CHECK (state IN ('open', 'closed')),
        CONSTRAINT quotas_never_negative CHECK (0 <= ALL (left_units)),
        CONSTRAINT quotas_size CHECK (
            array_ndims(left_units) = 1 AND cardinality(left_units) BETWEEN 1 AND 16
            AND array_position(left_units, NULL) IS NULL
        )
    ) WITH (fillfactor = 50)
    """,
    """
    CREATE TABLE outbox (
        id bigint PRIMARY KEY,
        posting_id bigint NOT NULL,
        topic text NOT NULL CHECK (topic ~ '^[a-z_.]{1,40}$'),
        body jsonb NOT NULL,
        at bigint NOT NULL
    )
    """,
    # One row: the last numbers given, and the epoch of the writer that may give the next. Every commit changes it,
    # so that two writers stand in line here and the one of an older epoch fails.
    """
    CREATE TABLE ledger_tail (
        one boolean PRIMARY KEY CHECK (one),
        epoch bigint NOT NULL CHECK (epoch >= 0),
        last_posting bigint NOT NULL CHECK (last_posting >= 0),
        last_move bigint NOT NULL CHECK (last_move >= 0),
        last_fact bigint NOT NULL CHECK (last_fact >= 0),
        last_at bigint NOT NULL
    ) WITH (fillfactor = 20)
    """,
    "INSERT INTO ledger_tail (one, epoch, last_posting, last_move, last_fact, last_at) VALUES (true, 0, 0, 0, 0, 0)",
    # One row: who writes. `beat_at` is the time of the database's machine.
    """
    CREATE TABLE writer_lease (
        one boolean PRIMARY KEY CHECK (one),
        epoch bigint NOT NULL,
        holder uuid,
        backend integer NOT NULL,
        beat_at timestamptz NOT NULL
    ) WITH (fillfactor = 20)
    """,
    "INSERT INTO writer_lease (one, epoch, holder, backend, beat_at) VALUES (true, 0, NULL, 0, 'epoch')",
    # One row: what the last audit found. `at` is the wall's time.
    """
    CREATE TABLE ledger_audit (
        one boolean PRIMARY KEY CHECK (one),
        at bigint NOT NULL,
        problems text[] NOT NULL
    )
    """,
    # Aborts a batch whose copies were not what the tables hold.
    """
    CREATE FUNCTION ledger_guard(mine boolean, fresh boolean, expected boolean) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT mine THEN
            RAISE EXCEPTION 'another writer has taken over' USING ERRCODE = 'KL001';
        ELSIF NOT fresh THEN
            RAISE EXCEPTION 'a copy of the writer is stale' USING ERRCODE = 'KL002';
        ELSIF NOT expected THEN
            RAISE EXCEPTION 'a row is not as the posting expects it' USING ERRCODE = 'KL003';
        END IF;
    END $$
    """,
    """
    CREATE FUNCTION ledger_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '% is never changed: a correction is a new posting', TG_TABLE_NAME;
    END $$
    """,
    """
    CREATE TRIGGER journal_is_final BEFORE UPDATE OR DELETE OR TRUNCATE ON journal
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_final()
    """,
    """
    GRANT SELECT ON kinds, accounts, journal, keys, holds, quotas, outbox, ledger_tail, writer_lease
    TO kalos_app, kalos_writer
    """,
    "GRANT INSERT ON kinds, accounts, journal, keys, holds, quotas, outbox TO kalos_writer",
    "GRANT UPDATE (balance, version) ON accounts TO kalos_writer",
    "GRANT UPDATE (left_units, state) ON holds TO kalos_writer",
    "GRANT UPDATE (left_units, version, state) ON quotas TO kalos_writer",
    "GRANT UPDATE ON ledger_tail, writer_lease TO kalos_writer",
    "GRANT INSERT, UPDATE ON ledger_audit TO kalos_app",
    "REVOKE EXECUTE ON FUNCTION ledger_guard(boolean, boolean, boolean) FROM PUBLIC",
    "GRANT EXECUTE ON FUNCTION ledger_guard(boolean, boolean, boolean) TO kalos_writer",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the ledger is not taken down: restore a backup")
