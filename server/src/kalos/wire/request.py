"""What a call says about itself besides its body: token, language, network, device, origin."""

import hashlib
from functools import lru_cache
from typing import Any, Final

import msgspec

from kalos.wire.http import Headers, Scope
from kalos.wire.languages import language_of
from kalos.wire.networks import Network, network_of

_canonical: Final = msgspec.json.Encoder(order="deterministic").encode
"""The bytes of `signing.canonical_json`, sooner."""
FILE: Final = "kalos.file"
"""Where the file that comes with a call stands in the scope."""
_SECRETS: Final = frozenset(("password", "out_password", "google_code", "email_code", "proof"))
_MAX_TOKEN: Final = 200
_MAX_TEXT: Final = 200


class Request(msgspec.Struct):
    """`lang` is one of ours, `lang_header` as it came; `session` is the token's SHA-256, empty for visitors; `member`
    is set once the session is known; `file` is an Incoming, not read yet, of a call that brings one along."""

    path: str
    token: str
    session: bytes
    lang: str
    lang_header: str
    network: str
    headers: Headers
    file: Any = None
    member: Any = None
    fields: dict[str, Any] = {}

    @property
    def device(self) -> str:
        return _known_text(self.headers.get(b"user-agent", b"")[:_MAX_TEXT])

    @property
    def origin(self) -> str:
        return _text(self.headers.get(b"origin", b""))

    @property
    def fingerprint(self) -> bytes:
        """SHA-256 of the body without its secrets, which must not be guessable from a stored hash."""
        kept = {key: value for key, value in self.fields.items() if key not in _SECRETS}
        return hashlib.sha256(_canonical(kept)).digest()


def read_request(scope: Scope, headers: Headers, trusted: tuple[Network, ...]) -> Request:
    client = scope.get("client") or ("", 0)
    forwarded = headers.get(b"x-forwarded-for", b"").decode("latin-1") if trusted else ""
    lang = _known_text(headers.get(b"lang", b"")[: _MAX_TEXT + 1])  # too long stays so, and isn't kept whole
    stated = headers.get(b"authorization", b"")
    token = _text(stated, _MAX_TOKEN)
    return Request(
        scope["path"],
        token,
        hashlib.sha256(stated).digest() if token else b"",
        language_of(lang),
        lang,
        network_of(client[0], forwarded, trusted),
        headers,
        scope.get(FILE),
    )


def _text(value: bytes, most: int = _MAX_TEXT) -> str:
    """Printable ASCII only: anything else is no value of ours."""
    if not value or len(value) > most or not value.isascii():
        return ""
    text = value.decode("ascii")
    return text if text.isprintable() else ""


_known_text: Final = lru_cache(maxsize=4_096)(_text)
"""For what comes again and again and is no secret. Whoever asks cuts it first: a refused one is kept, too."""
