"""Hash games: heights that decide rounds, their limits, rounds and bets. All are written through postings alone."""

from alembic import op

revision = "0005_games"
down_revision = "0004_deposits"
branch_labels = None
depends_on = None

STATEMENTS = (
    # One row for all rounds that close at one time. What was published is never changed: no role may.
    """
    CREATE TABLE heights (
        closes_at bigint PRIMARY KEY CHECK (closes_at > 0 AND closes_at % 30000 = 0),
        serial bigint NOT NULL UNIQUE CHECK (serial > 0),
        height bigint NOT NULL UNIQUE CHECK (height > published_head),
        published_at bigint NOT NULL CHECK (published_at < closes_at),
        published_head bigint NOT NULL CHECK (published_head >= 0),
        block_seconds integer NOT NULL CHECK (block_seconds > 0),
        margin integer NOT NULL CHECK (margin > 0),
        state text NOT NULL CHECK (state IN ('open', 'sealed', 'drawn', 'settled', 'void')),
        rounds integer NOT NULL CHECK (rounds > 0),
        draws integer NOT NULL CHECK (draws >= 0),
        sealed_at bigint,
        block_hash text CHECK (block_hash ~ '^0x[0-9a-f]{64}$'),
        block_parent text CHECK (block_parent ~ '^0x[0-9a-f]{64}$'),
        block_time bigint,
        digit smallint CHECK (digit BETWEEN 0 AND 9),
        void_reason text CHECK (void_reason IN ('late_block', 'no_digit', 'no_block')),
        final_at bigint,
        settled_at bigint,
        CONSTRAINT heights_sealed CHECK ((state = 'open') = (sealed_at IS NULL)),
        CONSTRAINT heights_block CHECK (
            (block_hash IS NULL) = (block_time IS NULL) AND (block_hash IS NULL) = (block_parent IS NULL)
        ),
        CONSTRAINT heights_drawn CHECK (
            (state IN ('open', 'sealed') AND digit IS NULL AND void_reason IS NULL AND block_hash IS NULL)
            OR (state IN ('drawn', 'settled', 'void') AND (block_hash IS NOT NULL OR void_reason = 'no_block'))
        ),
        CONSTRAINT heights_final CHECK (final_at IS NULL OR state IN ('drawn', 'settled', 'void')),
        CONSTRAINT heights_settled CHECK (
            (settled_at IS NOT NULL) = (state IN ('settled', 'void')) AND (settled_at IS NULL OR final_at IS NOT NULL)
        ),
        CONSTRAINT heights_void CHECK (
            (state <> 'void' OR void_reason IS NOT NULL) AND (state <> 'settled' OR void_reason IS NULL)
        )
    )
    """,
    "CREATE INDEX heights_unsettled ON heights (closes_at) WHERE settled_at IS NULL",
    """
    CREATE FUNCTION heights_final() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF OLD.final_at IS NOT NULL AND (
            (NEW.block_hash, NEW.block_time, NEW.digit, NEW.void_reason, NEW.final_at)
            IS DISTINCT FROM (OLD.block_hash, OLD.block_time, OLD.digit, OLD.void_reason, OLD.final_at)
        ) THEN
            RAISE EXCEPTION 'the result of a height is final';
        END IF;
        RETURN NEW;
    END $$
    """,
    "CREATE TRIGGER heights_final BEFORE UPDATE ON heights FOR EACH ROW EXECUTE FUNCTION heights_final()",
    """
    CREATE TABLE height_limits (
        closes_at bigint NOT NULL REFERENCES heights,
        asset text NOT NULL CHECK (asset IN ('USDT', 'KLS')),
        units bigint NOT NULL CHECK (units > 0),
        PRIMARY KEY (closes_at, asset)
    )
    """,
    # `number` = closes_at + game number x 2000 + seconds: in the order of closing, without gaps to look up.
    """
    CREATE TABLE rounds (
        number bigint PRIMARY KEY,
        closes_at bigint NOT NULL REFERENCES heights,
        game text NOT NULL CHECK (game ~ '^[a-z0-9_]{1,32}$'),
        seconds integer NOT NULL CHECK (seconds > 0),
        opens_at bigint NOT NULL CHECK (opens_at < closes_at),
        bet_count bigint CHECK (bet_count >= 0),
        merkle_root text CHECK (merkle_root ~ '^[0-9a-f]{64}$'),
        pieces jsonb,
        CONSTRAINT rounds_root CHECK (
            (merkle_root IS NULL) = (bet_count IS NULL) AND (merkle_root IS NULL) = (pieces IS NULL)
        ),
        UNIQUE (closes_at, game, seconds)
    )
    """,
    "CREATE INDEX rounds_of_scene ON rounds (game, seconds, number)",
    """
    CREATE TABLE bets (
        id bigint PRIMARY KEY,
        hold bigint NOT NULL UNIQUE CHECK (hold = id * 8),
        at bigint NOT NULL CHECK (at < closes_at),
        member bigint NOT NULL CHECK (member >= 1000),
        round bigint NOT NULL REFERENCES rounds,
        closes_at bigint NOT NULL,
        game text NOT NULL,
        asset text NOT NULL CHECK (asset IN ('USDT', 'KLS')),
        option text NOT NULL CHECK (option ~ '^[a-z]{1,16}$'),
        units bigint NOT NULL CHECK (units > 0),
        multiple text NOT NULL CHECK (multiple ~ '^[1-9][0-9]?([.][0-9]{1,6})?$'),
        nonce text NOT NULL CHECK (nonce ~ '^[0-9a-f]{32}$'),
        status text NOT NULL CHECK (status IN ('awaiting_draw', 'won', 'not_won', 'void')),
        prize_units bigint,
        tie boolean NOT NULL,
        CONSTRAINT bets_prize CHECK (
            CASE status
                WHEN 'awaiting_draw' THEN prize_units IS NULL AND NOT tie
                WHEN 'won' THEN prize_units >= units AND NOT tie
                WHEN 'not_won' THEN prize_units = CASE WHEN tie THEN units ELSE 0 END
                ELSE prize_units = units AND NOT tie
            END
        )
    )
    """,
    "CREATE INDEX bets_of_member ON bets (member, id)",
    "CREATE INDEX bets_of_round ON bets (round, id)",
    "CREATE INDEX bets_awaiting ON bets (closes_at, id) WHERE status = 'awaiting_draw'",
    "GRANT SELECT ON heights, height_limits, rounds, bets TO kalos_app, kalos_writer",
    "GRANT INSERT ON heights, height_limits, rounds, bets TO kalos_writer",
    """
    GRANT UPDATE (state, rounds, draws, sealed_at, block_hash, block_parent, block_time, digit, void_reason,
        final_at, settled_at) ON heights TO kalos_writer
    """,
    "GRANT UPDATE (bet_count, merkle_root, pieces) ON rounds TO kalos_writer",
    "GRANT UPDATE (status, prize_units, tie) ON bets TO kalos_writer",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("bets are not taken down: restore a backup")
