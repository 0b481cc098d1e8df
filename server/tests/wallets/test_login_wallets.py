"""Login wallets: bound by a signature of this house, this account and this moment, or not at all."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, cast

import asyncpg
import pytest

from conftest import MakeContext
from factors.scene import events
from kalos.adapters.chain.sandbox import SandboxChain
from kalos.core.errors import AlreadyExists, InvalidInput, NotFound, Refusal
from kalos.domains.challenges.errors import CodeExpired, SlideRequired, WrongCode
from kalos.domains.factors.errors import SecondFactorRequired
from kalos.domains.wallets import jobs, queries, rules, service
from kalos.domains.wallets.errors import InvalidAddress
from kalos.domains.wallets.service import Signed
from wallets.conftest import MakeCaller
from wallets.people import bind, new_wallet, shown, sign, signed


async def log_in(visitor: Any, answer: Signed) -> int | None:
    signed_in = await service.sign_in(visitor, answer)
    return None if signed_in is None else signed_in.member


async def test_a_bound_wallet_logs_in_and_once_for_a_nonce(ctx: MakeContext, caller: MakeCaller) -> None:
    me, wallet = await caller(), new_wallet()
    cast(SandboxChain, me.house.chain).mine(time=2)
    await bind(me, wallet)
    (row,) = await service.list_login_wallets(me)
    assert (row.address, row.bound_block, row.removed_at) == (wallet.address, await me.house.chain.head(), None)
    answer = await signed(ctx(), wallet)
    assert await log_in(ctx(), answer) == me.caller.id
    assert await log_in(ctx(), answer) is None
    assert await events(me) == ["login_wallet_bound"]


async def test_address_may_be_written_in_small_letters(ctx: MakeContext, caller: MakeCaller) -> None:
    me, wallet = await caller(), new_wallet()
    await bind(me, wallet)
    made = await service.make_nonce(ctx(), wallet.address.lower())
    assert wallet.address in made.text
    answer = Signed(wallet.address.lower(), made.nonce, sign(wallet, made.text))
    assert await log_in(ctx(), answer) == me.caller.id


async def test_nonce_is_the_same_for_a_wallet_that_nobody_bound(ctx: MakeContext, caller: MakeCaller) -> None:
    me, known, unknown = await caller(), new_wallet(), new_wallet()
    await bind(me, known)
    texts = []
    for wallet in (known, unknown):
        made = await service.make_nonce(ctx(), wallet.address)
        assert made.until_at - ctx().wall == pytest.approx(rules.NONCE_MS, abs=30_000)
        text = made.text.replace(wallet.address, "ADDRESS").replace(made.nonce, "NONCE")
        texts.append([line for line in text.splitlines() if not line.startswith(("Issued", "Expiration"))])
    assert texts[0] == texts[1]
    assert await log_in(ctx(), await signed(ctx(), unknown)) is None


async def test_what_is_wrong_with_a_login_has_one_answer_and_uses_the_nonce_up(
    ctx: MakeContext, caller: MakeCaller
) -> None:
    me, wallet, other = await caller(), new_wallet(), new_wallet()
    await bind(me, wallet)
    changes: list[Callable[[Signed], Signed]] = [
        lambda right: Signed(right.address, right.nonce, sign(other, "anything")),
        lambda right: Signed(other.address, right.nonce, right.signature),
        lambda right: Signed(right.address, right.nonce, "0x"),
        lambda right: Signed("no address", right.nonce, right.signature),
    ]
    for change in changes:
        right = await signed(ctx(), wallet)
        assert await log_in(ctx(), change(right)) is None
        assert await log_in(ctx(), right) is None, "used up by its first answer"
    right = await signed(ctx(), wallet)
    assert await log_in(ctx(), Signed(right.address, "0" * 32, right.signature)) is None
    assert await log_in(ctx(), right) == me.caller.id


async def ends(owner_url: str, answer: Signed, at: int) -> None:
    """The product itself changes no nonce."""
    owner = await asyncpg.connect(owner_url)
    await owner.execute("UPDATE wallet_nonces SET until_at = $2 WHERE nonce = $1", answer.nonce, at)
    await owner.close()


async def test_nonce_ends_after_five_minutes_and_goes_a_minute_later(
    ctx: MakeContext, caller: MakeCaller, database_url: str
) -> None:
    me, wallet = await caller(), new_wallet()
    await bind(me, wallet)
    answer = await signed(ctx(), wallet)
    await ends(database_url, answer, me.wall)
    assert await log_in(ctx(), answer) is None
    old = await signed(ctx(), wallet)
    young = await signed(ctx(), wallet)
    await ends(database_url, old, me.wall - 61_000)
    assert await jobs.sweep(me.house) == 1
    assert await queries.take_nonce(me.db, old.nonce) is None
    assert await queries.take_nonce(me.db, young.nonce) is not None


async def test_what_was_signed_to_log_in_binds_nothing_and_the_other_way_round(
    ctx: MakeContext, caller: MakeCaller
) -> None:
    me, stranger, wallet = await caller(), await caller(), new_wallet()
    with pytest.raises(CodeExpired):
        await service.bind_login_wallet(me, await signed(ctx(), wallet), await shown(me, "login_wallet"))
    with pytest.raises(CodeExpired):
        await service.bind_login_wallet(me, await signed(stranger, wallet), await shown(me, "login_wallet"))
    await bind(me, wallet)
    assert await log_in(ctx(), await signed(me, wallet)) is None
    assert await service.list_login_wallets(stranger) == []


async def test_a_text_to_bind_names_the_account(caller: MakeCaller) -> None:
    me = await caller()
    made = await service.make_nonce(me, new_wallet().address)
    assert f"account {me.caller.account}." in made.text
    assert made.member == me.caller.id


async def test_a_refused_binding_binds_nothing(ctx: MakeContext, caller: MakeCaller) -> None:
    me, wallet, other = await caller(), new_wallet(), new_wallet()

    async def refusal(answer: Signed, **changes: Any) -> Refusal:
        with pytest.raises(Refusal) as refused:
            await service.bind_login_wallet(me, answer, await shown(me, "login_wallet", **changes))
        assert await service.list_login_wallets(me) == []
        return refused.value

    right = await signed(me, wallet)
    assert isinstance(await refusal(Signed("0x1", right.nonce, right.signature)), InvalidAddress)
    assert isinstance(await refusal(right, email_code=None), SecondFactorRequired)
    assert isinstance(await refusal(right, email_code="000000"), WrongCode)
    assert isinstance(await refusal(right, proof=None), SlideRequired)
    right = await signed(me, wallet, by=other)
    assert (await refusal(right)).fields == {"errors": [{"field": "sign_message", "reason": "invalid"}]}
    assert isinstance(await refusal(await signed(me, wallet), proof="unknown"), SlideRequired)
    with pytest.raises(CodeExpired):
        await service.change_login_wallet(
            me, Signed(wallet.address, "", ""), await shown(me, "login_wallet"), remove=False
        )
    await bind(me, wallet)


async def test_an_address_that_signed_nothing_is_not_bound(caller: MakeCaller) -> None:
    """Whoever holds a key can't have another address bound by its signature."""
    me = await caller()
    answer = await signed(me, new_wallet())
    claimed = Signed(new_wallet().address, answer.nonce, answer.signature)
    with pytest.raises(CodeExpired):
        await service.bind_login_wallet(me, claimed, await shown(me, "login_wallet"))
    assert await service.list_login_wallets(me) == []


