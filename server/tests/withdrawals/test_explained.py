"""What withdrawals say of money: each amount and fee that is held, and what is left of each member's day."""

from collections.abc import AsyncIterator
from typing import Final

import asyncpg
import pytest

from kalos.core.clock import business_day
from kalos.core.terms import Terms
from kalos.domains.context import Context
from kalos.domains.withdrawals import jobs
from kalos.domains.withdrawals.queries import EXPLAINED
from kalos.domains.withdrawals.rules import quota_of
from kalos.ledger.audit import audit
from kalos.ledger.postings import Take
from support.ledger import posting
from withdrawals.conftest import MakeRich
from withdrawals.scene import end, reviewed, with_terms, withdraw

DAY: Final = 100_000 * 10**6


@pytest.fixture(scope="module")
async def owner(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    """Triggers aside, as who breaks something by hand."""
    db = await asyncpg.connect(database_url)
    await db.execute("SET session_replication_role = replica")
    yield db
    await db.close()


def room_of(me: Context) -> str:
    return quota_of(me.caller.id, business_day(me.now))


async def test_a_members_day_is_explained_after_every_step(rich: MakeRich, database_url: str, terms: Terms) -> None:
    me = await rich(usdt="200000", kls="2000")
    assert terms.withdraw_daily_limit * 10**6 == DAY
    first = (await withdraw(me, "60")).withdrawal
    assert (first.day_value_units, first.day_free_units) == (DAY, terms.kyc_free_limit * 10**6)
    lower = with_terms(me, withdraw_daily_limit=50_000)
    second = (await withdraw(lower, "20000")).withdrawal
    assert second.day_value_units == DAY // 2
    assert await audit(me.db, EXPLAINED) == []
    third = (await withdraw(lower, "30")).withdrawal
    left = DAY - 20_090_000_000
    assert await me.db.value("SELECT left_units[1] FROM quotas WHERE id = $1", room_of(me)) == left
    await reviewed(me, second, is_yes=False, reason="not yours")
    assert await audit(me.db, EXPLAINED) == []
    for one, outcome in ((first, "failed"), (third, "approved")):
        await end(database_url, one.id, outcome)
        await jobs.settle_ended(me.house)
        assert await audit(me.db, EXPLAINED) == []
    assert await me.db.value("SELECT left_units[1] FROM quotas WHERE id = $1", room_of(me)) == DAY - 30_000_000


@pytest.mark.parametrize(
    ("change", "back"),
    [
        ("quotas SET left_units[1] = left_units[1] + 1", "quotas SET left_units[1] = left_units[1] - 1"),
        ("quotas SET left_units[2] = left_units[2] - 1", "quotas SET left_units[2] = left_units[2] + 1"),
        ("quotas SET id = id || '0'", "quotas SET id = left(id, -1)"),
        (
            "withdrawals SET status = 'failed', reason = 'x', decided_at = 1",
            "withdrawals SET status = 'pending_review', reason = NULL, decided_at = NULL",
        ),
        ("withdrawals SET day_value_units = 0", f"withdrawals SET day_value_units = {DAY}"),
    ],
    ids=["the day's room", "the room without an identity", "no room", "what came back", "what it began with"],
)
async def test_a_room_that_its_withdrawals_did_not_leave_is_found(
    rich: MakeRich, owner: asyncpg.Connection, change: str, back: str
) -> None:
    me = await rich(usdt="100000", kls="2000")
    one = (await withdraw(me, "10001")).withdrawal
    of_it = f"WHERE id LIKE '{room_of(me)}%'" if "quotas" in change else f"WHERE id = {one.id}"
    await owner.execute(f"UPDATE {change} {of_it}")
    problems = await audit(me.db, EXPLAINED)
    await owner.execute(f"UPDATE {back} {of_it}")
    assert f"quota not explained: {room_of(me)}" in {problem.partition(" has ")[0] for problem in problems}
    assert await audit(me.db, EXPLAINED) == []


async def test_a_room_without_a_withdrawal_is_found(rich: MakeRich, owner: asyncpg.Connection) -> None:
    me = await rich()
    await me.ledger.post(posting(takes=[Take(room_of(me), (1, 0), first=(DAY, 0))]))
    problems = await audit(me.db, EXPLAINED)
    await owner.execute("DELETE FROM quotas WHERE id = $1", room_of(me))
    assert problems == [f"quota not explained: {room_of(me)} has [{DAY - 1}, 0] left, rows say None"]
