"""Every order of a price is two people's: also the first one comes from a command of the console."""

from alembic import op

revision = "0055_two_for_a_price"
down_revision = "0054_addresses"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # A first one that the machine has ordered by itself stays as it is: nobody's row is changed.
    op.execute(
        "ALTER TABLE price_orders ADD CONSTRAINT price_orders_of_two CHECK (command IS NOT NULL AND staff IS NOT NULL) "
        "NOT VALID"
    )


def downgrade() -> None:
    raise NotImplementedError("a price stays two people's: restore a backup")
