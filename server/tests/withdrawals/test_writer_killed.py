"""The ledger's writer is killed while members withdraw: nothing acknowledged is lost, nothing is done twice."""

import asyncio
import signal
from pathlib import Path

from factors.scene import give_out
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.errors import PASSING, Outage
from kalos.core.terms import Terms
from kalos.core.tokens import digest
from kalos.domains.context import Context, House
from kalos.domains.withdrawals import service
from kalos.domains.withdrawals.queries import EXPLAINED
from kalos.domains.withdrawals.rules import Wish
from kalos.ledger.audit import audit
from kalos.ledger.client import LedgerClient
from support.budget import count
from support.doors import house_of
from support.ledger import writer_process
from support.members import begin_session, fund, make_member
from withdrawals.scene import asking, holdings, wish

MEMBERS = 4


async def ready(house: House, url: str) -> tuple[Context, Wish]:
    """A call of a new member who withdraws 10 USDT of 100; the second factor was shown."""
    member = await make_member(url)
    await fund(house.ledger, member, usdt="100", kls="10")
    session = digest(await begin_session(house.db, member))
    me = asking(Context(house=house, member=member, session=session))
    await give_out(me)
    asked = await wish(me, "10")
    await service._prove_once(me, asked)
    return me, asked


async def insist(ctx: Context, asked: Wish) -> service.Placed:
    async with asyncio.timeout(30):
        while True:
            try:
                return await service.withdraw(ctx, asked)
            except PASSING:
                await asyncio.sleep(0.05)


async def test_a_writer_that_is_killed_half_way_loses_and_doubles_nothing(
    database_url: str, db: Database, clock: Clock, terms: Terms, tmp_path: Path
) -> None:
    async with writer_process(database_url, tmp_path) as process:
        client = LedgerClient(process.socket)
        house = house_of(db, client, clock, terms)
        for turn in range(count("withdrawals.kills")):
            made = [await ready(house, database_url) for _ in range(MEMBERS)]
            first = asyncio.gather(*(service.withdraw(*one) for one in made), return_exceptions=True)
            await asyncio.sleep(turn % 10 / 50)  # so that it dies at other moments of the calls
            await process.end(signal.SIGKILL)
            ended = await first
            assert all(isinstance(one, (service.Placed, Outage, *PASSING)) for one in ended), ended
            await process.start()
            again = [await insist(*one) for one in made]
            for answer, one in zip(ended, again, strict=True):
                assert not isinstance(answer, service.Placed) or answer.withdrawal.id == one.withdrawal.id
            for me, _ in made:
                assert (await holdings(me))["USDT held"] == 10_000_000
                assert await db.value("SELECT count(*) FROM withdrawals WHERE member = $1", me.caller.id) == 1
        await client.close()
    assert await audit(db, EXPLAINED) == []
