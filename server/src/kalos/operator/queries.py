"""Every statement on the tables of staff, their sessions and the log.

Those that belong to one commit with others take its `Connection`; all else takes the `Database`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import msgspec

from kalos.core.database import Connection, Database, Record
from kalos.operator import rules
from kalos.operator.rules import Staff
from kalos.operator.tables import (
    DEVICES,
    SECRETS,
    SESSIONS,
    Act,
    AuditRow,
    DeviceRow,
    KeyRow,
    RefusalRow,
    RefusedMinute,
    SecretRow,
    SessionRow,
    StaffRow,
)

ENDING: Final = (SESSIONS, SECRETS, DEVICES)
"""What goes some time after its `until_at`."""
_AUDIT_LOCK: Final = 7_401_002  # of a database: two rows of the log are written one after the other
_BATCH: Final = 1_000


# Staff


async def find_staff(db: Database, name: str) -> StaffRow | None:
    row = await db.row("SELECT * FROM staff WHERE name = $1", name)
    return None if row is None else StaffRow(**row)


async def list_staff(db: Connection) -> list[StaffRow]:
    return [StaffRow(**row) for row in await db.fetch("SELECT * FROM staff ORDER BY id")]


async def insert_staff(
    db: Connection,
    *,
    name: str,
    password_hash: str,
    totp_secret: bytes,
    roles: Sequence[str],
    public_key: bytes | None,
    at: int,
) -> int | None:
    """As the schema's owner. None where the name is somebody's, or the key is or was."""
    number: int | None = await db.fetchval(
        """
        INSERT INTO staff (name, password_hash, totp_secret, roles, public_key, made_at)
        SELECT $1, $2, $3, $4, $5, $6 WHERE NOT EXISTS (SELECT FROM staff_keys WHERE public_key = $5)
        ON CONFLICT DO NOTHING RETURNING id
        """,
        name, password_hash, totp_secret, list(roles), public_key, at,
    )  # fmt: skip
    return number


async def end_staff(db: Connection, name: str) -> int | None:
    """As the schema's owner: no login and no session any more. None where nobody of this name works here."""
    number: int | None = await db.fetchval(
        "UPDATE staff SET is_active = false, member = NULL WHERE name = $1 AND is_active RETURNING id", name
    )
    await db.execute("DELETE FROM staff_sessions WHERE staff = $1", number)
    await db.execute("DELETE FROM staff_devices WHERE staff = $1", number)
    return number


async def lock_standing(db: Connection, name: str) -> dict[str, Any] | None:
    """How somebody stands here, as the log has it; it stays so until the commit. None where nobody has this name."""
    row = await db.fetchrow(
        """
        SELECT s.is_active AS works, s.roles, (SELECT account FROM members WHERE id = s.member) AS account
        FROM staff s WHERE s.name = $1 FOR NO KEY UPDATE OF s
        """,
        name,
    )
    return None if row is None else dict(row)


async def lock_roles(db: Connection, staff: int) -> frozenset[str]:
    """What somebody may do, nothing where they work here no longer: it stays so until the commit."""
    roles = await db.fetchval("SELECT roles FROM staff WHERE id = $1 AND is_active FOR SHARE", staff)
    return frozenset(roles or ())


async def count_standing(db: Database, roles: Collection[str]) -> int:
    """How many work here who have one of these roles."""
    count: int = await db.value("SELECT count(*) FROM staff WHERE is_active AND roles && $1::text[]", list(roles))
    return count


async def list_own_accounts(db: Connection) -> dict[int, str]:
    """The accounts that people of staff have as members, by the number of the person."""
    rows = await db.fetch("SELECT s.id, m.account FROM staff s JOIN members m ON m.id = s.member")
    return {row["id"]: row["account"] for row in rows}


async def set_own_account(db: Connection, name: str, account: str | None) -> bool:
    """As the schema's owner: whose account as a member it is, who is staff from then on; None takes it away.

    False where nobody of this name works here or has this account, or the account is another one's already.
    """
    if account is None:
        tag: str = await db.execute("UPDATE staff SET member = NULL WHERE name = $1 AND is_active", name)
        return tag == "UPDATE 1"
    member: int | None = await db.fetchval(
        """
        UPDATE staff SET member = m.id FROM members m
        WHERE staff.name = $1 AND is_active AND m.account = $2
        AND NOT EXISTS (SELECT FROM staff other WHERE other.member = m.id AND other.name <> $1)
        RETURNING m.id
        """,
        name,
        account,
    )
    if member is not None:
        await db.execute("UPDATE members SET is_staff = true WHERE id = $1", member)
    return member is not None


async def use_step(db: Connection, row: StaffRow, step: int) -> bool:
    """Use up a code and those before it; false where it was used, or what was judged in `row` counts no more."""
    tag: str = await db.execute(
        """
        UPDATE staff SET last_step = $2
        WHERE id = $1 AND is_active AND last_step < $2 AND password_hash = $3 AND totp_secret = $4
        """,
        row.id, step, row.password_hash, row.totp_secret,
    )  # fmt: skip
    return tag == "UPDATE 1"


