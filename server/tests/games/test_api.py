"""Calls of the games: their shapes on the wire, one success and the refusals of each."""

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from conftest import MakeMember
from games.stage import Stage
from kalos.core import pages
from kalos.core.errors import NotFound, Refusal
from kalos.domains.games import shapes
from kalos.domains.games.api import calls
from kalos.domains.games.errors import BlockProcessing
from kalos.wire.languages import LANGUAGES
from support.answers import check_answer, check_refusal

CALLS = {call.path: call for call in calls.all}


async def call(stage: Stage, who: Any, path: str, body: dict[str, Any], lang: str = "en") -> Any:
    """The answer of a call, as its JSON says; every one must be one that the OpenAPI document knows."""
    found = CALLS[path]
    read = msgspec.convert(body, found.body)
    try:
        answer = await found.handler(stage.context(who, path, lang=lang), read)
    except Refusal as refusal:
        check_refusal(found, refusal)
        raise
    data = msgspec.json.decode(msgspec.json.encode(answer))
    check_answer(found, {"code": 200, "msg": "", "data": data})
    return data


async def test_the_hall_lists_scenes_with_rounds_and_room(stage: Stage, member: MakeMember) -> None:
    view = await stage.begin()
    alice = await member(usdt="100")
    await stage.bet(alice, view)
    hall = await call(stage, alice, "/api/game/index", {})
    (game,) = hall["list"]
    assert (game["game"], game["return_to_player"]) == ("odd_even", "0.975")
    assert game["online"] == 1
    assert hall["hot"] == ["odd_even"]
    scene = game["scenes"][0]
    assert scene == {
        "scene_id": "odd_even-60",
        "round": view.id,
        "state": "open",
        "opens_at": view.round.opens_at,
        "closes_at": view.height.closes_at,
        "height": view.height.height,
        "seconds": 60,
        "balance_types": ["USDT", "KLS"],
        "room": scene["room"],
    }
    assert scene["room"]["KLS"] == "2631.57894737"
    assert [one["scene_id"] for one in game["scenes"]] == ["odd_even-60", "odd_even-180"]
    assert hall["head"]["number"] == await stage.chain.head()


async def test_a_scene_shows_what_can_be_staked_and_what_was(stage: Stage, member: MakeMember) -> None:
    view = await stage.begin()
    alice = await member(usdt="100")
    placed = await stage.bet(alice, view, "odd", "10")
    scene = await call(stage, alice, "/api/game/scene", {"scene_id": "odd_even-60"})
    assert scene["options"] == [
        {"option": option, "multiple": "1.95", "profit": "0.95", "chance": "0.5"} for option in ("odd", "even")
    ]
    assert scene["minimum"] == {"USDT": "1.000000", "KLS": "2.00000000"}
    assert scene["maximum"]["USDT"] == "2631.578948"
    assert scene["room"]["odd"]["USDT"] == "2621.578948"
    assert scene["room"]["even"]["USDT"] == "2642.105264"
    assert [bet["bet_id"] for bet in scene["my_bets"]] == [str(placed.bet.id)]
    assert (await call(stage, await member(), "/api/game/scene", {"scene_id": "odd_even-60"}))["my_bets"] == []
    await stage.play(view, 8)
    after = await call(stage, alice, "/api/game/scene", {"scene_id": "odd_even-60"})
    assert after["round"] != view.id
    assert after["results"][0]["round"] == view.id
    assert (after["results"][0]["digit"], after["results"][0]["outcome"]) == (8, "even")
    assert len(after["results"]) <= 50


async def test_a_bet_answers_with_its_receipt(stage: Stage, member: MakeMember) -> None:
    view = await stage.begin()
    alice = await member(usdt="100")
    body = {"scene_id": "odd_even-60", "round": view.id, "option": "odd", "amount": "10", "balance_type": "USDT"}
    answer = await call(stage, alice, "/api/game/beton", body | {"request_id": "a-request-of-tests"})
    assert answer == {
        "id": answer["bet_id"],
        "kind": "game.stake",
        "status": "awaiting_draw",
        "asset": "USDT",
        "amount": "10.000000",
        "fee": "0.000000",
        "fee_asset": "USDT",
        "received": "0.000000",
        "balance": "90.000000",
        "at": answer["at"],
        "bet_id": answer["bet_id"],
        "round": view.id,
        "height": view.height.height,
    }
    assert await call(stage, alice, "/api/game/beton", body | {"request_id": "a-request-of-tests"}) == answer


@pytest.mark.parametrize(
    "change",
    [{"amount": 1.5}, {"amount": None}, {"amount": ["1"]}, {"request_id": "short"}, {"round": ""}, {"more": 1}],
)
async def test_a_bet_of_another_form_is_invalid(stage: Stage, change: dict[str, Any]) -> None:
    body = {"scene_id": "s", "round": "r", "option": "odd", "amount": "1", "balance_type": "USDT"}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(body | {"request_id": "a-request-of-tests"} | change, shapes.BetBody)


