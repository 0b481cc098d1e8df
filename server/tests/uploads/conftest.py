"""The whole API over ASGI, with members who have a session."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from conftest import MakeMember
from kalos.adapters.files.sandbox import SandboxFiles
from kalos.app.api import make_app, open_wire
from kalos.app.settings import Settings
from kalos.app.shell import Shell
from kalos.core.clock import Clock
from kalos.core.tokens import digest, new_token
from kalos.domains.context import House, Member
from kalos.domains.identity.queries import insert_session
from kalos.domains.identity.tables import SessionRow
from kalos.domains.uploads.tables import UploadRow
from kalos.wire.client import WireClient
from kalos.wire.envelope import Mode
from support.pictures import hex_of

UPLOAD = "/api/basic/upload"
GRANT = "/api/basic/uploadGrant"


@dataclass
class Sender:
    """A member at the wire: `send` makes a form, `put` brings a grant's file."""

    house: House
    http: httpx.AsyncClient
    member: Member
    token: str

    def wire(self, mode: Mode = "plain") -> WireClient:
        return WireClient(self.http, mode=mode, token=self.token)

    async def send(
        self, content: bytes, kind: str = "image/png", path: str = UPLOAD, mode: Mode = "plain", **body: Any
    ) -> dict[str, Any]:
        return await self.wire(mode).call(path, {"image_sha256": hex_of(content)} | body, file=(content, kind))

    async def grant(self, content: bytes, kind: str = "image/png", **body: Any) -> dict[str, Any]:
        asked = {"purpose": "picture", "type": kind, "size": len(content), "sha256": hex_of(content)} | body
        return await self.wire().call(GRANT, asked)

    async def put(self, path: str, content: Any, kind: str = "image/png", **headers: str) -> httpx.Response:
        return await self.http.put(f"/api/upload/{path}", content=content, headers={"content-type": kind} | headers)

    async def post(self, body: bytes, kind: str, path: str = UPLOAD) -> httpx.Response:
        return await self.http.post(
            path, content=body, headers={"content-type": kind, "authorization": self.token, "lang": "en"}
        )

    async def rows(self) -> list[UploadRow]:
        found = await self.house.db.rows("SELECT * FROM uploads WHERE owner = $1 ORDER BY created_at", self.member.id)
        return [UploadRow(**row) for row in found]

    async def states(self) -> list[str]:
        return [row.state for row in await self.rows()]

    async def kept(self) -> list[bytes]:
        """What stands in the store for this member."""
        files = self.house.files
        assert isinstance(files, SandboxFiles)
        return [files.kept[row.name] for row in await self.rows() if row.name in files.kept]


@pytest.fixture(scope="module")
async def app(house: House, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Shell]:
    settings = Settings(data_dir=tmp_path_factory.mktemp("data"), live_port=4567)
    async with open_wire(house, settings) as wire:
        yield make_app(wire, house, settings)


@pytest.fixture(scope="module")
async def http(app: Shell) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=app, client=("127.0.0.1", 4000))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8000") as client:
        yield client


async def make_sender(house: House, http: httpx.AsyncClient, member: Member) -> Sender:
    token, wall = new_token(), Clock.wall()
    async with house.db.transaction() as db:
        await insert_session(db, SessionRow(digest(token), member.id, "", "", wall, 600_000, wall + 600_000))
    return Sender(house, http, member, token)


@pytest.fixture
async def sender(house: House, http: httpx.AsyncClient, member: MakeMember) -> Sender:
    return await make_sender(house, http, await member())


@pytest.fixture
async def other(house: House, http: httpx.AsyncClient, member: MakeMember) -> Sender:
    return await make_sender(house, http, await member())
