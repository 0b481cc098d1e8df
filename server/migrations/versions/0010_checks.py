"""The ledger's checks in fewer words: PostgreSQL reads each anew with every statement, and runs it for every row."""

from alembic import op

revision = "0010_checks"
down_revision = "0009_outboxes"
branch_labels = None
depends_on = None

CHECKS = (
    # Accounts of the outside world, the only ones below zero, are those under 2 << 16; there are none under 1 << 16.
    ("accounts", "accounts_never_negative", "balance >= 0 OR id < 131072"),
    (
        "journal",
        "journal_never_negative",
        "(from_balance >= 0 OR from_id < 131072) AND (to_balance >= 0 OR to_id < 131072)",
    ),
    ("journal", "journal_one_asset", "(from_id # to_id) & 65280 = 0"),
    # Where a number is NULL the comparison is, too: not true.
    ("quotas", "quotas_never_negative", "(0 <= ALL (left_units)) IS TRUE"),
    ("quotas", "quotas_size", "array_ndims(left_units) = 1 AND cardinality(left_units) BETWEEN 1 AND 16"),
    ("outbox", "outbox_topic_check", "length(topic) BETWEEN 1 AND 40"),
)


def upgrade() -> None:
    for table, name, check in CHECKS:
        op.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}, ADD CONSTRAINT {name} CHECK ({check})")


def downgrade() -> None:
    raise NotImplementedError("the ledger is not taken down: restore a backup")
