"""Two API processes of one house: whichever a member meets, a request has one effect and a session one end."""

import asyncio
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import httpx
import pytest

from kalos.app.kept import free_port
from kalos.app.settings import PROJECT, load_settings
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.terms import load_terms
from kalos.core.tokens import digest, new_token
from kalos.domains.context import Member
from kalos.domains.identity.queries import insert_session
from kalos.domains.identity.tables import SessionRow
from kalos.ledger.audit import audit
from kalos.ledger.client import LedgerClient
from support import clusters
from support.budget import SOAK, count, figures
from support.group import RunningGroup
from support.members import fund, make_member
from support.promql import Scrape

pytestmark = pytest.mark.group
SCENE: Final = "odd_even-180"
PLAYERS: Final = 16
_READY_SECONDS: Final = 20.0
_SMALL: Final = 16


class OwnApi:
    """A further API process of a running group, on a port of its own."""

    def __init__(self, group: RunningGroup, **settings: str) -> None:
        self.port, self.metrics_port = free_port(), free_port()
        own = {"PORT": str(self.port), "METRICS_PORT": str(self.metrics_port)}
        self._environment = group.environment | own | settings
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        command = [sys.executable, "-m", "kalos.app.cli", "api"]
        self._process = subprocess.Popen(
            command, env=self._environment, stdin=subprocess.DEVNULL, stdout=sys.stderr, cwd=PROJECT
        )

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait(10)


@dataclass
class Player:
    """A member with a session; `placed` are the ids of the bets that were acknowledged."""

    member: Member
    token: str
    placed: list[int] = field(default_factory=list)


class Pair:
    """Both doors of one house."""

    def __init__(self, group: RunningGroup, own: OwnApi) -> None:
        self.group, self.own = group, own
        self.settings = load_settings(group.environment)
        self.db = Database(self.settings.app_url, size=3)
        self.ledger = LedgerClient(self.settings.writer_socket)
        self.doors = [f"http://127.0.0.1:{port}" for port in (group.port, own.port)]
        self.http = httpx.AsyncClient(timeout=15)
        self.resent = 0
        self.ending = False

    async def call(self, door: int, path: str, body: dict[str, Any], token: str) -> dict[str, Any]:
        """The whole answer. Raises: httpx.HTTPError, also for a status that says to come again."""
        answer = await self.http.post(self.doors[door] + path, json=body, headers={"authorization": token})
        answer.raise_for_status()
        whole: dict[str, Any] = answer.json()
        return whole

    async def player(self) -> Player:
        member = await make_member(self.settings.owner_url)
        await fund(self.ledger, member, usdt="1000")
        token, wall = new_token(), Clock.wall()
        async with self.db.transaction() as db:
            await insert_session(db, SessionRow(digest(token), member.id, "", "", wall, 600_000, wall + 600_000))
        return Player(member, token)

    async def bet(self, player: Player) -> dict[str, Any]:
        """A bet that nobody has placed yet, on the round that is open."""
        round_id = None
        while round_id is None:
            await asyncio.sleep(0.06)  # a member may make twenty reads a second
            round_id = (await self.call(1, "/api/game/scene", {"scene_id": SCENE}, player.token))["data"]["round"]
        return _bet_on(round_id, "odd")

    async def bets_of(self, player: Player) -> list[int]:
        rows = await self.db.rows("SELECT id FROM bets WHERE member = $1 ORDER BY id", player.member.id)
        return [row["id"] for row in rows]

    async def wait_until_open(self) -> None:
        """Until both answer."""
        for door in self.doors:
            async with httpx.AsyncClient(base_url=door) as http:
                await wait_until_ready(http)

    def kill_the_groups(self) -> None:
        (pid,) = [pid for pid, words in self.group.processes().items() if "cli api" in words and pid != self.own.pid]
        os.kill(pid, signal.SIGKILL)

    async def play(self, player: Player, first: int) -> None:
        """Bet again and again until told to end, each time at the other door first."""
        for turn in itertools.count(first):
            if self.ending:
                return
            scene = await self._insist(turn, "/api/game/scene", {"scene_id": SCENE}, player)
            if scene["data"]["round"] is None:
                continue
            bet = _bet_on(scene["data"]["round"], "odd" if first % 2 else "even")
            answer = await self._insist(turn, "/api/game/beton", bet, player)
            if answer["code"] == 200:
                player.placed.append(int(answer["data"]["bet_id"]))
            else:
                assert answer["data"]["error"] in ("round_closed", "betting_closed"), answer

    async def _insist(self, turn: int, path: str, body: dict[str, Any], player: Player) -> dict[str, Any]:
        """Ask one door and then the other, with the same request, until it is answered."""
        for door in itertools.count(turn):
            try:
                answer = await self.call(door % 2, path, body, player.token)
            except httpx.HTTPError:
                self.resent += 1
                await asyncio.sleep(0.05)
                continue
            if answer["code"] not in (409, 429):
                return answer
            await asyncio.sleep(0.1)
        raise AssertionError

    async def close(self) -> None:
        await self.http.aclose()
        await self.ledger.close()
        await self.db.close()


