"""Beside each stored value the price that it was made with: of turnover, and of what the signer's sums count."""

from alembic import op

revision = "0048_valued_at"
down_revision = "0047_watch_facts"
branch_labels = None
depends_on = None

STATEMENTS = (
    # Which moves of the ledger were counted at which price: a day's turnover adds up many, so it can't have it itself.
    # What was counted before has no row.
    """
    CREATE TABLE turnover_prices (
        first_move bigint PRIMARY KEY CHECK (first_move >= 1),
        last_move bigint NOT NULL,
        asset text NOT NULL,
        numerator bigint NOT NULL CHECK (numerator > 0),
        denominator bigint NOT NULL CHECK (denominator > 0),
        at bigint NOT NULL,
        source text NOT NULL CHECK (length(source) BETWEEN 1 AND 40),
        CONSTRAINT turnover_prices_moves CHECK (last_move >= first_move)
    ) WITH (fillfactor = 20)
    """,
    "GRANT INSERT, UPDATE (last_move) ON turnover_prices TO kalos_app",
    # Null in rows of before, and where no price made the value: of USDT, and of what counts for nothing.
    """
    ALTER TABLE signer_nonces
        ADD COLUMN price_numerator bigint CHECK (price_numerator > 0),
        ADD COLUMN price_denominator bigint CHECK (price_denominator > 0),
        ADD COLUMN price_at bigint,
        ADD COLUMN price_source text CHECK (length(price_source) BETWEEN 1 AND 40),
        ADD CONSTRAINT signer_nonces_price CHECK (
            num_nonnulls(price_numerator, price_denominator, price_at, price_source) IN (0, 4))
    """,
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("values keep their prices: restore a backup")
