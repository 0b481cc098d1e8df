"""Cursors of those who read the writer's outbox, pauses of facts that are delivered outside, and pruning."""

from alembic import op

revision = "0009_outboxes"
down_revision = "0008_watch"
branch_labels = None
depends_on = None

STATEMENTS = (
    # One row a consumer: the last fact whose effect is stored. `seen_at` is the wall's time of its last good step.
    """
    CREATE TABLE outbox_cursors (
        consumer text PRIMARY KEY CHECK (consumer ~ '^[a-z_.]{1,40}$'),
        last_fact bigint NOT NULL CHECK (last_fact >= 0),
        seen_at bigint NOT NULL
    ) WITH (fillfactor = 20)
    """,
    """
    CREATE FUNCTION outbox_cursors_go_on() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.last_fact < OLD.last_fact OR NEW.consumer <> OLD.consumer THEN
            RAISE EXCEPTION 'a cursor never goes back';
        END IF;
        RETURN NEW;
    END $$
    """,
    """
    CREATE TRIGGER outbox_cursors_go_on BEFORE UPDATE ON outbox_cursors
    FOR EACH ROW EXECUTE FUNCTION outbox_cursors_go_on()
    """,
    "GRANT SELECT ON outbox_cursors TO kalos_writer",
    "GRANT SELECT, INSERT, UPDATE ON outbox_cursors TO kalos_app",
    # Nobody may delete facts but through this: those of more than seven days that every consumer has read. One that
    # made no good step for thirty days doesn't count any more: else it would keep all facts for ever.
    """
    CREATE FUNCTION prune_outbox(most integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
        WITH times AS (
            SELECT wall, wall + (SELECT max(offset_ms) FROM clock) AS now
            FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS wall) AS one
        ), oldest AS (
            SELECT id, at FROM outbox ORDER BY id LIMIT most
        ), gone AS (
            DELETE FROM outbox o USING oldest, times
            WHERE o.id = oldest.id AND oldest.at < times.now - 7 * 86400000::bigint AND NOT EXISTS (
                SELECT FROM outbox_cursors c
                WHERE c.last_fact < oldest.id AND c.seen_at >= times.wall - 30 * 86400000::bigint
            )
            RETURNING 1
        )
        SELECT count(*) FROM gone
    $$
    """,
    "REVOKE EXECUTE ON FUNCTION prune_outbox(integer) FROM PUBLIC",
    "GRANT EXECUTE ON FUNCTION prune_outbox(integer) TO kalos_app",
    # A fact whose effect lies outside the database: how often it was tried in vain, and not before when it is again.
    """
    ALTER TABLE domain_outbox ADD COLUMN tries integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
        ADD COLUMN due_at bigint NOT NULL DEFAULT 0
    """,
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("cursors are not taken down: restore a backup")
