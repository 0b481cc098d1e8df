"""The console's calls on the wire: shapes, roles, refusals."""

from typing import Any, Final

import pytest

from console.conftest import Hire
from console.scene import NUMBERS, Worker, counts, log_in, request_id
from kalos.app.calls import STAFF_REGISTERS
from kalos.domains.context import House
from kalos.operator.rules import ROLES
from kalos.wire.openapi import refusals_of
from support.plain import Plain

READ: Final = {
    "audit": {"auditor", "owner"},
    "commands": {"owner", "treasurer", "auditor", "reviewer"},
    "prices": {"owner", "treasurer", "auditor"},
    "settings": {"owner", "treasurer", "auditor"},
    "switches": {"owner", "treasurer", "auditor"},
}
CALLS: Final = {call.path: call for register in STAFF_REGISTERS for call in register.all}
OF_NO_FIELD: Final[tuple[Any, ...]] = ([[]], True, 10**30, "\u202e", "x" * 10_000)


@pytest.fixture(autouse=True)
async def nothing_open(house: House) -> None:
    await house.db.execute("UPDATE commands SET state = 'expired', decided_at = 1 WHERE state = 'open'")


@pytest.fixture(scope="module")
async def making(house: House, maker: Worker) -> str:
    return (await log_in(house, maker)).token


@pytest.fixture(scope="module")
async def checking(house: House, checker: Worker) -> str:
    return (await log_in(house, checker)).token


def hold(value: str = "47") -> dict[str, Any]:
    body = {"kind": "setting", "body": {"name": "security_hold", "value": value}, "reason": "Thefts"}
    return body | {"request_id": request_id()}


@pytest.mark.parametrize("role", ROLES)
async def test_each_role_reads_its_own_and_nothing_else(house: House, api: Plain, hire: Hire, role: str) -> None:
    token = (await log_in(house, await hire(role))).token
    for name, roles in READ.items():
        answer = await api.post(f"/api/operator/{name}", {}, token=token)
        assert (answer["code"] == 200) == (role in roles), (name, answer)
        assert answer["code"] == 200 or answer["data"] == {"error": "forbidden"}


async def test_a_command_is_shown_made_signed_and_logged(
    api: Plain, making: str, checking: str, maker: Worker, checker: Worker
) -> None:
    asked = hold()
    shown = await api.data("/api/operator/preview", {"kind": asked["kind"], "body": asked["body"]}, token=making)
    assert (shown["object"], shown["after"], shown["signers"]) == ("setting security_hold", {"value": "47"}, 2)
    made = await api.data("/api/operator/submit", asked, token=making)
    assert (made["state"], made["version"], made["can_sign"]) == ("open", shown["version"], False)
    assert await api.data("/api/operator/submit", asked, token=making) == made
    (listed,) = (await api.data("/api/operator/commands", {"state": "open"}, token=checking))["list"]
    assert listed == made | {"can_sign": True}
    own = await api.post("/api/operator/sign", _sign(made), token=making)
    assert own["data"] == {"error": "forbidden"}
    signed = await api.data("/api/operator/sign", _sign(made), token=checking)
    assert (signed["state"], signed["maker"], signed["checker"]) == ("carried_out", maker.name, checker.name)
    again = await api.post("/api/operator/sign", _sign(made), token=checking)
    assert again["data"] == {"error": "wrong_state"}
    rows = (await api.data("/api/operator/settings", {}, token=making))["list"]
    (row,) = [one for one in rows if one["name"] == "security_hold"]
    assert (row["value"], row["default"], row["bounds"], row["is_changeable"]) == ("47", "24", "0 to 72", True)
    told = row["history"][0]
    assert (told["value"], told["staff"], told["checker"]) == ("47", maker.name, checker.name)
    log = (await api.data("/api/operator/audit", {"size": 1}, token=making))["list"][0]
    assert (log["act"], log["staff"], log["object"]) == ("command.sign", checker.name, "setting security_hold")


async def test_every_price_stands_with_who_ordered_and_signed_it_the_latest_first(
    house: House, api: Plain, making: str, checking: str, maker: Worker, checker: Worker
) -> None:
    prices = "/api/operator/prices"
    assert await api.data(prices, {}, token=making) == {"list": [], "total": 0, "next": None}
    for rate in ("0.5", "0.51", "0.52"):
        body = {
            "kind": "price",
            "body": {"asset": "KLS", "rate": rate},
            "reason": "It rose",
            "request_id": request_id(),
        }
        made = await api.data("/api/operator/submit", body, token=making)
        await api.data("/api/operator/sign", _sign(made), token=checking)
    pages = [await api.data(prices, {"size": 2}, token=making)]
    pages.append(await api.data(prices, {"size": 2, "after": pages[0]["next"]}, token=making))
    assert [(page["total"], len(page["list"])) for page in pages] == [(3, 2), (3, 1)]
    rows = [row for page in pages for row in page["list"]]
    assert [(row["asset"], row["rate"], row["staff"], row["checker"], row["reason"]) for row in rows] == [
        ("KLS", "0.52000000", maker.name, checker.name, "It rose"),
        ("KLS", "0.51000000", maker.name, checker.name, "It rose"),
        ("KLS", "0.50000000", maker.name, checker.name, "It rose"),
    ]
    orders = await house.db.rows("SELECT id, at FROM price_orders ORDER BY id DESC")
    assert [(int(row["id"]), row["at"]) for row in rows] == [tuple(order) for order in orders]


