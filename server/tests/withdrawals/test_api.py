"""The calls of withdrawals through the kernel: their shapes, a request that is sent again, lists, claims."""

import uuid
from typing import Any

import pytest

from factors.scene import OUT, mailed
from kalos.app.calls import REGISTERS
from kalos.core.assets import USDT
from kalos.core.money import parse_amount
from kalos.domains.context import Context, House
from kalos.domains.factors import rules as factors
from kalos.domains.withdrawals import jobs, rules
from kalos.ledger import purse
from kalos.ledger.postings import Move, Posting
from kalos.ledger.purse import Purpose
from support.ledger import crowd, posting
from support.members import begin_session, fund
from support.plain import Plain, plain_api
from withdrawals.conftest import MakeRich
from withdrawals.scene import end, holdings, reviewed, rows_of, see, sign, stored, withdraw, write_down

Ready = tuple[Plain, Context, str]


@pytest.fixture
async def ready(house: House, rich: MakeRich) -> Ready:
    """The API, a member with means, and the token of a session."""
    me = await rich(usdt="100000", kls="1000")
    token = await begin_session(house.db, me.caller)
    return await plain_api(house, REGISTERS), me, token


async def body(me: Context, amount: Any, coin_type: int = 1, **fields: Any) -> dict[str, Any]:
    number = await write_down(me)
    coin = USDT if coin_type == 1 else None
    assert coin is not None
    code = await mailed(me, "withdraw", bound=factors.withdrawal(parse_amount(amount, coin), number), what="x")
    asked = {"coin_type": coin_type, "amount": amount, "wallet_id": str(number), "out_password": OUT}
    return asked | {"email_code": code, "request_id": uuid.uuid4().hex} | fields


async def test_what_the_form_must_know(ready: Ready) -> None:
    api, me, token = ready
    number = await write_down(me)
    told = await api.data("/api/withdraw/index", {}, token=token)
    usdt, kls = told["assets"]
    assert usdt == {
        "coin_type": 1,
        "asset": "USDT",
        "available": "100000.000000",
        "minimum": "10.000000",
        "fee_rate": "0.005",
        "fee_asset": "KLS",
        "daily_left": "100000.000000",
    }
    assert (kls["coin_type"], kls["asset"], kls["minimum"]) == (2, "KLS", "20.00000000")
    (entry,) = told["addresses"]
    assert (entry["id"], entry["label"]) == (str(number), "My wallet")
    assert (told["price"], told["selling_price"], told["price_source"]) == ("0.50000000", "0.50500000", "ref_first")
    assert (told["auto_max"], told["held_until"], told["is_stopped"]) == ("10000.000000", None, False)


async def test_withdraw_and_send_the_same_again(ready: Ready, database_url: str) -> None:
    api, me, token = ready
    asked = await body(me, "100")
    made = await api.data("/api/withdraw/withdrawCoin", asked, token=token)
    one = await stored(me, int(made["id"]))
    assert made == {
        "id": str(one.id),
        "kind": "withdrawal.open",
        "status": "on_chain_processing",
        "asset": "USDT",
        "amount": "100.000000",
        "fee": "1.00000000",
        "fee_asset": "KLS",
        "received": "100.000000",
        "balance": "99900.000000",
        "at": one.requested_at,
        "fee_rate": "0.005",
        "address": one.address,
        "label": "My wallet",
        "chain": 31337,
        "price": "0.50000000",
        "price_at": one.price_at,
        "price_source": "ref_first",
        "risks": [],
        "needed": 0,
    }
    await end(database_url, one.id, "approved")
    await jobs.settle_ended(me.house)
    assert await api.data("/api/withdraw/withdrawCoin", asked, token=token) == made
    other = await api.post("/api/withdraw/withdrawCoin", asked | {"amount": "101"}, token=token)
    assert (other["code"], other["data"]["error"]) == (409, "request_conflict")
    assert (await holdings(me))["USDT available"] == 99_900_000_000


