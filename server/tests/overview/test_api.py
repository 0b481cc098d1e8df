"""The shapes of the calls that show: exact, and each member's own."""

import uuid
from dataclasses import replace
from typing import Any

import pytest

from conftest import MakeMember
from factors.scene import bind, give_out, refused
from kalos.core.assets import USA, USDT, Asset
from kalos.core.clock import HOUR_MS, Clock
from kalos.core.errors import PriceUnavailable
from kalos.core.ports import Price
from kalos.core.tokens import digest, new_token
from kalos.domains.context import Context, House, Member
from kalos.domains.factors.service import check_out_password
from kalos.domains.identity import queries
from kalos.domains.identity.service import note
from kalos.domains.identity.tables import SessionRow
from kalos.domains.overview.api import STATEMENTS, calls
from kalos.domains.protection import api as protection
from kalos.ledger import purse
from kalos.ledger.postings import Move, Posting
from kalos.ledger.purse import Purpose
from kalos.wire.languages import LANGUAGES
from support.members import make_member
from support.plain import Plain, plain_api


class NoPrices:
    """A source that has nothing valid to say."""

    async def price(self, asset: Asset) -> Price:
        raise PriceUnavailable(asset=asset.code)

    last = price


@pytest.fixture(scope="module")
async def api(house: House) -> Plain:
    return await plain_api(house, [calls])


async def token_of(house: House, member: Member) -> str:
    token, wall = new_token(), Clock.wall()
    async with house.db.transaction() as db:
        await queries.insert_session(db, SessionRow(digest(token), member.id, "", "", wall, 60_000, wall + 60_000))
    return token


async def test_info(api: Plain, house: House, member: MakeMember) -> None:
    me = await member(usdt="12.5", kls="7")
    token = await token_of(house, me)
    info = await api.data("/api/user/info", {}, token=token)
    row = (await queries.find_profile(house.db, me.id)).row
    assert info == {
        "account": me.account,
        "email": f"m***{row.email.partition('@')[0][-1]}@test.example",
        "invite_code": row.invite_code,
        "invite_link": f"/register?code={row.invite_code}",
        "superior": None,
        "registered_at": 1_700_000_000_000,
        "email_bound": True,
        "out_password_set": False,
        "out_password_locked": False,
        "google_bound": False,
        "withdrawals_held_until": None,
        "security_hold": 24,
        "country": None,
        "limits": {"stake": None, "loss": None, "topup": None, "reminder": None},
        "login_wallets": [],
        "anti_phishing": None,
        "balances": [
            {"asset": "USDT", "available": "12.500000", "held": "0.000000"},
            {"asset": "KLS", "available": "7.00000000", "held": "0.00000000"},
        ],
        "share_user_list": {"list": [], "total": 0},
        **dict.fromkeys(("level", "vip_level", "direct_users", "team_users"), 0),
        **dict.fromkeys(("turnover", "team_turnover", "personal_performance", "team_performance"), "0.000000"),
        **dict.fromkeys(("large_zone", "small_zone"), "0.000000"),
    }


async def test_info_says_what_is_set(api: Plain, house: House, member: MakeMember) -> None:
    me = await member()
    ctx, token = Context(house=house, member=me), await token_of(house, me)
    seen = []
    for step in (give_out, bind, lock_out):
        await step(ctx)
        info = await api.data("/api/user/info", {}, token=token)
        seen.append([info[flag] for flag in ("out_password_set", "google_bound", "out_password_locked")])
    assert seen == [[True, False, False], [True, True, False], [True, True, True]]


async def lock_out(ctx: Context) -> None:
    """Wrong withdrawal passwords until money calls are shut."""
    for _ in range(ctx.terms.out_password_tries[0]):
        assert await refused(check_out_password(ctx, "999999")) == "wrong_out_password"


async def test_info_says_who_invited_where_from_and_until_when_withdrawals_are_held(
    api: Plain, house: House, member: MakeMember, database_url: str
) -> None:
    above = await member()
    me = await make_member(database_url, inviter=above.id, country="VN")
    ctx = Context(house=house, member=me)
    async with house.db.transaction() as db:
        await note(ctx, db, me.id, "password_changed")
    info = await api.data("/api/user/info", {}, token=await token_of(house, me))
    assert (info["superior"], info["country"]) == (above.account, "VN")
    held_for = info["withdrawals_held_until"] - house.clock.now()
    assert 23 * HOUR_MS < held_for <= info["security_hold"] * HOUR_MS == 24 * HOUR_MS


