"""Fixtures of all tests: databases, the ledger's writer, the house, members, the local chain."""

import asyncio
import os
import shutil
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
import uvloop

from kalos.app.embedded.postgres import RunningCluster
from kalos.app.migrate import role_url
from kalos.app.process import log_in_lines
from kalos.core.clock import Clock, business_day, day_start_ms
from kalos.core.database import Database
from kalos.core.terms import Terms, load_terms
from kalos.domains.context import Context, House, Member
from support import canary, clusters, members, people
from support.lanes import FOUND, Lanes, make_root, remove_root
from support.leaks import Leaks
from support.loopback import close_network
from support.papers import first_words

if TYPE_CHECKING:
    from kalos.ledger.writer import Writer
    from support.chains import LocalNode
    from support.group import FirstStart

_LAST_MS: Final = 60_000
MakeMember = Callable[..., Awaitable[Member]]
MakeContext = Callable[..., Context]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--lanes", type=int, help="run in so many processes, a file in one of them")


def pytest_configure(config: pytest.Config) -> None:
    """The tests log and wait as the product does, and nothing that they write may show a secret."""
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    close_network()
    log_in_lines("debug", "tests")
    canary.plant_tokens()
    make_root()
    config.add_cleanup(remove_root)
    config.pluginmanager.register(Leaks())
    if count := config.getoption("--lanes"):
        config.pluginmanager.register(Lanes(count))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the names of all that was found, whatever of it this run leaves out."""
    config.stash[FOUND] = frozenset(item.nodeid for item in items)


def pytest_runtest_setup() -> None:
    """No test begins in the last seconds of a business day: what it calls today would change on the way."""
    wall = Clock.wall()
    left_ms = day_start_ms(business_day(wall) + timedelta(days=1)) - wall
    if left_ms < _LAST_MS:
        time.sleep(left_ms / 1000 + 0.1)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    canary.check_report(report)
    return report


def _run_cluster(*, durable: bool) -> Iterator[RunningCluster]:
    folder = clusters.new_folder(in_memory=not durable)
    running = RunningCluster(clusters.cluster_in(folder, durable=durable))
    try:
        running.start()
        yield running
    finally:
        running.kill()
        canary.check_folder(folder)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def cluster() -> Iterator[RunningCluster]:
    """The run's fast cluster, or the one that it shares: in memory, nothing survives a crash."""
    if folder := os.environ.get(clusters.SHARED):
        yield RunningCluster(clusters.cluster_in(Path(folder), durable=False))
    else:
        yield from _run_cluster(durable=False)


@pytest.fixture(scope="session")
def durable_cluster() -> Iterator[RunningCluster]:
    yield from _run_cluster(durable=True)


@pytest.fixture(scope="session")
async def template(cluster: RunningCluster) -> str:
    """The owner's address of some database of the cluster; the migrated template stands beside it."""
    if clusters.SHARED not in os.environ:
        await clusters.make_template(cluster.cluster.url())
    return cluster.cluster.url()


@pytest.fixture(scope="module")
async def database_url(template: str) -> AsyncIterator[str]:
    """The owner's address of this module's own database."""
    name = f"test_{uuid.uuid4().hex[:12]}"
    yield await clusters.copy_template(template, name)
    await clusters.drop(template, name)


@pytest.fixture(scope="module")
async def durable_url(durable_cluster: RunningCluster) -> AsyncIterator[str]:
    """The owner's address of a database that survives crashes (fsync on), of this module alone."""
    url = durable_cluster.cluster.url()
    await clusters.make_template(url)
    name = f"test_{uuid.uuid4().hex[:12]}"
    yield await clusters.copy_template(url, name)
    await clusters.drop(url, name)


@pytest.fixture(scope="module")
async def db(database_url: str) -> AsyncIterator[Database]:
    """Reads and writes as the API and the worker do."""
    database = Database(role_url(database_url, "kalos_app", clusters.SECRET))
    yield database
    await database.close()


@pytest.fixture(scope="module")
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def terms() -> Terms:
    return load_terms(Path(__file__).parents[1] / "terms.toml")


@pytest.fixture(scope="module")
async def writer(database_url: str, db: Database, clock: Clock) -> AsyncIterator["Writer"]:
    """The ledger's writer, running in this process. Every kind of move that was posted has its row in the papers."""
    from kalos.ledger.writer import Writer

    running = Writer(role_url(database_url, "kalos_writer", clusters.SECRET), clock)
    await running.start()
    yield running
    await running.stop()
    posted = {row["name"] for row in await db.rows("SELECT name FROM kinds")}
    assert {kind for kind in posted if not kind.startswith("test.")} <= first_words("money.md", "Kinds of moves")


@pytest.fixture(scope="module")
def house(db: Database, writer: "Writer", clock: Clock, terms: Terms) -> House:
    """The real house: PostgreSQL, writer, sandboxes of the adapters."""
    from support.doors import house_of

    return house_of(db, writer, clock, terms)


@pytest.fixture(scope="module")
def member(database_url: str, writer: "Writer") -> MakeMember:
    """`await member(usdt="100", kls="5")` makes a member who has that."""

    async def make(**amounts: str) -> Member:
        made = await members.make_member(database_url)
        if amounts:
            await members.fund(writer, made, **amounts)
        return made

    return make


@pytest.fixture(scope="module")
async def root(database_url: str) -> int:
    """The root member of each module's house: its invitation code is ROOT01."""
    return await people.make_root(database_url)


@pytest.fixture(scope="module")
def ctx(house: House) -> MakeContext:
    """`ctx(member, "game/beton")` is a call of that member; without a member it is a visitor's."""

    def make(member: Member | None = None, path: str = "", **fields: Any) -> Context:
        return Context(house=house, member=member, path=path, **fields)

    return make


@pytest.fixture(scope="session")
async def anvil() -> AsyncIterator["LocalNode"]:
    """A real local node with the coins' contracts; its blocks come from the tests alone."""
    from support.chains import LocalNode

    node = LocalNode()
    await node.start()
    await node.deploy()
    yield node
    await node.close()


@pytest.fixture(scope="session")
def first_start() -> Iterator["FirstStart"]:
    """The run's only start of a whole group from nothing: other groups begin with a copy of its data."""
    from support.group import first_start

    with first_start() as made:
        yield made


@pytest.fixture(autouse=True)
def _books(request: pytest.FixtureRequest) -> Database | None:
    """The database of a test that has the writer."""
    return request.getfixturevalue("db") if "writer" in request.fixturenames else None


@pytest.fixture(autouse=True)
async def _ledger_is_sound(_books: Database | None) -> AsyncIterator[None]:
    """After every test that had the writer, the audit finds nothing."""
    yield
    if _books is not None:
        from kalos.domains.deposits.queries import EXPLAINED as DEPOSITS
        from kalos.domains.games.queries import EXPLAINED as GAMES
        from kalos.domains.withdrawals.queries import EXPLAINED as WITHDRAWALS
        from kalos.ledger.audit import audit

        assert await audit(_books, (*GAMES, *DEPOSITS, *WITHDRAWALS)) == []
