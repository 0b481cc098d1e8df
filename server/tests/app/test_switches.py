"""What an operator orders with `settings`."""

import asyncpg
import pytest

from conftest import MakeMember
from console.scene import Worker, make_worker
from kalos.app.settings import PROJECT
from kalos.app.switches import USAGE, obey
from kalos.core.database import Database
from kalos.core.terms import load_changeable
from kalos.domains.context import House
from kalos.domains.protection import queries
from kalos.operator.people import end_staff
from kalos.operator.queries import count_standing, last_audit, list_audit, verify_audit
from kalos.operator.settings import SETTING

KNOWN = load_changeable(PROJECT / "server" / "terms.toml")


async def order(db: Database, arguments: list[str]) -> tuple[int, str]:
    return await obey(db, KNOWN, arguments, is_demo=True)


async def test_orders_are_kept_with_their_reason_and_the_latest_counts(db: Database) -> None:
    assert await order(db, ["on", "nft", "VN", "--reason", "licence 12"]) == (0, "nft is on in VN")
    assert await order(db, ["off", "nft", "VN", "--reason", "licence ended"]) == (0, "nft is off in VN")
    assert await order(db, ["on", "identity_gates", "--reason", "launch"]) == (0, "identity_gates is on everywhere")
    switches = await queries.read_switches(db)
    assert (switches["nft", "VN"], switches["identity_gates", ""]) == (False, True)
    code, text = await order(db, ["history"])
    assert code == 0
    assert [(*line.split()[2:6], line.partition(": ")[2]) for line in text.splitlines()] == [
        ("UTC", "nft", "VN", "on", "licence 12"),
        ("UTC", "nft", "VN", "off", "licence ended"),
        ("UTC", "identity_gates", "all", "on", "launch"),
    ]
    assert (await order(db, ["history", "nft"]))[1].count("\n") == 1
    assert (await order(db, ["history", "otc"]))[1] == "nothing was ordered"
    nft = ["nft all as the mode says", "nft VN off"]
    assert [" ".join(line.split()) for line in (await order(db, ["get", "nft"]))[1].splitlines()] == nft


async def test_a_number_is_set_inside_its_bounds_and_shown_with_them(db: Database) -> None:
    assert await order(db, ["get", "security_hold"]) == (0, "security_hold        all  24  h, 0 to 72")
    assert await order(db, ["set", "security_hold", "48", "--reason", "wave of thefts"]) == (
        0,
        "security_hold is 48 h everywhere",
    )
    assert await order(db, ["set", "age_min", "21", "QZ", "--reason", "law 7"]) == (0, "age_min is 21 years in QZ")
    shown = [" ".join(line.split()) for line in (await order(db, ["list"]))[1].splitlines()]
    assert "security_hold all 48 h, 0 to 72" in shown
    assert shown[shown.index("age_min all 18 years, 18 to 99") + 1] == "age_min QZ 21 years, 18 to 99"
    await order(db, ["set", "security_hold", "24", "--reason", "over"])
    history = (await order(db, ["history", "security_hold"]))[1].splitlines()
    assert [line.partition(": ")[2] for line in history] == ["wave of thefts", "over"]


async def test_of_two_numbers_that_belong_together_none_passes_the_other(db: Database) -> None:
    async def put(name: str, value: str) -> tuple[int, str]:
        return await order(db, ["set", name, value, "--reason", "a test"])

    unlike = "withdraw_auto_max doesn't go with withdraw_two_reviewers"
    assert await put("withdraw_auto_max", "50001") == (1, unlike)
    assert (await queries.read_numbers(db)).get(("withdraw_auto_max", "")) is None
    assert (await put("withdraw_auto_max", "50000"))[0] == 0
    assert (await put("withdraw_two_reviewers", "49999"))[0] == 1
    assert (await put("withdraw_two_reviewers", "60000"))[0] == 0
    assert (await put("withdraw_auto_max", "60000"))[0] == 0
    for name, value in (("withdraw_auto_max", "10000"), ("withdraw_two_reviewers", "50000")):
        assert (await put(name, value))[0] == 0


async def test_a_number_that_is_on_or_off_is_ordered_by_these_words(db: Database) -> None:
    assert await order(db, ["get", "common_passwords"]) == (0, "common_passwords     all  on  on or off")
    assert await order(db, ["set", "common_passwords", "0", "--reason", "x"]) == (1, "common_passwords has on or off")
    told = await order(db, ["set", "common_passwords", "off", "--reason", "an old list"])
    assert told == (0, "common_passwords is off everywhere")
    assert (await queries.read_numbers(db))["common_passwords", ""] == 0
    assert "  off  " in (await order(db, ["history", "common_passwords"]))[1]
    await order(db, ["set", "common_passwords", "on", "--reason", "over"])


