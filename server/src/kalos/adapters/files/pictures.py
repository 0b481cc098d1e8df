"""Pictures written anew: only pixels pass, no place, no camera, no comment, no second file behind the first."""

import asyncio
import io
from typing import Any, Final

from PIL import Image, ImageOps

from kalos.core.ports import BadPicture, Picture

_FORMATS: Final = {"image/jpeg": "JPEG", "image/png": "PNG", "image/webp": "WEBP"}
_SAME: Final = {"MPO": "JPEG"}  # phones put further pictures behind the first
# Decoding costs time for each: real cameras write a dozen scans and one block of notes.
_MOST_PARTS: Final = ((b"\xff\xda", 200), (b"Exif\0\0", 20))
_SAVED: Final[dict[str, Any]] = {
    "JPEG": {"quality": 88},
    "PNG": {"compress_level": 3},
    "WEBP": {"quality": 88, "method": 1},
}
_AT_ONCE: Final = 2
_TOO_LARGE: Final = (Image.DecompressionBombError, Image.DecompressionBombWarning)


class CleanPictures:
    """A PictureCleaner. A picture takes four bytes a pixel, twice: so few are open at once."""

    def __init__(self) -> None:
        self._turn = asyncio.Semaphore(_AT_ONCE)

    async def clean(self, content: bytes, *, kind: str, most_pixels: int, most_bytes: int) -> Picture:
        async with self._turn:
            return await asyncio.to_thread(clean, content, kind=kind, most_pixels=most_pixels, most_bytes=most_bytes)


def clean(content: bytes, *, kind: str, most_pixels: int, most_bytes: int) -> Picture:
    """Raises: BadPicture."""
    form = _FORMATS[kind]
    try:
        pixels = _decoded(content, form, most_pixels)
    except (BadPicture, MemoryError):
        raise
    except _TOO_LARGE as problem:
        raise BadPicture("pixels") from problem
    except Exception as problem:  # a hostile file makes the decoders raise whatever they like
        raise BadPicture("image") from problem
    out = io.BytesIO()
    pixels.save(out, form, **_SAVED[form])
    if out.tell() > most_bytes:
        raise BadPicture("size")
    return Picture(out.getvalue(), pixels.width, pixels.height)


def _decoded(content: bytes, form: str, most_pixels: int) -> Image.Image:
    """The first frame, turned as its camera was held. Its size is looked at before any pixel is."""
    if form == "JPEG" and any(content.count(part) > most for part, most in _MOST_PARTS):
        raise BadPicture("image")
    with Image.open(io.BytesIO(content), formats=list(_FORMATS.values())) as found:
        if _SAME.get(found.format or "", found.format) != form:
            raise BadPicture("type")
        if found.width * found.height > most_pixels:
            raise BadPicture("pixels")
        found.load()
        ImageOps.exif_transpose(found, in_place=True)
        mode = "RGBA" if form != "JPEG" and found.has_transparency_data else "RGB"
        pixels = found if found.mode == mode else found.convert(mode)
    pixels.info = {}  # whoever saves would write its texts and profiles again
    return pixels
