"""Pictures for tests."""

import hashlib
import io
from typing import Any

from PIL import Image

SAVED = {"image/jpeg": "JPEG", "image/png": "PNG", "image/webp": "WEBP"}


def picture(kind: str = "image/png", size: tuple[int, int] = (8, 6), mode: str = "RGB", **saved: Any) -> bytes:
    """A picture of one colour; `saved` goes to the encoder."""
    out = io.BytesIO()
    Image.new(mode, size, 77).save(out, SAVED[kind], **saved)
    return out.getvalue()


def opened(content: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(content))
    image.load()
    return image


def hex_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
