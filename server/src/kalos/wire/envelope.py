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
from kalos.wire.strict_json import NotStrict, bad_texts, may_be_bad, parse_object

Mode = Literal["plain", "signed", "sealed"]

_SEALED_FIELDS: Final = {"v", "sid", "data"}
_NONCE = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)
_STATED_NONCE = re.compile(rb'"nonce": ?"([A-Za-z0-9_-]{22})"')
_SIGN = re.compile(r"[0-9A-F]{64}", re.ASCII)
_MAX_SID: Final = 400


class Surroundings(msgspec.Struct, frozen=True, gc=False):
    """What is signed besides the fields; `lang` is the header as it came."""

    method: str
    path: str
    lang: str
    token: str


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
        return b'{"code":%d,"msg":%b,"enc":1,"data":"%b"}' % (code, msgspec.json.encode(msg), sealed.encode())


def plain_answer(code: int, msg: str, data: bytes) -> bytes:
    return _head(code, msg) + data + b"}"


@lru_cache(maxsize=1_000)
def _head(code: int, msg: str) -> bytes:
    return b'{"code":%d,"msg":%b,"data":' % (code, msgspec.json.encode(msg))


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

    def unwrap(self, raw: bytes, around: Surroundings, call: Incoming, *, plain_only: bool = False) -> Awaitable[None]:
        """Fill `call` from the body, a plain one at once (FREE); `plain_only` is for what comes before any channel.

        Raises: InvalidInput, BadSignature, StaleTime, Replay, UnknownChannel, EnvelopeRequired, Outage.
        """
        outer = _strict(raw) if plain_only else self._outer(raw)
        call.mode = "plain" if plain_only else _mode_of(outer)
        if call.mode not in self._modes and not plain_only:
            raise EnvelopeRequired
        call.fields = outer
        if call.mode == "plain":
            _check_texts(call.fields, raw)
            return FREE
        return self._open(raw, around, call)

    async def _open(self, raw: bytes, around: Surroundings, call: Incoming) -> None:
        """What came in a channel."""
        outer, inner = call.fields, raw
        call.channel = await self._channels.find(_sid(outer))
        if call.mode == "sealed":
            inner = _decrypt(call.channel, outer, around)
            call.nonce = _nonce_in(inner)
            call.fields = _strict(inner)
        _check_texts(call.fields, inner)
        await self._verify(call, call.channel, around)

    def _outer(self, raw: bytes) -> dict[str, Any]:
        try:
            return _strict(raw)
        except InvalidInput as problem:
            if self.speaks_plain or "signed" in self._modes:
                raise
            raise EnvelopeRequired from problem

    async def _verify(self, call: Incoming, channel: Channel, around: Surroundings) -> None:
        """Signature, time, nonce; then the wire's own fields are taken out."""
        fields = call.fields  # of a signed call `sid` is wrapping: it is signed as `:session`
        claimed, nonce, timestamp = fields.get("sign"), fields.get("nonce"), fields.get("timestamp")
        call.nonce = nonce if isinstance(nonce, str) and _NONCE.fullmatch(nonce) else ""
        signed = {key: value for key, value in fields.items() if key != "sid"} if call.mode == "signed" else fields
        if not (isinstance(claimed, str) and _SIGN.fullmatch(claimed) and call.nonce and type(timestamp) is int):
            raise BadSignature
        if not channel.signing_key.is_signed(_string(signed, around, channel.sid), claimed):
            raise BadSignature
        now = self._clock.wall() // 1000
        if abs(now - timestamp) > self._window:
            raise StaleTime(server_time=now)
        await self._nonces.use(channel.sid, call.nonce)
        call.fields = {key: value for key, value in signed.items() if key not in ("sign", "nonce", "timestamp")}


def _string(fields: dict[str, Any], around: Surroundings, sid: str) -> str:
    where = {"token": around.token, "lang": around.lang, "method": around.method, "path": around.path}
    try:
        return signing.signing_string(fields, **where, session=sid)
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


def _decrypt(channel: Channel, outer: dict[str, Any], around: Surroundings) -> bytes:
    if outer["v"] != 1 or type(outer["v"]) is not int or not isinstance(outer["data"], str):
        raise BadSignature
    try:
        return channel.open_request(outer["data"], method=around.method, path=around.path)
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
