"""The API process: opens the house, puts kernel, pages and files together, and serves them on one port."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import structlog
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.server.embed import Server

from kalos.app import health
from kalos.app.builds import Builds
from kalos.app.calls import all_calls, every_call
from kalos.app.files import Files, Page
from kalos.app.house import open_house
from kalos.app.kept import refuse_taken
from kalos.app.metrics import serve_metrics
from kalos.app.process import allow_files, collect_seldom, preempt_nobody
from kalos.app.readiness import checks, notes
from kalos.app.relay import Relay
from kalos.app.repeat import repeat
from kalos.app.settings import Settings
from kalos.app.shell import Shell, host_of
from kalos.core.cache import Cache
from kalos.core.errors import Outage
from kalos.core.notices import hear
from kalos.core.terms import load_numbers
from kalos.domains.context import Context, House, Member
from kalos.domains.identity.queries import ENDED, Session, find_session
from kalos.domains.protection.queries import CHANGED
from kalos.domains.protection.service import gate_of
from kalos.domains.uploads import service as uploads
from kalos.domains.uploads.rules import MB
from kalos.ledger.postings import Posted
from kalos.operator.context import Desk
from kalos.operator.queries import find_caller as find_staff_caller
from kalos.operator.rules import Staff
from kalos.wire.channels import Channels
from kalos.wire.envelope import Envelopes, Mode
from kalos.wire.http import Scope
from kalos.wire.incoming import Incoming
from kalos.wire.kernel import Kernel, Ports
from kalos.wire.keys import Keys
from kalos.wire.limits import Limits
from kalos.wire.networks import is_loopback, networks_of
from kalos.wire.openapi import document
from kalos.wire.opening import opening_calls
from kalos.wire.peers import Peers
from kalos.wire.replay import Nonces
from kalos.wire.request import Request
from kalos.wire.uploads import FilePorts, UploadAnswer, Uploads

_log = structlog.get_logger("api")
_KEYS_SECONDS: Final = 60
_RENEW_SECONDS: Final = 0.5
_CLEAN_SECONDS: Final = 30
_HEAD_SECONDS: Final = 10
_SESSION_SECONDS: Final = 0.8  # an ended one is no longer taken within a second, also where no notice comes
_TOLD_SECONDS: Final = 300.0  # without reading it again, while it is certain that every notice comes
_MOST_SESSIONS: Final = 100_000
_HEAD_BYTES: Final = 32_768
_MOST_CONNECTIONS: Final = 16_000
_OWN_FILES: Final = 200
"""Database connections, logs, the page of figures: what the connections must leave."""


@dataclass(frozen=True, slots=True)
class Wire:
    """The parts of the wire in one process; the fields are what tests and pages reach for."""

    kernel: Kernel
    keys: Keys
    nonces: Nonces
    limits: Limits


@asynccontextmanager
async def open_wire(house: House, settings: Settings) -> AsyncIterator[Wire]:
    """Build the wire on the house's doors and keep its keys fresh and its counters small until the block ends."""
    keys = Keys(house.db, house.clock, settings.derived("wire keys"))
    await keys.refresh()
    nonces = Nonces(house.db, house.clock, house.terms.nonce_keep)
    peers = Peers(house.db.url)
    limits = Limits(house.db, house.clock, house.terms, count_loopback=not settings.demo, others=peers.others)
    sessions = session_cache(house, seconds=_SESSION_SECONDS, told_seconds=_TOLD_SECONDS)
    channels = Channels(keys, house.clock, house.terms.channel_ttl)
    modes: tuple[Mode, ...] = settings.modes
    envelopes = Envelopes(channels, nonces, house.clock, window_seconds=house.terms.timestamp_window, modes=modes)
    kernel = Kernel(
        [*opening_calls(channels), *every_call(demo=settings.demo)],
        ports={"member": ports(house, settings, sessions), "staff": staff_ports(house, settings)},
        envelopes=envelopes,
        limits=limits,
        trusted_proxies=networks_of(settings.trusted_proxies),
        most_running=settings.calls_at_once,
    )

    def told(token_hash: str) -> None:
        sessions.forget(bytes.fromhex(token_hash))

    gate = gate_of(house)

    lost = asyncio.Event()

    def missed() -> None:
        sessions.clear()
        gate.clear()
        lost.set()

    async def renew() -> None:
        """A crash of the database takes the keys along: a channel is good at two processes once both have new ones."""
        await lost.wait()
        lost.clear()
        with suppress(Outage):  # once the line stands again it is said once more
            await keys.refresh()

    def heard(at: float) -> None:
        sessions.heard(at)
        gate.heard(at)

    await peers.join()
    upkeep = [
        asyncio.create_task(peers.follow()),
        asyncio.create_task(hear(house.db.url, {ENDED: told, CHANGED: gate.forget}, missed, heard)),
        asyncio.create_task(repeat("wire keys", _KEYS_SECONDS, keys.refresh)),
        asyncio.create_task(repeat("wire keys of before", _RENEW_SECONDS, renew)),
        asyncio.create_task(repeat("used nonces", _CLEAN_SECONDS, nonces.forget)),
        asyncio.create_task(repeat("kept channels", _CLEAN_SECONDS, channels.forget)),
        asyncio.create_task(repeat("old counters", _CLEAN_SECONDS, limits.forget)),
    ]
    try:
        yield Wire(kernel, keys, nonces, limits)
    finally:
        for task in upkeep:
            task.cancel()
        peers.leave()


