"""Many log in at once: all of them get in, and whoever does anything else meanwhile hardly notices."""

import asyncio
import itertools
import time
from collections.abc import Awaitable, Iterator
from typing import Any, Final

import httpx
import pytest

from faults.test_two_apis_shedding import Caller
from kalos.core.clock import Clock
from kalos.core.passwords import hash_password
from kalos.core.terms import load_terms
from kalos.domains.context import Context
from support import people
from support.budget import SOAK, count, figures, least
from support.doors import house_of
from support.loopback import loopback_client
from support.members import make_member
from support.pair import Pair
from support.people import PASSWORD

pytestmark = pytest.mark.group
READS: Final = ("/api/user/info", "/api/game/index")
_READERS: Final = 8
_P99_SECONDS: Final = 1.0
_PAUSE_SECONDS: Final = 0.02
_QUIET_SECONDS: Final = 1


async def logins(pair: Pair, many: int) -> list[dict[str, Any]]:
    """Of as many members, whose passwords are hashed as the product does; each has read its picture."""
    here = Context(house=house_of(pair.db, pair.ledger, Clock(), load_terms(pair.settings.terms_file)))
    hashed, bodies = await hash_password(PASSWORD), []
    for _ in range(many):
        member = await make_member(pair.settings.owner_url, password_hash=hashed)
        read = await people.solved(here)
        bodies.append({"name": member.account, "password": PASSWORD, "captcha_id": read.id, "code": read.text})
    return bodies


async def p99_beside(work: Awaitable[None], port: int, tokens: Iterator[str]) -> float:
    """In seconds, of cheap calls that are made as long as `work` goes on."""
    callers, working = [Caller(port, tokens) for _ in range(_READERS)], True

    async def read(caller: Caller) -> None:
        for path in itertools.cycle(READS):
            if not working:
                return
            await caller.ask(path, {})
            await asyncio.sleep(_PAUSE_SECONDS)

    reading = [asyncio.create_task(read(caller)) for caller in callers]
    await work
    working = False
    await asyncio.gather(*reading)
    for caller in callers:
        await caller.close()
    assert {code for caller in callers for code in caller.seconds} <= {200, 429}
    seconds = sorted(one for caller in callers for one in caller.seconds[200])
    return seconds[len(seconds) * 99 // 100]


async def test_logins_at_once_all_get_in_and_leave_other_calls_quick(pair: Pair) -> None:
    """The promise is of a machine that does nothing else: one that is busy is held to what it takes without logins."""
    tokens = itertools.cycle([(await pair.player()).token for _ in range(3 * _READERS)])
    port = pair.group.port

    async def log_in(bodies: list[dict[str, Any]]) -> None:
        most = httpx.Limits(max_connections=len(bodies))
        async with loopback_client(pair.doors[0], limits=most, seconds=120) as http:
            answers = await asyncio.gather(*(http.post("/api/auth/login", json=body) for body in bodies))
        assert {answer.json()["code"] for answer in answers} == {200}

    async def times_too_long() -> float:
        bodies = await logins(pair, count("api.logins", least=20))
        usual = await p99_beside(asyncio.sleep(_QUIET_SECONDS), port, tokens)
        begun = time.monotonic()
        longest = await p99_beside(log_in(bodies), port, tokens)
        took = time.monotonic() - begun
        figures("logins", logins=len(bodies), took_seconds=took, p99_seconds=longest, usual_p99_seconds=usual)
        return longest / (_P99_SECONDS if SOAK else max(_P99_SECONDS, 10 * usual))

    assert await least(times_too_long, below=1) < 1
