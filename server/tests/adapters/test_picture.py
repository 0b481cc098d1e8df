"""The image captcha as it is drawn, and the first source of prices."""

import base64
import io
from collections import Counter
from random import Random

import pytest
from PIL import Image

from kalos.adapters.captcha import picture
from kalos.adapters.captcha.picture import LENGTH, LETTERS, PictureCaptchas, draw_text
from kalos.adapters.prices.first import FirstPrice
from kalos.core.assets import KLS, USDT
from kalos.core.clock import Clock
from kalos.core.errors import PriceUnavailable
from kalos.core.terms import Terms


def test_no_two_pictures_of_one_text_are_alike() -> None:
    assert len({draw_text("ACE39", Random(seed)).tobytes() for seed in range(8)}) == 8


def test_answers_use_every_letter_and_do_not_repeat() -> None:
    puzzles = [PictureCaptchas().draw() for _ in range(60)]
    assert len({puzzle.answer for puzzle in puzzles}) == 60
    letters = Counter("".join(puzzle.answer for puzzle in puzzles))
    assert letters.keys() == set(LETTERS)
    assert all(len(puzzle.answer) == LENGTH for puzzle in puzzles)


@pytest.mark.parametrize("seed", range(12))
def test_letters_stay_on_the_paper(seed: int) -> None:
    chance = Random(seed)
    ink = Image.new("L", (400, 144), 0)
    picture._draw_letters(ink, "HHHHH" if seed % 2 else "KXUHA", chance)
    left, top, right, bottom = ink.getbbox() or (0, 0, 0, 0)
    assert left >= 4
    assert right <= 396
    assert top > 0
    assert bottom < 144
    assert right - left > 200


def test_picture_is_a_png_that_says_nothing_of_its_answer() -> None:
    puzzle = PictureCaptchas().draw()
    content = base64.b64decode(puzzle.image.removeprefix("data:image/png;base64,"))
    assert puzzle.answer.encode() not in content
    assert Image.open(io.BytesIO(content)).info.keys() <= {"transparency"}


async def test_first_price_is_the_setting_and_knows_kls_alone(terms: Terms) -> None:
    clock = Clock(offset_ms=5_000)
    price = await FirstPrice(terms, clock).price(KLS)
    assert (price.asset, price.rate, price.source) == (KLS, terms.ref_first, "ref_first")
    assert abs(price.at_ms - clock.now()) < 1_000
    with pytest.raises(PriceUnavailable):
        await FirstPrice(terms, clock).price(USDT)
