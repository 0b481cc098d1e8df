"""The writer process: the ledger's one writer behind its Unix socket; a second one waits as the standby."""

import asyncio
import gc
import os

import structlog

from kalos.app.figures import serve_figures
from kalos.app.process import preempt_nobody
from kalos.app.settings import Settings
from kalos.core.clock import Clock
from kalos.core.database import wait_for_database
from kalos.ledger.server import serve
from kalos.ledger.writer import Writer

_log = structlog.get_logger("writer")


async def main(settings: Settings) -> None:
    """Once the database is there, write until cancelled; then write what waits and give the lease back.

    A lost lease ends the process.
    """
    preempt_nobody()
    await wait_for_database(settings.writer_url)
    writer = Writer(settings.writer_url, Clock())
    try:
        await writer.start()
        settings.sockets.mkdir(mode=0o700, exist_ok=True)
        server = await serve(writer, settings.writer_socket)
        figures = await serve_figures(writer, settings.socket("writer-figures"))
        # Collection would stop the loop for milliseconds: it runs by hand, when nothing waits.
        gc.collect()
        gc.freeze()
        gc.disable()
        _log.info("the writer has the lease")
        try:
            reason = await asyncio.shield(writer.lost)
        finally:
            server.close()
            figures.close()
    finally:
        await writer.stop()
        await asyncio.sleep(0.01)  # the last answers leave with the loop's next turn
    _log.critical("the writer ends", reason=reason)
    os._exit(1)  # all is closed: who lost the lease doesn't wait for the interpreter's own end
