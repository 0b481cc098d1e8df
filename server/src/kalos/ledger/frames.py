"""Frames of the writer's socket: length, then msgpack; many leave in one write a turn of the loop."""

import asyncio
from collections.abc import Iterator
from typing import Final

import msgspec

from kalos.ledger.requests import Request
from kalos.ledger.verdicts import Verdict

LARGEST: Final = 16 << 20
_HEAD: Final = 4

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
    """Gathers frames and writes them together at the end of the loop's turn."""

    __slots__ = ("_frames", "_loop", "_transport")

    def __init__(self, transport: asyncio.WriteTransport) -> None:
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._frames: list[bytes] = []

    def send(self, message: bytes) -> None:
        if not self._frames:
            self._loop.call_soon(self._flush)
        self._frames.append(len(message).to_bytes(_HEAD, "big"))
        self._frames.append(message)

    def _flush(self) -> None:
        if not self._transport.is_closing():
            self._transport.write(b"".join(self._frames))
        self._frames.clear()


class Inbound:
    """Cuts what arrives into messages."""

    __slots__ = ("_rest",)

    def __init__(self) -> None:
        self._rest = b""

    def messages(self, content: bytes) -> Iterator[memoryview]:
        """Raises: BadFrame."""
        whole = self._rest + content if self._rest else content
        view, start, end = memoryview(whole), 0, len(whole)
        while end - start >= _HEAD:
            length = int.from_bytes(view[start : start + _HEAD], "big")
            if length > LARGEST:
                raise BadFrame(f"a frame of {length} bytes")
            if end - start - _HEAD < length:
                break
            yield view[start + _HEAD : start + _HEAD + length]
            start += _HEAD + length
        self._rest = whole[start:]
