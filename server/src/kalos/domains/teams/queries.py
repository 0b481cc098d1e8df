"""Every statement on the tables of teams. What the job reads and writes stands in its one transaction."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from typing import Final

from kalos.core.database import Connection, Database, Record
from kalos.core.pages import Page, PageQuery
from kalos.core.ports import Price
from kalos.domains.teams.rules import Change, Upline
from kalos.domains.teams.tables import TeamRow

_ROW: Final = ", ".join(f"t.{field.name}" for field in fields(TeamRow))
# One probe by key for each row: whatever the planner believes of the count, it never reads the whole table.
_UP: Final = """
    WITH RECURSIVE up AS (
        SELECT t.* FROM unnest($1::bigint[]) AS m(member) CROSS JOIN LATERAL (
            SELECT member, inviter, own_units + team_units AS line_units FROM teams WHERE member = m.member LIMIT 1
        ) AS t
        UNION
        SELECT t.* FROM up CROSS JOIN LATERAL (
            SELECT member, inviter, own_units + team_units AS line_units FROM teams WHERE member = up.inviter LIMIT 1
        ) AS t
    )
    SELECT array_agg(member), array_agg(inviter), array_agg(line_units) FROM up
"""
_KEYED: Final = "SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off"
_GROW: Final = """
    UPDATE teams t SET is_counted = t.is_counted OR n.joins,
        own_units = t.own_units + n.own_units, team_units = t.team_units + n.team_units,
        large_units = greatest(t.large_units, n.highest), month = greatest(t.month, $1),
        own_month_units = CASE WHEN t.month < $1 THEN 0 ELSE t.own_month_units END + n.own_month_units,
        team_month_units = CASE WHEN t.month < $1 THEN 0 ELSE t.team_month_units END + n.team_month_units,
        direct_users = t.direct_users + n.direct_users, team_users = t.team_users + n.team_users
    FROM unnest($2::bigint[], $3::boolean[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[],
        $9::bigint[], $10::bigint[]) AS n(member, joins, own_units, team_units, highest, own_month_units,
        team_month_units, direct_users, team_users)
    WHERE t.member = n.member
"""
_ADD_DAYS: Final = """
    INSERT INTO turnover_days (day, member, units) SELECT * FROM unnest($1::date[], $2::bigint[], $3::bigint[])
    ON CONFLICT (day, member) DO UPDATE SET units = turnover_days.units + excluded.units
"""
# A price that nobody ordered is of the moment that asks: the first one that was counted at it stands for all.
_GO_ON: Final = """
    UPDATE turnover_prices SET last_move = $2
    WHERE first_move = (SELECT max(first_move) FROM turnover_prices) AND last_move = $1 - 1
        AND (asset, numerator, denominator, source) = ($3, $4, $5, $7) AND (at = $6 OR source = 'ref_first')
"""
_BEGIN: Final = "INSERT INTO turnover_prices VALUES ($1, $2, $3, $4, $5, $6, $7)"
_BELOW: Final = """
    WITH RECURSIVE up AS (
        SELECT t.member, t.inviter FROM members m JOIN teams t ON t.member = m.id WHERE m.account = $2
        UNION ALL
        SELECT t.member, t.inviter FROM up
        CROSS JOIN LATERAL (SELECT member, inviter FROM teams WHERE member = up.inviter LIMIT 1) AS t
        WHERE up.member > $1
    )
    SELECT max(member) FROM up HAVING min(member) = $1
"""
_DIRECT: Final = f"""
    SELECT (SELECT direct_users FROM teams WHERE member = $1), m.account, m.registered_at, {_ROW}
    FROM teams t JOIN members m ON m.id = t.member
    WHERE t.inviter = $1 AND t.is_counted AND ($2::bigint IS NULL OR t.member < $2)
    ORDER BY t.member DESC LIMIT $3 OFFSET $4
"""


@dataclass(frozen=True, slots=True)
class Line:
    """A member with all below, as the member above sees it."""

    account: str
    registered_at: int
    row: TeamRow


# The job's


async def lock_cursor(db: Connection) -> int | None:
    """The last move that is counted, for this transaction alone; None: another worker is at it."""
    last: int | None = await db.fetchval("SELECT last_move FROM teams_cursor FOR UPDATE SKIP LOCKED")
    return last


async def move_cursor(db: Connection, last: int) -> None:
    await db.execute("UPDATE teams_cursor SET last_move = $1", last)


async def note_price(db: Connection, price: Price, *, first: int, last: int) -> None:
    """Write down at which price these moves were counted; those of one price are one row."""
    rate = price.rate
    values = first, last, price.asset.code, rate.numerator, rate.denominator, price.at_ms, price.source
    if await db.execute(_GO_ON, *values) == "UPDATE 0":
        await db.execute(_BEGIN, *values)


async def list_joined(db: Connection, *, most: int) -> list[int]:
    """Members who aren't counted yet, the oldest first."""
    rows = await db.fetch("SELECT member FROM teams WHERE NOT is_counted ORDER BY member LIMIT $1", most)
    return [row["member"] for row in rows]


async def read_up(db: Connection, members: Iterable[int]) -> list[Upline]:
    """These members and everybody above them, each once; who isn't a member is left out."""
    asked = list(members)
    if not asked:
        return []
    columns = await db.fetchrow(_UP, asked)
    assert columns is not None
    return [] if columns[0] is None else list(map(Upline, *columns))


async def grow(db: Connection, changes: Sequence[Change], month: int) -> None:
    """Add to the rows; figures of a month before `month` are left behind."""
    # Rows by their keys: a plan for so many of them would read the whole table.
    await db.execute(_KEYED)
    await db.execute(_GROW, month, *zip(*changes, strict=True))


async def add_days(db: Connection, days: Mapping[tuple[date, int], int]) -> None:
    if days:
        await db.execute(_ADD_DAYS, *zip(*days, strict=True), list(days.values()))


async def delete_days(db: Database, *, before: date, most: int) -> int:
    tag = await db.execute(
        "DELETE FROM turnover_days WHERE ctid = ANY(ARRAY(SELECT ctid FROM turnover_days WHERE day < $1 LIMIT $2))",
        before,
        most,
    )
    return int(tag.rpartition(" ")[2])


# Reads


async def find_team(db: Database, member: int) -> TeamRow:
    row = await db.row(f"SELECT {_ROW} FROM teams t WHERE t.member = $1", member)
    assert row is not None, member
    return TeamRow(*row)


async def sum_volume(db: Database, member: int, days: Sequence[date]) -> int:
    """What a member turned over on these days."""
    query = "SELECT coalesce(sum(units), 0) FROM turnover_days WHERE day = ANY($2::date[]) AND member = $1"
    return int(await db.value(query, member, list(days)))


async def find_below(db: Database, member: int, account: str) -> int | None:
    """The member with that account where they stand below `member`, or are `member`."""
    found: int | None = await db.planned.value(_BELOW, member, account)
    return found


async def list_direct(db: Database, leader: int, query: PageQuery) -> Page[Line]:
    """Those whom a member invited, the last first: their number and the page in one look."""
    rows = await db.planned.rows(_DIRECT, leader, query.after, query.size + 1, query.skip)
    if not rows:
        return Page([], await db.value("SELECT direct_users FROM teams WHERE member = $1", leader), None)
    total = rows[0][0]
    lines = [_line(row) for row in rows[: query.size]]
    return Page(lines, total, lines[-1].row.member if len(rows) > query.size else None)


def _line(row: Record) -> Line:
    _, account, registered_at, *figures = row
    return Line(account, registered_at, TeamRow(*figures))
