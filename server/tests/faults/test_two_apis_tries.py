"""Tries are counted by the house: exact through two API processes at once, and over the death of both."""

import asyncio
import itertools
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pytest

from console.scene import PASSWORD as STAFF_PASSWORD
from console.scene import Worker, make_worker
from factors.scene import hashed
from kalos.core.clock import DAY_MS, HOUR_MS, MINUTE_MS, Clock
from kalos.core.terms import load_terms
from kalos.domains.challenges.queries import take_try
from kalos.domains.challenges.rules import Limit, code_limits
from kalos.domains.context import Context
from kalos.domains.entry.rules import login_limits, reset_limit
from kalos.domains.factors import queries as factors
from kalos.domains.factors.rules import factor_limit, out_password_limit
from kalos.operator import rules as staff
from support import people
from support.budget import count
from support.doors import house_of
from support.pair import Pair, Player
from support.people import PASSWORD, WRONG, new_email
from wallets.people import new_wallet, sign

pytestmark = pytest.mark.group
AT_ONCE: Final = count("api.tries", least=12)
STAFF_LOGIN: Final = "/api/operator/login"
_NETWORKS: Final = itertools.count(1)

Ask = Callable[[int], Awaitable[str]]
"""Try once through one of the doors; returns the name of the refusal, or `done`."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A limit that lets `left` more tries through, which are answered with `heard`."""

    left: int
    ask: Ask
    heard: str
    refused: str = "too_many"