@pytest.mark.parametrize(
    ("fields", "code", "error"),
    [
        ({"amount": "1e3"}, 400, "invalid_amount"),
        ({"amount": "\uff11\uff10\uff10"}, 400, "invalid_amount"),
        ({"amount": "1_000"}, 400, "invalid_amount"),
        ({"amount": "-100"}, 400, "invalid_amount"),
        ({"amount": "100.0000001"}, 400, "invalid_amount"),
        ({"amount": 100.0}, 400, "invalid_input"),
        ({"amount": True}, 400, "invalid_input"),
        ({"amount": "1000000000000000000000"}, 400, "invalid_amount"),
        ({"amount": "9"}, 400, "below_minimum"),
        ({"coin_type": 3}, 400, "invalid_input"),
        ({"wallet_id": "\u0661"}, 400, "invalid_input"),
        ({"wallet_id": "999999999999999999"}, 404, "not_found"),
        ({"request_id": "short"}, 400, "invalid_input"),
        ({"out_password": "999999"}, 403, "wrong_out_password"),
        ({"email_code": None}, 403, "second_factor_required"),
        ({"email_code": "no-code"}, 401, "wrong_code"),
        ({"amount": "100001"}, 422, "insufficient_balance"),
        ({"note": "x"}, 400, "invalid_input"),
        ({"most_fee": "1.000000001"}, 400, "invalid_amount"),
        ({"most_purchase": "-1"}, 400, "invalid_amount"),
        ({"most_fee": "0.99999999"}, 422, "price_changed"),
    ],
)
async def test_what_is_odd_is_refused_and_nothing_moves(
    ready: Ready, fields: dict[str, Any], code: int, error: str
) -> None:
    api, me, token = ready
    asked = await body(me, "100") | fields
    before = await rows_of(me)
    refused = await api.post("/api/withdraw/withdrawCoin", asked, token=token)
    assert (refused["code"], refused["data"]["error"]) == (code, error)
    assert await rows_of(me) == before


async def test_a_hold_says_until_when_in_words_and_figures(ready: Ready) -> None:
    api, me, token = ready
    asked = await body(me, "100")
    until = me.now + 3_600_000
    await me.db.execute(
        "INSERT INTO security_events (member, event, network, device, at, held_until) VALUES ($1, $2, '', '', $3, $4)",
        me.caller.id, "password_changed", me.now, until,
    )  # fmt: skip
    refused = await api.post("/api/withdraw/withdrawCoin", asked, token=token)
    assert (refused["code"], refused["data"]) == (423, {"error": "security_hold", "until": until})
    assert (await api.data("/api/withdraw/index", {}, token=token))["held_until"] == until


async def test_the_list_shows_own_withdrawals_by_coin_and_state(
    ready: Ready, rich: MakeRich, database_url: str
) -> None:
    api, me, token = ready
    sent = (await withdraw(me, "100")).withdrawal
    waiting = (await withdraw(me, "20000")).withdrawal
    refused = (await withdraw(me, "20", "KLS")).withdrawal
    await withdraw(await rich(usdt="100", kls="10"), "10")
    transaction = await end(database_url, sent.id, "approved")
    await jobs.settle_ended(me.house)
    told = await api.data("/api/withdraw/list", {"size": 2}, token=token)
    assert [row["id"] for row in told["list"]] == [str(refused.id), str(waiting.id)]
    assert (told["total"], told["next"]) == (3, str(waiting.id))
    rest = await api.data("/api/withdraw/list", {"size": 2, "after": told["next"]}, token=token)
    (row,) = rest["list"]
    assert (row["id"], row["status"], row["transaction"]) == (str(sent.id), "approved", transaction)
    assert (row["confirmations"], row["required"], row["needed"]) == (row["required"], row["required"], 0)
    by = {"coin_type": 2}, {"status": "pending_review"}, {"coin_type": 1, "status": "refused"}
    ids = [[row["id"] for row in (await api.data("/api/withdraw/list", one, token=token))["list"]] for one in by]
    assert ids == [[str(refused.id)], [str(waiting.id)], []]
    await reviewed(me, waiting, is_yes=False, reason="not yours")
    (row,) = (await api.data("/api/withdraw/list", {"status": "refused"}, token=token))["list"]
    assert (row["reason"], row["risks"]) == ("not yours", [{"reason": "over_auto_max", "detail": "10000.000000"}])


