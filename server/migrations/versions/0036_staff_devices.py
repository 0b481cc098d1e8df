"""Devices that staff have logged in with, and what was refused at the console's door, counted by the minute."""

from alembic import op

revision = "0036_staff_devices"
down_revision = "0035_returns"
branch_labels = None
depends_on = None

STATEMENTS = (
    """
    CREATE TABLE staff_devices (
        token_hash bytea NOT NULL CHECK (length(token_hash) = 32),
        staff bigint NOT NULL REFERENCES staff,
        last_at bigint NOT NULL,
        until_at bigint NOT NULL,
        PRIMARY KEY (token_hash, staff)
    )
    """,
    "CREATE INDEX staff_devices_staff ON staff_devices (staff, last_at)",
    "CREATE INDEX staff_devices_until ON staff_devices (until_at)",
    # Which of them a session was opened on: a renewal forgets the others. Sessions of before have none.
    "ALTER TABLE staff_sessions ADD device_hash bytea CHECK (length(device_hash) = 32)",
    # Until its minute is over and a row of the log says it. `staff` is null for names that nobody has.
    """
    CREATE TABLE staff_refusals (
        minute bigint NOT NULL CHECK (minute % 60000 = 0),
        act text NOT NULL CHECK (act ~ '^[a-z_.]{2,60}$'),
        staff bigint REFERENCES staff,
        network text NOT NULL CHECK (length(network) <= 100),
        wrong bigint NOT NULL CHECK (wrong >= 0),
        turned_away bigint NOT NULL CHECK (turned_away >= 0),
        on_known bigint NOT NULL CHECK (on_known BETWEEN 0 AND wrong + turned_away),
        CONSTRAINT staff_refusals_once UNIQUE NULLS NOT DISTINCT (minute, act, staff, network),
        CONSTRAINT staff_refusals_some CHECK (wrong + turned_away > 0)
    )
    """,
    "GRANT SELECT, INSERT, UPDATE, DELETE ON staff_devices, staff_refusals TO kalos_app",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
