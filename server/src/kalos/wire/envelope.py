"""The three forms of a call: what comes out of its wrapping, and what its answer is wrapped in.

Handlers, validation and the OpenAPI document see only the inner JSON. Source: wire.md, steps 3 to 5.
"""

import re
from collections.abc import Awaitable, Collection
from functools import lru_cache
from typing import Any, Final, Literal

import msgspec

from kalos.core.clock import Clock
from kalos.core.errors import InvalidInput
from kalos.wire import signing
from kalos.wire.channel import Channel, Unreadable
from kalos.wire.channels import Channels
from kalos.wire.errors import ALWAYS_PLAIN, BadSignature, EnvelopeRequired, StaleTime
from kalos.wire.free import FREE
from kalos.wire.replay import Nonces
from kalos.wire.request import Request
from kalos.wire.strict_json import NotStrict, bad_texts, may_be_bad, parse_object

Mode = Literal["plain", "signed", "sealed"]

METHOD: Final = "POST"
"""Of every call that is signed or sealed."""
_TICKET: Final = b'{"v":1,"sid":"'
_TEXT: Final = b'","data":"'
_END: Final = b'"}'
_SEALED_FIELDS: Final = {"v", "sid", "data"}
_NONCE = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)
_STATED_NONCE = re.compile(rb'"nonce": ?"([A-Za-z0-9_-]{22})"')
_SIGN = re.compile(r"[0-9A-F]{64}", re.ASCII)
_MAX_SID: Final = 400


class Incoming(msgspec.Struct):
    """A call while it is unwrapped: as soon as its channel and nonce are known, refusals are sealed for it too."""

    fields: dict[str, Any]
    mode: Mode = "plain"
    channel: Channel | None = None
    nonce: str = ""

    def wrap(self, code: int, msg: str, data: bytes) -> bytes:
        if self.mode != "sealed" or self.channel is None or code in ALWAYS_PLAIN:
            return plain_answer(code, msg, data)
        sealed = self.channel.seal_answer(data, nonce=self.nonce, code=code, msg=msg)
        return b'%b"enc":1,"data":"%b"}' % (_head(code, msg), sealed)


def plain_answer(code: int, msg: str, data: bytes) -> bytes:
    return b'%b"data":%b}' % (_head(code, msg), data)


@lru_cache(maxsize=1_000)
def _head(code: int, msg: str) -> bytes:
    return b'{"code":%d,"msg":%b,' % (code, msgspec.json.encode(msg))