async def test_the_book_says_when_each_address_was_last_used(ready: Ready, database_url: str) -> None:
    api, me, token = ready
    never, used = await write_down(me), await write_down(me)

    async def told() -> dict[str, int | None]:
        rows = (await api.data("/api/user/walletList", {}, token=token))["list"]
        return {row["id"]: row["last_used_at"] for row in rows}

    assert await told() == {str(never): None, str(used): None}
    first = (await withdraw(me, "100", wallet=used)).withdrawal
    assert await told() == {str(never): None, str(used): first.requested_at}
    second = (await withdraw(me, "20000", wallet=used)).withdrawal
    await reviewed(me, second, is_yes=False)
    assert await told() == {str(never): None, str(used): second.requested_at}
    await end(database_url, first.id, "approved")
    await jobs.settle_ended(me.house)


async def test_one_on_its_way_shows_the_block_that_has_it_now(ready: Ready, database_url: str) -> None:
    api, me, token = ready
    one = (await withdraw(me, "100")).withdrawal
    required = me.house.chain_terms.confirmations

    async def shown() -> tuple[str | None, int, str]:
        (row,) = (await api.data("/api/withdraw/list", {"size": 1}, token=token))["list"]
        assert row["required"] == required
        return row["transaction"], row["confirmations"], row["status"]

    assert await shown() == (None, 0, "on_chain_processing")
    await sign(database_url, one)
    assert await shown() == (None, 0, "on_chain_processing")
    for head, count in ((70, 0), (71, 1), (70 + required, required), (90 + required, required), (69, 0)):
        sent = await see(database_url, one, block=70, head=head)
        assert await shown() == (sent, count, "on_chain_processing")
    await see(database_url, one, block=None, head=80)
    assert await shown() == (None, 0, "on_chain_processing")
    await see(database_url, one, block=81, head=81)
    transaction = await end(database_url, one.id, "failed")
    await jobs.settle_ended(me.house)
    assert await shown() == (transaction, required, "failed")


async def test_the_code_is_asked_for_by_number_or_word(ready: Ready) -> None:
    api, me, token = ready
    number = await write_down(me)
    for coin in (1, "KLS"):
        await me.db.execute("DELETE FROM tries WHERE subject LIKE 'code-%'")
        asked = {"scene": "withdraw", "coin_type": coin, "amount": "100", "wallet_id": str(number)}
        assert await api.data("/api/user/sendEmail", asked, token=token) == {}
    other = await api.post("/api/user/sendEmail", asked | {"scene": "address"}, token=token)
    assert (other["code"], other["data"]["errors"]) == (400, [{"field": "scene", "reason": "other_fields"}])
    missing = await api.post("/api/user/sendEmail", asked | {"wallet_id": str(number + 10**9)}, token=token)
    assert (missing["code"], missing["data"]["error"]) == (404, "not_found")


async def test_claimable_income_becomes_available_once(ready: Ready) -> None:
    api, me, token = ready
    claimable = purse.account(me.caller.id, USDT, Purpose.CLAIMABLE)
    move = Move("test.fund", purse.outside(Purpose.CHAIN, USDT), claimable, 5_000_000)
    await me.ledger.post(Posting(key=uuid.uuid4().bytes * 2, moves=[move]))
    asked = {"amount": "2", "request_id": uuid.uuid4().hex}
    made = await api.data("/api/withdraw/receiveUsdt", asked, token=token)
    told = (made["kind"], made["status"], made["amount"], made["received"], made["balance"])
    assert told == ("income.claimed", "approved", "2.000000", "2.000000", "100002.000000")
    assert await api.data("/api/withdraw/receiveUsdt", asked, token=token) == made
    over = {"amount": "3.000001", "request_id": uuid.uuid4().hex}
    before = await rows_of(me)
    refused = await api.post("/api/withdraw/receiveUsdt", over, token=token)
    assert (refused["code"], refused["data"]["error"]) == (422, "claim_too_high")
    zero = await api.post("/api/withdraw/receiveUsdt", over | {"amount": "0"}, token=token)
    assert (zero["code"], zero["data"]["errors"]) == (400, [{"field": "amount", "reason": "zero"}])
    assert await rows_of(me) == before


