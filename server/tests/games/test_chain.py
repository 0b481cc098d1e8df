"""Rounds on a real node: its blocks decide, it reorganises, and `verify-round` asks it."""

import json
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from conftest import MakeMember
from games.stage import Stage, hash_with, turn_well
from kalos.app import verify_round
from kalos.domains.context import Context, House, Member
from kalos.domains.games import api, queries, rules, service, shapes
from kalos.domains.games.rules import ODD_EVEN
from kalos.domains.games.service import RoundView
from support.chains import LocalNode


async def tick(house: House, anvil: LocalNode) -> None:
    """Let two seconds pass as the chain's ticker and the worker see it, however long this takes."""
    head = await anvil.chain.block(await anvil.chain.head())
    assert head is not None
    now = max(house.clock.now(), head.time * 1000 + 2_000)
    house.clock.offset_ms += now - house.clock.now()
    await anvil.wallet.mine(now_ms=now)
    await turn_well(house)


async def open_round(house: House, who: Member) -> RoundView:
    view = (await service.show_scene(Context(house, who), "odd_even-60")).view
    assert view is not None
    return view


async def test_a_real_block_decides_and_anybody_can_check_it(
    house: House,
    anvil: LocalNode,
    member: MakeMember,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    await Stage(house).fund()
    house = replace(house, chain=anvil.chain)
    before = await anvil.snapshot()
    alice = await member(usdt="100")
    await tick(house, anvil)
    view = await open_round(house, alice)
    ctx = Context(house, alice, path="/api/game/beton")
    for place, option in enumerate(("odd", "even", "even")):
        await service.place_bet(
            ctx,
            scene_id=view.scene.id,
            round_id=view.id,
            option=option,
            amount="10",
            asset_code="USDT",
            request_id=f"bet-on-a-real-chain-{place}",
        )
    while await anvil.chain.head() < view.height.height:
        await tick(house, anvil)
    drawn = await queries.find_height(house.db, view.height.closes_at)
    assert drawn is not None
    assert drawn.state == "drawn"
    assert drawn.block_time is not None
    assert 0 < drawn.block_time * 1000 - drawn.closes_at <= 15_000
    await anvil.node.call("anvil_reorg", 1, [])
    for _ in range(4):
        await tick(house, anvil)
    settled = await queries.find_height(house.db, view.height.closes_at)
    block = await anvil.chain.block(view.height.height)
    assert settled is not None
    assert block is not None
    assert settled.state == "settled"
    assert settled.block_hash == block.hash != drawn.block_hash
    won = ODD_EVEN.outcome(rules.digits_of(block.hash))
    stakes = {"odd": 1, "even": 2}
    paid = await house.db.value("SELECT sum(prize_units)::bigint FROM bets WHERE member = $1", alice.id)
    assert paid == stakes[won or ""] * 19_500_000

    answer = await api.get_block(ctx, shapes.RoundBody(round=view.id))
    orders = await api.order_list(ctx, shapes.OrdersBody())
    (tmp_path / "round.json").write_bytes(msgspec.json.encode({"code": 200, "msg": "", "data": answer}))
    (tmp_path / "bets.json").write_bytes(msgspec.json.encode(orders))
    asked = [str(tmp_path / "round.json"), "--rpc", anvil.url, "--bets", str(tmp_path / "bets.json")]
    assert await verify_round.run(asked) == 0
    assert "as the chain says" in capsys.readouterr().out
    forged = json.loads((tmp_path / "round.json").read_text())
    forged["data"]["block"]["hash"] = hash_with(1)
    (tmp_path / "round.json").write_text(json.dumps(forged))
    assert await verify_round.run(asked) == 1
    assert "NOT as the chain says" in capsys.readouterr().out
    (tmp_path / "round.json").write_text("{}")
    assert await verify_round.run(asked) == 2
    asked[2] = "http://127.0.0.1:1"
    (tmp_path / "round.json").write_text(json.dumps(forged))
    assert await verify_round.run(asked) == 2
    await anvil.revert(before)
