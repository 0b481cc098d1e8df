"""The document's examples: of their shapes, accepted by their calls, and true to the product's rules."""

import json
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from kalos.app.calls import every_call
from kalos.app.verify_round import Promised, Seen, check_bet, check_round
from kalos.core.assets import BY_CODE, USDT
from kalos.core.emails import canonical_email, masked_email
from kalos.core.money import parse_amount
from kalos.core.ports import Block, ChainTerms
from kalos.core.terms import Terms
from kalos.domains.challenges.rules import same_picture_text, slid_home
from kalos.domains.games import api as games
from kalos.domains.games import rules
from kalos.domains.identity.rules import check_password
from kalos.domains.overview.rules import rates_with, value
from kalos.wire import strict_json
from kalos.wire.calls import Call
from kalos.wire.examples import NoExample, example_of
from kalos.wire.invalid import convert
from kalos.wire.keys import WireKeys
from kalos.wire.languages import kind_text, refusal_text, say
from kalos.wire.openapi import WIRE_KEYS, document
from kalos.wire.opening import opening_calls
from kalos.wire.shapes import Paged
from support.answers import check_answer

CALLS = {call.path: call for call in [*opening_calls(None), *every_call(demo=True)]}
DOCUMENT = document(every_call(demo=True))
EVERY = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)


def asked(path: str) -> Any:
    return DOCUMENT["paths"][path]["post"]["requestBody"]["content"]["application/json"]["example"]


def answered(path: str) -> dict[str, Any]:
    """By the name of their shape, the whole answers."""
    found = DOCUMENT["paths"][path]["post"]["responses"]["200"]["content"]["application/json"]["examples"]
    return {name: example["value"] for name, example in found.items()}


def data(path: str) -> Any:
    (answer,) = answered(path).values()
    return answer["data"]


@EVERY
def test_a_body_is_what_its_call_takes(call: Call) -> None:
    fields = strict_json.parse_object(json.dumps(asked(call.path)).encode())
    assert strict_json.bad_texts(fields) == []
    body = convert(fields, call.body)
    if isinstance(body, Paged):
        assert body.query(99).size == 10


@EVERY
def test_an_answer_is_of_its_shape(call: Call) -> None:
    for answer in answered(call.path).values():
        assert answer["code"] == 200
        check_answer(call, answer)


@EVERY
def test_a_refusal_is_of_its_shape_and_its_sentence_has_no_holes(call: Call) -> None:
    for one in DOCUMENT["paths"][call.path]["post"]["responses"]["200"]["content"]["application/json"]["schema"][
        "oneOf"
    ]:
        if "$ref" in one:
            (example,) = DOCUMENT["components"]["schemas"][one["$ref"].rpartition("/")[2]]["examples"]
            check_answer(call, example)
            assert example["msg"] == refusal_text("en", example["data"]["error"], example["data"])


def test_the_wire_keys_are_of_their_shape() -> None:
    example = DOCUMENT["paths"][WIRE_KEYS]["get"]["responses"]["200"]["content"]["application/json"]["example"]
    assert msgspec.convert(example, WireKeys) == example
    (key,) = example["keys"]
    assert key["exp"] - key["nbf"] == 48 * 3600
    assert key["nbf"] <= example["server_time"] < key["exp"]


def test_a_value_without_an_example_is_noticed() -> None:
    schema = {
        "type": "object",
        "properties": {"rows": {"type": "array", "items": {"type": "string"}}},
        "required": ["rows"],
    }
    with pytest.raises(NoExample, match=r"^of\.rows\[\]$"):
        example_of(schema, {}, "of")


def test_an_example_has_what_must_stand_there_and_what_has_one_of_its_own() -> None:
    shown = {"type": "integer", "examples": [7]}
    fields = {
        "must": {"$ref": "#/x/word"},
        "may": {"anyOf": [{"type": "null"}, shown]},
        "left_out": {"type": "boolean"},
    }
    schema = {"type": "object", "properties": fields, "required": ["must"]}
    assert example_of(schema, {"word": {"enum": ["a", "b"]}}) == {"must": "a", "may": 7}


def test_the_bet_could_be_placed_and_is_answered_with_its_receipt(terms: Terms) -> None:
    body, receipt = asked("/api/game/beton"), data("/api/game/beton")
    scene, closes_at = rules.read_round_id(body["round"]) or pytest.fail("no round")
    assert scene == rules.find_scene(terms, body["scene_id"])
    assert body["option"] in scene.game.options
    stake = parse_amount(body["amount"], BY_CODE[body["balance_type"]])
    assert stake.units >= terms.bet_min[stake.asset].units
    assert receipt["at"] < closes_at
    assert (receipt["id"], receipt["amount"], receipt["asset"], receipt["round"]) == (
        receipt["bet_id"], str(stake), str(stake.asset), body["round"],
    )  # fmt: skip
    (line,) = data("/api/user/usdtLog")["list"]
    assert (line["kind"], line["amount"], line["balance"], line["reference"], line["time"]) == (
        receipt["kind"], f"-{stake}", receipt["balance"], receipt["id"], receipt["at"],
    )  # fmt: skip
    assert line["title"] == kind_text("en", line["kind"])


