"""Each review names who spoke before in its round: that the second is another person is a CHECK of one row."""

from alembic import op

revision = "0062_another_reviewer"
down_revision = "0061_young_address"
branch_labels = None
depends_on = None

STATEMENTS = (
    "ALTER TABLE withdrawal_reviews ADD COLUMN follows bigint",
    """
    UPDATE withdrawal_reviews r SET follows = said.before
    FROM (
        SELECT withdrawal, round, staff, lag(staff) OVER (PARTITION BY withdrawal, round ORDER BY at, staff) AS before
        FROM withdrawal_reviews
    ) AS said
    WHERE (r.withdrawal, r.round, r.staff) = (said.withdrawal, said.round, said.staff) AND said.before IS NOT NULL
    """,
    # One alone is the first of a round, and one alone follows each: nobody leaves out whom they follow.
    """
    ALTER TABLE withdrawal_reviews
        ADD CONSTRAINT withdrawal_reviews_another CHECK (follows <> staff),
        ADD CONSTRAINT withdrawal_reviews_in_turn UNIQUE NULLS NOT DISTINCT (withdrawal, round, follows),
        ADD CONSTRAINT withdrawal_reviews_follows FOREIGN KEY (withdrawal, round, follows)
            REFERENCES withdrawal_reviews (withdrawal, round, staff)
    """,
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("withdrawals are not taken down: restore a backup")
