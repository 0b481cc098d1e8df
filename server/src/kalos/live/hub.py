"""The hub: all sockets of this process, and what is pushed to them."""

import asyncio
import logging
import math
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qs

import structlog
from picows import WSCloseCode, WSUpgradeRequest, WSUpgradeResponse, WSUpgradeResponseWithListener, ws_create_server

from kalos.core.errors import Outage
from kalos.live.channels import Channel, Limits, Ports, Visitor
from kalos.live.crowd import Crowd, Subscription, frame_of
from kalos.live.metrics import REFUSED
from kalos.live.socket import MAX_FRAME_BYTES, Socket
from kalos.live.state import SOCKETS, SOCKETS_LIMIT

MAX_OF_MEMBER: Final = 20
_RENEW_SECONDS: Final = 0.25
_LOOKS_APART_SECONDS: Final = 0.05
_SESSIONS_SECONDS: Final = 0.75  # an ended one is noticed within a second, also where no notice comes
_TOLD_SECONDS: Final = 5.0  # without a look, while it is certain that every notice comes
_AT_ONCE: Final = 500
_log = structlog.get_logger("live")


class Hub:
    """Serves `channels` to whoever its ports let in; `origins` are the pages that may open a socket."""

    def __init__(
        self, *, channels: Sequence[Channel], ports: Ports, origins: Sequence[str], limits: Limits | None = None
    ) -> None:
        self.channels = {channel.name: channel for channel in channels}
        self.sockets: set[Socket] = set()
        self.say = ports.say
        self._ports = ports
        self._limits = limits or Limits()
        self._origins = frozenset(origins)
        self._crowds = {channel.name: Crowd(channel.name) for channel in channels}
        self._of_member: dict[int, set[Socket]] = {}
        self._of_session: dict[bytes, set[Socket]] = {}
        self._waiting: Counter[str] = Counter()
        self._waiting_in_all = 0
        self._newcomers: dict[str, list[Subscription]] = {channel.name: [] for channel in channels}
        self._welcoming: set[str] = set()
        self._stale: set[Subscription] = set()
        self._shut = False
        self._doubted = asyncio.Event()
        self._notices = 0
        self._heard_at = self._looked_at = -math.inf
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        SOCKETS_LIMIT.set(self._limits.sockets)

    async def start(self, host: str, port: int) -> None:
        self._server = await ws_create_server(
            self._route,
            host,
            port,
            max_frame_size=MAX_FRAME_BYTES,
            enable_auto_pong=False,  # a pong counts and is bounded like every other answer
            logger_name=_Log(logging.getLogger("picows.live")),
        )
        self._spawn(self._repeat(self._begin_anew))
        self._spawn(self._repeat(self._drop_silent))
        self._spawn(self._repeat(self._drop_ended))

    async def stop(self) -> None:
        """Close every socket with "going away": its client comes back after a second."""
        if self._server is not None:
            self._server.close()
        for socket in list(self.sockets):
            socket.close(WSCloseCode.GOING_AWAY)
        for task in list(self._tasks):
            task.cancel()

    @property
    def port(self) -> int:
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    def listening(self, channel: str, members: Iterable[int]) -> set[int]:
        """Those of the members who listen to a channel."""
        return {
            member
            for member in members
            if any(channel in socket.subscriptions for socket in self._of_member.get(member, ()))
        }

    def publish(self, channel: str, rows: list[Any], *, member: int | None = None) -> None:
        """Push an update to everybody who listens, or to one member's sockets."""
        if member is None:
            self._crowds[channel].publish(rows)
            return
        message = frame_of(channel, "update", rows)
        for socket in list(self._of_member.get(member, ())):
            if channel in socket.subscriptions:
                socket.subscriptions[channel].push(message)

    def shut(self, reason: str) -> None:
        """Turn everybody away until `refresh`: there is nothing to tell."""
        self._shut = True
        for socket in list(self.sockets):
            socket.drop(reason, WSCloseCode.TRY_AGAIN_LATER)

    def refresh(self) -> None:
        """Every subscription starts anew: updates may have been missed."""
        self._shut = False
        for crowd in self._crowds.values():
            for subscription in crowd:
                self.renew(subscription)

    def refresh_own(self, channel: str, members: Iterable[int]) -> None:
        """What these members' sockets listen to in a channel starts anew."""
        for member in members:
            for socket in self._of_member.get(member, ()):
                if channel in socket.subscriptions:
                    self.renew(socket.subscriptions[channel])

    def renew(self, subscription: Subscription) -> None:
        """It begins anew as soon as its reader takes what is sent."""
        subscription.stale = True
        subscription.become(current=False)
        self._stale.add(subscription)

    def end(self, session: bytes) -> None:
        """The session has ended, and its sockets with it."""
        self._notices += 1
        for socket in list(self._of_session.get(session, ())):
            socket.drop("session", WSCloseCode.POLICY_VIOLATION)

    def doubt(self) -> None:
        """Any session may have ended: look at once."""
        self._notices += 1
        self._doubted.set()

    def heard(self, at: float) -> None:
        """Every session that ended before `at` (`time.monotonic`) has been told of."""
        self._heard_at = at

    def enter(self, socket: Socket) -> None:
        """Its token is looked at, unless too many wait for that."""
        assert socket.transport is not None
        peer = socket.transport.underlying_transport.get_extra_info("peername")
        socket.network = self._ports.network_of(peer[0] if peer else "", socket.forwarded)
        self.sockets.add(socket)
        self._waiting[socket.network] += 1
        self._waiting_in_all += 1
        SOCKETS.set(len(self.sockets))
        if self._waiting_in_all > self._limits.waiting:
            self._refuse(socket, "waiting", WSCloseCode.TRY_AGAIN_LATER)
        elif socket.network and self._waiting[socket.network] > self._limits.waiting_of_network:
            self._refuse(socket, "network", WSCloseCode.TRY_AGAIN_LATER)
        else:
            self._spawn(self._admit(socket))

    def leave(self, socket: Socket) -> None:
        self.sockets.discard(socket)
        SOCKETS.set(len(self.sockets))
        for channel in list(socket.subscriptions):
            self.unsubscribe(socket, channel)
        if socket.visitor is None:
            self._count_out(socket)
        else:
            _take_out(self._of_member, socket.visitor.member, socket)
            _take_out(self._of_session, socket.visitor.session, socket)

    def subscribe(self, socket: Socket, channel: str) -> None:
        """A channel starts with its snapshot; updates that come meanwhile follow it.

        Asked again while its snapshot is being read, that one serves: many words in one frame cost one look.
        """
        present = socket.subscriptions.get(channel)
        if present is not None and present.waiting is not None and not present.stale:
            return
        self.unsubscribe(socket, channel)
        subscription = socket.subscriptions[channel] = Subscription(socket, channel)
        self._crowds[channel].add(subscription)
        if self.channels[channel].own:
            self._spawn(self._look(channel, [subscription]))
        else:
            self._newcomers[channel].append(subscription)
            if channel not in self._welcoming:
                self._welcoming.add(channel)
                self._spawn(self._welcome(channel))

    def unsubscribe(self, socket: Socket, channel: str) -> None:
        present = socket.subscriptions.pop(channel, None)
        if present is not None:
            present.end()
            self._crowds[channel].discard(present)
            self._stale.discard(present)

    def _route(self, request: WSUpgradeRequest) -> WSUpgradeResponseWithListener | Socket:
        path, _, query = request.path.decode("latin-1").partition("?")
        if path != "/ws":
            return _refused("address", HTTPStatus.NOT_FOUND)
        if request.headers.get("Origin", "") not in self._origins:
            return _refused("origin", HTTPStatus.FORBIDDEN)
        if self._shut:
            return _refused("shut", HTTPStatus.SERVICE_UNAVAILABLE)
        if len(self.sockets) >= self._limits.sockets:
            return _refused("sockets", HTTPStatus.SERVICE_UNAVAILABLE)
        asked = parse_qs(query)
        return Socket(
            self,
            token=asked.get("token", [""])[0],
            language=asked.get("lang", [request.headers.get("lang", "")])[0],
            forwarded=", ".join(request.headers.getall("X-Forwarded-For", [])),
        )

    async def _admit(self, socket: Socket) -> None:
        try:
            visitor = await self._visitor(socket.token)
        except Outage:
            self._refuse(socket, "outage", WSCloseCode.TRY_AGAIN_LATER)
            return
        except Exception:
            self._refuse(socket, "bug", WSCloseCode.INTERNAL_ERROR)
            raise
        if visitor is None:
            self._refuse(socket, "token", WSCloseCode.POLICY_VIOLATION)
        elif len(self._of_member.get(visitor.member, ())) >= MAX_OF_MEMBER:
            self._refuse(socket, "member", WSCloseCode.TRY_AGAIN_LATER)
        elif socket in self.sockets:
            self._count_out(socket)
            self._of_member.setdefault(visitor.member, set()).add(socket)
            self._of_session.setdefault(visitor.session, set()).add(socket)
            socket.admit(visitor)

    async def _visitor(self, token: str) -> Visitor | None:
        """Who came. A session may end while it is read: its notice finds no socket yet, so it is looked at again."""
        notices = self._notices
        visitor = await self._ports.authenticate(token)
        while visitor is not None and notices != self._notices:
            notices = self._notices
            if visitor.session not in await self._ports.living([visitor.session]):
                return None
        return visitor

    def _refuse(self, socket: Socket, reason: str, code: WSCloseCode) -> None:
        REFUSED.labels(reason).inc()
        socket.close(code)

    def _count_out(self, socket: Socket) -> None:
        self._waiting_in_all -= 1
        self._waiting[socket.network] -= 1
        if not self._waiting[socket.network]:
            del self._waiting[socket.network]

    async def _welcome(self, channel: str) -> None:
        """One look at a time, each for all who came before it began: a whole crowd after a restart, or one who asks
        again and again.
        """
        while newcomers := self._newcomers[channel]:
            self._newcomers[channel] = []
            look = self._spawn(self._look(channel, newcomers))
            await asyncio.gather(look, asyncio.sleep(_LOOKS_APART_SECONDS), return_exceptions=True)
        self._welcoming.discard(channel)

    async def _look(self, channel: str, subscriptions: list[Subscription]) -> None:
        """Read the channel's state for one member's subscription, or for those that all see the same."""
        visitor = subscriptions[0].socket.visitor
        assert visitor is not None
        try:
            rows = await self.channels[channel].snapshot(visitor.member)
        except Exception as problem:
            for subscription in subscriptions:
                if not subscription.ended:
                    self.renew(subscription)
            if isinstance(problem, Outage):
                return
            raise
        message = frame_of(channel, "snapshot", rows)
        for number, subscription in enumerate(subscriptions):
            if number % _AT_ONCE == _AT_ONCE - 1:
                await asyncio.sleep(0)  # the loop reads what came
            subscription.begin(message)

    async def _repeat(self, work: Callable[[], Awaitable[None]]) -> None:
        """Whatever goes wrong once, the next turn comes: else nobody's ended session would be noticed any more."""
        while True:
            try:
                await work()
            except Outage:
                await asyncio.sleep(_RENEW_SECONDS)
            except Exception as bug:  # noqa: BLE001 - see above
                _log.error("a turn of the hub failed", exc_info=bug)
                await asyncio.sleep(_RENEW_SECONDS)

    async def _begin_anew(self) -> None:
        """Readers whom updates passed by, once they have read what they have."""
        await asyncio.sleep(_RENEW_SECONDS)
        for subscription in list(self._stale):
            if subscription.socket.has_read:
                self.subscribe(subscription.socket, subscription.channel)

    async def _drop_silent(self) -> None:
        await asyncio.sleep(min(1.0, self._limits.idle_seconds / 4))
        heard = time.monotonic() - self._limits.idle_seconds
        for socket in [socket for socket in self.sockets if socket.heard_at < heard]:
            socket.drop("silent", WSCloseCode.GOING_AWAY)

    async def _drop_ended(self) -> None:
        """Look at all sessions, some at a time; nothing is known of those that came while it was asked."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._look_due() - time.monotonic()):
                await self._doubted.wait()
        if not self._doubted.is_set() and time.monotonic() < self._look_due():
            return  # it was heard meanwhile that none has ended
        self._doubted.clear()
        begun, self._looked_at = time.monotonic(), -math.inf  # a look that breaks off counts for nothing
        sessions = list(self._of_session)
        for begin in range(0, len(sessions), _AT_ONCE):
            asked = sessions[begin : begin + _AT_ONCE]
            for ended in set(asked) - await self._ports.living(asked):
                self.end(ended)
        self._looked_at = begun

    def _look_due(self) -> float:
        """Notices that are heard stand for looks, for some seconds: nobody tells of a session whose time is over."""
        known_at = max(self._looked_at, self._heard_at)
        return min(known_at + _SESSIONS_SECONDS, self._looked_at + _TOLD_SECONDS)

    def _spawn(self, coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("live task failed", exc_info=task.exception())


class _Log(logging.LoggerAdapter[logging.Logger]):
    """The library's, without its line for each frame that is none: else whoever sends nonsense writes our log."""

    def error(self, msg: object, *args: object, **more: Any) -> None:
        if not str(msg).startswith("WS parser error"):
            super().error(msg, *args, **more)


def _take_out(sockets: dict[Any, set[Socket]], key: object, socket: Socket) -> None:
    sockets[key].discard(socket)
    if not sockets[key]:
        del sockets[key]


def _refused(reason: str, status: HTTPStatus) -> WSUpgradeResponseWithListener:
    REFUSED.labels(reason).inc()
    return WSUpgradeResponseWithListener(WSUpgradeResponse.create_error_response(status), None)
