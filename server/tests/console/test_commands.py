"""Commands: who may make and sign them, what is signed, and that it happens once."""

import asyncio
from dataclasses import replace
from fractions import Fraction
from typing import Any

import asyncpg
import pytest

from conftest import MakeMember
from console.conftest import Hire
from console.scene import Worker, counts, desk_of, log_of, request_id, sign, submit
from kalos.app.numbers import FollowedNumbers
from kalos.app.settings import PROJECT
from kalos.core.assets import KLS, USDT
from kalos.core.database import Database
from kalos.core.errors import (
    Forbidden,
    InvalidInput,
    NotFound,
    Outage,
    Refusal,
    RequestConflict,
    StateChanged,
    WrongState,
)
from kalos.core.money import Amount
from kalos.core.terms import load_terms
from kalos.domains.context import House
from kalos.domains.protection import queries as orders
from kalos.operator import commands, jobs, queries, rules

FILE = PROJECT / "server" / "terms.toml"


@pytest.fixture(autouse=True)
async def nothing_open(house: House) -> None:
    """What a test left open doesn't stand in the way of the next one."""
    await house.db.execute("UPDATE commands SET state = 'expired', decided_at = 1 WHERE state = 'open'")


async def value_of(house: House, name: str) -> int | None:
    return (await orders.read_numbers(house.db)).get((name, ""))


async def other_value(house: House, name: str = "security_hold") -> str:
    """One that isn't ordered now."""
    return "48" if await value_of(house, name) != 48 else "36"


async def test_a_number_of_money_counts_once_a_second_person_signed(
    house: House, maker: Worker, checker: Worker
) -> None:
    desk = desk_of(house, maker)
    row = await submit(desk, name="bet_min.USDT", value="12.5", reason="Fees have risen")
    assert (row.state, row.signers, row.before, row.after) == ("open", 2, {"value": "1"}, {"value": "12.5"})
    assert await value_of(house, "bet_min.USDT") is None
    signed = await sign(desk_of(house, checker), row)
    assert (signed.state, signed.maker_name, signed.checker_name) == ("carried_out", maker.name, checker.name)
    terms = load_terms(FILE)
    await FollowedNumbers(house.db, terms, FILE).look()
    assert terms.bet_min[USDT] == Amount(12_500_000, USDT)
    last = (await orders.list_numbers(house.db))[-1]
    assert (last.ordered_by, last.checker, last.reason) == (maker.name, checker.name, "Fees have risen")
    acts = await queries.list_audit(house.db, before=None, most=2)
    assert [(one.act, one.name) for one in acts] == [("command.sign", checker.name), ("command.submit", maker.name)]
    assert acts[0].after["body"] == {"name": "bet_min.USDT", "value": "12.5"}
    assert (acts[0].after["maker"], acts[0].after["checker"]) == (maker.name, checker.name)
    back = await submit(desk, name="bet_min.USDT", value="1")
    await sign(desk_of(house, checker), back)


async def test_a_number_of_one_signer_counts_at_once(house: House, maker: Worker) -> None:
    value = "7" if await value_of(house, "login_tries") != 7 else "8"
    row = await submit(desk_of(house, maker), name="login_tries", value=value)
    assert (row.state, row.signers, row.checker) == ("carried_out", 1, None)
    assert await value_of(house, "login_tries") == int(value)


async def test_nobody_signs_what_they_made_also_not_the_owner(house: House, hire: Hire) -> None:
    owner = await hire(*rules.ROLES)
    row = await submit(desk_of(house, owner), name="security_hold", value=await other_value(house))
    before = await counts(house)
    found = await asyncio.gather(sign(desk_of(house, owner), row), return_exceptions=True)
    assert [type(one) for one in found] == [Forbidden]
    assert not commands.can_sign(desk_of(house, owner), row)
    assert await counts(house) == before
    assert (await commands.find(desk_of(house, owner), row.id)).state == "open"


