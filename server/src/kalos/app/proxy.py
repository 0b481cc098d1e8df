"""`kalos proxy [PORT]`: a door on loopback that takes plain calls and makes them sealed: curl talks to any server."""

import asyncio
import json
import sys
from collections.abc import Sequence
from typing import Final

import httpx
from granian.constants import Interfaces
from granian.server.embed import Server

from kalos.adapters.http import HttpClient
from kalos.app.kept import refuse_taken
from kalos.app.settings import Settings
from kalos.app.shell import host_of
from kalos.wire import http
from kalos.wire.client import NotTrusted, TurnedAway, WireClient
from kalos.wire.http import Receive, Scope, Send, TransportProblem
from kalos.wire.patience import Patience
from kalos.wire.request import read_request
from kalos.wire.signing import Unsignable
from kalos.wire.strict_json import MAX_BYTES, NotStrict, parse_object

_HOST: Final = "127.0.0.1"
_PORT: Final = 8089
_SECONDS: Final = 15
_PASSED_ON: Final = (413, 429, 503)
"""What the server says about a call by HTTP alone; any other status is no answer of ours."""


class Proxy:
    """An ASGI application. It keeps one channel; a caller's token and language go with its own call only."""

    def __init__(self, client: WireClient) -> None:
        self._client = client
        self._patience = Patience(http.BODY_SECONDS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await self._answer(scope, receive)
            await http.send_bytes(send, 200, body, b"application/json")
        except TransportProblem as problem:
            await http.send_problem(send, problem)
        except (NotTrusted, ValueError, httpx.HTTPError) as problem:  # also an answer that is no JSON
            told = str(problem) or type(problem).__name__
            await http.send_bytes(send, 502, told.encode(), b"text/plain; charset=utf-8")
        except http.Gone:
            return

    async def _answer(self, scope: Scope, receive: Receive) -> bytes:
        """Raises: TransportProblem, Gone, NotTrusted, ValueError, httpx.HTTPError."""
        if host_of(scope) not in (_HOST, "localhost"):
            raise TransportProblem(421)  # a page of another site, under a name that leads here
        if scope["method"] != "POST":
            raise TransportProblem(405)
        headers = http.headers_of(scope)
        try:
            body = parse_object(await http.read_json_body(headers, receive, MAX_BYTES, self._patience))
        except NotStrict as problem:
            raise TransportProblem(400) from problem
        about = read_request(scope, headers, ())  # as the server will read them: they are signed
        try:
            answer = await self._client.call(about.path, body, token=about.token, lang=about.lang_header)
        except Unsignable as problem:
            raise TransportProblem(400) from problem
        except TurnedAway as problem:
            if problem.status in _PASSED_ON:
                raise TransportProblem(problem.status, problem.retry_after) from problem
            raise
        return json.dumps(answer, ensure_ascii=False).encode()


def port_of(arguments: Sequence[str]) -> int:
    """Raises: SystemExit 2 for a port that is none."""
    port = arguments[0] if arguments else str(_PORT)
    if len(arguments) > 1 or not port.isdigit() or not 0 < int(port) < 65536:
        print("proxy [PORT]: plain calls to 127.0.0.1:PORT go sealed to the server", file=sys.stderr)
        sys.exit(2)
    return int(port)


async def main(settings: Settings, port: int) -> None:
    """Serve until it is interrupted."""
    refuse_taken(port)
    async with HttpClient(base_url=settings.page_url, timeout=_SECONDS) as client:
        server = make_server(Proxy(WireClient(client)), port)
        serving = asyncio.create_task(server.serve())
        print(f"http://{_HOST}:{port} makes calls of {settings.page_url}; end it with Ctrl-C")
        try:
            await asyncio.shield(serving)
        finally:
            server.stop()  # type: ignore[no-untyped-call]
            await serving


def make_server(proxy: Proxy, port: int) -> Server:
    return Server(proxy, address=_HOST, port=port, interface=Interfaces.ASGINL, websockets=False, log_enabled=False)
