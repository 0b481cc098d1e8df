"""The OpenAPI document: every built call, every refusal with its fields, nothing that doesn't resolve."""

import json
import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from kalos.app.calls import every_call
from kalos.core.errors import Refusal, TooMany
from kalos.wire import http
from kalos.wire.calls import Call
from kalos.wire.languages import LANGUAGES
from kalos.wire.openapi import WIRE_KEYS, document, refusals_of
from kalos.wire.opening import opening_calls

CONTRACT = Path(__file__).parents[3] / "contract"
CALLS = [*opening_calls(None), *every_call(demo=True)]
DOCUMENT = document(every_call(demo=True))
SCHEMAS = DOCUMENT["components"]["schemas"]
CHANNEL = {"bad_signature", "stale_time", "replay", "unknown_channel", "envelope_required"}


def operation(call: Call) -> dict[str, Any]:
    found: dict[str, Any] = DOCUMENT["paths"][call.path]["post"]
    return found


def body(call: Call) -> dict[str, Any]:
    reference = operation(call)["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    found: dict[str, Any] = SCHEMAS[reference.rpartition("/")[2]]
    return found


def answers(call: Call) -> list[dict[str, Any]]:
    """The schema of every answer that a call may give, done or refused."""
    found = operation(call)["responses"]["200"]["content"]["application/json"]["schema"]["oneOf"]
    return [SCHEMAS[one["$ref"].rpartition("/")[2]] if "$ref" in one else one for one in found]


def names(call: Call) -> set[str]:
    return {refusal.name for refusal in refusals_of(call)}


def test_paths_are_the_built_calls_of_the_table_by_their_methods() -> None:
    table = tomllib.loads((CONTRACT / "endpoints.toml").read_text())
    built = {(path, row.get("method", "POST").lower()) for path, row in table.items() if row["built"]}
    assert {(path, method) for path, methods in DOCUMENT["paths"].items() for method in methods} == built
    assert {(path, row["domain"]) for path, row in table.items() if row["built"]} == {
        (path, one["tags"][0]) for path, methods in DOCUMENT["paths"].items() for one in methods.values()
    }


def test_every_reference_resolves_and_every_part_is_referred_to() -> None:
    found: set[str] = set()

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            if "$ref" in value:
                found.add(value["$ref"])
            for item in value.values():
                walk(item)
        elif isinstance(value, list):
            for item in value:
                walk(item)

    walk(DOCUMENT)
    parts = DOCUMENT["components"]
    assert found == {
        f"#/components/{kind}/{name}" for kind in parts if kind != "securitySchemes" for name in parts[kind]
    }


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.path)
def test_every_refusal_has_its_code_its_name_and_its_fields(call: Call) -> None:
    stated = [one["properties"] for one in answers(call) if one["properties"]["code"] != {"const": 200}]
    assert [
        (one["code"]["const"], one["data"]["properties"]["error"]["enum"], one["data"]["required"]) for one in stated
    ] == [
        (refusal.code, [refusal.name], list(one["data"]["properties"]))
        for refusal, one in zip(refusals_of(call), stated, strict=True)
    ]
    assert all(one["data"]["additionalProperties"] is False for one in stated)


def test_refusals_say_what_their_caller_needs() -> None:
    fields = {
        name.removeprefix("refused."): set(schema["properties"]["data"]["properties"]) - {"error"}
        for name, schema in SCHEMAS.items()
        if name.startswith("refused.")
    }
    assert {name: said for name, said in fields.items() if said} == {
        "invalid_input": {"errors"},
        "invalid_amount": {"asset"},
        "below_minimum": {"asset", "minimum"},
        "limit_reached": {"asset", "room"},
        "insufficient_balance": {"asset"},
        "disclosure_required": {"feature", "version"},
        "age_required": {"age"},
        "self_excluded": {"until"},
        "player_limit": {"limit", "left"},
        "already_exists": {"field"},
        "second_factor_required": {"need"},
        "busy": {"retry_after"},
        "too_many": {"retry_after"},
        "stale_time": {"server_time"},
        "security_hold": {"until"},
        "address_waiting": {"until"},
        "price_changed": {"fee", "purchase"},
        "price_unavailable": {"asset"},
    }


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.path)
def test_what_stands_before_a_handler_is_refused_everywhere(call: Call) -> None:
    assert names(call) >= {"invalid_input", "too_many"}
    assert ("session_ended" in names(call)) is not call.public
    assert ("security" in operation(call)) is not call.public
    own = {refusal.name for refusal in call.refusals}
    assert names(call) & CHANNEL == (CHANNEL if call.path != "/api/wire/open" else {"bad_signature", "unknown_channel"})
    moves_money = {"busy", "request_running", "wrong_state"}
    assert (names(call) & moves_money) - own == (moves_money if call.load == "money" else set())
    assert ("request_conflict" in names(call)) is ("request_id" in body(call)["properties"])


