"""Every statement on the tables of the games. All of them read: the writer alone writes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kalos.core.assets import Asset
from kalos.core.database import Database, Record
from kalos.core.merkle import leaf_hash, tree_root
from kalos.core.pages import MOST_COUNTED, Page, PageQuery, counted_page
from kalos.domains.games.rules import DIGITS, GAMES, Game, Scene, read_round_id
from kalos.domains.games.tables import Bet, Height, Round
from kalos.ledger.explained import Holds, Quotas, Sums
from kalos.ledger.purse import HOUSE, Purpose, house
from kalos.ledger.statements import balances

_HEIGHT: Final = ", ".join(f"h.{name}" for name in Height.__struct_fields__)
_ROUND: Final = ", ".join(f"r.{name}" for name in Round.__struct_fields__)
_BET: Final = ", ".join(f"b.{name}" for name in Bet.__struct_fields__)
_BOTH: Final = _ROUND.replace("r.closes_at, ", "") + ", " + _HEIGHT

_LIMITS: Final = "SELECT closes_at, asset, units FROM height_limits WHERE closes_at = ANY($1::bigint[])"
_BETTING: Final = f"""
    SELECT {_BOTH}, l.asset, l.units
    FROM rounds r JOIN heights h USING (closes_at) LEFT JOIN height_limits l ON l.closes_at = r.closes_at
    WHERE r.number = ANY($1::bigint[])
"""
_RESERVED: Final = """
    SELECT l.asset, l.units FROM heights h JOIN height_limits l USING (closes_at) WHERE h.settled_at IS NULL
    UNION ALL
    SELECT b.asset, b.units - b.prize_units
    FROM heights h JOIN rounds r USING (closes_at) JOIN bets b ON b.round = r.number
    WHERE h.settled_at IS NULL AND h.final_at IS NOT NULL AND b.status <> 'awaiting_draw'
"""
# No bet that waits is older than it: who asks for those alone reads no history of what is settled.
_OLDEST_AWAITING: Final = """
    SELECT min(first.id) FROM heights h CROSS JOIN LATERAL (
        SELECT b.id FROM bets b WHERE b.closes_at = h.closes_at AND b.status = 'awaiting_draw' ORDER BY b.id LIMIT 1
    ) AS first WHERE h.settled_at IS NULL
"""


def _means(game: Game, digit: int, among: frozenset[str]) -> bool:
    """Whether a digit may mean one of these."""
    return not among.isdisjoint(game.meanings[digit])


_FATES: Final = ", ".join(
    f"('{game.name}', '{option}', {digit}, {_means(game, digit, game.wins[option])}, "
    f"{not _means(game, digit, game.wins[option] | game.ties.get(option, frozenset()))})"
    for game in GAMES.values()
    for option in game.options
    for digit in range(DIGITS)
)
# What a digit may still cost: the limit, less the profits of bets that win on it, with the stakes of those that lose.
_ROOM: Final = f"""
    WITH staked AS (
        SELECT r.closes_at, b.asset, b.game, b.option, sum(b.units) AS stakes,
            sum(trunc(b.units * b.multiple::numeric) - b.units) AS profits
        FROM heights h JOIN rounds r USING (closes_at) JOIN bets b ON b.round = r.number
        WHERE h.settled_at IS NULL GROUP BY 1, 2, 3, 4
    ), fates (game, option, digit, wins, loses) AS (VALUES {_FATES}),
    costs AS (
        SELECT closes_at, asset, digit, sum(CASE WHEN wins THEN profits WHEN loses THEN -stakes ELSE 0 END) AS units
        FROM staked JOIN fates USING (game, option) GROUP BY 1, 2, 3
    )
    SELECT 'game.height:' || l.closes_at || ':' || l.asset,
        array_agg((l.units - coalesce(c.units, 0))::bigint ORDER BY d.digit)
    FROM heights h JOIN height_limits l USING (closes_at) CROSS JOIN generate_series(0, {DIGITS - 1}) AS d (digit)
    LEFT JOIN costs c ON (c.closes_at, c.asset, c.digit) = (l.closes_at, l.asset, d.digit)
    WHERE h.settled_at IS NULL GROUP BY l.closes_at, l.asset
