"""One request sent again while its first try is under way, or its answer lost: one effect, one answer, at either.

Each of these tests sends one of every call that moves money, all at once, as each waits for the same.
"""

import asyncio
import os
import signal
import socket
import struct
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final

import httpx
import msgspec
import pytest

from faults.requests_of_two import KINDS, Request, requests
from kalos.app.calls import all_calls
from support.pair import Pair, Player
from support.promql import of_writer

pytestmark = pytest.mark.group
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


def ask(pair: Pair, door: int, request: Request, player: Player | None = None, **fields: Any) -> Asked:
    """`fields` stand in the body instead of its own; `player` sends it instead of its own."""
    token = (player or request.player).token
    return asyncio.create_task(pair.call(door, request.path, request.body | fields, token))


async def begin(pair: Pair, sent: Sequence[Request]) -> list[Asked]:
    """Send them while a commit is under way or will be, and return when the writer has the posting of each.

    One after another: a withdrawal looks for an earlier try first, and behind another's commit that look would wait.
    """
    (looks, _), first = await _at_writer(pair), []
    for one in sent:
        first.append(ask(pair, 0, one))
        looks += one.kind.looks
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while (now := await _at_writer(pair))[0] < looks or now[1] < len(first):
                await asyncio.sleep(0.02)
    return first


async def _at_writer(pair: Pair) -> tuple[float, float]:
    """How often it was asked whether a key was used, and how many postings wait for their answers."""
    shown = await of_writer(pair.figures)
    return shown.value("kalos_writer_questions_total"), shown.value("kalos_writer_unanswered")


async def lose_the_answer(pair: Pair, door: int, request: Request, seconds: float) -> None:
    """Send a whole request and cut the connection before its answer can be read."""
    sent = msgspec.json.encode(request.body)
    address = httpx.URL(pair.doors[door])
    head = (
        f"POST {request.path} HTTP/1.1\r\nHost: {address.host}\r\nContent-Type: application/json\r\n"
        f"Authorization: {request.player.token}\r\nContent-Length: {len(sent)}\r\n\r\n"
    )
    _, writer = await asyncio.open_connection(address.host, address.port)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    writer.write(head.encode() + sent)
    await writer.drain()
    await asyncio.sleep(seconds)
    writer.transport.abort()


def test_every_call_of_members_that_moves_money_is_among_them() -> None:
    """But one that a transaction's hash makes unique."""
    paths = {call.path for call in all_calls(demo=True) if call.load == "money" and call.again is not None}
    assert {kind.path for kind in KINDS} == paths


async def test_who_sends_again_waits_for_the_first_try_at_the_other_process(pair: Pair) -> None:
    sent = await requests(pair)
    async with commit_under_way(pair):
        first = await begin(pair, sent)
        again = [[ask(pair, door, one) for door in (1, 1, 0)] for one in sent]
        other = [ask(pair, 1, one, amount=one.kind.other) for one in sent]
        await asyncio.sleep(0.5)
        waiting = [*first, *other, *(one for three in again for one in three)]
        assert not any(one.done() for one in waiting), "there is no answer before there is a commit"
        assert all([await one.is_undone(pair) for one in sent])
    for request, begun, three, unlike in zip(sent, first, again, other, strict=True):
        answer = await begun
        assert [await one for one in three] == [answer] * 3
        assert await request.is_done_once(pair, answer)
        refused = await unlike
        assert (refused["code"], refused["data"]["error"]) == (409, "request_conflict")


async def test_a_request_that_runs_for_ten_seconds_is_said_to_be_running(pair: Pair) -> None:
    """Who waited so long is told so; who came later still gets the first answer, and so does who comes once more."""
    sent = await requests(pair, seconds=30)
    with standing_still(pair.group.process("writer")):
        begun = time.monotonic()
        first = [ask(pair, 0, one) for one in sent]
        await asyncio.sleep(_PATIENCE_SECONDS - 1)
        later = [ask(pair, 1, one) for one in sent]
        answers = await asyncio.gather(*first)
        assert _PATIENCE_SECONDS - 0.1 < time.monotonic() - begun < _PATIENCE_SECONDS + 30
        assert not any(one.done() for one in later)
    assert [(one["code"], one["data"]["error"]) for one in answers] == [(409, "request_running")] * len(sent)
    for request, task in zip(sent, later, strict=True):
        placed = await task
        assert await request.is_done_once(pair, placed)
        assert await ask(pair, 0, request) == placed
        assert await request.is_done_once(pair, placed)


async def test_the_same_id_of_another_member_is_another_request(pair: Pair) -> None:
    """Of one member each, the same id at the other calls is another one, too."""
    mine, theirs = await requests(pair), await requests(pair)
    same = {"request_id": mine[1].body["request_id"]}
    mine, theirs = ([one for one in sent if "wallet_id" not in one.body] for sent in (mine, theirs))
    async with commit_under_way(pair):
        asked = [(one, ask(pair, turn % 2, one, **same)) for turn, one in enumerate(mine + theirs)]
        crossed = [(one, ask(pair, 1, one, **same)) for one in theirs]
        await asyncio.sleep(0.3)
    ids = set()
    for request, task in asked + crossed:
        answer = await task
        assert await request.is_done_once(pair, answer)
        ids.add((request.path, answer["data"]["id"]))
    assert len(ids) == len(asked)


async def test_an_answer_that_was_lost_is_had_at_the_other_process(pair: Pair) -> None:
    """Connections are cut at every moment from the request's leaving to its answer."""

    async def lose(request: Request, turn: int) -> None:
        await lose_the_answer(pair, turn % 2, request, 0.002 * turn)
        answer = await pair.insist(1 - turn % 2, request.path, request.body, request.player)
        assert await pair.insist(turn % 2, request.path, request.body, request.player) == answer
        assert await request.is_done_once(pair, answer)

    for turn in range(LOST):
        await asyncio.gather(*(lose(request, turn) for request in await requests(pair)))


async def test_an_answer_lost_while_its_commit_is_under_way_is_waited_for(pair: Pair) -> None:
    sent = await requests(pair)
    async with commit_under_way(pair):
        await asyncio.gather(*(lose_the_answer(pair, 0, one, 0.3) for one in sent))
        again = [ask(pair, 1, one) for one in sent]
        await asyncio.sleep(0.5)
        assert not any(one.done() for one in again)
    for request, task in zip(sent, again, strict=True):
        assert await request.is_done_once(pair, await task)


async def test_a_request_survives_the_death_of_the_writer(pair: Pair) -> None:
    """It dies while the commit is under way: whether that counts nobody knows, and whoever asks again is told."""
    sent = await requests(pair, seconds=30)
    async with commit_under_way(pair):
        first = [
            asyncio.create_task(
                pair.http.post(pair.doors[0] + one.path, json=one.body, headers={"authorization": one.player.token})
            )
            for one in sent
        ]
        await asyncio.sleep(1)
        os.kill(pair.group.process("writer"), signal.SIGKILL)
        for lost in await asyncio.gather(*first):
            assert (lost.status_code, lost.headers["retry-after"]) == (503, "1")
    for request in sent:
        answer = await pair.insist(1, request.path, request.body, request.player)
        assert await pair.insist(0, request.path, request.body, request.player) == answer
        assert await request.is_done_once(pair, answer)
