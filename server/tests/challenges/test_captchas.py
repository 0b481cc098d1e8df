"""Captchas as they are drawn, and how they go."""

import asyncio
import base64
import io
import threading
from dataclasses import replace

import pytest
from msgspec import structs
from PIL import Image

from conftest import MakeContext
from kalos.adapters.captcha.picture import LENGTH, LETTERS
from kalos.app.calls import REGISTERS
from kalos.core.errors import Busy
from kalos.core.ports import Puzzle
from kalos.core.sweep import sweep
from kalos.core.tokens import new_id
from kalos.domains.challenges import jobs, queries, service
from kalos.domains.challenges.errors import CaptchaExpired, WrongCaptcha
from kalos.domains.challenges.service import Solved
from kalos.domains.challenges.tables import CaptchaRow
from support.ears import counted


async def test_captcha_is_a_small_picture_with_a_stored_answer(ctx: MakeContext) -> None:
    drawn = await service.draw_captcha(ctx())
    kind, _, content = drawn.url.partition(",")
    assert kind == "data:image/png;base64"
    assert len(drawn.url) < 20_000
    picture = Image.open(io.BytesIO(base64.b64decode(content)))
    assert picture.size == (200, 72)
    row = await queries.find_captcha(ctx().db, drawn.id)
    assert row is not None
    assert len(row.answer) == LENGTH
    assert set(row.answer) <= set(LETTERS)
    assert 90_000 < row.until_at - ctx().wall <= 120_000
    again = await service.draw_captcha(ctx())
    assert again.url != drawn.url


async def test_captcha_for_ears_has_its_answer_in_what_is_heard_and_counts_once(ctx: MakeContext) -> None:
    """In all else it is as a picture's: of the same table, by the same judge."""
    played = await service.draw_captcha(ctx(), heard=True)
    row = await queries.find_captcha(ctx().db, played.id)
    assert row is not None
    assert counted(played.url) == row.answer
    assert 90_000 < row.until_at - ctx().wall <= 120_000
    typed = " ".join(row.answer)
    assert await service.use_captcha(ctx(), Solved(played.id, typed)) == row
    with pytest.raises(CaptchaExpired):
        await service.use_captcha(ctx(), Solved(played.id, typed))
    another = await service.draw_captcha(ctx(), heard=True)
    with pytest.raises(WrongCaptcha):
        await service.use_captcha(ctx(), Solved(another.id, "0000"))


class Slow:
    """Draws once it may."""

    def __init__(self) -> None:
        self.may = threading.Event()
        self.threads: set[str] = set()

    def draw(self) -> Puzzle:
        self.threads.add(threading.current_thread().name)
        self.may.wait()
        return Puzzle("data:,", "ACE39")


async def test_so_many_drawings_wait_for_a_thread_of_their_own_and_no_more(
    ctx: MakeContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files and pictures have other threads: they wait for no drawing."""
    monkeypatch.setattr(service._drawing, "most", 4)
    slow, here = Slow(), ctx()
    here = structs.replace(here, house=replace(here.house, captchas=slow))
    waiting = [asyncio.ensure_future(service.draw_captcha(here)) for _ in range(4)]
    try:
        await asyncio.sleep(0)  # each has its place
        async with asyncio.timeout(30):
            for draw in (service.draw_captcha, service.draw_slide, service.play_slide):
                with pytest.raises(Busy):
                    await draw(here)
    finally:
        slow.may.set()
    drawn = await asyncio.gather(*waiting)
    assert (len({one.id for one in drawn}), slow.threads) == (4, {"captchas_0"})
    assert (await service.draw_captcha(here)).url == "data:,"


def test_what_is_drawn_anew_each_time_is_counted_as_that() -> None:
    drawn = {call.path for calls in REGISTERS for call in calls.all if call.load == "draw"}
    assert drawn == {"/api/auth/captcha", "/api/auth/slide", "/api/user/google"}


async def test_sweeping_goes_on_until_nothing_is_left(ctx: MakeContext) -> None:
    await jobs.sweep(ctx().house)
    for _ in range(9):
        await queries.insert_captcha(ctx().db, CaptchaRow(new_id(), "ACE39", 1))
    assert await sweep(ctx().db, queries.DRAWN, before=2, at_once=2) == 9


async def test_what_any_visitor_makes_goes_soon_and_reaches_no_archive(ctx: MakeContext) -> None:
    await jobs.sweep(ctx().house)
    wall = ctx().wall
    for until_at in (wall - 61_000, wall - 50_000, wall + 1_000):
        await queries.insert_captcha(ctx().db, CaptchaRow(new_id(), "ACE39", until_at))
    assert await jobs.sweep(ctx().house) == 1
    logged = "SELECT relname FROM pg_class WHERE relname = ANY($1::text[]) AND relpersistence <> 'u'"
    assert await ctx().db.rows(logged, [*queries.DRAWN, "wallet_nonces"]) == []
