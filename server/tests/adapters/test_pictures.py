"""Pictures are written anew: pixels pass, nothing else; what is no picture of its type is refused."""

import io
import struct
import zlib
from typing import Any, Final

import pytest
from PIL import Image
from PIL.ExifTags import Base
from PIL.PngImagePlugin import PngInfo

from kalos.adapters.files.pictures import CleanPictures
from kalos.core.ports import BadPicture, Picture
from support.pictures import opened, picture

KINDS: Final = ("image/jpeg", "image/png", "image/webp")
SECRET: Final = b"52.5163N 13.3777E"
MOST: Final[dict[str, Any]] = {"most_pixels": 10_000, "most_bytes": 100_000}


async def cleaned(content: bytes, kind: str, **most: int) -> Picture:
    return await CleanPictures().clean(content, kind=kind, **(MOST | most))


def with_texts(kind: str) -> bytes:
    """A picture that tells where it was taken in every place that its format has."""
    exif = Image.Exif()
    exif[Base.ImageDescription] = SECRET.decode()
    saved: dict[str, Any] = {"exif": exif, "icc_profile": SECRET * 10, "xmp": SECRET}
    if kind == "image/jpeg":
        saved["comment"] = SECRET
    if kind == "image/png":
        texts = PngInfo()
        texts.add_text("Comment", SECRET.decode())
        texts.add_itxt("XML:com.adobe.xmp", SECRET.decode())
        del saved["xmp"], saved["icc_profile"]
        saved["pnginfo"] = texts
    return picture(kind, **saved) + SECRET


@pytest.mark.parametrize("kind", KINDS)
async def test_only_pixels_pass(kind: str) -> None:
    content = with_texts(kind)
    assert SECRET in content
    clean = await cleaned(content, kind)
    assert SECRET not in clean.content
    found = opened(clean.content)
    assert (found.size, clean.width, clean.height) == ((8, 6), 8, 6)
    assert not found.getexif()
    assert not {"exif", "icc_profile", "xmp", "comment", "Comment"} & found.info.keys()


@pytest.mark.parametrize("kind", KINDS)
async def test_a_picture_is_turned_as_its_camera_was_held(kind: str) -> None:
    exif = Image.Exif()
    exif[Base.Orientation] = 6
    clean = await cleaned(picture(kind, exif=exif), kind)
    assert (opened(clean.content).size, clean.width, clean.height) == ((6, 8), 6, 8)


@pytest.mark.parametrize(
    ("mode", "kind", "kept"),
    [
        ("RGBA", "image/png", "RGBA"),
        ("LA", "image/png", "RGBA"),
        ("P", "image/png", "RGB"),
        ("1", "image/png", "RGB"),
        ("I;16", "image/png", "RGB"),
        ("RGBA", "image/webp", "RGBA"),
        ("CMYK", "image/jpeg", "RGB"),
        ("L", "image/jpeg", "RGB"),
    ],
)
async def test_every_mode_is_read(mode: str, kind: str, kept: str) -> None:
    assert opened((await cleaned(picture(kind, mode=mode), kind)).content).mode == kept


async def test_of_a_film_the_first_picture_is_kept() -> None:
    out = io.BytesIO()
    frames = [Image.new("RGB", (4, 4), shade) for shade in ("red", "blue")]
    frames[0].save(out, "PNG", save_all=True, append_images=frames[1:])
    found = opened((await cleaned(out.getvalue(), "image/png")).content)
    assert (getattr(found, "n_frames", 1), found.getpixel((0, 0))) == (1, (255, 0, 0))


@pytest.mark.parametrize("kind", KINDS)
async def test_another_type_than_the_stated_one_is_refused(kind: str) -> None:
    for other in KINDS:
        if other != kind:
            with pytest.raises(BadPicture, match="type"):
                await cleaned(picture(other), kind)


@pytest.mark.parametrize("form", ["GIF", "BMP", "TIFF", "ICO", "PPM"])
async def test_no_other_decoder_is_tried(form: str) -> None:
    out = io.BytesIO()
    Image.new("RGB", (16, 16)).save(out, form)
    with pytest.raises(BadPicture, match="image"):
        await cleaned(out.getvalue(), "image/png")


def png(width: int, height: int, *chunks: tuple[bytes, bytes]) -> bytes:
    """A PNG whose head says what it likes."""
    head = (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    whole = b"\x89PNG\r\n\x1a\n"
    for name, data in (head, *chunks, (b"IEND", b"")):
        whole += struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    return whole


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>",
        b"GIF89a\x01\x00\x01\x00\x00\x00\x00;",
        b"%PDF-1.7",
        b"<html>",
        picture()[:-34],
        picture()[:40],
        b"\x89PNG\r\n\x1a\n",
        png(8, 6),
        png(8, 6, (b"IDAT", b"no deflate")),
        png(0, 0, (b"IDAT", zlib.compress(b""))),
        png(8, 6, (b"zTXt", b"a\x00\x00" + zlib.compress(b"x" * 10**8)), (b"IDAT", zlib.compress(b"\x00" * 200))),
        bytes(range(256)) * 8,
    ],
)
async def test_what_is_no_picture_is_refused(content: bytes) -> None:
    with pytest.raises(BadPicture, match="image"):
        await cleaned(content, "image/png")


@pytest.mark.parametrize(("width", "height"), [(101, 100), (30_000, 30_000), (2**31 - 1, 1)])
async def test_too_many_pixels_are_refused_before_one_is_read(width: int, height: int) -> None:
    with pytest.raises(BadPicture, match="pixels"):
        await cleaned(png(width, height, (b"IDAT", b"not even looked at")), "image/png")


async def test_as_many_pixels_as_may_be_are_kept() -> None:
    assert (await cleaned(picture(size=(100, 100)), "image/png")).width == 100


async def test_a_picture_that_grows_too_much_is_refused() -> None:
    with pytest.raises(BadPicture, match="size"):
        await cleaned(picture(), "image/png", most_bytes=20)


async def test_every_cut_of_every_type_is_refused_or_kept() -> None:
    """Decoders raise whatever they like; none of it gets through."""
    reasons = set()
    for kind in KINDS:
        content = with_texts(kind)
        for end in range(0, len(content), 19):
            for broken in (content[:end], content[:end] + b"\xff\x00\xff" + content[end + 3 :]):
                try:
                    assert SECRET not in (await cleaned(broken, kind)).content
                except BadPicture as problem:
                    reasons.add(problem.reason)
    assert reasons <= {"image", "type", "pixels"}


async def test_a_phones_further_pictures_are_left_behind() -> None:
    first, second = Image.new("RGB", (8, 6), "red"), Image.new("RGB", (8, 6), "blue")
    out = io.BytesIO()
    first.save(out, "MPO", save_all=True, append_images=[second])
    kept = opened((await cleaned(out.getvalue(), "image/jpeg")).content)
    assert (kept.format, kept.size) == ("JPEG", (8, 6))
    red, _, blue = kept.convert("RGB").getpixel((4, 3))
    assert red > blue


@pytest.mark.parametrize("part", [b"\xff\xda", b"\xff\xe1\x00\x08Exif\0\0"])
async def test_what_would_take_long_to_decode_is_not_decoded(part: bytes) -> None:
    whole = picture("image/jpeg")
    with pytest.raises(BadPicture, match="image"):
        await cleaned(whole[:2] + part * 300 + whole[2:], "image/jpeg")
