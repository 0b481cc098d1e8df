"""Whoever changes what the gate keeps at hand, and however: the tables themselves tell it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Final

import asyncpg
import pytest

from conftest import MakeMember
from kalos.app.switches import _mark
from kalos.core.database import Database
from kalos.domains.protection.queries import CHANGED

_ORDER: Final = "INSERT INTO {} (name, country, reason, ordered_by, at, {}) VALUES ('age_min', '', 'r', 'test', 0, {})"
_LIMIT: Final = "INSERT INTO player_limits (member, kind, value, changed_at) VALUES ($1, 'stake', 5, 0)"
_OF_MEMBER: Final = {
    "the country": ["UPDATE members SET country = 'VN' WHERE id = $1"],
    "the day of birth": ["UPDATE members SET birth_date = '1990-01-01' WHERE id = $1"],
    "the terms": ["UPDATE members SET terms_version = '9' WHERE id = $1"],
    "the staff mark": ["UPDATE members SET is_staff = true WHERE id = $1"],
    "a notice": [
        """
        INSERT INTO notices_accepted (member, feature, version, lang, text_hash, at)
        VALUES ($1, 'games', 1, 'en', decode(repeat('ab', 32), 'hex'), 0)
        """
    ],
    "a break": ["INSERT INTO player_breaks (member, kind, from_at, until_at) VALUES ($1, 'break', 0, 1)"],
    "a longer break": [
        "INSERT INTO player_breaks (member, kind, from_at, until_at) VALUES ($1, 'break', 0, 1)",
        "UPDATE player_breaks SET until_at = 2 WHERE member = $1",
    ],
    "the end of breaks": [
        "INSERT INTO player_breaks (member, kind, from_at, until_at) VALUES ($1, 'break', 0, 1)",
        "DELETE FROM player_breaks WHERE member = $1",
    ],
    "a limit": [_LIMIT],
    "another limit": [_LIMIT, "UPDATE player_limits SET value = 6 WHERE member = $1"],
    "no limit": [_LIMIT, "DELETE FROM player_limits WHERE member = $1"],
}
_OF_ALL: Final = {
    "a switch": _ORDER.format("switches", "is_on", "true"),
    "a number": _ORDER.format("number_orders", "value", "18"),
}
_OF_NOBODY: Final = "UPDATE members SET lang = 'en', closed_at = $2 WHERE id = $1"


class Ear:
    """The schema's owner, whom no code of ours helps to tell, and what was told so far."""

    def __init__(self, db: asyncpg.Connection) -> None:
        self.db = db
        self.told: list[str] = []
        self._heard = asyncio.Event()

    async def next(self) -> list[str]:
        """All that was told once something is, within a quarter of a minute."""
        with suppress(TimeoutError):
            async with asyncio.timeout(15):
                await self._heard.wait()
        self._heard.clear()
        told, self.told = self.told, []
        return told

    def hear(self, *notice: object) -> None:
        self.told.append(str(notice[-1]))
        self._heard.set()


@pytest.fixture
async def ear(database_url: str) -> AsyncIterator[Ear]:
    db = await asyncpg.connect(database_url)
    ear = Ear(db)
    await db.add_listener(CHANGED, ear.hear)
    yield ear
    await db.close()


@pytest.mark.parametrize("name", _OF_MEMBER)
async def test_each_part_of_a_standing_is_told(name: str, ear: Ear, member: MakeMember) -> None:
    one = (await member()).id
    for change in _OF_MEMBER[name]:
        await ear.db.execute(_OF_NOBODY, one, 1 if change.startswith("DELETE") else None)  # before, nothing is deleted
        await ear.db.execute(change, one)
        assert await ear.next() == [str(one)]


@pytest.mark.parametrize("name", _OF_ALL)
async def test_each_order_is_told_to_all(name: str, ear: Ear) -> None:
    async with ear.db.transaction():
        await ear.db.execute(_OF_ALL[name])
    assert await ear.next() == [""]


async def test_a_staff_mark_by_the_operators_command_is_told(ear: Ear, member: MakeMember, database_url: str) -> None:
    one = await member()
    db = Database(database_url, size=1)
    assert await _mark(db, one.account, is_staff=True) == (0, f"{one.account}: staff on")
    await db.close()
    assert await ear.next() == [str(one.id)]
