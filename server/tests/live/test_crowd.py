"""How a crowd is written to: in turns, two updates together, and nobody holds up the others."""

import asyncio
from typing import Any

import pytest
from picows import WSTransport

from kalos.live import crowd
from kalos.live.crowd import MOST_HELD_SECONDS
from kalos.live.metrics import DELIVERED, SKIPPED
from live.test_hub import Client, Stand, connect, stand, subscribe, until

__all__ = ["stand"]


async def listen(stand: Stand, count: int) -> list[tuple[WSTransport, Client]]:
    """So many sockets that have their snapshot."""
    opened = [await connect(stand, "ann" if number % 2 else "bob") for number in range(count)]
    for transport, client in opened:
        subscribe(transport, "rounds")
        await client.next()
        assert (await client.next())["action"] == "snapshot"
    return opened


async def pushed(client: Client, rows: int) -> list[list[Any]]:
    """What comes until there are so many rows, by message."""
    found: list[list[Any]] = []
    while sum(map(len, found)) < rows:
        message = await client.next()
        assert message["action"] == "update"
        found.append(message["data"])
    return found


async def test_updates_that_follow_each_other_come_two_in_a_message(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each lane in its turn; the last one waits for its companion no longer than it may."""
    monkeypatch.setattr(crowd, "_HELD_FOR_EACH", 1.0)
    monkeypatch.setattr(crowd, "MOST_HELD_SECONDS", 0.5)
    opened = await listen(stand, 2)
    begun = asyncio.get_running_loop().time()
    for number in range(1, 6):
        stand.hub.publish("rounds", [number])
        await asyncio.sleep(0)
    found = [await pushed(client, 5) for _, client in opened]
    assert sorted(found) == [[[1], [2], [3, 4], [5]], [[1], [2, 3], [4, 5]]]
    assert asyncio.get_running_loop().time() - begun > 0.45


async def test_an_update_that_follows_none_waits_for_none(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "_HELD_FOR_EACH", 1.0)
    opened = await listen(stand, 2)
    for number in (1, 2):
        stand.hub.publish("rounds", [number])
        assert not any(lane.held for lane in stand.hub._crowds["rounds"]._lanes)
        await asyncio.sleep(1.5 * MOST_HELD_SECONDS)
    assert [await pushed(client, 2) for _, client in opened] == [[[1], [2]], [[1], [2]]]


async def test_what_comes_while_a_turn_is_written_comes_with_the_next(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crowd, "_SLICE", 1)
    monkeypatch.setattr(crowd, "_HELD_FOR_EACH", 0)
    opened = await listen(stand, 6)
    for number in range(1, 5):
        stand.hub.publish("rounds", [number])
    assert [await pushed(client, 4) for _, client in opened] == [[[1], [2, 3, 4]]] * 6


async def test_who_unsubscribes_while_a_turn_is_written_gets_nothing_any_more(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crowd, "_SLICE", 1)
    opened = await listen(stand, 6)
    before = DELIVERED._value.get()
    stand.hub.publish("rounds", [1])
    for socket in stand.hub.sockets:
        stand.hub.unsubscribe(socket, "rounds")

    def told() -> int:
        return sum(not client.messages.empty() for _, client in opened)

    await until(lambda: told() == 2)
    await asyncio.sleep(0.05)
    assert told() == 2, "one of each lane"
    assert DELIVERED._value.get() - before == 2


async def test_each_turn_begins_with_others(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "_SLICE", 1)
    monkeypatch.setattr(crowd, "_HELD_FOR_EACH", 0)
    await listen(stand, 4)
    order: list[int] = []

    def note(descriptor: int, frame: bytes) -> int:
        order.append(descriptor)
        return len(frame)

    monkeypatch.setattr(crowd, "write_to", note)
    for number in range(2):
        stand.hub.publish("rounds", [number])
        await until(lambda: not any(lane.writing for lane in stand.hub._crowds["rounds"]._lanes))
    assert sorted(order[:4]) == sorted(order[4:])
    assert not {order[0], order[1]} & {order[4], order[5]}


async def test_a_socket_that_can_not_be_written_to_is_closed_and_the_others_go_on(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = await listen(stand, 6)

    def broken(*_: object) -> None:
        raise RuntimeError("no such luck")

    first = next(iter(stand.hub._crowds["rounds"]))
    monkeypatch.setattr(first, "descriptor", -1)
    monkeypatch.setattr(first.socket, "keep", broken)
    stand.hub.publish("rounds", [1])
    stand.hub.publish("rounds", [2])
    await until(lambda: any(client.closed.is_set() for _, client in opened))
    assert len(stand.hub.sockets) == 5
    lost = [client for _, client in opened if client.closed.is_set()]
    for _, client in opened:
        if client not in lost:
            assert [row for rows in await pushed(client, 2) for row in rows] == [1, 2]


async def test_a_whole_crowd_begins_anew_with_one_look(stand: Stand) -> None:
    opened = await listen(stand, 6)
    looks = stand.looks
    stand.rounds = [{"round": "newest"}]
    stand.hub.refresh()
    stand.hub.publish("rounds", [{"round": "older"}])
    for _, client in opened:
        assert (await client.next())["data"] == [{"round": "newest"}]
    assert stand.looks == looks + 1


async def test_who_was_slow_and_missed_nothing_goes_on(stand: Stand) -> None:
    """A large snapshot is no reason for another one."""
    stand.rounds = ["x" * 8_000_000]  # far more than the kernel's buffers take
    transport, client = await connect(stand, "ann")
    transport.underlying_transport.pause_reading()
    subscribe(transport, "rounds")
    (socket,) = stand.hub.sockets
    await until(lambda: socket.slow)
    await asyncio.sleep(0.05)
    assert not any(subscription.direct for subscription in stand.hub._crowds["rounds"])
    transport.underlying_transport.resume_reading()
    await until(lambda: not socket.slow)
    stand.hub.publish("rounds", [1])
    await client.next()
    assert (await client.next())["action"] == "snapshot"
    assert (await client.next())["data"] == [1]
    assert stand.looks == 1


async def test_more_updates_than_may_wait_for_a_snapshot_end_in_another_one(stand: Stand) -> None:
    stand.snapshot_gate.clear()
    transport, client = await connect(stand, "ann")
    subscribe(transport, "rounds")
    await client.next()
    before = SKIPPED._value.get()
    for number in range(100):  # to the member, which is at once: no turn of the hub comes between
        stand.hub.publish("rounds", [number], member=1000)
    assert SKIPPED._value.get() - before == 80
    stand.rounds = ["newest"]
    stand.snapshot_gate.set()
    await until(lambda: stand.looks == 2 and all(reader.current for reader in stand.hub._crowds["rounds"]))
    stand.hub.publish("rounds", [100])
    seen = [(await client.next())["data"]]
    while seen[-1] != [100]:
        seen.append((await client.next())["data"])
    assert seen[:-1] in ([["newest"]], [["newest"], ["newest"]])
