"""Wallets that log in, the texts that they sign, and the book of withdrawal addresses."""

from alembic import op

revision = "0018_wallets"
down_revision = "0017_entry"
branch_labels = None
depends_on = None

_ADDRESS = "address text NOT NULL CHECK (address ~ '^0x[0-9a-fA-F]{40}$')"

STATEMENTS = (
    # A nonce's row goes with its first use.
    f"""
    CREATE TABLE wallet_nonces (
        nonce text PRIMARY KEY CHECK (nonce ~ '^[0-9a-f]{{32}}$'),
        {_ADDRESS},
        member bigint REFERENCES members,
        text text NOT NULL CHECK (length(text) <= 1000),
        until_at bigint NOT NULL
    )
    """,
    "CREATE INDEX wallet_nonces_until ON wallet_nonces (until_at)",
    # What was removed stays, so that it is known from which block until when a wallet was whose.
    f"""
    CREATE TABLE login_wallets (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        member bigint NOT NULL REFERENCES members,
        {_ADDRESS},
        bound_block bigint NOT NULL CHECK (bound_block >= 0),
        bound_at bigint NOT NULL,
        removed_at bigint CHECK (removed_at >= bound_at)
    )
    """,
    "CREATE UNIQUE INDEX login_wallets_address ON login_wallets (address) WHERE removed_at IS NULL",
    "CREATE INDEX login_wallets_member ON login_wallets (member, id)",
    # With the ids of the requests that made and removed it, and the SHA-256 of what they said.
    f"""
    CREATE TABLE withdrawal_addresses (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        member bigint NOT NULL REFERENCES members,
        chain bigint NOT NULL CHECK (chain > 0),
        {_ADDRESS},
        label text NOT NULL CHECK (length(label) BETWEEN 1 AND 32),
        is_listed boolean NOT NULL,
        created_at bigint NOT NULL,
        usable_at bigint NOT NULL CHECK (usable_at >= created_at),
        request_id text CHECK (length(request_id) BETWEEN 16 AND 64),
        request_hash bytea CHECK (length(request_hash) = 32),
        removed_at bigint CHECK (removed_at >= created_at),
        removal_id text CHECK (length(removal_id) BETWEEN 16 AND 64),
        removal_hash bytea CHECK (length(removal_hash) = 32),
        UNIQUE (member, request_id),
        UNIQUE (member, removal_id),
        CONSTRAINT withdrawal_addresses_request CHECK ((request_id IS NULL) = (request_hash IS NULL)),
        CONSTRAINT withdrawal_addresses_removal CHECK (
            (removed_at IS NULL) = (removal_id IS NULL) AND (removed_at IS NULL) = (removal_hash IS NULL))
    )
    """,
    """
    CREATE UNIQUE INDEX withdrawal_addresses_living ON withdrawal_addresses (member, chain, address)
        WHERE removed_at IS NULL
    """,
    "GRANT SELECT, INSERT, DELETE ON wallet_nonces TO kalos_app",
    "GRANT SELECT, INSERT ON login_wallets, withdrawal_addresses TO kalos_app",
    "GRANT UPDATE (removed_at) ON login_wallets TO kalos_app",
    "GRANT UPDATE (removed_at, removal_id, removal_hash) ON withdrawal_addresses TO kalos_app",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
