"""A whole installation as an operator runs one: PostgreSQL, chain and mail server are its own, and may be away."""

import asyncio
import os
import secrets
import shutil
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Final

import pytest

from kalos.app.embedded.postgres import RunningCluster
from kalos.app.probe import get
from kalos.app.signer_folder import SignerFolder
from kalos.core.assets import KLS, USDT
from support import clusters
from support.chains import LocalNode
from support.group import RunningGroup

pytestmark = pytest.mark.group
HOST: Final = "kalos.example"
CHAIN_ID: Final = 777
_SECONDS: Final = 60


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    made = clusters.new_folder(in_memory=True)
    yield made
    shutil.rmtree(made)


@pytest.fixture(scope="module")
def postgres(folder: Path) -> Iterator[RunningCluster]:
    """A cluster of its own: the group gives its roles passwords."""
    running = RunningCluster(clusters.cluster_in(folder / "postgres", durable=True))
    running.start()
    yield running
    running.kill()


@pytest.fixture(scope="module")
async def node() -> AsyncIterator[LocalNode]:
    made = LocalNode()
    await made.start()
    await made.deploy()
    await made.wait_for_state()
    yield made
    await made.close()


@pytest.fixture(scope="module")
def group(folder: Path, postgres: RunningCluster, node: LocalNode) -> Iterator[RunningGroup]:
    data, listed = folder / "data", folder / "lists" / "sanctions.txt"
    SignerFolder(data).prepare(is_demo=False)
    public, network = SignerFolder(data).published(), node.chain.network
    listed.parent.mkdir()
    listed.write_text("# nobody\n")
    made = RunningGroup(
        data,
        MODE="production",
        PUBLIC_URL=f"https://{HOST}",
        INSTALLATION_SECRET=secrets.token_hex(32),
        DATABASE_URL=postgres.cluster.url("kalos"),
        CHAIN_RPC_URL=node.url,
        CHAIN_ID=str(CHAIN_ID),
        CHAIN_NAME="Example chain",
        CHAIN_FIRST_BLOCK="0",
        BLOCK_SECONDS="3",
        CONFIRMATIONS="12",
        USDT_CONTRACT=network.contract(USDT).address,
        USDT_CODE_HASH=network.contract(USDT).code_hash,
        KLS_CONTRACT=network.contract(KLS).address,
        KLS_CODE_HASH=network.contract(KLS).code_hash,
        DEPOSIT_XPUB=public.xpub,
        HOT_WALLETS=public.hot,
        SANCTIONS_FILE=str(listed),
        LIVE_URL=f"wss://{HOST}/ws",
        SMTP_HOST="127.0.0.1",
        OPERATOR_MAIL=f"operator@{HOST}",
    )
    try:
        yield made
    finally:
        made.end()


async def readiness(group: RunningGroup, expected: int) -> str:
    async with asyncio.timeout(_SECONDS):
        while True:
            status, body = await get(group.port, "/readyz", named=HOST)
            if status == expected:
                return body
            assert group.is_running(), group.output
            await asyncio.sleep(0.1)


async def test_a_house_begins_without_its_chain_and_is_ready_once_it_is_there(
    group: RunningGroup, node: LocalNode
) -> None:
    await node.kill()
    group.begin()
    assert '"chain":"does not answer"' in await readiness(group, 503)
    begun = {name: group.process(name) for name in ("api", "live", "signer", "worker")}
    await node.start()
    await node.node.call("anvil_setChainId", CHAIN_ID)
    await readiness(group, 200)
    async with asyncio.timeout(_SECONDS):
        while "Kalos runs on" not in group.output:
            await asyncio.sleep(0.05)
    assert f"Kalos runs on https://{HOST}  (ready after" in group.output
    assert {name: group.process(name) for name in begun} == begun
    assert "starting it again" not in group.output


async def test_what_begins_while_the_database_is_away_waits_for_it(
    group: RunningGroup, postgres: RunningCluster, node: LocalNode
) -> None:
    parts = ("api", "live", "worker", "writer")
    await node.node.call("anvil_setChainId", CHAIN_ID)
    if not group.is_running():
        group.start()
    postgres.kill()
    for name in parts:
        os.kill(group.process(name), signal.SIGKILL)
    logs = [group.folder / "logs" / f"{name}.log" for name in parts]
    async with asyncio.timeout(_SECONDS):
        while not all("the database is waited for" in log.read_text() for log in logs):
            assert group.is_running(), group.output
            await asyncio.sleep(0.1)
    await asyncio.to_thread(postgres.start)
    await readiness(group, 200)
    assert all(group.output.count(f"{name} ended") == 1 for name in parts), group.output
    assert group.stop() == 0
