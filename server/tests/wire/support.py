"""A kernel of its own calls on the real database: what the wire does is seen without any product."""

import asyncio
import base64
import hashlib
import json
import os
import time
from dataclasses import dataclass, field
from typing import Annotated, Any

import httpx
import msgspec
import structlog
from cryptography.hazmat.primitives.asymmetric import ec

from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.errors import InsufficientBalance, Outage, StateChanged
from kalos.core.terms import Terms
from kalos.core.tokens import digest
from kalos.wire import channel, signing
from kalos.wire.calls import Answer, Body, Calls, Empty
from kalos.wire.channels import Channels
from kalos.wire.envelope import Envelopes, Mode
from kalos.wire.kernel import Kernel, Ports
from kalos.wire.keys import Keys
from kalos.wire.limits import Limits
from kalos.wire.opening import opening_calls
from kalos.wire.replay import Nonces
from kalos.wire.request import Request
from kalos.wire.shapes import RequestId

ORIGIN = "http://localhost"
TOKENS = {"token of seven": 7, "token of eight": 8}
"""Whose sessions live in these tests."""

POSTED = {"a-request-of-before": "its first answer"}
"""Requests of /api/trial/once that were posted before."""

log = structlog.get_logger("trial")
calls = Calls("trial")
changes: list[str] = []
"""What the handler of /api/trial/changed has seen."""
gate = asyncio.Event()
"""What /api/trial/held and /api/trial/paying wait for."""


class EchoBody(Body, frozen=True):
    text: Annotated[str, msgspec.Meta(max_length=100)]
    amount: str | int = "0"
    items: list[dict[str, Any]] = msgspec.field(default_factory=list)


class EchoAnswer(Answer, frozen=True):
    text: str
    amount: str
    items: list[dict[str, Any]]
    member: int | None
    lang: str


@dataclass(frozen=True, slots=True)
class Caller:
    id: int


@calls.add("/api/trial/echo", public=True)
async def echo(ctx: Request, body: EchoBody) -> EchoAnswer:
    member = None if ctx.member is None else ctx.member.id
    return EchoAnswer(text=body.text, amount=str(body.amount), items=body.items, member=member, lang=ctx.lang)


@calls.add("/api/trial/mine")
async def mine(ctx: Request, body: EchoBody) -> EchoAnswer:
    return EchoAnswer(text=body.text, amount="", items=[], member=ctx.member.id, lang=ctx.lang)


@calls.add("/api/trial/entry", public=True, load="entry")
async def entry(ctx: Request, body: Empty) -> Empty:
    return body


class OnceBody(Body, frozen=True):
    request_id: RequestId


async def once_again(ctx: Request, posted: str) -> EchoAnswer:
    return EchoAnswer(text=posted, amount="", items=[], member=ctx.member.id, lang=ctx.lang)


async def find_posted(ctx: Request, body: OnceBody) -> str | None:
    return POSTED.get(body.request_id)


@calls.add("/api/trial/once", InsufficientBalance, load="money", again=once_again)
async def once(ctx: Request, body: OnceBody) -> EchoAnswer:
    raise InsufficientBalance(asset="USDT")


@calls.add("/api/trial/short", InsufficientBalance, load="money")
async def short(ctx: Request, body: Empty) -> Empty:
    raise InsufficientBalance(asset="USDT")


@calls.add("/api/trial/away", public=True)
async def away(ctx: Request, body: Empty) -> Empty:
    raise Outage("the writer's socket /secret/place is closed")


@calls.add("/api/trial/bug", public=True)
async def bug(ctx: Request, body: Empty) -> Empty:
    raise ZeroDivisionError("a secret of the house")


@calls.add("/api/trial/told", public=True)
async def told(ctx: Request, body: Empty) -> Empty:
    """Logs a line here and one in a task of its own."""
    log.info("here")
    await asyncio.create_task(_log_later())
    return body


async def _log_later() -> None:
    await asyncio.sleep(0)
    log.info("deeper")


@calls.add("/api/trial/held", public=True)
async def held(ctx: Request, body: Empty) -> Empty:
    await gate.wait()
    return body


@calls.add("/api/trial/paying", load="money")
async def paying(ctx: Request, body: Empty) -> Empty:
    await gate.wait()
    return body


@calls.add("/api/trial/changed", public=True)
async def changed(ctx: Request, body: EchoBody) -> EchoAnswer:
    """Changed under it as often as `amount` says."""
    changes.append(body.text)
    if len(changes) <= int(body.amount):
        raise StateChanged
    return EchoAnswer(text=body.text, amount=str(len(changes)), items=[], member=None, lang=ctx.lang)


async def find_caller(session: bytes) -> Caller | None:
    member = {digest(token): member for token, member in TOKENS.items()}.get(session)
    return None if member is None else Caller(member)


class ShiftedClock(Clock):
    """The wall's time, moved by `shift_ms`."""

    shift_ms = 0

    def wall(self) -> int:  # type: ignore[override]
        return Clock.wall() + self.shift_ms


class StandingClock(ShiftedClock):
    """Moved by `shift_ms` alone: on a slow machine, too, it stands at a limit as long as a test looks."""

    def __init__(self) -> None:
        super().__init__()
        self._made_at = Clock.wall()

    def wall(self) -> int:  # type: ignore[override]
        return self._made_at + self.shift_ms


