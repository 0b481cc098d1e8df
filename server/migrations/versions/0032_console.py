"""What settled bets returned, day by day."""

from alembic import op

revision = "0032_console"
down_revision = "0031_ticket_mails"
branch_labels = None
depends_on = None

STATEMENTS = (
    # Bets that won, lost or tied, counted once when their round is settled; what was void isn't among them.
    """
    CREATE TABLE game_returns (
        day date NOT NULL,
        game text NOT NULL,
        asset text NOT NULL,
        bets bigint NOT NULL CHECK (bets > 0),
        staked_units numeric(40) NOT NULL CHECK (staked_units > 0 AND staked_units <> 'NaN'),
        paid_units numeric(40) NOT NULL CHECK (paid_units >= 0 AND paid_units <> 'NaN'),
        last_at bigint NOT NULL CHECK (last_at > 0),
        PRIMARY KEY (day, game, asset)
    )
    """,
    """
    INSERT INTO game_returns (day, game, asset, bets, staked_units, paid_units, last_at)
    SELECT (to_timestamp(h.settled_at / 1000) AT TIME ZONE 'UTC' + interval '8 hours')::date, b.game, b.asset,
        count(*), sum(b.units), sum(b.prize_units), max(h.settled_at)
    FROM heights h JOIN rounds r USING (closes_at) JOIN bets b ON b.round = r.number
    WHERE h.settled_at IS NOT NULL AND b.status IN ('won', 'not_won') GROUP BY 1, 2, 3
    """,
    # Where rounds were settled before, they are counted above: the follower goes on behind them.
    """
    INSERT INTO outbox_cursors (consumer, last_fact, seen_at)
    SELECT 'returns', last_fact, (extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM ledger_tail
    WHERE EXISTS (SELECT FROM heights WHERE settled_at IS NOT NULL)
    """,
    "GRANT SELECT, INSERT, UPDATE ON game_returns TO kalos_app",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
