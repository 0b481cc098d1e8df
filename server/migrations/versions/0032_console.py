"""What settled bets returned, day by day; new passwords, authenticators and signing keys of staff by themselves."""

from alembic import op

revision = "0032_console"
down_revision = "0031_ticket_mails"
branch_labels = None
depends_on = None

STATEMENTS = (
    # Bets that won, lost or tied, counted once when their round is settled; what was void isn't among them.
    """
    CREATE TABLE game_returns (
        day date NOT NULL,
        game text NOT NULL,
        asset text NOT NULL,
        bets bigint NOT NULL CHECK (bets > 0),
        staked_units numeric(40) NOT NULL CHECK (staked_units > 0 AND staked_units <> 'NaN'),
        paid_units numeric(40) NOT NULL CHECK (paid_units >= 0 AND paid_units <> 'NaN'),
        last_at bigint NOT NULL CHECK (last_at > 0),
        PRIMARY KEY (day, game, asset)
    )
    """,
    """
    INSERT INTO game_returns (day, game, asset, bets, staked_units, paid_units, last_at)
    SELECT (to_timestamp(h.settled_at / 1000) AT TIME ZONE 'UTC' + interval '8 hours')::date, b.game, b.asset,
        count(*), sum(b.units), sum(b.prize_units), max(h.settled_at)
    FROM heights h JOIN rounds r USING (closes_at) JOIN bets b ON b.round = r.number
    WHERE h.settled_at IS NOT NULL AND b.status IN ('won', 'not_won') GROUP BY 1, 2, 3
    """,
    # Where rounds were settled before, they are counted above: the follower goes on behind them.
    """
    INSERT INTO outbox_cursors (consumer, last_fact, seen_at)
    SELECT 'returns', last_fact, (extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM ledger_tail
    WHERE EXISTS (SELECT FROM heights WHERE settled_at IS NOT NULL)
    """,
    "GRANT SELECT, INSERT, UPDATE ON game_returns TO kalos_app",
    # Every key that signatures of staff were ever proven with: a renewed one stays, and is nobody's again.
    """
    CREATE TABLE staff_keys (
        public_key bytea CONSTRAINT staff_keys_once PRIMARY KEY CHECK (length(public_key) = 32),
        staff bigint NOT NULL REFERENCES staff,
        since bigint NOT NULL
    )
    """,
    "CREATE INDEX staff_keys_staff ON staff_keys (staff, since)",
    """
    INSERT INTO staff_keys (public_key, staff, since)
    SELECT public_key, id, made_at FROM staff WHERE public_key IS NOT NULL
    """,
    # As the schema's owner: no process writes the list by itself.
    """
    CREATE FUNCTION keep_staff_key() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = pg_catalog, public, pg_temp AS $$
    BEGIN
        INSERT INTO staff_keys (public_key, staff, since)
        VALUES (NEW.public_key, NEW.id, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
        RETURN NULL;
    END $$
    """,
    "REVOKE ALL ON FUNCTION keep_staff_key() FROM PUBLIC",
    """
    CREATE TRIGGER staff_first_key AFTER INSERT ON staff FOR EACH ROW
        WHEN (NEW.public_key IS NOT NULL) EXECUTE FUNCTION keep_staff_key()
    """,
    """
    CREATE TRIGGER staff_next_key AFTER UPDATE OF public_key ON staff FOR EACH ROW
        WHEN (NEW.public_key IS NOT NULL AND NEW.public_key IS DISTINCT FROM OLD.public_key)
        EXECUTE FUNCTION keep_staff_key()
    """,
    """
    CREATE TRIGGER staff_keys_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON staff_keys
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()
    """,
    # An authenticator's secret that was shown and not confirmed yet; sealed as in `staff`.
    """
    CREATE TABLE staff_secrets (
        staff bigint PRIMARY KEY REFERENCES staff,
        sealed_secret bytea NOT NULL CHECK (length(sealed_secret) = 48),
        until_at bigint NOT NULL
    )
    """,
    "CREATE INDEX staff_secrets_until ON staff_secrets (until_at)",
    "GRANT SELECT ON staff_keys TO kalos_app",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON staff_secrets TO kalos_app",
    # Names, roles and who works here at all stay the owner's.
    "GRANT UPDATE (password_hash, totp_secret, public_key) ON staff TO kalos_app",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
