"""What is fuzzed: each target takes bytes and raises AssertionError, or anything else, where it finds a defect."""

import base64
import hashlib
import json
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric import ec

from fuzz.reference import MOST_BYTES, Reading, units_of
from kalos.core.assets import ASSETS
from kalos.core.clock import Clock
from kalos.core.errors import InvalidAmount, InvalidInput, Refusal
from kalos.core.money import parse_amount, text_of
from kalos.core.tokens import digest
from kalos.wire import channel, signing
from kalos.wire.channel import Unreadable
from kalos.wire.channels import Channels
from kalos.wire.envelope import Envelopes, Incoming
from kalos.wire.errors import BadSignature, Replay
from kalos.wire.invalid import convert
from kalos.wire.keys import Keys, TicketKey
from kalos.wire.networks import networks_of
from kalos.wire.request import Request, read_request
from kalos.wire.shapes import Paged
from kalos.wire.strict_json import NotStrict, bad_texts, parse_object

Target = Callable[[bytes], None]

_NEVER: Final = 2**62
"""When the keys were last read, so that they never are again: there is no database here."""
_KID, _TICKET, _SECRET = b"fuzzkeys", hashlib.sha256(b"ticket").digest(), hashlib.sha256(b"keys").digest()
_HPKE: Final = ec.derive_private_key(7, ec.SECP256R1())
_TOKEN: Final = "a token"
_REQUEST: Final = Request("/api/user/info", _TOKEN, digest(_TOKEN), "vi", "vi", "", {})


def strict_json(raw: bytes) -> None:
    """Read as a second reader and as json.loads read it, or refused for a reason that is true."""
    reading = Reading(raw)
    reason, found = "", None
    try:
        found = parse_object(raw)
    except NotStrict as refused:
        reason = refused.reason
    if reason or reading.faults:
        assert reason in reading.faults, (reason, reading.faults)
        return
    for other in (reading.value, json.loads(raw)):
        assert repr(found) == repr(other), "a true is no 1, and a 1 no 1.0"
    written = json.dumps(found).encode()
    assert len(written) > MOST_BYTES or parse_object(written) == found
    assert all(isinstance(place, str) for place in bad_texts(found))


