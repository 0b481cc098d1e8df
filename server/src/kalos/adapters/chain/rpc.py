"""JSON-RPC to one node over HTTP."""

from collections.abc import Callable
from functools import cache
from itertools import count
from ssl import SSLContext
from typing import Any, Final

import httpx
import msgspec

from kalos.core.errors import Outage

_LARGEST_ANSWER = 32 * 1024 * 1024
_HAS_LEFT: Final = "http11.send_request_body.complete"


class RpcRefused(Outage):
    """The node answered that it can't: its message is the text."""


class Node:
    """One endpoint. Addresses may hold keys, so errors name a node by its host only."""

    def __init__(self, url: str, *, timeout_seconds: float = 3.0) -> None:
        self.host = httpx.URL(url).host
        self._url = url
        self._numbers = count(1)
        self._http = httpx.AsyncClient(verify=_trusted(), timeout=timeout_seconds, trust_env=False)

    async def call(self, method: str, *params: Any, left: Callable[[], None] | None = None) -> Any:
        """`left` is told when all of the question has left and no answer is there.

        Raises: RpcRefused where the node says no, Outage where it doesn't answer or answers nonsense.
        """

        async def trace(event: str, _: object) -> None:
            if left is not None and event == _HAS_LEFT:
                left()

        body = {"jsonrpc": "2.0", "id": next(self._numbers), "method": method, "params": params}
        try:
            answer = await self._http.post(
                self._url,
                content=msgspec.json.encode(body),
                headers={"Content-Type": "application/json"},
                extensions={} if left is None else {"trace": trace},
            )
            if answer.status_code != httpx.codes.OK or len(answer.content) > _LARGEST_ANSWER:
                raise Outage(f"{self.host}: {method}: HTTP {answer.status_code}")
            message = msgspec.json.decode(answer.content)
        except (httpx.HTTPError, msgspec.DecodeError) as problem:
            raise Outage(f"{self.host}: {method}: {problem!r}") from problem
        if not isinstance(message, dict):
            raise Outage(f"{self.host}: {method}: not an object")
        if message.get("error") is not None:
            raise RpcRefused(f"{self.host}: {method}: {message['error']!r:.300}")
        return message.get("result")

    async def close(self) -> None:
        await self._http.aclose()


@cache
def _trusted() -> SSLContext:
    """Certificates of the authorities, read once: that takes as long as a hundred calls."""
    return httpx.create_ssl_context(trust_env=False)
