"""The readers of one channel, and how what is published comes to them."""

import asyncio
import struct
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from os import write as write_to
from typing import TYPE_CHECKING, Any, Final

import msgspec
import structlog
from picows import WSCloseCode

from kalos.live.metrics import DELIVERED, SKIPPED

if TYPE_CHECKING:
    from kalos.live.socket import Socket

MOST_HELD_SECONDS: Final = 0.125
"""How long an update waits for the next one at most: a channel of a large crowd has some 8 turns a second."""
_HELD_FOR_EACH: Final = 25e-6  # twice what a write takes
_MOST_WAITING: Final = 20
_SLICE: Final = 256
_TEXT: Final = 0x81  # RFC 6455, section 5.2: all of a message, as text
_MOST_SHORT: Final = 125
_MOST_MEDIUM: Final = 0xFFFF
_log = structlog.get_logger("live")
encode = msgspec.json.Encoder().encode


class Subscription:
    """One reader of a channel.

    `current`: updates are written at once. Else its snapshot is being read (`waiting` keeps the updates meanwhile), or
    it reads too slowly: then it is `stale` after the first update that passed it by, and begins anew. `direct`: it is
    current, and a crowd may write to its `descriptor` itself; the way through the transport is for all others.
    """

    __slots__ = ("channel", "current", "descriptor", "direct", "ended", "socket", "stale", "waiting")

    def __init__(self, socket: "Socket", channel: str) -> None:
        self.socket = socket
        self.channel = channel
        self.descriptor = socket.descriptor
        self.waiting: list[bytes] | None = []
        self.current = self.direct = self.stale = self.ended = False

    def push(self, message: bytes) -> None:
        """Write an update, keep it behind the snapshot, or skip it."""
        if self.current and not self.socket.slow:
            self.socket.send(message)
            DELIVERED.inc()
        elif self.waiting is not None and len(self.waiting) < _MOST_WAITING and not self.stale:
            self.waiting.append(message)
        elif not self.ended:
            SKIPPED.inc()
            self.socket.hub.renew(self)

    def begin(self, snapshot: bytes) -> None:
        """Send the state and what was published since."""
        if self.ended:
            return
        waiting, self.waiting = self.waiting or [], None
        self.socket.send(snapshot)
        for message in () if self.stale else waiting:
            self.socket.send(message)
        self.become(current=not self.stale)

    def become(self, *, current: bool) -> None:
        self.current, self.direct = current, current and self.socket.direct

    def end(self) -> None:
        self.ended, self.waiting = True, None
        self.become(current=False)


class _Lane:
    """Half of a crowd. `held`: rows that are not yet written; `timer`: until when at most; `writing`: a turn is on."""

    __slots__ = ("held", "readers", "timer", "turns", "writing")

    def __init__(self) -> None:
        self.readers: dict[Subscription, None] = {}
        self.held: list[Any] = []
        self.timer: asyncio.TimerHandle | None = None
        self.writing = False
        self.turns = 0


class Crowd:
    """All readers of a channel, in two lanes.

    A write costs ten times what all else about a message does. So where updates follow each other, each lane takes two
    of them in one message, one lane the even ones with those before, one the odd ones. An update waits for the next one
    in proportion to the crowd, and only where the one before came no longer ago: small crowds and rare updates don't
    wait. Where writing is slower than what comes, the next turn takes all that came meanwhile.
    """

    def __init__(self, channel: str) -> None:
        self._channel = channel
        self._loop = asyncio.get_running_loop()
        self._lanes = [_Lane(), _Lane()]
        self._published_at = float("-inf")

    def __len__(self) -> int:
        return sum(len(lane.readers) for lane in self._lanes)

    def __iter__(self) -> Iterator[Subscription]:
        for lane in self._lanes:
            yield from lane.readers

    def add(self, reader: Subscription) -> None:
        min(self._lanes, key=lambda lane: len(lane.readers)).readers[reader] = None

    def discard(self, reader: Subscription) -> None:
        for lane in self._lanes:
            lane.readers.pop(reader, None)

    def publish(self, rows: list[Any]) -> None:
        """Push rows to all, in their order."""
        now, wait = self._loop.time(), min(MOST_HELD_SECONDS, len(self) * _HELD_FOR_EACH)
        follows = now - self._published_at <= wait
        self._published_at = now
        for lane in self._lanes:
            lane.held += rows
        self._lanes.reverse()
        first, second = self._lanes
        self._turn(first)
        if not follows:
            self._turn(second)
        else:
            second.timer = self._loop.call_later(wait, self._turn, second)

    def _turn(self, lane: _Lane) -> None:
        """Write what the lane holds to all of it, each turn beginning with others."""
        if lane.timer is not None:
            lane.timer.cancel()
            lane.timer = None
        if lane.writing or not lane.held:
            return
        rows, lane.held = lane.held, []
        readers = list(lane.readers)
        if not readers:
            return
        lane.writing = True
        lane.turns += 1
        first = lane.turns * _SLICE % len(readers)
        message = frame_of(self._channel, "update", rows)
        self._write(lane, message, framed(message), iter(readers[first:] + readers[:first]))

    def _write(self, lane: _Lane, message: bytes, frame: bytes, readers: Iterator[Subscription]) -> None:
        """A slice of a turn: between two of them the loop reads what came."""
        reader, written, size = None, 0, len(frame)
        try:
            for reader in islice(readers, _SLICE):
                if not reader.direct:
                    reader.push(message)
                    continue
                try:
                    sent = write_to(reader.descriptor, frame)
                except OSError:  # it is full or lost: the transport sees which
                    sent = 0
                if sent != size:
                    reader.socket.keep(frame[sent:])
                written += 1
        except Exception as bug:  # noqa: BLE001 - one socket must not keep the others from being written to
            assert reader is not None
            _log.error("a socket can't be written to", exc_info=bug)
            with suppress(Exception):  # what can't be written to may not be closed either
                reader.socket.close(WSCloseCode.INTERNAL_ERROR)
        DELIVERED.inc(written)
        if reader is not None:
            self._loop.call_soon(self._write, lane, message, frame, readers)
            return
        lane.writing = False
        if lane.timer is None:
            self._turn(lane)  # what came meanwhile


def framed(message: bytes) -> bytes:
    """A whole text message as a server's frame: RFC 6455, section 5.2."""
    size = len(message)
    if size <= _MOST_SHORT:
        return struct.pack("!BB", _TEXT, size) + message
    if size <= _MOST_MEDIUM:
        return struct.pack("!BBH", _TEXT, 126, size) + message
    return struct.pack("!BBQ", _TEXT, 127, size) + message


def frame_of(channel: str, action: str, rows: list[Any]) -> bytes:
    """Build a push once for all its readers."""
    return encode({"arg": {"channel": channel}, "action": action, "data": rows})