def make_app(wire: Wire, house: House, settings: Settings) -> Shell:
    """The whole ASGI application."""
    pages = {
        "/healthz": health.page(health.alive),
        "/readyz": health.page(health.readiness(checks(house, settings), notes(house))),
        "/.well-known/wire-keys": health.page(_always(wire.keys.document)),
    }
    if settings.demo:
        described = document(every_call(demo=True))
        pages["/openapi.json"] = health.page(_always(lambda: described))
    builds = Builds(settings.web_dist, settings.data_dir / "builds")
    files = Files(builds.files, lambda scope: _page(scope, wire.keys, settings), builds.look)
    relay = Relay(settings.hub_url, most=settings.relayed) if settings.relayed else None
    calls = _with_files(wire, house, settings)
    return Shell(calls, pages, files, sockets=relay, hosts=settings.hosts, secure=not settings.demo)


def _with_files(wire: Wire, house: House, settings: Settings) -> Uploads:
    """The kernel, and before it what takes files in and gives them out."""

    async def put(path: str, file: Incoming) -> UploadAnswer:
        kept = await uploads.put(house, path, file)
        return UploadAnswer(upload_id=kept.id, url=kept.url)

    return Uploads(
        wire.kernel,
        all_calls(demo=settings.demo),
        ports=FilePorts(put, partial(uploads.show, house)),
        limits=wire.limits,
        trusted_proxies=networks_of(settings.trusted_proxies),
        most_bytes=house.terms.upload_max * MB,
    )


def make_server(app: Shell, settings: Settings) -> Server:
    """One that runs in our own loop; signals stay ours. Who is silent before a request's headers are whole is cut off.

    HTTP/1.1 alone: where it waits to see which version comes, a connection that says nothing would stay for ever.
    Idle connections cost little, but at `backpressure` of them all others wait: so there may be many.
    """
    connections = min(_MOST_CONNECTIONS, allow_files(_MOST_CONNECTIONS + _OWN_FILES) - _OWN_FILES)
    return Server(
        app,
        address=settings.host,
        port=settings.port,
        interface=Interfaces.ASGI,
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=_HEAD_SECONDS * 1000, max_buffer_size=_HEAD_BYTES),
        websockets=settings.relayed > 0,
        backlog=2048,
        backpressure=max(1, connections),
        log_enabled=False,
    )


async def main(settings: Settings) -> None:
    """Serve until cancelled."""
    preempt_nobody()
    async with open_house(settings) as house, open_wire(house, settings) as wire, serve_metrics(settings):
        refuse_taken(settings.port, settings.host)
        server = make_server(make_app(wire, house, settings), settings)
        serving = asyncio.create_task(server.serve())
        collect_seldom()
        _log.info("serving", port=settings.port)
        try:
            await asyncio.shield(serving)
        finally:
            server.stop()  # type: ignore[no-untyped-call]
            await serving


def session_cache(house: House, *, seconds: float, told_seconds: float = 0) -> Cache[bytes, Session]:
    async def find(token_hash: bytes) -> Session | None:
        return await find_session(house.db, token_hash, house.clock.wall())

    return Cache(find, seconds=seconds, told_seconds=told_seconds, most=_MOST_SESSIONS)


def ports(house: House, settings: Settings, sessions: Cache[bytes, Session]) -> Ports:
    """What the kernel is given of this house."""

    def member_of(session: Session | None) -> Member | None:
        return session.member if session is not None and house.clock.wall() < session.until_at else None

    async def find_caller(token_hash: bytes) -> Member | None:
        return member_of(await sessions.find(token_hash))

    def kept_caller(token_hash: bytes) -> Member | None:
        return member_of(sessions.kept(token_hash))

    def context(request: Request) -> Context:
        return Context(
            house=house,
            member=request.member,
            path=request.path,
            lang=request.lang,
            network="" if settings.demo and is_loopback(request.network) else request.network,
            device=request.device,
            session=request.session,
            fingerprint=request.fingerprint if "request_id" in request.fields else b"",
            file=request.file,
        )

    async def find_posted(ctx: Context, body: Any) -> Posted | None:
        return await ctx.find_posted(body.request_id)

    return Ports(find_caller, context, find_posted, kept_caller, sessions.forget)


def staff_ports(house: House, settings: Settings) -> Ports:
    """The same for the console. Its sessions are read at each call: whoever was ended is so at once, everywhere."""
    numbers = load_numbers(settings.terms_file)

    async def find_caller(token_hash: bytes) -> Staff | None:
        return await find_staff_caller(house.db, token_hash, house.clock.wall())

    def context(request: Request) -> Desk:
        return Desk(
            house=house,
            numbers=numbers,
            staff=request.member,
            path=request.path,
            network="" if settings.demo and is_loopback(request.network) else request.network,
            device=request.device,
            session=request.session,
            fingerprint=request.fingerprint if "request_id" in request.fields else b"",
        )

    async def find_posted(_: Desk, __: Any) -> None:
        return None  # each call of staff says itself where it is found

    return Ports(find_caller, context, find_posted)


def _page(scope: Scope, keys: Keys, settings: Settings) -> Page:
    live = settings.live_url or f"ws://{host_of(scope)}:{settings.socket_port}/ws"
    metas = {"kalos-mode": settings.mode, "kalos-live": live, "kalos-wire-keys": json.dumps(keys.document())}
    return Page(metas, (live.rpartition("/")[0],))


def _always(make: Callable[[], Any]) -> Callable[[], Awaitable[tuple[int, Any]]]:
    async def answer() -> tuple[int, Any]:
        return 200, make()

    return answer
