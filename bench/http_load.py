"""The load of the benchmarks over HTTP: a process of its own with raw HTTP/1.1 connections that are kept.

A slice's requests are made, signed and sealed before its time begins, and its answers are opened and checked after it
ended. In between the load writes a request, finds the end of the answer and looks at the clock.
"""

import asyncio
import base64
import gc
import http.client
import itertools
import os
import re
import sys
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

import msgspec
import uvloop
from cryptography.hazmat.primitives.asymmetric import ec

from kalos.domains.games.shapes import BetAnswer
from kalos.wire import channel, signing
from kalos.wire.channel import Channel
from slices import PERCENTS

Form = Literal["plain", "sealed"]
Kind = Literal["stake", "trivial"]

_FIRST_ACCOUNT: Final = 30_000_000
_LENGTH: Final = re.compile(rb"\r\ncontent-length: *([0-9]+)", re.IGNORECASE)
_PATIENCE_SECONDS: Final = 30.0
_MOST_TOLD: Final = 5


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """One slice. `fields` are the body's, besides those that differ from call to call; `ready` is how many requests
    are made before the time begins: whatever is missing is made in it."""

    port: int
    path: str
    kind: Kind
    fields: dict[str, str]
    members: int
    form: Form = "plain"
    lang: str = "en"
    in_flight: int = 64
    seconds: float = 3.0
    ready: int = 0


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """`spread` in milliseconds at `PERCENTS`, `cpu` in seconds; `late` requests were made in the slice's own time.

    `ids` is the sum of what the receipts call their bets. `problems` are the first answers that weren't as they must.
    """

    count: int
    wall: float
    spread: tuple[float, ...]
    cpu: float
    late: int
    ids: int
    problems: list[str]


class Load:
    """The process, as the benchmark has it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls) -> "Load":
        pipe = asyncio.subprocess.PIPE
        return cls(await asyncio.create_subprocess_exec(sys.executable, __file__, stdin=pipe, stdout=pipe))

    async def prepare(self, job: Job) -> None:
        """Have a slice's requests made."""
        await self._say(msgspec.json.encode(job))
        assert await self._hear() == b"ready\n"

    async def run(self) -> None:
        """Let its time begin, and wait until it ended."""
        await self._say(b"go")
        assert await self._hear() == b"ended\n"

    async def done(self) -> Done:
        """What came of it, once every answer was looked at."""
        return msgspec.json.decode(await self._hear(), type=Done)

    async def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        await self._process.wait()

    async def _say(self, line: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + b"\n")
        await self._process.stdin.drain()

    async def _hear(self) -> bytes:
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        assert line, "the load has ended"
        return line


def token_of(member: int) -> str:
    """The session of the load's member with this number."""
    return f"session-of-a-benchmark-{member:020d}"


def account_of(member: int) -> str:
    return str(_FIRST_ACCOUNT + member)


@dataclass(frozen=True, slots=True)
class _Request:
    raw: bytes
    number: int
    channel: Channel | None = None
    nonce: str = ""


class _Outer(msgspec.Struct, frozen=True):
    code: int
    msg: str
    data: msgspec.Raw
    enc: int = 0


