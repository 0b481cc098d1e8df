"""A file on its way in: read within a time and a size, from a form of two parts or as a body by itself."""

import asyncio
import hashlib
import logging
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Final

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from kalos.core.errors import Busy, InvalidInput
from kalos.wire.http import Receive, TransportProblem

IDLE_SECONDS: Final = 10
WHOLE_SECONDS: Final = 120
ENVELOPE_SECONDS: Final = 10
FORM_BYTES: Final = 4_096
"""What boundaries and heads of the parts may take besides the envelope and the file."""
_HEADERS: Final = 4
_HEADER_BYTES: Final = 512
_BOUNDARY_BYTES: Final = 70
_BUSY_SECONDS: Final = 1
_PARTS: Final = (b"envelope", b"file")
DRAIN_SECONDS: Final = 5

logging.getLogger("python_multipart").setLevel(logging.ERROR)  # else whoever sends nonsense writes our log


@dataclass(frozen=True, slots=True)
class SentFile:
    """What came; nobody has looked at it yet."""

    content: bytes
    sha256: bytes


class Places:
    """How many files a process takes in at once: each costs its size in memory, and a picture its pixels."""

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most = most
        self._most_of_one = most_of_one
        self._taken: Counter[int] = Counter()

    @contextmanager
    def place(self, member: int) -> Iterator[None]:
        """Raises: Busy."""
        if self._taken.total() >= self._most or self._taken[member] >= self._most_of_one:
            raise Busy(retry_after=_BUSY_SECONDS)
        self._taken[member] += 1
        try:
            yield
        finally:
            self._taken[member] -= 1
            self._taken += Counter()  # forget who has none


class Stream:
    """A request's body, chunk by chunk."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._left = most
        self._until = time.monotonic() + WHOLE_SECONDS
        self._ended = False

    async def chunk(self) -> bytes | None:
        """None at the end. Raises: TransportProblem (400: the caller hung up; 408; 413)."""
        if self._ended:
            return None
        try:
            async with asyncio.timeout(min(IDLE_SECONDS, self._until - time.monotonic())):
                message = await self._receive()
        except TimeoutError as problem:
            self._ended = True
            raise TransportProblem(408) from problem
        self._ended = not message.get("more_body", False)
        if message["type"] == "http.disconnect":
            raise TransportProblem(400)
        body: bytes = message.get("body", b"")
        self._left -= len(body)
        if self._left < 0:
            self._ended = True
            raise TransportProblem(413)
        return body

    async def drain(self) -> None:
        """Read what is left, for a while: who is still sending would not hear an answer."""
        self._until = min(self._until, time.monotonic() + DRAIN_SECONDS)
        try:
            while await self.chunk() is not None:
                pass
        except TransportProblem:
            return


class Incoming:
    """A file that a handler may read, once. `most_bytes` is what it can have at most."""

    def __init__(self, stream: Stream, places: Places, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.stream = stream
        self._places = places
        self._content = bytearray()
        self._hash = hashlib.sha256()

    def place(self, member: int) -> AbstractContextManager[None]:
        """Hold one of the process's places in a `with` block. Raises: Busy."""
        return self._places.place(member)

    async def kind(self) -> str:
        """The type that its sender states, such as image/png. Raises: InvalidInput, TransportProblem."""
        raise NotImplementedError

    async def read(self) -> SentFile:
        """Raises: InvalidInput, TransportProblem."""
        raise NotImplementedError

    def _take(self, data: bytes) -> None:
        if len(self._content) + len(data) > self.most_bytes:
            raise TransportProblem(413)
        self._content += data
        self._hash.update(data)

    def _sent(self) -> SentFile:
        content, self._content = bytes(self._content), bytearray()  # once is enough in memory
        return SentFile(content, self._hash.digest())


class IncomingBody(Incoming):
    """The file is the whole body."""

    def __init__(self, stream: Stream, places: Places, most_bytes: int, kind: bytes) -> None:
        super().__init__(stream, places, most_bytes)
        self._kind = kind.decode("latin-1")

    async def kind(self) -> str:
        return self._kind

    async def read(self) -> SentFile:
        while (data := await self.stream.chunk()) is not None:
            self._take(data)
        return self._sent()


