"""Teams: what each member and everybody below them has turned over, kept up the line."""

from alembic import op

revision = "0021_teams"
down_revision = "0020_security"
branch_labels = None
depends_on = None

STATEMENTS = (
    # A member's own turnover, that of everybody below them, and the largest of their direct lines, in units of USDT;
    # the figures of a month are those of `month` (year * 12 + month) alone. One job changes all but the first columns.
    """
    CREATE TABLE teams (
        member bigint PRIMARY KEY REFERENCES members,
        inviter bigint,
        is_counted boolean NOT NULL DEFAULT false,
        own_units bigint NOT NULL DEFAULT 0 CHECK (own_units >= 0),
        team_units bigint NOT NULL DEFAULT 0 CHECK (team_units >= 0),
        large_units bigint NOT NULL DEFAULT 0 CHECK (large_units >= 0),
        month integer NOT NULL DEFAULT 0 CHECK (month >= 0),
        own_month_units bigint NOT NULL DEFAULT 0 CHECK (own_month_units >= 0),
        team_month_units bigint NOT NULL DEFAULT 0 CHECK (team_month_units >= 0),
        direct_users bigint NOT NULL DEFAULT 0 CHECK (direct_users >= 0),
        team_users bigint NOT NULL DEFAULT 0,
        CONSTRAINT teams_line CHECK (large_units <= team_units),
        CONSTRAINT teams_users CHECK (team_users >= direct_users)
    ) WITH (fillfactor = 50)
    """,
    "CREATE INDEX teams_direct ON teams (inviter, member) WHERE is_counted",
    "CREATE INDEX teams_uncounted ON teams (member) WHERE NOT is_counted",
    # Made with its member by the database itself: nobody comes in without being counted.
    """
    CREATE FUNCTION members_join() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO teams (member, inviter) VALUES (NEW.id, NEW.inviter);
        RETURN NULL;
    END $$
    """,
    "CREATE TRIGGER members_join AFTER INSERT ON members FOR EACH ROW EXECUTE FUNCTION members_join()",
    "INSERT INTO teams (member, inviter) SELECT id, inviter FROM members",
    """
    CREATE FUNCTION members_inviter_stays() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'an inviter never changes';
    END $$
    """,
    """
    CREATE TRIGGER members_inviter_stays AFTER UPDATE ON members
    FOR EACH ROW WHEN (NEW.inviter IS DISTINCT FROM OLD.inviter) EXECUTE FUNCTION members_inviter_stays()
    """,
    """
    CREATE TABLE turnover_days (
        day date NOT NULL,
        member bigint NOT NULL REFERENCES members,
        units bigint NOT NULL CHECK (units > 0),
        PRIMARY KEY (day, member)
    ) WITH (fillfactor = 80)
    """,
    # One row: the last move of the ledger that is counted.
    """
    CREATE TABLE teams_cursor (
        one boolean PRIMARY KEY CHECK (one),
        last_move bigint NOT NULL CHECK (last_move >= 0)
    ) WITH (fillfactor = 20)
    """,
    "INSERT INTO teams_cursor (one, last_move) VALUES (true, 0)",
    """
    CREATE FUNCTION teams_cursor_goes_on() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'a cursor never goes back';
    END $$
    """,
    """
    CREATE TRIGGER teams_cursor_goes_on BEFORE UPDATE ON teams_cursor
    FOR EACH ROW WHEN (NEW.last_move < OLD.last_move) EXECUTE FUNCTION teams_cursor_goes_on()
    """,
    "GRANT INSERT, UPDATE ON teams TO kalos_app",
    "GRANT INSERT, UPDATE, DELETE ON turnover_days TO kalos_app",
    "GRANT UPDATE ON teams_cursor TO kalos_app",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
