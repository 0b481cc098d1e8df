"""Two API processes of one running group, and members that call through either."""

import asyncio
import itertools
import os
import signal
import uuid
from dataclasses import dataclass, field
from typing import Any, Final

import httpx

from kalos.app.settings import load_settings
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.domains.context import Member
from kalos.ledger.client import LedgerClient
from support.budget import SOAK
from support.group import OwnApi, RunningGroup, wait_until_ready
from support.loopback import loopback_client
from support.members import begin_session, fund, make_member

SCENE: Final = "odd_even-180"
SOON_SECONDS: Final = 1 if SOAK else 20
"""A second is promised; a machine that is busy with other things may take longer."""


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
        self.db = Database(self.settings.app_url)  # an audit takes two connections, and three may run at once
        self.ledger = LedgerClient(self.settings.writer_socket)
        self.doors = [f"http://127.0.0.1:{port}" for port in (group.port, own.port)]
        self.http = loopback_client()
        self.resent = 0
        self.ending = False

    async def call(self, door: int, path: str, body: dict[str, Any], token: str) -> dict[str, Any]:
        """The whole answer. Raises: httpx.HTTPError, also for a status that says to come again."""
        answer = await self.http.post(self.doors[door] + path, json=body, headers={"authorization": token})
        answer.raise_for_status()
        whole: dict[str, Any] = answer.json()
        return whole

    async def figures(self, port: int | None = None) -> str:
        """The page of figures, the group's if no other is asked for."""
        url = f"http://127.0.0.1:{port or self.settings.meter_port}/metrics"
        return (await self.http.get(url)).text

    async def player(self, usdt: str = "1000") -> Player:
        member = await make_member(self.settings.owner_url)
        await fund(self.ledger, member, usdt=usdt)
        return Player(member, await begin_session(self.db, member))

    async def bet(self, player: Player, *, seconds: int = 10) -> dict[str, Any]:
        """A bet that nobody has placed yet, on the round that is open, for `seconds` at least."""
        offset_ms = await self.db.value("SELECT offset_ms FROM clock")
        while True:
            await asyncio.sleep(0.06)  # a member may make twenty reads a second
            scene = (await self.call(1, "/api/game/scene", {"scene_id": SCENE}, player.token))["data"]
            if scene["round"] is not None and scene["closes_at"] - Clock.wall() - offset_ms >= seconds * 1000:
                return _bet_on(scene["round"], "odd")

    async def bets_of(self, player: Player) -> list[int]:
        rows = await self.db.rows("SELECT id FROM bets WHERE member = $1 ORDER BY id", player.member.id)
        return [row["id"] for row in rows]

    async def wait_until_open(self) -> None:
        """Until both answer."""
        for door in self.doors:
            async with loopback_client(door) as http:
                await wait_until_ready(http)

    def kill_the_groups(self) -> None:
        (pid,) = [pid for pid, words in self.group.processes().items() if "cli api" in words and pid != self.own.pid]
        os.kill(pid, signal.SIGKILL)

    async def play(self, player: Player, first: int) -> None:
        """Bet again and again until told to end, each time at the other door first."""
        for turn in itertools.count(first):
            if self.ending:
                return
            scene = await self.insist(turn, "/api/game/scene", {"scene_id": SCENE}, player)
            if scene["data"]["round"] is None:
                continue
            bet = _bet_on(scene["data"]["round"], "odd" if first % 2 else "even")
            answer = await self.insist(turn, "/api/game/beton", bet, player)
            if answer["code"] == 200:
                player.placed.append(int(answer["data"]["bet_id"]))
            else:
                assert answer["data"]["error"] in ("round_closed", "betting_closed"), answer

    async def insist(self, turn: int, path: str, body: dict[str, Any], player: Player) -> dict[str, Any]:
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


def _bet_on(round_id: str, option: str) -> dict[str, Any]:
    stake = {"amount": "1", "balance_type": "USDT", "request_id": uuid.uuid4().hex}
    return {"scene_id": SCENE, "round": round_id, "option": option} | stake
