"""Bulletins for tests: published as an operator does, read as a member does."""

from dataclasses import dataclass
from typing import Any, Literal

import pytest

from conftest import MakeContext, MakeMember
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.pages import PageQuery
from kalos.core.tokens import new_id
from kalos.domains.content import queries, service
from kalos.domains.content.rules import Draft, Lang, Text
from kalos.domains.context import Context, Member


@dataclass
class Board:
    """The bulletins of a database that tests share: each takes those of its own kind away first."""

    db: Database
    reader: Context
    kept: Member

    async def clear(self) -> None:
        await self.db.execute("UPDATE bulletins SET retracted_at = 1")

    async def publish(self, name: str, **fields: Any) -> int:
        texts: dict[Lang, Text] = fields.pop("texts", {"en": Text(f"Title {name}", f"Text of {name}.")})
        draft = Draft(**{"name": name, "kind": "notice", "texts": texts} | fields)
        return await service.publish(self.db, draft, by=self.kept.id)

    async def retract(self, name: str) -> None:
        async with self.db.transaction() as step:
            await service.retract(step, name, wall=Clock.wall())

    async def at(self, name: str, from_at: int, until_at: int | None = None) -> int:
        """Publish, with times to the millisecond."""
        number = await self.publish(name)
        await self.db.execute(
            "UPDATE bulletins SET from_at = $2, until_at = $3 WHERE id = $1", number, from_at, until_at
        )
        return number

    async def shown(
        self, wall: int, kind: Literal["notice", "news", "banner"] = "notice", lang: str = "en", **page: Any
    ) -> list[int]:
        query = PageQuery(**{"size": 100} | page)
        found = await queries.list_shown(self.db, kind, lang=lang, wall=wall, page=query)
        return [row.id for row in found.rows]

    async def upload(self, owner: Member, purpose: str = "picture") -> str:
        """A picture of that member, as if it had been sent."""
        upload_id = new_id()
        await self.db.execute(
            """
            INSERT INTO uploads (id, owner, purpose, kind, state, sent_bytes, sent_sha256, name, created_at,
                kept_bytes, kept_sha256, width, height, kept_at)
            VALUES ($1, $2, $3, 'image/png', 'kept', 1, $4, md5($1), 1, 1, $4, 12, 8, 1)
            """,
            upload_id, owner.id, purpose, b"s" * 32,
        )  # fmt: skip
        return upload_id


@pytest.fixture
async def board(db: Database, ctx: MakeContext, member: MakeMember) -> Board:
    kept = await member()
    made = Board(db, ctx(kept), kept)
    await made.clear()
    return made
