"""The queues: who may look and decide, since when it waits, what a yes must bear, and that each act is logged once."""

import asyncio
import dataclasses
import json
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from console.scene import MakeReviewer, request_id, wait
from deposits.scene import ONE, SandboxScene
from kalos.adapters.chain.sandbox import TREASURY
from kalos.adapters.screening.list import ListedAddresses
from kalos.core.assets import KLS, USDT
from kalos.domains.context import Context, House
from kalos.domains.deposits.service import deposit_address
from kalos.domains.withdrawals import rules
from kalos.domains.withdrawals.tables import Withdrawal
from kalos.ledger import purse
from kalos.ledger.flags import clear_money_out, stop_money_out
from kalos.operator import jobs
from kalos.operator.people import set_own_account
from kalos.operator.queries import verify_audit
from kalos.operator.rules import ROLES
from support.ledger import until_money_goes_out
from support.plain import Plain
from withdrawals.scene import holdings, rows_of, stored, withdraw

REVIEW, DECIDE = "/api/operator/reviewWithdrawal", "/api/operator/decideDeposit"
READERS = {"reviewer", "treasurer", "support", "auditor", "owner"}
HALF, WHOLE = "20000", "50000"
"""Amounts that one and two must look at."""


async def logged(house: House, about: str) -> list[tuple[str, str, dict[str, Any]]]:
    """The log's rows of something, after what came with postings was written."""
    while await jobs.follow(house):
        pass
    rows = await house.db.rows("SELECT name, act, after::text FROM operator_audit WHERE object = $1 ORDER BY id", about)
    assert await verify_audit(house.db) == []
    return [(row["name"], row["act"], json.loads(row["after"])) for row in rows]


async def refused(api: Plain, here: Context, one: Withdrawal, token: str, body: dict[str, Any]) -> dict[str, Any]:
    """What a review is refused with; nothing was moved, written or logged."""
    before, log = await rows_of(here), await logged(here.house, f"withdrawal {one.id}")
    answer = await api.post(REVIEW, body, token=token)
    assert await rows_of(here) == before
    assert await logged(here.house, f"withdrawal {one.id}") == log
    return {"code": answer["code"], **answer["data"]}


async def test_a_withdrawal_is_shown_reviewed_and_logged(
    api: Plain, here: Context, reviewer: MakeReviewer, house: House
) -> None:
    one, who = (await withdraw(here, HALF)).withdrawal, await reviewer()
    rows = (await api.data("/api/operator/withdrawals", {"size": 100}, token=who.token))["list"]
    shown = next(row for row in rows if row["id"] == str(one.id))
    assert (shown["amount"], shown["value"], shown["needed"], shown["reviews"]) == (
        "20000.000000", "20000.000000", 1, [],
    )  # fmt: skip
    assert shown["risks"][0]["reason"] == "over_auto_max"
    assert shown["message"].encode() == rules.message(one)
    done = await api.data(REVIEW, who.body(one), token=who.token)
    assert (done["status"], done["revision"]) == ("on_chain_processing", one.revision + 1)
    assert [(said["staff"], said["verdict"], said["reason"]) for said in done["reviews"]] == [
        (who.worker.name, "yes", "looked at")
    ]
    kept = await house.db.row("SELECT staff, signature FROM withdrawal_reviews WHERE withdrawal = $1", one.id)
    assert kept is not None
    who.key.public_key().verify(kept["signature"], rules.message(one))
    assert kept["staff"] == who.worker.staff.id
    assert await logged(house, f"withdrawal {one.id}") == [
        (
            who.worker.name,
            "withdrawal.yes",
            {"reason": "looked at", "status": "on_chain_processing", "yes": 1, "needed": 1},
        )
    ]
    sent = (await api.data("/api/operator/withdrawals", {"status": "on_chain_processing"}, token=who.token))["list"]
    assert str(one.id) in [row["id"] for row in sent]


async def test_a_no_gives_everything_back_and_needs_no_signature(
    api: Plain, here: Context, reviewer: MakeReviewer
) -> None:
    before, who = await holdings(here), await reviewer()
    one = (await withdraw(here, HALF)).withdrawal
    done = await api.data(REVIEW, who.body(one, "no"), token=who.token)
    assert done["status"] == "refused"
    assert await holdings(here) == before
    assert [act for _, act, _ in await logged(here.house, f"withdrawal {one.id}")] == ["withdrawal.no"]


