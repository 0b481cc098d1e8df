"""The withdrawal password: set, asked for, locked after too many wrong ones, set anew."""

import asyncio
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from conftest import MakeContext
from factors.scene import OUT, bind, events, everything, first, give_out, mailed, refused
from kalos.app.migrate import role_url
from kalos.core import passwords
from kalos.core.clock import HOUR_MS
from kalos.core.database import Database
from kalos.core.errors import Busy
from kalos.domains.challenges import service as challenges
from kalos.domains.context import Context
from kalos.domains.factors import queries, rules, service
from kalos.domains.factors.errors import OutPasswordLocked, WrongOutPassword
from kalos.domains.factors.rules import NewOutPassword
from kalos.domains.identity import queries as members
from support.clusters import SECRET
from support.members import make_member
from support.people import WRONG, proof

NEW = "135791"


@pytest.fixture
async def bare(ctx: MakeContext, database_url: str) -> Context:
    """A call of a member without a withdrawal password."""
    return ctx(await make_member(database_url))


@pytest.fixture
async def here(bare: Context) -> Context:
    """A call of a member with one."""
    await give_out(bare)
    return bare


async def change(ctx: Context, old: str = OUT, new: str = NEW, **fields: Any) -> None:
    wish = {"new": new, "confirm": new, "proof": await proof(ctx)} | fields
    await service.change_out_password(ctx, NewOutPassword(**wish), old=old)


async def reset(
    ctx: Context, new: str = NEW, google_code: str | None = None, email_code: str = "", **fields: Any
) -> None:
    code = email_code or await mailed(ctx, "password")
    wish = {"new": new, "confirm": new, "google_code": google_code, "proof": await proof(ctx)} | fields
    await service.reset_out_password(ctx, NewOutPassword(**wish), email_code=code)


async def held(ctx: Context) -> bool:
    return await members.held_until(ctx.db, ctx.caller.id, ctx.now) is not None


async def test_first_one_takes_the_login_password_and_the_second_factor_and_holds_nothing(bare: Context) -> None:
    here = bare
    assert await refused(service.check_out_password(here, OUT)) == "out_password_not_set"
    before = await everything(here.db)
    assert await refused(first(here, email_code=None)) == "second_factor_required"
    assert await refused(first(here, email_code="000000")) == "wrong_code"
    assert await refused(first(here, password=WRONG)) == "wrong_credentials"
    assert await refused(first(here, new="1234a6")) == "out_password_format"
    assert await refused(first(here, confirm=NEW)) == "password_mismatch"
    assert await refused(first(here, proof=None)) == "slide_required"
    assert await refused(reset(here)) == "out_password_not_set"
    assert await refused(change(here)) == "out_password_not_set"
    assert {**await everything(here.db), "email_codes": [], "domain_outbox": []} == {
        **before, "email_codes": [], "domain_outbox": []
    }  # fmt: skip
    await first(here)
    await service.check_out_password(here, OUT)
    assert await events(here) == ["out_password_set"]
    assert not await held(here)


async def test_first_one_with_an_authenticator_takes_its_code(bare: Context) -> None:
    phone = await bind(bare)
    assert await refused(first(bare)) == "second_factor_required"
    assert await refused(first(bare, google_code="000000")) == "wrong_code"
    code = phone.code(bare)
    await first(bare, google_code=code)
    await service.check_out_password(bare, OUT)
    assert await refused(change(bare, google_code=code)) == "wrong_code"


async def test_it_is_set_first_only_once_also_by_four_at_once(bare: Context) -> None:
    code = await mailed(bare, "password")
    results = await asyncio.gather(*(first(bare, email_code=code) for _ in range(4)), return_exceptions=True)
    assert sum(result is None for result in results) == 1
    assert await refused(first(bare, email_code=code)) == "wrong_state"


async def test_change_takes_the_old_one_and_the_second_factor_and_holds_withdrawals(here: Context) -> None:
    before = await everything(here.db)
    assert await refused(change(here)) == "second_factor_required"
    assert await refused(change(here, new=OUT)) == "password_same"
    assert await refused(change(here, proof=None)) == "slide_required"
    assert await refused(change(here, confirm="999999")) == "password_mismatch"
    assert await refused(change(here, new="12345")) == "out_password_format"
    assert await refused(change(here, email_code="000000")) == "wrong_code"
    assert await everything(here.db) == before
    await change(here, email_code=await mailed(here, "password"))
    assert await refused(service.check_out_password(here, OUT)) == "wrong_out_password"
    await service.check_out_password(here, NEW)
    assert await held(here)
    assert (await events(here))[-1] == "out_password_changed"


async def test_change_with_an_authenticator_takes_its_code(here: Context) -> None:
    phone = await bind(here)
    assert await refused(change(here, email_code=await mailed(here, "password"))) == "second_factor_required"
    await change(here, google_code=phone.code(here))
    await service.check_out_password(here, NEW)


async def test_of_two_changes_at_once_one_is_made(here: Context) -> None:
    phone = await bind(here)
    results = await asyncio.gather(
        change(here, google_code=phone.code(here)),
        change(here, new="999999", google_code=phone.code(here)),
        return_exceptions=True,
    )
    assert sum(result is None for result in results) == 1