async def test_of_two_members_at_once_one_gets_the_wallet(caller: MakeCaller) -> None:
    wallet, members = new_wallet(), [await caller() for _ in range(4)]
    ready = [(me, await signed(me, wallet), await shown(me, "login_wallet")) for me in members]
    results = await asyncio.gather(*(service.bind_login_wallet(*one) for one in ready), return_exceptions=True)
    assert Counter(map(type, results)) == {type(None): 1, AlreadyExists: 3}
    winner = members[results.index(None)]
    assert await queries.find_member(winner.db, wallet.address) == winner.caller.id


@pytest.mark.parametrize("count", [queries.count_login_wallets, queries.count_book])
async def test_who_counts_is_waited_for(caller: MakeCaller, count: Callable[..., Awaitable[int]]) -> None:
    """So that no two at once are each the last one that fits."""
    me = await caller()

    async def add() -> int:
        async with me.db.transaction() as db:
            found = await count(db, me.caller.id)
            await db.execute("SELECT pg_sleep(0.01)")  # long enough for the other to count meanwhile
            wallet = new_wallet().address
            await queries.insert_login_wallet(db, member=me.caller.id, address=wallet, bound_block=1, bound_at=1)
            await service.give_address(me.house, db, me.caller.id, address=wallet, label="x")
            return found

    assert sorted(await asyncio.gather(add(), add(), add())) == [0, 1, 2]


