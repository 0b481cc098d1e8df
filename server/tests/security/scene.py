"""A slide, the end of an account with all that it takes, and what a member has and was told."""

import json
from typing import Any

from factors.scene import mailed
from kalos.core.pages import PageQuery
from kalos.core.tokens import digest, new_token
from kalos.domains.challenges import queries as challenges
from kalos.domains.challenges.tables import SlideProofRow
from kalos.domains.context import Context
from kalos.domains.identity import queries as members
from kalos.domains.security import service
from support.people import PASSWORD


async def slid(ctx: Context) -> str:
    """The proof of a slide."""
    token = new_token()
    await challenges.insert_proof(ctx.db, SlideProofRow(digest(token), ctx.wall + 60_000, None))
    return token


async def close(ctx: Context, **changes: Any) -> None:
    given = {"password": PASSWORD, "out_password": None, "google_code": None}
    if "email_code" not in changes:
        given["email_code"] = await mailed(ctx, "close")
    await service.close(ctx, **{"proof": await slid(ctx)} | given | changes)


async def sessions(ctx: Context) -> int:
    return (await members.list_sessions(ctx.db, ctx.caller.id, ctx.wall, PageQuery(9))).total


async def mails(ctx: Context, address: str) -> list[dict[str, Any]]:
    rows = await ctx.db.rows("SELECT body FROM domain_outbox WHERE body ->> 'recipient' = $1 ORDER BY id", address)
    return [json.loads(row["body"])["values"] for row in rows]


async def email_of(ctx: Context) -> str:
    return str(await ctx.db.value("SELECT email FROM members WHERE id = $1", ctx.caller.id))
