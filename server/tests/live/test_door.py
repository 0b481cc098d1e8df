"""Whom the product's hub lets in: single-use tokens, in demo mode sessions' own; and that a logout ends it."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from conftest import MakeMember
from kalos.app.live import hear_of_sessions, make_hub
from kalos.app.migrate import role_url
from kalos.app.settings import Mode, load_settings
from kalos.core.tokens import digest, new_token
from kalos.domains.context import House
from kalos.domains.identity.queries import end_session, insert_auth_token, insert_session
from kalos.domains.identity.tables import SessionRow
from live.test_hub import Stand, connect, settled, subscribe, until
from live.test_limits import look_seldom
from support import clusters

KEPT_MS = 60_000


@pytest.fixture
async def stand(house: House, request: pytest.FixtureRequest) -> AsyncIterator[Stand]:
    """The product's hub in the mode that a test names."""
    mode: Mode = getattr(request, "param", "demo")
    hub = make_hub(house, replace(load_settings({}), mode=mode))
    await hub.start("127.0.0.1", 0)
    yield Stand(hub)
    await hub.stop()


async def sign_in(house: House, member: MakeMember) -> str:
    """The token of a new member's session."""
    token, wall, someone = new_token(), house.clock.wall(), await member()
    async with house.db.transaction() as db:
        await insert_session(db, SessionRow(digest(token), someone.id, "", "", wall, KEPT_MS, wall + KEPT_MS))
    return token


async def single_use(house: House, session: str, lasts_ms: int = KEPT_MS) -> str:
    token, until = new_token(), house.clock.wall() + lasts_ms
    await insert_auth_token(house.db, token_hash=digest(token), session=digest(session), until_at=until, wall=0)
    return token


@pytest.mark.parametrize("stand", ["demo", "production"], indirect=True)
async def test_a_token_opens_one_socket(stand: Stand, house: House, member: MakeMember) -> None:
    token = await single_use(house, await sign_in(house, member))
    await settled(*await connect(stand, token))
    _, again = await connect(stand, token)
    await again.gone()


async def test_a_token_opens_none_after_its_time(stand: Stand, house: House, member: MakeMember) -> None:
    _, late = await connect(stand, await single_use(house, await sign_in(house, member), lasts_ms=0))
    await late.gone()


async def test_in_demo_mode_a_sessions_own_token_opens_a_socket(stand: Stand, house: House, member: MakeMember) -> None:
    await settled(*await connect(stand, await sign_in(house, member)))


@pytest.mark.parametrize("stand", ["production"], indirect=True)
async def test_in_production_a_sessions_own_token_opens_none(stand: Stand, house: House, member: MakeMember) -> None:
    """It would stand in addresses, and so in logs of proxies."""
    _, client = await connect(stand, await sign_in(house, member))
    await client.gone()
    assert client.messages.empty()


@pytest.mark.parametrize(("language", "said"), [("", "Not found"), ("vi", "Không tìm thấy"), ("vn", "Không tìm thấy")])
async def test_a_refusal_is_a_sentence_of_the_catalogue(
    stand: Stand, house: House, member: MakeMember, language: str, said: str
) -> None:
    transport, client = await connect(stand, f"{await sign_in(house, member)}&lang={language}")
    subscribe(transport, "secrets")
    assert await client.next() == {"event": "error", "code": 404, "msg": said}


async def test_a_session_that_is_ended_anywhere_loses_its_sockets_by_notice(
    stand: Stand, house: House, member: MakeMember, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not only because the hub looks now and then."""
    look_seldom(monkeypatch)
    hearing = asyncio.create_task(hear_of_sessions(stand.hub, role_url(database_url, "kalos_app", clusters.SECRET)))
    try:
        await until(lambda: stand.hub._heard_at > 0)  # and it is proven that none is missed
        session, other = await sign_in(house, member), await sign_in(house, member)
        _, ended = await connect(stand, session)
        await settled(*await connect(stand, other))
        await end_session(house.db, digest(session))
        await ended.gone()
        await until(lambda: len(stand.hub.sockets) == 1)
    finally:
        hearing.cancel()


async def test_readers_are_found_among_those_whose_money_moved(stand: Stand, house: House, member: MakeMember) -> None:
    transport, client = await connect(stand, await sign_in(house, member))
    await settled(transport, client)
    ((reader, _),) = stand.hub._of_member.items()
    assert stand.hub.listening("account", {reader, reader + 1}) == {reader}
    assert stand.hub.listening("rounds", {reader}) == set()
