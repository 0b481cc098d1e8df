"""Demo mode's helper calls on a real node, and its data, whose making may end anywhere."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from typing import cast

import pytest

from conftest import MakeMember
from deposits.scene import Crash, Effects, MortalDatabase, MortalLedger, Scene, node_scene
from kalos.adapters.chain.wallet import DemoWallet
from kalos.adapters.files.sandbox import SandboxFiles
from kalos.adapters.screening.list import SANDBOX, ListedAddresses
from kalos.app import demo_data
from kalos.app.demo import calls
from kalos.app.demo_mails import store_mail
from kalos.core.assets import KLS, USDT
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.errors import Outage
from kalos.core.tokens import digest, new_token
from kalos.domains.challenges.queries import insert_captcha
from kalos.domains.challenges.tables import CaptchaRow
from kalos.domains.context import House
from kalos.domains.deposits.jobs import watch
from kalos.domains.identity.queries import find_by_name, insert_session
from kalos.domains.identity.tables import SessionRow
from kalos.ledger import purse
from kalos.ledger.purse import Purpose
from kalos.ledger.statements import balances
from support.chains import LocalNode
from support.members import make_member
from support.plain import Plain, plain_api


@pytest.fixture
async def scene(house: House, member: MakeMember, anvil: LocalNode) -> AsyncIterator[Scene]:
    made = await node_scene(house, await member(), anvil)
    yield made
    await made.close()


@pytest.fixture
async def api(scene: Scene) -> Plain:
    return await plain_api(scene.house, [calls])


async def token_of(scene: Scene) -> str:
    token, wall = new_token(), Clock.wall()
    async with scene.house.db.transaction() as db:
        await insert_session(db, SessionRow(digest(token), scene.member.id, "", "", wall, 60_000, wall + 60_000))
    return token


async def test_faucet_tops_up_like_any_other_transfer(api: Plain, scene: Scene) -> None:
    sent = await api.data("/api/demo/faucet", {"amount": "25.5"}, token=await token_of(scene))
    for _ in range(4):
        await api.data("/api/demo/mine", {"blocks": 1})
        await scene.watch()
    (row,) = await scene.rows()
    assert (row.transaction, row.status) == (sent["hash"], "approved")
    assert await scene.available() == 25_500_000


async def test_faucet_pays_from_an_address_on_the_sandboxs_list(scene: Scene) -> None:
    scene.house = replace(scene.house, screening=ListedAddresses(None, SANDBOX))
    api = await plain_api(scene.house, [calls])
    await api.data("/api/demo/faucet", {"amount": "25.5", "listed": True}, token=await token_of(scene))
    for _ in range(4):
        await api.data("/api/demo/mine", {"blocks": 1})
        await scene.watch()
    (row,) = await scene.rows()
    assert (row.sender, row.status, row.reason) == (SANDBOX[0], "pending_review", "listed_sender")
    assert await scene.available() == 0


@pytest.mark.parametrize("amount", ["0", "-1", "1.0000001", "x"])
async def test_faucet_refuses_what_is_no_amount(amount: str, api: Plain, scene: Scene) -> None:
    refused = await api.post("/api/demo/faucet", {"amount": amount}, token=await token_of(scene))
    assert (refused["code"], refused["data"]["error"]) == (400, "invalid_amount")


async def test_faucet_alone_needs_a_token(api: Plain) -> None:
    assert (await api.post("/api/demo/faucet", {"amount": "1"}))["code"] == 406
    assert [call.path for call in calls.all if not call.public] == ["/api/demo/faucet"]


async def test_mine_and_reorg_change_the_head(api: Plain) -> None:
    first = (await api.data("/api/demo/mine", {"blocks": 3}))["head"]
    second = (await api.data("/api/demo/mine", {"blocks": 2}))["head"]
    assert second["number"] == first["number"] + 2
    replaced = (await api.data("/api/demo/reorg", {"depth": 2}))["head"]
    assert replaced["number"] == second["number"]
    assert replaced["hash"] != second["hash"]


async def test_reorg_deeper_than_the_chain_is_refused(api: Plain) -> None:
    refused = await api.post("/api/demo/reorg", {"depth": 17})
    assert (refused["code"], refused["data"]["error"]) == (400, "invalid_input")


async def test_captcha_tells_its_answer(api: Plain, house: House) -> None:
    row = CaptchaRow("c" * 22, "ACE39", Clock.wall() + 60_000)
    await insert_captcha(house.db, row)
    assert await api.data("/api/demo/captcha", {"captcha_id": row.id}) == {"code": "ACE39"}
    assert (await api.post("/api/demo/captcha", {"captcha_id": "nothing"}))["code"] == 404


async def test_inbox_is_found_by_address_and_by_account(api: Plain, db: Database, database_url: str) -> None:
    member = await make_member(database_url)
    email = await db.value("SELECT email FROM members WHERE id = $1", member.id)
    mail = b"From: a@kalos.example\r\nSubject: Your code\r\n\r\n402913\r\n"
    await store_mail(db, recipients=[email], content=mail, at=7)
    shown = {"list": [{"time": 7, "subject": "Your code", "text": "402913", "code": "402913"}]}
    assert await api.data("/api/demo/inbox", {"email": email}) == shown
    assert await api.data("/api/demo/inbox", {"email": member.account}) == shown


async def test_inbox_of_nobody_is_empty(api: Plain) -> None:
    assert await api.data("/api/demo/inbox", {"email": "nobody@people.example"}) == {"list": []}


async def test_data_is_made_once_wherever_its_making_ends(house: House, anvil: LocalNode, member: MakeMember) -> None:
    """The process ends before or after each of its effects in turn, and is begun again."""
    demo = await node_scene(house, await member(), anvil)
    going_on = asyncio.create_task(_keep_going(demo.house, anvil.wallet))
    ended = 0
    files = cast(SandboxFiles, house.files)
    files.full = True  # the banner's picture has no room: that keeps nothing else from being made
    try:
        for start in range(100):
            effects = Effects(start // 4)  # a start repeats what it can't know to be done, so give it more in time
            mortal = replace(
                demo.house, db=MortalDatabase(house.db, effects), ledger=MortalLedger(house.ledger, effects)
            )
            try:
                await demo_data.fill(mortal)
                break
            except Crash:
                ended += 1
        banners = "SELECT count(*) FROM bulletins WHERE kind = 'banner'"
        assert await house.db.value(banners) == 0
        files.full = False
        await demo_data.fill(demo.house)
        assert await house.db.value(banners) == 1
    finally:
        files.full = False
        going_on.cancel()
        await asyncio.wait({going_on})
        await demo.close()
    assert ended >= 10
    await _check_demo_data(house)


async def _keep_going(house: House, wallet: DemoWallet) -> None:
    while True:
        with suppress(Outage):
            await wallet.mine(now_ms=house.clock.now())
            await watch(house)
        await asyncio.sleep(0.02)


async def _check_demo_data(house: House) -> None:
    root, second = await find_by_name(house.db, "10000001"), await find_by_name(house.db, "10000002")
    assert root is not None
    assert second is not None
    assert (root.invite_code, root.inviter, second.inviter) == ("KALOS1", None, root.id)
    found = await balances(house.db, [root.id, second.id, purse.HOUSE])
    for owner, usdt, kls in ((root.id, 50_000, 50_000), (second.id, 5_000, 20_000)):
        assert found[purse.available(owner, USDT)] == usdt * 10**6
        assert found[purse.available(owner, KLS)] == kls * 10**8
    for purpose, usdt, kls in (
        (Purpose.BANKROLL, 1_000_000, 1_000_000),
        (Purpose.KLS_STOCK, 50_000, 1_000_000),
        (Purpose.MARKETING, 100_000, 0),
        (Purpose.LENDING_POOL, 100_000, 0),
        (Purpose.INSURANCE_POOL, 100_000, 0),
    ):
        assert found.get(purse.house(purpose, USDT), 0) == usdt * 10**6, purpose
        assert found.get(purse.house(purpose, KLS), 0) == kls * 10**8, purpose


async def test_clock_goes_forward_only(api: Plain, house: House) -> None:
    before = house.clock.now()
    now = (await api.data("/api/demo/clock", {"advance_seconds": 3600}))["now"]
    assert 0 <= now - before - 3_600_000 < 30_000
    later = now + 60_000
    assert (await api.data("/api/demo/clock", {"to": later}))["now"] - later < 30_000
    offset = await house.db.value("SELECT offset_ms FROM clock")
    for body in ({"to": later - 120_000}, {}, {"to": later, "advance_seconds": 1}, {"advance_seconds": -1}):
        assert (await api.post("/api/demo/clock", body))["data"]["error"] == "invalid_input"
    assert await house.db.value("SELECT offset_ms FROM clock") == offset
