"""What counts as the right answer, and how often one may be given."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from kalos.core.clock import DAY_MS, HOUR_MS, SECOND_MS
from kalos.core.terms import Terms


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `most` tries of `subject` within any `window_ms`, and as many as `also` says within longer windows."""

    subject: str
    most: int
    window_ms: int
    also: tuple[tuple[int, int], ...] = ()

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """Each a number of tries and the window that may hold them."""
        return ((self.most, self.window_ms), *self.also)

    @property
    def longest_ms(self) -> int:
        return max(window_ms for _, window_ms in self.spans)


Track = Sequence[Sequence[int]]
"""How a piece came to where it was left: pairs of its place and the milliseconds since the first of them."""

SLIDE_TOLERANCE: Final = 4
"""How far beside its hole a piece may be left, in points of the picture."""
_LEAST_POINTS: Final = 3
_LEAST_SLIDE_MS: Final = 300
_DEVICE_BYTES: Final = 12


def same_picture_text(answer: str, given: str) -> bool:
    """Whether someone read the captcha; capitals, full-width letters and blanks don't matter."""
    return unicodedata.normalize("NFKC", given).replace(" ", "").upper() == answer


def slid_home(hole: int, *, x: int, track: Track, most_ms: int) -> bool:
    """Whether a piece was left on its hole, and came there as a hand or keys bring it: from the left edge, in more than
    one step, in a time that somebody needs, never back in time.

    A hurdle for the simplest machines, no more: what holds up the others is that a slide is answered once.
    """
    places, times = [place for place, _ in track], [at for _, at in track]
    return (
        abs(x - hole) <= SLIDE_TOLERANCE
        and len(track) >= _LEAST_POINTS
        and (places[0], places[-1], times[0]) == (0, x, 0)
        and all(before <= after for before, after in pairwise(times))
        and _LEAST_SLIDE_MS <= times[-1] <= most_ms
    )


def code_limits(terms: Terms, *, email: str, network: str, asker: str = "") -> list[Limit]:
    """How often a code may be sent to an address and asked for from a network.

    Who is known to be its owner (`asker`) counts by itself: no stranger uses up what the owner may ask for.
    Source: identity.md, "Registering and logging in"; decision 0063.
    """
    whose = f"{email}:{asker}" if asker else email
    return [
        Limit(f"code-gap:{whose}", 1, terms.code_gap * SECOND_MS),
        Limit(f"code-day:{whose}", terms.code_daily, DAY_MS),
        *network_limit("code-network", network, terms.code_network, HOUR_MS),
    ]


def bind_limit(terms: Terms, member: int) -> Limit:
    """How often a member may have codes sent to addresses that anybody may read."""
    return Limit(f"code-bind:{member}", terms.code_daily, DAY_MS)


def of_member(member: int) -> str:
    """Who asks for a code with a session."""
    return f"member {member}"


def of_device(token_hash: bytes) -> str:
    """Who asks for a code on a device that an address's owner has logged in on before; subjects have room for it."""
    return f"device {token_hash[:_DEVICE_BYTES].hex()}"


def free_at(limit: Limit, times: Iterable[int]) -> int:
    """When each window that tries at these times have filled has room again; 0 where none is.

    Of its last `most` tries all but the oldest one remain.
    """
    told = sorted(times)
    return max((told[-most] + window_ms for most, window_ms in limit.spans if len(told) >= most), default=0)


def seconds_until(at_ms: int, now_ms: int) -> int:
    """Whole seconds to wait, at least one."""
    return max(1, -((now_ms - at_ms) // SECOND_MS))


def network_limit(kind: str, network: str, most: int, window_ms: int) -> list[Limit]:
    """None for a caller whose network isn't counted (demo.md: loopback addresses)."""
    return [Limit(f"{kind}:{network}", most, window_ms)] if network else []
