"""Rounds on a real node: its blocks decide, it reorganises, and `verify-round` asks it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from conftest import MakeMember
from games.stage import Stage, hash_with, turn_well
from kalos.adapters.chain.wallet import DemoWallet
from kalos.app import demo, verify_round
from kalos.core.assets import USDT
from kalos.domains.context import Context, House, Member
from kalos.domains.games import api, queries, rules, service, shapes
from kalos.domains.games.errors import RoundClosed
from kalos.domains.games.rules import ODD_EVEN
from kalos.domains.games.service import RoundView
from kalos.ledger import purse
from support.chains import LocalNode


@pytest.fixture(scope="module")
async def on_node(house: House, anvil: LocalNode) -> House:
    """The funded house, its chain a real node with a few blocks of business time."""
    await Stage(house).fund()
    for _ in range(12):
        await mine_next(house, anvil)
    return replace(house, chain=anvil.chain)


def begin_minute(house: House) -> None:
    """Go on to where a round of a minute has nearly all of it left, whatever the hour at which tests run."""
    now = house.clock.now()
    house.clock.offset_ms += (now // 180_000 + 2) * 180_000 + 1_000 - now


async def tick(house: House, anvil: LocalNode) -> None:
    """Let two seconds pass as the chain's ticker and the worker see it, however long this takes."""
    await mine_next(house, anvil)
    await turn_well(house)


async def mine_next(house: House, anvil: LocalNode) -> None:
    """Let two seconds pass as the chain's ticker sees it."""
    head = await anvil.chain.block(await anvil.chain.head())
    assert head is not None
    now = max(house.clock.now(), head.time * 1000 + 2_000)
    house.clock.offset_ms += now - house.clock.now()
    await anvil.wallet.mine(now_ms=now)


async def open_round(house: House, who: Member) -> RoundView:
    view = (await service.show_scene(Context(house, who), "odd_even-60")).view
    assert view is not None
    return view


def answer_of(answer: shapes.NewestBlock | shapes.RoundProof) -> dict[str, Any]:
    read: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(answer))
    return read


async def at_another_height(answer: dict[str, Any], anvil: LocalNode, shift: int, **fields: int) -> dict[str, Any]:
    """The answer as it would be if the chain's own block `shift` further on had decided, with other inputs."""
    block = await anvil.chain.block(answer["height"] + shift)
    assert block is not None
    digit, place = rules.deciding_digit(block.hash) or (None, None)
    shape = {"number": block.number, "hash": block.hash, "parent": block.parent, "time": block.time * 1000}
    return answer | {
        "height": block.number,
        "block": shape | {"digit": digit, "digit_index": place},
        "outcome": ODD_EVEN.outcome(rules.digits_of(block.hash)),
        **fields,
    }


async def lies(answer: dict[str, Any], anvil: LocalNode) -> list[tuple[str, dict[str, Any], str]]:
    """Answers that agree with themselves, and the words in which the command finds out."""
    head, at, void = answer["published_head"], answer["published_at"], {"outcome": None, "state": "void"}
    numbers, earlier, later = "the rules'", "wasn't there yet", "was there when"
    found = [
        (f"head {shift}", await at_another_height(answer, anvil, shift, published_head=head + shift), words)
        for shift, words in ((-2, earlier), (-5, earlier), (-8, earlier), (2, later), (3, later))
    ]
    found += [
        (f"margin {margin}", await at_another_height(answer, anvil, margin - 2, margin=margin), numbers)
        for margin in (1, 3, 4)
    ]
    found += [
        ("published later", await at_another_height(answer, anvil, -3, published_at=at + 6_000), earlier),
        ("published before", await at_another_height(answer, anvil, 3, published_at=at - 6_000), later),
        ("another window", answer | void | {"result_window": 1, "void_reason": "late_block"}, numbers),
        ("no confirmations", answer | {"required": 0}, numbers),
        ("no block there", answer | void | {"void_reason": "no_block", "block": None}, "was not there 600 s"),
    ]
    far = answer | void | {"published_head": 10**9, "height": answer["height"] - head + 10**9}
    return [*found, ("no such head", far | {"void_reason": "no_block", "block": None}, "the chain has no block")]


