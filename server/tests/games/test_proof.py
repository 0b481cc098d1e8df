"""Every bet is in its round's root, and everybody can recompute a round from the chain."""

import json
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from conftest import MakeMember
from games.stage import Stage
from kalos.app.verify_round import Check, Promised, Seen, Unreadable, check_bet, check_round
from kalos.core.assets import BY_CODE
from kalos.core.merkle import EMPTY_ROOT, leaf_hash
from kalos.core.ports import Block
from kalos.domains.context import Member
from kalos.domains.games import api, jobs, proofs, rules, service, shapes
from kalos.domains.games.service import RoundView

PROMISED = Promised.of()


async def answers(stage: Stage, view: RoundView, who: Member) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What game/getBlock and game/orderList answer, as JSON."""
    block = await api.get_block(stage.context(who), shapes.RoundBody(round=view.id))
    orders = await api.order_list(stage.context(who), shapes.OrdersBody(size=100))
    read = msgspec.json.decode(msgspec.json.encode([block, orders]))
    return read[0], read[1]["list"]


async def checked(stage: Stage, answer: dict[str, Any], bets: list[dict[str, Any]]) -> list[Check]:
    chain, head, height, first = stage.chain, await stage.chain.head(), answer["height"], answer["published_head"] - 2
    around = [await chain.block(number) if number >= 0 else None for number in range(first, first + 5)]
    below = await chain.block(min(head, height - 1))
    seen = Seen(head, await chain.block(height), below, tuple(around), is_local=False)
    checks = list(check_round(answer, seen, PROMISED))
    for bet in bets:
        checks += check_bet(answer, bet, PROMISED)
    return checks


@pytest.mark.parametrize("digit", [3, 4, None])
@pytest.mark.parametrize("count", [1, 2, 5, 13])
async def test_every_bet_of_a_settled_round_verifies(
    stage: Stage, member: MakeMember, monkeypatch: pytest.MonkeyPatch, digit: int | None, count: int
) -> None:
    monkeypatch.setattr(proofs, "PIECE", 4)
    view = await stage.begin()
    alice, bob = await member(usdt="100"), await member(usdt="100")
    for place in range(count):
        await stage.bet(alice, view, ("odd", "even")[place % 2], "2.5")
        if place % 3:
            await stage.bet(bob, view, "odd", "1")
    assert [bet["proof"] for bet in (await answers(stage, view, alice))[1]] == [None] * count
    await stage.play(view, digit)
    answer, bets = await answers(stage, view, alice)
    assert answer["bet_count"] == count + sum(place % 3 > 0 for place in range(count))
    checks = await checked(stage, answer, bets)
    assert all(check.fits for check in checks), checks
    assert len(bets) == count
    assert len({bet["leaf"] for bet in bets}) == count


async def test_a_void_round_verifies(stage: Stage, member: MakeMember) -> None:
    view = await stage.begin()
    alice = await member(usdt="100")
    await stage.bet(alice, view)
    await stage.seal(view)
    stage.mine_to(view, 2, late_seconds=12)
    await stage.confirm()
    answer, bets = await answers(stage, view, alice)
    assert (answer["state"], answer["void_reason"], answer["outcome"]) == ("void", "late_block", None)
    assert all(check.fits for check in await checked(stage, answer, bets))


async def test_a_round_whose_block_never_came_verifies_and_no_other_is_called_so(stage: Stage) -> None:
    view = await stage.begin()
    await stage.seal(view)
    stage.to(view.height.closes_at + 600_000)
    stage.tick()
    await stage.turn(2)
    answer, _ = await answers(stage, view, Member(1, ""))
    assert (answer["state"], answer["void_reason"]) == ("void", "no_block")
    assert all(check.fits for check in await checked(stage, answer, []))
    stage.chain._blocks[-1] = replace(stage.chain._blocks[-1], time=view.height.closes_at // 1000 + 599)
    assert [check.text for check in await checked(stage, answer, []) if not check.fits] == [
        f"block {view.height.height} was not there 600 s after the close"
    ]


async def test_a_round_without_bets_has_the_empty_root(stage: Stage) -> None:
    view = await stage.begin()
    await stage.play(view, 2)
    answer = (await api.get_block(stage.context(None), shapes.RoundBody(round=view.id))).merkle_root
    assert answer == EMPTY_ROOT.hex()


async def test_the_root_is_told_before_the_block_is_known_and_never_changes(stage: Stage, member: MakeMember) -> None:
    view = await stage.begin()
    alice = await member(usdt="100")
    for _ in range(3):
        await stage.bet(alice, view, "odd", "2.5")
    assert await stage.chain.head() < view.height.height
    await stage.seal(view)
    assert await stage.chain.block(view.height.height) is None
    stranger = await member()
    log = await api.block_log(stage.context(stranger), shapes.BlockLogBody(scene_id=view.scene.id, size=1))
    (row,) = log.list
    assert (row.round, row.state, row.hash, row.bet_count) == (view.id, "sealed", None, 3)
    assert row.merkle_root is not None
    heard = [one for one in await service.live_rounds(stage.house) if one["round"] == view.id]
    assert [(one["state"], one["merkle_root"], one["bet_count"]) for one in heard] == [("sealed", row.merkle_root, 3)]
    told = await stage.house.db.rows(
        "SELECT body->>'state' AS state, body->>'merkle_root' AS root, (body->>'bet_count')::int AS bets FROM outbox"
        " WHERE topic = 'rounds' AND body->>'round' = $1 ORDER BY id",
        view.id,
    )
    known = ("sealed", row.merkle_root, 3)
    assert [tuple(one.values()) for one in told] == [("open", None, None), ("sealed", None, None), known]
    stage.mine_to(view, 3)
    await stage.confirm()
    answer, bets = await answers(stage, view, alice)
    assert (answer["state"], answer["merkle_root"], answer["bet_count"]) == ("settled", row.merkle_root, 3)
    assert all(check.fits for bet in bets for check in check_bet(answer, bet, PROMISED))


FORGED: list[Mapping[str, Any]] = [
    {"height": 1},
    {"published_head": 0},
    {"margin": 3},
    {"closes_at": 1},
    {"outcome": "even"},
    {"outcome": None, "void_reason": "no_digit"},
    {"void_reason": "late_block"},
    {"block": {"hash": "0x" + "1" * 64}},
    {"block": None},
    {"required": 0},
    {"result_window": 600},
    {"block_seconds": 1},
    {"provisional": True, "required": 10**6},
    {"state": "void", "void_reason": "no_block", "outcome": None, "block": None},
]


@pytest.mark.parametrize("forged", FORGED)
async def test_a_forged_answer_differs(stage: Stage, member: MakeMember, forged: Mapping[str, Any]) -> None:
    view = await stage.begin()
    await stage.play(view, 9)
    answer, _ = await answers(stage, view, await member())
    assert all(check.fits for check in await checked(stage, answer, []))
    assert not all(check.fits for check in await checked(stage, answer | dict(forged), []))


async def test_a_settled_answer_without_confirmations_differs(stage: Stage, member: MakeMember) -> None:
    view = await stage.begin()
    await stage.seal(view)
    stage.mine_to(view, 9)
    await stage.turn()
    answer, _ = await answers(stage, view, await member())
    assert (answer["state"], answer["provisional"]) == ("drawn", True)
    assert all(check.fits for check in await checked(stage, answer, []))
    for lie in ({"state": "settled"}, {"provisional": False}, {"state": "settled", "provisional": False}):
        assert [check.text for check in await checked(stage, answer | lie, []) if not check.fits] == [
            "the result has 3 confirmations"
        ]


FORGED_BETS: list[Mapping[str, Any]] = [
    *({"amount": "3.000000"}, {"option": "even"}, {"prize": "9.000000"}, {"status": "void"}, {"bet_id": "7"}),
    *({"multiple": "1.8"}, {"time": 5}, {"proof": []}, {"leaf": "bet1|x"}, {"leaf": "bet2|x"}, {"height": 1}),
]


@pytest.mark.parametrize("forged", FORGED_BETS)
async def test_a_forged_bet_differs(stage: Stage, member: MakeMember, forged: Mapping[str, Any]) -> None:
    view = await stage.begin()
    alice = await member(usdt="100")
    for _ in range(3):
        await stage.bet(alice, view, "odd", "2.5")
    await stage.play(view, 9)
    answer, bets = await answers(stage, view, alice)
    assert all(check.fits for check in check_bet(answer, bets[0], PROMISED))
    assert not all(check.fits for check in check_bet(answer, bets[0] | dict(forged), PROMISED))


async def test_a_bet_that_a_settled_round_has_not_paid_differs(stage: Stage, member: MakeMember) -> None:
    view, alice = await stage.begin(), await member(usdt="100")
    await stage.bet(alice, view, "odd", "2.5")
    await stage.play(view, 9)
    answer, (bet,) = await answers(stage, view, alice)
    unpaid = bet | {"status": "awaiting_draw", "prize": None}
    assert [check.text for check in check_bet(answer, unpaid, PROMISED) if not check.fits] == [
        f"bet {bet['bet_id']} is paid, as the round is over (or its list was read before that)"
    ]
    assert all(check.fits for check in check_bet(answer | {"state": "drawn"}, unpaid, PROMISED))


async def test_odds_that_are_not_the_rules_differ(
    stage: Stage, member: MakeMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where house, row and leaf agree on them."""
    other = replace(stage.house, terms=replace(stage.house.terms, odd_even_profit=Fraction(1, 2)))
    monkeypatch.setattr(stage, "house", other)
    view, alice = await stage.begin(), await member(usdt="100")
    await stage.bet(alice, view, "odd", "2.5")
    await stage.play(view, 9)
    answer, (bet,) = await answers(stage, view, alice)
    assert (bet["multiple"], bet["prize"]) == ("1.5", "3.750000")
    assert [check.text for check in await checked(stage, answer, [bet]) if not check.fits] == [
        f"bet {bet['bet_id']}: the rules' multiple is 1.95"
    ]