async def test_forgotten_one_takes_the_mail_and_the_authenticator_and_holds_withdrawals(here: Context) -> None:
    code = await mailed(here, "password")
    before = await everything(here.db)
    assert await refused(reset(here, email_code=code, proof=None)) == "slide_required"
    assert await refused(reset(here, email_code=code, new="12345")) == "out_password_format"
    assert await refused(reset(here, email_code=code, confirm="999999")) == "password_mismatch"
    assert await refused(reset(here, email_code="000000")) == "wrong_code"
    assert await refused(reset(here, new=OUT, email_code=code)) == "password_same"
    assert await everything(here.db) == before
    phone = await bind(here)
    code = await mailed(here, "password")
    assert await refused(reset(here, email_code=code)) == "second_factor_required"
    assert await refused(reset(here, email_code=code, google_code="000000")) == "wrong_code"
    await reset(here, email_code=code, google_code=phone.code(here))
    await service.check_out_password(here, NEW)
    assert await held(here)
    assert (await events(here))[-1] == "out_password_reset"


async def test_the_fifth_wrong_one_locks_it_until_it_is_set_anew(here: Context) -> None:
    for _ in range(5):
        assert "out_password_locked" not in await events(here)
        assert await refused(service.check_out_password(here, NEW)) == "wrong_out_password"
    assert await events(here) == ["out_password_locked"]
    assert (await queries.find_set(here.db, here.caller.id)).locked
    before = await everything(here.db, but=("slides", "slide_proofs"))
    for given in (OUT, NEW):
        assert await refused(service.check_out_password(here, given)) == "out_password_locked"
    assert await refused(change(here, email_code="000000")) == "out_password_locked"
    assert await everything(here.db, but=("slides", "slide_proofs")) == before
    await here.db.execute("UPDATE tries SET times = '{}' WHERE subject LIKE 'out-password%'")
    assert await refused(service.check_out_password(here, OUT)) == "out_password_locked"
    await reset(here)
    assert not (await queries.find_set(here.db, here.caller.id)).locked
    await service.check_out_password(here, NEW)
    assert await refused(service.check_out_password(here, OUT)) == "wrong_out_password"


@pytest.mark.parametrize(("age", "locks"), [(23 * HOUR_MS, True), (25 * HOUR_MS, False)])
async def test_ten_wrong_ones_of_a_day_lock_it(here: Context, age: int, locks: bool) -> None:
    times = [here.wall - age + turn for turn in range(9)]
    await here.db.execute("UPDATE out_passwords SET wrong_at = $2 WHERE member = $1", here.caller.id, times)
    assert await refused(service.check_out_password(here, NEW)) == "wrong_out_password"
    assert ("out_password_locked" in await events(here)) is locks


async def test_right_ones_do_not_count_and_forget_no_wrong_ones(here: Context) -> None:
    for _ in range(4):
        assert await refused(service.check_out_password(here, NEW)) == "wrong_out_password"
        await service.check_out_password(here, OUT)
    assert await refused(service.check_out_password(here, NEW)) == "wrong_out_password"
    assert await refused(service.check_out_password(here, OUT)) == "out_password_locked"


async def test_of_64_wrong_ones_at_once_by_two_processes_five_are_judged(here: Context, database_url: str) -> None:
    other = Database(role_url(database_url, "kalos_app", SECRET))
    there = Context(house=replace(here.house, db=other), member=here.caller)
    hashes = passwords.hashes_made()
    results = await asyncio.gather(
        *(service.check_out_password((here, there)[turn % 2], NEW) for turn in range(64)), return_exceptions=True
    )
    await other.close()
    counted = Counter(map(type, results))
    assert counted[WrongOutPassword] == 5
    assert counted[Busy] + counted[OutPasswordLocked] == 59
    assert passwords.hashes_made() == hashes + 5
    assert (await events(here)).count("out_password_locked") == 1
    again = Context(house=replace(here.house, db=Database(other.url)), member=here.caller)
    assert await refused(service.check_out_password(again, OUT)) == "out_password_locked"
    await again.db.close()


async def test_right_ones_at_once_are_all_right(here: Context) -> None:
    results = await asyncio.gather(*(service.check_out_password(here, OUT) for _ in range(16)), return_exceptions=True)
    assert set(map(type, results)) == {type(None)}
    await service.check_out_password(here, OUT)


async def test_a_right_one_while_other_processes_judge_as_many_as_may_be_wrong_is_busy(here: Context) -> None:
    limit, wall = rules.out_password_limit(here.terms, here.caller.id), here.wall
    async with here.db.transaction() as db:
        for _ in range(limit.most):
            await challenges.take_tries(db, [limit], wall)
    assert await refused(service.check_out_password(here, OUT)) == "busy"
    async with here.db.transaction() as db:
        await challenges.give_tries_back(db, [limit], wall)
    await service.check_out_password(here, OUT)


async def test_a_try_that_nobody_had_time_for_is_not_counted(here: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(passwords._pool, "most", 0)
        for _ in range(6):
            assert await refused(service.check_out_password(here, NEW)) == "busy"
    await service.check_out_password(here, OUT)


async def test_frozen_account_spends_nothing(here: Context) -> None:
    async with here.db.transaction() as db:
        await members.freeze(db, here.caller.id, here.now)
    assert await refused(service.check_out_password(here, OUT)) == "account_frozen"
    assert await refused(first(here)) == "account_frozen"
    assert await refused(reset(here)) == "account_frozen"