async def test_a_real_block_decides_and_anybody_can_check_it(
    on_node: House,
    anvil: LocalNode,
    member: MakeMember,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    house = on_node
    before = await anvil.snapshot()
    alice = await member(usdt="100")
    begin_minute(house)
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
    for name, lie, differs in await lies(answer_of(answer), anvil):
        (tmp_path / "round.json").write_text(json.dumps(lie))
        assert await verify_round.run(asked[:3]) == 1, name
        told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("DIFFERS")]
        assert differs in " ".join(told), (name, told)
    for shift in (-1, 1):  # stamps alone can't tell these: what the member was answered can
        near = await at_another_height(
            answer_of(answer), anvil, shift, published_head=view.height.published_head + shift
        )
        (tmp_path / "round.json").write_text(json.dumps(near))
        assert await verify_round.run(asked) == 1
        assert (
            f"DIFFERS  bet {orders.list[0].bet_id} was promised block {view.height.height}" in capsys.readouterr().out
        )
    (tmp_path / "round.json").write_bytes(msgspec.json.encode({"code": 200, "msg": "", "data": answer}))
    forged = json.loads((tmp_path / "round.json").read_text())
    forged["data"]["block"]["hash"] = hash_with(1)
    (tmp_path / "round.json").write_text(json.dumps(forged))
    assert await verify_round.run(asked) == 1
    assert "NOT as the chain says" in capsys.readouterr().out
    (tmp_path / "round.json").write_text("{}")
    assert await verify_round.run(asked) == 2
    (tmp_path / "round.json").write_text(json.dumps(forged))
    (tmp_path / "refused.json").write_text('{"code": 406, "msg": "log in", "data": {"error": "session_ended"}}')
    assert await verify_round.run([*asked, "--bets", str(tmp_path / "refused.json")]) == 2
    asked[2] = "http://127.0.0.1:1"
    assert await verify_round.run(asked) == 2
    await anvil.revert(before)


async def end_all(house: House, anvil: LocalNode) -> None:
    """Let what is still open be void, so that the house has its reservations back."""
    house.clock.offset_ms += 20 * 60_000
    for _ in range(8):
        await tick(house, anvil)


async def refuse_bet(house: House, who: Member, view: RoundView) -> None:
    """A bet on this round is refused as closed, and nothing is held."""
    with pytest.raises(RoundClosed):
        await service.place_bet(
            Context(house, who, path="/api/game/beton"),
            scene_id=view.scene.id,
            round_id=view.id,
            option="odd",
            amount="10",
            asset_code="USDT",
            request_id=f"bet-on-a-block-that-is-seen-{view.id}",
        )
    assert await house.db.value("SELECT count(*) FROM holds WHERE account_id = $1", purse.held(who.id, USDT)) == 0


async def mine_by_hand(house: House, blocks: int) -> None:
    await demo.mine(Context(house, Member(1, ""), path="/api/demo/mine"), demo.MineBody(blocks))


async def test_a_bet_after_the_block_was_made_by_hand_is_refused(
    on_node: House, anvil: LocalNode, member: MakeMember
) -> None:
    house = on_node
    before = await anvil.snapshot()
    alice = await member(usdt="100")
    await end_all(house, anvil)
    begin_minute(house)
    await tick(house, anvil)
    view = await open_round(house, alice)
    await mine_by_hand(house, view.height.height - await anvil.chain.head())
    assert await anvil.chain.block(view.height.height) is not None
    assert house.clock.now() < view.height.closes_at
    await refuse_bet(house, alice, view)
    await anvil.revert(before)


async def test_a_round_that_is_opened_while_blocks_are_made_by_hand_closes_before_its_own(
    on_node: House, anvil: LocalNode, member: MakeMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = on_node
    before = await anvil.snapshot()
    alice = await member(usdt="100")
    await end_all(house, anvil)
    begin_minute(house)
    await mine_next(house, anvil)
    opened: list[RoundView] = []
    really_mine = DemoWallet.mine

    async def mine(wallet: DemoWallet, *, blocks: int = 1, now_ms: int) -> None:
        await really_mine(wallet, blocks=blocks, now_ms=now_ms)
        if not opened:
            await turn_well(house)
            opened.append(await open_round(house, alice))
        one = await queries.find_height(house.db, opened[0].height.closes_at)
        assert one is not None
        assert one.state == "sealed" or await anvil.chain.head() < one.height - one.margin

    with monkeypatch.context() as patch:
        patch.setattr(DemoWallet, "mine", mine)
        await mine_by_hand(house, 60)
    (view,) = opened
    assert await anvil.chain.block(view.height.height) is not None
    await refuse_bet(house, alice, view)
    await anvil.revert(before)


async def test_blocks_made_ahead_of_their_time_are_no_lie_and_prove_nothing(
    on_node: House, anvil: LocalNode, member: MakeMember, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house = on_node
    before = await anvil.snapshot()
    await tick(house, anvil)
    begin_minute(house)
    await anvil.wallet.mine(blocks=6, now_ms=house.clock.now())
    await turn_well(house)
    alice = await member()
    view = await open_round(house, alice)
    assert view.height.published_head == await anvil.chain.head()
    while await anvil.chain.head() < view.height.height + 4:
        await tick(house, anvil)
    ctx = Context(house, alice, path="/api/game/getBlock")
    answer = answer_of(await api.get_block(ctx, shapes.RoundBody(round=view.id)))
    asked = [str(tmp_path / "round.json"), "--rpc", anvil.url]
    assert answer["state"] == "settled"
    early = await at_another_height(answer, anvil, -3, published_head=answer["published_head"] - 3)
    for told in (answer, early):
        (tmp_path / "round.json").write_text(json.dumps(told))
        assert await verify_round.run(asked) == 3
        assert "stamps don't tell" in capsys.readouterr().out
    await anvil.revert(before)
