"""Sums of an account's moves by kind up to a version: a long history is walked once. All of it follows from the journal."""

from alembic import op

revision = "0043_ledger_sums"
down_revision = "0042_frozen_by_house"
branch_labels = None
depends_on = None

STATEMENTS = (
    """
    CREATE TABLE ledger_sums (
        account bigint PRIMARY KEY,
        version bigint NOT NULL CHECK (version >= 1),
        kinds text[] NOT NULL,
        units numeric[] NOT NULL,
        CONSTRAINT ledger_sums_pairs CHECK (cardinality(kinds) = cardinality(units))
    )
    """,
    "GRANT SELECT ON ledger_sums TO kalos_writer",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ledger_sums TO kalos_app",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