def test_what_a_refusal_states_can_be_read_from_it() -> None:
    refusal = TooMany(retry_after=3)
    assert (refusal.retry_after, refusal.fields) == (3, {"retry_after": 3})


def test_every_refusal_of_the_code_belongs_to_a_call() -> None:
    kalos = {one for one in _below(Refusal) if one.__module__.startswith("kalos.")}
    assert {one.name for one in kalos} - {name for call in CALLS for name in names(call)} == set()


def _below(one: type[Refusal]) -> set[type[Refusal]]:
    return {below for direct in one.__subclasses__() for below in (direct, *_below(direct))}


def test_bodies_take_no_unknown_field() -> None:
    for call in CALLS:
        assert body(call)["additionalProperties"] is False, call.path


def test_statuses_are_the_specified_words() -> None:
    def words(name: str, field: str) -> set[str]:
        found = SCHEMAS[name]["properties"][field]
        return set(next(one for one in [found, *found.get("anyOf", ())] if "enum" in one)["enum"])

    rounds, bets = {"open", "sealed", "drawn", "settled", "void"}, {"awaiting_draw", "won", "not_won", "void"}
    transfers = {"pending_review", "on_chain_processing", "approved", "refused", "failed"}
    for name in ("HallScene", "SceneAnswer", "ResultRow", "RoundProof"):
        assert words(name, "state") == rounds
    known = dict.fromkeys(("BetRow", "BetAnswer", "OrdersBody"), bets)
    known |= dict.fromkeys(("DepositShape", "ListBody", "DeskDeposit"), transfers)
    known |= dict.fromkeys(("WithdrawalReceipt", "WithdrawalRow", "WithdrawalsBody"), transfers)
    known |= dict.fromkeys(("DeskWithdrawal", "DeskWithdrawalsBody"), transfers)
    having = {name for name, schema in SCHEMAS.items() if "status" in schema.get("properties", {})}
    assert having - {"ClaimReceipt"} == known.keys(), "a claim alone is never under way"
    assert {name: words(name, "status") for name in known} == known


def test_the_header_names_the_languages() -> None:
    from kalos.wire.languages import language_of

    named = DOCUMENT["components"]["parameters"]["lang"]["schema"]["examples"]
    assert [language_of(header) for header in named] == list(LANGUAGES)


def test_the_wire_keys_page_is_no_call() -> None:
    page = DOCUMENT["paths"][WIRE_KEYS]["get"]
    assert page["responses"]["200"]["content"]["application/json"]["schema"] == {
        "$ref": "#/components/schemas/WireKeys"
    }
    assert "requestBody" not in page


def test_transport_has_the_statuses_that_a_post_of_a_known_path_may_get() -> None:
    stated = {response.removeprefix("http.") for response in DOCUMENT["components"]["responses"]}
    assert stated == {str(status) for status in http._TEXTS} - {"404", "405"}
    for call in CALLS:
        assert operation(call)["responses"].keys() == stated | {"200"}


def test_file_is_of_the_present_calls() -> None:
    script = runpy.run_path(str(CONTRACT / "make_openapi.py"))
    assert (CONTRACT / "openapi.json").read_text() == script["text"](), "run: make openapi"
    assert json.loads(script["text"]()) == DOCUMENT
