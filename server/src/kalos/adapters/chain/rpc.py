"""JSON-RPC to one node over HTTP."""

import asyncio
import re
from collections.abc import Callable
from functools import cache
from itertools import count
from ssl import SSLContext
from typing import Any, Final

import httpx
import msgspec

from kalos.adapters.http import HttpClient
from kalos.core.errors import Outage

_LARGEST_ANSWER = 32 * 1024 * 1024
_DEEPEST: Final = 64  # ours have six
_STRING: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))
_HAS_LEFT: Final = "http11.send_request_body.complete"


class RpcRefused(Outage):
    """The node answered that it can't: its message is the text."""


class Node:
    """One endpoint. Addresses may hold keys, so errors name a node by its host only."""

    def __init__(self, url: str, *, timeout_seconds: float = 3.0) -> None:
        self.host = httpx.URL(url).host
        self.shut = ""  # why it is asked nothing
        self._url = url
        self._numbers = count(1)
        self._timeout_seconds = timeout_seconds
        self._http = HttpClient(verify=_trusted(), timeout=timeout_seconds, trust_env=False)

    async def call(self, method: str, *params: Any, left: Callable[[], None] | None = None) -> Any:
        """`left` is told when all of the question has left and no answer is there.

        Raises: RpcRefused where the node says no, Outage where it is shut, doesn't answer or answers nonsense.
        """
        if self.shut:
            raise Outage(f"{self.host}: {self.shut}")
        return await self.ask(method, *params, left=left)

    async def ask(self, method: str, *params: Any, left: Callable[[], None] | None = None) -> Any:
        """The same of one that may be shut."""

        async def trace(event: str, _: object) -> None:
            if left is not None and event == _HAS_LEFT:
                left()

        body = {"jsonrpc": "2.0", "id": next(self._numbers), "method": method, "params": params}
        question = self._http.stream(
            "POST",
            self._url,
            content=msgspec.json.encode(body),
            headers={"Content-Type": "application/json"},
            extensions={} if left is None else {"trace": trace},
        )
        try:
            # Of all of it: one that says a byte now and then would keep whoever asks it beside others waiting for ever.
            async with asyncio.timeout(self._timeout_seconds), question as answer:
                content = await self._read(answer, method)  # to its end, so that its connection serves again
                if answer.status_code != httpx.codes.OK:
                    raise Outage(f"{self.host}: {method}: HTTP {answer.status_code}")
                if is_deep(content):
                    raise Outage(f"{self.host}: {method}: more than {_DEEPEST} levels")
                message = msgspec.json.decode(content)
        except (httpx.HTTPError, TimeoutError, msgspec.DecodeError, RecursionError) as problem:
            raise Outage(f"{self.host}: {method}: {problem!r:.300}") from problem
        if not isinstance(message, dict):
            raise Outage(f"{self.host}: {method}: not an object")
        if message.get("error") is not None:
            raise RpcRefused(f"{self.host}: {method}: {message['error']!r:.300}")
        return message.get("result")

    async def _read(self, answer: httpx.Response, method: str) -> bytes:
        content = bytearray()
        async for part in answer.aiter_bytes():
            content += part
            if len(content) > _LARGEST_ANSWER:
                raise Outage(f"{self.host}: {method}: more than {_LARGEST_ANSWER} bytes")
        return bytes(content)

    async def close(self) -> None:
        await self._http.aclose()


def is_deep(content: bytes) -> bool:
    """Whether JSON nests so deep that reading it could take more of the stack than a process has: how deep it may read
    is a setting of Python's, which libraries raise."""
    if content.count(b"[") + content.count(b"{") <= _DEEPEST:
        return False
    # Without escapes, as nearly all answers are, every second piece between quotes is a text.
    outside = _STRING.sub(b"", content) if b"\\" in content else b"".join(content.split(b'"')[::2])
    depth = 0
    for bracket in outside.translate(None, _NO_BRACKETS):
        depth += 1 if bracket in b"[{" else -1
        if depth > _DEEPEST:
            return True
    return False


@cache
def _trusted() -> SSLContext:
    """Certificates of the authorities, read once: that takes as long as a hundred calls."""
    return httpx.create_ssl_context(trust_env=False)
