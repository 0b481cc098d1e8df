"""Logging in with password and authenticator, sessions, and whose tokens count where."""

import asyncio

import asyncpg
import pytest

from conftest import MakeMember
from console.conftest import Hire
from console.scene import Worker, counts, desk_of, log_in, log_of
from kalos.app.calls import REGISTERS, STAFF_REGISTERS
from kalos.core.clock import MINUTE_MS
from kalos.core.errors import Refusal, TooMany
from kalos.core.passwords import hashes_made
from kalos.core.sealing import seal
from kalos.core.tokens import digest
from kalos.domains.context import House
from kalos.domains.identity.errors import WrongCredentials
from kalos.operator import queries, rules, service
from kalos.operator.tables import SecretRow
from support.members import begin_session
from support.plain import Plain, plain_api


async def test_password_and_code_open_a_session_of_twelve_hours(house: House, api: Plain, hire: Hire) -> None:
    worker = await hire("reviewer", "treasurer")
    body = {"name": worker.name, "password": "calm-harbour-lamp", "code": worker.code()}
    opened = await api.data("/api/operator/login", body)
    staff = opened["staff"]
    assert (staff["name"], staff["roles"]) == (worker.name, ["reviewer", "treasurer"])
    assert worker.staff.public_key is not None
    assert staff["public_key"] == worker.staff.public_key.hex()
    assert abs(staff["ends_at"] - house.clock.wall() - rules.SESSION_MS) < 10_000
    assert await api.data("/api/operator/me", {}, token=opened["token"]) == staff
    row = await house.db.row("SELECT * FROM operator_audit ORDER BY id DESC LIMIT 1")
    assert row is not None
    assert (row["act"], row["name"], row["object"]) == ("login", worker.name, f"staff {worker.name}")


@pytest.mark.parametrize("wrong", ["password", "code", "name"])
async def test_whatever_is_wrong_is_refused_alike_and_costs_a_hash(house: House, hire: Hire, wrong: str) -> None:
    worker = await hire("owner")
    given = {"name": worker.name, "password": "calm-harbour-lamp", "code": worker.code()}
    given |= {"name": {"name": "nobody-here"}, "password": {"password": "another"}, "code": {"code": "000000"}}[wrong]
    before, made = await counts(house), hashes_made()
    with pytest.raises(WrongCredentials):
        await service.log_in(desk_of(house), **given)
    assert hashes_made() == made + 1
    assert await counts(house) == before


async def test_a_code_is_taken_once_also_by_two_at_once(house: House, hire: Hire) -> None:
    worker = await hire("owner")
    code = worker.code()
    found = await asyncio.gather(*(log_in(house, worker, code) for _ in range(3)), return_exceptions=True)
    assert sorted(type(one).__name__ for one in found) == ["Opened", "WrongCredentials", "WrongCredentials"]
    with pytest.raises(WrongCredentials):
        await log_in(house, worker, code)
    assert await house.db.value("SELECT count(*) FROM staff_sessions WHERE staff = $1", worker.staff.id) == 1


async def test_an_older_code_than_the_last_is_refused(house: House, hire: Hire) -> None:
    worker = await hire("owner")
    older, newer = worker.code(), worker.code()
    await log_in(house, worker, newer)
    with pytest.raises(WrongCredentials):
        await log_in(house, worker, older)


async def test_tries_are_counted_exactly_and_a_right_one_is_given_back(house: House, hire: Hire) -> None:
    worker = await hire("owner")
    for _ in range(2):
        await log_in(house, worker)
        await house.db.execute("DELETE FROM staff_sessions")
        worker.step -= 1  # a test can't wait for the next step
        await _forget_step(house, worker)
    most = house.terms.factor_tries[0]
    tries = [log_in(house, worker, password="wrong") for _ in range(4 * most)]
    found = await asyncio.gather(*tries, return_exceptions=True)
    assert [type(one) for one in found].count(WrongCredentials) == most
    assert [type(one) for one in found].count(TooMany) == 3 * most
    with pytest.raises(TooMany):
        await log_in(house, worker)


async def _forget_step(house: House, worker: Worker) -> None:
    await house.db.execute("UPDATE staff SET last_step = 0 WHERE id = $1", worker.staff.id)


async def test_a_session_ends_after_half_an_hour_without_use_and_after_twelve_hours(house: House, hire: Hire) -> None:
    worker, wall = await hire("owner"), house.clock.wall()
    session = digest((await log_in(house, worker)).token)
    assert await queries.find_caller(house.db, session, wall + 29 * MINUTE_MS) == worker.staff
    assert await queries.find_caller(house.db, session, wall + 58 * MINUTE_MS) == worker.staff
    assert await queries.find_caller(house.db, session, wall + 89 * MINUTE_MS) is None
    at = wall
    while at < wall + rules.SESSION_MS - 29 * MINUTE_MS:
        at += 29 * MINUTE_MS
        await queries.find_caller(house.db, session, at)
    assert await queries.find_caller(house.db, session, wall + rules.SESSION_MS - MINUTE_MS) == worker.staff
    assert await queries.find_caller(house.db, session, wall + rules.SESSION_MS + MINUTE_MS) is None


