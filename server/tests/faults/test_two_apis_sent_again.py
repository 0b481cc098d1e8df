"""One request sent again while its first try is under way, or its answer lost: one effect, one answer, at either."""

import asyncio
import os
import signal
import socket
import struct
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final

import httpx
import msgspec
import pytest

from support.pair import Pair, Player

pytestmark = pytest.mark.group
BET: Final = "/api/game/beton"
LOST: Final = 8
_PATIENCE_SECONDS: Final = 10.0
_RESET: Final = struct.pack("ii", 1, 0)
"""SO_LINGER of a connection whose end is a reset: what comes after it is thrown away."""

Asked = asyncio.Task[dict[str, Any]]


@contextmanager
def standing_still(pid: int) -> Iterator[None]:
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


@asynccontextmanager
async def commit_under_way(pair: Pair) -> AsyncIterator[None]:
    """Every posting is decided and sent, and none is committed before the block ends."""
    backend = await pair.db.value("SELECT backend FROM writer_lease")
    with standing_still(backend):
        yield


def ask(pair: Pair, door: int, body: dict[str, Any], player: Player) -> Asked:
    return asyncio.create_task(pair.call(door, BET, body, player.token))


async def lose_the_answer(pair: Pair, door: int, body: dict[str, Any], player: Player, seconds: float) -> None:
    """Send a whole request and cut the connection before its answer can be read."""
    sent = msgspec.json.encode(body)
    address = httpx.URL(pair.doors[door])
    head = (
        f"POST {BET} HTTP/1.1\r\nHost: {address.host}\r\nContent-Type: application/json\r\n"
        f"Authorization: {player.token}\r\nContent-Length: {len(sent)}\r\n\r\n"
    )
    _, writer = await asyncio.open_connection(address.host, address.port)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    writer.write(head.encode() + sent)
    await writer.drain()
    await asyncio.sleep(seconds)
    writer.transport.abort()


async def test_who_sends_again_waits_for_the_first_try_at_the_other_process(pair: Pair) -> None:
    player = await pair.player()
    body = await pair.bet(player, seconds=10)
    async with commit_under_way(pair):
        first = ask(pair, 0, body, player)
        await asyncio.sleep(1)
        again = [ask(pair, door, body, player) for door in (1, 1, 0)]
        other = ask(pair, 1, body | {"amount": "2"}, player)
        await asyncio.sleep(1.5)
        assert not any(one.done() for one in (first, *again, other)), "there is no answer before there is a commit"
        assert await pair.bets_of(player) == []
    answer = await first
    assert answer["code"] == 200
    assert [await one for one in again] == [answer] * 3
    assert await pair.bets_of(player) == [int(answer["data"]["bet_id"])]
    refused = await other
    assert (refused["code"], refused["data"]["error"]) == (409, "request_conflict")


async def test_a_request_that_runs_for_ten_seconds_is_said_to_be_running(pair: Pair) -> None:
    """Who waited so long is told so; who came later still gets the first answer, and so does who comes once more."""
    player = await pair.player()
    body = await pair.bet(player, seconds=15)
    with standing_still(pair.group.process("writer")):
        begun = time.monotonic()
        first = ask(pair, 0, body, player)
        await asyncio.sleep(5)
        later = ask(pair, 1, body, player)
        answer = await first
        assert _PATIENCE_SECONDS - 0.1 < time.monotonic() - begun < _PATIENCE_SECONDS + 4
        assert not later.done()
    assert (answer["code"], answer["data"]["error"]) == (409, "request_running")
    placed = await later
    assert placed["code"] == 200
    assert await pair.call(0, BET, body, player.token) == placed
    assert await pair.bets_of(player) == [int(placed["data"]["bet_id"])]


async def test_the_same_id_of_another_member_is_another_request(pair: Pair) -> None:
    alice, bob = await pair.player(), await pair.player()
    body = await pair.bet(alice, seconds=10)
    async with commit_under_way(pair):
        asked = [ask(pair, 0, body, alice), ask(pair, 1, body | {"amount": "2"}, bob)]
        await asyncio.sleep(0.3)
    for player, task in zip((alice, bob), asked, strict=True):
        answer = await task
        assert answer["code"] == 200
        assert await pair.bets_of(player) == [int(answer["data"]["bet_id"])]
    assert [(await task)["data"]["amount"] for task in asked] == ["1.000000", "2.000000"]


async def test_an_answer_that_was_lost_is_had_at_the_other_process(pair: Pair) -> None:
    """Connections are cut at every moment from the request's leaving to its answer."""
    for turn in range(LOST):
        player = await pair.player()  # one alone would come too often
        body = await pair.bet(player)
        await lose_the_answer(pair, turn % 2, body, player, 0.002 * turn)
        answer = await pair.call(1 - turn % 2, BET, body, player.token)
        assert answer["code"] == 200, answer
        assert await pair.call(turn % 2, BET, body, player.token) == answer
        assert await pair.bets_of(player) == [int(answer["data"]["bet_id"])]


async def test_an_answer_lost_while_its_commit_is_under_way_is_waited_for(pair: Pair) -> None:
    player = await pair.player()
    body = await pair.bet(player, seconds=10)
    async with commit_under_way(pair):
        await lose_the_answer(pair, 0, body, player, 0.3)
        again = ask(pair, 1, body, player)
        await asyncio.sleep(0.5)
        assert not again.done()
    answer = await again
    assert answer["code"] == 200
    assert await pair.bets_of(player) == [int(answer["data"]["bet_id"])]


async def test_a_request_survives_the_death_of_the_writer(pair: Pair) -> None:
    """It dies while the commit is under way: whether that counts nobody knows, and whoever asks again is told."""
    player = await pair.player()
    body = await pair.bet(player, seconds=15)
    async with commit_under_way(pair):
        sending = pair.http.post(pair.doors[0] + BET, json=body, headers={"authorization": player.token})
        first = asyncio.create_task(sending)
        await asyncio.sleep(1)
        os.kill(pair.group.process("writer"), signal.SIGKILL)
        lost = await first
    assert (lost.status_code, lost.headers["retry-after"]) == (503, "1")
    answer = await pair.insist(1, BET, body, player)
    assert answer["code"] == 200
    assert await pair.insist(0, BET, body, player) == answer
    assert await pair.bets_of(player) == [int(answer["data"]["bet_id"])]
