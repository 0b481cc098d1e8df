"""What a wallet is asked to sign, what may stand in the book, and from when it can be used."""

import unicodedata
from typing import Final

from kalos.core.clock import MINUTE_MS
from kalos.core.errors import InvalidInput
from kalos.core.payments import NOBODYS
from kalos.domains.wallets.errors import InvalidAddress

NONCE_MS: Final = 5 * MINUTE_MS
MOST_LOGIN_WALLETS: Final = 5

_LONGEST_LABEL: Final = 32
_UNSEEN: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Controls, overrides, what joins, lone surrogates, private and unassigned signs, ends of lines."""
_BLANK_LETTERS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Signs that count as letters or marks and show nothing."""


def statement(account: str | None) -> str:
    """What the wallet shows before it signs: ASCII, as EIP-4361 has it, and so the same in every language."""
    what = "Log in to Kalos." if account is None else f"Let this wallet log in to the Kalos account {account}."
    return f"{what} This moves no coins and costs nothing."


def read_label(text: str) -> str:
    """The label as it is kept: composed, without blanks around it, 1 to 32 signs that can be seen.

    Raises: InvalidInput.
    """
    label = unicodedata.normalize("NFC", text).strip()
    unseen = any(unicodedata.category(sign) in _UNSEEN or sign in _BLANK_LETTERS for sign in label)
    seen = any(unicodedata.category(sign)[0] in "LNPS" for sign in label)
    if unseen or not seen or len(label) > _LONGEST_LABEL:
        raise InvalidInput(errors=[{"field": "label", "reason": "invalid"}])
    return label


def check_target(address: str, *, written: str) -> None:
    """An address to withdraw to is written with its checksum, so that a slip shows, and somebody can have its key.

    Raises: InvalidAddress.
    Source: identity.md, "Security centre".
    """
    if written != address or address == NOBODYS:
        raise InvalidAddress()


def wait_hours(*, address_wait: int, is_demo: bool) -> int:
    """How long a new address waits. Source: settings.md, `address_wait`; demo.md."""
    return 0 if is_demo else address_wait
