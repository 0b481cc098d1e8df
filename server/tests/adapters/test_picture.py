"""The image captcha as it is drawn."""

import base64
import io
from collections import Counter
from random import Random

import pytest
from PIL import Image

from kalos.adapters.captcha import picture
from kalos.adapters.captcha.picture import LENGTH, LETTERS, PictureCaptchas, draw_text


def test_no_two_pictures_of_one_text_are_alike() -> None:
    assert len({draw_text("ACE39", Random(seed)).tobytes() for seed in range(8)}) == 8


def test_answers_use_every_letter_and_hardly_repeat() -> None:
    puzzles = [PictureCaptchas().draw() for _ in range(60)]
    # Two of 60 are equal by chance once in 430 runs; three repeats once in hundreds of millions.
    assert len({puzzle.answer for puzzle in puzzles}) >= 58
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
    content = base64.b64decode(puzzle.url.removeprefix("data:image/png;base64,"))
    assert puzzle.answer.encode() not in content
    assert Image.open(io.BytesIO(content)).info.keys() <= {"transparency"}
