"""The calls as they look on the wire: one success of each, and each refusal."""

from dataclasses import replace
from typing import Any

import pytest
import segno

from conftest import MakeMember
from deposits.scene import ONE, SandboxScene, sandbox_scene
from kalos.core import pages
from kalos.core.clock import Clock
from kalos.core.ports import Closed
from kalos.core.tokens import digest, new_token
from kalos.domains.deposits import service
from kalos.domains.deposits.api import calls
from kalos.domains.identity.queries import insert_session
from kalos.domains.identity.tables import SessionRow
from support.doors import SandboxPulse
from support.plain import Plain, plain_api


@pytest.fixture
async def api(scene: SandboxScene) -> Plain:
    return await plain_api(scene.house, [calls])


@pytest.fixture
async def token(scene: SandboxScene) -> str:
    token, wall = new_token(), Clock.wall()
    async with scene.house.db.transaction() as db:
        row = SessionRow(digest(token), scene.member.id, "", "", wall, 60_000, wall + 60_000)
        await insert_session(db, row)
    return token


async def test_index_shows_the_members_own_address(api: Plain, token: str, scene: SandboxScene) -> None:
    shown = await api.data("/api/recharge/index", {}, token=token)
    assert shown.pop("qr").startswith("data:image/svg+xml")
    assert shown == {
        "asset": "USDT",
        "address": scene.chain.deposit_address(scene.member.id),
        "protocol": "ERC-20",
        "chain_id": scene.chain.network.chain_id,
        "contract": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
        "minimum": "10.000000",
        "confirmations": 3,
        "delayed": False,
    }
    assert (await api.data("/api/recharge/index", {}, token=token))["address"] == shown["address"]


