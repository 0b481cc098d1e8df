"""The signature of a request: one string from its fields and its surroundings, and the HMAC of it. Pure.

Source: wire.md, "Signing and encryption", step 3. The browser's half is web/src/lib/wire/sign.ts; both agree with
contract/wire-vectors.json byte for byte.
"""

import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from functools import lru_cache
from hmac import compare_digest
from typing import Any, Final
from urllib.parse import quote

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC

from kalos.core.tokens import digest

_canonical: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode
_UNRESERVED: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~-"
_LEFT_OUT: Final = frozenset(("sign", "image"))
_ADDED: Final = frozenset((":auth", ":lang", ":method", ":path", ":session"))
_MOST_KEPT_OF_NAME: Final = 64
_MOST_KEPT_OF_PATH: Final = 100
"""Letters. What is longer is none of ours, is looked at before the signature is, and stays in no cache."""


class Unsignable(ValueError):
    """A field has the name of something that is added: two bodies could have one string."""

    def __init__(self) -> None:
        super().__init__("a field has a name that is the wire's own")


def signing_string(fields: Mapping[str, Any], *, token: str, lang: str, method: str, path: str, session: str) -> str:
    """The text that is signed: percent-encoded `key=value` pairs, sorted by key, joined by `&`. Raises: Unsignable."""
    return string_of(fields, digest(token) if token else b"", lang, method, path, _quoted(session))


def string_of(fields: Mapping[str, Any], token_hash: bytes, lang: str, method: str, path: str, session: str) -> str:
    """The same for who has the token's SHA-256 (empty for visitors), and a session in which nothing has to be encoded.

    Raises: Unsignable.
    """
    if not _ADDED.isdisjoint(fields):
        raise Unsignable
    place = (_known_place if len(path) <= _MOST_KEPT_OF_PATH else _place)(lang, method, path)
    around = f"%3Aauth={_base64url(token_hash)}&{place}&%3Asession={session}"
    names = sorted([name for name in fields if name not in _LEFT_OUT])
    own = "&".join([f"{name}={text if type(text := fields[name]) is str else _text(text)}" for name in names])
    # One look at all of it, where nothing has to be encoded: then what is added comes first, as "%" does.
    if names and names[0] and own.encode().translate(None, _UNRESERVED) == b"=" + b"&=" * (len(names) - 1):
        return f"{around}&{own}"
    pairs = [
        (_known_quoted(name) if len(name) <= _MOST_KEPT_OF_NAME else _quoted(name), _quoted(_text(fields[name])))
        for name in names
    ]
    pairs += [(name, value) for name, _, value in (part.partition("=") for part in around.split("&"))]
    pairs.sort()
    return "&".join([f"{name}={value}" for name, value in pairs])


def _place(lang: str, method: str, path: str) -> str:
    return f"%3Alang={_quoted(lang)}&%3Amethod={_quoted(method)}&%3Apath={_quoted(path)}"


_known_place: Final = lru_cache(maxsize=1_000)(_place)
"""What many requests have in common."""


def _quoted(text: str) -> str:
    return quote(text, safe="") if text.encode().translate(None, _UNRESERVED) else text


_known_quoted: Final = lru_cache(maxsize=1_000)(_quoted)
"""Of names, which are few; values are many, and some are secrets."""


class SigningKey:
    """A channel's key of 32 bytes, begun with once: starting anew takes longer than a request's whole text."""

    def __init__(self, key: bytes) -> None:
        self._begun = HMAC(key, SHA256())

    def sign(self, string: str) -> str:
        """Upper-case hex of HMAC-SHA-256."""
        own = self._begun.copy()
        own.update(string.encode())
        return own.finalize().hex().upper()

    def is_signed(self, string: str, claimed: str) -> bool:
        """`claimed` is ASCII."""
        return compare_digest(self.sign(string), claimed)


def canonical_json(value: Any) -> str:
    """JSON with sorted keys, no blanks and no ASCII escapes."""
    return _canonical(value)


def _text(value: Any) -> str:
    if type(value) is str:
        return value
    return str(value) if type(value) is int else canonical_json(value)


def _base64url(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()
