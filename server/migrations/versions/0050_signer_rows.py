"""The signer reads withdrawals that may be paid, and none that has ended."""

from alembic import op

revision = "0050_signer_rows"
down_revision = "0049_reviewed_by_as_many"
branch_labels = None
depends_on = None

STATEMENTS = (
    "ALTER TABLE withdrawals ENABLE ROW LEVEL SECURITY",
    # Every role that is granted something on this table needs a policy of its own from now on.
    "CREATE POLICY withdrawals_of_the_house ON withdrawals TO kalos_app, kalos_writer USING (true)",
    # Those that wait for people, too: after a restored backup one of them may be paid on the chain already.
    """
    CREATE POLICY withdrawals_of_the_signer ON withdrawals FOR SELECT TO kalos_signer
        USING (status IN ('on_chain_processing', 'pending_review'))
    """,
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
