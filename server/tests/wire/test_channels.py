"""What a process keeps of channels: for ten minutes, each from when it was derived."""

import asyncio
import os

import pytest

from kalos.app import api
from kalos.app.api import open_wire
from kalos.app.settings import load_settings
from kalos.core.database import Database
from kalos.core.terms import Terms
from kalos.domains.context import House
from kalos.wire import channel, channels
from kalos.wire.channels import Channels
from kalos.wire.errors import UnknownChannel
from kalos.wire.keys import Keys
from wire.support import StandingClock

MINUTE_MS = 60_000
DAY_MS = 24 * 60 * MINUTE_MS


class Stand:
    """Channels on a clock of their own; `open` makes a ticket."""

    def __init__(self, db: Database, clock: StandingClock, terms: Terms) -> None:
        self.clock = clock
        self.keys = Keys(db, clock, b"k" * 32)
        self.channels = Channels(self.keys, clock, terms.channel_ttl)

    def open(self, lives_ms: int = DAY_MS) -> str:
        ticket, until_at = self.keys.tickets[0], self.clock.wall() + lives_ms
        return channel.seal_ticket(ticket.kid, ticket.key, seed=os.urandom(32), salt=os.urandom(32), until_at=until_at)

    @property
    def kept(self) -> list[str]:
        return list(self.channels._kept)


@pytest.fixture
async def stand(db: Database, terms: Terms) -> Stand:
    made = Stand(db, StandingClock(), terms)
    await made.keys.refresh()
    return made


async def test_keys_are_dropped_after_ten_minutes_when_another_channel_comes(stand: Stand) -> None:
    first, second, third = stand.open(), stand.open(), stand.open()
    await stand.channels.find(first)
    stand.clock.shift_ms += MINUTE_MS
    await stand.channels.find(second)
    stand.clock.shift_ms += 9 * MINUTE_MS - 1
    await stand.channels.find(second)
    assert stand.kept == [first, second]
    stand.clock.shift_ms += 1
    await stand.channels.find(third)
    assert stand.kept == [second, third]


async def test_what_is_derived_anew_is_the_youngest(stand: Stand) -> None:
    first, second = stand.open(), stand.open()
    await stand.channels.find(first)
    stand.clock.shift_ms += MINUTE_MS
    await stand.channels.find(second)
    stand.clock.shift_ms += 9 * MINUTE_MS
    await stand.channels.find(first)
    assert stand.kept == [second, first]
    stand.clock.shift_ms += MINUTE_MS
    await stand.channels.forget()
    assert stand.kept == [first]


async def test_so_many_are_kept_and_no_more(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channels, "_MOST_KEPT", 2)
    first, second, third = stand.open(), stand.open(), stand.open()
    for sid in (first, second, third):
        await stand.channels.find(sid)
    assert stand.kept == [second, third]


async def test_a_quiet_process_forgets_them_all(stand: Stand) -> None:
    await stand.channels.find(stand.open())
    stand.clock.shift_ms += 10 * MINUTE_MS
    with pytest.raises(UnknownChannel):
        await stand.channels.find("x" * 20)
    await stand.channels.forget()
    assert stand.kept == []


async def test_at_hand_is_what_need_not_be_derived_anew(stand: Stand) -> None:
    sid = stand.open()
    assert stand.channels.at_hand(sid) is None
    found = await stand.channels.find(sid)
    stand.clock.shift_ms += 10 * MINUTE_MS - 1
    assert stand.channels.at_hand(sid) is found
    stand.clock.shift_ms += 1
    assert stand.channels.at_hand(sid) is None


async def test_what_has_ended_is_not_at_hand(stand: Stand) -> None:
    sid = stand.open(lives_ms=MINUTE_MS)
    found = await stand.channels.find(sid)
    assert stand.channels.at_hand(sid) is found
    stand.clock.shift_ms += MINUTE_MS
    assert stand.channels.at_hand(sid) is None
    with pytest.raises(UnknownChannel):
        await stand.channels.find(sid)


async def test_an_api_process_forgets_without_being_called(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "_CLEAN_SECONDS", 0.01)
    forgotten = asyncio.Event()

    async def forget(_: Channels) -> None:
        forgotten.set()

    monkeypatch.setattr(Channels, "forget", forget)
    async with open_wire(house, load_settings({})):
        await asyncio.wait_for(forgotten.wait(), 15)