class _Trivial(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    account: str
    lang: str


class _Requests:
    """Makes requests; no two have one number, so no two one request id."""

    def __init__(self) -> None:
        self._numbers = itertools.count()
        self._run = os.urandom(6).hex()
        self._channels: dict[int, list[Channel]] = {}

    def made(self, job: Job) -> Iterator[_Request]:
        """One after another, for ever: each of the next member, and of the next of so many channels as connections."""
        channels = self._opened(job) if job.form == "sealed" else []
        while True:
            number = next(self._numbers)
            member = number % job.members
            body: dict[str, Any] = dict(job.fields)
            if job.kind == "stake":
                body["option"] = "odd" if number & 1 else "even"
                body["request_id"] = f"{self._run}-{number:012d}"
            if channels:
                yield _sealed(job, number, token_of(member), body, channels[number % len(channels)])
            else:
                yield _Request(_raw(job, token_of(member), msgspec.json.encode(body)), number)

    def _opened(self, job: Job) -> list[Channel]:
        known = self._channels.setdefault(job.port, [])
        known += [_open_channel(job.port) for _ in range(job.in_flight - len(known))]
        return known[: job.in_flight]


def _sealed(job: Job, number: int, token: str, body: dict[str, Any], own: Channel) -> _Request:
    nonce = base64.urlsafe_b64encode(os.urandom(16)).rstrip(b"=").decode()
    inner = {**body, "timestamp": int(time.time()), "nonce": nonce}
    string = signing.signing_string(inner, token=token, lang=job.lang, method="POST", path=job.path, session=own.sid)
    inner["sign"] = own.signing_key.sign(string)
    text = own.seal_request(msgspec.json.encode(inner), method="POST", path=job.path)
    return _Request(_raw(job, token, msgspec.json.encode({"v": 1, "sid": own.sid, "data": text})), number, own, nonce)


def _raw(job: Job, token: str, body: bytes) -> bytes:
    head = (
        f"POST {job.path} HTTP/1.1\r\nhost: localhost:{job.port}\r\ncontent-type: application/json\r\n"
        f"authorization: {token}\r\nlang: {job.lang}\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def _open_channel(port: int) -> Channel:
    """As a page does."""
    known = _asked(port, "GET", "/.well-known/wire-keys")["keys"][0]
    seed, origin = os.urandom(channel.SEED_BYTES), f"http://localhost:{port}"
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), base64.b64decode(known["pk"]))
    hello = channel.seal_hello(key, seed, kid=known["kid"], origin=origin)
    answer = _asked(port, "POST", "/api/wire/open", {"v": 1, "kid": known["kid"], "hello": hello}, origin)
    assert answer["code"] == 200, answer
    data = answer["data"]
    until_at = (data["server_time"] + data["ttl"]) * 1000
    return channel.derive(seed, base64.b64decode(data["salt"]), data["sid"], until_at)


def _asked(port: int, method: str, path: str, body: dict[str, Any] | None = None, origin: str = "") -> Any:
    connection = http.client.HTTPConnection("localhost", port, timeout=10)
    try:
        headers = {"content-type": "application/json", "origin": origin}
        connection.request(method, path, None if body is None else msgspec.json.encode(body), headers)
        return msgspec.json.decode(connection.getresponse().read())
    finally:
        connection.close()


class _Run:
    """One slice: what all its connections share."""

    def __init__(self, job: Job, requests: Iterator[_Request]) -> None:
        self._requests = requests
        self._made = deque(itertools.islice(requests, job.ready))
        self._open = job.in_flight
        self.seconds = job.seconds
        self.end = 0.0
        self.late = 0
        self.times: list[float] = []
        self.answers: list[tuple[_Request, bytes]] = []
        self.problems: list[str] = []
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def next(self) -> _Request:
        if self._made:
            return self._made.popleft()
        self.late += 1
        return next(self._requests)

    def one_ended(self) -> None:
        self._open -= 1
        if self._open == 0 and not self.ended.done():
            self.ended.set_result(None)

    def fail(self, problem: str) -> None:
        """The slice doesn't count."""
        self.problems.append(problem)
        if not self.ended.done():
            self.ended.set_result(None)