"""
# Of a member's share of it the same is taken. What it began with, a part of the limit, stands in no row: it is the
# same for all digits, and no more than the limit.
_SHARES: Final = f"""
    WITH staked AS (
        SELECT r.closes_at, b.asset, b.member, b.game, b.option, sum(b.units) AS stakes,
            sum(trunc(b.units * b.multiple::numeric) - b.units) AS profits
        FROM heights h JOIN rounds r USING (closes_at) JOIN bets b ON b.round = r.number
        WHERE h.settled_at IS NULL GROUP BY 1, 2, 3, 4, 5
    ), fates (game, option, digit, wins, loses) AS (VALUES {_FATES}),
    costs AS (
        SELECT closes_at, asset, member, digit,
            sum(CASE WHEN wins THEN profits WHEN loses THEN -stakes ELSE 0 END) AS units
        FROM staked JOIN fates USING (game, option) GROUP BY 1, 2, 3, 4
    ), shares AS (
        SELECT 'game.member:' || closes_at || ':' || asset || ':' || member AS quota, closes_at, asset,
            array_agg(units::bigint ORDER BY digit) AS units FROM costs GROUP BY closes_at, asset, member
    )
    SELECT s.quota, (
        SELECT array_agg(least(q.left_units[1] + s.units[1], l.units) - cost ORDER BY place)
        FROM unnest(s.units) WITH ORDINALITY AS each (cost, place)
    ) FROM shares s JOIN height_limits l USING (closes_at, asset) LEFT JOIN quotas q ON q.id = s.quota
"""
EXPLAINED: Final = (
    Sums(Purpose.BANKROLL_RESERVED, _RESERVED),
    Holds("game.stake", "SELECT id, units, status = 'awaiting_draw' FROM bets", times=8),
    Quotas(_ROOM),
    Quotas(_SHARES, seldom=True),
)
"""Of heights that aren't settled: limits, with what settled bets brought or cost; the bets that wait; the room,
and of each member's share what its bets took."""


@dataclass(frozen=True, slots=True)
class Betting:
    """What is fixed of a round when it opens; `limits` is by asset what its height may cost.

    Whether bets are still taken isn't told: that the writer says, by the time and by the height's quotas.
    """

    id: str
    scene: Scene
    number: int
    closes_at: int
    height: int
    limits: dict[str, int]


@dataclass(frozen=True, slots=True)
class Opening:
    """What stands for a T before it is opened: its height, the scene's round, and the last serial given."""

    height: Height | None
    has_round: bool
    last_serial: int


async def find_height(db: Database, closes_at: int) -> Height | None:
    row = await db.row(f"SELECT {_HEIGHT} FROM heights h WHERE h.closes_at = $1", closes_at)
    return None if row is None else Height(**row)


async def list_unsettled(db: Database, limit: int) -> list[Height]:
    """Those that take bets first: none stays open because so many others wait."""
    query = f"SELECT {_HEIGHT} FROM heights h WHERE h.settled_at IS NULL"
    rows = await db.rows(f"{query} ORDER BY h.state <> 'open', h.closes_at LIMIT $1", limit)
    return [Height(**row) for row in rows]


async def list_rounds(db: Database, closes_at: int) -> list[Round]:
    query = f"SELECT {_ROUND} FROM rounds r WHERE r.closes_at = $1 ORDER BY r.number"
    return [Round(**row) for row in await db.rows(query, closes_at)]


async def find_opening(db: Database, scene: Scene, closes_at: int) -> Opening:
    """All of it as one statement sees it."""
    row = await db.row(
        f"""
        SELECT h.closes_at IS NOT NULL AS there, {_HEIGHT},
            EXISTS (SELECT FROM rounds WHERE number = $2) AS has_round,
            (SELECT coalesce(max(serial), 0) FROM heights) AS last_serial
        FROM (SELECT 1) one LEFT JOIN heights h ON h.closes_at = $1
        """,
        closes_at,
        scene.round_number(closes_at),
    )
    assert row is not None
    height = _height(row) if row["there"] else None
    return Opening(height, row["has_round"], row["last_serial"])


async def height_is_used(db: Database, height: int) -> bool:
    """Whether this block decides another T already."""
    return bool(await db.value("SELECT EXISTS (SELECT FROM heights WHERE height = $1)", height))


async def find_funds(db: Database, asset: Asset) -> tuple[int, int]:
    """The units of bankroll, and those that heights which aren't settled have reserved.

    Not the balance of bankroll_reserved: while a height is settled its lost stakes lie there, too, until it is over.
    """
    reserved = "SELECT coalesce(sum(l.units), 0)::bigint FROM heights h JOIN height_limits l USING (closes_at)"
    where = "WHERE h.settled_at IS NULL AND l.asset = $1"
    found = await balances(db, [HOUSE])
    return found.get(house(Purpose.BANKROLL, asset), 0), await db.value(f"{reserved} {where}", asset.code)


