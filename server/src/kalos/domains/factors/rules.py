"""What a right code is, what a withdrawal password is, and how often each may be tried."""

import base64
import hmac
import re
from collections.abc import Sequence
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


def plain_recovery_code(text: str) -> str:
    """A recovery code as it is hashed: capitals, hyphens and blanks don't matter."""
    return text.replace("-", "").replace(" ", "").upper()


def check_new_out_password(new: str, confirm: str) -> None:
    """6 to 20 ASCII digits, written twice.

    Raises: OutPasswordFormat, PasswordMismatch.
    Source: sections 5 and 9; identity.md, "Security centre".
    """
    if not _OUT_PASSWORD.fullmatch(new):
        raise OutPasswordFormat()
    if new != confirm:
        raise PasswordMismatch()


def withdrawal(amount: Amount, wallet_id: int) -> str:
    """What the code of a withdrawal is bound to; an entry of the address book never changes its address."""
    return f"{amount.asset.code} {amount.units} {wallet_id}"


def new_address(member: int) -> str:
    """What the code at an address that a member wants to bind is bound to."""
    return f"member {member}"


def factor_limits(terms: Terms, member: int) -> list[Limit]:
    """How often a second factor of a member may be wrong."""
    return _limits(f"factor:{member}", terms.factor_tries, _FACTOR_WINDOWS_MS)


def out_password_limits(terms: Terms, member: int) -> list[Limit]:
    """How often a withdrawal password may be wrong before it is locked."""
    return _limits(f"out-password:{member}", terms.out_password_tries, _OUT_PASSWORD_WINDOWS_MS)


def password_limits(terms: Terms, member: int) -> list[Limit]:
    """How often whoever has a session may be wrong about the login password."""
    return _limits(f"password:{member}", (terms.login_tries,), (terms.login_window * MINUTE_MS,))


def locked_notice(member: int) -> Limit:
    """A member is mailed once an hour that somebody tries second factors."""
    return Limit(f"factor-told:{member}", 1, HOUR_MS)


def is_full(wrong_at: Sequence[int], limits: Sequence[Limit], now: int) -> bool:
    """Whether as many were wrong within a window as may be."""
    return any(sum(at > now - limit.window_ms for at in wrong_at) >= limit.most for limit in limits)


def _limits(subject: str, most: Sequence[int], windows_ms: Sequence[int]) -> list[Limit]:
    return [
        Limit(f"{subject}:{window_ms}", count, window_ms) for count, window_ms in zip(most, windows_ms, strict=True)
    ]