class _Connection(asyncio.Protocol):
    """One connection, with one request on its way."""

    def __init__(self, run: _Run) -> None:
        self._run = run
        self._transport: asyncio.Transport | None = None
        self._request: _Request | None = None
        self._begun = 0.0
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's are no subclass of it

    def send(self) -> None:
        assert self._transport is not None
        run = self._run
        begun = time.perf_counter()
        if begun >= run.end:
            self._request = None
            run.one_ended()
            return
        self._request = request = run.next()
        self._begun = time.perf_counter()
        self._transport.write(request.raw)

    def data_received(self, data: bytes) -> None:
        if self._rest:
            data = self._rest + data
        place = data.find(b"\r\n\r\n") + 4
        if place < 4:
            self._rest = data
            return
        stated = _LENGTH.search(data, 0, place)
        if data[9:12] != b"200" or stated is None or self._request is None:
            self._run.fail(data[:500].decode(errors="replace"))
            return
        if len(data) < place + int(stated[1]):
            self._rest = data
            return
        self._rest = b""
        self._run.times.append(time.perf_counter() - self._begun)
        self._run.answers.append((self._request, data[place:]))
        self.send()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._run.ended.done():
            self._run.fail(f"a connection was lost: {exc!r}")

    def close(self) -> None:
        assert self._transport is not None
        self._transport.close()


async def _slice(job: Job, requests: _Requests) -> Done:
    run = _Run(job, requests.made(job))
    loop = asyncio.get_running_loop()
    connections = [
        (await loop.create_connection(lambda: _Connection(run), "127.0.0.1", job.port))[1] for _ in range(job.in_flight)
    ]
    _tell(b"ready")
    assert sys.stdin.buffer.readline() == b"go\n"
    gc.collect()
    gc.disable()  # a collection would stop the load, not the server
    used, begun = time.process_time(), time.perf_counter()
    run.end = begun + run.seconds
    for connection in connections:
        connection.send()
    try:
        async with asyncio.timeout(run.seconds + _PATIENCE_SECONDS):
            await run.ended
    except TimeoutError:
        run.problems.append("a request was not answered")
    wall, cpu = time.perf_counter() - begun, time.process_time() - used
    gc.enable()
    _tell(b"ended")
    for connection in connections:
        connection.close()
    ids = [_checked(job, request, body, run) for request, body in run.answers]
    if job.kind == "stake" and len(set(ids)) != len(ids):
        run.problems.append("two answers speak of one bet")
    times = sorted(run.times) or [0.0]
    return Done(
        count=len(run.times),
        wall=wall,
        spread=tuple(1_000 * times[min(len(times) - 1, int(len(times) * percent / 100))] for percent in PERCENTS),
        cpu=cpu,
        late=run.late,
        ids=sum(ids),
        problems=run.problems[:_MOST_TOLD],
    )


def _checked(job: Job, request: _Request, body: bytes, run: _Run) -> int:
    """The id in an answer that is as it must be."""
    try:
        outer = msgspec.json.decode(body, type=_Outer)
        data = bytes(outer.data)
        if request.channel is not None:
            assert outer.enc == 1, "not sealed"
            text = msgspec.json.decode(data, type=str)
            data = request.channel.open_answer(text, nonce=request.nonce, code=outer.code, msg=outer.msg)
        assert outer.code == 200, data.decode(errors="replace")
        if job.kind == "stake":
            return _checked_stake(job, msgspec.json.decode(data, type=BetAnswer))
        trivial = msgspec.json.decode(data, type=_Trivial)
        assert trivial.lang == job.lang, trivial
        return int(trivial.account)
    except (AssertionError, msgspec.MsgspecError, channel.Unreadable) as problem:
        run.problems.append(f"{problem!r} in the answer {body[:500].decode(errors='replace')}")
        return 0


def _checked_stake(job: Job, receipt: BetAnswer) -> int:
    assert (receipt.kind, receipt.status, receipt.id) == ("game.stake", "awaiting_draw", receipt.bet_id), receipt
    assert (receipt.asset, receipt.round) == (job.fields["balance_type"], job.fields["round"]), receipt
    assert receipt.amount.rstrip("0").rstrip(".") == job.fields["amount"], receipt
    assert float(receipt.balance) >= 0, receipt
    return int(receipt.id)


def _tell(line: bytes) -> None:
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()


def main() -> None:
    """Jobs from the input until it ends."""
    requests = _Requests()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        for line in sys.stdin.buffer:
            job = msgspec.json.decode(line, type=Job)
            _tell(msgspec.json.encode(runner.run(_slice(job, requests))))


if __name__ == "__main__":
    main()
