"""One socket: reads the client's operations, keeps its subscriptions, and never queues without bound."""

import time
from typing import TYPE_CHECKING, Final

import msgspec
from picows import WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport

from kalos.core.errors import InvalidInput, NotFound, Refusal
from kalos.live.channels import Visitor
from kalos.live.crowd import Subscription, encode
from kalos.live.metrics import DROPPED

if TYPE_CHECKING:
    from kalos.live.hub import Hub

MAX_FRAME_BYTES: Final = 4096
MAX_ARGS: Final = 20
MESSAGES_PER_SECOND: Final = 10
SLOW_ABOVE_BYTES: Final = 64 * 1024
DROP_ABOVE_BYTES: Final = 1024 * 1024


class Arg(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a subscription names; `instId` belongs to the market channels."""

    channel: str
    instId: str = ""  # noqa: N815 — the wire's own name


class Operation(msgspec.Struct, frozen=True):
    op: str
    args: list[Arg]


_decode = msgspec.json.Decoder(Operation).decode


class Socket(WSListener):
    """States: waiting for its visitor (operations are kept), open, closed.

    `direct`: all that was sent has left the transport, and more may be: then others may write to the `descriptor`.
    """

    def __init__(self, hub: "Hub", *, token: str, language: str, forwarded: str) -> None:
        self.hub = hub
        self.token = token
        self.language = language
        self.forwarded = forwarded
        self.network = ""
        self.visitor: Visitor | None = None
        self.subscriptions: dict[str, Subscription] = {}
        self.transport: WSTransport | None = None
        self.descriptor = -1
        self.direct = False
        self.heard_at = time.monotonic()
        self._early: list[bytes] = []
        self._second = 0
        self._messages = 0

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport
        transport.underlying_transport.set_write_buffer_limits(high=0)  # it tells whether it keeps anything
        self.descriptor = transport.underlying_transport.get_extra_info("socket").fileno()
        self.direct = True
        self.hub.enter(self)

    def on_ws_disconnected(self, transport: WSTransport) -> None:  # noqa: ARG002 — picows' own signature
        self.transport = None
        self.hub.leave(self)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if transport.is_close_frame_sent:
            return  # the last word is said, by the library itself where a frame before this one was none
        self.heard_at = time.monotonic()
        if frame.msg_type == WSMsgType.CLOSE:
            transport.disconnect()
        elif self._too_many():
            self.drop("flood", WSCloseCode.POLICY_VIOLATION)
        elif frame.msg_type == WSMsgType.PING:
            self.send(frame.get_payload_as_bytes(), WSMsgType.PONG)
        elif frame.msg_type == WSMsgType.TEXT and not frame.fin:
            self.drop("size", WSCloseCode.MESSAGE_TOO_BIG)
        elif frame.msg_type == WSMsgType.TEXT:
            self._read(frame.get_payload_as_bytes())

    def pause_writing(self) -> None:
        """The kernel doesn't take all: what comes now has to stand behind it, in the transport."""
        self._turn_direct(False)

    def resume_writing(self) -> None:
        assert self.transport is not None
        self._turn_direct(not self.transport.underlying_transport.is_closing())

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
            DROPPED.labels("unread").inc()
            self.transport.disconnect(False)
        else:
            self.transport.send(kind, message)

    def keep(self, rest: bytes) -> None:
        """Have the transport send the rest of a frame, or see that the socket is lost."""
        assert self.transport is not None
        self.transport.underlying_transport.write(rest)

    @property
    def slow(self) -> bool:
        """So much is unread that updates pass it by."""
        return self.backlog() > SLOW_ABOVE_BYTES

    @property
    def has_read(self) -> bool:
        """Most of what was too much."""
        return self.backlog() <= SLOW_ABOVE_BYTES // 4

    def backlog(self) -> int:
        """Bytes that the reader hasn't taken yet."""
        if self.transport is None:
            return 0
        return int(self.transport.underlying_transport.get_write_buffer_size())

    def drop(self, reason: str, code: WSCloseCode) -> None:
        """End it with a word; where that was said already, it waits behind what nobody reads: then at once."""
        if self.transport is None:
            return
        if self.transport.is_close_frame_sent:
            self.transport.disconnect(False)
        else:
            DROPPED.labels(reason).inc()
            self.close(code)

    def close(self, code: WSCloseCode) -> None:
        """Say why and end it, at once: what is unread stays so."""
        if self.transport is None:
            return
        unread = self.backlog()
        self._turn_direct(False)
        self.transport.send_close(code)
        self.transport.disconnect(graceful=not unread)

    def _turn_direct(self, direct: bool) -> None:
        self.direct = direct
        for subscription in self.subscriptions.values():
            subscription.direct = direct and subscription.current

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
            self._refuse(InvalidInput)
            return
        if operation.op not in ("subscribe", "unsubscribe") or not 0 < len(operation.args) <= MAX_ARGS:
            self._refuse(InvalidInput)
            return
        for arg in operation.args:
            if arg.channel not in self.hub.channels:
                self._refuse(NotFound)
            elif operation.op == "subscribe":
                self._answer("subscribe", arg)
                self.hub.subscribe(self, arg.channel)
            else:
                self.hub.unsubscribe(self, arg.channel)
                self._answer("unsubscribe", arg)

    def _answer(self, event: str, arg: Arg) -> None:
        self.send(encode({"event": event, "arg": arg}))

    def _refuse(self, refusal: type[Refusal]) -> None:
        said = self.hub.say(self.language, refusal.name)
        self.send(encode({"event": "error", "code": refusal.code, "msg": said}))
