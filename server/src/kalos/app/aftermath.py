"""What a database that went back in time must be told before anybody uses it: the world outside did not go back.

Source: docs/decisions/0034-backup.md.
"""

from typing import Final

import asyncpg
import msgspec

from kalos.adapters.chain.addresses import DepositAddresses
from kalos.app.auditing import EXPLAINED
from kalos.app.chain import Deployed
from kalos.app.embedded.reach import CannotRestore
from kalos.app.migrate import connect_owner, migrate, role_url
from kalos.app.settings import Settings
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.ledger.audit import audit
from kalos.ledger.flags import stop_money_out
from kalos.operator.restored import LockedOut, lock_out
from kalos.signer.tables import RESTORE

SKIPPED: Final = 100_000
"""Numbers of members that nobody gets: who registered in the time that was given up had some of them, with their
deposit addresses."""
_ENDED: Final = ("sessions", "staff_sessions", "email_codes", "wallet_nonces", "wire_keys", "wire_ticket_keys")
"""What may have been ended, used or replaced in that time, and would count again: everybody logs in anew, and no call
that was recorded can be sent again."""
_USED: Final = """
    SELECT EXISTS (
        SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND usename IN ('kalos_app', 'kalos_writer', 'kalos_signer')
    )
"""
_SKIP: Final = """
    SELECT setval(pg_get_serial_sequence('members', 'id'), nextval(pg_get_serial_sequence('members', 'id')) + $1)
"""
_WITHOUT_ADDRESS: Final = """
    SELECT m.id FROM members m LEFT JOIN deposit_addresses a ON a.owner = m.id
    WHERE a.owner IS NULL AND m.id > $1 ORDER BY m.id LIMIT 1000
"""


class NotSound(CannotRestore):
    """The database was told all of it and keeps that; the audit behind it found something."""


async def conclude(settings: Settings, url: str, reached: str) -> list[str]:
    """Bring the schema up, stop what sends money, end what might count twice, let no staff in, and audit everything.

    `url` is the owner's. Returns what was done, a line each.
    Raises: CannotRestore where somebody uses the database already, and nothing was changed; NotSound.
    """
    db = await connect_owner(url)
    try:
        if await db.fetchval(_USED):
            raise CannotRestore("the house runs on this database: stop all of its processes first")
        await migrate(url, settings.secret)
        async with db.transaction():
            stopped = await _stop_money(db, reached)
            for table in _ENDED:
                if await _exists(db, table):
                    await db.execute(f"DELETE FROM {table}")
            await db.execute(_SKIP, SKIPPED)
            addresses = await _add_addresses(db, settings)
            staff = await lock_out(db, reached=reached, by=RESTORE)
            frozen = await db.fetchval("SELECT count(*) FROM members WHERE frozen_at IS NOT NULL")
    finally:
        await db.close()
    await _audit(settings, url)
    return [
        f"{stopped}: resume after you have compared the chain (docs/operations.md, Restore)",
        "everybody logs in anew",
        f"deposit addresses written down anew: {addresses}",
        *_to_check(staff, frozen),
    ]


def _to_check(staff: LockedOut, frozen: int) -> list[str]:
    """What only a person knows: who was dismissed and what was frozen in the lost time."""
    return [
        f"staff locked out: {', '.join(staff.names) or 'nobody'}; staff back NAME for each who works here today",
        f"commands refused that waited for a signature: {staff.refused}",
        f"accounts frozen then: {frozen}; freeze anew whom you froze since, and open whom you opened",
    ]


async def _stop_money(db: asyncpg.Connection, reached: str) -> str:
    """What left after that time is not in the books: a person looks before anything leaves again.

    Returns what was stopped.
    """
    wall = Clock.wall()
    reason = f"restored to {reached}: what was paid out after that is on the chain and not in the books"
    await stop_money_out(db, reason=reason, by=RESTORE, wall=wall, follows=True)
    if not await _exists(db, "signer_state"):
        return "money out is stopped"
    await db.execute("UPDATE signer_state SET paused = true, reason = $1, by = $2, at = $3", reason, RESTORE, wall)
    return "money out is stopped, the signer paused"


async def _exists(db: asyncpg.Connection, table: str) -> bool:
    return await db.fetchval("SELECT to_regclass($1)", f"public.{table}") is not None


async def _add_addresses(db: asyncpg.Connection, settings: Settings) -> int:
    """Who first saw an address after that time still pays to it: it follows from the member's number, so each is known.

    The watcher reads the chain from where it stood then, and finds what came meanwhile.
    """
    xpub = _xpub(settings)
    if xpub is None:
        return 0
    addresses, count, last = DepositAddresses(xpub), 0, 0
    while owners := [row["id"] for row in await db.fetch(_WITHOUT_ADDRESS, last)]:
        now = Clock.wall()
        await db.copy_records_to_table(
            "deposit_addresses",
            columns=("owner", "address", "made_at"),
            records=[(owner, addresses.address(owner), now) for owner in owners],
        )
        count, last = count + len(owners), owners[-1]
    return count


def _xpub(settings: Settings) -> str | None:
    """None where the demo's own chain is gone: a new one has new addresses."""
    place = settings.contracts
    if settings.deposit_xpub:
        return settings.deposit_xpub
    return msgspec.json.decode(place.read_bytes(), type=Deployed).xpub if place.exists() else None


async def _audit(settings: Settings, url: str) -> None:
    db = Database(role_url(url, "kalos_app", settings.secret), size=2)
    try:
        problems = await audit(db, EXPLAINED)
    finally:
        await db.close()
    if problems:
        raise NotSound("the ledger is not sound at that time:\n" + "\n".join(problems))
