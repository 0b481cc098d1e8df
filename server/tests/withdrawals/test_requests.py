"""A request is carried out once, however often and from wherever it comes; its second factor counts for it alone."""

import asyncio
from dataclasses import replace as changed

import pytest
from msgspec.structs import replace

from kalos.core.errors import RequestConflict
from kalos.domains.challenges.errors import WrongCode
from kalos.domains.factors.errors import SecondFactorRequired
from kalos.domains.withdrawals import jobs, queries, service
from kalos.domains.withdrawals.tables import Proof
from withdrawals.conftest import MakeRich
from withdrawals.scene import asking, end, holdings, wish, withdraw


async def test_sent_twice_it_is_one_withdrawal_with_the_first_answer(rich: MakeRich, database_url: str) -> None:
    me = asking(await rich(usdt="1000", kls="100"))
    asked = await wish(me, "100")
    first = await service.withdraw(me, asked)
    had = await holdings(me)
    await withdraw(me, "50")
    await end(database_url, first.withdrawal.id, "approved")
    await jobs.settle_ended(me.house)
    again = await service.withdraw(me, changed(asked, email_code=None, out_password=""))
    assert (again.withdrawal.id, again.balance) == (first.withdrawal.id, first.balance)
    assert again.withdrawal.first_status == first.withdrawal.status
    assert had["USDT held"] == 100_000_000
    assert await me.db.value("SELECT count(*) FROM withdrawals WHERE member = $1", me.caller.id) == 2


async def test_the_same_id_for_something_else_is_a_conflict(rich: MakeRich) -> None:
    me = asking(await rich(usdt="1000", kls="100"))
    asked = await wish(me, "100")
    await service.withdraw(me, asked)
    had = await holdings(me)
    other = replace(me, fingerprint=b"o" * 32)
    with pytest.raises(RequestConflict):
        await service.withdraw(other, asked)
    assert await holdings(me) == had


async def test_sent_eight_times_at_once_it_is_one(rich: MakeRich) -> None:
    me = asking(await rich(usdt="1000", kls="100"))
    asked = await wish(me, "100")
    ended = await asyncio.gather(*(service.withdraw(me, asked) for _ in range(8)))
    assert len({one.withdrawal.id for one in ended}) == 1
    assert {one.balance for one in ended} == {900_000_000}
    assert (await holdings(me))["USDT held"] == 100_000_000


async def test_shown_eight_times_at_once_a_code_is_compared_once(rich: MakeRich) -> None:
    """Five comparisons end a mailed code, right ones too."""
    me = asking(await rich(usdt="1000", kls="100"))
    asked = await wish(me, "100")
    await asyncio.gather(*(service._prove_once(me, asked) for _ in range(8)))
    assert await me.db.value("SELECT count(*) FROM withdrawal_proofs WHERE member = $1", me.caller.id) == 1


async def test_one_code_is_for_one_withdrawal(rich: MakeRich) -> None:
    me = asking(await rich(usdt="1000", kls="100"))
    asked = await wish(me, "100")
    others = [(asking(me), changed(asked, request_id=f"{number:032x}")) for number in range(4)]
    ended = await asyncio.gather(
        *(service.withdraw(ctx, one) for ctx, one in [(me, asked), *others]), return_exceptions=True
    )
    assert sum(isinstance(one, service.Placed) for one in ended) == 1
    assert sum(isinstance(one, WrongCode) or getattr(one, "name", "") == "code_expired" for one in ended) == 4
    assert (await holdings(me))["USDT held"] == 100_000_000


async def test_what_was_shown_counts_for_the_same_body_and_an_hour(rich: MakeRich) -> None:
    me = asking(await rich(usdt="1000", kls="100"))
    asked = await wish(me, "100")
    await service._prove_once(me, asked)
    bare = changed(asked, email_code=None)
    await service._prove_once(me, bare)
    with pytest.raises(SecondFactorRequired):
        await service._prove_once(replace(me, fingerprint=b"o" * 32), bare)
    await me.db.execute("DELETE FROM withdrawal_proofs")
    with pytest.raises(SecondFactorRequired):
        await service._prove_once(me, bare)


async def test_a_proof_counts_until_its_end_and_goes_a_day_later(rich: MakeRich) -> None:
    me = asking(await rich(usdt="1000", kls="100"))
    asked = await wish(me, "100", email_code=None)
    for request, ago in ((asked.request_id, 1), ("x" * 16, 2 * 86_400_000)):
        async with me.db.transaction() as db:
            await queries.insert_proof(db, Proof(me.caller.id, request, me.fingerprint, me.wall - ago), me.wall)
    with pytest.raises(SecondFactorRequired):
        await service.withdraw(me, asked)
    assert await jobs.sweep(me.house) == 1
    assert await queries.find_proof(me.db, me.caller.id, "x" * 16) is None
    assert await queries.find_proof(me.db, me.caller.id, asked.request_id) is not None


async def test_a_proof_that_has_ended_is_renewed_by_another_code(rich: MakeRich) -> None:
    me = asking(await rich(usdt="1000", kls="100"))
    asked = await wish(me, "100")
    async with me.db.transaction() as db:
        await queries.insert_proof(db, Proof(me.caller.id, asked.request_id, me.fingerprint, me.wall - 1), me.wall)
    await service._prove_once(me, asked)
    await service._prove_once(me, changed(asked, email_code=None))