async def list_limits(db: Database, times: Sequence[int]) -> dict[int, dict[str, int]]:
    """By T, the units of each asset that is bet on."""
    rows = await db.rows(_LIMITS, times)
    found: dict[int, dict[str, int]] = {closes_at: {} for closes_at in times}
    for row in rows:
        found[row["closes_at"]][row["asset"]] = row["units"]
    return found


async def find_round(db: Database, number: int) -> tuple[Round, Height] | None:
    rows = await db.rows_of(_BETTING, number)
    return _both(rows[0]) if rows else None


async def find_betting(db: Database, round_id: str) -> Betting | None:
    """Never changes while the round takes bets: it may be kept (`Database.kept`)."""
    read = read_round_id(round_id)
    rows = [] if read is None else await db.rows_of(_BETTING, read[0].round_number(read[1]))
    if read is None or not rows:
        return None
    one, height = _both(rows[0])
    limits = {row["asset"]: row["units"] for row in rows}
    return Betting(round_id, read[0], one.number, one.closes_at, height.height, limits)


async def find_current(db: Database, scene: Scene, now: int) -> tuple[Round, Height] | None:
    """The scene's round that takes bets and closes first; without one its latest."""
    query = f"""
        SELECT {_BOTH} FROM rounds r JOIN heights h USING (closes_at)
        WHERE r.game = $1 AND r.seconds = $2
    """
    row = await db.row(
        f"{query} AND r.closes_at > $3 AND h.state = 'open' ORDER BY r.number LIMIT 1",
        scene.game.name,
        scene.seconds,
        now,
    ) or await db.row(f"{query} ORDER BY r.number DESC LIMIT 1", scene.game.name, scene.seconds)
    return None if row is None else _both(row)


async def list_past(db: Database, scene: Scene | None, now: int, query: PageQuery) -> Page[tuple[Round, Height]]:
    """Rounds that take no more bets, newest first."""
    where = "(h.state <> 'open' OR r.closes_at <= $1) AND ($2::text IS NULL OR (r.game = $2 AND r.seconds = $3))"
    scope = (now, scene and scene.game.name, scene and scene.seconds)
    rows = await db.rows(
        f"""
        SELECT {_BOTH} FROM rounds r JOIN heights h USING (closes_at)
        WHERE {where} AND ($4::bigint IS NULL OR r.number < $4)
        ORDER BY r.number DESC LIMIT $5 OFFSET $6
        """,
        *scope,
        query.after,
        query.size + 1,
        query.skip,
    )
    total = await db.value(
        f"SELECT count(*) FROM (SELECT FROM rounds r JOIN heights h USING (closes_at) WHERE {where} LIMIT $4) AS few",
        *scope,
        MOST_COUNTED + 1,
    )
    return counted_page([_both(row) for row in rows], query, total, lambda both: both[0].number)


async def list_results(db: Database, scene: Scene, limit: int) -> list[tuple[Round, Height]]:
    """The scene's last rounds that have a digit, newest first."""
    rows = await db.rows(
        f"""
        SELECT {_BOTH} FROM rounds r JOIN heights h USING (closes_at)
        WHERE r.game = $1 AND r.seconds = $2 AND h.digit IS NOT NULL AND h.void_reason IS NULL
        ORDER BY r.number DESC LIMIT $3
        """,
        scene.game.name,
        scene.seconds,
        limit,
    )
    return [_both(row) for row in rows]


async def list_moving(db: Database, since: int) -> list[tuple[Round, Height]]:
    """Rounds that aren't settled, and those that closed since, in the order of closing."""
    rows = await db.rows(
        f"""
        SELECT {_BOTH} FROM rounds r JOIN heights h USING (closes_at)
        WHERE h.settled_at IS NULL OR h.closes_at >= $1 ORDER BY r.number LIMIT 200
        """,
        since,
    )
    return [_both(row) for row in rows]


async def find_bet(db: Database, bet_id: int) -> Bet | None:
    row = await db.row(f"SELECT {_BET} FROM bets b WHERE b.id = $1", bet_id)
    return None if row is None else Bet(**row)


async def list_member_bets(db: Database, member: int, round_number: int, limit: int) -> list[Bet]:
    """The member's bets in a round, newest first; none is older than the round's first."""
    rows = await db.rows(
        f"""
        SELECT {_BET} FROM bets b
        WHERE b.member = $1 AND b.round = $2 AND b.id >= (SELECT min(id) FROM bets WHERE round = $2)
        ORDER BY b.id DESC LIMIT $3
        """,
        member,
        round_number,
        limit,
    )
    return [Bet(**row) for row in rows]


