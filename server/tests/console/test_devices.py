"""Tries at the console's door: of a name, of a network, and of a device that its person has logged in with."""

import asyncio
from collections import Counter
from typing import Any

import pytest

from console.conftest import Hire
from console.scene import PASSWORD, Worker, begin_session, counts, desk_of, log_in
from kalos.core.clock import DAY_MS, MINUTE_MS
from kalos.core.errors import TooMany
from kalos.core.terms import Terms
from kalos.core.tokens import digest
from kalos.domains.context import House
from kalos.domains.identity.errors import WrongCredentials
from kalos.operator import jobs, queries, renewals, rules, service
from kalos.operator.service import Opened
from support.plain import Plain

NETWORKS = ("198.51.100.61", "198.51.100.62", "198.51.100.63")


async def enter(house: House, worker: Worker, device: str | None = None, **fields: Any) -> Opened:
    """Log in with the right password and the next code."""
    await house.db.execute("UPDATE staff SET last_step = 0 WHERE id = $1", worker.staff.id)
    worker.step = 0  # a test can't wait for the next step
    return await service.log_in(
        desk_of(house, **fields), name=worker.name, password=PASSWORD, code=worker.code(), device=device
    )


async def fail(house: House, name: str, times: int, device: str | None = None, **fields: Any) -> Counter[str]:
    """So many wrong passwords at once."""
    tries = [
        service.log_in(desk_of(house, **fields), name=name, password="wrong", code="000000", device=device)
        for _ in range(times)
    ]
    found = await asyncio.gather(*tries, return_exceptions=True)
    return Counter(type(one).__name__ for one in found)


async def test_a_device_is_known_by_the_token_of_its_first_login_and_by_no_other(house: House, hire: Hire) -> None:
    worker = await hire("owner")
    first = await enter(house, worker)
    assert (await enter(house, worker, first.device)).device == first.device
    for foreign in (None, "", "a token that we never gave", "x" * 64):
        given = (await enter(house, worker, foreign)).device
        assert given not in (first.device, foreign)
        assert len(given) == 43
    stored = await house.db.value("SELECT count(*) FROM staff_devices WHERE token_hash = $1", digest(first.device))
    assert stored == 1


async def test_of_64_wrong_ones_at_once_exactly_as_many_are_judged_as_a_name_has(house: House, hire: Hire) -> None:
    worker, most = await hire("owner"), house.terms.factor_tries[0]
    assert await fail(house, worker.name, 64) == {"WrongCredentials": most, "TooMany": 64 - most}
    held = "SELECT cardinality(times) FROM tries WHERE subject = $1"
    assert await house.db.value(held, f"staff:{worker.name}") == most


async def test_a_strangers_flood_leaves_a_known_device_its_own_tries(house: House, hire: Hire) -> None:
    """From any network, also from that of the device itself."""
    worker, most = await hire("reviewer"), house.terms.factor_tries[0]
    device = (await enter(house, worker, network=NETWORKS[0])).device
    for network in NETWORKS:
        await fail(house, worker.name, 64, network=network)
        await fail(house, "nobody-of-this-name", 64, network=network)
    before = await counts(house)
    for known in (None, "x" * 43):
        with pytest.raises(TooMany):
            await enter(house, worker, known, network="203.0.113.8")
    assert await counts(house) == before
    assert (await enter(house, worker, device, network=NETWORKS[0])).device == device
    assert await fail(house, worker.name, 64, device) == {"WrongCredentials": most, "TooMany": 64 - most}
    with pytest.raises(TooMany):
        await enter(house, worker, device)


async def test_a_known_device_is_its_own_persons_alone(house: House, hire: Hire) -> None:
    """Who works here has no more tries of another's name than any stranger."""
    worker, other, most = await hire("reviewer"), await hire("support"), house.terms.factor_tries[0]
    theirs = (await enter(house, other)).device
    assert await fail(house, worker.name, most - 1) == {"WrongCredentials": most - 1}
    assert await fail(house, worker.name, 64, theirs) == {"WrongCredentials": 1, "TooMany": 63}
    with pytest.raises(TooMany):
        await enter(house, worker, theirs)
    assert (await enter(house, other, theirs)).device == theirs


async def test_one_device_has_one_token_for_all_who_use_it(house: House, hire: Hire) -> None:
    one, other, most = await hire("reviewer"), await hire("support"), house.terms.factor_tries[0]
    device = (await enter(house, one)).device
    assert (await enter(house, other, device)).device == device
    await fail(house, one.name, most, device)
    with pytest.raises(TooMany):
        await enter(house, one, device)
    assert (await enter(house, other, device)).device == device


