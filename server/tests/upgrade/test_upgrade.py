"""Databases of earlier versions: each committed dump is upgraded, found sound, and gone on with."""

import gzip
import subprocess
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import asyncpg
import pytest

from kalos.app.auditing import EXPLAINED
from kalos.app.embedded.postgres import RunningCluster, programs
from kalos.app.migrate import migrate, newest, pending, role_url
from kalos.app.readiness import checks
from kalos.app.settings import Settings
from kalos.core.assets import USDT
from kalos.core.clock import Clock, business_day
from kalos.core.database import Database
from kalos.core.merkle import leaf_hash, tree_root
from kalos.core.pages import Page, PageQuery
from kalos.core.terms import Terms
from kalos.domains.games import queries
from kalos.domains.games.proofs import PIECE
from kalos.ledger import purse, statements
from kalos.ledger.audit import audit
from kalos.ledger.postings import Move, Posting, Resolve
from kalos.ledger.statements import StatementRow
from kalos.ledger.writer import Writer
from support.clusters import SECRET, TEMPLATE, at, drop
from support.doors import house_of
from support.ledger import new_key
from upgrade.make_dump import DIGESTS, DUMPS, MIGRATIONS, digest_of, known_digests

ROOT = purse.available(purse.FIRST_MEMBER, USDT)
"""The account that played before the dump was made."""


async def restore(url: str, dump: Path) -> str:
    """A new database with what the dump has. Returns its owner's address."""
    name = f"upgrade_{uuid.uuid4().hex[:12]}"
    for place, statements_of in ((at(url, "postgres"), f"CREATE DATABASE {name}"), (at(url, name), text_of(dump))):
        db = await asyncpg.connect(place)
        try:
            await db.execute(statements_of)
        finally:
            await db.close()
    return at(url, name)


async def counted(url: str) -> dict[str, int]:
    """How many rows each table has."""
    db = await asyncpg.connect(url)
    try:
        tables = await db.fetch("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'")
        return {name: await db.fetchval(f"SELECT count(*) FROM {name}") for (name,) in tables}
    finally:
        await db.close()


def text_of(dump: Path) -> str:
    """The statements of a dump."""
    return gzip.decompress(dump.read_bytes()).decode()


@pytest.fixture(scope="module", params=sorted(DUMPS.glob("*.sql.gz")), ids=lambda dump: dump.name)
async def upgraded(template: str, request: pytest.FixtureRequest) -> AsyncIterator[str]:
    """The owner's address of a dump's database after its upgrade."""
    url = await restore(template, request.param)
    assert await pending(url) is (request.param.name != f"{newest()}.sql.gz")
    before = await counted(url)
    await migrate(url, SECRET)
    after = await counted(url)
    assert [name for name, rows in before.items() if after[name] < rows] == [], "an upgrade takes no row away"
    yield url
    await drop(template, url.rpartition("?")[0].rpartition("/")[2])


@pytest.fixture(scope="module")
async def db(upgraded: str) -> AsyncIterator[Database]:
    database = Database(role_url(upgraded, "kalos_app", SECRET))
    yield database
    await database.close()


@pytest.fixture(scope="module")
async def clock(db: Database) -> Clock:
    return Clock(await db.value("SELECT offset_ms FROM clock"))


@pytest.fixture(scope="module")
async def writer(upgraded: str, clock: Clock) -> AsyncIterator[Writer]:
    running = Writer(role_url(upgraded, "kalos_writer", SECRET), clock)
    await running.start()
    yield running
    await running.stop()


_NO_BRACKETS: Final = str.maketrans("", "", "()")


