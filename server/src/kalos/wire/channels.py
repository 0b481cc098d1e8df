"""Channels on the server: opened from a hello, found again from their tickets, kept for ten minutes."""

import os
from base64 import b64encode
from collections import OrderedDict
from typing import Annotated, Final

from msgspec import Meta

from kalos.core.clock import Clock
from kalos.core.fields import Seconds, UnixSeconds
from kalos.wire import channel
from kalos.wire.calls import Answer, Body
from kalos.wire.channel import Channel, Unreadable
from kalos.wire.errors import BadSignature, UnknownChannel
from kalos.wire.keys import Keys, Kid

_KEPT_MS: Final = 600_000
_MOST_KEPT: Final = 50_000
_HELLO: Final = b64encode(bytes(65 + 48)).decode()


class OpenBody(Body, frozen=True):
    """`hello` is base64 of the encapsulated key and the sealed seed."""

    v: Annotated[int, Meta(examples=[1])]
    kid: Kid
    hello: Annotated[str, Meta(max_length=len(_HELLO), examples=[_HELLO])]


class OpenAnswer(Answer, frozen=True):
    """`salt` is base64."""

    sid: Annotated[str, Meta(examples=["c2lkIG9mIGEgY2hhbm5lbA"])]
    salt: Annotated[str, Meta(examples=[b64encode(bytes(32)).decode()])]
    server_time: UnixSeconds
    ttl: Annotated[Seconds, Meta(examples=[43200])]


class Channels:
    """Nothing that matters lives here: any process derives a channel again from its `sid`."""

    def __init__(self, keys: Keys, clock: Clock, ttl_seconds: int) -> None:
        self._keys = keys
        self._clock = clock
        self._ttl = ttl_seconds
        self._kept: OrderedDict[str, tuple[Channel, int]] = OrderedDict()

    async def open(self, body: OpenBody, origin: str) -> OpenAnswer:
        """Open a channel for a page of `origin`.

        Raises: UnknownChannel (a wire key that isn't known any more), BadSignature (the hello doesn't open).
        """
        key = await self._keys.wire_key(body.kid)
        if key is None:
            raise UnknownChannel
        if body.v != 1 or not origin:
            raise BadSignature
        try:
            seed = channel.open_hello(key.private, body.hello, kid=body.kid, origin=origin)
        except Unreadable as problem:
            raise BadSignature from problem
        now = self._clock.wall()
        salt = os.urandom(channel.SALT_BYTES)
        ticket = self._keys.ticket()
        sid = channel.seal_ticket(ticket.kid, ticket.key, seed=seed, salt=salt, until_at=now + self._ttl * 1000)
        return OpenAnswer(sid=sid, salt=b64encode(salt).decode(), server_time=now // 1000, ttl=self._ttl)

    def at_hand(self, sid: str) -> Channel | None:
        """The channel, where its keys need not be derived."""
        kept, now = self._kept.get(sid), self._clock.wall()
        return kept[0] if kept is not None and kept[1] > now and kept[0].until_at > now else None

    async def find(self, sid: str) -> Channel:
        """Raises: UnknownChannel (forged, ended, or sealed under a key that is gone)."""
        if (kept := self.at_hand(sid)) is not None:
            return kept
        now = self._clock.wall()
        found = await self._derive(sid)
        if found.until_at <= now:
            raise UnknownChannel
        self._keep(sid, (found, now + _KEPT_MS), now)
        return found

    async def forget(self) -> None:
        """Drop the keys of channels whose ten minutes are over, also where no call comes that would."""
        self._drop(self._clock.wall())

    def _keep(self, sid: str, kept: tuple[Channel, int], now: int) -> None:
        self._kept.pop(sid, None)  # what is derived anew goes to the end: the first is always the oldest
        self._kept[sid] = kept
        self._drop(now)
        if len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)

    def _drop(self, now: int) -> None:
        while self._kept and next(iter(self._kept.values()))[1] <= now:
            self._kept.popitem(last=False)

    async def _derive(self, sid: str) -> Channel:
        try:
            key = await self._keys.ticket_key(channel.ticket_kid(sid))
            if key is None:
                raise UnknownChannel
            return channel.open_ticket(sid, key)
        except Unreadable as problem:
            raise UnknownChannel from problem
