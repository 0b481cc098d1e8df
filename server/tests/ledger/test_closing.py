"""What is closed stays closed, for all that comes later in the ledger's order; money is never shut in."""

import asyncio

import asyncpg
import pytest

from kalos.core.assets import USDT
from kalos.core.errors import WrongState
from kalos.ledger import purse
from kalos.ledger.postings import Close, Move, MoveMany, Open, Posted, Resolve, Take
from kalos.ledger.writer import Writer
from support.ledger import CHAIN, FEES, funded, new_owner, posting, results


async def emptied(writer: Writer) -> int:
    account = await funded(writer, 5)
    await writer.post(posting(Move("test.a", account, FEES, 5)))
    return account


async def test_nothing_moves_to_or_from_a_closed_account(writer: Writer, owner: asyncpg.Connection) -> None:
    account = await emptied(writer)
    await writer.post(posting(closes=[Close(account=account)]))
    ended = await results(
        writer.post(posting(Move("test.fund", CHAIN, account, 1))),
        writer.post(posting(Move("test.a", account, FEES, 1))),
        writer.post(posting(many=[MoveMany("test.a", [CHAIN, CHAIN], [FEES, account], [1, 1], [0, 0])])),
    )
    assert [type(one) for one in ended] == [WrongState] * 3
    row = await owner.fetchrow("SELECT balance, version, open FROM accounts WHERE id = $1", account)
    assert row is not None
    assert tuple(row) == (0, 2, False)


async def test_an_account_with_money_can_t_be_closed(writer: Writer, owner: asyncpg.Connection) -> None:
    account = await funded(writer, 5)
    with pytest.raises(WrongState):
        await writer.post(posting(closes=[Close(account=account, short=lambda left: WrongState(left=left))]))
    await writer.post(posting(Move("test.a", account, FEES, 5), closes=[Close(account=account)]))
    assert await owner.fetchval("SELECT open FROM accounts WHERE id = $1", account) is False


async def test_an_account_that_never_was_can_t_be_closed(writer: Writer) -> None:
    with pytest.raises(WrongState):
        await writer.post(posting(closes=[Close(account=purse.available(new_owner(), USDT))]))


async def test_an_account_made_and_closed_at_once_is_closed(writer: Writer, owner: asyncpg.Connection) -> None:
    account = purse.available(new_owner(), USDT)
    moves = [Move("test.fund", CHAIN, account, 5), Move("test.a", account, FEES, 5)]
    await writer.post(posting(*moves, closes=[Close(account=account)]))
    assert await owner.fetchval("SELECT open FROM accounts WHERE id = $1", account) is False


async def test_a_closing_stands_in_the_order_of_what_is_sent(writer: Writer) -> None:
    account = await emptied(writer)
    ended = await results(
        writer.post(posting(Move("test.fund", CHAIN, account, 1), Move("test.a", account, FEES, 1))),
        writer.post(posting(closes=[Close(account=account)])),
        writer.post(posting(Move("test.fund", CHAIN, account, 1))),
    )
    assert [type(one) for one in ended] == [Posted, Posted, WrongState]


async def test_a_new_writer_knows_what_was_closed(writer: Writer, owner: asyncpg.Connection) -> None:
    account = await emptied(writer)
    await writer.post(posting(closes=[Close(account=account)]))
    assert writer._engine is not None
    writer._engine.state.accounts.pop(account)
    writer._engine.state.closed.clear()
    with pytest.raises(WrongState):
        await writer.post(posting(Move("test.fund", CHAIN, account, 1)))


async def test_a_hold_is_closed_when_nothing_is_left_in_it(writer: Writer) -> None:
    account = await funded(writer, 9)
    hold = (await writer.post(posting(opens=[Open("test.open", account, 9)]))).id * 8
    with pytest.raises(WrongState):
        await writer.post(posting(resolves=[Resolve("test.end", hold, FEES, 8)], closes=[Close(hold=hold)]))
    await writer.post(posting(resolves=[Resolve("test.end", hold, FEES, 9)], closes=[Close(hold=hold)]))
    with pytest.raises(WrongState):
        await writer.post(posting(resolves=[Resolve("test.end", hold, FEES, 1, short=lambda left: WrongState())]))


async def test_of_takes_and_a_closing_the_order_decides(writer: Writer) -> None:
    name = f"sale {new_owner()}"
    take = Take(name, (1,), first=(100,))
    ended = await asyncio.gather(
        writer.post(posting(takes=[take])),
        writer.post(posting(takes=[take], closes=[Close(name)])),
        writer.post(posting(takes=[take])),
        return_exceptions=True,
    )
    assert [type(one) for one in ended] == [Posted, Posted, WrongState]
