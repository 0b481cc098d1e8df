"""Prices that the operator orders, until there are markets to look at, and the pulse of chain and clocks."""

from alembic import op

revision = "0028_prices"
down_revision = "0027_operator"
branch_labels = None
depends_on = None

STATEMENTS = (
    # Who ordered what and why, for ever; the latest row of a coin counts. The console's orders name their command; the
    # first one of a coin may come from the machine itself.
    """
    CREATE TABLE price_orders (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        asset text NOT NULL CHECK (asset = 'KLS'),
        numerator bigint NOT NULL CHECK (numerator > 0),
        denominator bigint NOT NULL CHECK (denominator > 0),
        at bigint NOT NULL CHECK (at > 0),
        staff bigint,
        command bigint CONSTRAINT price_orders_command UNIQUE,
        ordered_by text NOT NULL CHECK (length(ordered_by) BETWEEN 1 AND 100),
        reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
        CONSTRAINT price_orders_by_console CHECK ((staff IS NULL) = (command IS NULL))
    )
    """,
    "CREATE INDEX price_orders_latest ON price_orders (asset, id DESC)",
    # Whoever writes here: orders of a coin come one after the other and in the order of their time, only the first one
    # has no command, and none is more than a fifth off the price that its business day (UTC+8) began with. How far an
    # operator may really go, and from which price the first day begins, are settings that the database doesn't know.
    """
    CREATE FUNCTION price_orders_keep_step() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
    DECLARE
        latest public.price_orders;
        began public.price_orders;
        day_start bigint := (NEW.at + 28800000) / 86400000 * 86400000 - 28800000;
    BEGIN
        PERFORM pg_advisory_xact_lock(hashtextextended('price ' || NEW.asset, 0));
        SELECT * INTO latest FROM price_orders WHERE asset = NEW.asset ORDER BY id DESC LIMIT 1;
        IF latest.id IS NULL THEN
            RETURN NEW;
        END IF;
        IF NEW.command IS NULL THEN
            RAISE EXCEPTION 'only the first price has no command' USING ERRCODE = 'check_violation',
                CONSTRAINT = 'price_orders_first', TABLE = 'price_orders';
        END IF;
        IF NEW.at < latest.at THEN
            RAISE EXCEPTION 'a price from before the latest' USING ERRCODE = 'check_violation',
                CONSTRAINT = 'price_orders_in_time', TABLE = 'price_orders';
        END IF;
        SELECT * INTO began FROM price_orders WHERE asset = NEW.asset AND at < day_start ORDER BY id DESC LIMIT 1;
        IF began.id IS NOT NULL AND abs(
            NEW.numerator::numeric * began.denominator - began.numerator::numeric * NEW.denominator
        ) * 5 > began.numerator::numeric * NEW.denominator THEN
            RAISE EXCEPTION 'a price too far off that of the day before' USING ERRCODE = 'check_violation',
                CONSTRAINT = 'price_orders_step', TABLE = 'price_orders';
        END IF;
        RETURN NEW;
    END $$
    """,
    """
    CREATE TRIGGER price_orders_keep_step BEFORE INSERT ON price_orders
    FOR EACH ROW EXECUTE FUNCTION price_orders_keep_step()
    """,
    "GRANT INSERT ON price_orders TO kalos_app",
    # One worker writes each second what it found, and goes on unless it was silent for some seconds.
    """
    CREATE TABLE chain_pulse (
        one boolean PRIMARY KEY CHECK (one),
        holder text CHECK (length(holder) BETWEEN 1 AND 64),
        beat_at timestamptz,
        reason text CHECK (reason IN ('nodes', 'late', 'block_time', 'clock')),
        since timestamptz,
        head bigint CHECK (head >= 0),
        clock_off_ms bigint NOT NULL DEFAULT 0,
        block_off_ms bigint NOT NULL DEFAULT 0,
        left_out integer NOT NULL DEFAULT 0 CHECK (left_out >= 0),
        faults text NOT NULL DEFAULT '' CHECK (length(faults) <= 4000),
        CONSTRAINT chain_pulse_since CHECK ((reason IS NULL) = (since IS NULL))
    ) WITH (fillfactor = 50)
    """,
    "INSERT INTO chain_pulse (one) VALUES (true)",
    "GRANT UPDATE ON chain_pulse TO kalos_app",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
