"""The signer on a database of its own, with a hot wallet on the real local node."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kalos.app.signer import give_login
from kalos.core.errors import Outage
from signer.scene import PASSWORD, Scene, close_scene, open_scene
from support.chains import LocalNode

if TYPE_CHECKING:
    from kalos.ledger.writer import Writer


@pytest.fixture
async def scene(database_url: str, writer: "Writer", anvil: LocalNode, tmp_path: Path) -> AsyncIterator[Scene]:
    await give_login(database_url, PASSWORD)
    made = await open_scene(database_url, writer, anvil, tmp_path)
    yield made
    await made.owner("UPDATE signer_state SET paused = false")
    await close_scene(made)


@pytest.fixture
async def mining(anvil: LocalNode) -> AsyncIterator[None]:
    """A block every tenth of a second, as long as the node answers."""

    async def mine() -> None:
        while True:
            with suppress(Outage):
                await anvil.mine()
            await asyncio.sleep(0.1)

    task = asyncio.create_task(mine())
    yield
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
