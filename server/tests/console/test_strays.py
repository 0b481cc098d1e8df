"""Tokens that the house doesn't know, in the console: who decides them, and what counts as sent back."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import asyncpg
import pytest

from console.conftest import Hire
from console.scene import Worker, begin_session, request_id
from deposits.scene import SandboxScene
from kalos.adapters.screening.list import ListedAddresses
from kalos.app.calls import STAFF_REGISTERS
from kalos.core.database import Connection
from kalos.domains.deposits.jobs import Strays
from kalos.domains.deposits.queries import MOST_STRAYS
from kalos.operator.people import set_own_account
from kalos.operator.queries import verify_audit
from kalos.operator.rules import ROLES
from support.plain import Plain, plain_api
from support.waiting import until_waiting

STRAYS: Final = "/api/operator/strays"
DECIDE: Final = "/api/operator/decideStray"
READERS: Final = {"reviewer", "treasurer", "support", "auditor", "owner"}
TOKEN: Final = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
OTHER: Final = "0x6B175474E89094C44Da98b954EedeAC495271d0F"
DEEP: Final = 13

Clerk = Callable[..., Awaitable[tuple[Worker, str]]]


@pytest.fixture(scope="module")
def clerk(hire: Hire) -> Clerk:
    """`await clerk(scene, "support")` gives somebody and the token of a session."""

    async def make(scene: SandboxScene, *roles: str) -> tuple[Worker, str]:
        worker = await hire(*roles)
        return worker, await begin_session(scene.house.db, worker)

    return make


@pytest.fixture
async def api(scene: SandboxScene) -> Plain:
    """Of the house that is on the scene's chain."""
    terms = replace(scene.house.terms, rate_read=100_000, rate_money=100_000)
    return await plain_api(replace(scene.house, terms=terms), STAFF_REGISTERS)


async def came(scene: SandboxScene, units: int = 5, token: str = TOKEN) -> str:
    """The number of a token that came to the member."""
    transaction = scene.chain.transfer(token, scene.address, units, sender=OTHER)
    await scene.grow(DEEP)
    await Strays(scene.house).look()
    named = "SELECT id FROM strays WHERE chain_id = $1 AND transaction = $2"
    return str(await scene.house.db.value(named, scene.chain.network.chain_id, transaction))


async def send_back(
    scene: SandboxScene, units: int = 5, *, blocks: int = 4, token: str = TOKEN, sender: str = "", to: str = OTHER
) -> str:
    """A transfer from the member's address, by whoever keeps the seed."""
    payment = scene.chain.transfer(token, to or scene.address, units, sender=sender or scene.address)
    await scene.grow(blocks)
    return payment


def decision(number: str, payment: str | None = None, **fields: Any) -> dict[str, Any]:
    verdict = "left" if payment is None else "returned"
    body = {"id": number, "verdict": verdict, "reason": "looked at", "request_id": request_id()} | fields
    return body if payment is None else body | {"payment": payment}


async def stored(scene: SandboxScene, number: str) -> tuple[str, str | None]:
    row = await scene.house.db.row("SELECT state, payment FROM strays WHERE id = $1", int(number))
    assert row is not None
    return row["state"], row["payment"]


async def logged(scene: SandboxScene, number: str) -> list[tuple[str, str, str, str]]:
    rows = await scene.house.db.rows(
        "SELECT name, act, before::text, after::text FROM operator_audit WHERE object = $1 ORDER BY id",
        f"stray {number}",
    )
    assert await verify_audit(scene.house.db) == []
    return [
        (row["name"], row["act"], json.loads(row["before"])["state"], json.loads(row["after"])["state"]) for row in rows
    ]


