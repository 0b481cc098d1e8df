"""The readers of W1, W2 and W4: every socket in this one process, which checks what each of them gets.

Commands come as JSON lines on the standard input, each answered with one line; the end of the input ends the process.
"""

import asyncio
import gc
import json
import socket
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Final

import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSParsedURL, WSTransport, ws_connect

from slices import PERCENTS

_SUBSCRIBE: Final = b'{"op":"subscribe","args":[{"channel":"rounds"}]}'
_UPDATE: Final = b'{"arg":{"channel":"rounds"},"action":"update"'
_SNAPSHOT: Final = b'{"arg":{"channel":"rounds"},"action":"snapshot"'
ORIGIN: Final = "http://localhost:8000"
_AT_ONCE: Final = 64
_LEAVING_SECONDS: Final = 0.3
_PATIENCE_SECONDS: Final = 30.0
_SLOW_BUFFER: Final = 4096
_SLOW_SEGMENT: Final = 1400  # as over the Internet; loopback's 64 KiB would have the kernel keep megabytes for them
_LONGEST_COMMAND: Final = 16 << 20


class Heard:
    """One message: the first and last of its numbers, and when it came to readers (0) and to slow ones (1).

    The house has games of its own, and tells of them: what holds no row of ours has the numbers 0.
    """

    __slots__ = ("arrivals", "first", "last", "message")

    def __init__(self, message: bytes) -> None:
        rows = json.loads(message)["data"] if message else []
        numbers = [row["number"] for row in rows if "filler" in row] or [0]
        assert numbers == [*range(numbers[0], numbers[0] + len(numbers))], f"a message has {numbers}"
        self.message = message
        self.first, self.last = numbers[0], numbers[-1]
        self.arrivals: tuple[list[float], list[float]] = [], []


class Reader(WSListener):
    """One socket. `kind` is 1 for those who are slow at times; while `lagging` it reads nothing and may miss some."""

    def __init__(self, crowd: "Crowd", kind: int) -> None:
        self.crowd = crowd
        self.kind = kind
        self.last = 0
        self.lagging = self.leaving = False
        self.snapshots = self.pongs = 0
        self.transport: WSTransport | None = None

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:  # noqa: ARG002 - picows' own signature
        now = time.monotonic()
        message = frame.get_payload_as_bytes()
        crowd = self.crowd
        heard = crowd.newest
        if message != heard.message:
            if not message.startswith(_UPDATE):
                self._other(frame.msg_type, message)
                return
            heard = crowd.find(message)
        if heard.first == 0:
            return
        if heard.first != self.last + 1 and not self.lagging:
            crowd.faults += 1
        self.last = heard.last
        heard.arrivals[self.kind].append(now)

    def on_ws_disconnected(self, transport: WSTransport) -> None:  # noqa: ARG002 - picows' own signature
        self.crowd.faults += not self.leaving

    def say(self, message: bytes) -> None:
        assert self.transport is not None
        self.transport.send(WSMsgType.TEXT, message)

    def _other(self, kind: WSMsgType, message: bytes) -> None:
        if message.startswith(_SNAPSHOT):
            self.snapshots += 1
        elif message == b"pong":
            self.pongs += 1
        elif kind != WSMsgType.TEXT or not message.startswith(b'{"event":"subscribe"'):
            self.crowd.faults += 1


