"""${message}: which tables, and who may write them."""

from alembic import op

revision = "${up_revision}"
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    # Several statements in one text are fine. A colon before a word, as in JSON, is written \\:
    op.execute("""
    """)
