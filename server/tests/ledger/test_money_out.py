"""While the flag stands, nothing leaves the house; all else goes on."""

import asyncio

import asyncpg
import pytest

from kalos.core.errors import MoneyOutStopped
from kalos.ledger.postings import Move, MoveMany, Open, Posting, Resolve
from kalos.ledger.writer import Writer
from support.ledger import CHAIN, FEES, funded, posting

_FLAG = "INSERT INTO ledger_flags (name, reason, since) VALUES ('money_out_stopped', 'account 1 is negative', 5)"


async def turn(writer: Writer, owner: asyncpg.Connection, sentence: str, *, stopped: bool) -> None:
    await owner.execute(sentence)
    async with asyncio.timeout(15):
        while writer._engine is None or writer._engine.state.money_out_stopped is not stopped:
            await asyncio.sleep(0.02)


async def test_money_out_is_refused_while_the_flag_stands(writer: Writer, owner: asyncpg.Connection) -> None:
    source = await funded(writer, 100)
    hold = (await writer.post(posting(opens=[Open("test.open", source, 10)]))).id * 8
    out: list[Posting] = [
        posting(Move("test.money_out", source, CHAIN, 1)),
        posting(resolves=[Resolve("test.money_out", hold, CHAIN, 1)]),
        posting(many=[MoveMany("test.money_out", [source], [CHAIN], [1], [0])]),
        posting(Move("test.a", source, FEES, 1), opens=[Open("test.money_out", source, 1)]),
    ]
    await turn(writer, owner, _FLAG, stopped=True)
    try:
        for one in out:
            with pytest.raises(MoneyOutStopped):
                await writer.post(one)
        await writer.post(posting(Move("test.a", source, FEES, 1)))
        assert await owner.fetchval("SELECT balance FROM accounts WHERE id = $1", source) == 89
    finally:
        await turn(writer, owner, "DELETE FROM ledger_flags", stopped=False)
    for one in out:
        await writer.post(one)
    assert await owner.fetchval("SELECT balance FROM accounts WHERE id = $1", source) == 85
