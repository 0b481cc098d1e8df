"""Visitors of these tests: they solve captchas, read their codes in the outbox, register and log in."""

import itertools
import json
from typing import Any

import asyncpg

from kalos.core.database import Database
from kalos.core.tokens import digest, new_id
from kalos.domains.challenges import queries as challenges
from kalos.domains.challenges.service import Slid, Solved, verify_slide
from kalos.domains.challenges.tables import ROWS as CHALLENGES
from kalos.domains.challenges.tables import CaptchaRow, SlideRow
from kalos.domains.context import Context, Member
from kalos.domains.entry import service
from kalos.domains.entry.service import Application, Login, Opened
from kalos.domains.entry.tables import ROWS as ENTRY
from kalos.domains.identity import queries
from kalos.domains.identity.tables import ROWS

PASSWORD = "correct8horse"
WRONG = "incorrect8horse"
HOLE = 148
"""Where the piece of a slide that is put there by hand belongs."""
_numbers = itertools.count(1)


def new_email() -> str:
    return f"person{next(_numbers)}@people.example"


async def solved(ctx: Context) -> Solved:
    """A fresh captcha, without its picture, and its right answer."""
    row = CaptchaRow(new_id(), "ACE39", ctx.wall + 60_000)
    await challenges.insert_captcha(ctx.db, row)
    return Solved(row.id, row.answer)


async def make_root(owner_url: str, invite_code: str = "ROOT01") -> int:
    """The member without an inviter; made once, by the owner of the schema."""
    db = await asyncpg.connect(owner_url)
    try:
        member = await db.fetchval(
            """
            INSERT INTO members (account, email, password_hash, invite_code, registered_at)
            VALUES ('10000001', 'root@people.example', '$argon2id$none', $1, 1) RETURNING id
            """,
            invite_code,
        )
        return int(member)
    finally:
        await db.close()


async def code_of(db: Database, email: str) -> str:
    """The last code that was mailed to an address."""
    told = "SELECT body FROM domain_outbox WHERE topic = 'mail.code' AND body ->> 'recipient' = $1"
    body = await db.value(f"{told} ORDER BY id DESC LIMIT 1", email)
    return str(json.loads(body)["values"]["code"])


async def send_code(ctx: Context, email: str, scene: str = "register", *, device: str | None = None) -> str:
    """Have a code sent to an address and read it."""
    await service.send_code(ctx, email=email, scene=scene, shown=await solved(ctx), device=device)
    return await code_of(ctx.db, email)


def application(email: str, code: str, /, **changes: Any) -> Application:
    fields = {
        "invite_code": "ROOT01",
        "email": email,
        "email_code": code,
        "password": PASSWORD,
        "country": None,
        "birth_date": None,
        "terms_version": None,
    }
    return Application(**(fields | changes))


async def register(ctx: Context, email: str | None = None) -> tuple[Member, str]:
    """Register the whole way; returns the member and the session's token."""
    email = email or new_email()
    token = (await service.register(ctx, application(email, await send_code(ctx, email)))).token
    session = await queries.find_session(ctx.db, digest(token), ctx.wall)
    assert session is not None
    return session.member, token


async def login(ctx: Context, name: str, password: str = PASSWORD, **more: str | None) -> Login:
    """With a fresh captcha."""
    return Login(name, password, await solved(ctx), **more)


async def log_in(ctx: Context, name: str, password: str = PASSWORD) -> str:
    """With all that is asked of somebody who has failed before; returns the session's token."""
    return (await enter(ctx, await login(ctx, name, password, proof=await proof(ctx)))).token


async def enter(ctx: Context, login: Login) -> Opened:
    """Of somebody who has no authenticator."""
    opened = await service.log_in(ctx, login)
    assert opened is not None
    return opened


async def everything(db: Database, *, but: tuple[str, ...] = ()) -> dict[str, list[Any]]:
    """All rows of the people's tables and the outbox, to see that nothing moved."""
    tables = [*ROWS, *CHALLENGES, *ENTRY, "domain_outbox"]
    return {
        table: sorted(repr(tuple(row)) for row in await db.rows(f"SELECT * FROM {table}"))
        for table in tables
        if table not in but
    }


def way_to(x: int) -> list[list[int]]:
    """How a hand brings a slide's piece to its place."""
    return [[0, 0], [x // 2, 250], [x, 600]]


async def proof(ctx: Context) -> str:
    """Of a slide that was brought home."""
    row = SlideRow(new_id(), HOLE, ctx.wall + 60_000)
    await challenges.insert_slide(ctx.db, row)
    return (await verify_slide(ctx, slide_id=row.id, answer=Slid(HOLE, way_to(HOLE)))).token
