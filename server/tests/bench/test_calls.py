"""The benchmarks over HTTP for a moment, on a house in this process. The figures mean nothing here."""

import os
import sys
from collections.abc import AsyncIterator
from importlib.util import find_spec
from typing import Final

import asyncpg
import calls
import http_trivial
import pytest
from http_house import SECONDS, Here
from http_load import Job, Load
from report import Benchmark

from games.stage import turn_well
from kalos.adapters.chain.sandbox import SandboxChain
from kalos.app.api import make_app, make_server, open_wire
from kalos.app.kept import free_port
from kalos.app.migrate import role_url
from kalos.app.settings import Settings
from kalos.core.assets import USDT
from kalos.domains.context import House
from kalos.domains.deposits.queries import EXPLAINED as DEPOSITS
from kalos.domains.games.queries import EXPLAINED as GAMES
from kalos.ledger.postings import Move
from kalos.ledger.purse import Purpose
from kalos.ledger.purse import house as house_account
from support.clusters import SECRET
from support.ledger import CHAIN, posting
from support.raw import serving

MOMENT: Final = 0.1
ROUNDS: Final = 3
FEW: Final = 2_000


@pytest.fixture(scope="module")
async def here(house: House, database_url: str) -> AsyncIterator[Here]:
    """A house whose round has just begun; its rounds are brought further before each slice."""
    chain, owner = house.chain, await asyncpg.connect(database_url)
    assert isinstance(chain, SandboxChain)
    step = SECONDS * 1_000
    house.clock.offset_ms += step - house.clock.now() % step + 1_000
    await house.ledger.post(posting(Move("test.fund", CHAIN, house_account(Purpose.BANKROLL, USDT), 10**12)))

    async def turn() -> None:
        chain.mine(time=house.clock.now() // 1_000)
        await turn_well(house)

    app_url = role_url(database_url, "kalos_app", SECRET)
    made = Here(owner, database_url, app_url, house.ledger, house.clock, (*DEPOSITS, *GAMES), turn)
    await made.prepare(FEW)
    yield made
    await owner.close()


@pytest.fixture(scope="module")
async def api(house: House, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[int, int]]:
    """A server in this process: the product's calls and the trivial one."""
    settings = Settings(data_dir=tmp_path_factory.mktemp("data"), port=free_port(), live_port=4567)
    with http_trivial.registered():
        async with open_wire(house, settings) as opened:
            server = make_server(make_app(opened, house, settings), settings)
            async with serving(server, settings.port):
                yield settings.port, os.getpid()


@pytest.fixture(scope="module")
async def measured(here: Here, api: tuple[int, int]) -> dict[str, Benchmark]:
    """Whatever can be measured without FastAPI, and the rest where it is installed."""
    doors = calls.Doors(api, {"PYTHONPATH": os.pathsep.join(sys.path)}, kernel=api)
    only = frozenset({"E1", "E2", "H1", "H2", "H3"})
    found = await calls.run(here, doors, only=only, rounds=ROUNDS, seconds=MOMENT, in_flight=4)
    return {benchmark.id: benchmark for benchmark in found}


async def test_every_call_is_measured_beside_its_peer(measured: dict[str, Benchmark]) -> None:
    beside = {name: benchmark.against for name, benchmark in measured.items()}
    own = {"E2": "E1 plain", "H1": "bare ASGI", **dict.fromkeys(["H3", "H3 p99", "H3 session"], "asyncpg pool")}
    # Only make bench-wire installs it everywhere: without it nothing is measured that would need it.
    peers = {"E1": "FastAPI, ORM", "E1 p99": "FastAPI, ORM", "H2": "FastAPI"} if find_spec("fastapi") else {}
    assert beside == own | peers
    assert all(min(*benchmark.ours, *benchmark.peer) > 0 for benchmark in measured.values())


async def test_processor_time_of_the_load_is_told_apart(measured: dict[str, Benchmark]) -> None:
    """At least in one moment: it is counted in hundredths of a second, and a machine that stands still gives none."""
    found = measured["H1"].cpu_us
    assert len(found) == ROUNDS
    for name in ("client", "server"):
        assert max(ours.get(name, 0) for ours in found) > 0


async def test_a_bet_that_is_not_stored_does_not_count(measured: dict[str, Benchmark], here: Here) -> None:
    kept = await here.owner.fetchrow("SELECT count(*), coalesce(sum(id), 0)::bigint FROM bets")
    peer = await here.owner.fetchrow("SELECT count(*), coalesce(sum(id), 0)::bigint FROM orm.placed")
    assert kept is not None
    assert peer is not None
    assert kept[0] > 0
    await here.check(tuple(kept), tuple(peer))
    with pytest.raises(AssertionError, match="acknowledged were"):
        await here.check((kept[0] + 1, kept[1]), tuple(peer))
    with pytest.raises(AssertionError, match="acknowledged were"):
        await here.check((kept[0], kept[1] + 1), tuple(peer))
    with pytest.raises(AssertionError, match="the peer stored"):
        await here.check(tuple(kept), (peer[0] + 1, peer[1]))


async def test_the_peers_own_books_are_checked(measured: dict[str, Benchmark], here: Here) -> None:
    kept = await here.owner.fetchrow("SELECT count(*), coalesce(sum(id), 0)::bigint FROM bets")
    peer = await here.owner.fetchrow("SELECT count(*), coalesce(sum(id), 0)::bigint FROM orm.placed")
    assert kept is not None
    assert peer is not None
    for harm in (
        "UPDATE orm.accounts SET balance = balance + 1 WHERE id = (SELECT min(id) FROM orm.accounts)",
        "UPDATE orm.quotas SET left_units[3] = left_units[3] - 1 WHERE id LIKE 'game.height:%'",
    ):
        change = here.owner.transaction()
        await change.start()
        await here.owner.execute(harm)
        with pytest.raises(AssertionError, match="differ from their history"):
            await here.check(tuple(kept), tuple(peer))
        await change.rollback()


async def test_an_answer_that_is_wrong_is_told(
    here: Here, api: tuple[int, int], measured: dict[str, Benchmark]
) -> None:
    load = await Load.start()
    fields = await here.open_round(1)
    try:
        for fault, said in (({"amount": "0.5"}, "below_minimum"), ({"round": "odd_even-180-180"}, "not_found")):
            bad = Job(
                port=api[0],
                path="/api/game/beton",
                kind="stake",
                fields=fields | fault,
                members=FEW,
                in_flight=2,
                seconds=0.05,
                form="sealed",
            )
            await load.prepare(bad)
            await load.run()
            done = await load.done()
            assert done.problems
            assert said in done.problems[0]
    finally:
        await load.close()
