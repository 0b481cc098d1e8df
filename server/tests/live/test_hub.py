"""The hub over real sockets: who gets in, what they get, and what becomes of slow and ended readers."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from picows import WSCloseCode, WSError, WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from kalos.live.channels import Channel, Ports, Visitor
from kalos.live.hub import MAX_OF_MEMBER, Hub
from kalos.live.socket import MAX_ARGS, MAX_FRAME_BYTES, MESSAGES_PER_SECOND

ORIGIN = "http://localhost:8000"
PATIENCE_SECONDS = 15  # for what comes within one: the machine may be busy
TOKENS = {"ann": Visitor(1000, b"a"), "ann-again": Visitor(1000, b"a2"), "bob": Visitor(1001, b"b")}


@dataclass
class Stand:
    """A hub with two channels whose state the test sets."""

    hub: Hub
    living: set[bytes] = field(default_factory=lambda: {v.session for v in TOKENS.values()})
    rounds: list[Any] = field(default_factory=lambda: [{"round": "r1"}])
    snapshot_gate: asyncio.Event = field(default_factory=asyncio.Event)
    door: asyncio.Event = field(default_factory=asyncio.Event)
    look: Callable[[Sequence[bytes]], Awaitable[set[bytes]]] | None = None
    looks: int = 0


@pytest.fixture
async def stand(request: pytest.FixtureRequest) -> AsyncIterator[Stand]:
    """With the limits that a test names, else the usual ones."""

    async def authenticate(token: str) -> Visitor | None:
        await made.door.wait()
        return TOKENS.get(token)

    async def living(sessions: Sequence[bytes]) -> set[bytes]:
        return await made.look(sessions) if made.look else made.living & set(sessions)

    async def rounds(_member: int) -> list[Any]:
        made.looks += 1
        await made.snapshot_gate.wait()
        return list(made.rounds)

    async def account(member: int) -> list[Any]:
        made.looks += 1
        await made.snapshot_gate.wait()
        return [{"member": member}]

    hub = Hub(
        channels=[Channel("rounds", rounds, own=False), Channel("account", account, own=True)],
        ports=Ports(authenticate, living, lambda lang, name: f"{name} in {lang}", lambda _, forwarded: forwarded),
        origins=[ORIGIN],
        limits=getattr(request, "param", None),
    )
    made = Stand(hub)
    made.snapshot_gate.set()
    made.door.set()
    await hub.start("127.0.0.1", 0)
    yield made
    await hub.stop()


class Client(WSListener):
    """Keeps what arrives, in order; `closed` is set when the connection is gone, `code` is what the hub said then."""

    def __init__(self) -> None:
        self.code: WSCloseCode | None = None
        self.messages: asyncio.Queue[Any] = asyncio.Queue()
        self.closed = asyncio.Event()

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.TEXT:
            text = frame.get_payload_as_utf8_text()
            self.messages.put_nowait(text if text == "pong" else json.loads(text))
        elif frame.msg_type == WSMsgType.PONG:
            self.messages.put_nowait(frame.get_payload_as_bytes())
        elif frame.msg_type == WSMsgType.CLOSE:
            self.code = frame.get_close_code()
            transport.disconnect()

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self.closed.set()

    async def next(self) -> Any:
        return await asyncio.wait_for(self.messages.get(), PATIENCE_SECONDS)

    async def gone(self) -> None:
        await asyncio.wait_for(self.closed.wait(), PATIENCE_SECONDS)


async def connect(
    stand: Stand, token: str, origin: str = ORIGIN, path: str = "/ws", **headers: str
) -> tuple[WSTransport, Client]:
    address = f"ws://127.0.0.1:{stand.hub.port}{path}?token={token}"
    transport, client = await ws_connect(Client, address, extra_headers={"Origin": origin, **headers})
    assert isinstance(client, Client)
    return transport, client


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not true():
            await asyncio.sleep(0.01)


def subscribe(transport: WSTransport, *channels: str, op: str = "subscribe") -> None:
    say(transport, json.dumps({"op": op, "args": [{"channel": channel} for channel in channels]}))


def say(transport: WSTransport, text: str) -> None:
    transport.send(WSMsgType.TEXT, text.encode())


async def test_a_subscription_starts_with_its_snapshot_and_goes_on_with_updates(stand: Stand) -> None:
    transport, client = await connect(stand, "ann")
    subscribe(transport, "rounds")
    assert await client.next() == {"event": "subscribe", "arg": {"channel": "rounds"}}
    assert await client.next() == {"arg": {"channel": "rounds"}, "action": "snapshot", "data": [{"round": "r1"}]}
    stand.hub.publish("rounds", [{"round": "r2"}])
    assert await client.next() == {"arg": {"channel": "rounds"}, "action": "update", "data": [{"round": "r2"}]}


async def test_what_is_published_while_the_snapshot_is_read_follows_it(stand: Stand) -> None:
    stand.snapshot_gate.clear()
    transport, client = await connect(stand, "ann")
    subscribe(transport, "rounds")
    await client.next()
    stand.hub.publish("rounds", [{"round": "newer"}])
    await asyncio.sleep(0.05)
    assert client.messages.empty()
    stand.snapshot_gate.set()
    assert (await client.next())["action"] == "snapshot"
    assert (await client.next())["data"] == [{"round": "newer"}]


async def test_a_member_gets_only_their_own_account(stand: Stand) -> None:
    transport, ann = await connect(stand, "ann")
    subscribe(transport, "account")
    other, bob = await connect(stand, "bob")
    subscribe(other, "account")
    for client, member in ((ann, 1000), (bob, 1001)):
        await client.next()
        assert (await client.next())["data"] == [{"member": member}]
    stand.hub.publish("account", [{"balance": "1"}], member=1000)
    assert (await ann.next())["data"] == [{"balance": "1"}]
    await asyncio.sleep(0.05)
    assert bob.messages.empty()


@pytest.mark.parametrize("token", ["", "unknown", "ANN"])
async def test_a_token_that_is_not_valid_is_closed_and_told_nothing(stand: Stand, token: str) -> None:
    transport, client = await connect(stand, token)
    subscribe(transport, "rounds")
    await client.gone()
    assert client.messages.empty()


@pytest.mark.parametrize("path", ["/", "/ws/", "//[", "/%2577s", "/WS"])
async def test_any_other_address_is_not_found(stand: Stand, path: str) -> None:
    """Said as such, without a word of what stumbled over it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", stand.hub.port)
    head = (
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {'A' * 22}==\r\nOrigin: {ORIGIN}\r\n"
    )
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{head}\r\n".encode())
    async with asyncio.timeout(PATIENCE_SECONDS):
        assert (await reader.readline()).split()[1] == b"404"
    writer.close()