async def test_who_is_ended_or_loses_a_role_is_so_at_the_next_call_everywhere(
    house: House, hire: Hire, api: Plain, database_url: str
) -> None:
    worker, other = await hire("auditor", "support"), await plain_api(house, STAFF_REGISTERS)
    token = (await log_in(house, worker)).token
    assert (await other.post("/api/operator/audit", {}, token=token))["code"] == 200
    owner = await asyncpg.connect(database_url)
    try:
        await owner.execute("UPDATE staff SET roles = '{support}' WHERE id = $1", worker.staff.id)
        assert (await other.post("/api/operator/audit", {}, token=token))["data"]["error"] == "forbidden"
        await owner.execute("UPDATE staff SET is_active = false WHERE id = $1", worker.staff.id)
    finally:
        await owner.close()
    for door in (api, other):
        assert (await door.post("/api/operator/me", {}, token=token))["data"] == {"error": "session_ended"}
    with pytest.raises(WrongCredentials):
        await log_in(house, worker)


async def test_who_leaves_at_one_door_has_left_at_the_other(house: House, hire: Hire, api: Plain) -> None:
    worker, other = await hire("owner"), await plain_api(house, STAFF_REGISTERS)
    token, kept = (await log_in(house, worker)).token, (await log_in(house, worker)).token
    assert (await other.post("/api/operator/me", {}, token=token))["code"] == 200
    await api.data("/api/operator/logout", {}, token=token)
    last = (await log_of(house, f"staff {worker.name}"))[-1]
    assert (last.act, last.staff, last.name, last.before, last.after) == (
        "logout", worker.staff.id, worker.name, {}, {},
    )  # fmt: skip
    assert (await other.post("/api/operator/me", {}, token=token))["code"] == 406
    assert (await other.post("/api/operator/me", {}, token=kept))["code"] == 200


async def test_a_members_token_is_nobodys_in_the_console(house: House, api: Plain, member: MakeMember) -> None:
    token = await begin_session(house.db, await member())
    before = await counts(house)
    for register in STAFF_REGISTERS:
        for call in register.all:
            if not call.public:
                answer = await api.post(call.path, {}, token=token)
                assert (answer["code"], answer["data"].get("error")) == (406, "session_ended"), call.path
    assert await counts(house) == before


async def test_a_token_of_staff_is_no_members(house: House, api: Plain, hire: Hire) -> None:
    token = (await log_in(house, await hire(*rules.ROLES))).token
    for register in REGISTERS:
        for call in register.all:
            if not call.public:
                answer = await api.post(call.path, {}, token=token)
                assert (answer["code"], answer["data"].get("error")) == (406, "session_ended"), call.path


async def test_no_answer_tells_whether_a_name_is_somebodys(api: Plain, hire: Hire) -> None:
    worker = await hire("owner")
    wrong = {"password": "another", "code": "000000"}
    answers = [await api.post("/api/operator/login", wrong | {"name": name}) for name in (worker.name, "nobody-else")]
    assert answers[0] == answers[1]
    assert answers[0]["data"] == {"error": "wrong_credentials"}


async def test_a_refusal_is_no_bug(house: House, hire: Hire) -> None:
    """Names and codes of any form are refused as wrong ones."""
    worker = await hire("owner")
    for name, code in ((worker.name, "492 039"), (worker.name, "４９２０３９"), ("x" * 100, "1"), ("Ünknown", "")):
        with pytest.raises(Refusal):
            await service.log_in(desk_of(house), name=name, password="x", code=code)


@pytest.mark.parametrize("column", ["password_hash", "totp_secret"])
async def test_what_is_renewed_meanwhile_lets_nobody_in_who_had_the_old_one(
    house: House, hire: Hire, column: str
) -> None:
    """The log-in has judged both, and waits for the renewal that is under way."""
    worker, before = await hire("owner"), await counts(house)
    async with house.db.transaction() as db:
        if column == "password_hash":
            old = await db.fetchval("SELECT password_hash FROM staff WHERE id = $1", worker.staff.id)
            assert await queries.replace_password(db, worker.staff.id, "$argon2id$another", old_hash=old)
        else:
            pending = SecretRow(
                worker.staff.id, seal(house.factor_keys[0], bytes(rules.SECRET_BYTES), rules.about(worker.name)), 2**62
            )
            await queries.put_secret(db, pending)
            assert await queries.bind_secret(db, pending, 1)
        entering = asyncio.create_task(log_in(house, worker))
        while not entering.done() and not await db.fetchval("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)"):
            await asyncio.sleep(0.01)
    with pytest.raises(WrongCredentials):
        await entering
    assert await counts(house) == before
