"""Calls with a file: in all three forms; and everything that is no form of ours is refused with nothing kept."""

import hashlib
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from kalos.core.errors import Busy
from kalos.wire import incoming
from kalos.wire.client import NotTrusted
from kalos.wire.envelope import Mode
from support.pictures import hex_of, picture
from uploads.conftest import UPLOAD, Sender

CONTENT = picture()
FORM = "multipart/form-data; boundary=b"
ENVELOPE = json.dumps({"image_sha256": hex_of(CONTENT)}).encode()


def part(name: str, content: bytes, *headers: str) -> bytes:
    lines = "".join(f"{header}\r\n" for header in headers)
    return f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n{lines}\r\n'.encode() + content + b"\r\n"


def file_part(content: bytes = CONTENT, kind: str = "image/png") -> bytes:
    return part("file", content, f"Content-Type: {kind}")


END = b"--b--\r\n"
MANY = [f"X-{number}: a" for number in range(10)]
WHOLE = part("envelope", ENVELOPE) + file_part() + END


@pytest.mark.parametrize("mode", ["plain", "signed", "sealed"])
@pytest.mark.parametrize("kind", ["image/jpeg", "image/png", "image/webp"])
async def test_a_picture_is_kept_and_shown_in_every_form_of_call(sender: Sender, mode: Mode, kind: str) -> None:
    content = picture(kind)
    answer = await sender.send(content, kind, mode=mode)
    assert (answer["code"], answer["data"].keys()) == (200, {"upload_id", "url"})
    (row,) = await sender.rows()
    (kept,) = await sender.kept()
    assert (row.id, row.state, row.purpose, row.kind) == (answer["data"]["upload_id"], "kept", "picture", kind)
    assert (row.sent_bytes, row.sent_sha256) == (len(content), hashlib.sha256(content).digest())
    assert (row.kept_bytes, row.kept_sha256, row.width, row.height) == (
        len(kept),
        hashlib.sha256(kept).digest(),
        8,
        6,
    )
    shown = await sender.http.get(answer["data"]["url"])
    assert (shown.status_code, shown.content, shown.headers["content-type"]) == (200, kept, kind)


async def test_a_shop_picture_is_its_own_purpose(sender: Sender) -> None:
    assert (await sender.send(CONTENT, path="/api/shop/uploadImg"))["code"] == 200
    answer = await sender.send(CONTENT, purpose="kyc")
    assert (answer["code"], answer["data"]["url"]) == (200, None)
    assert [row.purpose for row in await sender.rows()] == ["shop", "kyc"]
    assert (await sender.send(CONTENT, purpose="shop"))["code"] == 400


async def test_a_form_written_by_hand_is_understood_also_byte_by_byte(sender: Sender) -> None:
    async def bytewise() -> AsyncIterator[bytes]:
        for byte in WHOLE:
            yield bytes([byte])

    for body in (WHOLE, b"\r\n" + WHOLE, WHOLE + b"after the end", bytewise()):
        answer = await sender.post(body, FORM)  # type: ignore[arg-type]
        assert answer.json()["code"] == 200, answer.text
    assert await sender.states() == ["kept"] * 4


def refused(code: int, reason: str) -> tuple[int, list[dict[str, str]]]:
    return code, [{"field": "file", "reason": reason}]