# What staff renew


async def replace_password(db: Connection, staff: int, password_hash: str, *, old_hash: str) -> bool:
    """False where it has become another one meanwhile, or nobody of this number works here."""
    tag: str = await db.execute(
        "UPDATE staff SET password_hash = $3 WHERE id = $1 AND is_active AND password_hash = $2",
        staff, old_hash, password_hash,
    )  # fmt: skip
    return tag == "UPDATE 1"


async def put_secret(db: Connection, row: SecretRow) -> None:
    """A secret that was shown; the one before it is void."""
    await db.execute(
        """
        INSERT INTO staff_secrets (staff, sealed_secret, until_at) VALUES ($1, $2, $3)
        ON CONFLICT (staff) DO UPDATE SET sealed_secret = excluded.sealed_secret, until_at = excluded.until_at
        """,
        row.staff, row.sealed_secret, row.until_at,
    )  # fmt: skip


async def find_secret(db: Database, staff: int, wall: int) -> SecretRow | None:
    row = await db.row("SELECT * FROM staff_secrets WHERE staff = $1 AND until_at > $2", staff, wall)
    return None if row is None else SecretRow(**row)


async def bind_secret(db: Connection, row: SecretRow, step: int) -> bool:
    """From now on its codes count, after `step`. False where it is bound already, or another one was shown."""
    tag: str = await db.execute(
        """
        WITH taken AS (DELETE FROM staff_secrets WHERE staff = $1 AND sealed_secret = $2 RETURNING staff)
        UPDATE staff s SET totp_secret = $2, last_step = $3 FROM taken WHERE s.id = taken.staff AND s.is_active
        """,
        row.staff, row.sealed_secret, step,
    )  # fmt: skip
    return tag == "UPDATE 1"


async def replace_key(db: Connection, staff: int, key: bytes) -> bool:
    """False where the key is or was somebody's. The one before it stays in `staff_keys`."""
    tag: str = await db.execute(
        """
        UPDATE staff SET public_key = $2
        WHERE id = $1 AND is_active AND NOT EXISTS (SELECT FROM staff_keys WHERE public_key = $2)
        """,
        staff,
        key,
    )
    return tag == "UPDATE 1"


async def list_keys(db: Connection, name: str) -> list[KeyRow]:
    """Every key that somebody's signatures were or are proven with, the first one first."""
    rows = await db.fetch(
        "SELECT k.* FROM staff_keys k JOIN staff s ON s.id = k.staff WHERE s.name = $1 ORDER BY k.since, k.public_key",
        name,
    )
    return [KeyRow(**row) for row in rows]


# Sessions


async def insert_session(db: Connection, row: SessionRow) -> None:
    await db.execute(
        """
        INSERT INTO staff_sessions (token_hash, staff, network, device, made_at, idle_until, until_at, device_hash)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        """,
        row.token_hash, row.staff, row.network, row.device, row.made_at, row.idle_until, row.until_at, row.device_hash,
    )  # fmt: skip


async def find_caller(db: Database, token_hash: bytes, wall: int) -> Staff | None:
    """Whose living session it is, as they are now; its use moves its idle end ahead, written once a minute."""
    row = await db.row(
        """
        SELECT s.id, s.name, s.roles, s.public_key, s.member, m.account, o.idle_until, o.until_at
        FROM staff_sessions o JOIN staff s ON s.id = o.staff LEFT JOIN members m ON m.id = s.member
        WHERE o.token_hash = $1 AND s.is_active AND o.idle_until > $2 AND o.until_at > $2
        """,
        token_hash,
        wall,
    )
    if row is None:
        return None
    if rules.must_write(row["idle_until"], wall, row["until_at"]):
        until = rules.idle_until(wall, row["until_at"])
        await db.execute("UPDATE staff_sessions SET idle_until = $2 WHERE token_hash = $1", token_hash, until)
    return Staff(row["id"], row["name"], frozenset(row["roles"]), row["public_key"], row["member"], row["account"])


async def session_ends_at(db: Database, token_hash: bytes) -> int:
    ends_at: int = await db.value("SELECT until_at FROM staff_sessions WHERE token_hash = $1", token_hash) or 0
    return ends_at


async def end_other_sessions(db: Connection, staff: int, *, kept: bytes) -> int:
    """Returns how many were ended."""
    tag: str = await db.execute("DELETE FROM staff_sessions WHERE staff = $1 AND token_hash <> $2", staff, kept)
    return int(tag.rpartition(" ")[2])


async def end_session(db: Connection, token_hash: bytes) -> bool:
    tag: str = await db.execute("DELETE FROM staff_sessions WHERE token_hash = $1", token_hash)
    return tag == "DELETE 1"


# Devices, and what is refused at the door


async def list_staff_of(db: Database, token_hash: bytes, wall: int) -> set[int]:
    """Who has logged in with a device; nobody where its token isn't ours."""
    rows = await db.rows("SELECT staff FROM staff_devices WHERE token_hash = $1 AND until_at > $2", token_hash, wall)
    return {row["staff"] for row in rows}


