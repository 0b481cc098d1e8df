"""The wire's own call: opening a channel. It is always plain, and its handler is given the Request itself."""

from kalos.wire.calls import Call, Calls
from kalos.wire.channels import Channels, OpenAnswer, OpenBody
from kalos.wire.errors import BadSignature, UnknownChannel
from kalos.wire.kernel import WIRE
from kalos.wire.request import Request


def opening_calls(channels: Channels | None) -> list[Call]:
    """Without channels it can be described, not served."""
    calls = Calls(WIRE)

    @calls.add("/api/wire/open", BadSignature, UnknownChannel, public=True, load="entry")
    async def open_channel(request: Request, body: OpenBody) -> OpenAnswer:
        assert channels is not None
        return await channels.open(body, request.origin)

    return calls.all