async def test_large_ones_need_two_different_people(api: Plain, here: Context, reviewer: MakeReviewer) -> None:
    one, first, second = (await withdraw(here, WHOLE)).withdrawal, await reviewer(), await reviewer()
    assert one.needed == 2
    done = await api.data(REVIEW, first.body(one), token=first.token)
    assert done["status"] == "pending_review"
    now = await stored(here, one.id)
    assert (await refused(api, here, one, first.token, first.body(now)))["error"] == "wrong_state"
    assert (await refused(api, here, one, second.token, second.body(one)))["error"] == "wrong_state", "stale revision"
    assert (await api.data(REVIEW, second.body(now), token=second.token))["status"] == "on_chain_processing"
    assert len(await logged(here.house, f"withdrawal {one.id}")) == 2


@pytest.mark.parametrize("verdicts", [("yes", "yes"), ("yes", "no"), ("no", "no")])
async def test_of_two_who_review_at_once_one_is_heard(
    api: Plain, here: Context, reviewer: MakeReviewer, verdicts: tuple[str, str]
) -> None:
    one, people = (await withdraw(here, HALF)).withdrawal, [await reviewer(), await reviewer()]
    answers = await asyncio.gather(
        *(
            api.post(REVIEW, who.body(one, verdict), token=who.token)
            for who, verdict in zip(people, verdicts, strict=True)
        )
    )
    assert sorted((answer["code"], answer["data"].get("error")) for answer in answers) == [
        (200, None), (422, "wrong_state"),
    ]  # fmt: skip
    assert len(await logged(here.house, f"withdrawal {one.id}")) == 1
    heard = next(verdict for verdict, answer in zip(verdicts, answers, strict=True) if answer["code"] == 200)
    assert (await stored(here, one.id)).status == {"yes": "on_chain_processing", "no": "refused"}[heard]


async def test_a_review_sent_again_is_answered_again_and_said_once(
    api: Plain, here: Context, reviewer: MakeReviewer
) -> None:
    one, who = (await withdraw(here, HALF)).withdrawal, await reviewer()
    body = who.body(one)
    first = await api.data(REVIEW, body, token=who.token)
    again = await api.data(REVIEW, body, token=who.token)
    assert {**again, "age_seconds": 0} == {**first, "age_seconds": 0}
    assert len(await logged(here.house, f"withdrawal {one.id}")) == 1
    two = (await withdraw(here, HALF)).withdrawal
    for other in (one, two):
        for verdict in ("yes", "no"):
            changed = who.body(other, verdict, request_id=body["request_id"], reason="another")
            assert (await refused(api, here, other, who.token, changed))["error"] == "request_conflict"
    assert (await stored(here, two.id)).status == "pending_review"


async def test_a_yes_without_the_own_signature_of_this_withdrawal_is_refused(
    api: Plain, here: Context, reviewer: MakeReviewer
) -> None:
    one, two = [(await withdraw(here, amount)).withdrawal for amount in (HALF, HALF)]
    who, other = await reviewer(), await reviewer()
    for signature, reason in (
        (None, "required"), (other.sign(one), "invalid"), (who.sign(two), "invalid"), ("00" * 64, "invalid"),
    ):  # fmt: skip
        answer = await refused(api, here, one, who.token, who.body(one, signature=signature))
        assert answer["errors"] == [{"field": "signature", "reason": reason}]


async def test_who_has_no_key_can_say_no_and_not_yes(
    api: Plain, here: Context, reviewer: MakeReviewer, database_url: str
) -> None:
    one, who = (await withdraw(here, HALF)).withdrawal, await reviewer()
    owner = await asyncpg.connect(database_url)
    await owner.execute("UPDATE staff SET public_key = NULL WHERE id = $1", who.worker.staff.id)
    await owner.close()
    answer = await refused(api, here, one, who.token, who.body(one))
    assert answer["errors"] == [{"field": "signature", "reason": "no_key"}]
    assert (await api.data(REVIEW, who.body(one, "no"), token=who.token))["status"] == "refused"


