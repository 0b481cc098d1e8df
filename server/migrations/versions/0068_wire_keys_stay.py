"""The wire's keys are in no log and no backup: what is destroyed after two days is gone then.

A crash of the server empties such tables: new keys are made at once, and pages open new channels.
"""

from alembic import op

revision = "0068_wire_keys_stay"
down_revision = "0067_code_askers"
branch_labels = None
depends_on = None

STATEMENTS = (
    "ALTER TABLE wire_keys SET UNLOGGED",
    "ALTER TABLE wire_ticket_keys SET UNLOGGED",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement.replace("UNLOGGED", "LOGGED"))