async def test_the_code_of_an_address_is_drawn_once(api: Plain, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, make = [], segno.make

    def counted(content: str, **how: Any) -> segno.QRCode:
        drawn.append(content)
        return make(content, **how)

    monkeypatch.setattr(segno, "make", counted)
    looks = [await api.data("/api/recharge/index", {}, token=token) for _ in range(3)]
    assert drawn == [looks[0]["address"]]
    assert len({look["qr"] for look in looks}) == 1


@pytest.mark.parametrize(("why", "delayed"), [("chain", True), ("clock", False)])
async def test_index_says_that_what_arrives_is_delayed(
    why: Closed, delayed: bool, token: str, scene: SandboxScene
) -> None:
    waiting = await plain_api(replace(scene.house, pulse=SandboxPulse(why)), [calls])
    assert (await waiting.data("/api/recharge/index", {}, token=token))["delayed"] is delayed


@pytest.mark.parametrize(("off", "delayed"), [(30, False), (31, True), (-31, True)])
async def test_index_says_that_blocks_are_not_read(
    off: int, delayed: bool, api: Plain, token: str, scene: SandboxScene
) -> None:
    await scene.grow(32)
    seen = await service.height(scene.house) + off
    await scene.house.db.execute("UPDATE chain_pulse SET head = $1", seen)
    assert (await api.data("/api/recharge/index", {}, token=token))["delayed"] is delayed
    await scene.house.db.execute("UPDATE chain_pulse SET head = NULL")


@pytest.mark.parametrize("path", ["/api/recharge/list", "/api/dapp/rechargeList"])
async def test_list_shows_own_deposits_newest_first(
    path: str, api: Plain, token: str, scene: SandboxScene, member: MakeMember
) -> None:
    stranger = await sandbox_scene(scene.house, await member())
    stranger.pay(99 * ONE)
    await stranger.grow(4)
    hashes = []
    for units in (3 * ONE, 20 * ONE):
        hashes.append(scene.pay(units))
        await scene.grow(2)
    rows = await scene.rows()
    listed = await api.data(path, {}, token=token)
    assert (listed["total"], listed["next"]) == (2, None)
    assert listed["list"][0] == {
        "id": str(rows[1].id),
        "asset": "USDT",
        "amount": "20.000000",
        "status": "on_chain_processing",
        "reason": None,
        "hash": hashes[1],
        "block": rows[1].block,
        "confirmations": 1,
        "required": 3,
        "protocol": "ERC-20",
        "time": rows[1].seen_at,
    }
    older = listed["list"][1]
    assert (older["amount"], older["status"], older["reason"]) == ("3.000000", "pending_review", "below_minimum")


async def test_list_is_paged_and_filtered(api: Plain, token: str, scene: SandboxScene) -> None:
    for units in range(11, 16):
        scene.pay(units * ONE)
    await scene.grow(4)
    scene.pay(16 * ONE)
    await scene.grow()
    first = await api.data("/api/recharge/list", {"size": 4}, token=token)
    assert [row["amount"][:2] for row in first["list"]] == ["16", "15", "14", "13"]
    rest = await api.data("/api/recharge/list", {"size": 4, "after": first["next"]}, token=token)
    assert ([row["amount"][:2] for row in rest["list"]], rest["next"], rest["total"]) == (["12", "11"], None, 6)
    second = await api.data("/api/recharge/list", {"size": 4, "page": 2}, token=token)
    assert second["list"] == rest["list"]
    open_ones = await api.data("/api/recharge/list", {"status": "on_chain_processing"}, token=token)
    assert [row["amount"][:2] for row in open_ones["list"]] == ["16"]
    refused = await api.post("/api/recharge/list", {"status": "lost"}, token=token)
    assert (refused["code"], refused["data"]["error"]) == (400, "invalid_input")


async def test_list_says_where_there_are_more_rows_than_are_counted(
    api: Plain, token: str, scene: SandboxScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    for units in (11, 12, 13):
        scene.pay(units * ONE)
    await scene.grow()
    for path in ("/api/recharge/list", "/api/dapp/rechargeList"):
        for counted, said in ((3, (3, None)), (2, (2, True))):
            monkeypatch.setattr(pages, "MOST_COUNTED", counted)
            listed = await api.data(path, {}, token=token)
            assert (listed["total"], listed.get("more")) == said
            assert len(listed["list"]) == 3


async def test_recharge_answers_the_deposit(api: Plain, token: str, scene: SandboxScene) -> None:
    transaction = scene.pay(20 * ONE)
    scene.chain.mine()
    row = await api.data("/api/recharge/recharge", {"hash": transaction, "amount": "20"}, token=token)
    assert (row["hash"], row["amount"], row["status"], row["confirmations"]) == (
        transaction, "20.000000", "on_chain_processing", 0,
    )  # fmt: skip
    assert await scene.available() == 0


@pytest.mark.parametrize(
    ("body", "code", "error"),
    [
        ({"hash": "0x" + "ab" * 32}, 422, "submit_failed"),
        ({"hash": "0x12"}, 400, "invalid_input"),
        ({"hash": 7}, 400, "invalid_input"),
        ({}, 400, "invalid_input"),
        ({"hash": "0x" + "ab" * 32, "amount": "1e2"}, 400, "invalid_amount"),
    ],
)
async def test_recharge_refuses(
    body: dict[str, object], code: int, error: str, api: Plain, token: str, scene: SandboxScene
) -> None:
    refused = await api.post("/api/recharge/recharge", body, token=token)
    assert (refused["code"], refused["data"]["error"]) == (code, error)
    assert await scene.rows() == []


async def test_recharge_refuses_a_strangers_transaction(
    api: Plain, token: str, scene: SandboxScene, member: MakeMember
) -> None:
    stranger = await sandbox_scene(scene.house, await member())
    stranger.house = replace(stranger.house, chain=scene.chain)
    transaction = scene.chain.transfer(scene.chain.network.contracts[0].asset, stranger.address, 20 * ONE)
    scene.chain.mine()
    early = await api.post("/api/recharge/recharge", {"hash": transaction}, token=token)
    assert (early["code"], early["data"]["error"]) == (422, "hash_mismatch")
    await scene.watch()
    late = await api.post("/api/recharge/recharge", {"hash": transaction}, token=token)
    assert (late["code"], late["data"]["error"]) == (422, "hash_used")
    assert await scene.rows() == []


async def test_chain_is_described(api: Plain, token: str, scene: SandboxScene) -> None:
    await scene.grow(7)
    (shown,) = (await api.data("/api/lp/chain", {}, token=token))["list"]
    assert (shown["height"], shown["confirmations"], shown["explorer"]) == (7, 3, None)
    assert [(one["asset"], one["decimals"]) for one in shown["contracts"]] == [("USDT", 6), ("KLS", 8)]


@pytest.mark.parametrize("call", [call.path for call in calls.all])
async def test_visitors_get_406(call: str, api: Plain) -> None:
    assert (await api.post(call, {}))["code"] == 406
