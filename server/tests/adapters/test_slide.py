"""The slide captcha as it is drawn: small, never alike, its piece at home in one hole alone."""

import base64
import io
from random import Random

import pytest
from PIL import Image, ImageChops

from kalos.adapters.captcha.slide import SlideCaptchas, _shapes, draw_slide
from kalos.core.ports import SLIDE_HEIGHT, SLIDE_PIECE, SLIDE_WIDTH


def picture_of(url: str) -> Image.Image:
    kind, _, content = url.partition(",")
    assert kind == "data:image/webp;base64"
    return Image.open(io.BytesIO(base64.b64decode(content)))


def test_picture_and_piece_are_small_and_say_nothing_of_the_answer() -> None:
    puzzle = SlideCaptchas().draw()
    background, piece = picture_of(puzzle.background), picture_of(puzzle.piece)
    assert (background.size, piece.size) == ((SLIDE_WIDTH, SLIDE_HEIGHT), (SLIDE_PIECE, SLIDE_PIECE))
    assert piece.mode == "RGBA"
    assert len(puzzle.background) + len(puzzle.piece) < 25_000
    assert background.info.keys() | piece.info.keys() <= {"loop", "background", "timestamp", "duration"}


def test_no_two_are_alike_and_answers_lie_far_and_wide() -> None:
    drawn = [draw_slide(Random(seed)) for seed in range(40)]
    assert len({one.background.tobytes() for one in drawn}) == 40
    assert len({one.x for one in drawn}) > 25
    assert all(SLIDE_PIECE < one.x <= SLIDE_WIDTH - SLIDE_PIECE for one in drawn)
    assert all(0 < one.y < SLIDE_HEIGHT - SLIDE_PIECE for one in drawn)


@pytest.mark.parametrize("seed", range(6))
def test_in_its_own_hole_the_piece_leaves_less_dark_than_anywhere_else(seed: int) -> None:
    """Every hole is dark; only where the piece belongs it covers all of that."""
    drawn = draw_slide(Random(seed))

    def dark_left(x: int) -> int:
        there = drawn.background.crop((x, drawn.y, x + SLIDE_PIECE, drawn.y + SLIDE_PIECE))
        there.paste(drawn.piece, (0, 0), drawn.piece)
        whole = ImageChops.difference(
            there, drawn.background.crop((x, drawn.y, x + SLIDE_PIECE, drawn.y + SLIDE_PIECE))
        )
        return sum(whole.convert("L").histogram()[24:])

    places = range(SLIDE_PIECE, SLIDE_WIDTH - SLIDE_PIECE)
    best = sorted(places, key=dark_left)[-12:]
    assert any(abs(x - drawn.x) <= 2 for x in best)


def test_shapes_of_one_row_can_be_told_apart() -> None:
    for seed in range(200):
        shapes = _shapes(Random(seed))
        for index, shape in enumerate(shapes):
            assert shape.count(0) <= 2
            assert all(sum(a != b for a, b in zip(shape, other, strict=True)) >= 2 for other in shapes[:index])
