"""What a page of a statement costs does not follow from how deep it lies. Counted in database pages, not in time."""

import json
from collections.abc import AsyncIterator
from typing import Any, Final

import asyncpg
import pytest

from kalos.app.migrate import role_url
from kalos.core.assets import USDT
from kalos.core.database import Database, Record
from kalos.core.pages import PageQuery
from kalos.ledger import purse, statements
from kalos.ledger.statements import MOST_WALKED, balances_before, page
from support.budget import count
from support.clusters import SECRET
from support.ledger import CHAIN, FEES, new_owner

DEPTH: Final = count("ledger.statement.depth")
ACCOUNT: Final = purse.available(new_owner(), USDT)
KINDS: Final = {"test.bet": -1001, "test.old_bet": -1002, "test.rare": 1001, "test.fee": 1002}
OLD_BETS: Final = 5
FILTERS: Final[list[dict[str, Any]]] = [
    {},
    {"kind": "test.bet"},
    {"kind": "test.rare"},
    {"ending": ".fee"},
    {"start": 0, "end": 2 * DEPTH},
    {"start": 1, "end": DEPTH - 1, "kind": "test.bet"},
]

# One account: of three moves one comes in; of ten nine are of a frequent kind, of a hundred one is a fee.
_MOVES: Final = f"""
    INSERT INTO journal (id, posting_id, from_id, to_id, amount, from_version, to_version, from_balance, to_balance,
        reference, at, day, kind)
    SELECT n, n, CASE WHEN inward THEN {CHAIN} ELSE {ACCOUNT} END, CASE WHEN inward THEN {ACCOUNT} ELSE {FEES} END,
        1, n, n, CASE WHEN inward THEN -n ELSE n END, n, n, n, '2027-01-15',
        CASE WHEN n <= {OLD_BETS} THEN -1002 WHEN n % 100 = 0 THEN 1002 WHEN n % 10 = 0 THEN 1001 ELSE -1001 END
    FROM (SELECT n, n % 3 = 0 AS inward FROM generate_series(1, {DEPTH}) AS n) AS moves
"""


class Meter(Database):
    """Adds up the pages that each statement looks at, planned with its values or without."""

    def __init__(self, url: str, mode: str) -> None:
        super().__init__(url, size=1)
        self._mode = mode
        self.pages = 0

    async def rows(self, query: str, *values: Any) -> list[Record]:
        async with self.connection() as db:
            await db.execute(f"SET plan_cache_mode = {self._mode}; PREPARE measured AS {query}")
            given = f"({', '.join(map(_literal, values))})" if values else ""
            [found] = json.loads(await db.fetchval(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE measured{given}"))
            await db.execute("DEALLOCATE measured")
            self.pages += found["Plan"]["Shared Hit Blocks"] + found["Plan"]["Shared Read Blocks"]
            return await db.fetch(query, *values)

    async def value(self, query: str, *values: Any) -> Any:
        found = await self.rows(query, *values)
        return found[0][0] if found else None


def _literal(value: Any) -> str:
    if value is None:
        return "NULL"
    return f"'{{{','.join(map(str, value))}}}'" if isinstance(value, list) else f"'{value}'"


@pytest.fixture(scope="module")
async def deep_url(database_url: str) -> str:
    """The application's address of a database in which one account has a long history."""
    owner = await asyncpg.connect(database_url, command_timeout=300)
    try:
        names = ", ".join(f"({number}, '{name}')" for name, number in KINDS.items())
        await owner.execute(f"INSERT INTO kinds (id, name) OVERRIDING SYSTEM VALUE VALUES {names}")
        await owner.execute(_MOVES)
        await owner.execute(f"INSERT INTO accounts (id, balance, version) VALUES ({ACCOUNT}, {DEPTH}, {DEPTH})")
        await owner.execute("ANALYZE journal")
    finally:
        await owner.close()
    return role_url(database_url, "kalos_app", SECRET)


@pytest.fixture(params=["force_custom_plan", "force_generic_plan"])
async def meter(deep_url: str, request: pytest.FixtureRequest) -> AsyncIterator[Meter]:
    made = Meter(deep_url, request.param)
    yield made
    await made.close()


async def cost(meter: Meter, after: int | None, **filters: Any) -> int:
    """The pages that a page of 20 rows below `after` looks at."""
    before = meter.pages
    found = await page(meter, ACCOUNT, PageQuery(20, after=after), **filters)
    assert len(found.rows) == 20
    return meter.pages - before


@pytest.mark.parametrize("filters", FILTERS, ids=str)
async def test_a_deep_page_costs_about_as_much_as_the_first(meter: Meter, filters: dict[str, Any]) -> None:
    first = await cost(meter, None, **filters)
    for after in (DEPTH // 2, 5_000):
        assert await cost(meter, after, **filters) <= 1.1 * first + 5
    assert first < 5_000, "a first page that looks at everything would hide a deep one that does"


async def test_a_page_of_a_frequent_kind_looks_at_so_many_versions_and_no_more(
    meter: Meter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statements, "MOST_STEPS", 3)
    looked = 3 * MOST_WALKED
    found = await page(meter, ACCOUNT, PageQuery(20), kind="test.old_bet")
    assert (found.rows, found.total, found.next, found.more) == ([], 0, DEPTH - looked + 1, True)
    assert meter.pages < 3 * 2 * looked
    pages, rows = 1, []
    while found.next is not None:
        found = await page(meter, ACCOUNT, PageQuery(20, after=found.next), kind="test.old_bet")
        rows += found.rows
        pages += 1
    assert [row.version for row in rows] == [5, 4, 3, 2, 1]
    assert pages == -(-DEPTH // looked)


async def test_what_an_account_had_long_ago_costs_a_few_pages(meter: Meter) -> None:
    found = await balances_before(meter, [ACCOUNT], [2, DEPTH // 2, DEPTH + 1])
    assert found == {(ACCOUNT, 2): 1, (ACCOUNT, DEPTH // 2): DEPTH // 2 - 1, (ACCOUNT, DEPTH + 1): DEPTH}
    assert meter.pages < 1_000