def long_json(raw: bytes) -> None:
    """Eight times the bytes take about eight times the time: a pattern, repeated to the size that is just allowed."""
    if not raw:
        return
    before, pattern, times = raw[:8], raw[8:] or raw, []
    for size in (MOST_BYTES // 8, MOST_BYTES):
        text = (before + pattern * (size // len(pattern)))[:size]
        times.append(min(_seconds(text) for _ in range(3)))
    assert times[1] < 24 * times[0] + 0.05, times


def _seconds(raw: bytes) -> float:
    began, reason = time.process_time(), ""
    try:
        bad_texts(parse_object(raw))
    except NotStrict as refused:
        reason = refused.reason
    assert reason != "size"
    return time.process_time() - began


def amount(raw: bytes) -> None:
    """Read exactly as a second reader reads it; what is written again is read as the same. The first byte chooses."""
    if not raw:
        return
    asset = ASSETS[raw[0] % len(ASSETS)]
    stated: str | int = raw[1:].decode("utf-8", "replace")
    if raw[0] & 0x80:
        stated = int.from_bytes(raw[1:], "big", signed=True)
    expected = units_of(str(stated), scale=asset.scale, most=asset.maximum_units)
    try:
        found = parse_amount(stated, asset)
    except InvalidAmount:
        assert expected is None, expected
        return
    assert found.units == expected
    assert parse_amount(text_of(found.units, asset), asset) == found


def sealed_texts(raw: bytes) -> None:
    """Whatever a caller states as hello, ticket or sealed body: it opens or is unreadable."""
    text = raw.decode("utf-8", "replace")
    for reads in (
        lambda: _CHANNEL.open_request(text, method="POST", path="/api/user/info"),
        lambda: _CHANNEL.open_request(base64.b64encode(raw).decode(), method="POST", path="/api/user/info"),
        lambda: channel.open_hello(_HPKE, text, kid="k", origin="http://localhost"),
        lambda: channel.open_hello(_HPKE, base64.b64encode(raw).decode(), kid="k", origin="http://localhost"),
        lambda: channel.ticket_kid(text),
        lambda: channel.open_ticket(text, _TICKET),
        lambda: channel.open_ticket(base64.urlsafe_b64encode(raw).rstrip(b"=").decode(), _TICKET),
    ):
        try:
            reads()
        except Unreadable:
            continue
    sealed = _CHANNEL.seal_request(raw, method="POST", path="/api/user/info")
    assert _CHANNEL.open_request(sealed, method="POST", path="/api/user/info") == raw


class _Used:
    """The nonces that PostgreSQL would keep."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    async def use(self, sid: str, nonce: str) -> None:
        if nonce in self._seen:
            raise Replay
        self._seen.add(nonce)


def _envelopes(*modes: Any) -> Envelopes:
    return Envelopes(_CHANNELS, _Used(), Clock(), window_seconds=60, modes=modes)  # type: ignore[arg-type]


def envelope(raw: bytes) -> None:
    """Broken from outside, inside, or in one field: refused, and the refusal can be wrapped; whole: read as it was."""
    form, body = raw[:1], raw[1:]
    text = body.decode("utf-8", "replace")
    sealed: dict[str, Any] = {"v": 1, "sid": _CHANNEL.sid, "data": _seal(body)}
    if form == b"v":
        sealed["v"] = text
    elif form == b"s":
        sealed["sid"] = text
    elif form == b"d":
        sealed["data"] = text
    elif form == b"i":
        _unwrap(json.dumps(sealed).encode())
        _whole(body)
        return
    elif form == b"x":
        try:
            sealed |= parse_object(body)
        except NotStrict:
            return
    else:
        _unwrap(body)
        return
    _unwrap(json.dumps(sealed).encode())


def _unwrap(raw: bytes, *modes: Any) -> Incoming:
    """One call, until it is unwrapped or refused; then its answer is wrapped. Nothing in it waits."""
    incoming = Incoming({})
    code, msg = 200, "Done"
    try:
        _now(_envelopes(*(modes or ("plain", "signed", "sealed"))).unwrap(raw, _REQUEST, incoming))
    except Refusal as refused:
        code, msg = refused.code, refused.name
    answer = json.loads(incoming.wrap(code, msg, b"{}"))
    if answer.get("enc"):
        opened = _CHANNEL.open_answer(answer["data"], nonce=incoming.nonce, code=code, msg=msg)
        assert opened == b"{}"
    incoming.fields = incoming.fields if code == 200 else {"refused": code}
    return incoming


def _whole(body: bytes) -> None:
    """A body that is strict comes through both sealed and signed as it was, whatever its fields are called."""
    try:
        fields = parse_object(body)
    except NotStrict:
        return
    nonce = base64.urlsafe_b64encode(hashlib.sha256(body).digest()[:16]).rstrip(b"=").decode()
    kept = {name: value for name, value in fields.items() if name not in ("timestamp", "nonce", "sign")}
    inner = kept | {"timestamp": Clock.wall() // 1000, "nonce": nonce}
    where = {"token": _TOKEN, "lang": _REQUEST.lang_header, "method": "POST", "path": _REQUEST.path}
    try:
        string = signing.signing_string(inner, **where, session=_CHANNEL.sid)
    except signing.Unsignable:
        return
    inner["sign"] = _CHANNEL.signing_key.sign(string)
    expected = {"refused": InvalidInput.code} if bad_texts(kept) else kept
    sealed = {"v": 1, "sid": _CHANNEL.sid, "data": _seal(json.dumps(inner).encode())}
    assert _unwrap(json.dumps(sealed).encode(), "sealed").fields == expected
    for version in (True, 2, "1", None):
        assert _unwrap(json.dumps(sealed | {"v": version}).encode(), "sealed").fields == {"refused": BadSignature.code}
    if "sid" not in fields:
        assert _unwrap(json.dumps(inner | {"sid": _CHANNEL.sid}).encode(), "signed").fields == expected


def _seal(inner: bytes) -> str:
    return _CHANNEL.seal_request(inner, method="POST", path=_REQUEST.path)


def cursor(raw: bytes) -> None:
    """A page is a part of a list, or its fields are refused. The first bytes choose page and sizes."""
    text = raw[3:].decode("utf-8", "replace")
    fields: dict[str, Any] = {"after": text}
    for name, byte in zip(("page", "size", "page_num"), raw[:3], strict=False):
        if byte & 1:
            fields[name] = byte - 8
    if bad_texts(fields):
        return  # the envelope refuses it before
    try:
        page = convert(fields, Paged).query(10)
    except InvalidInput:
        return
    assert 1 <= page.size <= 100
    assert 0 <= page.skip <= 99 * page.size
    if text:
        assert text.isascii()
        assert text.isdigit()
        assert page.after == int(text) < 2**63
    else:
        assert page.after is None


def headers(raw: bytes) -> None:
    """Whatever the headers hold, what is read of them is printable ASCII and short."""
    parts = raw.split(b"\0")
    names = (b"authorization", b"lang", b"x-forwarded-for", b"user-agent", b"origin")
    scope = {"path": "/api/user/info", "client": ("127.0.0.1", 1)}
    found = read_request(scope, dict(zip(names, parts, strict=False)), _PROXIES)
    for text in (found.token, found.lang, found.lang_header, found.device, found.origin, found.network):
        assert text.isascii()
        assert text.isprintable()
        assert len(text) <= 200


def _now(work: Awaitable[None]) -> None:
    """Run what never waits."""
    try:
        next(iter(work.__await__()))
    except StopIteration:
        return
    raise AssertionError("it waits for something")


_PROXIES: Final = networks_of(("127.0.0.1/32", "10.0.0.0/8"))
_SID: Final = channel.seal_ticket(_KID, _TICKET, seed=b"s" * 32, salt=b"t" * 32, until_at=_NEVER)
_CHANNEL: Final = channel.open_ticket(_SID, _TICKET)
_KEYS: Final = Keys(None, Clock(), _SECRET, [], [TicketKey(_KID, _TICKET, 0)], _NEVER)  # type: ignore[arg-type]
_CHANNELS: Final = Channels(_KEYS, Clock(), 43_200)

TARGETS: Final[dict[str, Target]] = {
    target.__name__: target for target in (strict_json, long_json, amount, sealed_texts, envelope, cursor, headers)
}
