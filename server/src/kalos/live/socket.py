"""One socket: reads the client's operations, keeps its subscriptions, and never queues without bound."""

import time
from typing import TYPE_CHECKING, Any, Final

import msgspec
from picows import WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport

from kalos.live.channels import Visitor

if TYPE_CHECKING:
    from kalos.live.hub import Hub

MAX_FRAME_BYTES: Final = 4096
MAX_ARGS: Final = 20
MESSAGES_PER_SECOND: Final = 10
SILENT_SECONDS: Final = 60
SKIP_ABOVE_BYTES: Final = 64 * 1024
DROP_ABOVE_BYTES: Final = 1024 * 1024
_TEXT: Final = WSMsgType.TEXT


class Arg(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a subscription names; `instId` belongs to the market channels."""

    channel: str
    instId: str = ""  # noqa: N815 — the wire's own name


class Operation(msgspec.Struct, frozen=True):
    op: str
    args: list[Arg]


_decode = msgspec.json.Decoder(Operation).decode
_encode = msgspec.json.Encoder().encode


class Subscription:
    """`waiting` holds the updates that come while the snapshot is read; `stale`: updates were skipped.

    It keeps at hand what each update needs: with thousands of sockets the way to it would cost more than the rest.
    """

    __slots__ = ("_send", "_socket", "_unread", "stale", "waiting")

    def __init__(self, socket: "Socket") -> None:
        assert socket.transport is not None
        self._socket = socket
        self._send = socket.transport.send
        self._unread = socket.transport.underlying_transport.get_write_buffer_size
        self.waiting: list[bytes] | None = []
        self.stale = False

    def push(self, message: bytes) -> None:
        """Send an update, keep it behind the snapshot, or skip it where the reader is slow."""
        if self.waiting is not None:
            self.waiting.append(message)
            if len(self.waiting) > MAX_ARGS:
                self.waiting.clear()
                self.stale = True
            return
        unread = self._unread()
        if unread <= SKIP_ABOVE_BYTES:
            self._send(_TEXT, message)
        elif unread <= DROP_ABOVE_BYTES:
            self.stale = True
        else:
            self._socket.send(message)


class Socket(WSListener):
    """States: waiting for its visitor (operations are kept), open, closed."""

    def __init__(self, hub: "Hub", token: str) -> None:
        self.hub = hub
        self.token = token
        self.visitor: Visitor | None = None
        self.subscriptions: dict[str, Subscription] = {}
        self.transport: WSTransport | None = None
        self.heard_at = time.monotonic()
        self._early: list[bytes] = []
        self._second = 0
        self._messages = 0

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport
        self.hub.enter(self)

    def on_ws_disconnected(self, transport: WSTransport) -> None:  # noqa: ARG002 — picows' own signature
        self.transport = None
        self.hub.leave(self)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        self.heard_at = time.monotonic()
        if frame.msg_type == WSMsgType.CLOSE:
            transport.disconnect()
        elif self._too_many():
            self.close(WSCloseCode.POLICY_VIOLATION)
        elif frame.msg_type == WSMsgType.PING:
            self.send(frame.get_payload_as_bytes(), WSMsgType.PONG)
        elif frame.msg_type == WSMsgType.TEXT and not frame.fin:
            self.close(WSCloseCode.MESSAGE_TOO_BIG)
        elif frame.msg_type == WSMsgType.TEXT:
            self._read(frame.get_payload_as_bytes())

    def pause_writing(self) -> None:
        """Slow readers are looked after where they are sent to; without these two each would fill the log."""

    def resume_writing(self) -> None:
        pass

    def admit(self, visitor: Visitor) -> None:
        """The token was good: carry out what came meanwhile."""
        self.visitor = visitor
        early, self._early = self._early, []
        for message in early:
            self._read(message)

    def send(self, message: bytes, kind: WSMsgType = WSMsgType.TEXT) -> None:
        """Queue a message; a reader who leaves too much unread is dropped."""
        if self.transport is None:
            return
        if self.backlog() > DROP_ABOVE_BYTES:
            self.transport.disconnect(False)
        else:
            self.transport.send(kind, message)

    def backlog(self) -> int:
        """Bytes that the reader hasn't taken yet."""
        if self.transport is None:
            return 0
        return int(self.transport.underlying_transport.get_write_buffer_size())

    def close(self, code: WSCloseCode) -> None:
        if self.transport is not None:
            self.transport.send_close(code)
            self.transport.disconnect()

    def _too_many(self) -> bool:
        second = int(self.heard_at)
        self._messages = self._messages + 1 if second == self._second else 1
        self._second = second
        return self._messages > MESSAGES_PER_SECOND

    def _read(self, message: bytes) -> None:
        if message == b"ping":
            self.send(b"pong")
            return
        if self.visitor is None:
            if len(self._early) < MAX_ARGS:
                self._early.append(message)
            return
        try:
            operation = _decode(message)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            self._refuse(400, "invalid_input")
            return
        if operation.op not in ("subscribe", "unsubscribe") or not 0 < len(operation.args) <= MAX_ARGS:
            self._refuse(400, "invalid_input")
            return
        for arg in operation.args:
            if arg.channel not in self.hub.channels:
                self._refuse(404, "not_found")
            elif operation.op == "subscribe":
                self._answer("subscribe", arg)
                self.hub.subscribe(self, arg.channel)
            else:
                self.hub.unsubscribe(self, arg.channel)
                self._answer("unsubscribe", arg)

    def _answer(self, event: str, arg: Arg) -> None:
        self.send(_encode({"event": event, "arg": arg}))

    def _refuse(self, code: int, name: str) -> None:
        self.send(_encode({"event": "error", "code": code, "msg": name}))


def frame_of(channel: str, action: str, rows: list[Any]) -> bytes:
    """Build a push once for all its readers."""
    return _encode({"arg": {"channel": channel}, "action": action, "data": rows})
