"""What one call may make the database and the process do: pieces of trees are read once, and so is who bet lately."""

import asyncio
import re
import sys
from array import array
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, Final

import msgspec
import pytest

from conftest import MakeMember
from games.stage import Stage
from kalos.core.clock import Clock
from kalos.core.database import Database, Record
from kalos.core.errors import TooMany
from kalos.core.merkle import Tree, leaf_hash
from kalos.domains.context import Context, Member
from kalos.domains.games import api, proofs, service, shapes

PIECES: Final = "b.round = $1 AND b.id >= $2 ORDER BY"
BETTORS: Final = "count(DISTINCT member)"


class Reads(Database):
    """Counts the statements in which one of these texts stands; those of pieces wait until they may `go_on`."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.made: Counter[str] = Counter()
        self.go_on = asyncio.Event()
        self.go_on.set()

    async def rows(self, query: str, *values: Any) -> list[Record]:
        self.made.update(text for text in (PIECES, BETTORS) if text in query)
        if PIECES in query:
            await self.go_on.wait()
        return await super().rows(query, *values)


class Looks(Database):
    """Adds up the bets that statements on those of a member look at in vain, planned without their values."""

    def __init__(self, url: str) -> None:
        super().__init__(url, size=1, settings={"plan_cache_mode": "force_generic_plan", "enable_seqscan": "off"})
        self.in_vain = self.statements = 0

    async def rows(self, query: str, *values: Any) -> list[Record]:
        await self._look(query, values)
        return await super().rows(query, *values)

    async def value(self, query: str, *values: Any) -> Any:
        await self._look(query, values)
        return await super().value(query, *values)

    async def _look(self, query: str, values: tuple[Any, ...]) -> None:
        if "b.member = $1" in query:
            given = ", ".join("NULL" if value is None else f"'{value}'" for value in values)
            async with self.connection() as db:
                await db.execute(f"PREPARE measured AS {query}")
                plan = await db.fetchval(f"EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE measured ({given})")
                await db.execute("DEALLOCATE measured")
            self.in_vain += sum(map(int, re.findall(r'"Rows Removed by [^"]+": (\d+)', plan)))
            self.statements += 1


class Still(Clock):
    """Business time goes on by hand."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at

    def now(self) -> int:
        return self.at


@pytest.fixture
async def reads(stage: Stage) -> AsyncIterator[Reads]:
    made = Reads(stage.house.db.url)
    yield made
    await made.close()


def context(stage: Stage, reads: Reads, member: Member) -> Context:
    return Context(house=replace(stage.house, db=reads), member=member)


async def orders(ctx: Context) -> list[dict[str, Any]]:
    """As JSON."""
    answer = await api.order_list(ctx, shapes.OrdersBody(size=100))
    found: list[dict[str, Any]] = msgspec.json.decode(msgspec.json.encode(answer))["list"]
    return found


async def test_a_piece_is_read_once_whoever_asks_for_a_path_and_how_often(
    stage: Stage, reads: Reads, member: MakeMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proofs, "PIECE", 4)
    view = await stage.begin()
    alice, bob = await member(usdt="100"), await member(usdt="100")
    for _ in range(5):
        await stage.bet(alice, view, "odd", "1")
        await stage.bet(bob, view, "even", "1")
    ctx = {who: context(stage, reads, who) for who in (alice, bob)}
    assert {bet["proof"] for bet in await orders(ctx[alice])} == {None}
    assert reads.made[PIECES] == 0
    await stage.play(view, 3)
    pages = await asyncio.gather(*(orders(ctx[who]) for who in (alice, bob, alice, bob)))
    assert reads.made[PIECES] == 3  # 4, 4 and 2 bets
    assert pages[2:] == pages[:2] == [await orders(ctx[who]) for who in (alice, bob)]
    assert reads.made[PIECES] == 3
    found = {int(bet["bet_id"]): bet for page in pages[:2] for bet in page}
    whole = Tree([leaf_hash(found[number]["leaf"].encode()) for number in sorted(found)])
    for place, number in enumerate(sorted(found)):
        steps = [{"side": step.side, "hash": step.hash.hex()} for step in whole.path(place)]
        assert found[number]["proof"] == steps


async def test_of_pages_that_one_member_asks_for_at_once_a_few_are_proven(
    stage: Stage, reads: Reads, member: MakeMember
) -> None:
    view, alice = await stage.begin(), await member(usdt="100")
    await stage.bet(alice, view, "odd", "1")
    await stage.play(view, 3)
    ctx = context(stage, reads, alice)
    reads.go_on.clear()
    asked = [asyncio.create_task(orders(ctx)) for _ in range(4)]
    async with asyncio.timeout(30):
        while proofs._pages[alice.id] < 4:
            await asyncio.sleep(0.001)
    with pytest.raises(TooMany):
        await asyncio.wait_for(orders(ctx), 30)
    assert await orders(context(stage, reads, await member())) == []
    reads.go_on.set()
    assert [len(page) for page in await asyncio.gather(*asked)] == [1] * 4
    assert alice.id not in proofs._pages
    assert len(await orders(ctx)) == 1


async def test_who_bet_lately_is_counted_once_for_all_who_ask_within_some_seconds(
    stage: Stage, reads: Reads, member: MakeMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundred seconds here, however slow the machine is."""
    monkeypatch.setattr(service, "_COUNTED_MS", 100_000)
    view = await stage.begin()
    alice, bob = await member(usdt="100"), await member(usdt="100")
    await stage.bet(alice, view, "odd", "1")
    clock = Still(stage.now)
    ctx = Context(house=replace(stage.house, db=reads, clock=clock), member=alice)
    halls = await asyncio.gather(*(service.show_hall(ctx) for _ in range(5)))
    assert [hall.online for hall in halls] == [{"odd_even": 1}] * 5
    await stage.bet(bob, view, "odd", "1")
    assert (await service.show_hall(ctx)).online == {"odd_even": 1}
    assert reads.made[BETTORS] == 1
    clock.at += 100_000
    assert (await service.show_hall(ctx)).online == {"odd_even": 2}
    assert reads.made[BETTORS] == 2


async def test_who_asks_for_bets_that_wait_reads_nothing_of_what_is_settled(stage: Stage, member: MakeMember) -> None:
    view, alice = await stage.begin(), await member(usdt="100")
    for _ in range(9):
        await stage.bet(alice, view, "odd", "1")
    await stage.play(view, 3)
    looks = Looks(stage.house.db.url)
    ctx = Context(house=replace(stage.house, db=looks), member=alice)
    waiting = shapes.OrdersBody(status="awaiting_draw")
    assert (await api.order_list(ctx, waiting)).list == []
    placed = await stage.bet(alice, await stage.begin(), "odd", "1")
    page = await api.order_list(ctx, waiting)
    await looks.close()
    assert ([row.bet_id for row in page.list], page.total) == ([str(placed.bet.id)], 1)
    assert (looks.statements, looks.in_vain) == (4, 0)


def test_the_pieces_that_are_kept_take_ten_megabytes() -> None:
    piece = proofs.Piece(
        array("q", range(proofs.PIECE)), Tree([leaf_hash(bytes([n % 256])) for n in range(proofs.PIECE)])
    )
    assert sys.getsizeof(piece.ids) + sum(map(sys.getsizeof, piece.tree._levels)) < 75_000
    assert proofs._MOST_KEPT * 75_000 < 10_000_000