async def test_info_shows_the_limits_that_count_now(house: House, member: MakeMember) -> None:
    api, token = await plain_api(house, [calls, protection.calls]), await token_of(house, await member())
    await api.data("/api/user/setLimits", {"stake": "100.5", "reminder": 60}, token=token)
    await api.data("/api/user/setLimits", {"stake": "500"}, token=token)  # a higher one counts later
    info = await api.data("/api/user/info", {}, token=token)
    assert info["limits"] == {"stake": "100.500000", "loss": None, "topup": None, "reminder": 60}


async def test_finances(api: Plain, house: House, member: MakeMember) -> None:
    me = await member(usdt="12.5", kls="7")
    finances = await api.data("/api/finance/userFinance", {}, token=await token_of(house, me))
    history = finances.pop("history")
    assert finances == {
        "total": "16.000000",
        "change_24h": "16.000000",
        "price_source": {
            "asset": "KLS",
            "price": "0.50000000",
            "at": finances["price_source"]["at"],
            "source": "ref_first",
        },
        "list": [
            {"asset": "USDT", "available": "12.500000", "held": "0.000000", "value": "12.500000"},
            {"asset": "KLS", "available": "7.00000000", "held": "0.00000000", "value": "3.500000"},
        ],
    }
    assert 0 <= house.clock.now() - finances["price_source"]["at"] < 10_000
    assert len(history) == 30
    assert history[-1]["total"] == "16.000000"
    assert {row["total"] for row in history[:-1]} == {"0.000000"}
    assert [row["day"] for row in history] == sorted(row["day"] for row in history)


async def test_income(api: Plain, house: House, member: MakeMember) -> None:
    from overview.test_service import move

    me = await member(usdt="12.5")
    await move(house, me, 9_500_000, kind="game.prize")
    income = await api.data("/api/auth/income", {}, token=await token_of(house, me))
    nothing = dict.fromkeys(("dividend", "referral", "release", "game", "shop", "total"), "0.000000")
    assert (income["price_source"]["asset"], income["price_source"]["price"]) == ("KLS", "0.50000000")
    assert income["today"] == income["total"] == nothing | {"game": "9.500000", "total": "9.500000"}
    assert income["yesterday"] == nothing


@pytest.mark.parametrize("path", ["/api/finance/userFinance", "/api/auth/income"])
async def test_without_a_price_nothing_is_valued(house: House, member: MakeMember, path: str) -> None:
    unpriced = replace(house, prices=NoPrices())
    token = await token_of(house, await member(usdt="12.5"))
    refused = await (await plain_api(unpriced, [calls])).post(path, {}, token=token)
    assert (refused["code"], refused["data"]) == (422, {"error": "price_unavailable", "asset": "KLS"})


@pytest.mark.parametrize(
    ("path", "asset", "amount"),
    [
        ("usdtLog", "usdt", "12.500000"),
        ("usdcLog", "usdc", "12.500000"),
        ("usoLog", "uso", "12.500000"),
        ("usaLog", "usa", "12.500000"),
        ("klsLog", "kls", "12.50000000"),
        ("bwcLog", "bwc", "12.50000000"),
        ("bwtLog", "bwt", "12.50000000"),
        ("satsLog", "sats", "12.50000000"),
        ("domiLog", "domi", "12.50000000"),
        ("aleoLog", "aleo", "12.50000000"),
        ("rrtLog", "rrt", "12.50000000"),
        ("betPointLog", "point", "12.50"),
        ("energyLog", "energy", "12.50"),
        ("powerLog", "power", "12.50"),
    ],
)
async def test_statement_rows(api: Plain, house: House, member: MakeMember, path: str, asset: str, amount: str) -> None:
    me = await member(**{"usdt": "3", "kls": "4", asset: "12.5"})
    found = await api.data(f"/api/user/{path}", {"size": 5}, token=await token_of(house, me))
    [row] = found["list"]
    assert (found["total"], found["next"]) == (1, None)
    assert row.keys() == {"id", "time", "kind", "title", "amount", "balance", "reference"}
    assert (row["kind"], row["amount"], row["balance"]) == ("test.fund", amount, amount)
    assert row["reference"].isdigit()
    assert isinstance(row["id"], str)
    assert isinstance(row["time"], int)


