"""Who works here, as the schema's owner says it on the machine itself: no call of the console makes anybody staff."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from kalos.core.clock import Clock
from kalos.core.database import Connection
from kalos.core.sealing import seal
from kalos.operator import command_queries, commands, queries, rules
from kalos.operator.tables import Act, KeyRow, StaffRow


async def add_staff(
    db: Connection,
    *,
    name: str,
    password_hash: str,
    roles: Sequence[str],
    public_key: bytes | None,
    factor_key: bytes,
    by: str,
    secret: bytes | None = None,
) -> bytes | None:
    """Let somebody work here; returns the authenticator's secret, which nobody can read again.

    None where the name or the key is somebody's. Stands in the log with the login on the machine.
    """
    secret = secret or os.urandom(rules.SECRET_BYTES)
    wall = Clock.wall()
    async with db.transaction():
        number = await queries.insert_staff(
            db,
            name=name,
            password_hash=password_hash,
            totp_secret=seal(factor_key, secret, rules.about(name)),
            roles=roles,
            public_key=public_key,
            at=wall,
        )
        if number is None:
            return None
        after = {"roles": list(roles), "public_key": public_key.hex() if public_key else None}
        await queries.append_audit(
            db, at=wall, staff=None, name=by, act="staff.add", about=f"staff {name}", before={}, after=after
        )
    return secret


async def end_staff(db: Connection, *, name: str, by: str) -> bool:
    """Nobody of this name logs in or calls from now on, and nobody signs what they ordered.

    False where nobody of this name works here.
    """
    wall = Clock.wall()
    async with db.transaction():
        # Who signs locks the command first, then its maker; in another order each could wait for the other.
        waiting = await command_queries.lock_open(db, wall)
        before = await queries.lock_standing(db, name)
        if before is None or await queries.end_staff(db, name) is None:
            return False
        # Who works with their own row locked comes to the log last: behind it nobody here may wait for such a row.
        for maker in sorted({row.maker for row in waiting}):
            await queries.lock_roles(db, maker)
        await log_standing(db, "staff.end", name, before, by=by, wall=wall)
        await commands.refuse_unmakeable(db, waiting, by=by, wall=wall)
    return True


async def set_own_account(db: Connection, *, name: str, account: str | None, by: str) -> bool:
    """Say which member's account is somebody's own; None: none. False where that can't be."""
    async with db.transaction():
        before = await queries.lock_standing(db, name)
        if before is None or not await queries.set_own_account(db, name, account):
            return False
        await log_standing(db, "staff.account", name, before, by=by, wall=Clock.wall())
    return True


async def log_standing(db: Connection, act: Act, name: str, before: Mapping[str, Any], *, by: str, wall: int) -> None:
    """What the machine has just changed of somebody's standing, as it was and as it is now."""
    after = await queries.lock_standing(db, name)
    assert after is not None, name
    await queries.append_audit(
        db, at=wall, staff=None, name=by, act=act, about=f"staff {name}", before=before, after=after
    )


async def list_staff(db: Connection) -> list[StaffRow]:
    """Also those who worked here once."""
    return await queries.list_staff(db)


async def list_keys(db: Connection, name: str) -> list[KeyRow]:
    """Every key that somebody's signatures were or are proven with, the first one first."""
    return await queries.list_keys(db, name)
