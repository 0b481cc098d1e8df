"""What the games say of the house's money: every reservation and every held stake has its rows, at each moment."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Final

import asyncpg
import pytest

from conftest import MakeMember
from games.stage import LIMIT, Stage, turn_well
from games.test_settling import Fuse, Killed
from kalos.core.assets import USDT
from kalos.domains.games.queries import EXPLAINED
from kalos.domains.games.tables import quota_of_height, quota_of_member
from kalos.ledger import purse, watch
from kalos.ledger.audit import audit
from kalos.ledger.explained import Holds, check_holds_of

# One open stake becomes 501.
_MORE_HOLDS = """
    INSERT INTO holds SELECT (jsonb_populate_record(h, jsonb_build_object('id', id + n * 8))).*
    FROM holds h, generate_series(1, 500) AS n WHERE account_id = $1
"""
_MORE_BETS = """
    INSERT INTO bets SELECT (jsonb_populate_record(b, jsonb_build_object('id', id + n, 'hold', hold + n * 8))).*
    FROM bets b, generate_series(1, 500) AS n WHERE member = $1
"""
_READ = "SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'bets'"


@pytest.fixture(scope="module")
async def owner(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    db = await asyncpg.connect(database_url)
    yield db
    await db.close()


async def test_reservations_and_stakes_are_explained_after_every_posting(stage: Stage, member: MakeMember) -> None:
    view = await stage.begin()
    alice = await member(usdt="100", kls="100")
    for option, amount, asset in (("odd", "10", "USDT"), ("even", "3.000001", "USDT"), ("odd", "2", "KLS")):
        await stage.bet(alice, view, option, amount, asset=asset)
        assert await audit(stage.house.db, EXPLAINED) == []
    stage.to(view.height.closes_at)
    stage.mine_to(view, 1)
    for _ in range(3):
        stage.chain.mine()
    looks = 0
    while (await stage.height(view)).settled_at is None:
        try:
            await turn_well(replace(stage.house, ledger=Fuse(stage.house.ledger, 1, answered=True)))
        except Killed:
            looks += 1
        assert await audit(stage.house.db, EXPLAINED) == []
    assert looks > 3


@pytest.mark.parametrize(
    ("change", "back", "title"),
    [
        ("height_limits SET units = units + 1", "height_limits SET units = units - 1", "purpose not explained"),
        ("bets SET units = units + 1", "bets SET units = units - 1", "hold not explained"),
    ],
)
async def test_rows_that_say_something_else_are_found(
    stage: Stage, member: MakeMember, owner: asyncpg.Connection, change: str, back: str, title: str
) -> None:
    view = await stage.begin()
    await stage.bet(await member(usdt="100"), view, "odd", "10")
    await owner.execute(f"UPDATE {change} WHERE closes_at = {view.height.closes_at}")
    problems = await audit(stage.house.db, EXPLAINED)
    await owner.execute(f"UPDATE {back} WHERE closes_at = {view.height.closes_at}")
    assert {problem.partition(":")[0] for problem in problems} == {title, "quota not explained"}


_FAR: Final = "(SELECT array_agg(one + 9000000000000 ORDER BY n) FROM unnest(left_units) WITH ORDINALITY o (one, n))"


@pytest.mark.parametrize(
    "change",
    [
        "left_units[3] = left_units[3] + 1",
        "left_units[1] = left_units[1] - 1",
        f"left_units = {_FAR}",
        "id = id || '0'",
    ],
    ids=["a digit", "the first digit", "more than the limit", "none"],
)
async def test_a_members_share_is_what_its_bets_left_of_it(
    stage: Stage, member: MakeMember, owner: asyncpg.Connection, change: str
) -> None:
    view, alice = await stage.begin(), await member(usdt="100")
    await stage.bet(alice, view, "odd", "10")
    await stage.bet(alice, view, "even", "3")
    quota = quota_of_member(view.height.closes_at, USDT, alice.id)
    was = await owner.fetchval("SELECT left_units FROM quotas WHERE id = $1", quota)
    await owner.execute(f"UPDATE quotas SET {change} WHERE id = $1", quota)
    problems = await audit(stage.house.db, EXPLAINED)
    await owner.execute("UPDATE quotas SET left_units = $2, id = $1 WHERE id IN ($1, $1 || '0')", quota, was)
    assert [problem.partition(" has ")[0] for problem in problems] == [f"quota not explained: {quota}"]
    assert await audit(stage.house.db, EXPLAINED) == []


async def test_the_running_audit_reads_each_open_stake_once(
    stage: Stage, member: MakeMember, owner: asyncpg.Connection
) -> None:
    view, alice = await stage.begin(), await member(usdt="100")
    await stage.bet(alice, view, "odd", "10")
    (stakes,) = [one for one in EXPLAINED if isinstance(one, Holds)]
    account = purse.held(alice.id, USDT)
    transaction = owner.transaction()
    await transaction.start()
    try:
        await owner.execute(_MORE_HOLDS, account)
        await owner.execute(_MORE_BETS, alice.id)
        await owner.execute(watch._SESSION)
        before = await owner.fetchval(_READ)
        problems = await check_holds_of(owner, stakes, [account])
        read = await owner.fetchval(_READ) - before
    finally:
        await transaction.rollback()
    assert (problems, read) == ([], 501)


async def test_the_room_of_a_height_is_its_limit_less_what_its_bets_may_cost(
    stage: Stage, member: MakeMember, owner: asyncpg.Connection
) -> None:
    view = await stage.begin()
    await stage.bet(await member(usdt="100"), view, "odd", "10.000001")
    name = quota_of_height(view.height.closes_at, USDT)
    change = (
        "UPDATE quotas SET left_units = array_replace(left_units, left_units[{0}], left_units[{0}] + {1}) WHERE id = $1"
    )
    await owner.execute(change.format(2, 1), name)
    problems = await audit(stage.house.db, EXPLAINED)
    await owner.execute(change.format(2, -1), name)
    odd, even = LIMIT - 9_500_000, LIMIT + 10_000_001
    assert problems == [f"quota not explained: {name} has {[even, odd + 1] * 5} left, rows say {[even, odd] * 5}"]
