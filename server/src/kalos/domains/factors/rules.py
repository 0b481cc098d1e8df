"""What a right code is, what a withdrawal password is, and how often each may be tried."""

import base64
import hmac
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args
from urllib.parse import quote, urlencode

from kalos.core.clock import DAY_MS, HOUR_MS, MINUTE_MS
from kalos.core.money import Amount
from kalos.core.terms import Terms
from kalos.domains.challenges.rules import Limit
from kalos.domains.factors.errors import OutPasswordFormat, PasswordMismatch

Scene = Literal["withdraw", "address", "password", "google", "bind", "unbind", "okx", "close", "login_wallet"]
"""What a code is for. Source: identity.md, "Security centre"."""
SCENES: Final[tuple[Scene, ...]] = get_args(Scene)

STEP_MS: Final = 30_000
SECRET_BYTES: Final = 20
RECOVERY_CODES: Final = 10
PENDING_MS: Final = 10 * MINUTE_MS
"""How long a secret that was shown waits to be bound."""

_ISSUER: Final = "Kalos"
_TOTP: Final = re.compile(r"[0-9]{6}", re.ASCII)
_OUT_PASSWORD: Final = re.compile(r"[0-9]{6,20}", re.ASCII)
_FACTOR_WINDOWS_MS: Final = (5 * MINUTE_MS, HOUR_MS, DAY_MS)
_OUT_PASSWORD_WINDOWS_MS: Final = (HOUR_MS, DAY_MS)


@dataclass(frozen=True, slots=True)
class Shown:
    """A secret that waits to be bound: as text, as the address in the QR code, and that as a picture's data URL."""

    secret: str
    otpauth: str
    qr: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewOutPassword:
    """What somebody wants as a withdrawal password, written twice, and what they show for it."""

    new: str
    confirm: str
    google_code: str | None = None
    email_code: str | None = None
    proof: str | None = None


def totp(secret: bytes, step: int) -> str:
    """The six digits of a step of 30 s. Source: RFC 4226, section 5.3; RFC 6238 with HMAC-SHA-1."""
    mac = hmac.digest(secret, step.to_bytes(8, "big"), "sha1")
    offset = mac[-1] & 15
    number = int.from_bytes(mac[offset : offset + 4], "big") & (2**31 - 1)
    return f"{number % 10**6:06}"


def is_totp(code: str) -> bool:
    return _TOTP.fullmatch(code) is not None


def step_of(secret: bytes, code: str, *, after: int, wall: int) -> int | None:
    """The step whose code it is: now's or a neighbour, and later than the last one that was used."""
    now = wall // STEP_MS
    for step in (now - 1, now, now + 1):
        if step > after and hmac.compare_digest(totp(secret, step).encode(), code.encode()):
            return step
    return None


def base32_of(secret: bytes) -> str:
    return base64.b32encode(secret).decode()


def otpauth(account: str, secret: bytes) -> str:
    """The address that an authenticator reads from the QR code."""
    query = urlencode({"secret": base32_of(secret), "issuer": _ISSUER, "algorithm": "SHA1", "digits": 6, "period": 30})
    return f"otpauth://totp/{quote(f'{_ISSUER}:{account}', safe=':')}?{query}"


def about(member: int) -> bytes:
    """What a secret is sealed for: it opens in no other member's row."""
    return f"authenticator {member}".encode()


def plain_recovery_code(text: str) -> str:
    """A recovery code as it is hashed: capitals, hyphens and blanks don't matter."""
    return text.replace("-", "").replace(" ", "").upper()


def check_new_out_password(wish: NewOutPassword) -> None:
    """6 to 20 ASCII digits, written twice.

    Raises: OutPasswordFormat, PasswordMismatch.
    Source: sections 5 and 9; identity.md, "Security centre".
    """
    if not _OUT_PASSWORD.fullmatch(wish.new):
        raise OutPasswordFormat()
    if wish.new != wish.confirm:
        raise PasswordMismatch()


def withdrawal(amount: Amount, wallet_id: int) -> str:
    """What the code of a withdrawal is bound to; an entry of the address book never changes its address."""
    return f"{amount.asset.code} {amount.units} {wallet_id}"


def factor_limit(terms: Terms, member: int) -> Limit:
    """How often a second factor of a member may be wrong."""
    return _limit(f"factor:{member}", zip(terms.factor_tries, _FACTOR_WINDOWS_MS, strict=True))


def out_password_limit(terms: Terms, member: int) -> Limit:
    """How often a withdrawal password may be wrong before it is locked."""
    return _limit(f"out-password:{member}", zip(terms.out_password_tries, _OUT_PASSWORD_WINDOWS_MS, strict=True))


def password_limit(terms: Terms, member: int) -> Limit:
    """How often whoever has a session may be wrong about the login password."""
    return Limit(f"password:{member}", terms.login_tries, terms.login_window * MINUTE_MS)


def told_limit(member: int) -> Limit:
    """A member is mailed once an hour that somebody tries second factors."""
    return Limit(f"factor-told:{member}", 1, HOUR_MS)


def is_full(wrong_at: Sequence[int], limit: Limit, now: int) -> bool:
    """Whether as many were wrong within a window as may be."""
    return any(sum(at > now - window_ms for at in wrong_at) >= most for most, window_ms in limit.spans)


def _limit(subject: str, spans: Iterable[tuple[int, int]]) -> Limit:
    (most, window_ms), *also = spans
    return Limit(subject, most, window_ms, tuple(also))
