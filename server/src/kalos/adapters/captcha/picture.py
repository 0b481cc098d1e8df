"""The image captcha: a few letters, turned, leaning into each other, warped, under lines of their own colour."""

import base64
import io
import math
import secrets
from functools import cache
from random import Random
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from kalos.core.ports import Puzzle

# None is taken for another one, also when it leans.
LETTERS: Final = "ACEFHKPRTUXY379"
LENGTH: Final = 5
_SIZE: Final = (200, 72)
_DRAWN_LARGER: Final = 2
_STEP: Final = 10
_MARGIN: Final = 14
_BOLD: Final = 2

Point = tuple[float, float]
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


class PictureCaptchas:
    """A CaptchaDrawer; nothing that it draws can be foretold."""

    def draw(self) -> Puzzle:
        answer = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        picture = draw_text(answer, Random(secrets.randbits(128)))
        buffer = io.BytesIO()
        picture.save(buffer, "PNG", optimize=True)
        return Puzzle("data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode(), answer)


def draw_text(text: str, chance: Random) -> Image.Image:
    """Draw `text` at twice the size, warp it and shrink it: soft edges, no two pictures alike."""
    size = (_SIZE[0] * _DRAWN_LARGER, _SIZE[1] * _DRAWN_LARGER)
    ink = Image.new("L", size, 0)
    _draw_letters(ink, text, chance)
    _draw_lines(ink, chance)
    ink = _warp(ink, chance)
    hue = chance.randrange(360)
    paper = Image.new("RGB", size, f"hsl({hue + 180}, 30%, 94%)")
    _draw_specks(paper, chance, hue)
    paper.paste(Image.new("RGB", size, f"hsl({hue}, 60%, 27%)"), mask=ink)
    return paper.resize(_SIZE, Image.Resampling.LANCZOS).quantize(32)


@cache
def _font(height: int) -> Font:
    return ImageFont.load_default(height)


def _draw_letters(ink: Image.Image, text: str, chance: Random) -> None:
    """Letters of changing height stand a little into each other, all inside the paper."""
    glyphs = [_glyph(letter, chance) for letter in text]
    room = ink.width - 2 * _MARGIN - glyphs[-1].width
    step = min(room / (len(text) - 1), 84.0)
    left = _MARGIN + chance.uniform(0, room - step * (len(text) - 1))
    for glyph in glyphs:
        top = (ink.height - glyph.height) // 2 + int(chance.uniform(-8, 8))
        ink.paste(255, (int(left), top), glyph)
        left += step


def _glyph(letter: str, chance: Random) -> Image.Image:
    font = _font(chance.randrange(92, 112, 4))
    left, top, right, bottom = (int(edge) for edge in font.getbbox(letter, stroke_width=_BOLD))
    glyph = Image.new("L", (right - left, bottom - top), 0)
    ImageDraw.Draw(glyph).text((-left, -top), letter, font=font, fill=255, stroke_width=_BOLD)
    return glyph.rotate(chance.uniform(-20, 20), Image.Resampling.BICUBIC, expand=True)


def _draw_lines(ink: Image.Image, chance: Random) -> None:
    """Curves through the letters in ink, and thin ones that rub ink out: cutting the letters apart gets hard."""
    for fill, width in ((255, 5), (255, 4), (0, 3)):
        middle, swing = chance.uniform(0.3, 0.7) * ink.height, chance.uniform(10, 26)
        turn, stretch = chance.uniform(0, math.tau), chance.uniform(0.010, 0.022)
        points = [(x, middle + swing * math.sin(turn + stretch * x)) for x in range(0, ink.width + 8, 8)]
        ImageDraw.Draw(ink).line(points, fill=fill, width=width, joint="curve")


def _warp(ink: Image.Image, chance: Random) -> Image.Image:
    """Shift every point by two slow waves, square by square."""
    waves = [(chance.uniform(4, 7), chance.uniform(70, 120), chance.uniform(0, math.tau)) for _ in range(2)]

    def source(x: float, y: float) -> Point:
        (high, long, early), (wide, deep, late) = waves
        return x + wide * math.sin(math.tau * y / deep + late), y + high * math.sin(math.tau * x / long + early)

    mesh = []
    for x in range(0, ink.width, _STEP):
        for y in range(0, ink.height, _STEP):
            right, bottom = min(x + _STEP, ink.width), min(y + _STEP, ink.height)
            corners = (source(x, y), source(x, bottom), source(right, bottom), source(right, y))
            mesh.append(((x, y, right, bottom), tuple(value for corner in corners for value in corner)))
    return ink.transform(ink.size, Image.Transform.MESH, mesh, Image.Resampling.BICUBIC)


def _draw_specks(paper: Image.Image, chance: Random, hue: int) -> None:
    """Dots and faint strokes behind the letters."""
    pen = ImageDraw.Draw(paper)
    for _ in range(160):
        x, y, radius = chance.uniform(0, paper.width), chance.uniform(0, paper.height), chance.uniform(1, 3)
        pen.ellipse((x, y, x + radius, y + radius), fill=f"hsl({hue}, 40%, {chance.randrange(40, 75)}%)")
    for _ in range(8):
        ends = [(chance.uniform(0, paper.width), chance.uniform(0, paper.height)) for _ in range(2)]
        pen.line([*ends[0], *ends[1]], fill=f"hsl({hue}, 40%, 70%)", width=2)
