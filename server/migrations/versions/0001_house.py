"""What every room stands on: facts of the installation, business time, facts of domains, keys and counters of the wire."""

from alembic import op

revision = "0001_house"
down_revision = None
branch_labels = None
depends_on = None

STATEMENTS = (
    "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO kalos_app",
    # What is fixed when the house is first opened, such as its chain and its day of birth.
    """
    CREATE TABLE installation (
        name text PRIMARY KEY CHECK (name ~ '^[a-z_]{1,40}$'),
        value text NOT NULL CHECK (length(value) <= 1000)
    )
    """,
    # One row: what business time runs ahead of the wall. It never falls.
    """
    CREATE TABLE clock (
        id smallint PRIMARY KEY CHECK (id = 1),
        offset_ms bigint NOT NULL CHECK (offset_ms >= 0)
    )
    """,
    "INSERT INTO clock (id, offset_ms) VALUES (1, 0)",
    """
    CREATE FUNCTION clock_never_falls() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.offset_ms < OLD.offset_ms THEN
            RAISE EXCEPTION 'business time never goes back';
        END IF;
        RETURN NEW;
    END $$
    """,
    "CREATE TRIGGER clock_never_falls BEFORE UPDATE ON clock FOR EACH ROW EXECUTE FUNCTION clock_never_falls()",
    # Facts of tables that aren't the ledger's: read with SKIP LOCKED, marked when their effect is stored.
    """
    CREATE TABLE domain_outbox (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        topic text NOT NULL CHECK (topic ~ '^[a-z_.]{1,40}$'),
        body jsonb NOT NULL,
        at bigint NOT NULL,
        done_at bigint
    )
    """,
    "CREATE INDEX domain_outbox_waiting ON domain_outbox (topic, id) WHERE done_at IS NULL",
    # The keys that pages open channels with, and those that channel tickets are sealed under; both lie here
    # sealed under the installation's secret, and their rows go when they end.
    """
    CREATE TABLE wire_keys (
        kid text PRIMARY KEY CHECK (kid ~ '^[A-Za-z0-9_-]{1,32}$'),
        public_key bytea NOT NULL CHECK (length(public_key) = 65),
        sealed_key bytea NOT NULL,
        from_at bigint NOT NULL,
        until_at bigint NOT NULL CHECK (until_at > from_at)
    )
    """,
    """
    CREATE TABLE wire_ticket_keys (
        kid bytea PRIMARY KEY CHECK (length(kid) = 8),
        sealed_key bytea NOT NULL,
        from_at bigint NOT NULL,
        until_at bigint NOT NULL CHECK (until_at > from_at)
    )
    """,
    # Not logged: after a crash of PostgreSQL they are empty. A money call is kept from doubling by its request id.
    "CREATE UNLOGGED TABLE wire_nonces (nonce bytea PRIMARY KEY CHECK (length(nonce) = 16), until_at bigint NOT NULL)",
    "CREATE INDEX wire_nonces_until ON wire_nonces (until_at)",
    """
    CREATE UNLOGGED TABLE limits (
        name text NOT NULL CHECK (length(name) <= 100),
        slot bigint NOT NULL,
        used integer NOT NULL CHECK (used >= 0),
        until_at bigint NOT NULL,
        PRIMARY KEY (name, slot)
    ) WITH (fillfactor = 50)
    """,
    "CREATE INDEX limits_until ON limits (until_at)",
    "GRANT SELECT ON installation, clock, domain_outbox TO kalos_app, kalos_writer",
    "GRANT INSERT ON installation TO kalos_app",
    "GRANT UPDATE ON clock TO kalos_app",
    "GRANT INSERT, UPDATE, DELETE ON domain_outbox TO kalos_app",
    "GRANT SELECT, INSERT, DELETE ON wire_keys, wire_ticket_keys, wire_nonces TO kalos_app",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON limits TO kalos_app",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
