"""What counts as the right answer, and how often one may be given."""

import unicodedata
from dataclasses import dataclass

from kalos.core.clock import DAY_MS, HOUR_MS, SECOND_MS
from kalos.core.terms import Terms


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `most` tries of `subject` within any `window_ms`."""

    subject: str
    most: int
    window_ms: int


def same_picture_text(answer: str, given: str) -> bool:
    """Whether someone read the captcha; capitals, full-width letters and blanks don't matter."""
    return unicodedata.normalize("NFKC", given).replace(" ", "").upper() == answer


def code_limits(terms: Terms, *, email: str, network: str) -> list[Limit]:
    """How often a code may be sent to an address and asked for from a network."""
    return [
        Limit(f"code-gap:{email}", 1, terms.code_gap * SECOND_MS),
        Limit(f"code-day:{email}", terms.code_daily, DAY_MS),
        *network_limit("code-network", network, terms.code_network, HOUR_MS),
    ]


def seconds_until(at_ms: int, now_ms: int) -> int:
    """Whole seconds to wait, at least one."""
    return max(1, -((now_ms - at_ms) // SECOND_MS))


def network_limit(kind: str, network: str, most: int, window_ms: int) -> list[Limit]:
    """None for a caller whose network isn't counted (demo.md: loopback addresses)."""
    return [Limit(f"{kind}:{network}", most, window_ms)] if network else []
