"""Channels, nonces and keys before two API processes behind one address: whichever takes a call, all is as with one."""

import asyncio
import json
import time
from base64 import b64decode
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import asyncpg
import httpx
import pytest

from kalos.core.clock import DAY_MS
from kalos.core.notices import APPLICATION
from kalos.wire.client import WireClient
from kalos.wire.envelope import Mode
from support.balancer import Balancer
from support.loopback import loopback_client
from support.pair import SOON_SECONDS, Pair
from wire.support import Page

pytestmark = pytest.mark.group
INFO: Final = "/api/user/info"
TAKEN: Final = 16
_STALE_SECONDS: Final = -3_600
_RENEWED_SECONDS: Final = 10
"""A line of notices stands again within a second or two; without it each process would look once a minute."""
_EACH_ITS_OWN: Final = httpx.Limits(max_connections=100, max_keepalive_connections=0)


@pytest.fixture
async def address(pair: Pair) -> AsyncIterator[Balancer]:
    async with Balancer([pair.group.port, pair.own.port]).listening() as balancer:
        yield balancer


@asynccontextmanager
async def caller(url: str) -> AsyncIterator[httpx.AsyncClient]:
    """Of whose calls each is a connection of its own, so that each goes to the next process."""
    async with loopback_client(url, limits=_EACH_ITS_OWN) as http:
        yield http


async def open_page(http: httpx.AsyncClient, token: str = "") -> Page:
    """With the newest key that the address names."""
    page = Page(http, token=token)
    await open_with(page, (await http.get("/.well-known/wire-keys")).json()["keys"][0])
    return page


async def open_with(page: Page, key: dict[str, Any]) -> None:
    assert (await page.open(key["kid"], b64decode(key["pk"])))["code"] == 200


def outer_of(page: Page, form: Mode, path: str, inner: dict[str, Any]) -> dict[str, Any]:
    return inner | {"sid": page.sid} if form == "signed" else page.sealed(path, json.dumps(inner).encode())


@pytest.mark.parametrize("form", ["sealed", "signed"])
async def test_a_channel_opened_at_one_serves_at_both(pair: Pair, address: Balancer, form: Mode) -> None:
    player = await pair.player()
    async with caller(address.url) as http:
        client = WireClient(http, mode=form, token=player.token)
        for _ in range(4):
            answer = await client.call(INFO, {})
            assert (answer["code"], answer["data"]["account"]) == (200, player.member.account)
    assert address.taken == dict.fromkeys(address.ports, 3), "keys, one channel, four calls: none was opened anew"


