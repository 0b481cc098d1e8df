"""W1, W2 and W4 for a moment, and whether the readers see what goes wrong. The figures mean nothing here."""

import importlib.util
from pathlib import Path
from typing import Any

import hub
import pytest
from hub_house import running_hub
from hub_readers import Crowd, Reader
from picows import WSMsgType
from picows.picows import _make_test_ws_frame
from stand import running_writer

from kalos.live.crowd import frame_of
from support import clusters
from support.chains import LocalNode

FEW = 6
NO_TRANSPORT: Any = None
PEER = importlib.util.find_spec("uvicorn") is not None


async def test_each_side_is_measured_and_slow_readers_were_slow(
    template: str, anvil: LocalNode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run fails where a message is lost, a socket closed, or no slow reader was left behind."""
    monkeypatch.setattr(hub, "RATE", 100)
    url = await clusters.copy_template(template, "bench_hub")
    async with running_writer(url) as writer, running_hub(url, tmp_path, writer, anvil.chain.network, anvil.url) as one:
        measured = await hub.run(one, sockets=FEW, slow=1, rounds=1, seconds=0.1, peer=PEER)
        await writer.end()
    found = {benchmark.id: benchmark for benchmark in measured}
    assert [*found] == ["W1", "W2", "W1 loop", "W2 loop", "W4"]
    assert min(*found["W4"].ours, *found["W4"].peer) > 0
    for cpu_us in (*found["W4"].cpu_us, *found["W4"].peer_cpu_us):
        assert cpu_us["hub"] > 0
    for name in ("W1", "W2", "W1 loop", "W2 loop"):
        assert bool(found[name].skipped) is not PEER
        assert all(figure > 0 for figure in found[name].ours + found[name].peer)


def test_a_message_has_as_many_bytes_as_was_asked_for() -> None:
    assert len(frame_of("rounds", "update", [hub.row_of(1_000_001, hub.BYTES)])) == hub.BYTES


def hear(*messages: bytes) -> tuple[Crowd, Reader]:
    """A reader whose next number is 1 gets these."""
    crowd = Crowd()
    reader = Reader(crowd, 0)
    crowd.readers.append(reader)
    for message in messages:
        reader.on_ws_frame(NO_TRANSPORT, _make_test_ws_frame(WSMsgType.TEXT, message, True, False))
    return crowd, reader


def update(*numbers: int) -> bytes:
    return frame_of("rounds", "update", [hub.row_of(number, hub.BYTES) for number in numbers])


async def test_messages_in_their_order_are_no_fault_however_they_are_framed() -> None:
    crowd, reader = hear(update(1), update(2, 3), update(4))
    assert reader.last == 4
    found = await crowd.finish({1: 0.0, 2: 0.0, 3: -1e6, 4: 0.0})
    assert found["all"][-1] > 1e9, "each message has its own moment, whatever frame it came in"
    assert (found["deliveries"], found["faults"], found["skipped"]) == (4, 0, 0)


async def test_what_the_house_tells_of_its_own_games_is_no_message_of_ours() -> None:
    own = b'{"arg":{"channel":"rounds"},"action":"update","data":[{"scene_id":"odd_even-60","number":7}]}'
    both = update(2).replace(b'"data":[', b'"data":[{"scene_id":"odd_even-60","number":7},')
    crowd, reader = hear(own, update(1), own, both)
    assert reader.last == 2
    found = await crowd.finish({1: 0.0, 2: 0.0})
    assert (found["deliveries"], found["faults"], found["skipped"]) == (2, 0, 0)


@pytest.mark.parametrize(
    "messages",
    [
        (update(2),),
        (update(1), update(3)),
        (update(1), update(1)),
        (update(1), update(2), update(1)),
        (update(1), frame_of("rounds", "snapshot", [])),
        (update(1), b'{"event":"error","code":400,"msg":"Check your input"}'),
    ],
)
async def test_what_is_lost_repeated_or_out_of_order_is_a_fault(messages: tuple[bytes, ...]) -> None:
    crowd, _ = hear(*messages)
    assert (await crowd.finish({1: 0.0}))["faults"] > 0


async def test_a_closed_socket_is_a_fault() -> None:
    crowd, reader = hear(update(1))
    reader.on_ws_disconnected(NO_TRANSPORT)
    assert (await crowd.finish({1: 0.0}))["faults"] == 1