async def earn(me: Context, units: int) -> None:
    """Income that waits to be claimed."""
    claimable = purse.account(me.caller.id, USDT, Purpose.CLAIMABLE)
    await me.ledger.post(posting(Move("test.fund", purse.outside(Purpose.CHAIN, USDT), claimable, units)))


async def test_a_claim_that_was_refused_may_be_sent_again_with_its_id(ready: Ready) -> None:
    api, me, token = ready
    path = "/api/withdraw/receiveUsdt"
    asked = {"amount": "2", "request_id": uuid.uuid4().hex}
    await earn(me, 1_000_000)
    for amount, code in (("2", 422), ("2.5", 422), ("0", 400), ("2", 422)):  # another body, too: it was used for none
        assert (await api.post(path, asked | {"amount": amount}, token=token))["code"] == code
    await earn(me, 2_000_000)
    made = await api.data(path, asked, token=token)
    assert (made["amount"], made["balance"]) == ("2.000000", "100002.000000")
    assert await api.data(path, asked, token=token) == made
    other = await api.post(path, asked | {"amount": "1"}, token=token)
    assert (other["code"], other["data"]["error"]) == (409, "request_conflict")
    assert (await holdings(me))["USDT available"] == 100_002_000_000


async def test_a_withdrawal_that_was_refused_may_be_sent_again_with_its_id(house: House, rich: MakeRich) -> None:
    """Its code was shown once: that counts for the same body."""
    api, me = await plain_api(house, REGISTERS), await rich(usdt="50", kls="1000")
    token, path = await begin_session(house.db, me.caller), "/api/withdraw/withdrawCoin"
    asked = await body(me, "60")
    refused = await api.post(path, asked, token=token)
    assert (refused["code"], refused["data"]["error"]) == (422, "insufficient_balance")
    await fund(house.ledger, me.caller, usdt="50")
    made = await api.data(path, asked, token=token)
    assert (made["amount"], made["balance"]) == ("60.000000", "40.000000")
    assert await api.data(path, asked, token=token) == made
    assert (await holdings(me))["USDT available"] == 40_000_000


async def test_an_id_is_of_one_member_and_one_call(ready: Ready, house: House, rich: MakeRich) -> None:
    api, me, token = ready
    other = await rich()
    theirs = await begin_session(house.db, other.caller)
    withdrawal = await body(me, "100")
    claim = {"amount": "2", "request_id": withdrawal["request_id"]}
    asked = [("withdrawCoin", withdrawal, token), ("receiveUsdt", claim, token), ("receiveUsdt", claim, theirs)]
    for one in (me, other):
        await earn(one, 2_000_000)
    made = [await api.data(f"/api/withdraw/{name}", sent, token=whose) for name, sent, whose in asked]
    assert [one["balance"] for one in made] == ["99900.000000", "99902.000000", "2.000000"]
    assert [await api.data(f"/api/withdraw/{name}", sent, token=whose) for name, sent, whose in asked] == made
    assert len({one["id"] for one in made}) == 3


async def test_receipts_are_found_among_any_number_of_moves_of_their_millisecond(ready: Ready, house: House) -> None:
    api, me, token = ready
    claimable, mine = purse.account(me.caller.id, USDT, Purpose.CLAIMABLE), purse.available(me.caller.id, USDT)
    await me.ledger.post(posting(Move("test.fund", purse.outside(Purpose.CHAIN, USDT), claimable, 5_000_000)))
    claim = {"amount": "2", "request_id": uuid.uuid4().hex}
    for call, asked in (("receiveUsdt", claim), ("withdrawCoin", await body(me, "50"))):
        made = await api.data(f"/api/withdraw/{call}", asked, token=token)
        await crowd(me.ledger, house.clock, mine, rules.CLAIMED)
        assert await api.data(f"/api/withdraw/{call}", asked, token=token) == made
