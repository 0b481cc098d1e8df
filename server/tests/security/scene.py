"""A slide, and the end of an account with all that it takes."""

from typing import Any

from factors.scene import mailed
from kalos.core.tokens import digest, new_token
from kalos.domains.challenges import queries as challenges
from kalos.domains.challenges.tables import SlideProofRow
from kalos.domains.context import Context
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