async def test_the_table_itself_refuses_one_person_as_two(house: House, maker: Worker, database_url: str) -> None:
    row = await submit(desk_of(house, maker), name="security_hold", value=await other_value(house))
    with pytest.raises(asyncpg.CheckViolationError, match="commands_two_people"):
        await house.db.execute(
            "UPDATE commands SET state = 'signed', decided_at = 1, checker = maker WHERE id = $1", row.id
        )
    with pytest.raises(asyncpg.CheckViolationError, match="commands_signed"):
        await house.db.execute("UPDATE commands SET state = 'carried_out', decided_at = 1 WHERE id = $1", row.id)


@pytest.mark.parametrize("role", ["support", "reviewer", "content", "auditor"])
async def test_a_role_that_is_missing_neither_makes_nor_signs_nor_refuses(
    house: House, hire: Hire, maker: Worker, role: str
) -> None:
    other = desk_of(house, await hire(role))
    value = await other_value(house)
    row = await submit(desk_of(house, maker), name="security_hold", value=value)
    before = await counts(house)
    with pytest.raises(Forbidden):
        await submit(other, name="address_wait", value="1")
    with pytest.raises(Forbidden):
        await sign(other, row)
    with pytest.raises(Forbidden):
        await commands.refuse(other, number=row.id, reason="x", request_id=request_id())
    with pytest.raises(Forbidden):
        await commands.preview(other, kind="setting", body={"name": "security_hold", "value": value})
    assert await counts(house) == before


async def test_of_two_checkers_at_once_one_signs_and_it_happens_once(house: House, hire: Hire, maker: Worker) -> None:
    people = [await hire("treasurer") for _ in range(4)]
    row = await submit(desk_of(house, maker), name="security_hold", value=await other_value(house))
    before = await counts(house)
    found = await asyncio.gather(*(sign(desk_of(house, one), row) for one in people), return_exceptions=True)
    assert sorted(type(one).__name__ for one in found) == ["CommandRow", *["WrongState"] * 3]
    after = await counts(house)
    assert after["number_orders"] == before["number_orders"] + 1
    assert after["operator_audit"] == before["operator_audit"] + 1


async def test_what_has_changed_since_it_was_shown_cannot_be_signed(
    house: House, maker: Worker, checker: Worker
) -> None:
    row = await submit(desk_of(house, maker), name="security_hold", value="12")
    with pytest.raises(WrongState):
        await sign(desk_of(house, checker), row, version="of another state")
    await orders.insert_number(
        house.db, name="security_hold", country="", value=13, reason="on the machine", ordered_by="root", at=1
    )
    before = await counts(house)
    with pytest.raises(WrongState):
        await sign(desk_of(house, checker), row)
    assert await counts(house) == before
    assert await value_of(house, "security_hold") == 13


async def test_after_a_day_a_command_is_over_and_makes_room(house: House, maker: Worker, checker: Worker) -> None:
    row = await submit(desk_of(house, maker), name="security_hold", value=await other_value(house))
    late = rules.COMMAND_MS
    with pytest.raises(WrongState):
        await sign(desk_of(house, checker, ahead_ms=late), row)
    desk = desk_of(house, maker, ahead_ms=late)
    assert commands.state_of(await commands.find(desk, row.id), desk.wall) == "expired"
    again = await submit(desk, name="security_hold", value=await other_value(house))
    assert again.id != row.id
    assert (await commands.find(desk, row.id)).state == "expired"
    acts = await queries.list_audit(house.db, before=None, most=2)
    assert [one.act for one in acts] == ["command.submit", "command.expire"]


async def test_a_job_ends_what_nobody_signed(house: House, maker: Worker) -> None:
    row = await submit(desk_of(house, maker), name="security_hold", value=await other_value(house))
    late = desk_of(house, maker, ahead_ms=rules.COMMAND_MS)
    await jobs.turn(late.house, late.numbers)
    assert (await commands.find(late, row.id)).state == "expired"