async def test_a_token_is_shown_decided_once_and_logged(api: Plain, scene: SandboxScene, clerk: Clerk) -> None:
    who, token = await clerk(scene, "support")
    number = await came(scene, 2**256 - 1)
    rows = (await api.data(STRAYS, {"size": 100}, token=token))["list"]
    (shown,) = [row for row in rows if row["id"] == number]
    assert {
        "account": scene.member.account, "contract": TOKEN, "units": str(2**256 - 1), "sender": OTHER,
        "address": scene.address, "state": "open", "reason": None, "payment": None, "decided_at": None,
    }.items() <= shown.items()  # fmt: skip
    body = decision(number)
    answers = await asyncio.gather(*(api.post(DECIDE, body, token=token) for _ in range(4)))
    assert [answer["code"] for answer in answers] == [200] * 4
    first, last = (answers[number]["data"] | {"age_seconds": 0} for number in (0, 3))  # a second may end between them
    assert first == last
    changed = await api.post(DECIDE, {**body, "reason": "another"}, token=token)
    assert changed["data"]["error"] == "request_conflict"
    late = await api.post(DECIDE, decision(number), token=token)
    assert late["data"].get("error") == "wrong_state"
    assert await stored(scene, number) == ("left", None)
    assert await logged(scene, number) == [(who.name, "stray.left", "open", "left")]
    left = (await api.data(STRAYS, {"state": "left"}, token=token))["list"][0]
    assert (left["id"], left["reason"]) == (number, "looked at")


async def test_of_several_at_once_one_decides(api: Plain, scene: SandboxScene, clerk: Clerk) -> None:
    sessions = [(await clerk(scene, "support"))[1] for _ in range(6)]
    number = await came(scene)
    answers = await asyncio.gather(*(api.post(DECIDE, decision(number), token=token) for token in sessions))
    assert sorted(answer["code"] for answer in answers) == [200, *[422] * 5]
    assert len(await logged(scene, number)) == 1


@pytest.mark.parametrize("role", ROLES)
async def test_each_role_reads_and_decides_as_it_may(api: Plain, scene: SandboxScene, clerk: Clerk, role: str) -> None:
    _, token = await clerk(scene, role)
    number = await came(scene)
    answer = await api.post(STRAYS, {}, token=token)
    assert (answer["code"] == 200) == (role in READERS)
    answer = await api.post(DECIDE, decision(number), token=token)
    assert (answer["code"] == 200) == (role == "support")
    if role != "support":
        assert (await stored(scene, number), await logged(scene, number)) == (("open", None), [])


async def test_what_is_at_ones_own_address_is_anothers_to_decide(
    api: Plain, scene: SandboxScene, clerk: Clerk, database_url: str
) -> None:
    who, token = await clerk(scene, "support")
    number = await came(scene)
    owner = await asyncpg.connect(database_url)
    try:
        await set_own_account(owner, name=who.name, account=scene.member.account, by="tests")
    finally:
        await owner.close()
    answer = await api.post(DECIDE, decision(number), token=token)
    assert answer["data"].get("error") == "own_account"
    assert await stored(scene, number) == ("open", None)


async def test_one_that_was_sent_back_names_the_payment(api: Plain, scene: SandboxScene, clerk: Clerk) -> None:
    who, token = await clerk(scene, "support")
    number = await came(scene)
    payment = await send_back(scene)
    done = await api.data(DECIDE, decision(number, payment), token=token)
    assert (done["state"], done["payment"]) == ("returned", payment)
    assert await logged(scene, number) == [(who.name, "stray.returned", "open", "returned")]


@pytest.mark.parametrize(
    "wrong",
    [{"units": 4}, {"blocks": 2}, {"token": OTHER}, {"sender": OTHER}, {"to": ""}],
    ids=["too little", "not final", "another token", "from elsewhere", "to itself"],
)
async def test_what_sent_nothing_back_is_no_payment(
    api: Plain, scene: SandboxScene, clerk: Clerk, wrong: dict[str, Any]
) -> None:
    _, token = await clerk(scene, "support")
    number = await came(scene)
    payment = await send_back(scene, **wrong)
    answer = await api.post(DECIDE, decision(number, payment), token=token)
    assert answer["code"] == 400
    (fault,) = answer["data"]["errors"]
    assert fault["field"] == "payment"
    assert (await stored(scene, number), await logged(scene, number)) == (("open", None), [])


