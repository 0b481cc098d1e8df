"""Withdrawals of one member through two API processes at once: of the whole balance, and beside bets."""

import asyncio
import hashlib
import itertools
import shutil
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

import httpx
import msgspec
import pytest

from factors.scene import OUT, hashed
from kalos.core.assets import KLS, USDT
from kalos.core.clock import Clock
from kalos.domains.deposits.queries import EXPLAINED as DEPOSITS
from kalos.domains.factors.queries import insert_out_password
from kalos.domains.games.queries import EXPLAINED as GAMES
from kalos.domains.wallets.queries import insert_address
from kalos.domains.withdrawals.queries import EXPLAINED as WITHDRAWALS
from kalos.domains.withdrawals.queries import insert_proof
from kalos.domains.withdrawals.tables import Proof
from kalos.ledger import purse
from kalos.ledger.audit import audit
from kalos.ledger.statements import balances
from support import clusters
from support.budget import SOAK, count
from support.group import OwnApi, RunningGroup, with_numbers
from support.loopback import loopback_client
from support.members import hand_out
from support.pair import Pair, Player
from support.promql import of_writer
from wallets.people import new_wallet

pytestmark = pytest.mark.group
CLIENTS: Final = 64
ROUNDS: Final = count("withdrawals.rounds")
WITHDRAW: Final = "/api/withdraw/withdrawCoin"
BET: Final = "/api/game/beton"
WHOLE: Final = 1_000 * 10**6
"""What a player of the pair has, in units of USDT."""
_OPEN_SECONDS: Final = 60 if SOAK else 40
"""No bet may be drawn before all calls were answered and the books compared."""


@pytest.fixture(scope="module")
async def pair(pair: Pair, paired_group: RunningGroup) -> AsyncIterator[Pair]:
    """Behind its doors stand processes that let a member make all 64 calls at once: of others each second has ten."""
    folder, former = clusters.new_folder(in_memory=True), pair.doors
    source = with_numbers(folder, rate_money=1_000)
    made = [OwnApi(paired_group, PYTHONPATH=str(source)) for _ in former]
    try:
        for own in made:
            own.start()
        pair.doors = [f"http://127.0.0.1:{own.port}" for own in made]
        await pair.wait_until_open()
        yield pair
    finally:
        pair.doors = former
        for own in made:
            own.kill()
        shutil.rmtree(folder)


@pytest.fixture(autouse=True)
async def _all_come_as_far_as_the_writer(pair: Pair) -> AsyncIterator[None]:
    """It takes eight of a member at once. Who is told that they come too often is told so there, and nowhere before."""
    before, pair.resent = await turned_away(pair), 0
    yield
    assert await turned_away(pair) - before == pair.resent


async def turned_away(pair: Pair) -> float:
    outcomes = (await of_writer(pair.figures)).series["kalos_writer_outcomes_total"]
    return outcomes.get(frozenset({("outcome", "too_many")}), 0)


async def prepare(pair: Pair, player: Player) -> int:
    """A withdrawal password, KLS for fees, and an old address, whose number it returns."""
    await hand_out(pair.ledger, player.member, "1000")
    async with pair.db.transaction() as db:
        await insert_out_password(db, player.member.id, hashed(OUT), at=1)
        row = {"member": player.member.id, "chain": pair.settings.chain_id, "address": new_wallet().address}
        made = await insert_address(db, **row, label="x", is_listed=False, created_at=1, usable_at=1)
    assert made is not None
    return made.id


async def asked(pair: Pair, player: Player, wallet: int, amount: str) -> dict[str, Any]:
    """A withdrawal for which the second factor was shown just before."""
    body: dict[str, Any] = {"coin_type": 1, "amount": amount, "wallet_id": str(wallet), "request_id": uuid.uuid4().hex}
    fingerprint = hashlib.sha256(msgspec.json.encode(body, order="deterministic")).digest()
    wall = Clock.wall()
    async with pair.db.transaction() as db:
        await insert_proof(db, Proof(player.member.id, body["request_id"], fingerprint, wall + 600_000), wall)
    return body | {"out_password": OUT}


@asynccontextmanager
async def connections(pair: Pair) -> AsyncIterator[list[httpx.AsyncClient]]:
    """A connection for each client, every other one to the other process."""
    doors = itertools.cycle(pair.doors)
    made = [loopback_client(next(doors), seconds=30) for _ in range(CLIENTS)]
    try:
        await asyncio.gather(*(one.get("/healthz") for one in made))
        yield made
    finally:
        for one in made:
            await one.aclose()


