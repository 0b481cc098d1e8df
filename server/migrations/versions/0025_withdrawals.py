"""Withdrawals: what members asked for, who looked at it, and how it ended on the chain."""

from alembic import op

revision = "0025_withdrawals"
down_revision = "0024_closed_top_ups"
branch_labels = None
depends_on = None

STATEMENTS = (
    # A role of the whole server, so another database may have made it; the signer's own set-up gives it its login.
    """
    DO $$ BEGIN
        CREATE ROLE kalos_signer NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END $$
    """,
    # `revision` counts the changes of a row: each is one posting under a key of its own. `price_*` is the price of KLS
    # that fee and value were made with, `free_units` what was taken of the room without an approved identity, `day` the
    # business day whose room it is.
    """
    CREATE TABLE withdrawals (
        id bigint PRIMARY KEY,
        revision integer NOT NULL CHECK (revision >= 1),
        member bigint NOT NULL,
        account text NOT NULL CHECK (account ~ '^[0-9]{8}$'),
        asset text NOT NULL CHECK (asset IN ('USDT', 'KLS')),
        units bigint NOT NULL CHECK (units > 0),
        chain_id bigint NOT NULL CHECK (chain_id > 0),
        address text NOT NULL CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
        wallet bigint NOT NULL,
        label text NOT NULL,
        fee_units bigint NOT NULL CHECK (fee_units >= 0),
        fee_rate text NOT NULL CHECK (fee_rate ~ '^0(\\.[0-9]+)?$'),
        price_numerator bigint NOT NULL CHECK (price_numerator > 0),
        price_denominator bigint NOT NULL CHECK (price_denominator > 0),
        price_source text NOT NULL,
        price_at bigint NOT NULL,
        value_units bigint NOT NULL CHECK (value_units > 0),
        free_units bigint NOT NULL,
        day date NOT NULL,
        hold bigint NOT NULL,
        fee_hold bigint GENERATED ALWAYS AS (CASE WHEN fee_units > 0 THEN hold + 1 END) STORED,
        status text NOT NULL
            CHECK (status IN ('pending_review', 'on_chain_processing', 'approved', 'refused', 'failed')),
        needed smallint NOT NULL CHECK (needed BETWEEN 0 AND 2),
        risks jsonb NOT NULL CHECK (jsonb_typeof(risks) = 'array'),
        reason text CHECK (length(reason) BETWEEN 1 AND 1000),
        lang text NOT NULL,
        requested_at bigint NOT NULL,
        changed_at bigint NOT NULL,
        decided_at bigint,
        transaction text CHECK (transaction ~ '^0x[0-9a-f]{64}$'),
        CONSTRAINT withdrawals_free CHECK (free_units IN (0, value_units)),
        CONSTRAINT withdrawals_hold CHECK (hold = id * 8),
        CONSTRAINT withdrawals_times CHECK (changed_at >= requested_at),
        CONSTRAINT withdrawals_reviewed CHECK (needed > 0 OR status NOT IN ('pending_review', 'refused')),
        CONSTRAINT withdrawals_risky CHECK (needed > 0 OR jsonb_array_length(risks) = 0),
        CONSTRAINT withdrawals_decided CHECK ((status = 'pending_review') = (decided_at IS NULL)),
        CONSTRAINT withdrawals_explained CHECK ((status IN ('refused', 'failed')) = (reason IS NOT NULL)),
        CONSTRAINT withdrawals_sent CHECK (
            CASE status WHEN 'approved' THEN transaction IS NOT NULL WHEN 'failed' THEN true ELSE transaction IS NULL END
        )
    ) WITH (fillfactor = 80)
    """,
    "CREATE INDEX withdrawals_member ON withdrawals (member, id)",
    "CREATE INDEX withdrawals_member_at ON withdrawals (member, requested_at)",
    "CREATE UNIQUE INDEX withdrawals_fee_hold ON withdrawals (fee_hold)",
    "CREATE INDEX withdrawals_status ON withdrawals (status, id)",
    # What must still be so when the ledger accepts it, whoever changed it since the call looked: the entry stands in
    # the book and has waited, the account is open and not frozen, nothing holds withdrawals. KL003 is how a rider says
    # that a row isn't as expected. Rows are read, not locked, and no foreign key locks them: a waiting writer stops all.
    """
    CREATE FUNCTION withdrawals_are_allowed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM withdrawal_addresses a WHERE a.id = NEW.wallet AND a.member = NEW.member
                AND a.chain = NEW.chain_id AND a.address = NEW.address AND a.removed_at IS NULL
                AND a.usable_at <= NEW.requested_at
        ) OR NOT EXISTS (
            SELECT FROM members m WHERE m.id = NEW.member AND m.closed_at IS NULL AND m.frozen_at IS NULL
        ) OR EXISTS (
            SELECT FROM security_events e WHERE e.member = NEW.member AND e.held_until > NEW.requested_at
        ) THEN
            RAISE EXCEPTION USING ERRCODE = 'KL003', MESSAGE = 'a withdrawal that is not allowed', TABLE = 'withdrawals';
        END IF;
        RETURN NEW;
    END $$
    """,
    "REVOKE EXECUTE ON FUNCTION withdrawals_are_allowed() FROM PUBLIC",
    """
    CREATE TRIGGER withdrawals_are_allowed BEFORE INSERT ON withdrawals
    FOR EACH ROW EXECUTE FUNCTION withdrawals_are_allowed()
    """,
    # What leaves a final state would be paid twice or given back twice.
    """
    CREATE FUNCTION withdrawals_go_on() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION USING ERRCODE = 'KL003', MESSAGE = 'a withdrawal goes no such way', TABLE = 'withdrawals';
    END $$
    """,
    """
    CREATE TRIGGER withdrawals_go_on BEFORE UPDATE ON withdrawals FOR EACH ROW
    WHEN (
        NEW.revision <> OLD.revision + 1 OR OLD.status IN ('approved', 'refused', 'failed')
        OR (OLD.status = 'on_chain_processing' AND NEW.status NOT IN ('approved', 'failed'))
        OR (OLD.status = 'pending_review' AND NEW.status NOT IN ('pending_review', 'on_chain_processing', 'refused'))
    )
    EXECUTE FUNCTION withdrawals_go_on()
    """,
    # The key keeps the first reviewer from being the second. A yes bears an Ed25519 signature of what was looked at.
    """
    CREATE TABLE withdrawal_reviews (
        withdrawal bigint NOT NULL REFERENCES withdrawals,
        staff bigint NOT NULL,
        verdict text NOT NULL CHECK (verdict IN ('yes', 'no')),
        reason text NOT NULL CHECK (length(reason) <= 1000),
        signature bytea CHECK (length(signature) = 64),
        at bigint NOT NULL,
        PRIMARY KEY (withdrawal, staff),
        CONSTRAINT withdrawal_reviews_signed CHECK (verdict = 'no' OR signature IS NOT NULL)
    )
    """,
    # The signer's final word on a withdrawal: written once, by its own role alone.
    """
    CREATE TABLE broadcast_ends (
        withdrawal bigint PRIMARY KEY REFERENCES withdrawals,
        outcome text NOT NULL CHECK (outcome IN ('approved', 'failed')),
        transaction text NOT NULL CHECK (transaction ~ '^0x[0-9a-f]{64}$'),
        block bigint NOT NULL CHECK (block >= 0),
        at bigint NOT NULL
    )
    """,
    # Whose second factor was shown for a request: sent again, the same body needs no new code.
    """
    CREATE TABLE withdrawal_proofs (
        member bigint NOT NULL REFERENCES members,
        request_id text NOT NULL CHECK (length(request_id) BETWEEN 16 AND 64),
        request_hash bytea NOT NULL CHECK (length(request_hash) = 32),
        until_at bigint NOT NULL,
        PRIMARY KEY (member, request_id)
    )
    """,
    "CREATE INDEX withdrawal_proofs_until ON withdrawal_proofs (until_at)",
    "GRANT SELECT ON withdrawals, withdrawal_reviews TO kalos_app, kalos_writer, kalos_signer",
    "GRANT SELECT ON broadcast_ends TO kalos_app, kalos_signer",
    "GRANT INSERT ON broadcast_ends TO kalos_signer",
    "GRANT INSERT ON withdrawals, withdrawal_reviews TO kalos_writer",
    """
    GRANT UPDATE (revision, status, reason, changed_at, decided_at, transaction) ON withdrawals TO kalos_writer
    """,
    "GRANT SELECT, INSERT, DELETE ON withdrawal_proofs TO kalos_app",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("withdrawals are not taken down: restore a backup")