@pytest.mark.parametrize("origin", ["http://evil.example", "http://localhost:8001", "null"])
async def test_a_page_of_another_origin_gets_no_socket(stand: Stand, origin: str) -> None:
    with pytest.raises(WSError):
        await connect(stand, "ann", origin)
    assert stand.hub.sockets == set()


async def test_ping_is_answered_and_unsubscribe_ends_the_pushes(stand: Stand) -> None:
    transport, client = await connect(stand, "ann")
    say(transport, "ping")
    assert await client.next() == "pong"
    subscribe(transport, "account")
    await client.next()
    await client.next()
    subscribe(transport, "account", op="unsubscribe")
    assert (await client.next())["event"] == "unsubscribe"
    stand.hub.publish("account", [{}], member=1000)
    await asyncio.sleep(0.05)
    assert client.messages.empty()


async def test_a_ping_frame_is_answered_with_its_own_words(stand: Stand) -> None:
    transport, client = await connect(stand, "ann")
    transport.send_ping(b"still there?")
    assert await client.next() == b"still there?"


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '"ping"',
        '{"op":"subscribe"}',
        '{"op":"subscribe","args":[]}',
        '{"op":"drop","args":[{"channel":"rounds"}]}',
        '{"op":"subscribe","args":[{"channel":7}]}',
        "[" * 4000,
    ],
)
async def test_a_message_that_says_nothing_is_refused_and_the_socket_lives(stand: Stand, text: str) -> None:
    transport, client = await connect(stand, "ann")
    say(transport, text)
    assert await client.next() == {"event": "error", "code": 400, "msg": "invalid_input in "}
    say(transport, "ping")
    assert await client.next() == "pong"