TWO_FILES = part("envelope", ENVELOPE) + file_part() + file_part() + END
NESTED = part("file", b"--c\r\n\r\n" + CONTENT + b"\r\n--c--", "Content-Type: multipart/mixed; boundary=c")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (TWO_FILES, "parts"),
        (part("envelope", ENVELOPE) + END, "absent"),
        (part("envelope", ENVELOPE) + part("image", CONTENT) + END, "parts"),
        (part("envelope", ENVELOPE) + file_part() + part("more", b"") + END, "parts"),
        (part("envelope", ENVELOPE) + part("envelope", ENVELOPE) + file_part() + END, "parts"),
        (part("envelope", ENVELOPE) + NESTED + END, "type"),
        (part("envelope", ENVELOPE) + part("file", CONTENT) + END, "type"),
        (part("envelope", ENVELOPE) + file_part(kind="text/html") + END, "type"),
        (part("envelope", ENVELOPE) + file_part(kind="image/jpeg") + END, "type"),
        (part("envelope", ENVELOPE) + file_part(b"") + END, "size"),
        (part("envelope", ENVELOPE) + file_part(CONTENT + b"x") + END, "sha256"),
        (part("envelope", ENVELOPE) + file_part(), "truncated"),
        (part("envelope", ENVELOPE) + file_part()[:-30], "truncated"),
        (part("envelope", ENVELOPE) + b"--b\r\nno header\r\n\r\nx\r\n" + END, "form"),
        (part("envelope", ENVELOPE) + b"--b\r\nX-Long: " + b"x" * 600 + b"\r\n\r\n" + END, "form"),
        (part("envelope", ENVELOPE) + part("file", CONTENT, "Content-Type: image/png", *MANY) + END, "form"),
        (part("envelope", ENVELOPE) + part("file", b"", 'Content-Disposition: form-data; name="file"') + END, "form"),
        (part("envelope", ENVELOPE) + b"--b\r\n" * 5_000 + END, "form"),
    ],
)
async def test_a_form_that_is_not_ours_is_refused_and_nothing_is_kept(sender: Sender, body: bytes, reason: str) -> None:
    answer = (await sender.post(body, FORM)).json()
    assert (answer["code"], answer["data"]["errors"]) == refused(400, reason)
    assert await sender.kept() == []
    assert set(await sender.states()) <= {"refused"}


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (WHOLE, "multipart/form-data", 400),
        (WHOLE, 'multipart/form-data; boundary=""', 400),
        (WHOLE.replace(b"--b", b"--" + b"b" * 71), f"multipart/form-data; boundary={'b' * 71}", 400),
        (WHOLE, "multipart/mixed; boundary=b", 400),
        (WHOLE, "multipart/form-data; boundary=c", 400),
        (b"", FORM, 400),
        (b"nonsense", FORM, 400),
        (END, FORM, 400),
        (file_part() + part("envelope", ENVELOPE) + END, FORM, 400),
        (part("envelope", ENVELOPE, *MANY) + file_part() + END, FORM, 400),
        (b"--b\r\nX-Long: " + b"x" * 100_000, FORM, 400),
        (part("envelope", ENVELOPE)[:-20], FORM, 400),
        (part("envelope", ENVELOPE), FORM, 400),
        (part("envelope", b" " * 65_537) + file_part() + END, FORM, 413),
        (part("envelope", ENVELOPE) + file_part(b"x" * 5_100_000) + END, FORM, 413),
        (WHOLE, "application/x-www-form-urlencoded", 415),
    ],
)
async def test_a_form_without_an_envelope_is_refused_by_http(
    sender: Sender, body: bytes, kind: str, status: int
) -> None:
    answer = await sender.post(body, kind)
    assert answer.status_code == status
    assert await sender.rows() == []


async def test_a_file_over_the_limit_that_does_not_say_so_is_cut_off(sender: Sender) -> None:
    async def endless() -> AsyncIterator[bytes]:
        yield part("envelope", ENVELOPE) + b'--b\r\nContent-Disposition: form-data; name="file"\r\n'
        yield b"Content-Type: image/png\r\n\r\n"
        while True:
            sent.append(1)
            yield b"x" * 100_000

    sent: list[int] = []
    answer = await sender.post(endless(), FORM)  # type: ignore[arg-type]
    assert (answer.status_code, len(sent)) == (413, 51)
    assert await sender.states() == ["refused"]


async def test_a_form_may_be_larger_than_its_file(sender: Sender) -> None:
    """The envelope has room of its own, which is none for the file."""
    assert (await sender.post(part("envelope", ENVELOPE) + file_part(b"x" * 5_000_001) + END, FORM)).status_code == 413
    answer = (await sender.post(part("envelope", ENVELOPE) + file_part(b"x" * 5_000_000) + END, FORM)).json()
    assert (answer["code"], answer["data"]["errors"]) == refused(400, "sha256")
    assert set(await sender.states()) == {"refused"}