@pytest.mark.parametrize("payment", ["0x" + "ab" * 32, None])
async def test_a_payment_that_isnt_there_is_told(
    api: Plain, scene: SandboxScene, clerk: Clerk, payment: str | None
) -> None:
    _, token = await clerk(scene, "support")
    number = await came(scene)
    answer = await api.post(DECIDE, decision(number, payment, verdict="returned"), token=token)
    assert answer["code"] == 400
    # A form whose fields are all right: it isn't the shape that is wrong.
    reason = "needed" if payment is None else "sent_less"
    assert answer["data"]["errors"] == [{"field": "payment", "reason": reason}]
    assert await stored(scene, number) == ("open", None)


async def test_who_leaves_one_names_no_payment(api: Plain, scene: SandboxScene, clerk: Clerk) -> None:
    _, token = await clerk(scene, "support")
    number = await came(scene)
    answer = await api.post(DECIDE, decision(number, await send_back(scene), verdict="left"), token=token)
    assert answer["code"] == 400
    assert await stored(scene, number) == ("open", None)


async def test_a_payment_sends_each_unit_back_once(api: Plain, scene: SandboxScene, clerk: Clerk) -> None:
    """Two that came are sent back at once; a third one wasn't, however many say so at the same time."""
    sessions = [(await clerk(scene, "support"))[1] for _ in range(3)]
    numbers = [await came(scene) for _ in range(3)]
    payment = await send_back(scene, 10)
    async with scene.house.db.transaction() as db:
        await db.execute("SELECT FROM strays WHERE id = ANY($1) FOR UPDATE", [int(number) for number in numbers])
        pairs = zip(numbers, sessions, strict=True)
        sent = [asyncio.create_task(api.post(DECIDE, decision(one, payment), token=token)) for one, token in pairs]
        await until_waiting(scene.house.db, len(sent))
    answers = await asyncio.gather(*sent)
    assert sorted(answer["code"] for answer in answers) == [200, 200, 400]
    assert sorted([(await stored(scene, number))[0] for number in numbers]) == ["open", "returned", "returned"]


async def test_a_payment_on_another_chain_counts_for_nothing(api: Plain, scene: SandboxScene, clerk: Clerk) -> None:
    _, token = await clerk(scene, "support")
    number = await came(scene)
    payment = await send_back(scene)
    elsewhere = replace(scene.chain.network, chain_id=scene.chain.network.chain_id + 500_000)
    scene.chain._network = elsewhere  # the settings name another chain now
    await scene.watch(3)  # and it is read
    answer = await api.post(DECIDE, decision(number, payment), token=token)
    assert answer["code"] == 400
    assert await stored(scene, number) == ("open", None)


async def test_what_went_before_it_came_sent_it_back_for_nobody(api: Plain, scene: SandboxScene, clerk: Clerk) -> None:
    _, token = await clerk(scene, "support")
    earlier = await send_back(scene)
    number = await came(scene)
    answer = await api.post(DECIDE, decision(number, earlier), token=token)
    assert answer["code"] == 400
    assert await stored(scene, number) == ("open", None)


async def test_one_that_was_left_can_be_sent_back_later_and_not_the_other_way(
    api: Plain, scene: SandboxScene, clerk: Clerk
) -> None:
    who, token = await clerk(scene, "support")
    number = await came(scene)
    await api.data(DECIDE, decision(number), token=token)
    payment = await send_back(scene)
    body = decision(number, payment)
    done = await api.data(DECIDE, body, token=token)
    assert (done["state"], done["payment"], done["staff"]) == ("returned", payment, who.name)
    late = await api.post(DECIDE, decision(number), token=token)
    assert late["data"].get("error") == "wrong_state"
    assert [act for _, act, _, _ in await logged(scene, number)] == ["stray.left", "stray.returned"]