class Crowd:
    """The sockets to one server. `faults` counts messages lost or out of order, and closed sockets."""

    def __init__(self) -> None:
        self.readers: list[Reader] = []
        self.newest = Heard(b"")
        self.faults = 0
        self._address = ""
        self._heard: dict[bytes, Heard] = {}

    async def open(self, address: str, tokens: Sequence[str], slow: int) -> None:
        """Open a socket for each token, the first `slow` as those that will be slow."""
        self._address = address
        self.readers = await self._opened(tokens[:slow], 1) + await self._opened(tokens[slow:], 0)

    async def reopen(self, tokens: Sequence[str]) -> None:
        """Give the slow ones new sockets: what the kernel keeps for one grows with what was ever sent to it."""
        for reader in self.readers[: len(tokens)]:
            assert reader.kind
            assert reader.transport is not None
            reader.leaving = True
            reader.transport.disconnect()
        await asyncio.sleep(_LEAVING_SECONDS)  # a member's sockets are counted
        self.readers[: len(tokens)] = await self._opened(tokens, 1)

    async def _opened(self, tokens: Sequence[str], kind: int) -> list[Reader]:
        """Open a socket for each token and wait for the snapshots."""
        some = asyncio.Semaphore(_AT_ONCE)

        async def one(token: str) -> Reader:
            async with some:
                transport, listener = await ws_connect(
                    partial(Reader, self, kind),
                    f"{self._address}?token={token}",
                    extra_headers={"Origin": ORIGIN},
                    socket_factory=_small_socket if kind else None,
                )
                assert isinstance(listener, Reader)
                transport.send(WSMsgType.TEXT, _SUBSCRIBE)
                await _until(lambda: listener.snapshots == 1, "a snapshot", every=0.002)
                return listener

        return await asyncio.gather(*map(one, tokens))

    async def begin(self, first: int, *, slow: bool) -> None:
        """Number `first` comes next. All show that they live; with `slow` the slow ones then stop to read."""
        gc.collect()  # now: it takes a seventh of a second, and `wait` comes while the last messages are on their way
        for reader in self.readers:
            reader.pongs = reader.snapshots = 0
            reader.say(b"ping")
        await _until(lambda: all(reader.pongs for reader in self.readers), "pongs")
        self._heard.clear()
        self.newest = Heard(b"")
        for reader in self.readers:
            reader.last = first - 1
            if slow and reader.kind:
                assert reader.transport is not None
                reader.lagging = True
                reader.transport.underlying_transport.pause_reading()

    async def wait(self, last: int) -> None:
        """Return when everybody who reads has had this number."""
        reading = [reader for reader in self.readers if not reader.lagging]
        await _until(lambda: all(reader.last >= last for reader in reading), f"message {last}")

    async def finish(self, moments: dict[int, float]) -> dict[str, Any]:
        """The figures of the messages that were published at these moments; the slow ones read again.

        Returns the `deliveries`: messages that came, however many in a frame; the latencies in ms at PERCENTS of `all`
        and of the `others` than the slow ones; `skipped`: who got a snapshot in place of what they had not read; and
        `faults`.
        """
        times: tuple[list[float], list[float]] = [], []
        for heard in self._heard.values():
            for moment in (moments[number] for number in range(heard.first, heard.last + 1) if number in moments):
                for kind in (0, 1):
                    times[kind].extend(1_000 * (came - moment) for came in heard.arrivals[kind])
        everything = sorted(times[0] + times[1])
        skipped = await self._catch_up()
        return {
            "deliveries": len(everything),
            "all": _points(everything),
            "others": _points(sorted(times[0])),
            "skipped": skipped,
            "faults": self.faults + sum(reader.snapshots for reader in self.readers if not reader.kind),
        }

    def find(self, message: bytes) -> Heard:
        self.newest = self._heard.get(message) or self._heard.setdefault(message, Heard(message))
        return self.newest

    async def _catch_up(self) -> int:
        late = [reader for reader in self.readers if reader.lagging]
        for reader in late:
            assert reader.transport is not None
            reader.transport.underlying_transport.resume_reading()
        await _until(lambda: all(reader.snapshots for reader in late), "what slow readers had not read")
        for reader in late:
            reader.lagging = False
        return sum(reader.snapshots == 1 for reader in late)


def _small_socket(_url: WSParsedURL) -> socket.socket:
    """Whoever doesn't read from it is noticed soon."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _SLOW_BUFFER)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, _SLOW_SEGMENT)
    made.setblocking(False)
    return made


def _points(times: Sequence[float]) -> list[float]:
    return [times[min(len(times) - 1, int(len(times) * percent / 100))] for percent in PERCENTS] if times else []


async def _until(true: Callable[[], bool], what: str, every: float = 0.02) -> None:
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while True:
                if true():
                    return
                await asyncio.sleep(every)
    except TimeoutError as problem:
        raise AssertionError(f"{what} did not come within {_PATIENCE_SECONDS:.0f} s") from problem


class Crowds:
    """The commands, by side."""

    def __init__(self) -> None:
        self._of: dict[str, Crowd] = {}

    async def obey(self, command: dict[str, Any]) -> Any:
        works: dict[str, Callable[[Crowd], Awaitable[Any]]] = {
            "open": lambda crowd: crowd.open(command["address"], command["tokens"], command["slow"]),
            "reopen": lambda crowd: crowd.reopen(command["tokens"]),
            "begin": lambda crowd: crowd.begin(command["first"], slow=command["slow"]),
            "wait": lambda crowd: crowd.wait(command["last"]),
            "finish": lambda crowd: crowd.finish(dict(command["moments"])),
        }
        return await works[command["do"]](self._of.setdefault(command["side"], Crowd()))


async def _serve() -> None:
    gc.disable()  # its pauses would count as the servers'
    commands = asyncio.StreamReader(limit=_LONGEST_COMMAND)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    crowds = Crowds()
    while line := await commands.readline():
        try:
            answer = {"done": await crowds.obey(json.loads(line))}
        except Exception as problem:  # noqa: BLE001 - told to who asked
            answer = {"failed": f"{type(problem).__name__}: {problem}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve())
