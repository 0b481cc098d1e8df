"""L8: a page of a statement a million moves back, with its total, beside OFFSET and count(*), and beside page 1."""

from typing import Any, Final

import asyncpg

from kalos.core.database import Database
from kalos.core.pages import Page, PageQuery
from kalos.ledger import statements
from kalos.ledger.statements import StatementRow
from report import Benchmark
from sets import DEEP
from slices import Slice, Work, measure
from stand import app_url

_SIZE: Final = 20
# The rows are chosen before they are joined: only the offset itself costs.
_PAGE: Final = f"""
    SELECT e.id, t.kind, e.amount, e.balance, e.created_at
    FROM (
        SELECT * FROM two_entries.entries WHERE account_id = $1 ORDER BY id DESC LIMIT {_SIZE} OFFSET $2
    ) AS e JOIN two_entries.transactions t ON t.id = e.transaction_id
    ORDER BY e.id DESC
"""
_COUNT: Final = "SELECT count(*) FROM two_entries.entries WHERE account_id = $1"


class Pages:
    """The same page of the same history, read in both ways."""

    def __init__(self, books: Database, peer: asyncpg.Connection, depth: int, version: int) -> None:
        self._books = books
        self._peer = peer
        self._depth = depth
        self._after = version + 1 - depth

    async def ours(self, _: int = 0) -> Page[StatementRow]:
        return await statements.page(self._books, DEEP, PageQuery(size=_SIZE, after=self._after))

    async def first(self, _: int = 0) -> Page[StatementRow]:
        return await statements.page(self._books, DEEP, PageQuery(size=_SIZE))

    async def offset(self, _: int = 0) -> tuple[list[Any], int]:
        rows = await self._peer.fetch(_PAGE, DEEP, self._depth)
        return rows, await self._peer.fetchval(_COUNT, DEEP)

    async def check(self) -> None:
        """Both ways show the same rows and the same total."""
        page, (rows, total) = await self.ours(), await self.offset()
        assert page.total == total, f"{page.total} and {total} moves"
        mine = [(row.amount, row.balance) for row in page.rows]
        theirs = [(int(row["amount"] * 10**6), int(row["balance"] * 10**6)) for row in rows]
        assert mine == theirs, "the pages differ"
        assert len(mine) == _SIZE, "the history is too short"


async def run(url: str, *, depth: int, rounds: int, seconds: float) -> list[Benchmark]:
    books = Database(app_url(url), size=1)
    peer = await asyncpg.connect(url)
    version = await books.value("SELECT version FROM accounts WHERE id = $1", DEEP)
    pages = Pages(books, peer, min(depth, version - _SIZE), version)
    await pages.check()
    works: list[Work] = [pages.ours, pages.first, pages.offset]
    slices: list[list[Slice]] = [[], [], []]
    for number in range(rounds):
        turn = number % len(works)
        for place in (*range(turn, len(works)), *range(turn)):
            slices[place].append(await measure(works[place], 1, seconds))
    await books.close()
    await peer.close()
    far = Benchmark(
        "L8", f"statement page {depth:,} moves back, with total", "pages/s", 500, against="OFFSET, count(*)"
    )
    near = Benchmark("L8 page 1", "the same beside page 1, p50", "ms", 2, lower=True, against="page 1")
    return [far.of_slices(slices[0], slices[2], "rate"), near.of_slices(slices[0], slices[1], "p50")]
