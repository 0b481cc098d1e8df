"""Files through two API processes: what test_two_apis.py asks for."""

import asyncio
from collections.abc import Sequence
from urllib.parse import urlsplit

from kalos.core.database import Database
from kalos.wire.client import WireClient
from support.loopback import loopback_client
from support.pictures import hex_of, opened, picture

UPLOAD = "/api/basic/upload"


async def grant_at_one_and_put_at_the_other(doors: Sequence[str], token: str) -> None:
    content = picture("image/jpeg", (40, 30))
    asked = {"purpose": "picture", "type": "image/jpeg", "size": len(content), "sha256": hex_of(content)}
    for granting, putting in (doors, reversed(doors)):
        async with loopback_client(granting) as one, loopback_client(putting) as other:
            granted = (await WireClient(one, token=token).call("/api/basic/uploadGrant", asked))["data"]
            path, kind = f"/api/upload/{granted['path']}", {"content-type": "image/jpeg"}
            answers = [(await http.put(path, content=content, headers=kind)).json() for http in (other, one, other)]
            assert [answer["code"] for answer in answers] == [200, 404, 404]
            assert answers[0]["data"]["upload_id"] == granted["upload_id"]
            for http in (one, other):
                shown = await http.get(answers[0]["data"]["url"])
                assert (shown.status_code, shown.headers["content-type"]) == (200, "image/jpeg")
                assert opened(shown.content).size == (40, 30)


async def hang_up_in_a_file(doors: Sequence[str], token: str, db: Database) -> None:
    """What was begun is marked by the very process, and nothing is kept."""
    content = picture("image/png")
    asked = {"purpose": "picture", "type": "image/png", "size": len(content), "sha256": hex_of(content)}
    async with loopback_client(doors[0]) as http:
        granted = (await WireClient(http, token=token).call("/api/basic/uploadGrant", asked))["data"]
    _, writer = await asyncio.open_connection("127.0.0.1", urlsplit(doors[1]).port)
    head = f"Host: localhost\r\nContent-Type: image/png\r\nContent-Length: {len(content)}\r\n\r\n"
    writer.write(f"PUT /api/upload/{granted['path']} HTTP/1.1\r\n{head}".encode() + content[:20])
    await writer.drain()
    async with asyncio.timeout(15):
        while await db.value("SELECT state FROM uploads WHERE id = $1", granted["upload_id"]) == "granted":
            await asyncio.sleep(0.02)
        writer.close()
        while await db.value("SELECT state FROM uploads WHERE id = $1", granted["upload_id"]) != "refused":
            await asyncio.sleep(0.02)


async def send_forms(doors: Sequence[str], token: str) -> None:
    """Whoever is refused before the file was read hears it all the same."""
    content = picture("image/webp")
    body, large = {"image_sha256": hex_of(content)}, b"x" * 3_000_000
    for door in doors:
        async with loopback_client(door) as http:
            member, stranger = WireClient(http, token=token), WireClient(http, token="nobody's")
            assert (await member.call(UPLOAD, body, file=(content, "image/webp")))["code"] == 200
            answer = await member.call(UPLOAD, body, file=(large, "image/webp"))
            assert answer["data"]["errors"] == [{"field": "file", "reason": "sha256"}]
            assert (await stranger.call(UPLOAD, body, file=(large, "image/webp")))["code"] == 406
