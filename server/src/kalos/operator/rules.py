"""Roles, sessions, tries, and the chain of the log: pure."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, get_args

from kalos.core.clock import DAY_MS, HOUR_MS, MINUTE_MS
from kalos.core.terms import Terms
from kalos.domains.challenges.rules import Limit, network_limit
from kalos.domains.entry.rules import longer_windows
from kalos.operator.tables import AuditRow

Role = Literal["support", "reviewer", "treasurer", "content", "auditor", "owner"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)

SESSION_MS: Final = 12 * HOUR_MS
IDLE_MS: Final = 30 * MINUTE_MS
_WRITTEN_MS: Final = MINUTE_MS
"""A session's use is written so often at most."""
COMMAND_MS: Final = DAY_MS
"""How long a command waits for its second signature."""

SECRET_BYTES: Final = 20
"""Of an authenticator's secret."""
PENDING_MS: Final = 10 * MINUTE_MS
"""How long an authenticator's secret that was shown waits for its first code."""
LEAST_PASSWORD: Final = 12
MOST_PASSWORD: Final = 128

FIRST: Final = b"\0" * 32
"""What the log's first row follows."""

_canonical: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode


@dataclass(frozen=True, slots=True)
class Staff:
    """Who calls. `public_key` is what their signatures are proven with (32 bytes of Ed25519); `member` and
    `account` are their own as a member, where they have one."""

    id: int
    name: str
    roles: frozenset[str]
    public_key: bytes | None = None
    member: int | None = None
    account: str | None = None


def idle_until(wall: int, ends_at: int) -> int:
    """Until when a session lives if it isn't used again."""
    return min(wall + IDLE_MS, ends_at)


def must_write(idle: int, wall: int, ends_at: int) -> bool:
    """Whether the use of a session at `wall` moves its end far enough to be written."""
    return idle_until(wall, ends_at) - idle >= _WRITTEN_MS


def login_limits(terms: Terms, *, name: str, network: str, device: str = "") -> list[Limit]:
    """How often logging in may fail: for a name and from a network, or for a known device by itself.

    Password and code are judged together, so both may be wrong as often as a member's second factor. A network's next
    wait is twice as long as the one before.
    Source: content.md, "Operator console"; identity.md, "Tries".
    """
    if device:
        return [_factor_limit(terms, f"staff-device:{name}:{device}")]
    also = tuple(longer_windows(terms.login_tries, terms.login_window, terms.login_wait_max))
    of_network = network_limit("staff-network", network, terms.login_tries, terms.login_window * MINUTE_MS)
    return [_factor_limit(terms, f"staff:{name}"), *(replace(limit, also=also) for limit in of_network)]


def renewal_limit(terms: Terms, name: str) -> Limit:
    """How often password or code may be wrong for who has a session: apart from the door, where strangers stand."""
    return _factor_limit(terms, f"staff-session:{name}")


def _factor_limit(terms: Terms, subject: str) -> Limit:
    (most, *more), windows = terms.factor_tries, (HOUR_MS, DAY_MS)
    return Limit(subject, most, 5 * MINUTE_MS, tuple(zip(more, windows, strict=True)))


def key_message(name: str, key: bytes) -> bytes:
    """What the owner of a new signing key signs with it: that it is theirs, and whose."""
    return f"kalos reviewer key 1\n{name}\n{key.hex()}".encode()


def about(name: str) -> bytes:
    """What an authenticator's secret is sealed for: it opens for nobody else's name."""
    return f"staff {name}".encode()


def version_of(*parts: Any) -> str:
    """What stands for a state: any part that is another makes another version."""
    return hashlib.sha256(_canonical(parts).encode()).hexdigest()[:32]


def canonical(row: AuditRow) -> bytes:
    """A row of the log as it is hashed: all but the two hashes."""
    kept = {
        "id": row.id, "at": row.at, "staff": row.staff, "name": row.name, "act": row.act, "object": row.object,
        "before": row.before, "after": row.after,
    }  # fmt: skip
    return _canonical(kept).encode()


def hash_of(row: AuditRow) -> bytes:
    return hashlib.sha256(row.previous + canonical(row)).digest()


def check_chain(rows: Sequence[AuditRow], *, after: int, previous: bytes) -> list[str]:
    """What is wrong with rows that follow the row `after`, whose hash is `previous`."""
    problems = []
    for row in rows:
        if row.id != after + 1:
            problems.append(f"the log misses rows {after + 1} to {row.id - 1}")
        elif row.previous != previous:
            problems.append(f"the log's row {row.id} doesn't follow row {after}")
        if row.hash != hash_of(row):
            problems.append(f"the log's row {row.id} was changed")
        after, previous = row.id, row.hash
    return problems


def only_whole(values: Mapping[str, Any]) -> bool:
    """Whether values can be hashed the same for ever: no number but integers."""
    return all(
        only_whole(value) if isinstance(value, Mapping) else not isinstance(value, float) for value in values.values()
    )