async def test_sent_again_it_is_answered_the_same_while_nodes_are_away(
    api: Plain, scene: SandboxScene, clerk: Clerk
) -> None:
    _, token = await clerk(scene, "support")
    number = await came(scene)
    body = decision(number, await send_back(scene))
    first = await api.data(DECIDE, body, token=token)
    scene.chain.away = True
    assert (await api.data(DECIDE, body, token=token))["payment"] == first["payment"]


async def test_a_listed_sender_is_told_of(scene: SandboxScene, clerk: Clerk, tmp_path: Path) -> None:
    (tmp_path / "list").write_text(OTHER)
    terms = replace(scene.house.terms, rate_read=100_000)
    listing = replace(scene.house, terms=terms, screening=ListedAddresses(tmp_path / "list"))
    api = await plain_api(listing, STAFF_REGISTERS)
    _, token = await clerk(scene, "support")
    number = await came(scene)
    rows = (await api.data(STRAYS, {"account": scene.member.account}, token=token))["list"]
    assert [(row["id"], row["listed"]) for row in rows] == [(number, True)]


async def test_pages_go_on_where_the_last_one_ended(api: Plain, scene: SandboxScene, clerk: Clerk) -> None:
    """Who came first stands first among the open ones, last among those that are decided."""
    _, token = await clerk(scene, "support")
    for units in range(1, 5):
        scene.chain.transfer(TOKEN, scene.address, units)
    last = await came(scene, 5)

    async def pages(state: str) -> list[list[str]]:
        found: list[list[str]] = []
        after: dict[str, str] = {}
        while True:
            asked = {"state": state, "account": scene.member.account, "size": 2} | after
            page = await api.data(STRAYS, asked, token=token)
            assert page["total"] == 5
            found.append([row["units"] for row in page["list"]])
            if page["next"] is None:
                return found
            after = {"after": page["next"]}

    assert await pages("open") == [["1", "2"], ["3", "4"], ["5"]]
    for number in range(int(last) - 4, int(last) + 1):
        await api.data(DECIDE, decision(str(number)), token=token)
    assert await pages("left") == [["5", "4"], ["3", "2"], ["1"]]
    nobodys = await api.data(STRAYS, {"state": "left", "account": "00000000"}, token=token)
    assert (nobodys["list"], nobodys["total"]) == ([], 0)


async def leave(db: Connection, who: Worker, number: str) -> None:
    """As somebody else does who has not committed yet."""
    await db.execute(
        "UPDATE strays SET state = 'left', staff = $2, reason = 'worth nothing', decided_at = 1 WHERE id = $1",
        int(number),
        who.staff.id,
    )


async def test_the_log_says_what_stood_there_when_it_was_decided(api: Plain, scene: SandboxScene, clerk: Clerk) -> None:
    who, token = await clerk(scene, "support")
    number = await came(scene)
    payment = await send_back(scene)
    async with scene.house.db.transaction() as db:
        await leave(db, who, number)
        returning = asyncio.create_task(api.data(DECIDE, decision(number, payment), token=token))
        await until_waiting(scene.house.db, 1)
    await returning
    assert await logged(scene, number) == [(who.name, "stray.returned", "left", "returned")]


async def test_one_that_is_being_decided_stays_when_larger_ones_come(scene: SandboxScene, clerk: Clerk) -> None:
    who, _ = await clerk(scene, "support")
    for units in range(2, MOST_STRAYS + 1):
        scene.chain.transfer(TOKEN, scene.address, units, sender=OTHER)
    number = await came(scene, 1)
    async with scene.house.db.transaction() as db:
        await leave(db, who, number)
        larger = asyncio.create_task(came(scene, 10**9))
        await until_waiting(scene.house.db, 1)
    assert await stored(scene, await larger) == ("open", None)
    assert await stored(scene, number) == ("left", None)