def _sign(made: dict[str, Any]) -> dict[str, Any]:
    return {"id": made["id"], "version": made["version"], "request_id": request_id()}


async def test_every_business_number_is_listed_once(api: Plain, making: str) -> None:
    rows = (await api.data("/api/operator/settings", {}, token=making))["list"]
    assert [row["name"] for row in rows] == list(NUMBERS)
    fixed = {row["name"] for row in rows if not row["is_changeable"]}
    assert {"odd_even_profit", "result_window", "edge_min"} <= fixed


async def test_what_counts_where_nobody_ordered_is_listed(api: Plain, making: str) -> None:
    rows = (await api.data("/api/operator/switches", {}, token=making))["list"]
    assert {"feature": "games", "country": "", "is_on": True} | dict.fromkeys(
        ("at", "staff", "checker", "reason")
    ) in rows


async def test_the_log_has_pages_by_key(api: Plain, making: str) -> None:
    first = await api.data("/api/operator/audit", {"size": 1}, token=making)
    then = await api.data("/api/operator/audit", {"size": 1, "after": first["next"]}, token=making)
    assert int(first["list"][0]["id"]) == int(then["list"][0]["id"]) + 1 == first["total"]


async def test_what_no_field_takes_changes_nothing(house: House, api: Plain, making: str) -> None:
    """Each field in turn, the others right; and a field that isn't there."""
    made = await api.data("/api/operator/submit", hold("46"), token=making)
    right: dict[str, dict[str, Any]] = {
        "/api/operator/login": {"name": "operator", "password": "x", "code": "000000"},
        "/api/operator/preview": {key: value for key, value in hold().items() if key in ("kind", "body")},
        "/api/operator/submit": hold(),
        "/api/operator/sign": _sign(made),
        "/api/operator/refuse": {"id": made["id"], "reason": "x", "request_id": request_id()},
    }
    before = await counts(house)
    for path, call in CALLS.items():
        fields = call.body.__struct_fields__
        wrong = [{field: value} for field in fields for value in OF_NO_FIELD]
        for change in (*wrong, {"unheard_of": 1}):
            answer = await api.post(path, right.get(path, {}) | change, token=making)
            assert answer["code"] == 400 or path == "/api/operator/login", (path, change, answer)
    assert await counts(house) == before


async def test_refusals_are_those_that_the_document_knows(house: House, api: Plain, making: str) -> None:
    """`check_answer` of each answer says so; here that the list isn't empty talk."""
    names = {path: {refusal.name for refusal in refusals_of(call)} for path, call in CALLS.items()}
    assert all("session_ended" in names[path] for path, call in CALLS.items() if not call.public)
    assert {"forbidden", "not_found", "wrong_state", "request_conflict"} <= names["/api/operator/sign"]
    tried: list[tuple[str, dict[str, Any], str]] = [
        ("submit", hold("73"), "invalid_input"),
        ("submit", hold() | {"kind": "lottery"}, "not_found"),
        ("submit", hold() | {"reason": "   "}, "invalid_input"),
        ("sign", {"id": "999999", "version": "x", "request_id": request_id()}, "not_found"),
        ("refuse", {"id": "999999", "reason": "x", "request_id": request_id()}, "not_found"),
        ("login", {"name": "x", "password": "x", "code": "x"}, "wrong_credentials"),
    ]
    before = await counts(house)
    for name, body, error in tried:
        answer = await api.post(f"/api/operator/{name}", body, token=making)
        assert answer["data"]["error"] == error, (name, answer)
    assert await counts(house) == before


async def test_a_body_under_a_used_request_id_is_a_conflict(house: House, api: Plain, making: str) -> None:
    asked = hold("45")
    await api.data("/api/operator/submit", asked, token=making)
    before = await counts(house)
    answer = await api.post("/api/operator/submit", asked | {"reason": "Another"}, token=making)
    assert (answer["code"], answer["data"]) == (409, {"error": "request_conflict"})
    assert await counts(house) == before


TYPED = {
    "security_hold": ("whole", 0, "0 to 72"),
    "withdraw_fee_rate": ("decimal", 8, "0 to 0.02"),
    "bet_min.USDT": ("amount", 6, "0.000001 to 1000000000000"),
    "factor_tries": ("list", 0, "1 to 5, 20, 50"),
    "common_passwords": ("switch", 0, "on or off"),
}


async def test_every_number_says_its_type_and_takes_its_own_value_by_it(api: Plain, making: str) -> None:
    rows = {one["name"]: one for one in (await api.data("/api/operator/settings", {}, token=making))["list"]}
    shown = {name: (rows[name]["type"], rows[name]["decimals"], rows[name]["bounds"]) for name in TYPED}
    assert shown == TYPED
    for one in rows.values():
        for part in one["default"].split(", "):
            assert len(part.partition(".")[2]) <= one["decimals"], one["name"]
        assert not one["is_changeable"] or one["type"] == "switch" or one["bounds"].count(" to ") == 1, one["name"]
