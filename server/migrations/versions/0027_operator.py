"""The operator's console: staff and their sessions, the chained log, commands of a maker and a checker, corrections."""

from alembic import op

revision = "0027_operator"
down_revision = "0026_signer"
branch_labels = None
depends_on = None

STATEMENTS = (
    # Written by the schema's owner alone (`kalos staff`): no process can make itself an operator. A number of staff is
    # never a member's.
    """
    CREATE TABLE staff (
        id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 999) PRIMARY KEY,
        name text NOT NULL CONSTRAINT staff_name UNIQUE CHECK (name ~ '^[a-z][a-z0-9_-]{1,30}$'),
        password_hash text NOT NULL,
        totp_secret bytea NOT NULL CHECK (length(totp_secret) = 48),
        last_step bigint NOT NULL DEFAULT 0,
        roles text[] NOT NULL,
        public_key bytea CONSTRAINT staff_public_key UNIQUE CHECK (length(public_key) = 32),
        is_active boolean NOT NULL DEFAULT true,
        made_at bigint NOT NULL,
        CONSTRAINT staff_roles CHECK (cardinality(roles) > 0 AND roles <@ ARRAY['support', 'reviewer', 'treasurer',
            'content', 'auditor', 'owner'])
    )
    """,
    """
    CREATE TABLE staff_sessions (
        token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
        staff bigint NOT NULL REFERENCES staff,
        network text NOT NULL,
        device text NOT NULL,
        made_at bigint NOT NULL,
        idle_until bigint NOT NULL,
        until_at bigint NOT NULL,
        CONSTRAINT staff_sessions_idle CHECK (idle_until <= until_at)
    )
    """,
    "CREATE INDEX staff_sessions_staff ON staff_sessions (staff)",
    "CREATE INDEX staff_sessions_until ON staff_sessions (until_at)",
    # Each row's hash is of the row and of the hash before it: a row that is changed, left out or put between shows.
    """
    CREATE TABLE operator_audit (
        id bigint PRIMARY KEY CHECK (id > 0),
        at bigint NOT NULL,
        staff bigint REFERENCES staff,
        name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
        act text NOT NULL CHECK (act ~ '^[a-z_.]{2,60}$'),
        object text NOT NULL CHECK (length(object) BETWEEN 1 AND 200),
        before jsonb NOT NULL,
        after jsonb NOT NULL,
        previous bytea NOT NULL CONSTRAINT operator_audit_chain UNIQUE CHECK (length(previous) = 32),
        hash bytea NOT NULL CONSTRAINT operator_audit_hash UNIQUE CHECK (length(hash) = 32)
    )
    """,
    """
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '% is only ever added to', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
    END $$
    """,
    """
    CREATE TRIGGER operator_audit_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_audit
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()
    """,
    # What one person orders and, where two are asked, another one signs. Of two open ones of an object one waits.
    """
    CREATE TABLE commands (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        kind text NOT NULL CHECK (kind ~ '^[a-z_]{2,40}$'),
        object text NOT NULL CHECK (length(object) BETWEEN 1 AND 200),
        state text NOT NULL CHECK (state IN ('open', 'signed', 'carried_out', 'refused', 'expired')),
        body jsonb NOT NULL,
        before jsonb NOT NULL,
        after jsonb NOT NULL,
        version text NOT NULL CHECK (length(version) BETWEEN 1 AND 64),
        reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
        signers smallint NOT NULL CHECK (signers IN (1, 2)),
        maker bigint NOT NULL REFERENCES staff,
        made_at bigint NOT NULL,
        expires_at bigint NOT NULL,
        checker bigint REFERENCES staff,
        refused_by bigint REFERENCES staff,
        outcome text,
        decided_at bigint,
        CONSTRAINT commands_two_people CHECK (checker <> maker),
        CONSTRAINT commands_signed CHECK (state NOT IN ('signed', 'carried_out') OR signers = 1 OR checker IS NOT NULL),
        CONSTRAINT commands_decided CHECK ((state = 'open') = (decided_at IS NULL)),
        CONSTRAINT commands_ends CHECK (expires_at > made_at)
    )
    """,
    "CREATE UNIQUE INDEX commands_one_open ON commands (object) WHERE state IN ('open', 'signed')",
    "CREATE INDEX commands_waiting ON commands (state, expires_at) WHERE state IN ('open', 'signed')",
    # What a request of staff was answered: whoever sends it again gets the same.
    """
    CREATE TABLE staff_requests (
        key bytea PRIMARY KEY CHECK (length(key) = 32),
        fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32),
        answer text NOT NULL,
        at bigint NOT NULL
    )
    """,
    # By a rider of the posting itself: which command, who, why. A refused one has its row, too: its key is used up.
    """
    CREATE TABLE corrections (
        id bigint PRIMARY KEY,
        command bigint NOT NULL CONSTRAINT corrections_once UNIQUE,
        outcome text NOT NULL CHECK (outcome IN ('moved', 'refused')),
        asset text NOT NULL,
        units bigint NOT NULL CHECK (units > 0),
        source bigint NOT NULL,
        target bigint NOT NULL,
        maker text NOT NULL,
        checker text NOT NULL,
        reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
        at bigint NOT NULL,
        CONSTRAINT corrections_two_people CHECK (checker <> maker),
        CONSTRAINT corrections_moves CHECK (source <> target)
    )
    """,
    # A number may be an amount or a rate (units of its scale), and one for each asset.
    "ALTER TABLE number_orders ALTER value TYPE bigint",
    "ALTER TABLE number_orders DROP CONSTRAINT number_orders_name_check",
    """
    ALTER TABLE number_orders ADD CONSTRAINT number_orders_name
        CHECK (name ~ '^[a-z][a-z0-9_]{1,39}(\\.[A-Z]{2,6})?$')
    """,
    "ALTER TABLE number_orders ADD checker text CHECK (length(checker) BETWEEN 1 AND 100)",
    "ALTER TABLE switches ADD checker text CHECK (length(checker) BETWEEN 1 AND 100)",
    "GRANT SELECT ON staff, staff_sessions, operator_audit, commands, staff_requests, corrections TO kalos_app",
    "GRANT UPDATE (last_step) ON staff TO kalos_app",
    "GRANT INSERT, DELETE ON staff_sessions TO kalos_app",
    "GRANT UPDATE (idle_until) ON staff_sessions TO kalos_app",
    "GRANT INSERT ON operator_audit, commands, staff_requests TO kalos_app",
    "GRANT UPDATE (state, checker, refused_by, outcome, decided_at) ON commands TO kalos_app",
    "GRANT SELECT, INSERT ON corrections TO kalos_writer",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
