"""Staff of these tests: they have a password, an authenticator and a desk."""

import itertools
import os
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

import asyncpg
from argon2 import PasswordHasher
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kalos.app.settings import PROJECT
from kalos.core.clock import HOUR_MS, Clock
from kalos.core.database import Database
from kalos.core.terms import load_numbers
from kalos.core.tokens import digest, new_token
from kalos.domains.context import House
from kalos.domains.factors import rules as factors
from kalos.domains.withdrawals import rules as withdrawals
from kalos.domains.withdrawals.tables import Withdrawal
from kalos.operator import commands, queries, rules, service
from kalos.operator.context import Desk
from kalos.operator.people import add_staff
from kalos.operator.rules import Staff
from kalos.operator.service import Opened
from kalos.operator.tables import AuditRow, CommandRow, SessionRow

PASSWORD: Final = "calm-harbour-lamp"
NUMBERS: Final = load_numbers(PROJECT / "server" / "terms.toml")
_names = itertools.count(1)


class Ahead(Clock):
    """A wall that runs ahead, to see what ends."""

    def __init__(self, ahead_ms: int) -> None:
        super().__init__()
        self._ahead_ms = ahead_ms

    def wall(self) -> int:  # type: ignore[override]
        return Clock.wall() + self._ahead_ms


@dataclass(slots=True)
class Worker:
    """Somebody who works here, with the authenticator's secret; each code is asked for once."""

    staff: Staff
    secret: bytes
    step: int = 0

    @property
    def name(self) -> str:
        return self.staff.name

    def code(self) -> str:
        """The next code that wasn't shown: now's or the next one's."""
        self.step = max(self.step + 1, Clock.wall() // factors.STEP_MS)
        return factors.totp(self.secret, self.step)


@cache
def _cheap_hash() -> str:
    return PasswordHasher(time_cost=1, memory_cost=64, parallelism=1).hash(PASSWORD)


async def make_worker(owner_url: str, factor_key: bytes, *roles: str) -> Worker:
    name, key, secret = f"worker{next(_names)}", os.urandom(32), os.urandom(20)
    owner = await asyncpg.connect(owner_url)
    try:
        made = await add_staff(
            owner,
            name=name,
            password_hash=_cheap_hash(),
            roles=roles,
            public_key=key,
            factor_key=factor_key,
            by="tests",
            secret=secret,
        )
        number = await owner.fetchval("SELECT id FROM staff WHERE name = $1", name)
    finally:
        await owner.close()
    assert made == secret
    return Worker(Staff(number, name, frozenset(roles), key), secret)


async def begin_session(db: Database, worker: Worker) -> str:
    """A session as a login makes it. Returns its token."""
    token, wall = new_token(), Clock.wall()
    ends_at = wall + rules.SESSION_MS
    async with db.transaction() as step:
        await queries.insert_session(step, SessionRow(digest(token), worker.staff.id, "", "", wall, ends_at, ends_at))
    return token


def desk_of(house: House, worker: Worker | None = None, path: str = "", *, ahead_ms: int = 0, **fields: Any) -> Desk:
    """A call of somebody, or of a visitor; `ahead_ms` later than now."""
    late = replace(house, clock=Ahead(ahead_ms)) if ahead_ms else house
    fields.setdefault("fingerprint", b"f" * 32)
    return Desk(house=late, numbers=NUMBERS, staff=None if worker is None else worker.staff, path=path, **fields)


@asynccontextmanager
async def on_one_connection(house: House) -> AsyncIterator[House]:
    """Whoever wants another connection beside the one that they hold never gets it."""
    db = Database(house.db.url, size=1)
    try:
        yield replace(house, db=db)
    finally:
        await db.close()


def signed_key(name: str, key: Ed25519PrivateKey) -> dict[str, str]:
    """A new signing key with the proof that it is somebody's own."""
    public = key.public_key().public_bytes_raw()
    return {"public_key": public.hex(), "signature": key.sign(rules.key_message(name, public)).hex()}


def request_id() -> str:
    return uuid.uuid4().hex


async def log_in(house: House, worker: Worker, code: str | None = None, password: str = PASSWORD) -> Opened:
    return await service.log_in(desk_of(house), name=worker.name, password=password, code=code or worker.code())


async def submit(
    desk: Desk, kind: str = "setting", reason: str = "a test", request: str = "", **body: Any
) -> CommandRow:
    return await commands.submit(desk, kind=kind, body=body, reason=reason, request_id=request or request_id())


async def sign(desk: Desk, row: CommandRow, version: str = "", request: str = "") -> CommandRow:
    return await commands.sign(desk, number=row.id, version=version or row.version, request_id=request or request_id())


async def log_of(house: House, about: str) -> list[AuditRow]:
    """The log's rows of something, in their order."""
    return [row for row in reversed(await queries.list_audit(house.db, before=None, most=1_000)) if row.object == about]


async def counts(house: House) -> dict[str, int]:
    """How many rows the console's tables and the orders have."""
    tables = (
        "staff_sessions",
        "operator_audit",
        "commands",
        "staff_requests",
        "number_orders",
        "switches",
        "corrections",
        "staff_keys",
        "staff_secrets",
        "staff_devices",
    )
    return {table: await house.db.value(f"SELECT count(*) FROM {table}") for table in tables}


class Reviewer:
    """Somebody with a signing key of their own, and a session."""

    def __init__(self, worker: Worker, key: Ed25519PrivateKey, token: str) -> None:
        self.worker, self.key, self.token = worker, key, token

    def sign(self, one: Withdrawal) -> str:
        return self.key.sign(withdrawals.message(one)).hex()

    def body(self, one: Withdrawal, verdict: str = "yes", **fields: Any) -> dict[str, Any]:
        body = {"id": str(one.id), "revision": one.revision, "verdict": verdict, "reason": "looked at"}
        signed = {"signature": self.sign(one)} if verdict == "yes" else {}
        return body | {"request_id": request_id()} | signed | fields


MakeReviewer = Callable[..., Awaitable[Reviewer]]


async def wait(owner_url: str, table: str, since: str, number: str, hours: int) -> int:
    """As if it had come so much earlier. Returns since when it waits."""
    owner = await asyncpg.connect(owner_url)
    try:
        changed = f"UPDATE {table} SET {since} = {since} - $2, revision = revision + 1 WHERE id = $1 RETURNING {since}"
        earlier: int = await owner.fetchval(changed, int(number), hours * HOUR_MS)
    finally:
        await owner.close()
    return earlier
