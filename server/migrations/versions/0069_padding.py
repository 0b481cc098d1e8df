"""Rows of accounts and quotas are born wider than they stay, so that their pages have room and are seldom pruned.

A page is pruned at each touch once it has less room than new rows leave in it (fillfactor). What new rows left was used up by
the first change, so nearly every change pruned. Now the first change of each row gives its page the padding's room besides.
"""

from alembic import op

revision = "0069_padding"
down_revision = "0068_wire_keys_stay"
branch_labels = None
depends_on = None

TABLES = ("accounts", "quotas")


def upgrade() -> None:
    for table in TABLES:
        op.execute(f"ALTER TABLE {table} ADD COLUMN padding text")
        op.execute(f"ALTER TABLE {table} SET (fillfactor = 60)")
        op.execute(f"GRANT UPDATE (padding) ON {table} TO kalos_writer")


def downgrade() -> None:
    for table in TABLES:
        op.execute(f"ALTER TABLE {table} DROP COLUMN padding")
        op.execute(f"ALTER TABLE {table} SET (fillfactor = 50)")
