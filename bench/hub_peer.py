"""The hub's peer: uvicorn and websockets with the same tokens, operations and messages, as bare as ASGI allows.

As with us one slow reader must not hold up the others, so each has a bounded queue and a task that sends from it. Or it
is asked for a plain loop, in which each waits for the one before.

`python bench/hub_peer.py PORT SOCKET TOKENS` listens on loopback. Each line that comes over the Unix socket is the row
of one message and how to send it; the file TOKENS has the hashes of the tokens. It ends with what feeds it.
"""

import asyncio
import json
import logging
import sys
from collections.abc import Awaitable, Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs

import uvloop

from kalos.core.tokens import digest

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
_CHANNEL: Final = "rounds"
_MOST_UNREAD: Final = 1_000


class Reader:
    """One socket and what is to be sent to it; one that leaves too much unread is dropped."""

    def __init__(self, send: Send) -> None:
        self.send = send
        self._queue: asyncio.Queue[Message] = asyncio.Queue(_MOST_UNREAD)
        self._sending = asyncio.create_task(self._send_all())

    def queue(self, message: Message) -> None:
        try:
            self._queue.put_nowait(message)
        except asyncio.QueueFull:
            self.leave()

    def leave(self) -> None:
        self._sending.cancel()

    async def _send_all(self) -> None:
        while True:
            await self.send(await self._queue.get())


class Peer:
    """The application."""

    def __init__(self, tokens: set[str]) -> None:
        self._tokens = tokens
        self._subscribers: dict[str, set[Reader]] = {_CHANNEL: set()}

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        assert scope["type"] == "websocket"
        await receive()
        token = parse_qs(scope["query_string"].decode()).get("token", [""])[0]
        if digest(token).hex() not in self._tokens:
            await send({"type": "websocket.close", "code": 1008})
            return
        self._tokens.discard(digest(token).hex())
        await send({"type": "websocket.accept"})
        reader = Reader(send)
        try:
            while (message := await receive())["type"] == "websocket.receive":
                await self._obey(message["text"], reader)
        finally:
            reader.leave()
            for subscribers in self._subscribers.values():
                subscribers.discard(reader)

    async def publish(self, row: Any, *, loop: bool) -> None:
        message = {"type": "websocket.send", "text": _frame("update", [row])}
        for reader in list(self._subscribers[_CHANNEL]):
            if loop:
                await reader.send(message)
            else:
                reader.queue(message)

    async def _obey(self, text: str, reader: Reader) -> None:
        if text == "ping":
            await reader.send({"type": "websocket.send", "text": "pong"})
            return
        operation = json.loads(text)
        assert operation["op"] == "subscribe", text
        for arg in operation["args"]:
            await reader.send({"type": "websocket.send", "text": _compact({"event": "subscribe", "arg": arg})})
            await reader.send({"type": "websocket.send", "text": _frame("snapshot", [])})
            self._subscribers[arg["channel"]].add(reader)


def _frame(action: str, rows: list[Any]) -> str:
    return _compact({"arg": {"channel": _CHANNEL}, "action": action, "data": rows})


def _compact(content: Any) -> str:
    return json.dumps(content, separators=(",", ":"))


async def main(port: int, place: str, tokens: set[str]) -> None:
    uvicorn: Any = import_module("uvicorn")
    peer = Peer(tokens)
    server = uvicorn.Server(
        uvicorn.Config(
            peer,
            host="127.0.0.1",
            port=port,
            lifespan="off",
            log_level=logging.WARNING,
            ws_per_message_deflate=False,  # nor has ours it
            ws_ping_interval=None,  # nor does ours send any
        )
    )

    async def feed(lines: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        while line := await lines.readline():
            asked = json.loads(line)
            await peer.publish(asked["row"], loop=asked["loop"])
        server.should_exit = server.force_exit = True

    async with await asyncio.start_unix_server(feed, place):
        await server.serve()


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main(int(sys.argv[1]), sys.argv[2], set(Path(sys.argv[3]).read_text().split())))
