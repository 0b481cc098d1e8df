"""Captchas as they are drawn, and how they go."""

import base64
import io

from PIL import Image

from conftest import MakeContext
from kalos.adapters.captcha.picture import LENGTH, LETTERS
from kalos.core.sweep import sweep
from kalos.core.tokens import new_id
from kalos.domains.challenges import jobs, queries, service
from kalos.domains.challenges.tables import CaptchaRow


async def test_captcha_is_a_small_picture_with_a_stored_answer(ctx: MakeContext) -> None:
    drawn = await service.draw_captcha(ctx())
    kind, _, content = drawn.image.partition(",")
    assert kind == "data:image/png;base64"
    assert len(drawn.image) < 20_000
    picture = Image.open(io.BytesIO(base64.b64decode(content)))
    assert picture.size == (200, 72)
    row = await queries.find_captcha(ctx().db, drawn.id)
    assert row is not None
    assert len(row.answer) == LENGTH
    assert set(row.answer) <= set(LETTERS)
    assert 90_000 < row.until_at - ctx().wall <= 120_000
    again = await service.draw_captcha(ctx())
    assert again.image != drawn.image


async def test_sweeping_goes_on_until_nothing_is_left(ctx: MakeContext) -> None:
    await jobs.sweep(ctx().house)
    for _ in range(9):
        await queries.insert_captcha(ctx().db, CaptchaRow(new_id(), "ACE39", 1))
    assert await sweep(ctx().db, queries.ENDING, before=2, at_once=2) == 9
