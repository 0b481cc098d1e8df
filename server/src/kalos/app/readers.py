"""Reads a setting's text; a ValueError says what it must be, behind the setting's name."""

import ipaddress
import re
from collections.abc import Callable
from email.utils import parseaddr
from pathlib import Path
from urllib.parse import urlsplit

_ADDRESS = re.compile(r"0x[0-9a-fA-F]{40}", re.ASCII)
_DIGEST = re.compile(r"0x[0-9a-fA-F]{64}", re.ASCII)
_EXTENDED = re.compile(r"xpub[1-9A-HJ-NP-Za-km-z]{107}", re.ASCII)
_MAIL = re.compile(r"[!-?A-~]+@[A-Za-z0-9.-]+", re.ASCII)
_SECRET = re.compile(r"(?:[0-9a-fA-F]{2}){32,}", re.ASCII)
_DISTINCT_LEAST = 12  # hex digits like 0000… or 0123… repeated are a placeholder, not a secret


def text(value: str) -> str:
    return value


def words(value: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in value.split(",") if word.strip())


def one_of(*allowed: str) -> Callable[[str], str]:
    def read(value: str) -> str:
        if value not in allowed:
            raise ValueError(f"must be one of {', '.join(allowed)}")
        return value

    return read


def some_of(*allowed: str) -> Callable[[str], tuple[str, ...]]:
    return lambda value: tuple(one_of(*allowed)(word) for word in words(value))


def folder(value: str) -> Path:
    return Path(value).expanduser().resolve()


def positive(value: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,17}", value, re.ASCII):
        raise ValueError("must be a whole number above 0")
    return int(value)


def count(value: str) -> int:
    if not re.fullmatch(r"0|[1-9][0-9]{0,17}", value, re.ASCII):
        raise ValueError("must be a whole number, 0 or above")
    return int(value)


def port(value: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,4}", value, re.ASCII) or int(value) > 65535:
        raise ValueError("must be a port, from 1 to 65535")
    return int(value)


def port_or_none(value: str) -> int:
    return 0 if value == "0" else port(value)


def _address_of(value: str, *schemes: str) -> str:
    try:
        parts = urlsplit(value)
        fits = parts.scheme in schemes and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f"must be an address that starts with {' or '.join(f'{scheme}://' for scheme in schemes)}")
    return value.rstrip("/")


def url(value: str) -> str:
    return _address_of(value, "https", "http")


def socket_url(value: str) -> str:
    return _address_of(value, "wss", "ws")


def urls(value: str) -> tuple[str, ...]:
    return tuple(url(word) for word in words(value))


def database(value: str) -> str:
    try:
        parts = urlsplit(value)
        fits = parts.scheme in ("postgresql", "postgres") and len(parts.path) > 1 and (parts.port or 1) > 0
    except ValueError:
        fits = False
    if not fits:
        raise ValueError("must be postgresql://user:password@host:port/database")
    return value


def networks(value: str) -> tuple[str, ...]:
    for word in words(value):
        try:
            ipaddress.ip_network(word)
        except ValueError:
            raise ValueError("must be addresses or networks such as 10.0.0.0/8") from None
    return words(value)


def mail_address(value: str) -> str:
    if not _MAIL.fullmatch(value):
        raise ValueError("must be a mail address such as name@kalos.example")
    return value


def mail_sender(value: str) -> str:
    """With or without a name before it."""
    if not _MAIL.fullmatch(parseaddr(value)[1]):
        raise ValueError("must be a mail address such as no-reply@kalos.example, or Name <no-reply@kalos.example>")
    return value


def address(value: str) -> str:
    if not _ADDRESS.fullmatch(value):
        raise ValueError("must be an address of 0x and 40 hex digits")
    return value


def addresses(value: str) -> tuple[str, ...]:
    return tuple(address(word) for word in words(value))


def digest(value: str) -> str:
    if not _DIGEST.fullmatch(value):
        raise ValueError("must be 0x and 64 hex digits")
    return value.lower()


def file(value: str) -> Path:
    path = folder(value)
    if not path.is_file():
        raise ValueError("must be a file that is there")
    return path


def extended_key(value: str) -> str:
    if not _EXTENDED.fullmatch(value):
        raise ValueError("must be an extended public key (xpub…); a private key has no place here")
    return value


def secrets(value: str) -> tuple[str, ...]:
    return tuple(secret(word) for word in words(value))


def secret(value: str) -> str:
    if not _SECRET.fullmatch(value):
        raise ValueError("must be 64 hex digits or more: openssl rand -hex 32")
    if len({value[place : place + 2].lower() for place in range(0, len(value), 2)}) < _DISTINCT_LEAST:
        raise ValueError("is a placeholder, not a secret: openssl rand -hex 32")
    return value
