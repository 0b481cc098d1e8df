"""The ledger as other processes have it: postings go to the writer over its Unix socket."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Final, cast

import msgspec

from kalos.core.database import forbid_transaction
from kalos.core.errors import Outage
from kalos.ledger.checks import BadPosting
from kalos.ledger.frames import LARGEST, Answered, Asked, BadFrame, Inbound, Outbound, encode
from kalos.ledger.postings import Posted, Posting
from kalos.ledger.requests import request_of
from kalos.ledger.verdicts import Outcome, Verdict, outage, result_of, unwrap

_decode: Final = msgspec.msgpack.Decoder(list[Answered]).decode
_PATIENCE_SECONDS: Final = 10.0
_BULK_SECONDS: Final = 120.0
_BULK_CHUNK: Final = 1_000
_CONNECT_SECONDS: Final = 1.0
_WATCH_SECONDS: Final = 0.25


class _Line(asyncio.Protocol):
    """One connection to the writer and those who wait for its answers, each until its time by the loop's clock."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()  # asked for again it is a call of the system
        self.waiting: dict[int, tuple[asyncio.Future[Verdict], float]] = {}
        self.place: int | None = None  # of the socket file that it is connected to
        self.open = False
        self.outbound: Outbound | None = None
        self.transport: asyncio.Transport | None = None
        self._inbound = Inbound(_decode)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport = cast(asyncio.Transport, transport)  # uvloop's are no subclass of it
        self.transport, self.outbound, self.open = transport, Outbound(transport), True

    def data_received(self, content: bytes) -> None:
        try:
            for answered in self._inbound.messages(content):
                waiting = self.waiting.pop(answered.number, None)
                if waiting is not None and not waiting[0].done():
                    waiting[0].set_result(answered.verdict)
        except (BadFrame, msgspec.MsgspecError):
            assert self.transport is not None
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the protocol's own form
        self.open = False
        self.end(outage("the ledger's writer went away"), list(self.waiting))

    def close(self) -> None:
        if self.transport is not None:
            self.transport.close()

    def end(self, verdict: Verdict, numbers: list[int]) -> None:
        """Give those who wait under these numbers an answer of our own."""
        for number in numbers:
            answer, _ = self.waiting.pop(number)
            if not answer.done():
                answer.set_result(verdict)


class LedgerClient:
    """A `Ledger` over the socket at `path`. It connects at the first posting, and again after the writer was away.

    An Outage after a posting was sent says nothing about it: send the same key again.
    """

    def __init__(self, path: Path | str) -> None:
        self._path = str(path)
        self._line: _Line | None = None
        self._connecting = asyncio.Lock()
        self._number = 0
        self._watch: asyncio.TimerHandle | None = None

    async def post(self, posting: Posting) -> Posted:
        """See `Ledger`. Raises RequestRunning where the answer takes longer than ten seconds."""
        forbid_transaction()
        line = self._line
        if line is None or not line.open:
            line = await self._connected()
        return unwrap(result_of(posting, await self._send(line, posting, _PATIENCE_SECONDS, live=True)))

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
        sent: list[asyncio.Future[Verdict] | BadPosting] = []
        for posting in chunk:
            try:
                sent.append(self._send(line, posting, _BULK_SECONDS, live=False))
            except BadPosting as problem:  # the others went, or will go, all the same
                sent.append(problem)
        return [
            answer if isinstance(answer, BadPosting) else result_of(posting, await answer)
            for posting, answer in zip(chunk, sent, strict=True)
        ]

    def _send(self, line: _Line, posting: Posting, patience_seconds: float, *, live: bool) -> "asyncio.Future[Verdict]":
        self._number = number = self._number + 1
        try:
            message = encode(Asked(number, live, request_of(posting)))
        except (OverflowError, TypeError, UnicodeEncodeError) as problem:
            raise BadPosting(str(problem)) from problem
        if len(message) > LARGEST:
            raise BadPosting(f"a posting of {len(message)} bytes")
        loop = line.loop
        answer: asyncio.Future[Verdict] = loop.create_future()
        line.waiting[number] = answer, loop.time() + patience_seconds
        assert line.outbound is not None
        line.outbound.send(message)
        if self._watch is None:
            self._watch = loop.call_later(_WATCH_SECONDS, self._look)
        return answer

    def _look(self) -> None:
        """Give up what waits too long, and a connection whose writer is no longer the one at the path: it hangs."""
        line, self._watch = self._line, None
        if line is None or not line.waiting:
            return
        now = asyncio.get_running_loop().time()
        line.end(Verdict(Outcome.RUNNING), [number for number, (_, until) in line.waiting.items() if until < now])
        if line.open and line.transport is not None and _place(self._path) != line.place:
            line.transport.abort()
        self._watch = asyncio.get_running_loop().call_later(_WATCH_SECONDS, self._look)

    async def _connected(self) -> _Line:
        async with self._connecting:
            if self._line is not None and self._line.open:
                return self._line
            try:
                async with asyncio.timeout(_CONNECT_SECONDS):
                    line = await self._connect()
                    while _place(self._path) != line.place:  # another writer began: whose line this is nobody knows
                        line.close()
                        line = await self._connect()
            except (OSError, TimeoutError) as problem:
                raise Outage("the ledger's writer is away") from problem
            self._line = line
            return line

    async def _connect(self) -> _Line:
        """Raises: OSError."""
        place = _place(self._path)
        _, line = await asyncio.get_running_loop().create_unix_connection(_Line, self._path)
        line.place = place
        return line

    async def close(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
        if self._line is not None:
            self._line.close()
            await asyncio.sleep(0)


def _place(path: str) -> int | None:
    """What tells this socket file from another under the same path."""
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_ino << 64 | found.st_ctime_ns