async def test_a_network_waits_after_ten_wrong_ones_with_any_names(house: House, hire: Hire) -> None:
    worker, network = await hire("owner"), "198.51.100.64"
    for number in range(house.terms.login_tries):
        assert await fail(house, f"nobody-{number}", 1, network=network) == {"WrongCredentials": 1}
    before = await counts(house)
    with pytest.raises(TooMany):
        await enter(house, worker, network=network)
    assert await counts(house) == before
    await enter(house, worker, network="198.51.100.65")


def test_a_network_waits_longer_each_time_and_a_name_as_a_second_factor(terms: Terms) -> None:
    name, network = rules.login_limits(terms, name="anna", network="203.0.113.9")
    assert [(most, ms // MINUTE_MS) for most, ms in name.spans] == [(5, 5), (20, 60), (50, 24 * 60)]
    assert [(most, ms // MINUTE_MS) for most, ms in network.spans] == [
        (10, 5), (20, 15), (30, 35), (40, 75), (50, 135),
    ]  # fmt: skip
    [device] = rules.login_limits(terms, name="anna", network="203.0.113.9", device="d1")
    assert (device.spans, device.subject) == (name.spans, "staff-device:anna:d1")


async def test_a_right_login_is_given_back_to_name_network_and_device(house: House, hire: Hire) -> None:
    worker, network = await hire("owner"), "198.51.100.66"
    device = (await enter(house, worker, network=network)).device
    await enter(house, worker, device, network=network)
    left = await house.db.rows(
        "SELECT subject FROM tries WHERE cardinality(times) > 0 AND (subject LIKE $1 OR subject LIKE $2)",
        f"staff%{worker.name}%",
        f"staff-network:{network}",
    )
    assert left == []


async def test_a_flood_at_the_door_leaves_who_is_inside_their_renewals(house: House, hire: Hire) -> None:
    worker = await hire("support")
    session = digest(await begin_session(house.db, worker))
    assert (await fail(house, worker.name, 64))["TooMany"] > 0
    here = desk_of(house, worker, session=session)
    await renewals.change_password(here, password=PASSWORD, code=worker.code(), new="another-quiet-lamp")


async def test_a_renewal_forgets_all_devices_but_that_of_its_session(house: House, hire: Hire, api: Plain) -> None:
    worker, other = await hire("support"), await hire("support")
    here, elsewhere, theirs = await enter(house, worker), await enter(house, worker), await enter(house, other)
    body = {"password": PASSWORD, "code": worker.code(), "new_password": "another-quiet-lamp"}
    answer = await api.post("/api/operator/changePassword", body, token=here.token)
    assert answer["code"] == 200
    wall = house.clock.wall()
    known = [await queries.list_staff_of(house.db, digest(one.device), wall) for one in (here, elsewhere, theirs)]
    assert known == [{worker.staff.id}, set(), {other.staff.id}]


async def test_of_somebodys_devices_the_last_twenty_are_known_for_a_year(house: House, hire: Hire) -> None:
    worker = await hire("owner")
    first = await enter(house, worker)
    await house.db.execute("UPDATE staff_devices SET last_at = 1 WHERE token_hash = $1", digest(first.device))
    opened = [await enter(house, worker) for _ in range(20)]
    kept = "SELECT count(*) FROM staff_devices WHERE staff = $1"
    assert await house.db.value(kept, worker.staff.id) == 20
    assert (await enter(house, worker, first.device)).device != first.device
    last = opened[-1].device
    await house.db.execute("UPDATE staff_devices SET until_at = $2 WHERE staff = $1", worker.staff.id, 2)
    assert (await enter(house, worker, last)).device != last
    assert await jobs.sweep(house) >= 19
    assert await house.db.value(kept, worker.staff.id) == 1
    until = await house.db.value("SELECT until_at FROM staff_devices WHERE staff = $1", worker.staff.id)
    assert abs(until - house.clock.wall() - 365 * DAY_MS) < MINUTE_MS


async def test_the_page_is_given_the_token_and_sends_it_again(house: House, hire: Hire, api: Plain) -> None:
    worker = await hire("owner")
    body = {"name": worker.name, "password": PASSWORD}
    device = (await api.data("/api/operator/login", body | {"code": worker.code()}))["device"]
    again = await api.data("/api/operator/login", body | {"code": worker.code(), "device": device})
    assert again["device"] == device
    with pytest.raises(WrongCredentials):
        await log_in(house, worker, "000000")
    wrong = body | {"code": "000000", "device": device}
    found = [(await api.post("/api/operator/login", wrong))["data"]["error"] for _ in range(6)]
    assert found == ["wrong_credentials"] * 5 + ["too_many"]
