"""Profile, finances and statements over a real ledger."""

import dataclasses
import itertools
import random
import uuid
from fractions import Fraction

import pytest

from conftest import MakeContext, MakeMember
from kalos.core.assets import KLS, USDT, Asset
from kalos.core.clock import Clock, business_day
from kalos.core.database import Database
from kalos.core.pages import PageQuery
from kalos.domains.context import House, Member
from kalos.domains.overview import queries, service
from kalos.domains.overview.rules import DAY_MS
from kalos.ledger import purse
from kalos.ledger.postings import Move, Open, Posting

OUTSIDE = {USDT: purse.Purpose.CHAIN, KLS: purse.Purpose.ISSUANCE}


async def move(house: House, member: Member, units: int, asset: Asset = USDT, kind: str = "test.move") -> None:
    """Bring `units` in from outside, or out where they are negative."""
    outside = purse.outside(OUTSIDE[asset], asset)
    ends = (outside, purse.available(member.id, asset))
    source, target = ends if units > 0 else ends[::-1]
    await house.ledger.post(Posting(key=uuid.uuid4().bytes * 2, moves=[Move(kind, source, target, abs(units))]))


async def hold(house: House, member: Member, units: int, asset: Asset = USDT) -> None:
    account = purse.available(member.id, asset)
    await house.ledger.post(Posting(key=uuid.uuid4().bytes * 2, opens=[Open("test.hold", account, units)]))


async def brute_force(db: Database, account: int, edge: int) -> int:
    """The balance before `edge`, summed from every move."""
    return int(
        await db.value(
            """
            SELECT coalesce(sum(CASE WHEN to_id = $1 THEN amount ELSE -amount END), 0)::bigint
            FROM journal WHERE (from_id = $1 OR to_id = $1) AND at < $2
            """,
            account,
            edge,
        )
    )


async def test_new_member_has_nothing_and_a_history_of_nothing(ctx: MakeContext, member: MakeMember) -> None:
    me = await member()
    finances = await service.show_finances(ctx(me))
    assert (finances.total, finances.change) == (0, 0)
    assert [(row.holding.available, row.holding.held, row.value) for row in finances.rows] == [(0, 0, 0)] * 2
    assert len(finances.history) == 30
    assert {total for _, total in finances.history} == {0}
    assert finances.history[-1][0] == business_day(ctx(me).now)


async def test_total_counts_what_is_held_and_values_kls_at_the_price(ctx: MakeContext, member: MakeMember) -> None:
    me = await member(usdt="100", kls="3.00000003")
    await hold(ctx().house, me, 40_000_000)
    finances = await service.show_finances(ctx(me))
    assert finances.total == 101_500_000
    assert [(row.holding.available, row.holding.held, row.value) for row in finances.rows] == [
        (60_000_000, 40_000_000, 100_000_000),
        (300_000_003, 0, 1_500_000),
    ]
    assert (finances.price.rate, finances.price.source) == (Fraction(1, 2), "ref_first")
    assert finances.change == 101_500_000


async def test_change_and_history_follow_business_time(ctx: MakeContext, member: MakeMember, clock: Clock) -> None:
    me = await member(usdt="100")
    clock.offset_ms += DAY_MS
    await move(ctx().house, me, -30_000_000)
    clock.offset_ms += DAY_MS // 4
    await move(ctx().house, me, 2 * 10**8, KLS)
    finances = await service.show_finances(ctx(me))
    assert (finances.total, finances.change) == (71_000_000, -29_000_000)
    clock.offset_ms += 3 * DAY_MS
    later = await service.show_finances(ctx(me))
    assert (later.total, later.change) == (71_000_000, 0)
    assert [total for _, total in later.history[-3:]] == [71_000_000] * 3
    assert later.history[-6][1] in (0, 100_000_000)
    assert {total for _, total in later.history} <= {0, 100_000_000, 70_000_000, 71_000_000}
    clock.offset_ms += 40 * DAY_MS
    assert {total for _, total in (await service.show_finances(ctx(me))).history} == {71_000_000}


