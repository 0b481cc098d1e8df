"""The slide captcha: a landscape with a hole, and the piece that was cut from it, shaped like no other of its row."""

import base64
import io
import math
import secrets
from dataclasses import dataclass
from random import Random
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from kalos.core.ports import SLIDE_HEIGHT, SLIDE_PIECE, SLIDE_WIDTH, SlidePuzzle

_LARGER: Final = 2
_MARGIN: Final = 8
_FIRST: Final = SLIDE_PIECE + 24
_DECOYS: Final = 2
_APART: Final = SLIDE_PIECE + 4
_INSET: Final = 10
_ALIKE_MOST: Final = 2

Shape = tuple[int, int, int, int]
"""What stands at the top, right, bottom and left of a piece: 1 a tab, -1 a notch, 0 nothing."""


@dataclass(frozen=True, slots=True)
class DrawnSlide:
    background: Image.Image
    piece: Image.Image
    x: int
    y: int


class SlideCaptchas:
    """A SlideDrawer; nothing that it draws can be foretold."""

    def draw(self) -> SlidePuzzle:
        drawn = draw_slide(Random(secrets.randbits(128)))
        return SlidePuzzle(
            background=_data_url(drawn.background, quality=72),
            piece=_data_url(drawn.piece, quality=84),
            x=drawn.x,
            y=drawn.y,
        )


def draw_slide(chance: Random) -> DrawnSlide:
    """Cut a piece out of a new landscape; holes of other shapes stand in the same row."""
    scene = _scene(chance)
    y = chance.randrange(_MARGIN, SLIDE_HEIGHT - SLIDE_PIECE - _MARGIN)
    x, *others = _places(chance)
    shapes = _shapes(chance)
    mask = _outline(shapes[0], chance)
    piece = scene.crop((x, y, x + SLIDE_PIECE, y + SLIDE_PIECE)).convert("RGBA")
    piece.paste(Image.new("RGB", piece.size, "white"), mask=_edge(mask).point(lambda level: level * 3 // 4))
    piece.putalpha(mask)
    for place, shape in zip(others, shapes[1:], strict=True):
        _sink(scene, _outline(shape, chance), place, y)
    _sink(scene, mask, x, y)
    return DrawnSlide(scene, piece, x, y)


def _data_url(picture: Image.Image, *, quality: int) -> str:
    buffer = io.BytesIO()
    picture.save(buffer, "WEBP", quality=quality, method=3)
    return "data:image/webp;base64," + base64.b64encode(buffer.getvalue()).decode()


def _places(chance: Random) -> list[int]:
    """Where holes begin, none over another: the piece's own first, anywhere among the others."""
    room = SLIDE_WIDTH - _MARGIN - SLIDE_PIECE - _FIRST - _DECOYS * _APART
    starts = sorted(chance.randrange(room + 1) for _ in range(_DECOYS + 1))
    places = [_FIRST + start + index * _APART for index, start in enumerate(starts)]
    chance.shuffle(places)
    return places


def _shapes(chance: Random) -> list[Shape]:
    """Shapes that differ on two sides at least, each with two sides at least that aren't straight."""
    shapes: list[Shape] = []
    while len(shapes) < _DECOYS + 1:
        top, right, bottom, left = (chance.choice((-1, 0, 1)) for _ in range(4))
        shape = (top, right, bottom, left)
        alike = max((sum(a == b for a, b in zip(shape, other, strict=True)) for other in shapes), default=0)
        if shape.count(0) <= _ALIKE_MOST and alike <= _ALIKE_MOST:
            shapes.append(shape)
    return shapes


def _outline(shape: Shape, chance: Random) -> Image.Image:
    """The mask of a piece: a square with tabs and notches of changing place and size."""
    edge, inset = SLIDE_PIECE * _LARGER * 2, _INSET * _LARGER * 2
    mask = Image.new("L", (edge, edge), 0)
    pen = ImageDraw.Draw(mask)
    pen.rounded_rectangle((inset, inset, edge - inset, edge - inset), radius=inset // 3, fill=255)
    for side, kind in enumerate(shape):
        if kind == 0:
            continue
        radius = chance.uniform(0.62, 0.8) * inset
        along = edge * chance.uniform(0.42, 0.58)
        across = inset - kind * radius * 0.3
        x, y = ((along, across), (edge - across, along), (along, edge - across), (across, along))[side]
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255 if kind > 0 else 0)
    return mask.resize((SLIDE_PIECE, SLIDE_PIECE), Image.Resampling.LANCZOS)


def _edge(mask: Image.Image) -> Image.Image:
    return ImageChops.subtract(mask, mask.filter(ImageFilter.MinFilter(3)))


def _sink(scene: Image.Image, mask: Image.Image, x: int, y: int) -> None:
    """Darken the scene in a piece's shape, under a light edge."""
    scene.paste(Image.new("RGB", mask.size, "#0b0d12"), (x, y), mask.point(lambda level: level * 11 // 20))
    scene.paste(Image.new("RGB", mask.size, "white"), (x, y), _edge(mask).point(lambda level: level // 2))


def _scene(chance: Random) -> Image.Image:
    """Sky, a sun, ridges one before the other, and specks over all of it: no two alike, no flat ground anywhere."""
    size = (SLIDE_WIDTH * _LARGER, SLIDE_HEIGHT * _LARGER)
    hue, turn = chance.randrange(360), chance.choice((-1, 1)) * chance.randrange(25, 60)
    scene = _sky(size, hue, turn)
    pen = ImageDraw.Draw(scene)
    for _ in range(chance.randrange(1, 3)):
        x, y, radius = chance.uniform(0, size[0]), chance.uniform(0, size[1] * 0.55), chance.uniform(24, 60)
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=f"hsl({(hue - turn) % 360}, 75%, 82%)")
    for ridge in range(5):
        share = ridge / 5
        level = size[1] * (0.28 + 0.62 * share)
        colour = f"hsl({(hue + turn * share) % 360}, {chance.randrange(35, 60)}%, {int(66 - 44 * share)}%)"
        pen.polygon([(0, size[1]), *_ridge(chance, size[0], level, 34), (size[0], size[1])], fill=colour)
    for _ in range(90):
        x, y, radius = chance.uniform(0, size[0]), chance.uniform(0, size[1]), chance.uniform(1.5, 7)
        tone = f"hsl({(hue + chance.randrange(-40, 40)) % 360}, 55%, {chance.randrange(25, 85)}%)"
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=tone)
    return scene.resize((SLIDE_WIDTH, SLIDE_HEIGHT), Image.Resampling.BILINEAR)


def _sky(size: tuple[int, int], hue: int, turn: int) -> Image.Image:
    upper = Image.new("RGB", size, f"hsl({hue}, 55%, 58%)")
    lower = Image.new("RGB", size, f"hsl({(hue + turn) % 360}, 65%, 84%)")
    return Image.composite(lower, upper, Image.linear_gradient("L").resize(size))


def _ridge(chance: Random, width: int, level: float, height: float) -> list[tuple[float, float]]:
    waves = [(chance.uniform(0.3, 1) * height / part, chance.uniform(90, 260) / part) for part in (1, 2, 5)]
    shifts = [chance.uniform(0, math.tau) for _ in waves]
    return [
        (
            x,
            level
            + sum(
                swing * math.sin(math.tau * x / long + shift)
                for (swing, long), shift in zip(waves, shifts, strict=True)
            ),
        )
        for x in range(0, width + 6, 6)
    ]