class IncomingForm(Incoming):
    """multipart/form-data of exactly two parts in this order: `envelope`, then `file`."""

    def __init__(
        self, stream: Stream, places: Places, *, boundary: bytes, most_bytes: int, most_envelope_bytes: int
    ) -> None:
        super().__init__(stream, places, most_bytes)
        self._most_envelope_bytes = most_envelope_bytes
        self._envelope = bytearray()
        self._parts = self._heads = self._ends = 0
        self._whole = False
        self._problem: InvalidInput | None = None
        self._head: list[tuple[bytes, bytes]] = []
        self._name = self._value = b""
        self._kind = ""
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._on_part_begin,
                "on_header_field": self._on_header_field,
                "on_header_value": self._on_header_value,
                "on_header_end": self._on_header_end,
                "on_headers_finished": self._on_headers_finished,
                "on_part_data": self._on_part_data,
                "on_part_end": self._on_part_end,
                "on_end": self._on_end,
            },
            max_header_count=_HEADERS,
            max_header_size=_HEADER_BYTES,
        )

    async def envelope(self) -> bytes:
        """Read up to the end of the first part. Raises: TransportProblem, also where the form is none."""
        try:
            async with asyncio.timeout(ENVELOPE_SECONDS):
                while self._ends < 1 and self._problem is None:
                    await self._feed()
        except TimeoutError as problem:
            raise TransportProblem(408) from problem
        if self._ends < 1:
            raise TransportProblem(400) from self._problem
        return bytes(self._envelope)

    async def kind(self) -> str:
        while self._heads < len(_PARTS):
            await self._feed_well()
        return self._kind

    async def read(self) -> SentFile:
        await self.kind()
        while not self._whole:
            await self._feed_well()
        while await self.stream.chunk() is not None:
            pass  # whatever follows the form is left out, but counted
        return self._sent()

    def close(self) -> None:
        """Let go of what was read: the parser and the form know each other, and would wait for a collection."""
        self._parser.callbacks = {}
        self._content, self._envelope = bytearray(), bytearray()

    async def _feed_well(self) -> None:
        if self._problem is None:
            await self._feed()
        if self._problem is not None:
            raise self._problem

    async def _feed(self) -> None:
        """A fault is kept for whoever reads the file: the chunk that has it may have the whole envelope as well."""
        if self._whole:
            self._problem = bad_file("absent")
            return
        data = await self.stream.chunk()
        if data is None:
            self._problem = bad_file("truncated")
            return
        try:
            self._parser.write(data)
        except InvalidInput as problem:
            self._problem = problem
        except FormParserError:
            self._problem = bad_file("form")

    def _on_part_begin(self) -> None:
        if self._parts == len(_PARTS):
            raise bad_file("parts")
        self._parts += 1
        self._head = []

    def _on_header_field(self, data: bytes, start: int, end: int) -> None:
        self._name += data[start:end]

    def _on_header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _on_header_end(self) -> None:
        self._head.append((self._name.lower(), self._value))
        self._name = self._value = b""

    def _on_headers_finished(self) -> None:
        head = dict(self._head)
        if len(head) != len(self._head):
            raise bad_file("form")
        disposition, options = parse_options_header(head.get(b"content-disposition"))
        if disposition != b"form-data" or options.get(b"name") != _PARTS[self._parts - 1]:
            raise bad_file("parts")
        self._kind = head.get(b"content-type", b"").decode("latin-1")
        self._heads += 1

    def _on_part_data(self, data: bytes, start: int, end: int) -> None:
        if self._parts == len(_PARTS):
            self._take(data[start:end])
        elif len(self._envelope) + end - start > self._most_envelope_bytes:
            raise TransportProblem(413)
        else:
            self._envelope += data[start:end]

    def _on_part_end(self) -> None:
        self._ends += 1

    def _on_end(self) -> None:
        self._whole = True


def boundary_of(content_type: bytes) -> bytes | None:
    """The boundary of a form; None for what is no form, or has no boundary that RFC 2046 knows."""
    kind, options = parse_options_header(content_type.decode("latin-1"))
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not 0 < len(boundary) <= _BOUNDARY_BYTES:
        return None
    return boundary


def bad_file(reason: str) -> InvalidInput:
    return InvalidInput(errors=[{"field": "file", "reason": reason}])
