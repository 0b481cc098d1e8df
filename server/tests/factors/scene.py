"""Members of these tests: they read their codes in the outbox and carry an authenticator."""

import base64
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from argon2 import PasswordHasher

from kalos.core.database import Database
from kalos.core.errors import Refusal
from kalos.domains.context import Context
from kalos.domains.factors import queries, rules, service
from kalos.domains.factors.rules import Scene
from kalos.domains.factors.tables import ROWS
from support.people import PASSWORD, code_of, proof
from support.people import everything as people_rows

OUT = "246810"


@dataclass(slots=True)
class Phone:
    """What an authenticator has; each code is asked for once."""

    secret: bytes
    codes: list[str]
    step: int = 0

    def code(self, ctx: Context) -> str:
        """The next code that wasn't shown: now's or the next one's, which stay right when a step ends meanwhile."""
        self.step = max(self.step + 1, ctx.wall // rules.STEP_MS)
        return rules.totp(self.secret, self.step)


async def mailed(ctx: Context, scene: Scene, **fields: Any) -> str:
    """A code for the caller, as if the gap since the last one were over."""
    await ctx.db.execute("DELETE FROM tries WHERE subject LIKE 'code-%'")
    await service.send_code(ctx, scene, **fields)
    return await own_code(ctx)


async def own_code(ctx: Context) -> str:
    return await code_of(ctx.db, await ctx.db.value("SELECT email FROM members WHERE id = $1", ctx.caller.id))


async def show(ctx: Context) -> Phone:
    """A phone that has read the QR code."""
    return Phone(base64.b32decode((await service.show_google(ctx)).secret), [])


async def bind(ctx: Context) -> Phone:
    phone = await show(ctx)
    phone.codes = await service.bind_google(
        ctx, code=phone.code(ctx), password=PASSWORD, email_code=await mailed(ctx, "google"), proof=await proof(ctx)
    )
    return phone


async def first(ctx: Context, *, password: str = PASSWORD, new: str = OUT, **fields: Any) -> None:
    """Set the first withdrawal password the whole way, with a mailed code where `fields` have no factor."""
    code = {} if {"google_code", "email_code"} & fields.keys() else {"email_code": await mailed(ctx, "password")}
    wish = {"new": new, "confirm": new, "proof": await proof(ctx)} | code | fields
    await service.set_out_password(ctx, rules.NewOutPassword(**wish), password=password)


async def give_out(ctx: Context) -> None:
    """A withdrawal password that was set before."""
    async with ctx.db.transaction() as db:
        await queries.insert_out_password(db, ctx.caller.id, hashed(OUT), at=1)


@cache
def hashed(password: str) -> str:
    """As the product stores it, but cheaper."""
    return PasswordHasher(time_cost=1, memory_cost=64, parallelism=1).hash(password)


async def refused(awaited: Any) -> str:
    """The name of the refusal."""
    with pytest.raises(Refusal) as refusal:
        await awaited
    return refusal.value.name


async def everything(
    db: Database, *, but: tuple[str, ...] = ("tries", "slides", "slide_proofs")
) -> dict[str, list[Any]]:
    """All rows of people and factors, to see that nothing moved; how often a code was tried is no change."""
    rows = await people_rows(db, but=(*but, "email_codes"))
    for table in ROWS:
        rows[table] = sorted(repr(tuple(row)) for row in await db.rows(f"SELECT * FROM {table}"))
    rows["email_codes"] = sorted(
        repr(tuple(row)) for row in await db.rows("SELECT email, scene, code_hash, used_at FROM email_codes")
    )
    return rows


async def events(ctx: Context) -> list[str]:
    """What the caller's log tells, oldest first."""
    rows = await ctx.db.rows("SELECT event FROM security_events WHERE member = $1 ORDER BY id", ctx.caller.id)
    return [row["event"] for row in rows]
