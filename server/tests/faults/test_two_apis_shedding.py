"""More calls than an API process may answer at once: the excess is told so at once, and money goes first."""

import asyncio
import itertools
import json
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

import pytest

from support.budget import SOAK, count, figures, least
from support.group import OwnApi, wait_until_ready
from support.loopback import loopback_client
from support.pair import Pair, Player

pytestmark = pytest.mark.group
READ: Final = "/api/user/usdtLog"
BET: Final = "/api/game/beton"
_SMALL: Final = 16
_BETTORS: Final = _SMALL // 4
_MEMBERS: Final = 80
"""So many that hardly one comes too often: 429."""
_AT_ONCE_SECONDS: Final = 0.1
"""A machine that is busy with other things may take longer, but not as long as for what is served."""
_REST_SECONDS: Final = 10 if SOAK else 1


class Caller:
    """One connection that is kept, as lean as can be: what is measured is the server.

    It calls with the next of `tokens`, so that hardly a member calls too often. `seconds` are by the answer's code,
    or by the HTTP status where that is another than 200.
    """

    def __init__(self, port: int, tokens: Iterator[str]) -> None:
        self.seconds: dict[int, list[float]] = defaultdict(list)
        self._port = port
        self._tokens = tokens
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, path: str, body: dict[str, Any]) -> None:
        if self._line is None:
            self._line = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._line
        sent = json.dumps(body)
        head = f"Host: localhost\r\nContent-Type: application/json\r\nAuthorization: {next(self._tokens)}\r\n"
        begun = time.perf_counter()
        writer.write(f"POST {path} HTTP/1.1\r\n{head}Content-Length: {len(sent)}\r\n\r\n{sent}".encode())
        answer = (await reader.readuntil(b"\r\n\r\n")).lower()
        status = int(answer.split(maxsplit=2)[1])
        data = await reader.readexactly(int(answer.partition(b"content-length:")[2].split(maxsplit=1)[0]))
        self.seconds[json.loads(data)["code"] if status == 200 else status].append(time.perf_counter() - begun)
        assert status == 200 or b"retry-after: 1" in answer

    async def close(self) -> None:
        if self._line is not None:
            self._line[1].close()
            await self._line[1].wait_closed()
            self._line = None


async def usual_seconds(port: int, tokens: Iterator[str]) -> float:
    """What a read takes for somebody who is alone."""
    caller = Caller(port, tokens)
    for _ in range(40):
        await caller.ask(READ, {})
    await caller.close()
    assert caller.seconds.keys() == {200}
    return statistics.median(caller.seconds[200])


async def test_what_is_too_much_is_turned_away_at_once_and_money_is_not(pair: Pair) -> None:
    async def times_too_long() -> float:
        return await flood(pair)

    assert await least(times_too_long, below=1) < 1


async def flood(pair: Pair) -> float:
    """Three times what a small process may answer at once, at every moment; a few of the callers bet.

    Returns how many times longer than it may one waited who was turned away, or who came afterwards.
    """
    small, ending = OwnApi(pair.group, CALLS_AT_ONCE=str(_SMALL), LOG_LEVEL="info"), False
    small.start()
    players = [await pair.player() for _ in range(_BETTORS)]
    tokens = itertools.cycle([(await pair.player()).token for _ in range(_MEMBERS)])
    bettors = [Caller(small.port, itertools.repeat(player.token)) for player in players]
    readers = [Caller(small.port, tokens) for _ in range(3 * _SMALL - _BETTORS)]

    async def read(caller: Caller) -> None:
        while not ending:
            await caller.ask(READ, {})

    async def bet(caller: Caller, player: Player) -> None:
        while not ending:
            await caller.ask(BET, await pair.bet(player))
            await caller.close()  # the next round may be longer in coming than a line is kept open for nothing
            await asyncio.sleep(0.1)

    try:
        async with loopback_client(f"http://127.0.0.1:{small.port}") as http:
            await wait_until_ready(http)
        usual = await usual_seconds(small.port, tokens)
        calling = [asyncio.create_task(read(caller)) for caller in readers]
        calling += [asyncio.create_task(bet(*both)) for both in zip(bettors, players, strict=True)]
        await asyncio.sleep(count("api.shedding.seconds"))
        ending = True
        await asyncio.gather(*calling)
        for caller in (*readers, *bettors):
            await caller.close()
        await asyncio.sleep(_REST_SECONDS)
        afterwards = await usual_seconds(small.port, tokens)
    finally:
        small.kill()
    turned_away = sorted(seconds for caller in readers for seconds in caller.seconds[503])
    served = [seconds for caller in readers for seconds in caller.seconds[200]]
    bets = [seconds for caller in bettors for seconds in caller.seconds[200]]
    longest = turned_away[len(turned_away) * (99 if SOAK else 75) // 100]
    figures(
        "shedding",
        served=len(served),
        turned_away=len(turned_away),
        bets=len(bets),
        seconds=longest,
        served_seconds=statistics.median(served),
        longest_seconds=turned_away[-1],
        usual_seconds=usual,
        afterwards_seconds=afterwards,
    )
    assert {code for caller in readers for code in caller.seconds} - {429} == {200, 503}
    assert {code for caller in bettors for code in caller.seconds} == {200}, "money is turned away last"
    at_once = _AT_ONCE_SECONDS if SOAK else max(_AT_ONCE_SECONDS, statistics.median(served))
    return max(longest / at_once, afterwards / (2 * usual + (0.05 if SOAK else 0.5)))