async def wait_until_ready(http: httpx.AsyncClient) -> None:
    until = time.monotonic() + _READY_SECONDS
    while True:
        with suppress(httpx.TransportError):
            if (await http.get("/readyz")).status_code == 200:
                return
        assert time.monotonic() < until, http.base_url
        await asyncio.sleep(0.05)


def _bet_on(round_id: str, option: str) -> dict[str, Any]:
    stake = {"amount": "1", "balance_type": "USDT", "request_id": uuid.uuid4().hex}
    return {"scene_id": SCENE, "round": round_id, "option": option} | stake


@pytest.fixture(scope="module")
def group() -> Iterator[RunningGroup]:
    folder = clusters.new_folder(in_memory=True)
    port = str(free_port())
    running = RunningGroup(folder / "data", PORT=port, PUBLIC_URL=f"http://localhost:{port}")  # one address for both
    try:
        running.start()
        yield running
    finally:
        running.end()
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
async def pair(group: RunningGroup) -> AsyncIterator[Pair]:
    own = OwnApi(group)
    own.start()
    made = Pair(group, own)
    try:
        await made.wait_until_open()
        yield made
    finally:
        await made.close()
        own.kill()


async def test_a_bet_through_one_is_seen_through_the_other(pair: Pair) -> None:
    player = await pair.player()
    for door, available in ((0, "999.000000"), (1, "998.000000")):
        placed = await pair.call(door, "/api/game/beton", await pair.bet(player), player.token)
        listed = await pair.call(1 - door, "/api/game/orderList", {}, player.token)
        assert listed["data"]["list"][0]["bet_id"] == placed["data"]["bet_id"]
        for path in ("/api/user/info", "/api/user/usdtLog"):
            one, other = [await pair.call(each, path, {}, player.token) for each in (0, 1)]
            assert one == other
        assert other["data"]["list"][0]["balance"] == available


async def test_one_request_through_both_at_once_has_one_effect_and_one_answer(pair: Pair) -> None:
    player = await pair.player()
    for placed in range(1, 6):
        await asyncio.sleep(0.25)  # a member may make ten money calls a second
        body = await pair.bet(player)
        one, other = await asyncio.gather(*(pair.call(door, "/api/game/beton", body, player.token) for door in (0, 1)))
        assert one["code"] == 200, one
        assert one == other
        assert len(await pair.bets_of(player)) == placed
    again = await pair.call(0, "/api/game/beton", body | {"amount": "2"}, player.token)
    assert (again["code"], again["data"]["error"]) == (409, "request_conflict")
    assert len(await pair.bets_of(player)) == 5


async def test_one_request_sent_64_times_has_one_effect_and_one_answer(pair: Pair) -> None:
    """All at once, half through each; who came too often for a member sends again."""
    player = await pair.player()
    body = await pair.bet(player)
    answers = await asyncio.gather(*(pair._insist(turn, "/api/game/beton", body, player) for turn in range(64)))
    assert answers[0]["code"] == 200
    assert all(answer == answers[0] for answer in answers)
    assert await pair.bets_of(player) == [int(answers[0]["data"]["bet_id"])]


async def test_both_count_a_members_calls_together(pair: Pair) -> None:
    """Twenty reads a second, whichever door they come through: all of them are had, and none above."""
    player = await pair.player()
    seen: Counter[int] = Counter()
    first = time.time()

    async def read(door: int) -> None:
        while time.time() < first + 3:
            sent = time.time()
            answer = await pair.call(door, "/api/user/info", {}, player.token)
            if answer["code"] == 200:
                seen[int(sent)] += 1
            await asyncio.sleep(0.01)

    await asyncio.gather(*(read(turn % 2) for turn in range(8)))
    seconds = int(time.time()) - int(first) + 1
    most = load_terms(pair.settings.terms_file).rate_read
    assert most * 9 // 10 * 2 <= seen.total() <= most * seconds
    assert 2 <= len(seen) <= seconds


async def test_a_session_ended_through_one_is_ended_at_the_other(pair: Pair) -> None:
    for door in (0, 1):
        player = await pair.player()
        assert (await pair.call(1 - door, "/api/user/info", {}, player.token))["code"] == 200
        assert (await pair.call(door, "/api/auth/logout", {}, player.token))["code"] == 200
        ended = time.monotonic()
        while (await pair.call(1 - door, "/api/user/info", {}, player.token))["code"] != 406:
            assert time.monotonic() - ended < 1
        assert (await pair.call(1 - door, "/api/game/beton", {}, player.token))["code"] == 406


