"""What the signer writes: its state, the nonces that it took, and the bytes that it signed."""

from alembic import op

revision = "0026_signer"
down_revision = "0025_withdrawals"
branch_labels = None
depends_on = None

_ADDRESS = "~ '^0x[0-9a-fA-F]{40}$'"
_HASH = "~ '^0x[0-9a-f]{64}$'"
_READ = (
    "withdrawals, withdrawal_reviews, withdrawal_addresses, broadcast_ends, holds, kinds, ledger_flags, "
    "deposit_addresses, deposits"
)

STATEMENTS = (
    # One row. `waiting` is why a payment that is due isn't signed yet though nothing is wrong.
    """
    CREATE TABLE signer_state (
        one boolean PRIMARY KEY CHECK (one),
        paused boolean NOT NULL,
        reason text CHECK (length(reason) BETWEEN 1 AND 2000),
        by text CHECK (length(by) BETWEEN 1 AND 100),
        at bigint NOT NULL,
        waiting text CHECK (length(waiting) <= 200),
        hot text,
        native_units numeric CHECK (native_units >= 0),
        gas_low boolean NOT NULL DEFAULT false,
        looked_at bigint,
        beat_at bigint,
        CONSTRAINT signer_state_explained CHECK (NOT paused OR reason IS NOT NULL)
    ) WITH (fillfactor = 50)
    """,
    "INSERT INTO signer_state (one, paused, at) VALUES (true, false, 0)",
    # A payment has one nonce for ever, so that the chain takes one transaction of it however often it is signed.
    # `found` is a payment that the chain has and our records had lost.
    f"""
    CREATE TABLE signer_nonces (
        sender text NOT NULL CHECK (sender {_ADDRESS}),
        nonce bigint NOT NULL CHECK (nonce >= 0),
        purpose text NOT NULL CHECK (purpose IN ('withdrawal', 'sweep', 'gas', 'found')),
        withdrawal bigint UNIQUE REFERENCES withdrawals,
        hold bigint UNIQUE,
        owner bigint,
        asset text,
        recipient text NOT NULL,
        units numeric NOT NULL CHECK (units >= 0),
        value_units bigint NOT NULL CHECK (value_units >= 0),
        gas bigint NOT NULL CHECK (gas >= 0),
        taken_at bigint NOT NULL,
        taken_block bigint NOT NULL CHECK (taken_block >= 0),
        ended_at bigint CHECK (ended_at >= taken_at),
        outcome text CHECK (outcome IN ('approved', 'failed')),
        transaction text CHECK (transaction {_HASH}),
        PRIMARY KEY (sender, nonce),
        UNIQUE (sender, nonce, withdrawal),
        CONSTRAINT signer_nonces_withdrawal CHECK ((purpose = 'withdrawal') = (withdrawal IS NOT NULL)),
        CONSTRAINT signer_nonces_hold CHECK ((withdrawal IS NULL) = (hold IS NULL)),
        CONSTRAINT signer_nonces_owner CHECK ((purpose IN ('sweep', 'gas')) = (owner IS NOT NULL)),
        CONSTRAINT signer_nonces_ended CHECK (
            num_nonnulls(ended_at, outcome, transaction) IN (0, 3) AND (purpose <> 'found' OR ended_at IS NOT NULL))
    ) WITH (fillfactor = 80)
    """,
    "CREATE INDEX signer_nonces_open ON signer_nonces (sender, nonce) WHERE ended_at IS NULL",
    "CREATE INDEX signer_nonces_taken ON signer_nonces (taken_at) WHERE withdrawal IS NOT NULL",
    # A deposit address is emptied by one payment at a time.
    (
        "CREATE UNIQUE INDEX signer_nonces_one_sweep ON signer_nonces (owner, asset, purpose) NULLS NOT DISTINCT "
        "WHERE owner IS NOT NULL AND ended_at IS NULL"
    ),
    # Every set of bytes that was ever signed; stored before it is sent.
    f"""
    CREATE TABLE broadcasts (
        sender text NOT NULL,
        nonce bigint NOT NULL,
        attempt smallint NOT NULL CHECK (attempt BETWEEN 1 AND 100),
        withdrawal bigint,
        raw bytea NOT NULL CHECK (length(raw) BETWEEN 80 AND 1000),
        hash text NOT NULL UNIQUE CHECK (hash {_HASH}),
        max_fee numeric NOT NULL CHECK (max_fee > 0),
        tip numeric NOT NULL CHECK (tip > 0 AND tip <= max_fee),
        made_at bigint NOT NULL,
        made_block bigint NOT NULL CHECK (made_block >= 0),
        sent_at bigint CHECK (sent_at >= made_at),
        PRIMARY KEY (sender, nonce, attempt),
        FOREIGN KEY (sender, nonce) REFERENCES signer_nonces,
        FOREIGN KEY (sender, nonce, withdrawal) REFERENCES signer_nonces (sender, nonce, withdrawal)
    ) WITH (fillfactor = 80)
    """,
    # The worker's mark of a pause that the operator was told of.
    "CREATE TABLE signer_alarms (at bigint PRIMARY KEY, reason text NOT NULL CHECK (length(reason) <= 2000))",
    (
        "CREATE TRIGGER broadcasts_are_final BEFORE DELETE OR TRUNCATE ON broadcasts "
        "FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_final()"
    ),
    (
        "CREATE TRIGGER signer_nonces_are_final BEFORE DELETE OR TRUNCATE ON signer_nonces "
        "FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_final()"
    ),
    # Signed bytes are as good as money to whoever sees them first: no other role reads them.
    "REVOKE SELECT ON broadcasts FROM kalos_app",
    """
    GRANT SELECT (sender, nonce, attempt, withdrawal, hash, max_fee, tip, made_at, made_block, sent_at)
    ON broadcasts TO kalos_app, kalos_writer
    """,
    "GRANT SELECT ON signer_state, signer_nonces TO kalos_app, kalos_writer",
    "GRANT INSERT ON signer_alarms TO kalos_app",
    f"GRANT SELECT ON {_READ}, signer_state, signer_nonces, broadcasts TO kalos_signer",
    "GRANT INSERT ON signer_nonces, broadcasts, broadcast_ends TO kalos_signer",
    (
        "GRANT UPDATE (paused, reason, by, at, waiting, hot, native_units, gas_low, looked_at, beat_at) "
        "ON signer_state TO kalos_signer"
    ),
    "GRANT UPDATE (ended_at, outcome, transaction) ON signer_nonces TO kalos_signer",
    "GRANT UPDATE (sent_at) ON broadcasts TO kalos_signer",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("what was signed is not forgotten: restore a backup")
