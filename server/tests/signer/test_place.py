"""One process signs at a time, and it waits for a database that is away."""

import asyncio
from urllib.parse import urlsplit

import asyncpg

from kalos.app.signer import give_login, signer_url, take_place
from signer.scene import PASSWORD
from support.clusters import at


async def test_a_database_that_lets_nobody_in_is_waited_for_and_a_second_process_waits(database_url: str) -> None:
    await give_login(database_url, PASSWORD)
    url, name = signer_url(database_url, PASSWORD), urlsplit(database_url).path[1:]
    admin = await asyncpg.connect(at(database_url, "postgres"))
    try:
        await admin.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        waiting = asyncio.create_task(take_place(url))
        await asyncio.wait({waiting}, timeout=1)
        assert not waiting.done()
    finally:
        await admin.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
        await admin.close()
    async with asyncio.timeout(30):
        first = await waiting
    second = asyncio.create_task(take_place(url))
    await asyncio.wait({second}, timeout=1)
    assert not second.done()
    first.terminate()
    async with asyncio.timeout(30):
        (await second).terminate()