async def test_past_balances_equal_the_sum_of_all_moves_before(
    ctx: MakeContext, member: MakeMember, clock: Clock
) -> None:
    chance, me, house = random.Random(7), await member(usdt="1000", kls="1000"), ctx().house
    edges = [clock.now() - 1]
    for _ in range(60):
        clock.offset_ms += chance.choice((0, 1, 1_000, DAY_MS // 3))
        asset = chance.choice((USDT, KLS))
        if chance.random() < 0.3:
            await hold(house, me, chance.randrange(1, 1_000), asset)
        else:
            await move(house, me, chance.choice((-1, 1)) * chance.randrange(1, 10_000), asset)
        edges.append(await house.db.value("SELECT max(at) FROM journal") + chance.choice((0, 1)))
    purposes = (purse.available, purse.held)
    accounts = [purpose(me.id, asset) for purpose, asset in itertools.product(purposes, (USDT, KLS))]
    found = await queries.balances_before(house.db, accounts, edges)
    for account, edge in itertools.product(accounts, set(edges)):
        assert found.get((account, edge), 0) == await brute_force(house.db, account, edge), (account, edge)


async def test_past_balances_read_a_few_rows_however_long_the_history_is(ctx: MakeContext, member: MakeMember) -> None:
    me, house = await member(usdt="1000"), ctx().house
    for _ in range(3):
        await house.ledger.post_many(
            [
                Posting(
                    key=uuid.uuid4().bytes * 2,
                    moves=[
                        Move(
                            "test.move",
                            purse.outside(purse.Purpose.CHAIN, USDT),
                            purse.available(me.id, USDT),
                            1,
                        )
                    ],
                )
                for _ in range(300)
            ]
        )
    account = purse.available(me.id, USDT)
    async with house.db.connection() as db:
        await db.execute("SET enable_seqscan = off")
        plan = await db.fetchval(
            "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + queries._BALANCES_BEFORE, [account], [ctx(me).now]
        )
        await db.execute("RESET enable_seqscan")
    assert "Seq Scan" not in plan
    assert await house.db.value("SELECT version FROM accounts WHERE id = $1", account) == 901


async def test_statement_shows_the_moves_of_available_newest_first(
    ctx: MakeContext, member: MakeMember, clock: Clock
) -> None:
    me, other = await member(usdt="100"), await member(usdt="5")
    clock.offset_ms += DAY_MS
    started = ctx().now
    await move(ctx().house, me, -30_000_000, kind="test.out")
    await hold(ctx().house, me, 1_000_000)
    page = await service.list_statement(ctx(me), USDT, PageQuery(10), start=None, end=None, kind=None)
    assert [(row.kind, row.amount, row.balance) for row in page.rows] == [
        ("test.hold", -1_000_000, 69_000_000),
        ("test.out", -30_000_000, 70_000_000),
        ("test.fund", 100_000_000, 100_000_000),
    ]
    assert (page.total, page.next) == (3, None)
    since = await service.list_statement(ctx(me), USDT, PageQuery(10), start=started, end=None, kind=None)
    assert [row.kind for row in since.rows] == ["test.hold", "test.out"]
    until = await service.list_statement(ctx(me), USDT, PageQuery(10), start=None, end=started - 1, kind=None)
    assert [row.kind for row in until.rows] == ["test.fund"]
    one = await service.list_statement(ctx(me), USDT, PageQuery(10), start=None, end=None, kind="test.out")
    assert [row.kind for row in one.rows] == ["test.out"]
    assert [
        row.amount
        for row in (await service.list_statement(ctx(other), USDT, PageQuery(10), start=None, end=None, kind=None)).rows
    ] == [5_000_000]
    assert (await service.list_statement(ctx(me), KLS, PageQuery(10), start=None, end=None, kind=None)).rows == []


async def test_profile_shows_the_inviter_and_hides_the_address(
    ctx: MakeContext, member: MakeMember, database_url: str
) -> None:
    me = await member(usdt="1")
    house = dataclasses.replace(ctx().house, page_url="https://kalos.example")
    profile = await service.show_profile(dataclasses.replace(ctx(me), house=house))
    assert (profile.account, profile.superior) == (me.account, None)
    assert profile.email.endswith("@test.example")
    assert "***" in profile.email
    assert profile.invite_link == f"https://kalos.example/register?code={profile.invite_code}"
    assert [(holding.asset, holding.available) for holding in profile.holdings] == [(USDT, 1_000_000), (KLS, 0)]


@pytest.mark.parametrize("asset", [USDT, KLS])
async def test_nothing_shown_changes_anything(ctx: MakeContext, member: MakeMember, asset: Asset) -> None:
    me = await member(usdt="1")
    before = await ctx().db.value("SELECT last_move FROM ledger_tail")
    await service.show_finances(ctx(me))
    await service.show_profile(ctx(me))
    await service.list_statement(ctx(me), asset, PageQuery(10), start=None, end=None, kind=None)
    assert await ctx().db.value("SELECT last_move FROM ledger_tail") == before
