"""Money out is stopped by one person, with a reason; who may, who is told, and that it is no order a second time."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from console.conftest import Hire
from console.scene import Worker, counts, desk_of, submit
from kalos.core.database import Connection
from kalos.core.errors import Forbidden, InvalidInput, MoneyOutStopped, WrongState
from kalos.domains.context import House
from kalos.domains.identity import jobs
from kalos.ledger.flags import Flag, clear_money_out, money_out_stopped
from kalos.ledger.postings import Move
from kalos.operator import commands, queries, rules, stopping
from support.ledger import CHAIN, FEES, posting, until_money_goes_out

MAIL = "money_out_halted"


@pytest.fixture(autouse=True)
async def goes_on(house: House) -> AsyncIterator[None]:
    """What a test stopped doesn't stand in the way of the next one."""
    yield
    async with house.db.transaction() as db:
        await clear_money_out(db, reason="over", by="tests", wall=2)
    await until_money_goes_out(house.ledger, house.db.value)


async def mails(house: House) -> list[dict[str, object]]:
    rows = await house.db.rows("SELECT body FROM domain_outbox WHERE topic = 'mail' ORDER BY id")
    return [body for row in rows if (body := json.loads(row["body"]))["mail"] == MAIL]


async def send_money_out(house: House) -> None:
    """A coin after the other, until the writer has read that it is stopped: it looks from time to time."""
    async with asyncio.timeout(60):
        while True:
            await house.ledger.post(posting(Move("test.fund", CHAIN, FEES, 1), Move("test.money_out", FEES, CHAIN, 1)))
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("role", ["owner", "treasurer"])
async def test_one_person_stops_money_out_at_once_and_the_operator_is_told(house: House, hire: Hire, role: str) -> None:
    who, told = await hire(role), len(await mails(house))
    row = await submit(desk_of(house, who), "money_out", reason="The seed may be known")
    assert (row.state, row.signers, row.checker) == ("carried_out", 1, None)
    assert (row.object, row.before, row.after) == ("money out", {"is_stopped": False}, {"is_stopped": True})
    flag = await money_out_stopped(house.db)
    assert flag is not None
    assert flag.reason == f"stopped by {who.name}: The seed may be known"
    with pytest.raises(MoneyOutStopped):
        await send_money_out(house)
    last = (await queries.list_audit(house.db, before=None, most=1))[0]
    assert (last.act, last.name, last.object) == ("command.submit", who.name, "money out")
    assert last.after["reason"] == "The seed may be known"
    new = (await mails(house))[told:]
    assert [mail["recipient"] for mail in new] == ["operator@kalos.example"]
    sent = jobs.compose(new[0])
    assert sent.subject == "Kalos: withdrawals and transfers are stopped"
    assert f"{who.name} has stopped withdrawals and transfers" in sent.text
    assert "The seed may be known" in sent.text


async def test_what_is_stopped_is_not_stopped_again(house: House, hire: Hire, maker: Worker) -> None:
    other = desk_of(house, await hire("treasurer"))
    await submit(desk_of(house, maker), "money_out", reason="first")
    before, told = await counts(house), await mails(house)
    with pytest.raises(WrongState):
        await submit(other, "money_out", reason="second")
    with pytest.raises(WrongState):
        await commands.preview(other, kind="money_out", body={})
    assert (await counts(house), await mails(house)) == (before, told)
    flag = await money_out_stopped(house.db)
    assert flag is not None
    assert flag.reason == f"stopped by {maker.name}: first"


async def test_of_two_who_stop_at_once_one_does(house: House, hire: Hire, monkeypatch: pytest.MonkeyPatch) -> None:
    people, told = [await hire("treasurer") for _ in range(4)], len(await mails(house))
    before = await counts(house)
    looked = asyncio.Barrier(len(people))

    async def looked_before_any_stops(db: Connection) -> Flag | None:
        found = await money_out_stopped(db)
        async with asyncio.timeout(30):
            await looked.wait()
        return found

    monkeypatch.setattr(stopping, "money_out_stopped", looked_before_any_stops)
    found = await asyncio.gather(*(submit(desk_of(house, one), "money_out") for one in people), return_exceptions=True)
    assert sorted(type(one).__name__ for one in found) == ["CommandRow", *["WrongState"] * 3]
    assert (await counts(house))["commands"] == before["commands"] + 1
    assert len(await mails(house)) == told + 1


@pytest.mark.parametrize("role", [role for role in rules.ROLES if role not in ("owner", "treasurer")])
async def test_who_has_neither_role_stops_nothing(house: House, hire: Hire, role: str) -> None:
    desk, before = desk_of(house, await hire(role)), await counts(house)
    with pytest.raises(Forbidden):
        await submit(desk, "money_out")
    assert await money_out_stopped(house.db) is None
    assert await counts(house) == before


async def test_nothing_in_the_console_lets_money_out_again(house: House, maker: Worker) -> None:
    await submit(desk_of(house, maker), "money_out")
    with pytest.raises(InvalidInput):
        await submit(desk_of(house, maker), "money_out", is_stopped=False)
    assert await money_out_stopped(house.db) is not None