async def test_text_that_is_not_utf8_is_refused_and_the_socket_lives(stand: Stand) -> None:
    transport, client = await connect(stand, "ann")
    transport.send(WSMsgType.TEXT, b'{"op":"subscribe","args":[{"channel":"\xed\xa0\x80"}]}')
    assert await client.next() == {"event": "error", "code": 400, "msg": "invalid_input in "}
    say(transport, "ping")
    assert await client.next() == "pong"


@pytest.mark.parametrize("channel", ["rounds", "account"])
async def test_a_channel_named_many_times_at_once_is_read_once(stand: Stand, channel: str) -> None:
    stand.snapshot_gate.clear()
    transport, client = await connect(stand, "ann")
    subscribe(transport, *[channel] * MAX_ARGS)
    for _ in range(MAX_ARGS):
        assert await client.next() == {"event": "subscribe", "arg": {"channel": channel}}
    stand.snapshot_gate.set()
    assert (await client.next())["action"] == "snapshot"
    assert stand.looks == 1
    subscribe(transport, channel)
    await client.next()
    assert (await client.next())["action"] == "snapshot"
    assert stand.looks == 2


async def test_a_message_in_fragments_ends_the_socket(stand: Stand) -> None:
    """They would get round the bound on a frame."""
    transport, client = await connect(stand, "ann")
    transport.send(WSMsgType.TEXT, b"pi", fin=False)
    await client.gone()


async def test_an_unknown_channel_is_refused(stand: Stand) -> None:
    transport, client = await connect(stand, "ann")
    subscribe(transport, "secrets")
    assert await client.next() == {"event": "error", "code": 404, "msg": "not_found in "}


async def test_a_flood_or_an_oversized_frame_ends_the_socket(stand: Stand) -> None:
    transport, client = await connect(stand, "ann")
    for _ in range(3 * MESSAGES_PER_SECOND):
        say(transport, "ping")
    await client.gone()
    transport, client = await connect(stand, "ann")
    say(transport, "x" * (MAX_FRAME_BYTES + 1))
    await client.gone()


@pytest.mark.parametrize("kind", [WSMsgType.BINARY, WSMsgType.PING, WSMsgType.PONG])
async def test_a_flood_of_any_kind_of_frame_ends_the_socket(stand: Stand, kind: WSMsgType) -> None:
    transport, client = await connect(stand, "ann")
    for _ in range(3 * MESSAGES_PER_SECOND):
        transport.send(kind, b"x")
    await client.gone()


async def test_one_member_has_a_bounded_number_of_sockets(stand: Stand) -> None:
    opened = [await connect(stand, "ann") for _ in range(MAX_OF_MEMBER)]
    for transport, client in opened:
        await settled(transport, client)
    _, refused = await connect(stand, "ann-again")
    await refused.gone()
    await settled(*await connect(stand, "bob"))
    opened[0][0].disconnect()
    await opened[0][1].gone()
    await settled(*await connect(stand, "ann-again"))


async def settled(transport: WSTransport, client: Client) -> None:
    """Return once the socket has been let in."""
    subscribe(transport, "account")
    assert (await client.next())["event"] == "subscribe"


async def test_an_ended_session_loses_its_sockets_within_a_second_or_so(stand: Stand) -> None:
    _, ended = await connect(stand, "ann")
    transport, lives = await connect(stand, "ann-again")
    stand.living.discard(b"a")
    await ended.gone()
    await until(lambda: len(stand.hub.sockets) == 1)
    say(transport, "ping")
    assert await lives.next() == "pong"


