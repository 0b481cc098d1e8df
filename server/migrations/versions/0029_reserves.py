"""Reserves: what the house has on the chain, and what that was compared with; what people decided on top-ups."""

from alembic import op

revision = "0029_reserves"
down_revision = "0028_prices"
branch_labels = None
depends_on = None

STATEMENTS = (
    """
    CREATE TABLE reserves (
        asset text NOT NULL CHECK (asset <> ''),
        place text NOT NULL CHECK (place IN ('hot', 'cold', 'deposits')),
        units bigint NOT NULL CHECK (units >= 0),
        block bigint NOT NULL CHECK (block >= 0),
        at bigint NOT NULL CHECK (at >= 0),
        PRIMARY KEY (asset, place)
    )
    """,
    # `expected` is what must be there at that block at least; `owed` is what the ledger's outside accounts lack.
    """
    CREATE TABLE reserve_checks (
        asset text PRIMARY KEY CHECK (asset <> ''),
        owed bigint NOT NULL,
        expected bigint NOT NULL,
        missing bigint NOT NULL CHECK (missing >= 0),
        hot_mark text CHECK (hot_mark IN ('low', 'high')),
        block bigint NOT NULL CHECK (block >= 0),
        at bigint NOT NULL CHECK (at >= 0)
    )
    """,
    """
    CREATE TABLE reserve_addresses (
        address text NOT NULL CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
        asset text NOT NULL CHECK (asset <> ''),
        units bigint NOT NULL CHECK (units > 0),
        PRIMARY KEY (address, asset)
    )
    """,
    # `block` is the last that was looked at, `deposit` the last top-up whose address was asked.
    """
    CREATE TABLE reserve_state (
        one boolean PRIMARY KEY CHECK (one),
        begun_at bigint NOT NULL CHECK (begun_at >= 0),
        at bigint CHECK (at >= 0),
        block bigint NOT NULL CHECK (block >= -1),
        deposit bigint NOT NULL CHECK (deposit >= 0),
        gas_gwei bigint CHECK (gas_gwei >= 0),
        is_gas_low boolean NOT NULL
    )
    """,
    "INSERT INTO reserve_state (one, begun_at, block, deposit, is_gas_low) VALUES (true, 0, -1, 0, false)",
    "CREATE INDEX deposits_of_block ON deposits (chain_id, block)",
    "CREATE INDEX broadcast_ends_of_block ON broadcast_ends (block)",
    # One decision a top-up, a rider of the posting that carries it out: who, and why.
    """
    CREATE TABLE deposit_decisions (
        deposit bigint PRIMARY KEY REFERENCES deposits,
        staff bigint NOT NULL,
        verdict text NOT NULL CHECK (verdict IN ('credit', 'refuse')),
        reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 1000),
        at bigint NOT NULL CHECK (at >= 0)
    )
    """,
    "CREATE INDEX deposits_review ON deposits (id) WHERE status = 'pending_review'",
    "GRANT SELECT ON deposit_decisions TO kalos_app, kalos_writer",
    "GRANT INSERT ON deposit_decisions TO kalos_writer",
    "GRANT SELECT ON reserves, reserve_checks, reserve_addresses, reserve_state TO kalos_app, kalos_writer",
    "GRANT INSERT, UPDATE, DELETE ON reserves, reserve_checks, reserve_addresses TO kalos_app",
    "GRANT UPDATE ON reserve_state TO kalos_app",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("reserves are not taken down: restore a backup")
