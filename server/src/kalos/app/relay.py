"""The API's own /ws: carries messages to the live hub and back, for pages that can't reach the hub's port."""

import asyncio
from contextlib import suppress
from typing import Final

from picows import WSCloseCode, WSError, WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from kalos.live.metrics import REFUSED
from kalos.live.socket import MAX_FRAME_BYTES, SLOW_ABOVE_BYTES
from kalos.wire.http import Receive, Scope, Send

_HANDSHAKE_SECONDS: Final = 5.0
_LONGEST_PUSH: Final = 16 << 20
_TOO_LONG: Final = MAX_FRAME_BYTES + 1  # so much is enough for the hub to refuse it
_SEND_SECONDS: Final = 60.0
_CLOSE_SECONDS: Final = 5.0
_PASSED_ON: Final = frozenset((b"origin", b"lang", b"user-agent"))


class Relay:
    """At most `most` sockets at once. Who is let in is the hub's matter: it gets the same token, origin and network."""

    def __init__(self, hub: str, *, most: int) -> None:
        self._hub = hub
        self._most = most
        self.open = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        if self.open >= self._most:
            REFUSED.labels("relayed").inc()
            await _close(send, WSCloseCode.TRY_AGAIN_LATER)
            return
        self.open += 1
        try:
            await self._carry(scope, receive, send)
        finally:
            self.open -= 1

    async def _carry(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            transport, line = await ws_connect(
                _Line,
                f"{self._hub}?{scope['query_string'].decode('latin-1')}",
                extra_headers=_headers(scope),
                websocket_handshake_timeout=_HANDSHAKE_SECONDS,
                max_frame_size=_LONGEST_PUSH,
                max_redirects=0,
                logger_name="relay",
            )
        except (OSError, TimeoutError, WSError):
            await _close(send, WSCloseCode.TRY_AGAIN_LATER)
            return
        assert isinstance(line, _Line)
        tasks: list[asyncio.Task[None]] = []
        try:
            await send({"type": "websocket.accept"})
            tasks += [asyncio.create_task(_up(receive, transport)), asyncio.create_task(line.carry(send))]
            ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            transport.disconnect(graceful=False)
            await asyncio.gather(*tasks, return_exceptions=True)
        if tasks[0] not in ended:
            await _close(send, line.code)


class _Line(WSListener):
    """The hub's side. What the client doesn't take stays with the hub, which treats it as any slow reader."""

    def __init__(self) -> None:
        self.code = WSCloseCode.GOING_AWAY
        self._messages: asyncio.Queue[str | None] = asyncio.Queue()
        self._unread = 0
        self._transport: WSTransport | None = None

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.CLOSE:
            self.code = frame.get_close_code()
            transport.disconnect()
        elif frame.msg_type == WSMsgType.TEXT:
            text = frame.get_payload_as_utf8_text()
            self._messages.put_nowait(text)
            self._unread += len(text)
            if self._unread > SLOW_ABOVE_BYTES:
                transport.underlying_transport.pause_reading()

    def on_ws_disconnected(self, transport: WSTransport) -> None:  # noqa: ARG002 — picows' own signature
        self._transport = None
        self._messages.put_nowait(None)

    def pause_writing(self) -> None:
        """A client may say little, so what waits for the hub is bounded by that."""

    def resume_writing(self) -> None:
        pass

    async def carry(self, send: Send) -> None:
        """Until the hub has closed."""
        while (text := await self._messages.get()) is not None:
            async with asyncio.timeout(_SEND_SECONDS):  # who doesn't read must not keep what the hub has ended
                await send({"type": "websocket.send", "text": text})
            before, self._unread = self._unread, self._unread - len(text)
            if before > SLOW_ABOVE_BYTES >= self._unread and self._transport is not None:
                self._transport.underlying_transport.resume_reading()


async def _up(receive: Receive, transport: WSTransport) -> None:
    """Until the client has closed. What is too long or too much the hub itself refuses to read.

    Frames are put together below us, up to 64 MB a message: granian has no setting for that. `Relay` bounds how many.
    """
    while (message := await receive())["type"] == "websocket.receive":
        text = message.get("text")
        if text is None:
            transport.send(WSMsgType.BINARY, (message.get("bytes") or b"")[:_TOO_LONG])
        else:
            transport.send(WSMsgType.TEXT, text[:_TOO_LONG].encode())


def _headers(scope: Scope) -> list[tuple[str, str]]:
    """What the hub judges by; the peer's address stands behind those that proxies wrote."""
    named = [(name.decode(), value.decode("latin-1")) for name, value in scope["headers"] if name in _PASSED_ON]
    hops = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    return [*named, ("X-Forwarded-For", ", ".join([*hops, scope["client"][0]]))]


async def _close(send: Send, code: WSCloseCode) -> None:
    """Say why. It waits behind what nobody reads: then the end of the call ends the connection without a word."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_CLOSE_SECONDS):
            await send({"type": "websocket.close", "code": code.value})
