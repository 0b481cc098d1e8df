"""What a database that went back in time says of who works here, until the machine says who does today."""

from dataclasses import dataclass

from kalos.core.clock import Clock
from kalos.core.database import Connection
from kalos.operator import command_queries, commands, people, queries, rules


@dataclass(frozen=True, slots=True)
class LockedOut:
    """`names`: who worked here at the time that was reached; `refused`: how many of their commands waited."""

    names: list[str]
    refused: int


async def lock_out(db: Connection, *, reached: str, by: str) -> LockedOut:
    """Let nobody in, refuse what waits for a signature, and have the log say from where on it was cut off.

    Who was ended in the lost time would work here again, and rows of that time are gone without a gap in the numbers:
    so the row names the one that it follows, to be held against a hash that was kept elsewhere. In the caller's
    transaction.
    """
    wall = Clock.wall()
    waiting = await command_queries.lock_open(db, wall)
    rows = await db.fetch("UPDATE staff SET is_active = false WHERE is_active RETURNING name")
    names = sorted(row["name"] for row in rows)
    await db.execute("DELETE FROM staff_devices")
    last = await db.fetchrow("SELECT id, hash FROM operator_audit ORDER BY id DESC LIMIT 1")
    number, end = (0, rules.FIRST) if last is None else (last["id"], last["hash"])
    await queries.append_audit(
        db, at=wall, staff=None, name=by, act="restore", about="database", before={"row": number, "hash": end.hex()},
        after={"reached": reached, "locked_out": names},
    )  # fmt: skip
    return LockedOut(names, await commands.refuse_unmakeable(db, waiting, by=by, wall=wall))


async def let_in(db: Connection, *, name: str, by: str) -> bool:
    """Somebody works here again, with the roles, password, authenticator and key of before. False where nobody of this
    name does not."""
    async with db.transaction():
        before = await queries.lock_standing(db, name)
        tag = await db.execute("UPDATE staff SET is_active = true WHERE name = $1 AND NOT is_active", name)
        if before is None or tag != "UPDATE 1":
            return False
        await people.log_standing(db, "staff.back", name, before, by=by, wall=Clock.wall())
    return True
