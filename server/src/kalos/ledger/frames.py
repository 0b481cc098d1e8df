"""Frames of the writer's socket: length, then a list of messages in msgpack; one leaves with a turn of the loop."""

import asyncio
import struct
from collections.abc import Callable
from typing import Final, Generic, TypeVar

import msgspec

from kalos.ledger.requests import Request
from kalos.ledger.verdicts import Verdict

LARGEST: Final = 16 << 20
_MANY: Final = 1 << 20  # a frame with so many bytes takes no further message
_LENGTH: Final = struct.Struct(">I")
_LIST: Final = struct.Struct(">BI")  # msgpack's head of a list
_HEAD: Final = struct.Struct(">IBI")  # both
_ARRAY: Final = 0xDD

Message = TypeVar("Message")

encode: Final = msgspec.msgpack.Encoder().encode


class Asked(msgspec.Struct, array_like=True, gc=False):
    """A caller's frame: its number on this connection, and whether it is live or bulk."""

    number: int
    live: bool
    request: Request


class Answered(msgspec.Struct, array_like=True, gc=False):
    """The writer's frame, under the caller's number."""

    number: int
    verdict: Verdict


class BadFrame(Exception):
    """The other side doesn't speak this protocol; the connection ends."""


class Outbound:
    """Gathers messages and writes them as one frame at the end of the loop's turn; none for a side that is gone."""

    __slots__ = ("_loop", "_messages", "_size", "_transport")

    def __init__(self, transport: asyncio.WriteTransport) -> None:
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._messages: list[bytes] = []
        self._size = 0

    def send(self, message: bytes) -> None:
        """Add an encoded message of at most `LARGEST` bytes."""
        messages = self._messages
        if not messages:
            self._loop.call_soon(self._write)
        elif self._size > _MANY:
            self._write()
        messages.append(message)
        self._size += len(message)

    def _write(self) -> None:
        # Where the other side is gone nobody reads them: kept they would grow, and a closed transport raises.
        if not self._transport.is_closing():
            head = _HEAD.pack(self._size + _LIST.size, _ARRAY, len(self._messages))
            self._transport.write(head + b"".join(self._messages))
        self._messages.clear()
        self._size = 0


class Inbound(Generic[Message]):
    """Cuts what arrives into frames and decodes their messages."""

    __slots__ = ("_decode", "_rest")

    def __init__(self, decode: Callable[[memoryview], list[Message]]) -> None:
        self._decode = decode
        self._rest = b""

    def messages(self, content: bytes) -> list[Message]:
        """Raises: BadFrame, msgspec.MsgspecError."""
        whole = self._rest + content if self._rest else content
        view, start, end = memoryview(whole), 0, len(whole)
        messages: list[Message] = []
        while end - start >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(whole, start)
            if length > LARGEST + _MANY + _LIST.size:
                raise BadFrame(f"a frame of {length} bytes")
            first = start + _LENGTH.size
            if end - first < length:
                break
            start = first + length
            messages += self._decode(view[first:start])
        self._rest = whole[start:]
        return messages
