"""E-mail addresses: their one form, and what of them is shown."""

import re
import unicodedata
from typing import Final

import idna

from kalos.core.errors import InvalidInput

_LOCAL: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*", re.ASCII)
_ENCODED_WORD: Final = "=?"
_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN: Final = re.compile(rf"(?:{_LABEL}\.)+(?=[a-z0-9-]*[a-z]){_LABEL}", re.ASCII)
_SHORTEST_EMAIL: Final = 6  # of the table: there is no top-level domain of one letter
_LONGEST_EMAIL: Final = 254
_LONGEST_LOCAL: Final = 64


def canonical_email(text: str) -> str:
    """Bring an address to its one form: NFKC, ASCII local part, domain in lower case and in its ASCII form.

    A local part that holds an encoded word ("=?") is refused: in a mail's header it would be read as other text.

    Raises: InvalidInput.
    Source: identity.md, "Registering and logging in"; wire.md, "Numbers, time, text".
    """
    local, at, domain = unicodedata.normalize("NFKC", text).rpartition("@")
    domain = domain.lower() if domain.isascii() else _ascii_domain(domain)
    address = f"{local}{at}{domain}"
    if (
        not _SHORTEST_EMAIL <= len(address) <= _LONGEST_EMAIL
        or len(local) > _LONGEST_LOCAL
        or not _LOCAL.fullmatch(local)
        or _ENCODED_WORD in local
        or not _DOMAIN.fullmatch(domain)
    ):
        raise InvalidInput(errors=[{"field": "email", "reason": "invalid"}])
    return address


def login_name(text: str) -> str:
    """The form in which a name is looked up and counted: an address in its one form, all else as it is."""
    try:
        return canonical_email(text)
    except InvalidInput:
        return text


def masked_email(address: str) -> str:
    """Show enough of an address for its owner to know it: alice@example.com is a***e@example.com."""
    local, _, domain = address.rpartition("@")
    return f"{local[0]}***{local[-1] if len(local) > 2 else ''}@{domain}"


def _ascii_domain(domain: str) -> str:
    try:
        return idna.encode(domain, uts46=True).decode()
    except idna.IDNAError:
        return ""
