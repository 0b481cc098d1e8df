"""Payments on their way as the signer sees them, sums of what can be swept, and the writer's own clock."""

from alembic import op

revision = "0034_payments_seen"
down_revision = "0033_ticket_answers"
branch_labels = None
depends_on = None

_COUNTS = "status IN ('approved', 'pending_review', 'refused')"

STATEMENTS = (
    # Where a payment's transaction stands while it isn't final, and the newest block that its signer knew then.
    "ALTER TABLE signer_state ADD COLUMN head bigint CHECK (head >= 0)",
    """
    ALTER TABLE signer_nonces
        ADD COLUMN seen_hash text CHECK (seen_hash ~ '^0x[0-9a-f]{64}$'),
        ADD COLUMN seen_block bigint CHECK (seen_block >= 0),
        ADD CONSTRAINT signer_nonces_seen CHECK (num_nonnulls(seen_hash, seen_block) IN (0, 2))
    """,
    "GRANT UPDATE (head) ON signer_state TO kalos_signer",
    "GRANT UPDATE (seen_hash, seen_block) ON signer_nonces TO kalos_signer",
    # What came to a deposit address and counts from now on (or, below zero, no longer): the signer adds it up and
    # takes it away. Writer and signer share no row of it, so that neither waits for the other.
    """
    CREATE TABLE sweep_news (
        chain_id bigint NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        owner bigint NOT NULL,
        asset text NOT NULL,
        units numeric NOT NULL,
        PRIMARY KEY (chain_id, id)
    )
    """,
    # What came less what was swept; below zero where coins were swept before they counted.
    """
    CREATE TABLE sweep_sums (
        owner bigint NOT NULL,
        asset text NOT NULL,
        units numeric NOT NULL,
        PRIMARY KEY (owner, asset)
    ) WITH (fillfactor = 80)
    """,
    "CREATE INDEX sweep_sums_fullest ON sweep_sums (asset, units)",
    "CREATE INDEX signer_nonces_open_owner ON signer_nonces (owner) WHERE ended_at IS NULL",
    f"""
    INSERT INTO sweep_news (chain_id, owner, asset, units)
    SELECT chain_id, owner, asset, sum(units) FROM deposits WHERE {_COUNTS} GROUP BY chain_id, owner, asset
    """,
    """
    INSERT INTO sweep_sums (owner, asset, units)
    SELECT owner, asset, -sum(units) FROM signer_nonces
    WHERE purpose = 'sweep' AND outcome IS DISTINCT FROM 'failed' GROUP BY owner, asset
    """,
    # A deposit counts from when its block is final, whatever the house decides on it: its coins lie at the address.
    """
    CREATE FUNCTION deposits_tell_the_signer() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    BEGIN
        IF TG_OP = 'UPDATE' AND OLD.status IN ('approved', 'pending_review', 'refused') THEN
            INSERT INTO sweep_news (chain_id, owner, asset, units)
            VALUES (OLD.chain_id, OLD.owner, OLD.asset, -OLD.units);
        END IF;
        IF NEW.status IN ('approved', 'pending_review', 'refused') THEN
            INSERT INTO sweep_news (chain_id, owner, asset, units)
            VALUES (NEW.chain_id, NEW.owner, NEW.asset, NEW.units);
        END IF;
        RETURN NULL;
    END $$
    """,
    "REVOKE EXECUTE ON FUNCTION deposits_tell_the_signer() FROM PUBLIC",
    f"""
    CREATE TRIGGER deposits_tell_the_signer_first AFTER INSERT ON deposits
    FOR EACH ROW WHEN (NEW.{_COUNTS}) EXECUTE FUNCTION deposits_tell_the_signer()
    """,
    f"""
    CREATE TRIGGER deposits_tell_the_signer AFTER UPDATE ON deposits
    FOR EACH ROW WHEN (
        (OLD.{_COUNTS}, OLD.owner, OLD.asset, OLD.units) IS DISTINCT FROM
        (NEW.{_COUNTS}, NEW.owner, NEW.asset, NEW.units)
    ) EXECUTE FUNCTION deposits_tell_the_signer()
    """,
    "GRANT SELECT, DELETE ON sweep_news TO kalos_signer",
    "GRANT SELECT, INSERT, UPDATE ON sweep_sums TO kalos_signer",
    "GRANT SELECT ON sweep_news, sweep_sums TO kalos_app, kalos_writer",
    # When an address of the book was used last.
    "CREATE INDEX withdrawals_wallet ON withdrawals (wallet, requested_at)",
    # How far the writer's own clock is off the database's, at the least: it stamps what came before what.
    "ALTER TABLE writer_lease ADD COLUMN clock_off_ms bigint NOT NULL DEFAULT 0",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("what was signed is not forgotten: restore a backup")
