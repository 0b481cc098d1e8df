"""Captchas and e-mail codes: made, sent, and judged once; tries counted before they are judged."""

import hmac
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final

from kalos.core.clock import MINUTE_MS, SECOND_MS
from kalos.core.database import Connection, Database
from kalos.core.errors import Busy, TooMany
from kalos.core.mails import queue_mail
from kalos.core.pool import Pool
from kalos.core.tokens import digest, new_code, new_id, new_token
from kalos.core.turns import Turns
from kalos.domains.challenges import queries, rules
from kalos.domains.challenges.errors import CaptchaExpired, CodeExpired, SlideRequired, WrongCaptcha, WrongCode
from kalos.domains.challenges.rules import Limit, Track
from kalos.domains.challenges.tables import CaptchaRow, EmailCodeRow, SlideProofRow, SlideRow
from kalos.domains.context import Context

_CODE_MAIL: Final = {"register": "register_code", "reset": "reset_code"}
_NOTHING: Final[Mapping[str, str]] = {}
# What is tried is judged one at a time for each limit: right ones that come together would fill it for one another.
_turns: Final = Turns()
# Any visitor asks for them, at 10 to 30 ms each: one core is what they get, and nobody waits long for it.
_drawing: Final = Pool("captchas", threads=1, most=64)


@dataclass(frozen=True, slots=True)
class Captcha:
    """`url` is a data URL of the picture, or of the sound."""

    id: str
    url: str
    until_at: int


@dataclass(frozen=True, slots=True)
class Solved:
    """What somebody read in the picture of a captcha, or counted in its sound."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Slid:
    """Where somebody left a slide's piece, and how it came there."""

    x: int
    track: Track


@dataclass(frozen=True, slots=True)
class Slide:
    """`background` and `piece` are data URLs; the piece starts at the left edge, `y` points from the top."""

    id: str
    background: str
    piece: str
    y: int
    until_at: int


@dataclass(frozen=True, slots=True)
class Proof:
    token: str
    until_at: int


async def draw_captcha(ctx: Context, *, heard: bool = False) -> Captcha:
    """Draw a picture whose text can be answered once, within `captcha_seconds`; or, to be `heard`, groups of tones,
    whose numbers are answered alike.

    Raises: Busy.
    Source: identity.md, "Captchas"; section 7 /api/auth/captcha.
    """
    drawer = ctx.house.tones if heard else ctx.house.captchas
    puzzle = await _drawing.run(drawer.draw)
    row = CaptchaRow(new_id(), puzzle.answer, ctx.wall + ctx.terms.captcha_seconds * SECOND_MS)
    await queries.insert_captcha(ctx.db, row)
    return Captcha(row.id, puzzle.url, row.until_at)


async def draw_slide(ctx: Context) -> Slide:
    """Draw a picture with a hole, and the piece that somebody must bring there, once, within `captcha_seconds`.

    Raises: Busy.
    Source: identity.md, "Captchas".
    """
    puzzle = await _drawing.run(ctx.house.slides.draw)
    row = SlideRow(new_id(), puzzle.x, ctx.wall + ctx.terms.captcha_seconds * SECOND_MS)
    await queries.insert_slide(ctx.db, row)
    return Slide(row.id, puzzle.background, puzzle.piece, puzzle.y, row.until_at)


async def play_slide(ctx: Context) -> Captcha:
    """Play groups of tones to whoever can't see the picture; counted once, within `captcha_seconds`, they are a slide.

    Raises: Busy.
    Source: web.md, N16.
    """
    puzzle = await _drawing.run(ctx.house.tones.draw)
    row = SlideRow(new_id(), None, ctx.wall + ctx.terms.captcha_seconds * SECOND_MS, puzzle.answer)
    await queries.insert_slide(ctx.db, row)
    return Captcha(row.id, puzzle.url, row.until_at)


async def verify_slide(ctx: Context, *, slide_id: str, answer: Slid | str) -> Proof:
    """Judge where a piece was left, or how many tones were counted; returns what allows one call that asks for a slide.

    Raises: CaptchaExpired, WrongCaptcha.
    Source: identity.md, "Captchas".
    """
    slide = await queries.take_slide(ctx.db, slide_id)
    if slide is None or slide.until_at <= ctx.wall:
        raise CaptchaExpired()
    lasts_ms = ctx.terms.captcha_seconds * SECOND_MS
    if not _is_right(slide, answer, most_ms=lasts_ms):
        raise WrongCaptcha()
    token, until_at = new_token(), ctx.wall + lasts_ms
    await queries.insert_proof(ctx.db, SlideProofRow(digest(token), until_at))
    return Proof(token, until_at)


def _is_right(slide: SlideRow, answer: Slid | str, *, most_ms: int) -> bool:
    """Whether it is the answer to what was shown or played: one to the other is wrong."""
    if isinstance(answer, Slid):
        return slide.x is not None and rules.slid_home(slide.x, x=answer.x, track=answer.track, most_ms=most_ms)
    return slide.code is not None and rules.same_picture_text(slide.code, answer)


async def use_proof(ctx: Context, proof: str | None, *, name: str = "", db: Connection | None = None) -> SlideProofRow:
    """Use up the proof of a slide, in the commit of `db` or at once; one that serves once more does so for its `name`.

    Raises: SlideRequired.
    """
    if db is None:
        async with ctx.db.connection() as own:
            return await use_proof(ctx, proof, name=name, db=own)
    row = await queries.take_proof(db, digest(proof)) if proof else None
    if row is None or row.until_at <= ctx.wall or not _serves(row.served_for, name):
        raise SlideRequired()
    return row