@pytest.mark.parametrize(
    ("path", "asset", "purpose", "kind", "amount"),
    [
        ("usaFeeLog", USA, Purpose.AVAILABLE, "test.fee", "-0.070000"),
        ("divvyLog", USDT, Purpose.AVAILABLE, "test.dividend", "0.070000"),
        ("divvyWaitLog", USDT, Purpose.CLAIMABLE, "test.prize", "0.070000"),
    ],
)
async def test_statements_of_fees_and_dividends(
    api: Plain, house: House, member: MakeMember, path: str, asset: Asset, purpose: Purpose, kind: str, amount: str
) -> None:
    me = await member(usdt="3", usa="4")
    own, other = purse.account(me.id, asset, purpose), purse.house(Purpose.FEES, asset)
    moves = [
        Move("test.in", purse.outside(Purpose.CHAIN, USDT), purse.house(Purpose.FEES, USDT), 70_000),
        Move(kind, *((own, other) if kind == "test.fee" else (other, own)), 70_000),
    ]
    await house.ledger.post(Posting(key=uuid.uuid4().bytes * 2, moves=moves))
    found = await api.data(f"/api/user/{path}", {}, token=await token_of(house, me))
    assert [(row["kind"], row["amount"]) for row in found["list"]] == [(kind, amount)]
    assert (found["total"], found["next"]) == (1, None)


async def test_title_of_a_row_is_in_the_language_of_the_call(api: Plain, house: House, member: MakeMember) -> None:
    from overview.test_service import move

    me = await member()
    await move(house, me, 5, kind="chain.deposit")
    token = await token_of(house, me)
    titles = set()
    for lang in LANGUAGES:
        [row] = (await api.data("/api/user/usdtLog", {}, token=token, lang=lang))["list"]
        titles.add(row["title"])
    assert len(titles) >= 6
    assert "Top-up" in titles


async def test_list_is_read_on_by_its_next(api: Plain, house: House, member: MakeMember) -> None:
    from overview.test_service import move

    me = await member()
    for units in range(1, 6):
        await move(house, me, units)
    token = await token_of(house, me)
    seen: list[str] = []
    body: dict[str, Any] = {"size": 2}
    while True:
        page = await api.data("/api/user/usdtLog", body, token=token)
        assert page["total"] == 5
        seen += [row["amount"] for row in page["list"]]
        if page["next"] is None:
            break
        body["after"] = page["next"]
    assert seen == [f"0.00000{units}" for units in (5, 4, 3, 2, 1)]
    second = await api.data("/api/user/usdtLog", {"page": 2, "page_num": 2}, token=token)
    assert [row["amount"] for row in second["list"]] == ["0.000003", "0.000002"]


@pytest.mark.parametrize(
    "body",
    [
        {"size": 101},
        {"size": 0},
        {"size": "5"},
        {"size": 5, "page_num": 5},
        {"page": 101},
        {"page": 0},
        {"after": "x"},
        {"after": "9" * 40},
        {"start": -1},
        {"start": 2**53},
        {"start": "0"},
        {"end": 1.5},
        {"kind": "'; DROP TABLE journal"},
        {"member": 1000},
    ],
)
async def test_statement_body_out_of_form_is_400(api: Plain, house: House, member: MakeMember, body: Any) -> None:
    token = await token_of(house, await member())
    for path in STATEMENTS:
        answer = await api.post(path, body, token=token)
        assert (answer["code"], answer["data"]["error"]) == (400, "invalid_input"), path


@pytest.mark.parametrize(
    "body",
    [
        {"after": "0"},
        {"start": 5, "end": 4},
        {"start": 2**53 - 1},
        {"end": 0},
        {"kind": "."},
        {"kind": "a" * 61},
        {"page": 100, "size": 100},
        {"page": 2},
    ],
)
async def test_a_statement_of_nothing_is_empty(api: Plain, house: House, member: MakeMember, body: Any) -> None:
    token = await token_of(house, await member(usdt="1"))
    assert (await api.data("/api/user/usdtLog", body, token=token))["list"] == []


@pytest.mark.parametrize("after", ["1", "7", str(2**63 - 1)])
async def test_a_key_of_another_account_shows_nothing_of_it(
    api: Plain, house: House, member: MakeMember, after: str
) -> None:
    await member(usdt="5")
    token = await token_of(house, await member())
    found = await api.data("/api/user/usdtLog", {"after": after}, token=token)
    assert found == {"list": [], "total": 0, "next": None}


async def test_unknown_kind_is_an_empty_list(api: Plain, house: House, member: MakeMember) -> None:
    found = await api.data(
        "/api/user/usdtLog", {"kind": "no.such"}, token=await token_of(house, await member(usdt="1"))
    )
    assert (found["list"], found["total"], found["next"]) == ([], 0, None)


@pytest.mark.parametrize("path", ["/api/user/info", "/api/finance/userFinance", *STATEMENTS])
async def test_without_a_session_nothing_is_shown(api: Plain, path: str) -> None:
    assert await api.post(path, {}) == {
        "code": 406,
        "msg": "Please log in again",
        "data": {"error": "session_ended"},
    }
