"""Mines the local chain: a block every `block_seconds` that carries business time. Demo mode only."""

import asyncio
from contextlib import AsyncExitStack

import structlog

from kalos.adapters.chain.rpc import Node
from kalos.adapters.chain.wallet import DemoWallet
from kalos.app.house import follow_clock
from kalos.app.settings import Settings
from kalos.core.clock import Clock
from kalos.core.database import Database, wait_for_database
from kalos.core.errors import Outage

_log = structlog.get_logger("tick")


async def main(settings: Settings) -> None:
    """Mine until cancelled; while the node or the database is away, wait for them."""
    await wait_for_database(settings.app_url)
    async with AsyncExitStack() as stack:
        db = Database(settings.app_url, size=1)
        stack.push_async_callback(db.close)
        node = Node(settings.rpc_urls[0])
        stack.push_async_callback(node.close)
        clock = Clock(await db.value("SELECT offset_ms FROM clock"))
        following = asyncio.create_task(follow_clock(db, clock))
        stack.callback(following.cancel)
        await mine_for_ever(DemoWallet(node), clock, settings.block_seconds)


async def mine_for_ever(wallet: DemoWallet, clock: Clock, block_seconds: int) -> None:
    """Mine every `block_seconds`; a block that was missed is not made up for."""
    loop = asyncio.get_running_loop()
    due = loop.time()
    while True:
        try:
            await wallet.mine(now_ms=clock.now())
        except Outage as problem:
            _log.warning("no block was mined", reason=str(problem))
        due = max(due + block_seconds, loop.time())
        await asyncio.sleep(due - loop.time())
