"""The writer's Unix socket: postings of other processes come in here."""

import asyncio
from pathlib import Path
from typing import Final, cast

import msgspec
import structlog

from kalos.ledger.frames import Answered, Asked, BadFrame, Inbound, Outbound, encode
from kalos.ledger.verdicts import Verdict
from kalos.ledger.writer import Writer

_decode: Final = msgspec.msgpack.Decoder(list[Asked]).decode
_log = structlog.get_logger("writer")


class _Caller(asyncio.Protocol):
    """One connection of an API process or a worker."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._inbound = Inbound(_decode)
        self._outbound: Outbound | None = None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport = cast(asyncio.Transport, transport)  # uvloop's are no subclass of it
        self._transport = transport
        self._outbound = Outbound(transport)

    def data_received(self, content: bytes) -> None:
        outbound, submit = self._outbound, self._writer.submit
        assert outbound is not None
        try:
            for asked in self._inbound.messages(content):

                def done(verdict: Verdict, number: int = asked.number) -> None:
                    outbound.send(encode(Answered(number, verdict)))

                submit(asked.request, done, live=asked.live)
        except (BadFrame, msgspec.MsgspecError) as problem:
            _log.error("a caller sent what is no posting", reason=str(problem))
            assert self._transport is not None
            self._transport.abort()


async def serve(writer: Writer, path: Path) -> asyncio.Server:
    """Listen on `path`, for this user alone. A socket that a dead writer left is replaced."""
    loop = asyncio.get_running_loop()
    fresh = path.with_name(path.name + ".new")
    fresh.unlink(missing_ok=True)
    server = await loop.create_unix_server(lambda: _Caller(writer), str(fresh))
    fresh.chmod(0o600)
    fresh.replace(path)
    return server