async def list_orders(
    db: Database, member: int, game: str | None, status: str | None, query: PageQuery
) -> Page[tuple[Bet, Round, Height]]:
    """A member's bets, newest first, each with its round."""
    where = "b.member = $1 AND ($2::text IS NULL OR b.game = $2) AND ($3::text IS NULL OR b.status = $3)"
    if status == "awaiting_draw":
        where += f" AND b.id >= ({_OLDEST_AWAITING})"
    rows = await db.rows(
        f"SELECT {_BET} FROM bets b WHERE {where} AND ($4::bigint IS NULL OR b.id < $4)"
        " ORDER BY b.id DESC LIMIT $5 OFFSET $6",
        member,
        game,
        status,
        query.after,
        query.size + 1,
        query.skip,
    )
    total = await db.value(
        f"SELECT count(*) FROM (SELECT FROM bets b WHERE {where} LIMIT $4) AS few",
        member,
        game,
        status,
        MOST_COUNTED + 1,
    )
    bets = [Bet(**row) for row in rows]
    rounds = await _rounds(db, {bet.round for bet in bets})
    return counted_page([(bet, *rounds[bet.round]) for bet in bets], query, total, lambda found: found[0].id)


async def list_piece(db: Database, round_number: int, *, first: int, limit: int) -> list[Bet]:
    """The bets of a round in their order, from the bet id `first` on."""
    query = f"SELECT {_BET} FROM bets b WHERE b.round = $1 AND b.id >= $2 ORDER BY b.id LIMIT $3"
    return [Bet(**row) for row in await db.rows(query, round_number, first, limit)]


async def list_pieces(db: Database, one: Round, height: int, *, size: int) -> tuple[list[tuple[int, str]], int]:
    """First bet and root of each piece of `size` bets of a round, and the count of all."""
    pieces: list[tuple[int, str]] = []
    count, first = 0, 0
    while bets := await list_piece(db, one.number, first=first, limit=size):
        leaves = [bet.leaf(one.leaf_version, height) for bet in bets]
        pieces.append((bets[0].id, tree_root([leaf_hash(leaf.encode()) for leaf in leaves]).hex()))
        count, first = count + len(bets), bets[-1].id + 1
    return pieces, count


async def list_awaiting(
    db: Database, closes_at: int, limit: int, *, losing: Sequence[str] | None = None, before: int = 0
) -> list[Bet]:
    """Bets to be settled; with `losing` only those on these `game.option` that were committed `before`."""
    rows = await db.rows(
        f"""
        SELECT {_BET} FROM bets b
        WHERE b.closes_at = $1 AND b.status = 'awaiting_draw'
            AND ($2::text[] IS NULL OR (b.game || '.' || b.option = ANY($2) AND b.at < $3))
        ORDER BY b.id LIMIT $4
        """,
        closes_at,
        losing,
        before,
        limit,
    )
    return [Bet(**row) for row in rows]


async def sum_result(db: Database, closes_at: int) -> dict[str, int]:
    """By asset, the units that settled bets brought the house: lost stakes less profits paid."""
    rows = await db.rows(
        """
        SELECT b.asset, (sum(b.units - b.prize_units) FILTER (WHERE b.status IN ('won', 'not_won')))::bigint AS units
        FROM rounds r JOIN bets b ON b.round = r.number WHERE r.closes_at = $1 GROUP BY b.asset
        """,
        closes_at,
    )
    return {row["asset"]: row["units"] or 0 for row in rows}


async def count_bettors(db: Database, since: int) -> dict[str, int]:
    """By game, the members who bet since."""
    query = "SELECT game, count(DISTINCT member) AS members FROM bets WHERE round >= $1 AND at >= $1 GROUP BY game"
    return {row["game"]: row["members"] for row in await db.rows(query, since)}


async def _rounds(db: Database, numbers: set[int]) -> dict[int, tuple[Round, Height]]:
    query = f"SELECT {_BOTH} FROM rounds r JOIN heights h USING (closes_at) WHERE r.number = ANY($1::bigint[])"
    return {row["number"]: _both(row) for row in await db.rows(query, list(numbers))}


def _both(row: Record) -> tuple[Round, Height]:
    return _round(row), _height(row)


def _round(row: Record) -> Round:
    return Round(*[row[name] for name in Round.__struct_fields__])


def _height(row: Record) -> Height:
    return Height(*[row[name] for name in Height.__struct_fields__])
