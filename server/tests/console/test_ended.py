"""Who works here no longer, or as something else: what they ordered or said before counts no more."""

import asyncio

import asyncpg
import pytest

from console.conftest import Hire
from console.scene import MakeReviewer, Worker, counts, desk_of, sign, submit
from console.test_commands import nothing_open, other_value, value_of
from console.test_desk import REVIEW, WHOLE
from entry.test_meanwhile import waits
from kalos.core.errors import Forbidden, WrongState
from kalos.domains.context import Context, House
from kalos.operator import commands, queries
from kalos.operator.people import end_staff
from support.plain import Plain
from withdrawals.scene import stored, withdraw

__all__ = ["nothing_open"]


async def order(database_url: str, statement: str, worker: Worker) -> None:
    """What the schema's owner writes of somebody, past the machine's commands."""
    owner = await asyncpg.connect(database_url)
    try:
        await owner.execute(statement, worker.staff.id)
    finally:
        await owner.close()


async def end(database_url: str, worker: Worker) -> bool:
    owner = await asyncpg.connect(database_url)
    try:
        return await end_staff(owner, name=worker.name, by="the machine")
    finally:
        await owner.close()


@pytest.mark.parametrize("statement", ["is_active = false", "roles = '{support}'"], ids=["ended", "role"])
async def test_what_a_maker_may_not_make_now_is_signed_by_nobody(
    house: House, hire: Hire, checker: Worker, database_url: str, statement: str
) -> None:
    maker = await hire("treasurer")
    row = await submit(desk_of(house, maker), name="security_hold", value=await other_value(house))
    before, value = await counts(house), await value_of(house, "security_hold")
    await order(database_url, f"UPDATE staff SET {statement} WHERE id = $1", maker)
    with pytest.raises(WrongState):
        await sign(desk_of(house, checker), row)
    assert await counts(house) == before
    assert await value_of(house, "security_hold") == value
    assert (await commands.find(desk_of(house, checker), row.id)).state == "open"


async def test_a_maker_with_another_of_the_kinds_roles_may_still_make_it(
    house: House, hire: Hire, checker: Worker, database_url: str
) -> None:
    maker = await hire("treasurer")
    row = await submit(desk_of(house, maker), name="security_hold", value=await other_value(house))
    await order(database_url, "UPDATE staff SET roles = '{owner,support}' WHERE id = $1", maker)
    assert (await sign(desk_of(house, checker), row)).state == "carried_out"


async def test_who_is_ended_leaves_no_command_that_waits(
    house: House, hire: Hire, maker: Worker, database_url: str
) -> None:
    gone = await hire("owner")
    theirs = await submit(desk_of(house, gone), name="security_hold", value=await other_value(house))
    others = await submit(desk_of(house, maker), "switch", feature="games", country="ZM", is_on=False)
    assert await end(database_url, gone)
    refused = await commands.find(desk_of(house, maker), theirs.id)
    assert (refused.state, refused.checker_name) == ("refused", None)
    assert refused.outcome == f"{gone.name} may no longer order this"
    assert (await commands.find(desk_of(house, maker), others.id)).state == "open"
    last, first = await queries.list_audit(house.db, before=None, most=2)
    assert (first.act, first.object) == ("staff.end", f"staff {gone.name}")
    stood = {"works": True, "roles": ["owner"], "account": None}
    assert (first.before, first.after) == (stood, stood | {"works": False})
    assert (last.act, last.staff, last.name, last.object) == (
        "command.refuse", None, "the machine", "setting security_hold",
    )  # fmt: skip
    assert (last.before, last.after["state"], last.after["command"]) == ({"state": "open"}, "refused", theirs.id)
    assert await queries.verify_audit(house.db) == []
    assert not await end(database_url, gone)
    assert (await counts(house))["operator_audit"] == last.id


@pytest.mark.parametrize("statement", ["is_active = false", "roles = '{support}'"], ids=["ended", "role"])
async def test_whose_end_overtakes_a_signature_signs_nothing(
    house: House, hire: Hire, maker: Worker, database_url: str, statement: str
) -> None:
    """The call was let in before that."""
    checker = await hire("treasurer")
    desk, row = (
        desk_of(house, checker),
        await submit(desk_of(house, maker), name="security_hold", value=await other_value(house)),
    )
    before, value = await counts(house), await value_of(house, "security_hold")
    await order(database_url, f"UPDATE staff SET {statement} WHERE id = $1", checker)
    with pytest.raises(Forbidden):
        await sign(desk, row)
    assert (await counts(house), await value_of(house, "security_hold")) == (before, value)


async def test_of_an_end_and_a_signature_at_once_one_is_first(
    house: House, hire: Hire, checker: Worker, database_url: str
) -> None:
    for _ in range(8):
        gone, value = await hire("treasurer"), await other_value(house)
        row = await submit(desk_of(house, gone), name="security_hold", value=value)
        signed, ended = await asyncio.gather(
            sign(desk_of(house, checker), row), end(database_url, gone), return_exceptions=True
        )
        assert ended is True
        is_signed = not isinstance(signed, WrongState)
        assert (await commands.find(desk_of(house, checker), row.id)).state == ["refused", "carried_out"][is_signed]
        assert (await value_of(house, "security_hold") == int(value)) == is_signed, signed
    assert await queries.verify_audit(house.db) == []


@pytest.mark.parametrize("statement", ["is_active = false", "roles = '{treasurer}'"], ids=["ended", "role"])
async def test_the_yes_of_who_is_no_reviewer_any_more_is_none_of_two(
    api: Plain, here: Context, reviewer: MakeReviewer, house: House, database_url: str, statement: str
) -> None:
    one, first, second, third = (await withdraw(here, WHOLE)).withdrawal, *[await reviewer() for _ in range(3)]
    await api.data(REVIEW, first.body(one), token=first.token)
    await order(database_url, f"UPDATE staff SET {statement} WHERE id = $1", first.worker)
    said = await api.data(REVIEW, second.body(await stored(here, one.id)), token=second.token)
    assert said["status"] == "pending_review"
    assert {review["staff"]: review["counts"] for review in said["reviews"]} == {
        first.worker.name: False,
        second.worker.name: True,
    }
    said = await api.data(REVIEW, third.body(await stored(here, one.id)), token=third.token)
    assert said["status"] == "on_chain_processing"


async def test_an_end_waits_for_nobody_who_waits_for_the_log(
    house: House, hire: Hire, maker: Worker, database_url: str
) -> None:
    """The maker of an open command is logging in: their row is locked, and a line of the log is the last thing."""
    gone = await hire("owner")
    row = await submit(desk_of(house, maker), name="security_hold", value=await other_value(house))
    later = []

    async def log_in() -> None:
        async with house.db.transaction() as db:
            await db.execute("UPDATE staff SET last_step = last_step WHERE id = $1", maker.staff.id)
            later.append(asyncio.create_task(end(database_url, gone)))
            await waits(db, later[0])
            await desk_of(house, maker).record(db, "staff.password", f"staff {maker.name}", {}, {})

    first = await asyncio.gather(log_in(), return_exceptions=True)
    assert [*first, *await asyncio.gather(*later, return_exceptions=True)] == [None, True]
    assert (await commands.find(desk_of(house, maker), row.id)).state == "open"