async def test_load_through_both_survives_the_death_of_either(pair: Pair) -> None:
    players = [await pair.player() for _ in range(PLAYERS)]
    playing = [asyncio.create_task(pair.play(player, turn)) for turn, player in enumerate(players)]
    for turn in range(count("api.two.kills")):
        await asyncio.sleep(1)
        if turn % 2:
            pair.kill_the_groups()
        else:
            pair.own.kill()
            pair.own.start()
        await pair.wait_until_open()
    await asyncio.sleep(1)
    pair.ending = True
    await asyncio.gather(*playing)
    assert pair.resent > 0
    for player in players:
        assert len(player.placed) > 3
        assert await pair.bets_of(player) == sorted(player.placed)
    assert await audit(pair.db) == []


class Caller:
    """One connection that is kept, as lean as can be: what is measured is the server. `seconds` are by HTTP status."""

    def __init__(self, port: int, token: str) -> None:
        self.seconds: dict[int, list[float]] = defaultdict(list)
        self._port = port
        self._head = f"Host: localhost\r\nContent-Type: application/json\r\nAuthorization: {token}\r\n"
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, path: str, body: dict[str, Any]) -> None:
        if self._line is None:
            self._line = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._line
        sent = json.dumps(body)
        begun = time.monotonic()
        writer.write(f"POST {path} HTTP/1.1\r\n{self._head}Content-Length: {len(sent)}\r\n\r\n{sent}".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        status = int(head.split(maxsplit=2)[1])
        await reader.readexactly(int(head.partition(b"content-length:")[2].split(maxsplit=1)[0]))
        self.seconds[status].append(time.monotonic() - begun)
        if status == 503:
            assert b"retry-after: 1" in head
            await asyncio.sleep(0.1)

    async def close(self) -> None:
        if self._line is not None:
            self._line[1].close()
            await self._line[1].wait_closed()


async def test_what_is_too_much_is_turned_away_at_once_and_money_is_not(pair: Pair) -> None:
    """Three times what a small process may answer at once; a few of the callers bet."""
    small, ending = OwnApi(pair.group, CALLS_AT_ONCE=str(_SMALL)), False
    small.start()
    players = [await pair.player() for _ in range(3 * _SMALL)]
    callers = [Caller(small.port, player.token) for player in players]
    bettors, readers = callers[: _SMALL // 4], callers[_SMALL // 4 :]

    async def read(caller: Caller) -> None:
        while not ending:
            await caller.ask("/api/user/usdtLog", {})

    async def bet(caller: Caller, player: Player) -> None:
        while not ending:
            await caller.ask("/api/game/beton", await pair.bet(player))
            await asyncio.sleep(0.1)

    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{small.port}") as http:
            await wait_until_ready(http)
        calling = [asyncio.create_task(read(caller)) for caller in readers]
        calling += [asyncio.create_task(bet(*both)) for both in zip(bettors, players, strict=False)]
        await asyncio.sleep(count("api.shedding.seconds"))
        ending = True
        await asyncio.gather(*calling)
        late = Caller(small.port, players[-1].token)
        await late.ask("/api/user/info", {})
        for caller in (*callers, late):
            await caller.close()
    finally:
        small.kill()
    turned_away = sorted(seconds for caller in readers for seconds in caller.seconds[503])
    served = [seconds for caller in readers for seconds in caller.seconds[200]]
    longest = turned_away[len(turned_away) * (95 if SOAK else 50) // 100]
    figures("shedding", served=len(served), turned_away=len(turned_away), seconds=longest)
    assert longest < 0.1
    assert served
    assert {status for caller in bettors for status in caller.seconds} == {200}, "money is turned away last"
    assert late.seconds.keys() == {200}


async def test_an_answer_is_the_same_after_the_process_that_gave_it_died(pair: Pair) -> None:
    player = await pair.player()
    body = await pair.bet(player)
    first = await pair.call(1, "/api/game/beton", body, player.token)
    pair.own.kill()
    assert await pair.call(0, "/api/game/beton", body, player.token) == first
    pair.own.start()
    await pair.wait_until_open()
    assert await pair.call(1, "/api/game/beton", body, player.token) == first
    assert len(await pair.bets_of(player)) == 1


async def test_each_process_shows_its_own_calls_and_the_same_house(pair: Pair) -> None:
    for port in (pair.settings.meter_port, pair.own.metrics_port):
        page = (await pair.http.get(f"http://127.0.0.1:{port}/metrics")).text
        shown = Scrape.of(page, time.monotonic())
        assert shown.value("kalos_writer_up") == shown.value("kalos_writers") == shown.value("kalos_database_up") == 1
        assert shown.value("kalos_calls_total", path="/api/game/beton", code="200") >= 1