async def put_device(db: Connection, row: DeviceRow, *, most: int) -> None:
    """Remember a device; of its person's only the `most` that came last stay."""
    await db.execute(
        """
        INSERT INTO staff_devices (token_hash, staff, last_at, until_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (token_hash, staff) DO UPDATE SET last_at = excluded.last_at, until_at = excluded.until_at
        """,
        row.token_hash, row.staff, row.last_at, row.until_at,
    )  # fmt: skip
    await db.execute(
        """
        DELETE FROM staff_devices WHERE staff = $1 AND token_hash IN (
            SELECT token_hash FROM staff_devices WHERE staff = $1 ORDER BY last_at DESC, token_hash OFFSET $2)
        """,
        row.staff,
        most,
    )


async def forget_other_devices(db: Connection, staff: int, *, session: bytes) -> None:
    """All but that on which the session was opened."""
    await db.execute(
        """
        DELETE FROM staff_devices WHERE staff = $1
        AND token_hash IS DISTINCT FROM (SELECT device_hash FROM staff_sessions WHERE token_hash = $2)
        """,
        staff,
        session,
    )


async def count_refusal(db: Database, row: RefusalRow) -> None:
    await db.execute(
        """
        INSERT INTO staff_refusals (minute, act, staff, network, wrong, turned_away, on_known)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (minute, act, staff, network) DO UPDATE
        SET wrong = staff_refusals.wrong + excluded.wrong,
            turned_away = staff_refusals.turned_away + excluded.turned_away,
            on_known = staff_refusals.on_known + excluded.on_known
        """,
        row.minute, row.act, row.staff, row.network, row.wrong, row.turned_away, row.on_known,
    )  # fmt: skip


async def take_refusals(db: Connection, *, before: int, most_networks: int) -> list[RefusedMinute]:
    """Take what was counted in earlier minutes, the oldest first: of two who take at once one gets it."""
    rows = await db.fetch(
        """
        WITH taken AS (DELETE FROM staff_refusals WHERE minute < $1 RETURNING *)
        SELECT t.minute, t.act, s.name, sum(t.wrong)::bigint AS wrong, sum(t.turned_away)::bigint AS turned_away,
            sum(t.on_known)::bigint AS on_known, greatest(count(*) - $2, 0) AS more_networks,
            (array_agg(t.network ORDER BY t.wrong + t.turned_away DESC, t.network))[:$2] AS networks
        FROM taken t LEFT JOIN staff s ON s.id = t.staff GROUP BY t.minute, t.act, s.name ORDER BY 1, 2, 3
        """,
        before,
        most_networks,
    )
    return [RefusedMinute(**row) for row in rows]


# The log


async def append_audit(
    db: Connection,
    *,
    at: int,
    staff: int | None,
    name: str,
    act: Act,
    about: str,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
) -> AuditRow:
    """Add a row behind the last one. Until the end of the transaction nobody else adds one."""
    await db.execute("SELECT pg_advisory_xact_lock($1)", _AUDIT_LOCK)
    last = await db.fetchrow("SELECT id, hash FROM operator_audit ORDER BY id DESC LIMIT 1")
    number, previous = (1, rules.FIRST) if last is None else (last["id"] + 1, last["hash"])
    row = AuditRow(number, at, staff, name, act, about, dict(before), dict(after), previous)
    row = replace(row, hash=rules.hash_of(row))
    await db.execute(
        """
        INSERT INTO operator_audit (id, at, staff, name, act, object, before, after, previous, hash)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        """,
        row.id, row.at, row.staff, row.name, row.act, row.object, _json(row.before), _json(row.after),
        row.previous, row.hash,
    )  # fmt: skip
    return row


async def list_audit(db: Database, *, before: int | None, most: int, skip: int = 0) -> list[AuditRow]:
    """The newest first."""
    rows = await db.rows(
        "SELECT * FROM operator_audit WHERE id < $1 ORDER BY id DESC LIMIT $2",
        2**62 if before is None else before,
        skip + most,
    )
    return [_audit_row(row) for row in rows[skip:]]


async def last_audit(db: Database) -> int:
    """How many rows the log has: they are numbered without gaps."""
    number: int = await db.value("SELECT coalesce(max(id), 0) FROM operator_audit")
    return number


async def verify_audit(db: Database) -> list[str]:
    """Follow the chain from its first row on. Returns a sentence a problem."""
    problems: list[str] = []
    after, previous = 0, rules.FIRST
    while True:
        rows = [
            _audit_row(row)
            for row in await db.rows("SELECT * FROM operator_audit WHERE id > $1 ORDER BY id LIMIT $2", after, _BATCH)
        ]
        if not rows:
            return problems
        problems += rules.check_chain(rows, after=after, previous=previous)
        after, previous = rows[-1].id, rows[-1].hash


def _audit_row(row: Record) -> AuditRow:
    values = dict(row)
    return AuditRow(
        **values | {"before": msgspec.json.decode(row["before"]), "after": msgspec.json.decode(row["after"])}
    )


def _json(value: Mapping[str, Any]) -> str:
    return msgspec.json.encode(value).decode()