async def serve_again(ctx: Context, *rows: CaptchaRow | SlideProofRow, name: str) -> None:
    """Where a second factor is asked for: what was just used serves once more, for this name, until its own end."""
    for row in rows:
        if row.served_for is not None:
            continue
        again = replace(row, served_for=digest(name))
        await (
            queries.insert_captcha(ctx.db, again)
            if isinstance(again, CaptchaRow)
            else queries.insert_proof(ctx.db, again)
        )


async def use_shown(ctx: Context, shown: Solved | str) -> None:
    """Use up what a visitor shows: a captcha that was read, or the proof of a slide.

    Raises: WrongCaptcha, CaptchaExpired, SlideRequired.
    """
    if isinstance(shown, Solved):
        await use_captcha(ctx, shown)
    else:
        await use_proof(ctx, shown)


async def send_code(ctx: Context, *, address: str, scene: str, asker: str) -> None:
    """Mail a six-digit code to an address, whether or not a member has it.

    Raises: TooMany.
    Source: identity.md, "Registering and logging in".
    """
    limits = rules.code_limits(ctx.terms, email=address, network=ctx.network, asker=asker)
    await mail_code(ctx, address, scene, limits, mail=_CODE_MAIL[scene], asker=asker)


async def mail_code(
    ctx: Context,
    address: str,
    scene: str,
    limits: Sequence[Limit],
    *,
    mail: str,
    asker: str,
    bound: str = "",
    values: Mapping[str, str] = _NOTHING,
) -> None:
    """Mail a six-digit code that is right for this scene and asker alone, and for what it is `bound` to.

    `mail` is the name of its texts, `values` are what they say besides the code.

    Raises: TooMany.
    """
    wall, code, minutes = ctx.wall, new_code(), ctx.terms.code_minutes
    until_at = wall + minutes * MINUTE_MS
    async with ctx.db.transaction() as db:
        await take_tries(db, limits, wall)
        row = EmailCodeRow(address, scene, asker, digest(address, scene, asker, bound, code), 0, until_at, None)
        await queries.put_code(db, row)
        await queue_mail(
            db,
            name=mail,
            lang=ctx.lang,
            recipient=address,
            values={"code": code, "minutes": str(minutes), "until": str(until_at), **values},
            at=wall,
        )


async def use_captcha(ctx: Context, solved: Solved, *, name: str = "") -> CaptchaRow:
    """Use up a captcha; one that serves once more does so for its `name` alone.

    Raises: CaptchaExpired, WrongCaptcha.
    """
    captcha = await queries.take_captcha(ctx.db, solved.id)
    if captcha is None or captcha.until_at <= ctx.wall or not _serves(captcha.served_for, name):
        raise CaptchaExpired()
    if not rules.same_picture_text(captcha.answer, solved.text):
        raise WrongCaptcha()
    return captcha


async def take_tries(db: Connection, limits: Sequence[Limit], wall: int) -> list[int]:
    """Count a try of each, all or none; returns how many each one's first window holds with it.

    Raises: TooMany.
    """
    taken = []
    for limit in limits:
        count = await queries.take_try(db, limit, wall)
        if not count:
            raise TooMany(retry_after=rules.seconds_until(await queries.free_at(db, limit), wall))
        taken.append(count)
    return taken


async def check_tries(db: Database, limit: Limit, wall: int) -> None:
    """Whether another try would be one too many, without counting one. Raises: TooMany."""
    free_at = await queries.find_free_at(db, limit)
    if free_at > wall:
        raise TooMany(retry_after=rules.seconds_until(free_at, wall))


async def are_used_up(db: Database, limit: Limit, wall: int) -> bool:
    """Whether another try now would be one too many."""
    return await queries.find_free_at(db, limit) > wall


@asynccontextmanager
async def tried(ctx: Context, limit: Limit) -> AsyncIterator[None]:
    """Count a try, in turn, and give it back if what is inside refuses nothing or has no time. Raises: TooMany."""
    wall = ctx.wall
    async with _turns.of(limit.subject):
        async with ctx.db.transaction() as db:
            await take_tries(db, [limit], wall)
        try:
            yield
        except Busy:
            await _give_back(ctx, limit, wall)
            raise
        await _give_back(ctx, limit, wall)


async def give_tries_back(db: Connection, limits: Sequence[Limit], wall: int) -> None:
    for limit in limits:
        await queries.give_try_back(db, limit, wall)


async def check_code(
    ctx: Context, address: str, scene: str, code: str, *, askers: Sequence[str] = ("",), bound: str = ""
) -> bytes:
    """Count a try of a code that one of these had sent; returns its hash, by which `queries.use_code` uses it up.

    Raises: WrongCode (also one that another asker had sent, or that is bound to something else), CodeExpired.
    """
    tried, sent = False, False
    for asker in askers:
        given = digest(address, scene, asker, bound, code)
        right = await queries.try_code(ctx.db, address, scene, asker, wall=ctx.wall, most=ctx.terms.code_tries)
        if right is not None and hmac.compare_digest(right, given):
            return given
        tried = tried or right is not None
        sent = sent or await queries.code_was_sent(ctx.db, address, scene, asker)
    raise CodeExpired() if sent and not tried else WrongCode()


async def _give_back(ctx: Context, limit: Limit, wall: int) -> None:
    async with ctx.db.transaction() as db:
        await give_tries_back(db, [limit], wall)


def _serves(served_for: bytes | None, name: str) -> bool:
    return served_for is None or served_for == digest(name)
