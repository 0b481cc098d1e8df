"""What is refused at the console's door stands in the log: each one counted, a row a minute, and nobody's password."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from console.conftest import Hire
from console.scene import NUMBERS, PASSWORD, Ahead, begin_session, desk_of, log_in
from kalos.core import passwords
from kalos.core.clock import MINUTE_MS
from kalos.core.errors import Busy, Refusal
from kalos.core.tokens import digest
from kalos.domains.context import House
from kalos.domains.identity.errors import WrongCredentials
from kalos.operator import jobs, queries, refusals, renewals, service
from kalos.operator.tables import RefusalRow
from support.plain import Plain


async def refused(house: House, name: str, times: int = 1, device: str | None = None, **fields: Any) -> None:
    tries = [
        service.log_in(desk_of(house, **fields), name=name, password="wrong", code="000000", device=device)
        for _ in range(times)
    ]
    assert all(isinstance(one, Refusal) for one in await asyncio.gather(*tries, return_exceptions=True))


async def rows_of(house: House, about: str) -> Sequence[tuple[str, dict[str, Any]]]:
    """What the log says of somebody's refusals, the oldest first, without the minutes."""
    found = await queries.list_audit(house.db, before=None, most=500)
    told = [(row.act, dict(row.after)) for row in reversed(found) if row.object == about and "refused" in row.act]
    for _, after in told:
        after.pop("minute")
    return told


async def minutes_later(house: House) -> House:
    late = desk_of(house, ahead_ms=2 * MINUTE_MS).house
    assert isinstance(late.clock, Ahead)
    return late


@pytest.fixture(autouse=True)
async def nothing_waits(house: House) -> None:
    await jobs.turn(await minutes_later(house), NUMBERS)


async def test_a_flood_is_one_row_of_its_minute_and_each_try_is_counted(house: House, hire: Hire) -> None:
    worker, most = await hire("reviewer"), house.terms.factor_tries[0]
    late = await minutes_later(house)
    await refused(house, worker.name, 64, network="198.51.100.71")
    await refused(house, worker.name, 2, network="198.51.100.72")
    last = await queries.last_audit(house.db)
    await asyncio.gather(*(jobs.turn(late, NUMBERS) for _ in range(4)))
    told = await rows_of(house, f"staff {worker.name}")
    assert {act for act, _ in told} == {"login.refused"}
    assert len(told) <= 2  # a minute may have ended between two of them
    assert sum(after["wrong"] for _, after in told) == most
    assert sum(after["wrong"] + after["turned_away"] for _, after in told) == 66
    assert {one for _, after in told for one in after["networks"].split(", ")} == {"198.51.100.71", "198.51.100.72"}
    assert await queries.last_audit(house.db) == last + len(told)
    await jobs.turn(late, NUMBERS)
    assert await queries.last_audit(house.db) == last + len(told)
    assert await queries.verify_audit(house.db) == []


async def test_nothing_is_written_before_the_minute_is_over(house: House, hire: Hire) -> None:
    worker = await hire("reviewer")
    wall = house.clock.wall() // MINUTE_MS * MINUTE_MS + MINUTE_MS
    within = desk_of(house, ahead_ms=wall - house.clock.wall() + 1_000)
    with pytest.raises(WrongCredentials):
        await service.log_in(within, name=worker.name, password="wrong", code="000000")
    await jobs.turn(within.house, NUMBERS)
    assert await rows_of(house, f"staff {worker.name}") == []
    await jobs.turn(desk_of(house, ahead_ms=2 * MINUTE_MS + 1_000).house, NUMBERS)
    assert [after["wrong"] for _, after in await rows_of(house, f"staff {worker.name}")] == [1]


async def test_of_many_networks_the_eight_with_the_most_are_named(house: House, hire: Hire) -> None:
    worker, late = await hire("reviewer"), await minutes_later(house)
    minute = house.clock.wall() // MINUTE_MS * MINUTE_MS
    for number in range(1, 13):
        row = RefusalRow(minute, refusals.LOGIN, worker.staff.id, f"203.0.113.{number}", 0, number, 0)
        await queries.count_refusal(house.db, row)
    await jobs.turn(late, NUMBERS)
    [(_, after)] = await rows_of(house, f"staff {worker.name}")
    assert after == {
        "wrong": 0,
        "turned_away": 78,
        "on_known_devices": 0,
        "networks": ", ".join(f"203.0.113.{number}" for number in range(12, 4, -1)),
        "more_networks": 4,
    }


