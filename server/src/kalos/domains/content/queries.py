"""Every statement on the tables of bulletins."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

from kalos.core.database import Connection, Database
from kalos.core.pages import MOST_COUNTED, Page, PageQuery, counted_page
from kalos.domains.content.rules import FALLBACK, Kind, Lang
from kalos.domains.content.tables import BulletinRow, TextRow


@dataclass(frozen=True, slots=True)
class Heading:
    """A bulletin as a list shows it, in one language."""

    id: int
    kind: Kind
    pinned: bool
    from_at: int
    link: str | None
    picture: str | None
    width: int | None
    height: int | None
    lang: Lang
    title: str
    summary: str


@dataclass(frozen=True, slots=True)
class Whole(Heading):
    """With its text: `blocks` is JSON."""

    blocks: str


_HEADING: Final = ", ".join(
    f"{'t' if one.name in ('lang', 'title', 'summary') else 'b'}.{one.name}" for one in fields(Heading)
)


def _shown(at: str) -> str:
    return f"b.retracted_at IS NULL AND b.from_at <= {at} AND (b.until_at IS NULL OR b.until_at > {at})"


def _text(lang: str, columns: str) -> str:
    """The text in that language, else in English; without either there is no row."""
    return f"""
        JOIN LATERAL (
            SELECT {columns} FROM bulletin_texts
            WHERE bulletin = b.id AND lang IN ({lang}, '{FALLBACK}') ORDER BY lang = {lang} DESC LIMIT 1
        ) t ON true
    """


# Count and rows of a page in one statement, those of many callers together. A key's parts: _key_of.
_LIST: Final = f"""
    SELECT k.text AS key, counted.total, page.*
    FROM unnest($1::text[]) AS k (text)
    CROSS JOIN LATERAL (SELECT string_to_array(k.text, ' ') AS parts) split
    CROSS JOIN LATERAL (
        SELECT parts[1] AS kind, parts[2] AS lang, parts[3]::bigint AS wall, parts[4]::int AS size,
            parts[5]::bigint AS skip, nullif(parts[6], '')::bigint AS after
    ) q
    CROSS JOIN LATERAL (
        SELECT count(*) AS total FROM (
            SELECT FROM bulletins b WHERE b.kind = q.kind AND {_shown("q.wall")} LIMIT {MOST_COUNTED + 1}
        ) few
    ) counted
    LEFT JOIN LATERAL (
        SELECT {_HEADING} FROM bulletins b {_text("q.lang", "lang, title, summary")}
        WHERE b.kind = q.kind AND {_shown("q.wall")} AND (
            q.after IS NULL
            OR (b.pinned, b.from_at, b.id) < (SELECT a.pinned, a.from_at, a.id FROM bulletins a WHERE a.id = q.after)
        )
        ORDER BY b.pinned DESC, b.from_at DESC, b.id DESC LIMIT q.size + 1 OFFSET q.skip
    ) page ON true
"""


def _key_of(kind: Kind, lang: str, wall: int, page: PageQuery) -> str:
    return f"{kind} {lang} {wall} {page.size} {page.skip} {'' if page.after is None else page.after}"


async def list_shown(db: Database, kind: Kind, *, lang: str, wall: int, page: PageQuery) -> Page[Heading]:
    """What is shown at that time: pinned ones first, then the newest. The total is counted up to 1,000."""
    rows = await db.rows_of(_LIST, _key_of(kind, lang, wall, page))
    names = [one.name for one in fields(Heading)]
    found = [Heading(**{name: row[name] for name in names}) for row in rows if row["id"] is not None]
    found.sort(key=lambda one: (one.pinned, one.from_at, one.id), reverse=True)
    return counted_page(found, page, rows[0]["total"], lambda one: one.id)


async def find_shown(db: Database, number: int, *, lang: str, wall: int) -> Whole | None:
    """A notice or news that is shown at that time."""
    row = await db.row(
        f"""
        SELECT {_HEADING}, t.blocks FROM bulletins b {_text("$2", "lang, title, summary, blocks")}
        WHERE b.id = $1 AND b.kind IN ('notice', 'news') AND {_shown("$3")}
        """,
        number,
        lang,
        wall,
    )
    return None if row is None else Whole(**row)


async def lock(db: Connection, name: str) -> BulletinRow | None:
    """The bulletin of that name; until the commit nobody else publishes or retracts one of this name."""
    await db.execute("SELECT pg_advisory_xact_lock(hashtextextended('bulletin ' || $1, 0))", name)
    row = await db.fetchrow("SELECT * FROM bulletins WHERE name = $1", name)
    return None if row is None else BulletinRow(**row)


async def insert(db: Connection, **values: Any) -> int:
    """Returns its id."""
    places = ", ".join(f"${place}" for place in range(1, len(values) + 1))
    number: int = await db.fetchval(
        f"INSERT INTO bulletins ({', '.join(values)}) VALUES ({places}) RETURNING id", *values.values()
    )
    return number


async def update(db: Connection, number: int, **values: Any) -> None:
    sets = ", ".join(f"{name} = ${place}" for place, name in enumerate(values, 2))
    await db.execute(f"UPDATE bulletins SET {sets} WHERE id = $1", number, *values.values())


async def replace_texts(db: Connection, number: int, texts: Sequence[TextRow]) -> None:
    await db.execute("DELETE FROM bulletin_texts WHERE bulletin = $1", number)
    await db.executemany(
        "INSERT INTO bulletin_texts (bulletin, lang, title, summary, source, blocks) VALUES ($1, $2, $3, $4, $5, $6)",
        [(one.bulletin, one.lang, one.title, one.summary, one.source, one.blocks) for one in texts],
    )


async def list_names(db: Database) -> Collection[str]:
    return {row["name"] for row in await db.rows("SELECT name FROM bulletins")}


async def find(db: Database, number: int) -> BulletinRow | None:
    """Also one that isn't shown."""
    row = await db.row("SELECT * FROM bulletins WHERE id = $1", number)
    return None if row is None else BulletinRow(**row)


async def list_texts(db: Database, numbers: Collection[int]) -> list[TextRow]:
    rows = await db.rows("SELECT * FROM bulletin_texts WHERE bulletin = ANY($1::bigint[])", list(numbers))
    return [TextRow(**row) for row in rows]


async def list_made(db: Database, page: PageQuery) -> Page[BulletinRow]:
    """Also what isn't shown, what was begun last first; `after` is an id. The total is counted up to 1,000."""
    total = await db.value(f"SELECT count(*) FROM (SELECT FROM bulletins LIMIT {MOST_COUNTED + 1}) few")
    rows = await db.rows(
        "SELECT * FROM bulletins WHERE $1::bigint IS NULL OR id < $1 ORDER BY id DESC LIMIT $2 OFFSET $3",
        page.after, page.size + 1, page.skip,
    )  # fmt: skip
    return counted_page([BulletinRow(**row) for row in rows], page, total, lambda one: one.id)


async def list_all(db: Database) -> list[BulletinRow]:
    """Also what isn't shown, the newest first."""
    return [BulletinRow(**row) for row in await db.rows("SELECT * FROM bulletins ORDER BY from_at DESC, id DESC")]