async def test_a_command_that_cannot_be_ended_keeps_no_other(house: House, maker: Worker) -> None:
    """Here somebody holds its row."""
    held = await submit(desk_of(house, maker), name="security_hold", value=await other_value(house))
    value = await other_value(house, "address_wait")
    other = await submit(desk_of(house, maker), name="address_wait", value=value)
    late = desk_of(house, maker, ahead_ms=rules.COMMAND_MS)
    hasty = Database(house.db.url, settings={"lock_timeout": "200ms"})
    async with house.db.transaction() as holding:
        await holding.execute("SELECT FROM commands WHERE id = $1 FOR UPDATE", held.id)
        problem = await jobs.turn(replace(late.house, db=hasty), late.numbers)
    await hasty.close()
    assert isinstance(problem, Outage)
    assert [(await commands.find(late, row.id)).state for row in (held, other)] == ["open", "expired"]
    assert await jobs.turn(late.house, late.numbers) is None
    assert (await commands.find(late, held.id)).state == "expired"


async def test_one_command_of_an_object_is_open_at_a_time(house: House, maker: Worker, hire: Hire) -> None:
    people = [await hire("owner") for _ in range(3)]
    tries = [submit(desk_of(house, one), name="address_wait", value=str(5 + n)) for n, one in enumerate(people)]
    found = await asyncio.gather(*tries, return_exceptions=True)
    assert sorted(type(one).__name__ for one in found) == ["CommandRow", "WrongState", "WrongState"]
    (row,) = [one for one in found if not isinstance(one, BaseException)]
    maker_of = next(one for one in people if one.name == row.maker_name)
    await commands.refuse(desk_of(house, maker_of), number=row.id, reason="Not now", request_id=request_id())
    assert (await submit(desk_of(house, maker), name="address_wait", value="9")).state == "open"


async def test_a_request_that_is_sent_again_is_answered_alike(house: House, maker: Worker, checker: Worker) -> None:
    value, asked, signing = await other_value(house), request_id(), request_id()
    desk = desk_of(house, maker, "/api/operator/submit")
    row = await submit(desk, name="security_hold", value=value, request=asked)
    before = await counts(house)
    assert await submit(desk, name="security_hold", value=value, request=asked) == row
    assert await counts(house) == before
    other = desk_of(house, maker, "/api/operator/submit", fingerprint=b"g" * 32)
    with pytest.raises(RequestConflict):
        await submit(other, name="security_hold", value="1", request=asked)
    signed = await sign(desk_of(house, checker), row, request=signing)
    before = await counts(house)
    assert await sign(desk_of(house, checker), row, request=signing) == signed
    assert await counts(house) == before


async def test_the_same_request_twice_at_once_is_done_once(house: House, maker: Worker) -> None:
    asked, desk, value = request_id(), desk_of(house, maker), "7" if await value_of(house, "code_tries") != 7 else "8"
    before = await counts(house)
    found = await asyncio.gather(
        *(submit(desk, name="code_tries", value=value, request=asked) for _ in range(4)), return_exceptions=True
    )
    made = [one for one in found if not isinstance(one, BaseException)]
    assert made
    assert all(isinstance(one, (StateChanged, Refusal)) for one in found if isinstance(one, BaseException))
    after = await counts(house)
    assert after["commands"] == before["commands"] + 1
    assert after["number_orders"] == before["number_orders"] + 1


async def test_a_refused_command_does_nothing_and_says_by_whom_and_why(
    house: House, maker: Worker, checker: Worker
) -> None:
    row = await submit(desk_of(house, maker), name="security_hold", value=await other_value(house))
    before = await value_of(house, "security_hold")
    refused = await commands.refuse(desk_of(house, checker), number=row.id, reason="Too long", request_id=request_id())
    assert (refused.state, refused.checker_name, refused.outcome) == ("refused", checker.name, "Too long")
    last = (await log_of(house, "setting security_hold"))[-1]
    assert (last.act, last.staff, last.name) == ("command.refuse", checker.staff.id, checker.name)
    assert (last.before, last.after) == ({"state": "open"}, commands.told(refused))
    for again in (
        sign(desk_of(house, checker), row),
        commands.refuse(desk_of(house, maker), number=row.id, reason="x", request_id=request_id()),
    ):
        with pytest.raises(WrongState):
            await again
    assert await value_of(house, "security_hold") == before