@pytest.mark.parametrize(
    ("body", "reason"),
    [({"image_sha256": "0" * 64}, "sha256"), ({"image_sha256": hex_of(CONTENT).upper()}, "form"), ({}, "missing")],
)
@pytest.mark.parametrize("mode", ["signed", "sealed"])
async def test_the_file_is_the_one_that_was_signed(
    sender: Sender, body: dict[str, str], reason: str, mode: Mode
) -> None:
    answer = await sender.wire(mode).call(UPLOAD, body, file=(CONTENT, "image/png"))
    assert (answer["code"], answer["data"]["errors"][0]["reason"]) == (400, reason)
    assert await sender.kept() == []


async def test_a_forged_envelope_makes_nobody_read_the_file(sender: Sender, monkeypatch: pytest.MonkeyPatch) -> None:
    async def read(_self: Any) -> Any:
        raise AssertionError("the file was read")

    monkeypatch.setattr(incoming.IncomingForm, "read", read)
    forged = part("envelope", json.dumps({"v": 1, "sid": "x", "data": "AAAA"}).encode()) + file_part() + END
    assert (await sender.post(forged, FORM)).json()["code"] == 463
    sender.token = "nobody's"
    assert (await sender.post(WHOLE, FORM)).json()["code"] == 406
    assert await sender.rows() == []


async def test_a_call_without_its_form_misses_the_file(sender: Sender) -> None:
    answer = await sender.wire("sealed").call(UPLOAD, {"image_sha256": hex_of(CONTENT)})
    assert (answer["code"], answer["data"]["errors"]) == refused(400, "absent")


async def test_a_form_for_a_call_that_takes_no_file_is_refused(sender: Sender) -> None:
    with pytest.raises(NotTrusted, match="HTTP 415"):
        await sender.send(CONTENT, path="/api/user/info")


async def test_a_compressed_form_is_refused(sender: Sender) -> None:
    headers = {"content-type": FORM, "content-encoding": "gzip", "authorization": sender.token}
    answer = await sender.http.post(UPLOAD, content=WHOLE, headers=headers)
    assert (answer.status_code, await sender.rows()) == (415, [])


async def test_whoever_is_still_sending_hears_the_refusal(sender: Sender) -> None:
    """The rest of a refused form is read, so that its sender comes to the answer."""
    sent = 0

    async def slowly() -> AsyncIterator[bytes]:
        nonlocal sent
        yield part("envelope", b"{}") + part("file", b"")
        for _ in range(10):
            sent += 1
            yield b"x" * 1_000

    answer = await sender.post(slowly(), FORM)  # type: ignore[arg-type]
    assert (answer.json()["code"], sent) == (400, 10)


def test_three_files_of_a_member_come_in_at_once_and_no_more() -> None:
    places = incoming.Places(4, 3)
    with places.place(1), places.place(1), places.place(1):
        with pytest.raises(Busy), places.place(1):
            pass
        with places.place(2), pytest.raises(Busy), places.place(3):
            pass
        with places.place(3):
            pass
    with places.place(1):
        pass


async def test_hung_up_in_the_middle_of_a_file(sender: Sender, http: httpx.AsyncClient) -> None:
    messages = iter(
        [
            {"type": "http.request", "body": part("envelope", ENVELOPE) + file_part()[:90], "more_body": True},
            {"type": "http.disconnect"},
        ]
    )
    sent: list[Any] = []

    async def receive() -> Any:
        return next(messages)

    async def send(message: Any) -> None:
        sent.append(message)

    transport: Any = http._transport
    headers = [(b"host", b"localhost"), (b"content-type", FORM.encode()), (b"authorization", sender.token.encode())]
    scope = {"type": "http", "method": "POST", "path": UPLOAD, "raw_path": UPLOAD.encode(), "headers": headers}
    await transport.app(scope, receive, send)
    assert sent[0]["status"] == 400
    assert (await sender.states(), await sender.kept()) == (["refused"], [])