def test_the_round_and_its_bet_verify(terms: Terms) -> None:
    proof, (bet,) = answered("/api/game/getBlock")["RoundProof"]["data"], data("/api/game/orderList")["list"]
    block = proof["block"]
    decider = Block(block["number"], block["hash"], block["parent"], block["time"] // 1000)
    first, at = proof["published_head"] - 2, proof["published_at"] // 1000 - 4
    around = tuple(Block(first + place, "0x00", "0x00", at + 2 * place) for place in range(5))
    seen = Seen(proof["height"] + proof["confirmations"], decider, None, around, is_local=True)
    checks = [*check_round(proof, seen, Promised.of()), *check_bet(proof, bet, Promised.of())]
    assert [check.text for check in checks if not check.fits] == []
    assert len(checks) == 15
    assert (proof["margin"], proof["result_window"]) == (terms.scene_margin, terms.result_window)
    assert (bet["bet_id"], bet["amount"], bet["time"]) == tuple(
        data("/api/game/beton")[name] for name in ("bet_id", "amount", "at")
    )
    newest = answered("/api/game/getBlock")["NewestBlock"]["data"]
    assert newest == {name: (proof | block)[name] for name in newest}
    (row,) = data("/api/game/blockLog")["list"]
    assert {name: row[name] for name in row.keys() & proof.keys() - {"state"}} == {
        name: proof[name] for name in row.keys() & proof.keys() - {"state"}
    }
    assert (row["hash"], row["digit"]) == (block["hash"], block["digit"])


def test_the_scene_is_the_next_one_and_its_numbers_are_the_terms(terms: Terms) -> None:
    scene, ((game,), head) = data("/api/game/scene"), (data("/api/game/index")["list"], data("/api/game/index")["head"])
    shown, closes_at = rules.read_round_id(scene["round"]) or pytest.fail("no round")
    assert shown.id == scene["scene_id"] == game["scenes"][0]["scene_id"]
    assert scene["opens_at"] < head["time"] < scene["server_time"] < scene["closes_at"] == closes_at
    rate = shown.game.return_to_player(terms)
    assert scene["return_to_player"] == game["return_to_player"] == rules.rate_text(rate)
    multiple = shown.game.multiple(terms)
    assert scene["options"] == [
        {
            "option": option,
            "multiple": rules.rate_text(multiple),
            "profit": rules.rate_text(multiple - 1),
            "chance": rules.rate_text(shown.game.chance(option)),
        }
        for option in shown.game.options
    ]
    assert scene["minimum"] == {asset.code: str(amount) for asset, amount in terms.bet_min.items()}
    described = data("/api/basic/gameplayDesc")
    facts = rules.facts(shown.game, terms, ChainTerms(31337, 3, 2, None))
    assert described["rules"] == [say("en", f"game.{shown.game.name}", **facts)]
    assert games.RULES  # the other sentences are left out of the example


def test_finances_add_up() -> None:
    finances, info = data("/api/finance/userFinance"), data("/api/user/info")
    rates = rates_with(Fraction(finances["price_source"]["price"]))
    total = 0
    for row in finances["list"]:
        asset = BY_CODE[row["asset"]]
        units = parse_amount(row["available"], asset).units + parse_amount(row["held"], asset).units
        worth = value(units, asset, rates)
        assert worth == parse_amount(row["value"], USDT).units
        total += worth
    assert total == parse_amount(finances["total"], USDT).units
    moment = datetime.fromtimestamp(finances["price_source"]["at"] / 1000, UTC) + timedelta(hours=8)
    assert finances["history"][-1] == {"day": moment.date().isoformat(), "total": finances["total"]}
    assert info["balances"] == [
        {name: row[name] for name in ("asset", "available", "held")} for row in finances["list"]
    ]
    assert info["balances"][0]["available"] == data("/api/game/beton")["balance"]


def test_the_newcomer_keeps_to_the_rules() -> None:
    body = asked("/api/auth/register")
    assert canonical_email(body["email"]) == body["email"]
    check_password(body["password"], refuse_common=True)
    solved = {name: answer["data"] for name, answer in answered("/api/demo/captcha").items()}
    assert same_picture_text(solved["CaptchaCode"]["code"], asked("/api/auth/sendEmail")["captcha"]["code"])
    slid = asked("/api/auth/slideVerify")
    assert slid_home(solved["SlidePlace"]["x"], x=slid["x"], track=slid["track"], most_ms=120_000)
    info = data("/api/user/info")
    assert info["email"] == masked_email(body["email"])
    assert info["invite_link"].endswith(f"/register?code={info['invite_code']}")
    (mail,) = data("/api/demo/inbox")["list"]
    assert mail["code"] == body["email_code"]
    assert mail["subject"] == say("en", "mail.register_code.subject", code=mail["code"])
    assert mail["text"] == say("en", "mail.register_code.text", code=mail["code"], minutes="10").strip()


def test_the_top_up_is_one(terms: Terms) -> None:
    body, row = asked("/api/recharge/recharge"), data("/api/recharge/recharge")
    assert row["hash"] == body["hash"]
    assert parse_amount(row["amount"], USDT) == parse_amount(body["amount"], USDT)
    assert parse_amount(row["amount"], USDT).units >= terms.topup_min[USDT].units
    assert data("/api/recharge/list")["list"] == data("/api/dapp/rechargeList")["list"] == [row]
    address, (chain,) = data("/api/recharge/index"), data("/api/lp/chain")["list"]
    assert address["minimum"] == str(terms.topup_min[USDT])
    assert chain["contracts"] == [{"asset": "USDT", "address": address["contract"], "decimals": USDT.scale}]
    assert (address["chain_id"], address["protocol"]) == (chain["chain_id"], chain["protocol"])
