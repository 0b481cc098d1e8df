"""The hub: all sockets of this process, and what is pushed to them."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import structlog
from picows import WSCloseCode, WSUpgradeRequest, WSUpgradeResponse, WSUpgradeResponseWithListener, ws_create_server

from kalos.core.errors import Outage
from kalos.live.channels import Authenticate, Channel, Living
from kalos.live.socket import MAX_FRAME_BYTES, SILENT_SECONDS, SKIP_ABOVE_BYTES, Socket, Subscription, frame_of

MAX_SOCKETS: Final = 20_000
MAX_OF_MEMBER: Final = 20
_LOOK_SECONDS: Final = 0.25
_SESSIONS_SECONDS: Final = 0.75
_log = structlog.get_logger("live")


class Hub:
    """Serves `channels` to whoever `authenticate` lets in; `origins` are the pages that may open a socket."""

    def __init__(
        self, *, channels: Sequence[Channel], authenticate: Authenticate, living: Living, origins: Sequence[str]
    ) -> None:
        self.channels = {channel.name: channel for channel in channels}
        self.sockets: set[Socket] = set()
        self._authenticate = authenticate
        self._living = living
        self._origins = frozenset(origins)
        self._readers: dict[str, dict[Socket, Subscription]] = {name: {} for name in self.channels}
        self._of_member: dict[int, set[Socket]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def start(self, host: str, port: int) -> None:
        self._server = await ws_create_server(
            self._route,
            host,
            port,
            max_frame_size=MAX_FRAME_BYTES,
            enable_auto_pong=False,  # a pong counts and is bounded like every other answer
            logger_name="live",
        )
        self._spawn(self._repeat(_LOOK_SECONDS, self._look_after_all))
        self._spawn(self._repeat(_SESSIONS_SECONDS, self._drop_ended))

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

    def readers(self, channel: str) -> set[int]:
        """The members who listen to a channel."""
        return {socket.visitor.member for socket in self._readers[channel] if socket.visitor is not None}

    def publish(self, channel: str, rows: list[Any], *, member: int | None = None) -> None:
        """Push an update to everybody who listens, or to one member's sockets."""
        message = frame_of(channel, "update", rows)
        readers = self._readers[channel]
        if member is None:
            subscriptions = list(readers.values())
        else:
            subscriptions = [readers[socket] for socket in self._of_member.get(member, ()) if socket in readers]
        for subscription in subscriptions:
            subscription.push(message)

    def refresh(self) -> None:
        """Every subscription starts anew: updates may have been missed."""
        for socket in self.sockets:
            for subscription in socket.subscriptions.values():
                subscription.stale = True

    def enter(self, socket: Socket) -> None:
        self.sockets.add(socket)
        self._spawn(self._admit(socket))

    def leave(self, socket: Socket) -> None:
        self.sockets.discard(socket)
        for channel in list(socket.subscriptions):
            self.unsubscribe(socket, channel)
        if socket.visitor is not None:
            own = self._of_member[socket.visitor.member]
            own.discard(socket)
            if not own:
                del self._of_member[socket.visitor.member]

    def subscribe(self, socket: Socket, channel: str) -> None:
        """A channel starts with its snapshot; updates that come meanwhile follow it.

        Asked again while its snapshot is being read, that one serves: many words in one frame cost one look.
        """
        present = socket.subscriptions.get(channel)
        if present is not None and present.waiting is not None and not present.stale:
            return
        subscription = Subscription(socket)
        socket.subscriptions[channel] = self._readers[channel][socket] = subscription
        self._spawn(self._snapshot(socket, channel, subscription))

    def unsubscribe(self, socket: Socket, channel: str) -> None:
        socket.subscriptions.pop(channel, None)
        self._readers[channel].pop(socket, None)

    def _route(self, request: WSUpgradeRequest) -> WSUpgradeResponseWithListener | Socket:
        address = urlsplit(request.path.decode("latin-1"))
        if address.path != "/ws":
            return _refused(HTTPStatus.NOT_FOUND)
        if request.headers.get("Origin", "") not in self._origins:
            return _refused(HTTPStatus.FORBIDDEN)
        if len(self.sockets) >= MAX_SOCKETS:
            return _refused(HTTPStatus.SERVICE_UNAVAILABLE)
        return Socket(self, parse_qs(address.query).get("token", [""])[0])

    async def _admit(self, socket: Socket) -> None:
        visitor = None
        try:
            visitor = await self._authenticate(socket.token)
        except Outage:
            socket.close(WSCloseCode.TRY_AGAIN_LATER)
            return
        if visitor is None:
            socket.close(WSCloseCode.POLICY_VIOLATION)
        elif len(self._of_member.get(visitor.member, ())) >= MAX_OF_MEMBER:
            socket.close(WSCloseCode.TRY_AGAIN_LATER)
        elif socket in self.sockets:
            self._of_member.setdefault(visitor.member, set()).add(socket)
            socket.admit(visitor)

    async def _snapshot(self, socket: Socket, channel: str, subscription: Subscription) -> None:
        assert socket.visitor is not None
        try:
            rows = await self.channels[channel].snapshot(socket.visitor.member)
        except Exception as problem:
            subscription.stale = True  # the tick tries again
            if isinstance(problem, Outage):
                return
            raise
        if socket.subscriptions.get(channel) is not subscription:
            return
        socket.send(frame_of(channel, "snapshot", rows))
        waiting, subscription.waiting = subscription.waiting or [], None
        for message in waiting:
            socket.send(message)

    async def _repeat(self, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        """Whatever goes wrong once, the next turn comes: else nobody's ended session would be noticed any more."""
        while True:
            await asyncio.sleep(seconds)
            try:
                await work()
            except Outage:
                continue
            except Exception as bug:  # noqa: BLE001 - see above
                _log.error("a turn of the hub failed", exc_info=bug)

    async def _look_after_all(self) -> None:
        """Refresh readers who caught up, drop silent ones."""
        for socket in list(self.sockets):
            self._look_after(socket)

    def _look_after(self, socket: Socket) -> None:
        if time.monotonic() - socket.heard_at > SILENT_SECONDS:
            socket.close(WSCloseCode.GOING_AWAY)
            return
        if socket.backlog() > SKIP_ABOVE_BYTES // 4:
            return
        for channel, subscription in list(socket.subscriptions.items()):
            if subscription.stale:
                self.subscribe(socket, channel)

    async def _drop_ended(self) -> None:
        """Close the sockets whose session has ended; nothing is known of those that came while it was asked."""
        asked = {s.visitor.session for s in self.sockets if s.visitor is not None}
        ended = asked - await self._living(list(asked)) if asked else set()
        for socket in list(self.sockets) if ended else ():
            if socket.visitor is not None and socket.visitor.session in ended:
                socket.close(WSCloseCode.POLICY_VIOLATION)

    def _spawn(self, coroutine: Any) -> None:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("live task failed", exc_info=task.exception())


def _refused(status: HTTPStatus) -> WSUpgradeResponseWithListener:
    return WSUpgradeResponseWithListener(WSUpgradeResponse.create_error_response(status), None)
