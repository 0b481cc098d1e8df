"""A call that does nothing, on the server of `make run`: behind the whole kernel, and behind nothing at all.

`python http_trivial.py kernel` is an API process of the house that its environment names, with one call more; `bare` is
an ASGI application that knows the one answer, made by msgspec for each request.
"""

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Final, cast

import msgspec

from http_load import account_of
from kalos.app import api
from kalos.app.process import collect_seldom, configure, preempt_nobody, run_until_signal
from kalos.app.settings import Settings, load_settings
from kalos.app.shell import Shell
from kalos.domains.context import Context
from kalos.domains.overview.api import calls
from kalos.wire.calls import Answer, Empty
from kalos.wire.http import Receive, Scope, Send
from kalos.wire.languages import say

PATH: Final = "/api/bench/trivial"
LANG: Final = "vi"


class Trivial(Answer, frozen=True):
    """What only somebody who found the session and the language can say."""

    account: Annotated[str, msgspec.Meta(examples=["10000001"])]
    lang: Annotated[str, msgspec.Meta(examples=[LANG])]


class Outer(msgspec.Struct, frozen=True):
    code: int
    msg: str
    data: Trivial


@contextmanager
def registered() -> Iterator[None]:
    """The register of a domain has the call meanwhile: what is composed from it then serves it."""

    async def trivial(ctx: Context, _: Empty) -> Trivial:
        return Trivial(account=ctx.caller.account, lang=ctx.lang)

    calls.add(PATH)(trivial)
    try:
        yield
    finally:
        calls.all.pop()


async def bare(scope: Scope, receive: Receive, send: Send) -> None:
    """Reads a body and answers, whatever was asked."""
    if scope["type"] != "http":
        return
    while (await receive()).get("more_body", False):
        pass
    body = msgspec.json.encode(Outer(200, _DONE, Trivial(account=account_of(0), lang=LANG)))
    head = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": head})
    await send({"type": "http.response.body", "body": body})


_DONE: Final = say(LANG, "page.done")


async def serve_bare(settings: Settings) -> None:
    """Serve until cancelled, as `api.main` does: it asks the system and the collector for the same."""
    preempt_nobody()
    server = api.make_server(cast(Shell, bare), settings)
    serving = asyncio.create_task(server.serve())
    collect_seldom()
    try:
        await asyncio.shield(serving)
    finally:
        server.stop()  # type: ignore[no-untyped-call]
        await serving


def main() -> None:
    settings = load_settings(os.environ)
    configure(settings, "bench")
    if sys.argv[1:] == ["bare"]:
        run_until_signal(serve_bare(settings))
    else:
        with registered():
            run_until_signal(api.main(settings))


if __name__ == "__main__":
    main()
