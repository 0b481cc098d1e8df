"""What is gone: a caller, or the room of the database. The writer and all who can still be served go on."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import cast

import asyncpg
import pytest
import uvloop
from structlog.testing import capture_logs

from kalos.core.assets import USDT
from kalos.core.errors import Outage
from kalos.ledger import purse
from kalos.ledger.frames import Outbound
from kalos.ledger.postings import Move, Posted
from kalos.ledger.requests import request_of
from kalos.ledger.verdicts import Verdict
from kalos.ledger.writer import Writer
from support.ledger import CHAIN, new_owner, posting, results


async def _keep_sending(path: Path) -> tuple[list[Exception], list[bytes]]:
    """Send a few MiB to a side that is gone. Returns what was raised, and what is kept a turn later."""
    transport: asyncio.Future[asyncio.Transport] = asyncio.get_running_loop().create_future()

    class Side(asyncio.Protocol):
        def connection_made(self, made: asyncio.BaseTransport) -> None:
            transport.set_result(cast(asyncio.Transport, made))

    server = await asyncio.get_running_loop().create_unix_server(Side, str(path))
    _, other = await asyncio.open_unix_connection(str(path))
    outbound = Outbound(await transport)
    other.transport.abort()
    while not transport.result().is_closing():
        await asyncio.sleep(0)
    raised: list[Exception] = []
    for _ in range(2):
        for _ in range(4):
            try:
                outbound.send(bytes(1 << 20))
            except RuntimeError as problem:
                raised.append(problem)
        await asyncio.sleep(0)
    server.close()
    return raised, outbound._messages


@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_what_is_sent_to_one_that_is_gone_is_dropped(
    loop: Callable[[], asyncio.AbstractEventLoop], tmp_path: Path
) -> None:
    with asyncio.Runner(loop_factory=loop) as runner:
        raised, kept = runner.run(_keep_sending(tmp_path / "side.sock"))
    assert raised == []
    assert kept == []


def _broken(_: Verdict) -> None:
    raise RuntimeError("it is gone")


async def test_a_caller_that_cannot_take_its_answer_harms_nobody(writer: Writer) -> None:
    account, epoch = purse.available(new_owner(), USDT), writer.epoch
    same, other = (posting(Move("test.fund", CHAIN, account, 1)) for _ in range(2))
    with capture_logs() as lines:
        for one in (same, other):
            writer.submit(request_of(one), _broken, live=True)
        # One with the same key, which waits behind a broken one, and one for itself.
        asked = [same, posting(Move("test.fund", CHAIN, account, 1))]
        answered, _ = await asyncio.wait([asyncio.create_task(writer.post(one)) for one in asked], timeout=20)
    told = {(posted.replayed, posted.balances.get(account)) for posted in (one.result() for one in answered)}
    assert told == {(True, None), (False, 3)}
    assert (writer.leads, writer.epoch, writer.waiting) == (True, epoch, 0)
    assert [line["event"] for line in lines if line["log_level"] == "error"] == ["a caller could not take its answer"]


async def test_a_caller_that_cannot_be_turned_away_harms_nobody(writer: Writer) -> None:
    writer._line.open = False
    writer.submit(request_of(posting()), _broken, live=True)
    writer._line.open = True
    assert isinstance(await writer.post(posting()), Posted)


@pytest.mark.parametrize("state", ["53100", "53200", "58000", "58030", "58P01"])
async def test_a_database_without_room_or_disk_is_an_outage_for_everybody_at_once(
    writer: Writer, owner: asyncpg.Connection, state: str
) -> None:
    account, epoch, halvings = purse.available(new_owner(), USDT), writer.epoch, writer.figures.halvings
    await owner.execute(
        f"""
        CREATE FUNCTION test_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            RAISE EXCEPTION 'no room' USING ERRCODE = '{state}';
        END $$;
        CREATE TRIGGER test_full BEFORE INSERT ON journal FOR EACH STATEMENT EXECUTE FUNCTION test_full()
        """
    )
    asked = [posting(Move("test.fund", CHAIN, account, 1)) for _ in range(64)]
    ended = await results(*map(writer.post, asked))
    await owner.execute("DROP TRIGGER test_full ON journal; DROP FUNCTION test_full()")
    assert {type(one) for one in ended} == {Outage}
    assert writer.figures.halvings == halvings
    while not (writer.leads and writer.epoch > epoch):
        await asyncio.sleep(0.01)
    again = await results(*map(writer.post, asked))
    assert [one.replayed for one in again if isinstance(one, Posted)] == [False] * 64
    assert await owner.fetchval("SELECT balance FROM accounts WHERE id = $1", account) == 64
