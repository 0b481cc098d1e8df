"""Tokens that the house doesn't know at its members' addresses: recorded until people have decided what becomes of them."""

from alembic import op

revision = "0056_strays"
down_revision = "0055_two_for_a_price"
branch_labels = None
depends_on = None

STATEMENTS = (
    # One row a Transfer log. No amount of it is anybody's: it is in no account, no reserve and no liability.
    # `units` are the contract's own, up to 256 bits; `payment` is the transaction that sent them back.
    """
    CREATE TABLE strays (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        chain_id bigint NOT NULL,
        transaction text NOT NULL CHECK (transaction ~ '^0x[0-9a-f]{64}$'),
        log_index integer NOT NULL CHECK (log_index >= 0),
        block bigint NOT NULL CHECK (block >= 0),
        contract text NOT NULL CHECK (contract ~ '^0x[0-9a-fA-F]{40}$'),
        sender text NOT NULL CHECK (sender ~ '^0x[0-9a-fA-F]{40}$'),
        recipient text NOT NULL REFERENCES deposit_addresses (address),
        owner bigint NOT NULL,
        units numeric(78, 0) NOT NULL CHECK (units > 0),
        seen_at bigint NOT NULL CHECK (seen_at >= 0),
        state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'returned', 'left')),
        staff bigint REFERENCES staff (id),
        reason text CHECK (length(reason) BETWEEN 1 AND 500),
        payment text CHECK (payment ~ '^0x[0-9a-f]{64}$'),
        decided_at bigint CHECK (decided_at >= 0),
        CONSTRAINT strays_once UNIQUE (chain_id, transaction, log_index),
        CONSTRAINT strays_decided CHECK (num_nonnulls(staff, reason, decided_at) = CASE state WHEN 'open' THEN 0 ELSE 3 END),
        CONSTRAINT strays_returned CHECK ((state = 'returned') = (payment IS NOT NULL))
    )
    """,
    "CREATE INDEX strays_state ON strays (state, id)",
    "CREATE INDEX strays_waiting ON strays (seen_at) WHERE state = 'open'",
    "CREATE INDEX strays_of ON strays (recipient, contract)",
    "CREATE INDEX strays_owner ON strays (owner, state, id)",
    # A pass looks for one range of blocks at all addresses, in the order of their owners: `number` is the last block of
    # the pass before, `upto` that of this one, `owner` the last who was looked at in it.
    """
    CREATE TABLE stray_passes (
        chain_id bigint PRIMARY KEY,
        number bigint NOT NULL CHECK (number >= 0),
        upto bigint NOT NULL,
        owner bigint NOT NULL CHECK (owner >= 0),
        CONSTRAINT stray_passes_range CHECK (upto >= number)
    ) WITH (fillfactor = 50)
    """,
    "GRANT SELECT ON strays, stray_passes TO kalos_app",
    """
    GRANT INSERT (chain_id, transaction, log_index, block, contract, sender, recipient, owner, units, seen_at)
    ON strays TO kalos_app
    """,
    # Of too many of one token at one address the smallest go.
    "GRANT DELETE ON strays TO kalos_app",
    "GRANT UPDATE (state, staff, reason, payment, decided_at) ON strays TO kalos_app",
    "GRANT INSERT, UPDATE ON stray_passes TO kalos_app",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("what was recorded is not taken down: restore a backup")