@pytest.mark.parametrize(
    ("arguments", "is_for_two"),
    [
        (["set", "withdraw_auto_max", "9999", "--reason", "x"], True),
        (["on", "nft", "TH", "--reason", "x"], True),
        (["off", "nft", "TH", "--reason", "x"], True),
        (["set", "login_tries", "6", "--reason", "x"], False),
        (["set", "age_min", "21", "TH", "--reason", "x"], False),
        (["list"], False),
    ],
)
async def test_in_production_the_machine_orders_what_two_people_order_only_while_there_arent_two(
    db: Database, database_url: str, house: House, arguments: list[str], is_for_two: bool
) -> None:
    async def put() -> int:
        return (await obey(db, KNOWN, arguments, is_demo=False))[0]

    assert await count_standing(db, SETTING.makers) == 0
    one = await make_worker(database_url, house.factor_keys[0], "treasurer")
    other = await make_worker(database_url, house.factor_keys[0], "reviewer")
    assert await put() == 0
    owner = await make_worker(database_url, house.factor_keys[0], "owner")
    before = await queries.list_switches(db), await queries.list_numbers(db), await last_audit(db)
    if is_for_two:
        refused = (1, f"{arguments[1]} needs two people: order it in the console")
        assert await obey(db, KNOWN, arguments, is_demo=False) == refused
        assert (await queries.list_switches(db), await queries.list_numbers(db), await last_audit(db)) == before
        assert (await order(db, arguments))[0] == 0
    else:
        assert await put() == 0
    for worker in (one, other, owner):
        await end(database_url, worker)
    assert await put() == 0


async def end(database_url: str, worker: Worker) -> None:
    owner = await asyncpg.connect(database_url)
    try:
        assert await end_staff(owner, name=worker.name, by="tests")
    finally:
        await owner.close()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], 2),
        (["on", "games"], 2),
        (["on", "games", "VN", "SG", "--reason", "x"], 2),
        (["maybe", "games", "--reason", "x"], 2),
        (["on", "lottery", "--reason", "x"], 1),
        (["on", "games", "vn", "--reason", "x"], 1),
        (["on", "games", "ＶＮ", "--reason", "x"], 1),
        (["on", "games", "--reason", " "], 1),
        (["on", "games", "--reason", "x" * 501], 1),
        (["get", "lottery"], 2),
        (["set", "security_hold", "48"], 2),
        (["set", "security_hold", "73", "--reason", "x"], 1),
        (["set", "security_hold", "-1", "--reason", "x"], 1),
        (["set", "security_hold", "024", "--reason", "x"], 1),
        (["set", "security_hold", "1e1", "--reason", "x"], 1),
        (["set", "security_hold", "２４", "--reason", "x"], 1),
        (["set", "security_hold", "9" * 30, "--reason", "x"], 1),
        (["set", "security_hold", "48", "VN", "--reason", "x"], 1),
        (["set", "security_hold", "48", "--reason", " "], 1),
        (["set", "age_min", "17", "VN", "--reason", "x"], 1),
        (["set", "age_min", "21", "vn", "--reason", "x"], 1),
        (["set", "edge_min", "1", "--reason", "x"], 1),
        (["set", "rate_money", "1000", "--reason", "x"], 1),
        (["set", "games", "1", "--reason", "x"], 1),
        (["on", "security_hold", "--reason", "x"], 1),
        (["staff", "99999999", "on"], 1),
        (["staff", "99999999"], 2),
    ],
)
async def test_what_is_no_order_changes_nothing(db: Database, arguments: list[str], code: int) -> None:
    before = await queries.list_switches(db), await queries.list_numbers(db)
    found, text = await order(db, arguments)
    assert found == code
    assert (text == USAGE) == (code == 2)
    assert (await queries.list_switches(db), await queries.list_numbers(db)) == before


async def test_staff_is_marked_by_account(db: Database, member: MakeMember) -> None:
    someone = await member()
    assert await order(db, ["staff", someone.account, "on"]) == (0, f"{someone.account}: staff on")
    assert await db.value("SELECT is_staff FROM members WHERE id = $1", someone.id)
    (row,) = await list_audit(db, before=None, most=1)
    assert (row.act, row.object) == ("machine.order", f"staff mark of {someone.account}")
    assert (row.before, row.after) == ({"is_staff": False}, {"is_staff": True})
    assert await order(db, ["staff", "99999999", "on"]) == (1, "there is no such account")
    assert await last_audit(db) == row.id
    assert await order(db, ["staff", someone.account, "off"]) == (0, f"{someone.account}: staff off")
    assert not await db.value("SELECT is_staff FROM members WHERE id = $1", someone.id)


async def test_what_is_ordered_on_the_machine_stands_in_the_consoles_log(db: Database) -> None:
    await order(db, ["on", "otc", "VN", "--reason", "licence 13"])
    await order(db, ["set", "code_gap", "90", "--reason", "floods of codes"])
    number, switch = await list_audit(db, before=None, most=2)
    assert (switch.object, switch.before) == ("switch otc VN", {"is_on": None})
    assert switch.after == {"is_on": True, "reason": "licence 13"}
    assert (number.object, number.before) == ("setting code_gap", {"value": "60"})
    assert number.after == {"value": "90", "reason": "floods of codes"}
    assert {row.staff for row in (number, switch)} == {None}
    await order(db, ["off", "otc", "VN", "--reason", "it ended"])
    await order(db, ["set", "code_gap", "120", "--reason", "more of them"])
    assert [row.before for row in await list_audit(db, before=None, most=2)] == [{"value": "90"}, {"is_on": True}]
    before = await last_audit(db)
    await order(db, ["set", "code_gap", "9000", "--reason", "x"])
    assert await last_audit(db) == before
    assert await verify_audit(db) == []
