"""The live process: the hub, fed with what the writer committed."""

import asyncio
import time
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import asyncpg
import structlog

from kalos.app.house import open_house
from kalos.app.metrics import serve_registry
from kalos.app.process import allow_files, collect_seldom
from kalos.app.settings import Settings
from kalos.core.database import LOST, Database
from kalos.core.errors import Outage
from kalos.core.money import text_of
from kalos.core.notices import hear
from kalos.core.tokens import digest
from kalos.domains.context import House
from kalos.domains.games.service import live_rounds
from kalos.domains.identity.queries import ENDED, find_session, list_living, take_auth_token
from kalos.domains.overview.rules import holdings_of
from kalos.ledger.feed import News, follow
from kalos.ledger.statements import balances, balances_of
from kalos.live.channels import Channel, Limits, Ports, Visitor
from kalos.live.hub import Hub
from kalos.live.state import FEED_UP
from kalos.wire.languages import language_of, refusal_text
from kalos.wire.networks import is_loopback, network_of, networks_of

_AGAIN_SECONDS = 0.5
_SILENT_SECONDS = 5.0
_OWN_FILES = 200
"""Database connections, logs, the page of figures, sockets on their way in: what the others must leave."""
_OWN_RELAYS = ("127.0.0.1", "::1")  # API processes, which say whom they carry
_log = structlog.get_logger("live")


async def main(settings: Settings) -> None:
    async with open_house(settings, connections=4) as house, serve_registry(settings.live_meter_port):
        hub = make_hub(house, settings)
        await hub.start(settings.host, settings.socket_port)
        collect_seldom()
        listening = asyncio.create_task(hear_of_sessions(hub, settings.app_url))
        try:
            await feed(hub, house.db, settings.app_url)
        finally:
            listening.cancel()
            await hub.stop()


async def hear_of_sessions(hub: Hub, url: str) -> None:
    """Close the sockets of sessions that end, for ever."""
    await hear(url, {ENDED: lambda text: hub.end(bytes.fromhex(text))}, hub.doubt, hub.heard)


def make_hub(house: House, settings: Settings) -> Hub:
    """The hub with the product's channels. In demo mode a session's own token opens a socket too."""
    db, proxies = house.db, networks_of((*settings.trusted_proxies, *_OWN_RELAYS))

    async def authenticate(token: str) -> Visitor | None:
        wall = house.clock.wall()
        session = await take_auth_token(db, digest(token), wall)
        if session is None and settings.demo:
            session = await find_session(db, digest(token), wall)
        return None if session is None else Visitor(session.member.id, session.token_hash)

    async def living(sessions: Sequence[bytes]) -> set[bytes]:
        return await list_living(db, sessions, house.clock.wall())

    async def rounds(_member: int) -> list[Any]:
        return await live_rounds(house)

    async def account(member: int) -> list[Any]:
        # Read together with all who ask meanwhile: after a lost feed that is everybody at once.
        return _said(member, await balances_of(db, member))

    def network(peer: str, forwarded: str) -> str:
        found = network_of(peer, forwarded, proxies)
        return "" if settings.demo and is_loopback(found) else found

    return Hub(
        channels=[Channel("rounds", rounds, own=False), Channel("account", account, own=True)],
        ports=Ports(authenticate, living, lambda lang, name: refusal_text(language_of(lang), name, {}), network),
        origins=settings.origins,
        limits=Limits(
            sockets=_room(settings.live_sockets),
            waiting=settings.live_waiting,
            waiting_of_network=settings.live_waiting_network,
            idle_seconds=house.terms.ws_idle,
        ),
    )


def _room(sockets: int) -> int:
    """So many, or as many as this process may have files for: one more would fail instead of being refused."""
    return max(1, min(sockets, allow_files(sockets + _OWN_FILES) - _OWN_FILES))


async def read_accounts(db: Database, members: Collection[int]) -> dict[int, list[dict[str, str]]]:
    """What each member has of each asset, as the `account` channel says it."""
    units = await balances(db, members)
    return {member: _said(member, units) for member in members}


def _said(member: int, units: Mapping[int, int]) -> list[dict[str, str]]:
    """A member's holdings; `units` are balances by account."""
    return [
        {
            "asset": holding.asset.code,
            "available": text_of(holding.available, holding.asset),
            "held": text_of(holding.held, holding.asset),
        }
        for holding in holdings_of(member, units)
    ]


async def feed(hub: Hub, db: Database, url: str) -> None:
    """Publish what is committed, for ever; after a lost connection every channel starts with a new snapshot.

    Who hears of nothing for some seconds keeps nobody: a page with a socket that lives asks seldom, without one often.
    """
    heard_at = time.monotonic()
    while True:
        stands = False
        try:
            async for news in follow(url):
                if not stands:
                    hub.refresh()
                    stands = True
                    FEED_UP.set(1)
                await publish(hub, db, news)
        except (Outage, *LOST, asyncpg.PostgresError) as problem:
            FEED_UP.set(0)
            _log.warning("the feed broke off", reason=type(problem).__name__)
        heard_at = time.monotonic() if stands else heard_at
        if time.monotonic() - heard_at >= _SILENT_SECONDS:
            hub.shut("feed")
        await asyncio.sleep(_AGAIN_SECONDS)


async def publish(hub: Hub, db: Database, news: News) -> None:
    """Push what a look at the feed has found; whose account can't be read now gets a snapshot of it later."""
    rounds = [body for topic, body in news.facts if topic == "rounds"]
    if rounds:
        hub.publish("rounds", rounds)
    touched = hub.listening("account", news.owners)
    if not touched:
        return
    try:
        accounts = await read_accounts(db, touched)
    except Outage as problem:
        # The feed stands: were it begun anew, everybody would, and would keep the next look waiting just as long.
        _log.warning("accounts wait for a snapshot", members=len(touched), reason=str(problem))
        hub.refresh_own("account", touched)
        return
    for member, rows in accounts.items():
        hub.publish("account", rows, member=member)
