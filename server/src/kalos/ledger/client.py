"""The ledger as other processes have it: postings go to the writer over its Unix socket."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Final, cast

import msgspec

from kalos.core.database import forbid_transaction
from kalos.core.errors import Outage
from kalos.ledger.frames import Answered, Asked, BadFrame, Inbound, Outbound, encode
from kalos.ledger.postings import Posted, Posting
from kalos.ledger.requests import request_of
from kalos.ledger.verdicts import Outcome, Verdict, outage, result_of, unwrap

_decode: Final = msgspec.msgpack.Decoder(Answered).decode
_PATIENCE_SECONDS: Final = 10.0
_BULK_SECONDS: Final = 120.0
_BULK_CHUNK: Final = 1_000
_CONNECT_SECONDS: Final = 1.0


class _Line(asyncio.Protocol):
    """One connection to the writer and those who wait for its answers."""

    def __init__(self) -> None:
        self.waiting: dict[int, asyncio.Future[Verdict]] = {}
        self.open = False
        self.outbound: Outbound | None = None
        self.transport: asyncio.Transport | None = None
        self._inbound = Inbound()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport = cast(asyncio.Transport, transport)  # uvloop's are no subclass of it
        self.transport, self.outbound, self.open = transport, Outbound(transport), True

    def data_received(self, content: bytes) -> None:
        try:
            for message in self._inbound.messages(content):
                answered = _decode(message)
                answer = self.waiting.pop(answered.number, None)
                if answer is not None and not answer.done():
                    answer.set_result(answered.verdict)
        except (BadFrame, msgspec.MsgspecError):
            assert self.transport is not None
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the protocol's own form
        self.open = False
        for answer in self.waiting.values():
            if not answer.done():
                answer.set_result(outage("the ledger's writer went away"))
        self.waiting.clear()


class LedgerClient:
    """A `Ledger` over the socket at `path`. It connects at the first posting, and again after the writer was away.

    An Outage after a posting was sent says nothing about it: send the same key again.
    """

    def __init__(self, path: Path | str) -> None:
        self._path = str(path)
        self._line: _Line | None = None
        self._connecting = asyncio.Lock()
        self._number = 0

    async def post(self, posting: Posting) -> Posted:
        """See `Ledger`. Raises RequestRunning where the answer takes longer than ten seconds."""
        forbid_transaction()
        line = self._line
        if line is None or not line.open:
            line = await self._connected()
        number, answer = self._send(line, posting, live=True)
        timer = asyncio.get_running_loop().call_later(_PATIENCE_SECONDS, _give_up, answer)
        try:
            return unwrap(result_of(posting, await answer))
        finally:
            timer.cancel()
            line.waiting.pop(number, None)

    async def post_many(self, postings: Sequence[Posting]) -> list[Posted | Exception]:
        """See `Ledger`."""
        forbid_transaction()
        results: list[Posted | Exception] = []
        for start in range(0, len(postings), _BULK_CHUNK):
            chunk = postings[start : start + _BULK_CHUNK]
            try:
                results += await self._post_chunk(chunk)
            except Outage as problem:
                results += [problem] * len(chunk)
        return results

    async def _post_chunk(self, chunk: Sequence[Posting]) -> list[Posted | Exception]:
        line = await self._connected()
        sent = [self._send(line, posting, live=False) for posting in chunk]
        try:
            async with asyncio.timeout(_BULK_SECONDS):
                verdicts = await asyncio.gather(*(answer for _, answer in sent))
        except TimeoutError as problem:
            raise Outage("the ledger's writer does not answer") from problem
        finally:
            for number, _ in sent:
                line.waiting.pop(number, None)
        return [result_of(posting, verdict) for posting, verdict in zip(chunk, verdicts, strict=True)]

    def _send(self, line: _Line, posting: Posting, *, live: bool) -> tuple[int, asyncio.Future[Verdict]]:
        self._number = number = self._number + 1
        message = encode(Asked(number, live, request_of(posting)))
        answer: asyncio.Future[Verdict] = asyncio.get_running_loop().create_future()
        line.waiting[number] = answer
        assert line.outbound is not None
        line.outbound.send(message)
        return number, answer

    async def _connected(self) -> _Line:
        async with self._connecting:
            if self._line is not None and self._line.open:
                return self._line
            loop = asyncio.get_running_loop()
            try:
                async with asyncio.timeout(_CONNECT_SECONDS):
                    _, self._line = await loop.create_unix_connection(_Line, self._path)
            except (OSError, TimeoutError) as problem:
                raise Outage("the ledger's writer is away") from problem
            return self._line

    async def close(self) -> None:
        if self._line is not None and self._line.transport is not None:
            self._line.transport.close()
            await asyncio.sleep(0)


def _give_up(answer: "asyncio.Future[Verdict]") -> None:
    if not answer.done():
        answer.set_result(Verdict(Outcome.RUNNING))
