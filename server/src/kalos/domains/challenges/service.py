"""Captchas and e-mail codes: made, sent, and judged once; tries counted before they are judged."""

import asyncio
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kalos.core.clock import MINUTE_MS, SECOND_MS
from kalos.core.database import Connection
from kalos.core.emails import canonical_email
from kalos.core.errors import TooMany
from kalos.core.mails import queue_mail
from kalos.core.tokens import digest, new_code, new_id
from kalos.domains.challenges import queries, rules
from kalos.domains.challenges.errors import CaptchaExpired, CodeExpired, WrongCaptcha, WrongCode
from kalos.domains.challenges.rules import Limit
from kalos.domains.challenges.tables import CaptchaRow, EmailCodeRow
from kalos.domains.context import Context

_CODE_MAIL: Final = {"register": "register_code"}


@dataclass(frozen=True, slots=True)
class Captcha:
    id: str
    image: str
    until_at: int


async def draw_captcha(ctx: Context) -> Captcha:
    """Draw a picture whose text can be answered once, within `captcha_seconds`.

    Source: identity.md, "Captchas"; section 7 /api/auth/captcha.
    """
    puzzle = await asyncio.to_thread(ctx.house.captchas.draw)
    row = CaptchaRow(new_id(), puzzle.answer, ctx.wall + ctx.terms.captcha_seconds * SECOND_MS)
    await queries.insert_captcha(ctx.db, row)
    return Captcha(row.id, puzzle.image, row.until_at)


async def send_code(ctx: Context, *, email: str, scene: str, captcha_id: str, captcha_text: str) -> None:
    """Mail a six-digit code to an address, whether or not a member has it.

    Raises: InvalidInput, WrongCaptcha, CaptchaExpired, TooMany.
    Source: identity.md, "Registering and logging in"; section 7 /api/auth/sendEmail.
    """
    address = canonical_email(email)
    await use_captcha(ctx, captcha_id, captcha_text)
    wall, code, minutes = ctx.wall, new_code(), ctx.terms.code_minutes
    async with ctx.db.transaction() as db:
        await take_tries(db, rules.code_limits(ctx.terms, email=address, network=ctx.network), wall)
        row = EmailCodeRow(address, scene, digest(address, scene, code), 0, wall + minutes * MINUTE_MS, None)
        await queries.put_code(db, row)
        await queue_mail(
            db,
            name=_CODE_MAIL[scene],
            lang=ctx.lang,
            recipient=address,
            values={"code": code, "minutes": str(minutes)},
            at=wall,
        )


async def use_captcha(ctx: Context, captcha_id: str, text: str) -> None:
    captcha = await queries.take_captcha(ctx.db, captcha_id)
    if captcha is None or captcha.until_at <= ctx.wall:
        raise CaptchaExpired()
    if not rules.same_picture_text(captcha.answer, text):
        raise WrongCaptcha()


async def take_tries(db: Connection, limits: Sequence[Limit], wall: int) -> None:
    for limit in limits:
        if not await queries.take_try(db, limit, wall):
            raise TooMany(retry_after=rules.seconds_until(await queries.free_at(db, limit), wall))


async def give_tries_back(db: Connection, limits: Sequence[Limit], wall: int) -> None:
    for limit in limits:
        await queries.give_try_back(db, limit, wall)


async def check_code(ctx: Context, address: str, scene: str, code: str) -> bytes:
    given = digest(address, scene, code)
    right = await queries.try_code(ctx.db, address, scene, wall=ctx.wall, most=ctx.terms.code_tries)
    if right is None and await queries.code_was_sent(ctx.db, address, scene):
        raise CodeExpired()
    if right is None or not hmac.compare_digest(right, given):
        raise WrongCode()
    return given
