"""Deposits: whose address is whose, what arrived, and how far the chain was read."""

from alembic import op

revision = "0004_deposits"
down_revision = "0003_identity"
branch_labels = None
depends_on = None

STATEMENTS = (
    # An owner is a member or the house (ledger ids); only addresses that somebody was shown stand here.
    """
    CREATE TABLE deposit_addresses (
        owner bigint PRIMARY KEY CHECK (owner = 2 OR owner >= 1000),
        address text NOT NULL UNIQUE CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
        made_at bigint NOT NULL
    )
    """,
    # One row a Transfer log. `revision` counts its changes: each is one posting under a key of its own.
    """
    CREATE TABLE deposits (
        id bigint PRIMARY KEY,
        revision integer NOT NULL CHECK (revision >= 1),
        chain_id bigint NOT NULL,
        transaction text NOT NULL CHECK (transaction ~ '^0x[0-9a-f]{64}$'),
        log_index integer NOT NULL CHECK (log_index >= 0),
        block bigint NOT NULL CHECK (block >= 0),
        block_hash text NOT NULL CHECK (block_hash ~ '^0x[0-9a-f]{64}$'),
        asset text NOT NULL CHECK (asset ~ '^[A-Z_]{2,12}$'),
        sender text NOT NULL,
        recipient text NOT NULL REFERENCES deposit_addresses (address),
        owner bigint NOT NULL,
        units bigint NOT NULL CHECK (units > 0),
        required integer NOT NULL CHECK (required >= 1),
        status text NOT NULL
            CHECK (status IN ('on_chain_processing', 'pending_review', 'approved', 'refused', 'failed')),
        reason text CHECK (reason IN ('below_minimum', 'other_asset', 'house', 'repeated', 'orphaned', 'reverted')),
        seen_at bigint NOT NULL,
        changed_at bigint NOT NULL,
        credited_at bigint,
        CONSTRAINT deposits_once UNIQUE (chain_id, transaction, log_index),
        CONSTRAINT deposits_credited CHECK ((status = 'approved') = (credited_at IS NOT NULL)),
        CONSTRAINT deposits_explained CHECK (
            CASE status
                WHEN 'pending_review' THEN coalesce(reason NOT IN ('orphaned', 'reverted'), false)
                WHEN 'failed' THEN coalesce(reason IN ('orphaned', 'reverted'), false)
                WHEN 'refused' THEN true
                ELSE reason IS NULL
            END
        )
    ) WITH (fillfactor = 80)
    """,
    "CREATE INDEX deposits_owner ON deposits (owner, id)",
    "CREATE INDEX deposits_owner_status ON deposits (owner, status, id)",
    "CREATE INDEX deposits_unresolved ON deposits (chain_id, block) WHERE status = 'on_chain_processing'",
    """
    CREATE INDEX deposits_waiting ON deposits (owner, asset, units)
    WHERE status = 'pending_review' AND reason = 'below_minimum'
    """,
    # How far a chain was read; it moves only from where the step that moves it began.
    """
    CREATE TABLE deposit_cursors (
        chain_id bigint PRIMARY KEY,
        number bigint NOT NULL CHECK (number >= 0),
        hash text NOT NULL
    ) WITH (fillfactor = 50)
    """,
    # The last blocks that were read, to find where a reorganised chain parts from them.
    """
    CREATE TABLE deposit_blocks (
        chain_id bigint NOT NULL,
        number bigint NOT NULL CHECK (number >= 0),
        hash text NOT NULL,
        PRIMARY KEY (chain_id, number)
    )
    """,
    "GRANT SELECT ON deposit_addresses, deposits, deposit_cursors, deposit_blocks TO kalos_app, kalos_writer",
    "GRANT INSERT ON deposit_addresses TO kalos_app",
    "GRANT INSERT, UPDATE ON deposit_cursors TO kalos_app",
    "GRANT INSERT, DELETE ON deposit_blocks TO kalos_app",
    "GRANT INSERT ON deposits TO kalos_writer",
    """
    GRANT UPDATE (
        asset, sender, recipient, owner, units, revision, block, block_hash, status, reason, changed_at, credited_at
    ) ON deposits TO kalos_writer
    """,
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("deposits are not taken down: restore a backup")