def schema_of(cluster: RunningCluster, database: str) -> list[str]:
    command = [str(programs() / "pg_dump"), "--schema-only", cluster.cluster.url(database)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    # PostgreSQL writes a BETWEEN with one pair of brackets more than it reads it again.
    return [line.translate(_NO_BRACKETS) for line in text.split("\n") if not line.startswith("\\")]


async def test_an_upgraded_database_is_as_a_new_one_and_sound(
    upgraded: str, db: Database, cluster: RunningCluster
) -> None:
    assert await pending(upgraded) is False
    name = await db.value("SELECT current_database()")
    assert schema_of(cluster, name) == schema_of(cluster, TEMPLATE)
    assert await audit(db, EXPLAINED) == []


async def test_sums_of_earlier_days_are_those_of_their_moves(db: Database) -> None:
    moves = await db.rows(
        "SELECT j.day, k.name, sum(amount) AS units, count(*) AS moves FROM journal j JOIN kinds k ON k.id = j.kind "
        "WHERE from_id >> 8 & 255 = 1 GROUP BY j.day, k.name ORDER BY j.day, k.name"
    )
    days = [row["day"] for row in moves]
    assert len(set(days)) > 1
    assert await statements.sums_between(db, min(days), max(days), USDT) == [
        statements.DaySum(row["day"], row["name"], int(row["units"]), row["moves"]) for row in moves
    ]


async def test_a_statement_shows_what_was_before_the_upgrade(db: Database) -> None:
    version = await db.value("SELECT version FROM accounts WHERE id = $1", ROOT)
    whole = await statements.page(db, ROOT, PageQuery(100))
    assert [row.version for row in whole.rows] == list(range(version, 0, -1))
    assert whole.rows[0].balance == await db.value("SELECT balance FROM accounts WHERE id = $1", ROOT)
    for kind in {row.kind for row in whole.rows}:
        found = await statements.page(db, ROOT, PageQuery(100), kind=kind)
        assert (found.rows, found.total) == ([row for row in whole.rows if row.kind == kind], len(found.rows))
    assert {"chain.deposit", "game.stake", "game.prize"} <= {row.kind for row in whole.rows}


async def test_withdrawals_of_before_agree_with_what_was_paid_for_them(db: Database, request: Any) -> None:
    rows = await db.rows("SELECT status, units, fee_units FROM withdrawals")
    moved = {
        row["name"]: int(row["units"])
        for row in await db.rows(
            "SELECT k.name, sum(j.amount) AS units FROM journal j JOIN kinds k ON k.id = j.kind "
            "WHERE k.name IN ('withdrawal.paid', 'withdrawal.fee') GROUP BY k.name"
        )
    }
    assert bool(rows) is (request.node.callspec.params["upgraded"].name >= "0031"), "dumps from then on have one"
    assert {row["status"] for row in rows} <= {"approved"}
    assert moved.get("withdrawal.paid", 0) == sum(row["units"] for row in rows)
    assert moved.get("withdrawal.fee", 0) == sum(row["fee_units"] for row in rows)


async def test_reviews_of_before_name_whom_they_followed(template: str) -> None:
    """Migration 0062. Two spoke in the same millisecond of the first round; who speaks in the next follows none."""
    url = await restore(template, DUMPS / "0051_drawn.sql.gz")
    owner = await asyncpg.connect(url)
    try:
        await owner.execute(
            """
            INSERT INTO withdrawal_reviews (withdrawal, round, staff, verdict, reason, signature, at)
            SELECT w.id, said.round, said.staff, 'no', 'late', NULL, said.at
            FROM withdrawals w, (VALUES (0, 7, 5), (0, 3, 6), (0, 5, 6), (1, 3, 9)) AS said (round, staff, at)
            """
        )
        await migrate(url, SECRET)
        rows = await owner.fetch("SELECT round, staff, follows FROM withdrawal_reviews ORDER BY round, at, staff")
    finally:
        await owner.close()
        await drop(template, url.rpartition("?")[0].rpartition("/")[2])
    assert [tuple(row) for row in rows] == [(0, 7, None), (0, 3, 7), (0, 5, 3), (1, 3, None)]


async def test_bets_of_before_lead_to_the_roots_of_before(db: Database) -> None:
    rounds = await db.rows("SELECT number FROM rounds WHERE bet_count > 0")
    assert rounds, "the dump has a round with bets that was sealed"
    for row in rounds:
        found = await queries.find_round(db, row["number"])
        assert found is not None
        one, height = found
        bets = await queries.list_piece(db, one.number, first=0, limit=PIECE)
        leaves = [bet.leaf(one.leaf_version, height.height) for bet in bets]
        assert len(leaves) == one.bet_count
        assert tree_root([leaf_hash(leaf.encode()) for leaf in leaves]).hex() == one.merkle_root


@pytest.fixture(autouse=True)
async def _ledger_is_sound(_books: Database | None) -> AsyncIterator[None]:
    """As everywhere, but without the bets' own rows: one of them loses its hold here to a posting that no game made."""
    yield
    if _books is not None:
        assert await audit(_books) == []


async def test_a_writer_goes_on_where_the_last_one_ended(writer: Writer, db: Database) -> None:
    tail = await db.row("SELECT last_posting, last_at FROM ledger_tail")
    assert tail is not None
    before, prizes = await prizes_of(db)
    reserved = purse.house(purse.Purpose.BANKROLL_RESERVED, USDT)
    posted = await writer.post(Posting(key=new_key(), moves=[Move("game.prize", reserved, ROOT, 5)]))
    assert (posted.id, posted.at >= tail["last_at"]) == (tail["last_posting"] + 1, True)
    after, more_prizes = await prizes_of(db)
    assert (after.total, after.rows[0].balance) == (before.total + 1, before.rows[0].balance + 5)
    assert (more_prizes.total, more_prizes.rows[1:]) == (prizes.total + 1, prizes.rows)
    assert await statements.sum_of_day(db, business_day(posted.at), USDT, ["game.prize"]) >= 5
    held = purse.held(purse.FIRST_MEMBER, USDT)
    hold = await db.row("SELECT id, left_units FROM holds WHERE state = 'open' AND account_id = $1", held)
    assert hold is not None, "the dump has a bet that is still open"
    back = Resolve("test.back", hold["id"], ROOT, units=hold["left_units"])
    freed = await writer.post(Posting(key=new_key(), resolves=[back]))
    assert freed.balances[ROOT] == after.rows[0].balance + hold["left_units"]


async def prizes_of(db: Database) -> tuple[Page[StatementRow], Page[StatementRow]]:
    """The statement of the account that played: as it is, and of its prizes alone."""
    query = PageQuery(100)
    return await statements.page(db, ROOT, query), await statements.page(db, ROOT, query, kind="game.prize")


async def test_an_upgraded_installation_is_ready(writer: Writer, db: Database, clock: Clock, terms: Terms) -> None:
    looked_at = checks(house_of(db, writer, clock, terms), Settings())
    for name in ("database", "writer", "chain", "demo_data"):
        assert await looked_at[name]() is None, name


def test_a_migration_is_never_edited() -> None:
    """Each brings its digest with it: `python tests/upgrade/make_dump.py --digests`."""
    found = {file.name: digest_of(file) for file in sorted(MIGRATIONS.glob("[0-9]*.py"))}
    known = known_digests()
    assert {name: found.get(name) for name in known} == known, "write a further migration instead"
    assert list(found) == list(known), f"{DIGESTS} lacks a migration, or a new one isn't behind all others"


def test_a_dump_holds_no_secret_and_stays_small() -> None:
    for dump in DUMPS.glob("*.sql.gz"):
        text = text_of(dump)
        assert dump.stat().st_size < 300_000
        assert not [
            table for table in ("sessions", "wire_keys", "email_codes") if f"INSERT INTO public.{table}" in text
        ]
        assert not [word for word in ("/home/", "/root/", "/tmp/", "/work") if word in text]