@pytest.mark.parametrize(
    ("kind", "body", "refusal"),
    [
        ("setting", {"name": "security_hold", "value": "73"}, InvalidInput),
        ("setting", {"name": "edge_min", "value": "0.03"}, InvalidInput),
        ("setting", {"name": "draw_exposure", "value": "0.0126"}, InvalidInput),
        ("setting", {"name": "lottery", "value": "1"}, NotFound),
        ("setting", {"name": "security_hold"}, InvalidInput),
        ("setting", {"name": "security_hold", "value": 48}, InvalidInput),
        ("setting", {"name": "security_hold", "value": "48", "more": "1"}, InvalidInput),
        ("switch", {"feature": "lottery", "is_on": True}, InvalidInput),
        ("switch", {"feature": "games", "is_on": True, "country": "vn"}, InvalidInput),
        ("lottery", {}, NotFound),
    ],
)
async def test_what_cannot_be_is_refused_before_it_is_made(
    house: House, maker: Worker, kind: str, body: dict[str, Any], refusal: type[Refusal]
) -> None:
    before = await counts(house)
    with pytest.raises(refusal):
        await submit(desk_of(house, maker), kind, **body)
    with pytest.raises(refusal):
        await commands.preview(desk_of(house, maker), kind=kind, body=body)
    assert await counts(house) == before


async def test_what_is_so_already_is_no_order(house: House, maker: Worker) -> None:
    known = desk_of(house).numbers["code_gap"].changeable
    assert known is not None
    with pytest.raises(InvalidInput):
        await submit(desk_of(house, maker), name="code_gap", value=known.text(known.default))


AUTO, TWO = "withdraw_auto_max", "withdraw_two_reviewers"
WAITING = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"


async def test_limits_of_withdrawals_count_once_two_have_signed_them(
    house: House, maker: Worker, checker: Worker
) -> None:
    for name, value, default in ((AUTO, "0", "10000"), (TWO, "0", "50000"), ("withdraw_daily_limit", "5", "100000")):
        row = await submit(desk_of(house, maker), name=name, value=value)
        assert (row.state, row.signers, row.before, row.after) == ("open", 2, {"value": default}, {"value": value})
        await sign(desk_of(house, checker), row)
    terms = load_terms(FILE)
    await FollowedNumbers(house.db, terms, FILE).look()
    assert (terms.withdraw_auto_max, terms.withdraw_two_reviewers, terms.withdraw_daily_limit) == (0, 0, 5)
    for name, value in ((TWO, "50000"), (AUTO, "10000"), ("withdraw_daily_limit", "100000")):
        await sign(desk_of(house, checker), await submit(desk_of(house, maker), name=name, value=value))


async def test_of_two_limits_that_belong_together_none_passes_the_other(
    house: House, maker: Worker, checker: Worker
) -> None:
    """As they stand when it is asked for, and as they stand when it is signed."""
    for name, value in ((AUTO, "50001"), (TWO, "9999")):
        with pytest.raises(InvalidInput):
            await submit(desk_of(house, maker), name=name, value=value)
    raised = await submit(desk_of(house, maker), name=AUTO, value="40000")
    lowered = await submit(desk_of(house, maker), name=TWO, value="30000")
    await sign(desk_of(house, checker), raised)
    with pytest.raises(InvalidInput):
        await sign(desk_of(house, checker), lowered)
    assert (await commands.find(desk_of(house), lowered.id)).state == "open"
    assert await value_of(house, TWO) in (None, 50_000)
    await sign(desk_of(house, checker), await submit(desk_of(house, maker), name=AUTO, value="10000"))


async def test_the_hot_wallets_low_mark_never_passes_the_high_one(house: House, maker: Worker) -> None:
    for name, value in (("hot_low", "0.1001"), ("hot_high", "0.0199")):
        with pytest.raises(InvalidInput):
            await submit(desk_of(house, maker), name=name, value=value)