async def insist(pair: Pair, http: httpx.AsyncClient, path: str, body: Mapping[str, Any], player: Player) -> str:
    """The answer's error or `done`; who is told to comes again."""
    while True:
        answer = await http.post(path, json=body, headers={"authorization": player.token})
        data = {"retry_after": 1} if answer.status_code == 503 else answer.raise_for_status().json()["data"]
        if "retry_after" not in data:
            return str(data.get("error", "done"))
        pair.resent += data.get("error") == "too_many"
        await asyncio.sleep(0.1)


def at_once(one_round: Callable[[], Awaitable[None]]) -> Callable[[], Awaitable[None]]:
    """Rounds of different members run beside each other, not all of a soak."""
    turns = asyncio.Semaphore(3)

    async def in_turn() -> None:
        async with turns:
            await one_round()

    return in_turn


async def check(pair: Pair, player: Player, *, taken: int) -> None:
    """What has left the balance is held, to the unit, and the books are sound."""
    rows = "SELECT id, status FROM withdrawals WHERE member = $1 ORDER BY id"
    while True:  # the signer goes on meanwhile
        before = await pair.db.rows(rows, player.member.id)
        found = await balances(pair.db, [player.member.id])
        if await pair.db.rows(rows, player.member.id) == before:
            break
    available = found[purse.available(player.member.id, USDT)]
    assert available == WHOLE - taken
    assert available >= 0
    held = found.get(purse.held(player.member.id, USDT), 0)
    running = [row["id"] for row in before if row["status"] == "on_chain_processing"]
    sums = "SELECT coalesce(sum({0}), 0)::bigint FROM withdrawals WHERE id = ANY($1)"
    bets = "SELECT coalesce(sum(units), 0)::bigint FROM bets WHERE member = $1 AND status = 'awaiting_draw'"
    assert {row["status"] for row in before} <= {"on_chain_processing", "approved"}
    out = await pair.db.value(sums.format("units"), running)
    assert held == out + await pair.db.value(bets, player.member.id)
    fees = await pair.db.value(sums.format("fee_units"), running)
    assert found.get(purse.held(player.member.id, KLS), 0) == fees
    assert await audit(pair.db, (*DEPOSITS, *GAMES, *WITHDRAWALS)) == []


async def test_of_sixty_four_withdrawals_of_the_whole_balance_one_is_made(pair: Pair) -> None:
    @at_once
    async def one_round() -> None:
        player = await pair.player()
        wallet = await prepare(pair, player)
        bodies = [await asked(pair, player, wallet, "1000") for _ in range(CLIENTS)]
        async with connections(pair) as clients:
            ended = await asyncio.gather(
                *(insist(pair, http, WITHDRAW, body, player) for http, body in zip(clients, bodies, strict=True))
            )
        assert Counter(ended) == {"done": 1, "insufficient_balance": CLIENTS - 1}
        await check(pair, player, taken=WHOLE)

    await asyncio.gather(*(one_round() for _ in range(ROUNDS)))


async def test_withdrawals_beside_bets_take_never_more_than_there_was(pair: Pair) -> None:
    """Which of a member's come first is chance, and what a round still takes is all members' together."""
    seen = set[int]()

    @at_once
    async def one_round() -> None:
        player = await pair.player()
        wallet = await prepare(pair, player)
        withdrawals = [await asked(pair, player, wallet, "40") for _ in range(CLIENTS // 2)]
        bet = await pair.bet(player, seconds=_OPEN_SECONDS)
        bodies: list[tuple[str, dict[str, Any], int]] = []
        for withdrawal in withdrawals:
            bodies.append((BET, bet | {"amount": "30", "request_id": uuid.uuid4().hex}, 30))
            bodies.append((WITHDRAW, withdrawal, 40))
        async with connections(pair) as clients:
            ended = await asyncio.gather(
                *(insist(pair, http, path, body, player) for http, (path, body, _) in zip(clients, bodies, strict=True))
            )
        done = [units for answer, (_, _, units) in zip(ended, bodies, strict=True) if answer == "done"]
        assert set(ended) <= {"done", "insufficient_balance", "limit_reached", "round_closed"}
        seen.update(done)
        assert sum(done) <= 1_000
        await check(pair, player, taken=sum(done) * 10**6)

    await asyncio.gather(*(one_round() for _ in range(ROUNDS)))
    assert seen == {30, 40}