async def test_a_full_member_is_told_so(caller: MakeCaller) -> None:
    me = await caller()
    for _ in range(rules.MOST_LOGIN_WALLETS):
        await bind(me, new_wallet())
    with pytest.raises(InvalidInput) as refused:
        await bind(me, new_wallet())
    assert refused.value.fields == {"errors": [{"field": "address", "reason": "full"}]}
    assert len(await service.list_login_wallets(me)) == rules.MOST_LOGIN_WALLETS


async def test_a_removed_wallet_logs_in_no_longer_and_can_be_bound_by_another(
    ctx: MakeContext, caller: MakeCaller
) -> None:
    me, other, wallet = await caller(), await caller(), new_wallet()
    await bind(me, wallet)
    unproven = await shown(me, "login_wallet", email_code=None)
    with pytest.raises(SecondFactorRequired):
        await service.remove_login_wallet(me, wallet.address, unproven)
    with pytest.raises(SlideRequired):
        await service.remove_login_wallet(me, wallet.address, await shown(me, "login_wallet", proof=None))
    with pytest.raises(NotFound):
        await service.remove_login_wallet(other, wallet.address, await shown(other, "login_wallet"))
    assert len(await service.list_login_wallets(me)) == 1
    gone = Signed(wallet.address, "", "")
    await service.change_login_wallet(me, gone, await shown(me, "login_wallet"), remove=True)
    assert await service.list_login_wallets(me) == []
    assert await log_in(ctx(), await signed(ctx(), wallet)) is None
    with pytest.raises(NotFound):
        await service.remove_login_wallet(me, wallet.address, await shown(me, "login_wallet"))
    await bind(other, wallet)
    kept = await me.db.rows("SELECT * FROM login_wallets WHERE address = $1 ORDER BY id", wallet.address)
    found = [(row["member"], row["removed_at"] is None) for row in kept]
    assert found == [(me.caller.id, False), (other.caller.id, True)]
    assert await events(me) == ["login_wallet_bound", "login_wallet_removed"]


async def test_for_a_second_factor_the_same_signature_serves_once_more(ctx: MakeContext, caller: MakeCaller) -> None:
    me, wallet = await caller(), new_wallet()
    await bind(me, wallet)
    answer = await signed(ctx(), wallet)
    signed_in = await service.sign_in(ctx(), answer)
    assert signed_in is not None
    await service.serve_again(ctx(), signed_in)
    assert await log_in(ctx(), answer) == me.caller.id
    assert await log_in(ctx(), answer) is None


@pytest.mark.parametrize("address", ["", "0x1", "alice.eth", "0x" + "g" * 40])
async def test_no_nonce_for_what_is_no_address(ctx: MakeContext, address: str) -> None:
    before = await ctx().db.value("SELECT count(*) FROM wallet_nonces")
    with pytest.raises(InvalidAddress):
        await service.make_nonce(ctx(), address)
    assert await ctx().db.value("SELECT count(*) FROM wallet_nonces") == before


async def test_an_address_of_the_withdrawal_book_logs_nobody_in_and_proves_nothing(
    caller: MakeCaller, ctx: MakeContext
) -> None:
    """Whoever has its key may be anybody: an exchange, a friend."""
    me, wallet = await caller(), new_wallet()
    async with me.db.transaction() as db:
        assert await queries.insert_address(
            db,
            member=me.caller.id,
            chain=31337,
            address=wallet.address,
            label="Ledger",
            is_listed=False,
            created_at=me.now,
            usable_at=me.now,
        )
    assert await service.sign_in(ctx(), await signed(ctx(), wallet)) is None
    assert await service.find_owner(ctx(), wallet.address) is None
    assert await me.db.value("SELECT count(*) FROM login_wallets WHERE address = $1", wallet.address) == 0