async def test_two_limits_that_are_signed_at_once_still_go_together(
    house: House, maker: Worker, checker: Worker
) -> None:
    raised = await submit(desk_of(house, maker), name=AUTO, value="40000")
    lowered = await submit(desk_of(house, maker), name=TWO, value="30000")
    signing = (sign(desk_of(house, checker), row) for row in (raised, lowered))
    async with house.db.transaction() as db:
        # Who comes first waits here, the other one behind it: both have begun.
        await db.execute("SELECT pg_advisory_xact_lock(hashtextextended('numbers', 0))")
        both = asyncio.gather(*signing, return_exceptions=True)
        async with asyncio.timeout(15):
            while not both.done() and await house.db.value(WAITING) < 2:
                await asyncio.sleep(0.01)
        assert not both.done()
    found = await both
    assert sorted(type(one).__name__ for one in found) == ["CommandRow", "InvalidInput"]
    counting = (await value_of(house, AUTO) or 10_000, await value_of(house, TWO) or 50_000)
    assert counting in ((40_000, 50_000), (10_000, 30_000))
    for name, value in ((TWO, "50000"), (AUTO, "10000")):
        if await value_of(house, name) not in (None, int(value)):
            await sign(desk_of(house, checker), await submit(desk_of(house, maker), name=name, value=value))


async def test_a_country_is_switched_by_two(house: House, maker: Worker, checker: Worker) -> None:
    row = await submit(desk_of(house, maker), "switch", feature="games", country="ZW", is_on=False)
    assert (row.object, row.before, row.after) == ("switch games ZW", {"is_on": True}, {"is_on": False})
    assert ("games", "ZW") not in await orders.read_switches(house.db)
    await sign(desk_of(house, checker), row)
    assert (await orders.read_switches(house.db))["games", "ZW"] is False
    again = await submit(desk_of(house, maker), "switch", feature="games", country="ZW", is_on=True)
    await sign(desk_of(house, checker), again)


async def test_a_price_counts_once_two_have_signed_it_and_stays_near_the_days_first(
    house: House, maker: Worker, checker: Worker
) -> None:
    with pytest.raises(InvalidInput):
        await submit(desk_of(house, maker), "price", asset="KLS", rate="0.6")
    row = await submit(desk_of(house, maker), "price", asset="KLS", rate="0.51", reason="The market says so")
    assert (row.object, row.before, row.after) == ("price KLS", {"rate": "0.50000000"}, {"rate": "0.51000000"})
    assert await house.db.value("SELECT count(*) FROM price_orders") == 0
    await sign(desk_of(house, checker), row)
    order = await house.db.row("SELECT * FROM price_orders")
    assert order is not None
    assert (order["command"], order["staff"], order["ordered_by"]) == (row.id, maker.staff.id, maker.name)
    assert (await house.prices.price(KLS)).rate == Fraction(51, 100)
    again = await submit(desk_of(house, maker), "price", asset="KLS", rate="0.51", reason="It still does")
    await sign(desk_of(house, checker), again)
    assert await house.db.value("SELECT count(*) FROM price_orders") == 2
    for asset, rate in (("KLS", "0.6"), ("KLS", "0"), ("KLS", "x"), ("USDT", "1"), ("BTC", "1")):
        with pytest.raises(InvalidInput):
            await submit(desk_of(house, maker), "price", asset=asset, rate=rate)


async def test_nothing_is_signed_that_is_not_there(house: House, checker: Worker) -> None:
    for act in (
        commands.sign(desk_of(house, checker), number=10**9, version="x", request_id=request_id()),
        commands.refuse(desk_of(house, checker), number=10**9, reason="x", request_id=request_id()),
    ):
        with pytest.raises(NotFound):
            await act


async def test_the_list_tells_states_and_who_can_sign(
    house: House, maker: Worker, checker: Worker, member: MakeMember
) -> None:
    from kalos.core.pages import PageQuery

    row = await submit(desk_of(house, maker), name="security_hold", value=await other_value(house))
    page = await commands.list_commands(desk_of(house, checker), PageQuery(10), state="open")
    assert page.rows[0] == row
    assert commands.can_sign(desk_of(house, checker), row)
    late = desk_of(house, checker, ahead_ms=rules.COMMAND_MS)
    assert row.id in [one.id for one in (await commands.list_commands(late, PageQuery(10), state="expired")).rows]
    assert row.id not in [one.id for one in (await commands.list_commands(late, PageQuery(10), state="open")).rows]
    assert not commands.can_sign(late, row)