@dataclass
class Parts:
    """One API process's wire."""

    kernel: Kernel
    keys: Keys
    limits: Limits
    nonces: Nonces
    channels: Channels
    clock: ShiftedClock


async def make_parts(
    db: Database,
    terms: Terms,
    *,
    modes: tuple[Mode, ...] = ("plain", "signed", "sealed"),
    count_loopback: bool = False,
    most_running: int = 1_000,
    ahead_ms: int = 0,
) -> Parts:
    """`ahead_ms` is what business time runs ahead of the wall."""
    clock = ShiftedClock(ahead_ms)
    keys = Keys(db, clock, b"k" * 32)
    await keys.refresh()
    nonces = Nonces(db, clock, terms.nonce_keep)
    limits = Limits(db, clock, terms, count_loopback=count_loopback, others=lambda: None)
    channels = Channels(keys, clock, terms.channel_ttl)
    kernel = Kernel(
        [*opening_calls(channels), *calls.all],
        ports={"member": Ports(find_caller, lambda request: request, find_posted)},
        envelopes=Envelopes(channels, nonces, clock, window_seconds=terms.timestamp_window, modes=modes),
        limits=limits,
        most_running=most_running,
    )
    return Parts(kernel, keys, limits, nonces, channels, clock)


def http_client(kernel: Kernel) -> httpx.AsyncClient:
    """Speaks ASGI to the kernel; nothing goes over a network."""
    transport = httpx.ASGITransport(app=kernel, client=("127.0.0.1", 4000))
    return httpx.AsyncClient(transport=transport, base_url=ORIGIN)


async def until_running(kernel: Kernel, count: int) -> None:
    async with asyncio.timeout(15):
        while kernel._running != count:
            await asyncio.sleep(0)


def hello_to(kid: str, public: bytes, seed: bytes) -> str:
    """What opens a channel for a page of `ORIGIN`."""
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), public)
    return channel.seal_hello(point, seed, kid=kid, origin=ORIGIN)


@dataclass
class Page:
    """A browser's side of a channel, written a second time: with it the tests see what a page sees."""

    http: httpx.AsyncClient
    sid: str = ""
    keys: channel.Channel | None = None
    token: str = ""
    lang: str = "en"
    shift_seconds: int = 0
    last: dict[str, Any] = field(default_factory=dict)

    async def open(self, kid: str, public: bytes) -> dict[str, Any]:
        seed = os.urandom(32)
        body = {"v": 1, "kid": kid, "hello": hello_to(kid, public, seed)}
        answer = (await self.http.post("/api/wire/open", json=body, headers={"origin": ORIGIN})).json()
        if answer["code"] == 200:
            data = answer["data"]
            self.sid = data["sid"]
            self.keys = channel.derive(seed, base64.b64decode(data["salt"]), self.sid, 2**60)
        found: dict[str, Any] = answer
        return found

    def signed(self, path: str, fields: dict[str, Any], **override: Any) -> dict[str, Any]:
        """The inner JSON of a call; `override` replaces its fields after it was signed."""
        assert self.keys is not None
        inner = {
            **fields,
            "timestamp": int(time.time()) + self.shift_seconds,
            "nonce": base64.urlsafe_b64encode(os.urandom(16)).rstrip(b"=").decode(),
        }
        string = signing.signing_string(
            inner, token=self.token, lang=self.lang, method="POST", path=path, session=self.sid
        )
        return {**inner, "sign": self.keys.signing_key.sign(string), **override}

    def sealed(self, path: str, inner: bytes) -> dict[str, Any]:
        assert self.keys is not None
        iv = os.urandom(12)
        bound = f"wire1|c2s|POST|{path}|{self.sid}".encode()
        data = base64.b64encode(iv + self.keys.to_server.encrypt(iv, inner, bound)).decode()
        return {"v": 1, "sid": self.sid, "data": data}

    async def post(self, path: str, outer: dict[str, Any] | bytes) -> dict[str, Any]:
        """`outer` spelled as our pages do, or as it is."""
        headers = {"lang": self.lang, "content-type": "application/json"}
        headers |= {"authorization": self.token} if self.token else {}
        body = outer if isinstance(outer, bytes) else json.dumps(outer, separators=(",", ":")).encode()
        response = await self.http.post(path, content=body, headers=headers)
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()
        return found

    async def call(self, path: str, fields: dict[str, Any], **override: Any) -> dict[str, Any]:
        """A sealed call with its answer opened; `enc` tells that it came sealed."""
        inner = self.signed(path, fields, **override)
        answer = await self.post(path, self.sealed(path, json.dumps(inner).encode()))
        return self.opened(answer, inner["nonce"]) if answer.get("enc") else answer

    def opened(self, answer: dict[str, Any], nonce: str) -> dict[str, Any]:
        assert self.keys is not None
        raw = base64.b64decode(answer["data"])
        digest = hashlib.sha256(answer["msg"].encode()).hexdigest()
        bound = f"wire1|s2c|{self.sid}|{nonce}|{answer['code']}|{digest}".encode()
        return answer | {"data": json.loads(self.keys.to_client.decrypt(raw[:12], raw[12:], bound))}


async def open_page(parts: Parts, **fields: Any) -> Page:
    page = Page(http_client(parts.kernel), **fields)
    key = parts.keys.wire[0]
    assert (await page.open(key.kid, key.public))["code"] == 200
    return page
