"""Every statement on the tables of factors.

Those that belong to one commit with others take its `Connection`; all else takes the `Database`.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from kalos.core.clock import DAY_MS
from kalos.core.database import Connection, Database
from kalos.domains.factors.tables import AUTHENTICATORS, OUT_PASSWORDS, RECOVERY_CODES, AuthenticatorRow, OutPasswordRow

ENDING: Final = (AUTHENTICATORS,)
"""What goes some time after its `until_at`: secrets that nobody bound."""

_SET: Final = """
    SELECT m.id,
        EXISTS (SELECT FROM out_passwords o WHERE o.member = m.id) AS out_password,
        EXISTS (SELECT FROM out_passwords o WHERE o.member = m.id AND o.locked_at IS NOT NULL) AS locked,
        EXISTS (SELECT FROM authenticators a WHERE a.member = m.id AND a.bound_at IS NOT NULL) AS google
    FROM members m WHERE m.id = ANY($1::bigint[])
"""


@dataclass(frozen=True, slots=True)
class Protection:
    """What a member has set, and whether the withdrawal password is locked."""

    out_password: bool
    locked: bool
    google: bool


async def find_set(db: Database, member: int) -> Protection:
    """Read together with those of others who call at this moment."""
    (row,) = await db.rows_of(_SET, member)
    return Protection(row["out_password"], row["locked"], row["google"])


# The withdrawal password


async def erase(db: Connection, member: int) -> None:
    """All that the member could prove themselves with."""
    for table in (OUT_PASSWORDS, AUTHENTICATORS, RECOVERY_CODES):
        await db.execute(f"DELETE FROM {table} WHERE member = $1", member)


async def find_out_password(db: Database, member: int) -> OutPasswordRow | None:
    row = await db.row("SELECT * FROM out_passwords WHERE member = $1", member)
    return None if row is None else OutPasswordRow(**row)


async def insert_out_password(db: Connection, member: int, password_hash: str, *, at: int) -> bool:
    """False where the member has one."""
    tag: str = await db.execute(
        "INSERT INTO out_passwords (member, password_hash, set_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        member, password_hash, at,
    )  # fmt: skip
    return tag == "INSERT 0 1"


async def replace_out_password(db: Connection, member: int, password_hash: str, *, old_hash: str, at: int) -> bool:
    """Also opens a locked one; false where someone else just replaced it."""
    tag: str = await db.execute(
        """
        UPDATE out_passwords SET password_hash = $2, wrong_at = '{}', locked_at = NULL, set_at = $4
        WHERE member = $1 AND password_hash = $3
        """,
        member, password_hash, old_hash, at,
    )  # fmt: skip
    return tag == "UPDATE 1"


async def add_wrong(db: Connection, member: int, *, wall: int) -> list[int]:
    """Note a wrong try; returns when all of the last day were."""
    times: list[int] = await db.fetchval(
        """
        UPDATE out_passwords SET wrong_at = array(SELECT t FROM unnest(wrong_at) t WHERE t > $3) || $2::bigint
        WHERE member = $1 RETURNING wrong_at
        """,
        member, wall, wall - DAY_MS,
    )  # fmt: skip
    return times


async def lock_out_password(db: Connection, member: int, *, at: int) -> bool:
    """False where it is locked already."""
    tag: str = await db.execute(
        "UPDATE out_passwords SET locked_at = $2 WHERE member = $1 AND locked_at IS NULL", member, at
    )
    return tag == "UPDATE 1"


# The authenticator


async def find_bound(db: Database, member: int) -> AuthenticatorRow | None:
    row = await db.row("SELECT * FROM authenticators WHERE member = $1 AND bound_at IS NOT NULL", member)
    return None if row is None else AuthenticatorRow(**row)


async def find_pending(db: Database, member: int, *, wall: int) -> AuthenticatorRow | None:
    row = await db.row("SELECT * FROM authenticators WHERE member = $1 AND until_at > $2", member, wall)
    return None if row is None else AuthenticatorRow(**row)


async def put_pending(db: Database, member: int, sealed_secret: bytes, *, until_at: int) -> bool:
    """Store the secret that was shown last; false where one is bound."""
    tag = await db.execute(
        """
        INSERT INTO authenticators (member, sealed_secret, until_at) VALUES ($1, $2, $3)
        ON CONFLICT (member) DO UPDATE SET sealed_secret = excluded.sealed_secret, until_at = excluded.until_at
        WHERE authenticators.bound_at IS NULL
        """,
        member, sealed_secret, until_at,
    )  # fmt: skip
    return tag == "INSERT 0 1"


async def bind(db: Connection, pending: AuthenticatorRow, *, at: int, step: int) -> bool:
    """False where this secret no longer waits."""
    tag: str = await db.execute(
        """
        UPDATE authenticators SET bound_at = $3, last_step = $4, until_at = NULL
        WHERE member = $1 AND sealed_secret = $2 AND bound_at IS NULL
        """,
        pending.member, pending.sealed_secret, at, step,
    )  # fmt: skip
    return tag == "UPDATE 1"


async def use_step(db: Connection, bound: AuthenticatorRow, step: int) -> bool:
    """Use up a code and those before it; false where it was used, or the authenticator is another one by now."""
    tag: str = await db.execute(
        "UPDATE authenticators SET last_step = $3 WHERE member = $1 AND sealed_secret = $2 AND last_step < $3",
        bound.member, bound.sealed_secret, step,
    )  # fmt: skip
    return tag == "UPDATE 1"


async def unbind(db: Connection, bound: AuthenticatorRow) -> bool:
    """Its recovery codes go with it; false where it is gone."""
    tag: str = await db.execute(
        "DELETE FROM authenticators WHERE member = $1 AND sealed_secret = $2", bound.member, bound.sealed_secret
    )
    return tag == "DELETE 1"


async def insert_recovery_codes(db: Connection, member: int, hashes: Collection[bytes]) -> None:
    await db.executemany(
        "INSERT INTO recovery_codes (member, code_hash) VALUES ($1, $2)", [(member, one) for one in hashes]
    )


async def has_recovery_code(db: Database, member: int, hashes: Collection[bytes]) -> bool:
    """Whether one of these hashes is of an unused code."""
    return bool(
        await db.value(
            "SELECT EXISTS (SELECT FROM recovery_codes WHERE member = $1 AND code_hash = ANY($2))", member, list(hashes)
        )
    )


async def use_recovery_code(db: Connection, member: int, hashes: Collection[bytes]) -> bool:
    tag: str = await db.execute(
        "DELETE FROM recovery_codes WHERE member = $1 AND code_hash = ANY($2)", member, list(hashes)
    )
    return tag == "DELETE 1"