async def test_no_yes_while_money_out_is_stopped(api: Plain, here: Context, reviewer: MakeReviewer) -> None:
    one, who = (await withdraw(here, HALF)).withdrawal, await reviewer()
    async with here.db.transaction() as step:
        await stop_money_out(step, reason="a test", by="test", wall=1)
    try:
        assert (await refused(api, here, one, who.token, who.body(one)))["error"] == "money_out_stopped"
        board = await api.data("/api/operator/dashboard", {}, token=who.token)
        assert board["money_out"] == {"stopped": True, "reason": "a test"}
        assert (await api.data(REVIEW, who.body(one, "no"), token=who.token))["status"] == "refused"
    finally:
        async with here.db.transaction() as step:
            await clear_money_out(step, reason="over", by="test", wall=2)
        await until_money_goes_out(here.ledger, here.db.value)


@pytest.mark.parametrize("role", ROLES)
async def test_each_role_looks_and_decides_as_it_may(
    api: Plain, here: Context, scene: SandboxScene, reviewer: MakeReviewer, role: str
) -> None:
    one, who = (await withdraw(here, HALF)).withdrawal, await reviewer(role)
    for name in ("withdrawals", "deposits"):
        answer = await api.post(f"/api/operator/{name}", {}, token=who.token)
        assert (answer["code"] == 200) == (role in READERS), (name, answer)
    if role != "reviewer":
        assert (await refused(api, here, one, who.token, who.body(one)))["error"] == "forbidden"
    scene.pay(5 * 10**8, asset=KLS)
    await scene.grow(4)
    (deposit,) = await scene.rows()
    unknown = await api.post(DECIDE, decision(10**12, 1), token=who.token)
    assert unknown["code"] == (404 if role in ("reviewer", "treasurer") else 403)
    answer = await api.post(DECIDE, decision(deposit.id, deposit.revision), token=who.token)
    assert (answer["code"] == 200) == (role == "reviewer"), answer
    assert await scene.available(KLS) == (5 * 10**8 if answer["code"] == 200 else 0)


def decision(number: int, revision: int, verdict: str = "credit", **fields: Any) -> dict[str, Any]:
    body = {"id": str(number), "revision": revision, "verdict": verdict, "reason": "looked at"}
    return body | {"request_id": request_id()} | fields


async def test_a_top_up_that_waits_is_shown_decided_once_and_logged(
    api: Plain, scene: SandboxScene, reviewer: MakeReviewer
) -> None:
    who, other = await reviewer(), await reviewer()
    scene.pay(3 * ONE)
    await scene.grow(4)
    rows = (await api.data("/api/operator/deposits", {"size": 100}, token=who.token))["list"]
    (shown,) = [row for row in rows if row["account"] == scene.member.account]
    assert (shown["amount"], shown["reason"]) == ("3.000000", "below_minimum")
    assert shown["verdicts"] == ["credit"]
    body = decision(int(shown["id"]), shown["revision"])
    answers = await asyncio.gather(*(api.post(DECIDE, body, token=who.token) for _ in range(3)))
    assert [answer["code"] for answer in answers] == [200] * 3
    assert answers[0]["data"]["status"] == "approved"
    assert await scene.available() == 3 * ONE
    changed = await api.post(DECIDE, {**body, "reason": "another"}, token=who.token)
    assert changed["data"]["error"] == "request_conflict"
    late = await api.post(DECIDE, decision(int(shown["id"]), shown["revision"]), token=other.token)
    assert late["data"]["error"] == "wrong_state"
    assert await scene.available() == 3 * ONE
    assert await logged(scene.house, f"deposit {shown['id']}") == [
        (who.worker.name, "deposit.credit", {"reason": "looked at", "status": "approved"})
    ]


@pytest.mark.parametrize("reason", ["house", "listed_sender"])
async def test_the_houses_own_top_up_is_a_treasurers_to_place(
    api: Plain, scene: SandboxScene, reviewer: MakeReviewer, tmp_path: Path, reason: str
) -> None:
    (tmp_path / "list").write_text(TREASURY if reason == "listed_sender" else "# nobody")
    scene.house = dataclasses.replace(scene.house, screening=ListedAddresses(tmp_path / "list"))
    scene.chain.transfer(USDT, await deposit_address(scene.house, purse.HOUSE), 9 * ONE)
    await scene.grow(4)
    (one,) = await scene.rows(purse.HOUSE)
    assert one.reason == reason
    who, treasurer = await reviewer(), await reviewer("treasurer")
    assert (await api.post(DECIDE, decision(one.id, one.revision), token=who.token))["code"] == 403
    done = await api.data(DECIDE, decision(one.id, one.revision), token=treasurer.token)
    assert (done["status"], done["account"]) == ("approved", "")


