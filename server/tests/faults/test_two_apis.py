"""Two API processes of one house: whichever a member meets, a request has one effect and a session one end."""

import asyncio
import time
import uuid
from collections import Counter
from functools import partial
from typing import Final

import pytest
from picows import ws_connect

from faults import files_of_two
from faults.requests_of_two import Request, requests
from kalos.app import live
from kalos.core.terms import load_terms
from kalos.ledger.audit import audit
from live.test_hub import Client, subscribe
from support.budget import count
from support.pair import SOON_SECONDS, Pair
from support.promql import Scrape, of_writer

pytestmark = pytest.mark.group
PLAYERS: Final = 16
_FULL_SECONDS: Final = 30


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
    """Of each call that moves money, all at once, half through each; who came too often for a member sends again."""

    async def send(request: Request) -> None:
        sending = (pair.insist(turn, request.path, request.body, request.player) for turn in range(64))
        answer, *others = await asyncio.gather(*sending)
        assert all(other == answer for other in others)
        assert await request.is_done_once(pair, answer)

    await asyncio.gather(*(send(request) for request in await requests(pair, seconds=30)))


@pytest.mark.parametrize(
    ("path", "rate", "taken"),
    [
        ("/api/user/info", "rate_read", 0),
        ("/api/withdraw/receiveUsdt", "rate_money", 0),  # refused, and counted
        ("/api/nothing", "rate_network", 170),  # by a third process: nobody here asks two hundred times a second
    ],
)
async def test_both_count_calls_together(pair: Pair, path: str, rate: str, taken: int) -> None:
    """So many a second, whichever door they come through: in two seconds they are had, and never many more.

    Processes together let a tenth more through at most; that a slow machine asks too seldom is no fault of theirs.
    """
    player = await pair.player()
    most: int = getattr(load_terms(pair.settings.terms_file), rate)
    network = f"203.0.113.{most % 250}"
    headers = {"x-forwarded-for": network} if taken else {"authorization": player.token}
    least, most = most * 9 // 10 - taken, most * 11 // 10 - taken
    seen: Counter[int] = Counter()
    refused: set[int] = set()
    first = time.time()
    await pair.db.execute(
        "INSERT INTO limits (name, slot, used, until_at) SELECT $1, $2 + second, $3, ($2 + second) * 1000 + 60000 "
        "FROM generate_series(0, $4::bigint) second",
        *(f"network {network}", int(first), taken, _FULL_SECONDS + 5),
    )

    def had() -> bool:
        return sum(seen[second] >= least for second in refused) >= 2

    async def ask(door: int) -> None:
        while time.time() < first + (3 if had() else _FULL_SECONDS):
            sent = time.time()
            body = {"amount": "1", "request_id": uuid.uuid4().hex} if rate == "rate_money" else {}
            answer = (await pair.http.post(pair.doors[door] + path, json=body, headers=headers)).json()
            if answer["code"] == 429:
                refused.add(int(sent))
            else:
                seen[int(sent)] += 1
            await asyncio.sleep(0.01)

    await asyncio.gather(*(ask(turn % 2) for turn in range(8)))
    seconds = int(time.time()) - int(first) + 1
    assert had(), (seen, refused)
    assert seen.total() <= most * seconds


async def test_a_session_ended_through_one_is_ended_at_the_other(pair: Pair) -> None:
    for door in (0, 1):
        player = await pair.player()
        assert (await pair.call(1 - door, "/api/user/info", {}, player.token))["code"] == 200
        assert (await pair.call(door, "/api/auth/logout", {}, player.token))["code"] == 200
        ended = time.monotonic()
        while (await pair.call(1 - door, "/api/user/info", {}, player.token))["code"] != 406:
            assert time.monotonic() - ended < SOON_SECONDS
        assert (await pair.call(1 - door, "/api/game/beton", {}, player.token))["code"] == 406


async def test_a_logout_through_either_closes_the_live_sockets_within_a_second(pair: Pair) -> None:
    for door in (0, 1):
        player = await pair.player()
        opening = await pair.call(1 - door, "/api/user/getAuthToken", {}, player.token)
        address = f"ws://127.0.0.1:{pair.settings.socket_port}/ws?token={opening['data']['token']}"
        transport, client = await ws_connect(Client, address, extra_headers={"Origin": pair.settings.page_url})
        assert isinstance(client, Client)
        subscribe(transport, "account")
        assert [(await client.next()).get(key) for key in ("event", "action")] == ["subscribe", "snapshot"]
        assert (await pair.call(door, "/api/auth/logout", {}, player.token))["code"] == 200
        await asyncio.wait_for(client.closed.wait(), SOON_SECONDS)


async def test_the_hub_tells_its_figures(pair: Pair) -> None:
    answer = await pair.http.get(f"http://127.0.0.1:{pair.settings.live_meter_port}/metrics")
    shown = Scrape.of(answer.text, 0)
    assert shown.value("kalos_live_sockets_limit") == live._room(pair.settings.live_sockets)
    assert shown.value("kalos_live_dropped_total", reason="session") >= 0


async def test_files_go_through_either_and_a_grant_through_both_once(pair: Pair) -> None:
    token = (await pair.player()).token
    await files_of_two.grant_at_one_and_put_at_the_other(pair.doors, token)
    await files_of_two.send_forms(pair.doors, token)
    await files_of_two.hang_up_in_a_file(pair.doors, token, pair.db)


async def test_load_through_both_survives_the_death_of_either(pair: Pair) -> None:
    players = [await pair.player("10000") for _ in range(PLAYERS)]  # ten bets of 1 a second, for many minutes
    await pair.bet(players[0], seconds=20)  # long enough for some bets
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
        shown = await of_writer(partial(pair.figures, port))
        assert shown.value("kalos_writers") == shown.value("kalos_database_up") == 1
        assert shown.value("kalos_calls_total", path="/api/game/beton", code="200") >= 1
