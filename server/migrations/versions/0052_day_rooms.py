"""What a business day's room of a member began with stands beside each withdrawal: so rows explain its quota."""

from alembic import op

revision = "0052_day_rooms"
down_revision = "0051_drawn"
branch_labels = None
depends_on = None

STATEMENTS = (
    # The room as it was planned, in units of USDT: of the day's first withdrawal it is what the quota began with. Of
    # earlier rows all of a day have what is left of it and what they took.
    """
    ALTER TABLE withdrawals
        ADD COLUMN day_value_units bigint NOT NULL DEFAULT 0 CHECK (day_value_units >= 0),
        ADD COLUMN day_free_units bigint NOT NULL DEFAULT 0 CHECK (day_free_units >= 0)
    """,
    "ALTER TABLE withdrawals DISABLE TRIGGER USER",
    """
    UPDATE withdrawals w SET day_value_units = began.value_units, day_free_units = began.free_units
    FROM (
        SELECT t.member, t.day, coalesce(q.left_units[1], 0) + t.value_units AS value_units,
            coalesce(q.left_units[2], 0) + t.free_units AS free_units
        FROM (
            SELECT member, day,
                coalesce(sum(value_units) FILTER (WHERE status NOT IN ('refused', 'failed')), 0) AS value_units,
                coalesce(sum(free_units) FILTER (WHERE status NOT IN ('refused', 'failed')), 0) AS free_units
            FROM withdrawals GROUP BY member, day
        ) AS t LEFT JOIN quotas q ON q.id = 'withdraw.day:' || t.member || ':' || to_char(t.day, 'YYYY-MM-DD')
    ) AS began WHERE (began.member, began.day) = (w.member, w.day)
    """,
    "ALTER TABLE withdrawals ENABLE TRIGGER USER",
    """
    ALTER TABLE withdrawals ALTER COLUMN day_value_units DROP DEFAULT, ALTER COLUMN day_free_units DROP DEFAULT
    """,
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("withdrawals are not taken down: restore a backup")