@pytest.mark.parametrize("form", ["sealed", "signed"])
async def test_of_a_call_sent_many_times_at_once_one_is_taken(pair: Pair, address: Balancer, form: Mode) -> None:
    player = await pair.player()
    bet = await pair.bet(player)
    async with caller(address.url) as http:
        page = await open_page(http, player.token)
        inner = page.signed("/api/game/beton", bet)
        outer = outer_of(page, form, "/api/game/beton", inner)
        address.taken.clear()
        answers = await asyncio.gather(*(page.post("/api/game/beton", outer) for _ in range(TAKEN)))
        assert Counter(answer["code"] for answer in answers) == {200: 1, 462: TAKEN - 1}
        assert address.taken == dict.fromkeys(address.ports, TAKEN // 2)
        for _ in address.ports:
            answer = await page.post("/api/game/beton", outer)
            assert answer["code"] == 462
            data = page.opened(answer, inner["nonce"])["data"] if form == "sealed" else answer["data"]
            assert data == {"error": "replay"}
    assert len(await pair.bets_of(player)) == 1


@pytest.mark.parametrize("form", ["sealed", "signed"])
async def test_both_say_the_time_to_who_is_late_and_know_no_foreign_channel(address: Balancer, form: Mode) -> None:
    async with caller(address.url) as http:
        page = await open_page(http)
        lost = Page(http, "lost", page.keys)
        page.shift_seconds = _STALE_SECONDS
        for _ in address.ports:
            inner = page.signed(INFO, {})
            answer = await page.post(INFO, outer_of(page, form, INFO, inner))
            assert (answer["code"], answer.get("enc")) == (461, 1 if form == "sealed" else None)
            data = page.opened(answer, inner["nonce"])["data"] if form == "sealed" else answer["data"]
            assert data["error"] == "stale_time"
            assert abs(data["server_time"] - time.time()) <= 30
        for _ in address.ports:
            answer = await lost.post(INFO, outer_of(lost, form, INFO, lost.signed(INFO, {})))
            assert (answer["code"], answer["data"]) == (463, {"error": "unknown_channel"})


@pytest.mark.parametrize("form", ["sealed", "signed"])
async def test_a_session_ended_at_one_is_ended_at_the_other(pair: Pair, address: Balancer, form: Mode) -> None:
    player = await pair.player()
    async with caller(address.url) as http:
        client = WireClient(http, mode=form, token=player.token)
        for _ in address.ports:
            assert (await client.call(INFO, {}))["code"] == 200
        assert (await client.call("/api/auth/logout", {}))["code"] == 200
        ended, refused = time.monotonic(), 0
        while refused < len(address.ports):  # in a row: one of each
            assert time.monotonic() - ended < SOON_SECONDS
            refused = refused + 1 if (await client.call(INFO, {}))["code"] == 406 else 0
            await asyncio.sleep(0.06)  # a member may make twenty reads a second


@pytest.mark.parametrize(("door", "table"), [(0, "wire_keys"), (1, "wire_ticket_keys")])
async def test_a_channel_survives_the_process_that_opened_it_and_keys_that_one_makes_are_known_at_the_other(
    pair: Pair, address: Balancer, door: int, table: str
) -> None:
    """A day passes for the keys while it is down: when it is there again it makes new ones."""
    token = (await pair.player()).token
    async with caller(pair.doors[door]) as here, caller(pair.doors[1 - door]) as there, caller(address.url) as both:
        before = await open_page(here, token)
        await let_a_day_pass(pair, table)
        if door:
            pair.own.kill()
        else:
            pair.kill_the_groups()
        await until_refused(address.ports[door])
        before.http = both
        for _ in range(2):
            assert (await before.call(INFO, {}))["code"] == 200
        assert address.taken == {address.ports[1 - door]: 2}
        if door:
            pair.own.start()
        await pair.wait_until_open()
        fresh = Page(there if table == "wire_keys" else here, token=token)
        await open_with(fresh, (await here.get("/.well-known/wire-keys")).json()["keys"][0])
        for page in (fresh, before):
            for page.http in (there, here):
                assert (await page.call(INFO, {}))["code"] == 200


async def test_keys_that_a_crash_took_along_are_new_at_both_within_seconds(pair: Pair) -> None:
    """As PostgreSQL's end takes the tables and every line of notices, without it: others work beside."""
    token = (await pair.player()).token
    async with caller(pair.doors[0]) as here, caller(pair.doors[1]) as there:
        before = await open_page(here, token)
        gone = await kids(here)
        owner = await asyncpg.connect(pair.settings.owner_url)
        try:
            await owner.execute("TRUNCATE wire_keys, wire_ticket_keys")
            await owner.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1", APPLICATION
            )
        finally:
            await owner.close()
        until = time.monotonic() + _RENEWED_SECONDS
        while not (found := await kids(here)) or found & gone or found != await kids(there):
            assert time.monotonic() < until, "a process still has keys that no other one has"
            await asyncio.sleep(0.05)
        fresh = await open_page(here, token)
        for fresh.http in (there, here):
            assert (await fresh.call(INFO, {}))["code"] == 200
        for before.http in (there, here):
            assert (await before.call(INFO, {}))["code"] == 463


async def kids(http: httpx.AsyncClient) -> set[str]:
    return {key["kid"] for key in (await http.get("/.well-known/wire-keys")).json()["keys"]}


async def until_refused(port: int) -> None:
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except ConnectionRefusedError:
            return
        except ConnectionResetError:
            continue  # it knocked, and whoever was to open died
        writer.close()
        await asyncio.sleep(0.01)


async def let_a_day_pass(pair: Pair, table: str) -> None:
    owner = await asyncpg.connect(pair.settings.owner_url)
    try:
        await owner.execute(f"UPDATE {table} SET from_at = from_at - $1, until_at = until_at - $1", DAY_MS)
    finally:
        await owner.close()
