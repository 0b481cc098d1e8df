"""Frames that a crowd writes to the sockets itself: whole, in order, and to nobody who has left."""

import asyncio

import pytest
from picows import WSCloseCode, WSTransport

from kalos.live import crowd
from kalos.live.metrics import SKIPPED
from kalos.live.socket import SLOW_ABOVE_BYTES, Socket
from live.test_crowd import listen
from live.test_hub import Client, Stand, connect, stand, subscribe, until

__all__ = ["stand"]


async def reader_and_socket(stand: Stand) -> tuple[WSTransport, Client, Socket]:
    ((transport, client),) = await listen(stand, 1)
    (socket,) = stand.hub.sockets
    assert [reader.direct for reader in stand.hub._crowds["rounds"]] == [True]
    return transport, client, socket


def is_direct(stand: Stand) -> bool:
    (reader,) = stand.hub._crowds["rounds"]
    return reader.direct


async def publish_until_kept(stand: Stand, transport: WSTransport) -> list[str]:
    """Publish to one who reads nothing until the kernel takes no more, and something behind it. Returns the rows."""
    transport.underlying_transport.pause_reading()
    rows: list[str] = []
    while is_direct(stand):
        rows.append(f"{len(rows)} " + "x" * 50_000)
        stand.hub.publish("rounds", rows[-1:])
        await asyncio.sleep(0)
    rows.append("behind")
    stand.hub.publish("rounds", rows[-1:])
    return rows


@pytest.mark.parametrize("size", [125, 126, 65_535, 65_536])
async def test_a_message_of_any_length_comes_whole(stand: Stand, size: int) -> None:
    _, client, _ = await reader_and_socket(stand)
    row = "x" * (size - len(crowd.frame_of("rounds", "update", [""])))
    assert len(crowd.frame_of("rounds", "update", [row])) == size
    stand.hub.publish("rounds", [row])
    stand.hub.publish("rounds", ["next"])
    assert [(await client.next())["data"] for _ in range(2)] == [[row], ["next"]]


async def test_what_the_kernel_does_not_take_comes_before_what_follows(stand: Stand) -> None:
    transport, client, socket = await reader_and_socket(stand)
    skipped = SKIPPED._value.get()
    rows = await publish_until_kept(stand, transport)
    assert 0 < socket.backlog() <= SLOW_ABOVE_BYTES
    transport.underlying_transport.resume_reading()
    assert [(await client.next())["data"] for _ in rows] == [[row] for row in rows]
    await until(lambda: is_direct(stand))
    stand.hub.publish("rounds", ["newest"])
    assert (await client.next())["data"] == ["newest"]
    assert SKIPPED._value.get() == skipped


async def test_nothing_follows_the_word_that_ends_a_socket(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    _, client, socket = await reader_and_socket(stand)
    written: list[bytes] = []

    def note(_: int, frame: bytes) -> int:
        written.append(frame)
        return len(frame)

    monkeypatch.setattr(crowd, "write_to", note)
    socket.close(WSCloseCode.GOING_AWAY)
    stand.hub.publish("rounds", [1])
    assert not written
    await client.gone()
    assert client.messages.empty()


async def test_a_socket_that_is_ending_does_not_become_direct_again(stand: Stand) -> None:
    """It is, once all that it kept has gone out."""
    transport, client, socket = await reader_and_socket(stand)
    rows = await publish_until_kept(stand, transport)
    assert socket.transport is not None
    socket.transport.disconnect()
    transport.underlying_transport.resume_reading()
    while socket.backlog():
        assert not is_direct(stand)
        await asyncio.sleep(0)
    assert not any(reader.direct for reader in stand.hub._crowds["rounds"])
    await client.gone()
    assert client.messages.qsize() == len(rows)


async def test_who_waits_for_a_snapshot_does_not_become_direct(stand: Stand) -> None:
    """What kept the socket may have been another channel's."""
    stand.snapshot_gate.clear()
    transport, client = await connect(stand, "ann")
    subscribe(transport, "rounds")
    await client.next()
    (socket,) = stand.hub.sockets
    socket.pause_writing()
    socket.resume_writing()
    stand.hub.publish("rounds", [1])
    stand.snapshot_gate.set()
    assert [(await client.next())["action"] for _ in range(2)] == ["snapshot", "update"]