async def test_what_failed_on_a_persons_own_device_is_told_apart(house: House, hire: Hire) -> None:
    worker, late = await hire("reviewer"), await minutes_later(house)
    device = (await log_in(house, worker)).device
    await refused(house, worker.name, 2, device)
    await refused(house, worker.name, 1)
    await jobs.turn(late, NUMBERS)
    told = [after for _, after in await rows_of(house, f"staff {worker.name}")]
    assert sum(after["wrong"] for after in told) == 3
    assert sum(after["on_known_devices"] for after in told) == 2


async def test_names_of_nobody_are_counted_together_and_what_was_typed_is_kept_nowhere(house: House) -> None:
    late = await minutes_later(house)
    for typed in ("my-secret-password", "another-secret"):
        await refused(house, typed)
    await jobs.turn(late, NUMBERS)
    told = [after for _, after in await rows_of(house, refusals.NOBODY)]
    assert sum(after["wrong"] for after in told) == 2
    logged = await house.db.rows("SELECT object, name, before::text, after::text FROM operator_audit")
    assert not [row for row in logged if "secret" in " ".join(row)]


@pytest.mark.parametrize("wrong", ["password", "code", "used code"])
async def test_each_way_to_be_refused_is_counted_once(house: House, hire: Hire, wrong: str) -> None:
    worker, late = await hire("reviewer"), await minutes_later(house)
    code = worker.code()
    if wrong == "used code":
        await log_in(house, worker, code)
    given = {"password": PASSWORD, "code": code} | {"password": {"password": "x"}, "code": {"code": "1"}}.get(wrong, {})
    with pytest.raises(WrongCredentials):
        await service.log_in(desk_of(house), name=worker.name, **given)
    await jobs.turn(late, NUMBERS)
    assert [(act, after["wrong"]) for act, after in await rows_of(house, f"staff {worker.name}")] == [
        ("login.refused", 1)
    ]


async def test_who_logs_in_leaves_no_refusal_and_a_try_that_nobody_judged_none(
    house: House, hire: Hire, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker, late = await hire("reviewer"), await minutes_later(house)
    await log_in(house, worker)
    with monkeypatch.context() as patch:
        patch.setattr(passwords._pool, "most", 0)
        with pytest.raises(Busy):
            await log_in(house, worker)
    await jobs.turn(late, NUMBERS)
    assert await rows_of(house, f"staff {worker.name}") == []


async def test_who_has_a_session_and_tries_passwords_stands_in_the_log(house: House, hire: Hire) -> None:
    worker, late = await hire("support"), await minutes_later(house)
    session = digest(await begin_session(house.db, worker))
    here = desk_of(house, worker, session=session, network="198.51.100.73")
    for _ in range(house.terms.factor_tries[0] + 1):
        with pytest.raises(Refusal):
            await renewals.change_password(here, password="wrong", code="000000", new="another-quiet-lamp")
    await jobs.turn(late, NUMBERS)
    told = await rows_of(house, f"staff {worker.name}")
    assert {act for act, _ in told} == {"staff.renewal_refused"}
    assert sum(after["wrong"] for _, after in told) == house.terms.factor_tries[0]
    assert sum(after["turned_away"] for _, after in told) == 1


async def test_a_wrong_first_code_of_a_new_authenticator_stands_in_the_log(house: House, hire: Hire) -> None:
    worker, late = await hire("support"), await minutes_later(house)
    here = desk_of(house, worker, session=digest(await begin_session(house.db, worker)))
    await renewals.show_authenticator(here, password=PASSWORD, code=worker.code())
    with pytest.raises(Refusal):
        await renewals.bind_authenticator(here, code="000000")
    await jobs.turn(late, NUMBERS)
    assert [act for act, _ in await rows_of(house, f"staff {worker.name}")] == ["staff.renewal_refused"]


async def test_an_auditor_reads_it_in_the_console(house: House, hire: Hire, api: Plain) -> None:
    worker, auditor, late = await hire("reviewer"), await hire("auditor"), await minutes_later(house)
    body = {"name": worker.name, "password": "wrong", "code": "000000"}
    assert (await api.post("/api/operator/login", body, network="198.51.100.74"))["code"] == 401
    await jobs.turn(late, NUMBERS)
    rows = (await api.data("/api/operator/audit", {}, token=await begin_session(house.db, auditor)))["list"]
    [row] = [one for one in rows if one["object"] == f"staff {worker.name}" and one["act"] == "login.refused"]
    assert (row["staff"], row["after"]["networks"], row["after"]["wrong"]) == ("kalos", "198.51.100.74", 1)


async def test_a_name_of_nobody_is_the_same_work_as_somebodys(house: House, hire: Hire) -> None:
    for name in ((await hire("reviewer")).name, "nobody-here"):
        before = await house.db.value("SELECT coalesce(sum(wrong), 0) FROM staff_refusals")
        await refused(house, name)
        assert await house.db.value("SELECT sum(wrong) FROM staff_refusals") == before + 1
