"""Business numbers that an operator changed while the platform runs."""

from alembic import op

revision = "0023_numbers"
down_revision = "0022_support"
branch_labels = None
depends_on = None

STATEMENTS = (
    # Who ordered what and why, for ever; the latest row of a name and country counts. Country '' is everywhere.
    """
    CREATE TABLE number_orders (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL CHECK (name ~ '^[a-z_]{2,40}$'),
        country text NOT NULL CHECK (country ~ '^([A-Z]{2})?$'),
        value integer NOT NULL CHECK (value >= 0),
        reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
        ordered_by text NOT NULL CHECK (length(ordered_by) BETWEEN 1 AND 100),
        at bigint NOT NULL,
        CONSTRAINT number_orders_country CHECK (country = '' OR name = 'age_min')
    )
    """,
    "CREATE INDEX number_orders_latest ON number_orders (name, country, id DESC)",
    "GRANT INSERT ON number_orders TO kalos_app",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
