"""What the hub gives nobody: more sockets than it has room for, silence without end, an ended session's sockets."""

import asyncio
import time
from collections.abc import Sequence

import pytest
from picows import WSCloseCode, WSError

from kalos.live import hub
from kalos.live.channels import Limits
from kalos.live.metrics import DROPPED, REFUSED
from kalos.live.socket import MAX_ARGS, MAX_FRAME_BYTES, Socket
from live.test_hub import PATIENCE_SECONDS, Stand, connect, say, settled, stand, subscribe, until

__all__ = ["stand"]


def counted(reason: str) -> float:
    """How often the hub has said no for this reason."""
    return float(REFUSED.labels(reason)._value.get() + DROPPED.labels(reason)._value.get())


def look_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the hub look at sessions by itself so seldom that whatever it notices, it noticed otherwise."""
    monkeypatch.setattr(hub, "_SESSIONS_SECONDS", 60)
    monkeypatch.setattr(hub, "_TOLD_SECONDS", 60)


@pytest.mark.parametrize("stand", [Limits(idle_seconds=60.0)], indirect=True)
async def test_a_silent_socket_is_dropped_and_one_that_pings_stays(stand: Stand) -> None:
    before = counted("silent")
    _, silent = await connect(stand, "ann")
    transport, lives = await connect(stand, "bob")
    await until(lambda: len(stand.hub._of_session) == 2)
    for _ in range(2):
        for socket in stand.hub.sockets:
            socket.heard_at -= 40  # as if so many seconds went by
        say(transport, "ping")
        assert await lives.next() == "pong"
    await silent.gone()
    await until(lambda: len(stand.hub.sockets) == 1)
    say(transport, "ping")
    assert await lives.next() == "pong"
    assert counted("silent") == before + 1


@pytest.mark.parametrize("stand", [Limits(sockets=2)], indirect=True)
async def test_there_are_no_more_sockets_than_allowed(stand: Stand) -> None:
    before = counted("sockets")
    transport, client = await connect(stand, "ann")
    await connect(stand, "bob")
    with pytest.raises(WSError):
        await connect(stand, "bob")
    assert counted("sockets") == before + 1
    transport.disconnect()
    await client.gone()
    await until(lambda: len(stand.hub.sockets) == 1)
    await settled(*await connect(stand, "bob"))


@pytest.mark.parametrize("stand", [Limits(waiting=2)], indirect=True)
async def test_no_more_wait_for_their_tokens_than_allowed(stand: Stand) -> None:
    """Who was let in doesn't count, nor who left."""
    before = counted("waiting")
    await settled(*await connect(stand, "ann"))
    stand.door.clear()
    leaving, left = await connect(stand, "bob")
    leaving.disconnect()
    await left.gone()
    waiting = [await connect(stand, "bob"), await connect(stand, "bob")]
    _, refused = await connect(stand, "bob")
    await refused.gone()
    assert counted("waiting") == before + 1
    stand.door.set()
    for one in waiting:
        await settled(*one)


@pytest.mark.parametrize("stand", [Limits(waiting_of_network=1)], indirect=True)
async def test_one_network_does_not_keep_the_others_waiting(stand: Stand) -> None:
    before = counted("network")
    stand.door.clear()
    first = await connect(stand, "ann", **{"X-Forwarded-For": "192.0.2.1"})
    _, refused = await connect(stand, "ann", **{"X-Forwarded-For": "192.0.2.1"})
    await refused.gone()
    assert counted("network") == before + 1
    others = [
        await connect(stand, "bob", **{"X-Forwarded-For": "192.0.2.2"}),
        await connect(stand, "bob"),  # of a network that isn't counted
        await connect(stand, "bob"),
    ]
    stand.door.set()
    for one in (first, *others):
        await settled(*one)


