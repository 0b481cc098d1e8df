"""What an operator orders with `settings`."""

import pytest

from conftest import MakeMember
from kalos.app.switches import USAGE, obey
from kalos.core.database import Database
from kalos.domains.protection import queries


async def test_orders_are_kept_with_their_reason_and_the_latest_counts(db: Database) -> None:
    assert await obey(db, ["on", "nft", "VN", "--reason", "licence 12"]) == (0, "nft is on in VN")
    assert await obey(db, ["off", "nft", "VN", "--reason", "licence ended"]) == (0, "nft is off in VN")
    assert await obey(db, ["on", "identity_gates", "--reason", "launch"]) == (0, "identity_gates is on everywhere")
    switches = await queries.read_switches(db)
    assert (switches["nft", "VN"], switches["identity_gates", ""]) == (False, True)
    code, text = await obey(db, ["list"])
    assert code == 0
    assert [line.split()[1:4] for line in text.splitlines()] == [
        ["nft", "VN", "on"],
        ["nft", "VN", "off"],
        ["identity_gates", "all", "on"],
    ]


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
        (["staff", "99999999", "on"], 1),
        (["staff", "99999999"], 2),
    ],
)
async def test_what_is_no_order_changes_nothing(db: Database, arguments: list[str], code: int) -> None:
    before = await queries.list_switches(db)
    found, text = await obey(db, arguments)
    assert found == code
    assert (text == USAGE) == (code == 2)
    assert await queries.list_switches(db) == before


async def test_staff_is_marked_by_account(db: Database, member: MakeMember) -> None:
    someone = await member()
    assert await obey(db, ["staff", someone.account, "on"]) == (0, f"{someone.account}: staff on")
    assert await db.value("SELECT is_staff FROM members WHERE id = $1", someone.id)
    assert await obey(db, ["staff", someone.account, "off"]) == (0, f"{someone.account}: staff off")
    assert not await db.value("SELECT is_staff FROM members WHERE id = $1", someone.id)