async def test_what_is_ones_own_is_decided_by_somebody_else(
    api: Plain, here: Context, scene: SandboxScene, reviewer: MakeReviewer, database_url: str
) -> None:
    who, other = await reviewer(), await reviewer()
    owner = await asyncpg.connect(database_url)
    try:
        for account in (scene.member.account, here.caller.account):  # the last one counts
            assert await set_own_account(owner, name=who.worker.name, account=account, by="tests")
    finally:
        await owner.close()
    assert (await api.data("/api/operator/me", {}, token=who.token))["account"] == here.caller.account
    one = (await withdraw(here, HALF)).withdrawal
    for verdict in ("yes", "no"):
        assert await refused(api, here, one, who.token, who.body(one, verdict)) == {"code": 403, "error": "own_account"}
    assert (await api.data(REVIEW, other.body(one), token=other.token))["status"] == "on_chain_processing"
    scene.pay(3 * ONE)
    await scene.grow(4)
    (deposit,) = await scene.rows()
    assert (await api.post(DECIDE, decision(deposit.id, deposit.revision), token=who.token))["code"] == 200


async def test_ones_own_top_up_is_credited_by_somebody_else(
    api: Plain, scene: SandboxScene, reviewer: MakeReviewer, database_url: str
) -> None:
    who, other = await reviewer(), await reviewer()
    owner = await asyncpg.connect(database_url)
    try:
        assert await set_own_account(owner, name=who.worker.name, account=scene.member.account, by="tests")
        assert not await set_own_account(owner, name=other.worker.name, account=scene.member.account, by="tests")
    finally:
        await owner.close()
    scene.pay(3 * ONE)
    await scene.grow(4)
    (deposit,) = await scene.rows()
    answer = await api.post(DECIDE, decision(deposit.id, deposit.revision), token=who.token)
    assert (answer["code"], answer["data"], await scene.available()) == (403, {"error": "own_account"}, 0)
    assert (await api.post(DECIDE, decision(deposit.id, deposit.revision), token=other.token))["code"] == 200


async def test_what_is_not_there_is_not_found(api: Plain, reviewer: MakeReviewer) -> None:
    who = await reviewer("reviewer", "treasurer")
    body = {"id": "9" * 17, "revision": 1, "verdict": "no", "reason": "r", "request_id": request_id()}
    assert (await api.post(REVIEW, body, token=who.token))["data"]["error"] == "not_found"
    assert (await api.post(DECIDE, {**body, "verdict": "refuse"}, token=who.token))["data"]["error"] == "not_found"


async def test_the_log_has_each_act_once_however_many_workers_write_it(
    api: Plain, here: Context, reviewer: MakeReviewer
) -> None:
    made, who = [(await withdraw(here, HALF)).withdrawal for _ in range(3)], await reviewer()
    for one in made:
        await api.data(REVIEW, who.body(one, "no"), token=who.token)
    await asyncio.gather(*(jobs.follow(here.house) for _ in range(6)))
    for one in made:
        assert len(await logged(here.house, f"withdrawal {one.id}")) == 1


async def test_who_waits_longest_stands_first_and_it_is_told_how_long(
    api: Plain, here: Context, scene: SandboxScene, reviewer: MakeReviewer, database_url: str
) -> None:
    """As if the first had come three hours ago, the second two."""
    who = await reviewer()
    asked = [str((await withdraw(here, HALF)).withdrawal.id) for _ in range(2)]
    for units in (ONE, 2 * ONE):
        scene.pay(units)
        await scene.grow(4)
    came = [str(row.id) for row in await scene.rows()]
    for place, hours in enumerate((3, 2)):
        await wait(database_url, "withdrawals", "requested_at", asked[place], hours)
        await wait(database_url, "deposits", "seen_at", came[place], hours)
    for path, wanted in (("withdrawals", asked), ("deposits", came)):
        rows = (await api.data(f"/api/operator/{path}", {"size": 100}, token=who.token))["list"]
        found = [(row["id"], row["age_seconds"] // 3_600) for row in rows if row["id"] in wanted]
        assert found == [(wanted[0], 3), (wanted[1], 2)], path