async def test_who_reads_nothing_is_dropped_also_after_a_bad_frame(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library itself says the last word to it then, and waits until what stands before that is read."""
    look_seldom(monkeypatch)
    transport, client = await connect(stand, "ann")
    subscribe(transport, "rounds")
    await client.next()
    await client.next()
    (socket,) = stand.hub.sockets
    transport.underlying_transport.pause_reading()
    while not socket.slow:
        stand.hub.publish("rounds", ["x" * 100_000])
        await asyncio.sleep(0)
    say(transport, "x" * (MAX_FRAME_BYTES + 1))
    await until(lambda: socket.transport is None or socket.transport.underlying_transport.is_closing())
    await asyncio.sleep(0.1)
    assert stand.hub.sockets == {socket}
    stand.hub.end(b"a")
    await until(lambda: not stand.hub.sockets)
    transport.underlying_transport.resume_reading()
    await client.gone()


async def test_nothing_is_read_behind_the_word_that_ends_a_socket(stand: Stand) -> None:
    transport, client = await connect(stand, "ann")
    await settled(transport, client)
    (socket,) = stand.hub.sockets
    transport.underlying_transport.pause_reading()
    assert socket.transport is not None
    socket.transport.send_close(WSCloseCode.POLICY_VIOLATION)
    heard_at = socket.heard_at
    subscribe(transport, "rounds")
    await asyncio.sleep(0.1)
    assert (socket.heard_at, list(socket.subscriptions)) == (heard_at, ["account"])
    transport.underlying_transport.resume_reading()
    await client.gone()


async def test_frames_that_are_none_write_no_line_and_a_bug_of_ours_does(
    stand: Stand, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_socket: Socket, _message: bytes) -> None:
        raise RuntimeError

    def lines() -> list[str]:
        return [record.msg for record in caplog.records if record.name.startswith("picows.live")]

    for _ in range(3):
        transport, client = await connect(stand, "ann")
        say(transport, "x" * (MAX_FRAME_BYTES + 1))
        await client.gone()
    assert lines() == []
    monkeypatch.setattr(Socket, "_read", broken)
    transport, client = await connect(stand, "ann")
    say(transport, "ping")
    await client.gone()
    assert lines() == ["Initiate disconnect because of exception from WSListener.on_ws_frame"]


async def test_another_address_than_ws_is_none(stand: Stand) -> None:
    with pytest.raises(WSError):
        await connect(stand, "ann", path="/")
    assert stand.hub.sockets == set()


async def test_a_refusal_is_in_the_sockets_language(stand: Stand) -> None:
    for token, headers, language in (("ann&lang=vi", {"lang": "th"}, "vi"), ("ann", {"lang": "th"}, "th")):
        transport, client = await connect(stand, token, **headers)
        subscribe(transport, "secrets")
        assert await client.next() == {"event": "error", "code": 404, "msg": f"not_found in {language}"}


async def test_an_ended_session_loses_its_sockets_at_once(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that leaves unread what it was sent; another session of the member keeps its own."""
    look_seldom(monkeypatch)
    before = counted("session")
    transport, slow = await connect(stand, "ann")
    subscribe(transport, "rounds")
    await slow.next()
    await slow.next()
    transport.underlying_transport.pause_reading()
    while not any(socket.slow for socket in stand.hub.sockets):
        stand.hub.publish("rounds", ["x" * 100_000])
        await asyncio.sleep(0)
    _, quick = await connect(stand, "ann")
    other, lives = await connect(stand, "ann-again")
    await settled(other, lives)
    stand.hub.end(b"a")
    await until(lambda: len(stand.hub.sockets) == 1)
    await quick.gone()
    assert counted("session") == before + 2
    say(other, "ping")
    await lives.next()
    assert await lives.next() == "pong"
    transport.underlying_transport.resume_reading()
    await slow.gone()


async def test_where_notices_may_be_missing_sessions_are_looked_at_at_once(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_seldom(monkeypatch)
    _, client = await connect(stand, "ann")
    await asyncio.sleep(0.8)  # the turn that had begun
    await until(lambda: bool(stand.hub._of_session))
    stand.living.discard(b"a")
    stand.hub.doubt()
    await client.gone()


async def test_sessions_are_not_looked_at_while_every_notice_is_heard(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = 0

    async def look(sessions: Sequence[bytes]) -> set[bytes]:
        nonlocal looks
        looks += 1
        return set(sessions)

    monkeypatch.setattr(hub, "_SESSIONS_SECONDS", 0.01)
    monkeypatch.setattr(hub, "_TOLD_SECONDS", 60)
    await settled(*await connect(stand, "ann"))
    stand.look = look
    await until(lambda: looks > 2)
    stand.hub.heard(time.monotonic() + 60)
    await asyncio.sleep(0.05)  # the turn that had begun
    before = looks
    await asyncio.sleep(0.2)
    assert looks == before
    stand.hub.doubt()
    await until(lambda: looks == before + 1)


async def test_a_session_that_nobody_tells_of_is_found_although_every_notice_is_heard(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as one whose time is over."""
    monkeypatch.setattr(hub, "_TOLD_SECONDS", 0.2)
    stand.hub.heard(time.monotonic() + 60)
    _, client = await connect(stand, "ann")
    transport, lives = await connect(stand, "bob")
    await settled(transport, lives)
    stand.living.discard(b"a")
    gone, _ = await asyncio.wait([asyncio.create_task(client.closed.wait())], timeout=PATIENCE_SECONDS)
    assert gone
    assert len(stand.hub.sockets) == 1


async def test_who_logs_out_while_the_door_is_opened_does_not_come_in(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its notice came when no socket was known to be the session's; another one's session goes in."""
    look_seldom(monkeypatch)
    before = counted("token")
    stand.door.clear()
    _, late = await connect(stand, "ann")
    transport, other = await connect(stand, "ann-again")
    await until(lambda: stand.hub._waiting_in_all == 2)
    stand.living.discard(b"a")
    stand.hub.end(b"a")
    stand.door.set()
    await settled(transport, other)
    assert counted("token") == before + 1
    await late.gone()
    assert len(stand.hub.sockets) == 1


@pytest.mark.parametrize("op", ["subscribe", "unsubscribe"])
async def test_more_channels_than_a_message_may_name_are_refused_and_none_is_subscribed(stand: Stand, op: str) -> None:
    transport, client = await connect(stand, "ann")
    subscribe(transport, *["rounds"] * (MAX_ARGS + 1), op=op)
    assert await client.next() == {"event": "error", "code": 400, "msg": "invalid_input in "}
    say(transport, "ping")
    assert await client.next() == "pong"
    (socket,) = stand.hub.sockets
    assert (stand.looks, socket.subscriptions) == (0, {})


async def test_what_comes_before_the_token_is_read_waits_up_to_its_limit(stand: Stand) -> None:
    stand.door.clear()
    transport, client = await connect(stand, "ann")
    (socket,) = stand.hub.sockets
    socket._early.extend([b"{"] * (MAX_ARGS - 1))  # as many in one second would be a flood
    subscribe(transport, "rounds")
    subscribe(transport, "account")
    say(transport, "ping")
    assert await client.next() == "pong"
    stand.door.set()
    assert [(await client.next())["event"] for _ in range(MAX_ARGS)] == ["error"] * (MAX_ARGS - 1) + ["subscribe"]
    assert (await client.next())["arg"] == {"channel": "rounds"}
    say(transport, "ping")
    assert await client.next() == "pong"


async def test_who_asks_again_and_again_has_a_channel_read_once_at_a_time(stand: Stand) -> None:
    """Each snapshot is read after its asker came; all who came meanwhile share the next one."""
    sockets = [await connect(stand, name) for name in ("ann", "bob", "bob")]
    stand.snapshot_gate.clear()
    crowd = stand.hub._crowds["rounds"]
    for place, (transport, _) in enumerate(sockets):
        subscribe(transport, "rounds")
        while len(crowd) == place:
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.2)  # as much as looks may be apart, and more
    assert stand.looks == 1
    stand.rounds = [{"round": "r2"}]
    stand.snapshot_gate.set()
    for _, client in sockets:
        await client.next()
        assert (await client.next())["data"] == [{"round": "r2"}]
    assert stand.looks == 2