class Envelopes:
    """Unwraps calls in the order of wire.md, cheapest check first, failing closed."""

    def __init__(
        self, channels: Channels, nonces: Nonces, clock: Clock, *, window_seconds: int, modes: Collection[Mode]
    ) -> None:
        self._channels = channels
        self._nonces = nonces
        self._clock = clock
        self._window = window_seconds
        self._modes = frozenset(modes)

    @property
    def speaks_plain(self) -> bool:
        return "plain" in self._modes

    def unwrap(self, raw: bytes, request: Request, call: Incoming, *, plain_only: bool = False) -> Awaitable[None]:
        """Fill `call` from the body, a plain one at once (FREE); `plain_only` is for what comes before any channel.

        Raises: InvalidInput, BadSignature, StaleTime, Replay, UnknownChannel, EnvelopeRequired, Outage.
        """
        if not plain_only and (inner := self._opened_at_once(raw, request, call)) is not None:
            return self._check(inner, request, call)
        try:
            call.fields = _strict(raw)
        except InvalidInput as problem:
            if plain_only or self.speaks_plain or "signed" in self._modes:
                raise
            raise EnvelopeRequired from problem
        call.mode = "plain" if plain_only else _mode_of(call.fields)
        if call.mode not in self._modes and not plain_only:
            raise EnvelopeRequired
        if call.mode == "plain":
            _check_texts(call.fields, raw)
            return FREE
        return self._open(raw, request, call)

    def _opened_at_once(self, raw: bytes, request: Request, call: Incoming) -> bytes | None:
        """The inner JSON of a sealed body that is spelled as our pages do, in a channel that is at hand.

        None: any other. It is read in full, and what is wrong with it is said then.
        """
        head, _, rest = raw.partition(_TEXT)
        if not (head.startswith(_TICKET) and rest.endswith(_END) and "sealed" in self._modes):
            return None
        channel = self._channels.at_hand(head[len(_TICKET) :].decode("latin-1"))
        if channel is None:
            return None
        try:
            inner = channel.open_request(rest[: -len(_END)], method=METHOD, path=request.path)
        except Unreadable:
            return None
        call.mode, call.channel = "sealed", channel
        return inner

    async def _open(self, raw: bytes, request: Request, call: Incoming) -> None:
        """What came in a channel."""
        outer = call.fields
        call.channel = await self._channels.find(_sid(outer))
        sealed = call.mode == "sealed"
        await self._check(_decrypt(call.channel, outer, request) if sealed else raw, request, call)

    def _check(self, inner: bytes, request: Request, call: Incoming) -> Awaitable[None]:
        """Texts, signature, time; what is returned is the nonce's check. Then the wire's own fields are taken out."""
        assert call.channel is not None
        try:
            if call.mode == "sealed":
                call.fields = _strict(inner)
            _check_texts(call.fields, inner)
        except InvalidInput:
            call.nonce = _nonce_in(inner)
            raise
        fields = call.fields
        if call.mode == "signed":
            del fields["sid"]  # it is wrapping, and signed as `:session`
        claimed, nonce, timestamp = fields.get("sign"), fields.get("nonce"), fields.get("timestamp")
        call.nonce = nonce if isinstance(nonce, str) and _NONCE.fullmatch(nonce) else ""
        if not (isinstance(claimed, str) and _SIGN.fullmatch(claimed) and call.nonce and type(timestamp) is int):
            raise BadSignature
        if not call.channel.signing_key.is_signed(_string(fields, request, call.channel.sid), claimed):
            raise BadSignature
        now = self._clock.wall() // 1000
        if abs(now - timestamp) > self._window:
            raise StaleTime(server_time=now)
        del fields["sign"], fields["nonce"], fields["timestamp"]
        return self._nonces.use(call.channel.sid, call.nonce)


def _string(fields: dict[str, Any], request: Request, sid: str) -> str:
    try:
        return signing.string_of(fields, request.session, request.lang_header, METHOD, request.path, sid)
    except signing.Unsignable as problem:
        raise BadSignature from problem


def _mode_of(outer: dict[str, Any]) -> Mode:
    if outer.keys() == _SEALED_FIELDS:
        return "sealed"
    return "signed" if "sid" in outer and "sign" in outer else "plain"


def _sid(outer: dict[str, Any]) -> str:
    sid = outer["sid"]
    # lists of ids are short, a ticket has one length; anything else is no ticket of ours
    return sid if isinstance(sid, str) and len(sid) <= _MAX_SID else ""


def _decrypt(channel: Channel, outer: dict[str, Any], request: Request) -> bytes:
    if outer["v"] != 1 or type(outer["v"]) is not int or not isinstance(outer["data"], str):
        raise BadSignature
    try:
        return channel.open_request(outer["data"], method=METHOD, path=request.path)
    except Unreadable as problem:
        raise BadSignature from problem


def _nonce_in(inner: bytes) -> str:
    """The nonce of a body that may not be strict JSON: its refusal is sealed for it all the same."""
    found = _STATED_NONCE.search(inner)
    return found[1].decode() if found else ""


def _check_texts(fields: dict[str, Any], raw: bytes) -> None:
    """Raises: InvalidInput."""
    if may_be_bad(raw) and (bad := bad_texts(fields)):
        raise InvalidInput(errors=[{"field": field, "reason": "characters"} for field in bad])


def _strict(raw: bytes) -> dict[str, Any]:
    try:
        return parse_object(raw)
    except NotStrict as problem:
        raise InvalidInput(errors=[{"field": "", "reason": problem.reason}]) from problem