class Visitors:
    """Asks both doors as visitors and members do; what they read in pictures it writes into the database first."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.terms = load_terms(pair.settings.terms_file)
        self.here = Context(house=house_of(pair.db, pair.ledger, Clock(), self.terms))
        self._writing, self._calling = asyncio.Lock(), asyncio.Semaphore(64)

    async def proof(self) -> str:
        async with self._writing:
            return await people.proof(self.here)

    async def captcha(self) -> dict[str, str]:
        async with self._writing:
            read = await people.solved(self.here)
        return {"captcha_id": read.id, "code": read.text}

    async def ask(self, door: int, path: str, body: Mapping[str, Any], *, token: str = "", network: str = "") -> str:
        """Whoever comes too often for a second, or while others are judged, comes again."""
        named = {"authorization": token, "x-forwarded-for": network}
        headers = {name: value for name, value in named.items() if value}
        while True:
            async with self._calling:
                answer = await self.pair.http.post(self.pair.doors[door % 2] + path, json=body, headers=headers)
            data = answer.raise_for_status().json()["data"]
            if data.get("retry_after") != 1:
                return str(data.get("error", "done"))
            await asyncio.sleep(0.2)

    async def login(self, door: int, name: str, *, network: str = "", **more: str) -> str:
        body = {"name": name, "password": WRONG, "proof": await self.proof(), **await self.captcha()}
        return await self.ask(door, "/api/auth/login", body | more, network=network)

    async def worker(self) -> Worker:
        return await make_worker(self.pair.settings.owner_url, self.pair.settings.factor_keys[0], "support")

    async def staff_login(self, door: int, name: str, *, network: str = "", **more: str) -> str:
        body = {"name": name, "password": WRONG, "code": "000000"}
        return await self.ask(door, STAFF_LOGIN, body | more, network=network)

    async def send_code(self, door: int, email: str, *, network: str = "") -> str:
        body = {"email": email, "scene": "register", "proof": await self.proof()}
        return await self.ask(door, "/api/auth/sendEmail", body, network=network)

    async def spend(self, limit: Limit, times: Sequence[int]) -> None:
        """As if there had been tries so many milliseconds ago."""
        async with self.pair.db.transaction() as db:
            for ago in sorted(times, reverse=True):
                assert await take_try(db, limit, self.here.wall - ago)


def new_network() -> str:
    return f"198.51.100.{next(_NETWORKS)}"


def new_name() -> str:
    return f"nobody-{next(_NETWORKS)}"


async def login_of_a_name(visitors: Visitors) -> Tried:
    account = (await visitors.pair.player()).member.account
    return Tried(10, lambda door: visitors.login(door, account), "wrong_credentials")


async def login_of_nobody(visitors: Visitors) -> Tried:
    email = new_email()
    return Tried(10, lambda door: visitors.login(door, email), "wrong_credentials")


async def login_by_a_wallet(visitors: Visitors) -> Tried:
    """Signed by a stranger; no picture is asked for."""
    wallet, stranger = new_wallet(), new_wallet()

    async def ask(door: int) -> str:
        given = (await visitors.pair.call(door % 2, "/api/auth/nonce", {"address": wallet.address}, ""))["data"]
        body = {"name": wallet.address, "code": given["nonce"], "sign_message": sign(stranger, given["message"])}
        return await visitors.ask(door, "/api/auth/login", body | {"proof": await visitors.proof()})

    return Tried(10, ask, "wrong_credentials")


async def login_from_a_network(visitors: Visitors) -> Tried:
    network = new_network()
    return Tried(10, lambda door: visitors.login(door, new_email(), network=network), "wrong_credentials")


async def login_on_a_known_device(visitors: Visitors) -> Tried:
    """Its own tries, while strangers have used up those of the name."""
    account = (await visitors.pair.player()).member.account
    body = {"name": account, "password": PASSWORD, **await visitors.captcha()}
    device = (await visitors.pair.call(0, "/api/auth/login", body, ""))["data"]["device"]
    await visitors.spend(login_limits(visitors.terms, name=account, network="")[0], [1] * 10)
    assert await visitors.login(1, account) == "too_many"
    return Tried(10, lambda door: visitors.login(door, account, device=device), "wrong_credentials")


async def staff_login_of_a_name(visitors: Visitors) -> Tried:
    worker = await visitors.worker()
    return Tried(5, lambda door: visitors.staff_login(door, worker.name), "wrong_credentials")


async def staff_login_from_a_network(visitors: Visitors) -> Tried:
    network = new_network()
    return Tried(10, lambda door: visitors.staff_login(door, new_name(), network=network), "wrong_credentials")


async def staff_login_on_a_known_device(visitors: Visitors) -> Tried:
    """Its own tries, while strangers have used up those of the name."""
    worker = await visitors.worker()
    body = {"name": worker.name, "password": STAFF_PASSWORD, "code": worker.code()}
    device = (await visitors.pair.call(0, STAFF_LOGIN, body, ""))["data"]["device"]
    await visitors.spend(staff.login_limits(visitors.terms, name=worker.name, network="")[0], [1] * 5)
    assert await visitors.staff_login(1, worker.name) == "too_many"
    return Tried(5, lambda door: visitors.staff_login(door, worker.name, device=device), "wrong_credentials")


async def reset_of_a_day(visitors: Visitors) -> Tried:
    email = new_email()
    await visitors.spend(reset_limit(visitors.terms, email), [HOUR_MS, DAY_MS - HOUR_MS])

    async def ask(door: int) -> str:
        body = {"email": email, "email_code": "x", "password": "another9mountain"}
        return await visitors.ask(door, "/api/auth/resetPwd", body | {"proof": await visitors.proof()})

    return Tried(3, ask, "wrong_code")


async def code_of_a_minute(visitors: Visitors) -> Tried:
    email = new_email()
    return Tried(1, lambda door: visitors.send_code(door, email), "done")


async def code_of_a_day(visitors: Visitors) -> Tried:
    email = new_email()
    _, day = code_limits(visitors.terms, email=email, network="")
    await visitors.spend(day, [turn * HOUR_MS for turn in range(1, 10)])
    return Tried(1, lambda door: visitors.send_code(door, email), "done")


async def code_for_a_network(visitors: Visitors) -> Tried:
    network = new_network()
    *_, hour = code_limits(visitors.terms, email="", network=network)
    await visitors.spend(hour, [turn * MINUTE_MS for turn in range(1, 51)])
    return Tried(10, lambda door: visitors.send_code(door, new_email(), network=network), "done")


def factor(left: int, *ago: int) -> Callable[[Visitors], Awaitable[Tried]]:
    async def made(visitors: Visitors) -> Tried:
        player = await visitors.pair.player()
        await visitors.spend(factor_limit(visitors.terms, player.member.id), ago)
        body = {"address": "0x52908400098527886E0F7030069857D2E4169EE7", "remove": True, "email_code": "x"}
        return Tried(
            left, lambda door: visitors.ask(door, "/api/user/bindLogin", body, token=player.token), "wrong_code"
        )

    return made


def out_password(left: int, *ago: int) -> Callable[[Visitors], Awaitable[Tried]]:
    async def made(visitors: Visitors) -> Tried:
        player: Player = await visitors.pair.player()
        await visitors.spend(out_password_limit(visitors.terms, player.member.id), ago)
        async with visitors.pair.db.transaction() as db:
            await factors.insert_out_password(db, player.member.id, hashed("246810"), at=1)
            for one in sorted(ago, reverse=True):
                await factors.add_wrong(db, player.member.id, wall=visitors.here.wall - one)

        def ask(door: int) -> Awaitable[str]:
            body = {"id": "1", "out_password": "975310", "request_id": "x" * 16}
            return visitors.ask(door, "/api/user/delWallet", body, token=player.token)

        return Tried(left, ask, "wrong_out_password", "out_password_locked")

    return made


LIMITS: Final[Mapping[str, Callable[[Visitors], Awaitable[Tried]]]] = {
    "login, a name": login_of_a_name,
    "login, nobody": login_of_nobody,
    "login, a wallet": login_by_a_wallet,
    "login, a network": login_from_a_network,
    "login, a known device": login_on_a_known_device,
    "second factor, 5 in 5 minutes": factor(5),
    "second factor, 20 in an hour": factor(1, *(turn * 3 * MINUTE_MS for turn in range(1, 20))),
    "second factor, 50 in a day": factor(1, *(HOUR_MS + turn * 5 * MINUTE_MS for turn in range(49))),
    "login of staff, a name": staff_login_of_a_name,
    "login of staff, a network": staff_login_from_a_network,
    "login of staff, a known device": staff_login_on_a_known_device,
    "reset, 5 a day": reset_of_a_day,
    "e-mail code, 1 in a minute": code_of_a_minute,
    "e-mail code, 10 a day": code_of_a_day,
    "e-mail code, 60 an hour for a network": code_for_a_network,
    "withdrawal password, 5 an hour": out_password(5),
    "withdrawal password, 10 a day": out_password(1, *(HOUR_MS + turn * HOUR_MS for turn in range(9))),
}
"""The table of settings.md, "Identity and protection"."""


@pytest.fixture(scope="module")
async def tried(pair: Pair) -> dict[str, Tried]:
    visitors = Visitors(pair)
    return {name: await make(visitors) for name, make in LIMITS.items()}


async def gathered(tried: Tried) -> Counter[str]:
    return Counter(await asyncio.gather(*(tried.ask(turn) for turn in range(AT_ONCE))))


async def test_of_many_at_once_through_both_exactly_those_are_heard_that_the_table_lets(
    pair: Pair, tried: dict[str, Tried]
) -> None:
    """Half of them are spent before both processes are killed; the other half is heard after it, and none more."""
    spent = {}
    for name, one in tried.items():
        spent[name] = one.left // 2
        assert [await one.ask(turn) for turn in range(spent[name])] == [one.heard] * spent[name], name
    pair.own.kill()
    pair.kill_the_groups()
    pair.own.start()
    await pair.wait_until_open()
    answers = await asyncio.gather(*map(gathered, tried.values()))
    assert dict(zip(tried, answers, strict=True)) == {
        name: {one.heard: one.left - spent[name], one.refused: AT_ONCE - one.left + spent[name]}
        for name, one in tried.items()
    }


async def test_two_names_of_one_account_have_ten_tries_together_through_both_and_over_a_death(pair: Pair) -> None:
    """Of one account nine are used up and the right password opens it; of another ten, and it doesn't."""
    visitors, players = Visitors(pair), [await pair.player() for _ in range(2)]
    email = "SELECT email FROM members WHERE id = $1"
    names = [(one.member.account, await pair.db.value(email, one.member.id)) for one in players]

    async def fail(of: tuple[str, str], turns: range) -> None:
        answers = await asyncio.gather(*(visitors.login(turn // 2, of[turn % 2]) for turn in turns))
        assert answers == ["wrong_credentials"] * len(turns)

    for of in names:
        await fail(of, range(5))
    pair.own.kill()
    pair.kill_the_groups()
    pair.own.start()
    await pair.wait_until_open()
    for most, of in zip((9, 10), names, strict=True):
        await fail(of, range(5, most))
    opened = [await visitors.login(door, of[door], password=PASSWORD) for door, of in enumerate(names)]
    assert opened == ["done", "wrong_credentials"]
