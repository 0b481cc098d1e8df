"""The whole group on the newest dump: it upgrades what lies there, starts all of its parts and serves who played."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from typing import Final

import asyncpg
import pytest

from kalos.app.auditing import EXPLAINED
from kalos.app.embedded.postgres import OWNER, RunningCluster
from kalos.app.settings import Settings, load_settings
from kalos.core.assets import USDT
from kalos.core.database import Database
from kalos.ledger import purse
from kalos.ledger.audit import audit
from support import clusters
from support.group import FirstStart, RunningGroup
from support.loopback import loopback_client
from upgrade.make_dump import DUMPS, Player
from upgrade.test_upgrade import text_of

pytestmark = pytest.mark.group
NEWEST: Final = max(DUMPS.glob("*.sql.gz"))
ROOT: Final = purse.available(purse.FIRST_MEMBER, USDT)
# A dump is of the database alone: the chain that it knew is not there.
_ANOTHER_CHAIN: Final = "SET search_path = public; DELETE FROM deposit_cursors; DELETE FROM deposit_blocks"


async def put(group: RunningGroup) -> None:
    """The dump in the place of the group's own database."""
    running = RunningCluster(Settings(data_dir=group.folder).cluster)
    running.start()
    try:
        server = await asyncpg.connect(running.cluster.url("postgres"))
        await server.execute(f'DROP DATABASE "{OWNER}"')
        await server.execute(f'CREATE DATABASE "{OWNER}"')
        await server.close()
        db = await asyncpg.connect(running.cluster.url())
        await db.execute(text_of(NEWEST))
        await db.execute(_ANOTHER_CHAIN)
        await db.close()
    finally:
        running.stop()


@pytest.fixture(scope="module")
def group(first_start: FirstStart) -> Iterator[RunningGroup]:
    folder = clusters.new_folder(in_memory=True)
    made = first_start.group(folder / "data")
    try:
        yield made
    finally:
        made.end()
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
async def db(group: RunningGroup) -> AsyncIterator[Database]:
    await put(group)
    group.start()
    database = Database(load_settings(group.environment).app_url, size=2)
    yield database
    await database.close()


async def test_a_group_on_the_newest_dump_serves_a_read_and_a_bet(group: RunningGroup, db: Database) -> None:
    async with asyncio.timeout(60):  # until the bet that the dump has is settled
        while await db.value("SELECT EXISTS (SELECT FROM bets WHERE status = 'awaiting_draw')"):
            await asyncio.sleep(0.1)
    before = await db.row("SELECT balance, version FROM accounts WHERE id = $1", ROOT)
    assert before is not None
    async with loopback_client(f"http://127.0.0.1:{group.port}") as http:
        player = Player(http)
        await player.log_in()
        assert (await player.call("user/usdtLog"))["total"] == before["version"]
        await player.bet("odd")
        after = await db.row("SELECT balance, version FROM accounts WHERE id = $1", ROOT)
        assert after is not None
        assert (await player.call("user/usdtLog"))["total"] == after["version"] == before["version"] + 1
    assert after["balance"] == before["balance"] - 10 * 10**6
    assert await audit(db, EXPLAINED) == []
