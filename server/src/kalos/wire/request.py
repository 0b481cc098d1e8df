"""What a call says about itself besides its body: token, language, network, device, origin."""

import hashlib
from dataclasses import dataclass, field
from typing import Any, Final

from kalos.wire.http import Headers, Scope
from kalos.wire.languages import language_of
from kalos.wire.networks import Network, network_of
from kalos.wire.signing import canonical_json

_SECRETS: Final = frozenset(("password", "out_password", "google_code", "email_code"))
_MAX_TOKEN: Final = 200
_MAX_TEXT: Final = 200


@dataclass(slots=True)
class Request:
    """`lang` is one of ours, `lang_header` as it came; `member` is set once the session is known."""

    path: str
    token: str
    lang: str
    lang_header: str
    network: str
    device: str
    origin: str
    member: Any = None
    fields: dict[str, Any] = field(default_factory=dict)

    @property
    def session(self) -> bytes:
        """SHA-256 of the token, empty for visitors."""
        return hashlib.sha256(self.token.encode()).digest() if self.token else b""

    @property
    def fingerprint(self) -> bytes:
        """SHA-256 of the body without its secrets, which must not be guessable from a stored hash."""
        kept = {key: value for key, value in self.fields.items() if key not in _SECRETS}
        return hashlib.sha256(canonical_json(kept).encode()).digest()


def read_request(scope: Scope, headers: Headers, trusted: tuple[Network, ...]) -> Request:
    lang = _text(headers, b"lang")
    client = scope.get("client") or ("", 0)
    return Request(
        path=scope["path"],
        token=_text(headers, b"authorization", _MAX_TOKEN),
        lang=language_of(lang),
        lang_header=lang,
        network=network_of(client[0], _text(headers, b"x-forwarded-for", 2_000), trusted),
        device=_text({b"user-agent": headers.get(b"user-agent", b"")[:_MAX_TEXT]}, b"user-agent"),
        origin=_text(headers, b"origin"),
    )


def _text(headers: Headers, name: bytes, most: int = _MAX_TEXT) -> str:
    """Printable ASCII only: anything else is no value of ours."""
    value = headers.get(name, b"")
    if len(value) > most or not value.isascii():
        return ""
    text = value.decode("ascii")
    return text if text.isprintable() else ""