def decided_by(block: Block, answer: dict[str, Any], bet: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Answer and bet as they would be if this block had decided the round, all but the leaf."""
    digit, place = rules.deciding_digit(block.hash) or (None, None)
    outcome = rules.ODD_EVEN.outcome(rules.digits_of(block.hash))
    shape = {"number": block.number, "hash": block.hash, "parent": block.parent, "time": block.time * 1000}
    head = answer["published_head"] + block.number - answer["height"]
    moved = {"height": block.number, "published_head": head, "outcome": outcome}
    won = outcome == bet["option"]
    result = {"status": "won" if won else "not_won", "prize": "4.875000" if won else "0.000000"}
    shown = {"height": block.number, "hash": block.hash, "digit": digit}
    return answer | moved | {"block": shape | {"digit": digit, "digit_index": place}}, bet | shown | result


@pytest.mark.parametrize("shift", [-1, 1])
async def test_a_proof_for_the_block_beside_differs(stage: Stage, member: MakeMember, shift: int) -> None:
    view = await stage.begin()
    alice = await member(usdt="100")
    for _ in range(3):
        await stage.bet(alice, view, "odd", "2.5")
    await stage.play(view, 9)
    answer, (bet, *_) = await answers(stage, view, alice)
    own, beside = await stage.chain.block(view.height.height), await stage.chain.block(view.height.height + shift)
    assert own is not None
    assert beside is not None
    assert decided_by(own, answer, bet) == (answer, bet)
    forged = decided_by(replace(beside, time=own.time), answer, bet)
    assert [check.text for check in check_bet(*forged, PROMISED) if not check.fits] == [
        f"bet {bet['bet_id']}: 2.500000 USDT on odd at 1.95 is what the root holds for it"
    ]
    leaf = bet["leaf"].replace(f"|{own.number}|", f"|{beside.number}|")
    assert [check.text for check in check_bet(forged[0], forged[1] | {"leaf": leaf}, PROMISED) if not check.fits] == [
        f"bet {bet['bet_id']} is in the root of all 3 bets"
    ]


async def test_a_round_of_before_keeps_its_leaves_and_its_block_is_not_told_by_them(
    stage: Stage, member: MakeMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_round = jobs._new_round
    with monkeypatch.context() as patch:
        patch.setattr(jobs, "_new_round", lambda *args: msgspec.structs.replace(new_round(*args), leaf_version=1))
        view = await stage.begin()
    alice = await member(usdt="100")
    for _ in range(3):
        await stage.bet(alice, view, "odd", "2.5")
    await stage.play(view, 9)
    answer, bets = await answers(stage, view, alice)
    for bet in bets:
        assert bet["leaf"].startswith(f"bet1|{view.id}|{bet['bet_id']}|")
        assert [(check.fits, check.text) for check in check_bet(answer, bet, PROMISED) if not check.fits] == [
            (None, f"bet {bet['bet_id']} has a leaf of the first form, which names no block: the root doesn't hold it")
        ]


def test_leaves_are_as_the_browser_reads_them() -> None:
    asked = json.loads((Path(__file__).parents[3] / "contract" / "leaf-vectors.json").read_text())
    for one in asked:
        fields = dict(one["bet"])
        leaf = rules.bet_leaf(asset=BY_CODE[fields.pop("asset")], **fields)
        assert (leaf, leaf_hash(leaf.encode()).hex()) == (one["leaf"], one["hash"])
        assert rules.leaf_version(leaf) == fields["version"]
    assert {one["bet"]["version"] for one in asked} == {1, rules.LEAF_VERSION}
    assert rules.leaf_version("bet3|x") is None


async def test_an_open_round_can_not_be_verified_yet(stage: Stage, member: MakeMember) -> None:
    view = await stage.begin()
    answer, _ = await answers(stage, view, await member())
    with pytest.raises(Unreadable):
        await checked(stage, answer, [])