async def test_the_newest_block_is_shown_with_its_digit(stage: Stage) -> None:
    block = stage.tick(digit=6)
    answer = await call(stage, None, "/api/game/getBlock", {})
    assert (answer["number"], answer["hash"], answer["time"]) == (block.number, block.hash, block.time * 1000)
    assert (answer["digit"], answer["digit_index"]) == (6, 64)
    assert answer["hash"][answer["digit_index"]] == "6"
    assert answer["explorer"] is None


async def test_blocks_are_shown_with_their_place_in_the_explorer(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    view = await stage.begin()
    await stage.play(view, 5)
    monkeypatch.setattr(stage.chain, "_network", replace(stage.chain.network, explorer="https://explorer.example/"))
    newest = await call(stage, None, "/api/game/getBlock", {})
    assert newest["explorer"] == f"https://explorer.example/block/{newest['number']}"
    decider = await call(stage, None, "/api/game/getBlock", {"round": view.id})
    assert decider["explorer"] == f"https://explorer.example/block/{view.height.height}"


async def test_a_round_is_shown_with_all_inputs(stage: Stage) -> None:
    view = await stage.begin()
    await stage.play(view, 5)
    answer = await call(stage, None, "/api/game/getBlock", {"round": view.id})
    assert (answer["state"], answer["outcome"], answer["void_reason"]) == ("settled", "odd", None)
    assert answer["block"]["number"] == answer["height"] == view.height.height
    assert answer["block"]["digit"] == 5
    assert (answer["provisional"], answer["required"], answer["confirmations"]) == (False, 3, 3)
    for unknown in ("odd_even-60-600", "x", "odd_even-60-１"):
        with pytest.raises(NotFound):
            await call(stage, None, "/api/game/getBlock", {"round": unknown})


async def test_a_round_without_its_block_and_a_scene_that_isnt_there_are_refused(stage: Stage) -> None:
    view = await stage.begin()
    stage.to(view.height.closes_at)
    with pytest.raises(BlockProcessing):
        await call(stage, None, "/api/game/getBlock", {"round": view.id})
    with pytest.raises(NotFound):
        await call(stage, None, "/api/game/scene", {"scene_id": "odd_even-61"})


async def test_lists_are_read_page_by_page_without_a_repetition(stage: Stage, member: MakeMember) -> None:
    view = await stage.begin()
    alice, bob = await member(usdt="100"), await member(usdt="100")
    for place in range(7):
        await stage.bet(alice, view, ("odd", "even")[place % 2], "1")
    await stage.bet(bob, view)
    await stage.play(view, 1)
    seen: list[str] = []
    body: dict[str, Any] = {"size": 3}
    while True:
        page = await call(stage, alice, "/api/game/orderList", body)
        seen += [row["bet_id"] for row in page["list"]]
        assert page["total"] == 7
        if page["next"] is None:
            break
        body = {"size": 3, "after": page["next"]}
    assert len(seen) == len(set(seen)) == 7
    second = await call(stage, alice, "/api/game/orderList", {"size": 3, "page": 2})
    assert [row["bet_id"] for row in second["list"]] == seen[3:6]
    won = await call(stage, alice, "/api/game/orderList", {"status": "won", "game": "odd_even"})
    assert (won["total"], {row["prize"] for row in won["list"]}) == (4, {"1.950000"})
    assert (await call(stage, alice, "/api/game/orderList", {"game": "lucky_6"}))["list"] == []
    log = await call(stage, alice, "/api/game/blockLog", {"scene_id": "odd_even-60", "size": 2})
    assert log["list"][0]["round"] == view.id
    more = await call(stage, alice, "/api/game/blockLog", {"scene_id": "odd_even-60", "size": 2, "after": log["next"]})
    assert not {row["round"] for row in more["list"]} & {row["round"] for row in log["list"]}
    whole = await call(stage, alice, "/api/game/blockLog", {"size": 100})
    times = [row["closes_at"] for row in whole["list"]]
    assert times == sorted(times, reverse=True)
    with pytest.raises(NotFound):
        await call(stage, alice, "/api/game/blockLog", {"scene_id": "odd_even-61"})


async def test_lists_say_where_there_are_more_rows_than_are_counted(
    stage: Stage, member: MakeMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = await stage.begin()
    alice = await member(usdt="100")
    for _ in range(3):
        await stage.bet(alice, view)
    await stage.play(view, 5)
    for path in ("/api/game/orderList", "/api/game/blockLog"):
        whole = await call(stage, alice, path, {})
        total = whole["total"]
        assert (total >= 1, "more" in whole) == (True, False)
        for counted, said in ((total, {}), (total - 1, {"more": True})):
            with monkeypatch.context() as patched:
                patched.setattr(pages, "MOST_COUNTED", counted)
                assert await call(stage, alice, path, {}) == whole | {"total": counted} | said


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_a_game_is_described_in_every_language(stage: Stage, lang: str) -> None:
    answer = await call(stage, None, "/api/basic/gameplayDesc", {"game": "odd_even"}, lang)
    assert len(answer["rules"]) == 8
    text = "".join(answer["rules"])
    assert "{" not in text
    assert all(number in text for number in ("1.95", "97.5", "2.5", "15", "10", "3"))
    with pytest.raises(NotFound):
        await call(stage, None, "/api/basic/gameplayDesc", {"game": "chess"}, lang)