async def test_sessions_are_looked_at_again_after_a_turn_that_failed(stand: Stand) -> None:
    _, client = await connect(stand, "ann")
    failed = asyncio.Event()

    async def broken(_: Sequence[bytes]) -> set[bytes]:
        failed.set()
        raise RuntimeError("not even an outage")

    stand.look = broken
    await asyncio.wait_for(failed.wait(), PATIENCE_SECONDS)
    stand.living.discard(b"a")
    stand.look = None
    await client.gone()


async def test_who_comes_while_sessions_are_looked_at_stays(stand: Stand) -> None:
    await settled(*await connect(stand, "ann"))
    asked, gate = asyncio.Event(), asyncio.Event()

    async def slow(sessions: Sequence[bytes]) -> set[bytes]:
        asked.set()
        await gate.wait()
        return stand.living & set(sessions)

    stand.look = slow
    await asyncio.wait_for(asked.wait(), PATIENCE_SECONDS)
    transport, client = await connect(stand, "bob")
    await settled(transport, client)
    asked.clear()
    gate.set()
    await asyncio.wait_for(asked.wait(), PATIENCE_SECONDS)
    assert (await client.next())["action"] == "snapshot"
    say(transport, "ping")
    assert await client.next() == "pong"


async def test_who_unsubscribed_or_left_is_no_reader_any_more(stand: Stand) -> None:
    transport, client = await connect(stand, "ann")
    other, left = await connect(stand, "bob")
    for one, reader in ((transport, client), (other, left)):
        subscribe(one, "rounds")
        await reader.next()
        await reader.next()
    assert stand.hub.listening("rounds", [999, 1000, 1001]) == {1000, 1001}
    assert len(stand.hub._crowds["rounds"]) == 2
    subscribe(transport, "rounds", op="unsubscribe")
    await client.next()
    other.disconnect()
    await left.gone()
    await until(lambda: not stand.hub._crowds["rounds"])
    assert stand.hub.listening("rounds", [1000, 1001]) == set()
    transport.disconnect()
    await client.gone()
    await until(lambda: not (stand.hub._of_member or stand.hub._of_session or stand.hub._waiting))


async def test_a_slow_reader_skips_to_the_newest_state_and_the_others_go_on(
    stand: Stand, caplog: pytest.LogCaptureFixture
) -> None:
    transport, slow = await connect(stand, "ann")
    subscribe(transport, "rounds")
    await slow.next()
    await slow.next()
    transport.underlying_transport.pause_reading()
    stand.rounds = [{"round": "newest"}]
    filler = {"round": "x" * 50_000}
    for _ in range(400):  # far more than the kernel's buffers take
        stand.hub.publish("rounds", [filler])
        await asyncio.sleep(0)
    backlog = max(socket.backlog() for socket in stand.hub.sockets)
    assert backlog < 200_000, "the queue has a bound"
    looks = stand.looks
    await asyncio.sleep(0.6)
    assert stand.looks == looks, "there is no snapshot for who doesn't read"
    transport.underlying_transport.resume_reading()
    message = await slow.next()
    while message["action"] == "update":
        message = await slow.next()
    assert message == {"arg": {"channel": "rounds"}, "action": "snapshot", "data": [{"round": "newest"}]}
    assert not [record for record in caplog.records if record.name == "live"], "slow readers would fill the log"


async def test_a_reader_who_asks_for_snapshots_and_reads_none_is_dropped(stand: Stand) -> None:
    transport, slow = await connect(stand, "ann")
    transport.underlying_transport.pause_reading()
    stand.rounds = [{"round": "x" * 3_000_000}]  # a few of them are far more than the kernel's buffers take
    for _ in range(MESSAGES_PER_SECOND - 1):
        subscribe(transport, "rounds")
        await asyncio.sleep(0.02)
    await until(lambda: not stand.hub.sockets)
    transport.underlying_transport.resume_reading()
    await slow.gone()
