"""What any visitor makes with a call is stored without the database's log: neither archive nor standby keeps it."""

from alembic import op

revision = "0059_unlogged"
down_revision = "0058_tones"
branch_labels = None
depends_on = None

_DRAWN = ("captchas", "slides", "slide_proofs", "wallet_nonces")


def upgrade() -> None:
    for table in _DRAWN:
        op.execute(f"ALTER TABLE {table} SET UNLOGGED")


def downgrade() -> None:
    for table in _DRAWN:
        op.execute(f"ALTER TABLE {table} SET LOGGED")
