"""Every built call, refused in every way that it knows: nothing has changed. No public call asks for a session."""

import re
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

import pytest

from conftest import MakeMember
from games.stage import SCENE, Stage
from kalos.app import demo
from kalos.app.calls import REGISTERS, all_calls
from kalos.core.assets import USDT
from kalos.core.database import Database
from kalos.core.tokens import new_token
from kalos.domains.context import Context, House, Member
from kalos.domains.withdrawals.rules import CLAIMED
from kalos.ledger.postings import Move, Posting
from kalos.ledger.purse import Purpose, account, outside
from support.members import begin_session
from support.people import PASSWORD, WRONG, make_root, proof, send_code, solved
from support.plain import Plain, plain_api

CALLS: Final = {call.path: call for call in all_calls(demo=True)}
COUNTED: Final = frozenset(
    {"limits", "tries", "captchas", "slides", "slide_proofs", "wire_nonces", "writer_lease", "alembic_version"}
)
"""Tables that say how often somebody came, what was tried and is used up, that the writer lives; the schema's own."""
HIDDEN: Final = frozenset({"broadcasts"})
"""What the API's role can't read whole; it may not write there either (`tests/ledger/test_roles`)."""
OF_NO_FIELD: Final[tuple[Any, ...]] = ([[]], {"a": {}}, True, 10**30, "\u202e", "x" * 10_000)
ADDRESS: Final = "0x52908400098527886E0F7030069857D2E4169EE7"
UNKNOWN: Final = "0x" + "ab" * 32
EMAIL: Final = "someone@people.example"

WITHDRAW, CLAIM = "/api/withdraw/withdrawCoin", "/api/withdraw/receiveUsdt"
TRUE = (("remove", True), ("buy_fee", True), ("listed", True))
"""What is right where a field says yes or no."""
Refused = tuple[str, dict[str, Any], int, str]
"""Path, body, and the code and name of the refusal."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A member with 110 USDT and 3,000 KLS and a session; a round that was open at first and one that is over."""

    stage: Stage
    api: Plain
    db: Database
    visitor: Context
    member: Member
    token: str
    open_round: str
    old_round: str
    email_code: str


@pytest.fixture(scope="module")
async def scene(house: House, member: MakeMember, database_url: str) -> Scene:
    stage = Stage(house)
    over, alice = await stage.begin(), await member(usdt="110", kls="3000")
    await stage.play(over, 3)
    view = await stage.begin()
    terms = replace(house.terms, rate_read=100_000, rate_money=100_000)
    api = await plain_api(replace(house, terms=terms), (*REGISTERS, demo.calls))
    token = await begin_session(house.db, alice)
    await claim_as_somebody(house)
    await make_root(database_url)
    visitor = Context(house=house)
    return Scene(stage, api, house.db, visitor, alice, token, view.id, over.id, await send_code(visitor, EMAIL))


async def claim_as_somebody(house: House) -> None:
    """The first move of a kind writes its name down: that is no change of those who are refused later."""
    claimable, available = (account(10**6, USDT, purpose) for purpose in (Purpose.CLAIMABLE, Purpose.AVAILABLE))
    moves = [Move("test.fund", outside(Purpose.CHAIN, USDT), claimable, 1), Move(CLAIMED, claimable, available, 1)]
    await house.ledger.post(Posting(key=uuid.uuid4().bytes * 2, moves=moves))


def bet_on(round_id: str) -> dict[str, Any]:
    stake = {"amount": "10", "balance_type": "USDT", "request_id": uuid.uuid4().hex}
    return {"scene_id": SCENE, "round": round_id, "option": "odd"} | stake


def right_bodies(scene: Scene) -> dict[str, dict[str, Any]]:
    """Of the calls that have fields which must be there: a body of the right form."""
    captcha = {"captcha_id": "a" * 22, "code": "ACE39"}
    asked = {"out_password": "246810", "request_id": "r" * 16}
    applied = {"invite_code": "ROOT01", "email": EMAIL, "email_code": scene.email_code, "password": PASSWORD}
    return {
        "/api/auth/sendEmail": {"email": EMAIL, "scene": "register", "captcha": captcha},
        "/api/auth/slideVerify": {"captcha_id": "a" * 22, "x": 100, "track": [[0, 0], [100, 400]]},
        "/api/auth/register": applied,
        "/api/auth/resetPwd": {"email": EMAIL, "email_code": "000000", "password": PASSWORD, "proof": "x"},
        "/api/auth/freeze": {"token": "x"},
        "/api/auth/login": {"name": EMAIL, "password": PASSWORD, **captcha},
        "/api/recharge/recharge": {"hash": UNKNOWN},
        "/api/game/scene": {"scene_id": SCENE},
        "/api/auth/nonce": {"address": ADDRESS},
        "/api/user/bindLogin": {"address": ADDRESS, "code": "0" * 32, "sign_message": "0x", "email_code": "402913"},
        "/api/user/bindWallet": {"chain": 31337, "address": ADDRESS, "label": "x"} | asked,
        "/api/user/delWallet": {"id": "1"} | asked,
        WITHDRAW: {"coin_type": 1, "amount": "10", "wallet_id": "1", "email_code": "402913"} | asked,
        CLAIM: {"amount": "1", "request_id": "r" * 16},
        "/api/game/beton": bet_on(scene.open_round),
        "/api/basic/gameplayDesc": {"game": "odd_even"},
        "/api/basic/upload": {"image_sha256": "ab" * 32},
        "/api/basic/uploadGrant": {"purpose": "picture", "type": "image/png", "size": 100, "sha256": "ab" * 32},
        "/api/shop/uploadImg": {"image_sha256": "ab" * 32},
        "/api/user/bindGoogle": {"code": "123456", "password": PASSWORD, "email_code": "123456"},
        "/api/user/unbindGoogle": {"google_code": "123456", "password": PASSWORD, "email_code": "123456"},
        "/api/user/upOutPwd": {"password": PASSWORD, "new_password": "246810", "confirm_password": "246810"},
        "/api/user/sendEmail": {"scene": "password"},
        "/api/demo/totp": {"secret": "A" * 32},
        "/api/user/endSession": {"id": "0" * 32},
        "/api/user/antiPhishing": {"word": "lighthouse"},
        "/api/support/open": {"subject": "A top-up", "text": "Where is it?"},
        "/api/support/reply": {"ticket_id": "1", "text": "Where is it?"},
        "/api/support/read": {"ticket_id": "1"},
        "/api/demo/inbox": {"email": EMAIL},
        "/api/demo/captcha": {"captcha_id": "a" * 22},
        "/api/demo/faucet": {"amount": "1"},
        "/api/demo/reorg": {"depth": 1},
    }


@asynccontextmanager
async def nothing_changes(db: Database) -> AsyncIterator[None]:
    before = await everything(db)
    yield
    after = await everything(db)
    assert {table for table in before if before[table] != after[table]} == set()
    assert before.keys() == after.keys()


async def everything(db: Database) -> dict[str, str]:
    """A hash of each table's rows; a code's own tries are counted, too."""
    rows = await db.rows("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    each = [
        f"SELECT '{name}' AS name, md5(jsonb_agg(row ORDER BY row)::text) AS hash"
        f" FROM (SELECT to_jsonb({name}) - 'tries' AS row FROM {name}) AS rows"
        for name in sorted({row["tablename"] for row in rows} - COUNTED - HIDDEN)
    ]
    return {row["name"]: row["hash"] or "" for row in await db.rows(" UNION ALL ".join(each))}


@pytest.mark.parametrize("path", CALLS)
async def test_what_no_field_takes_changes_nothing(path: str, scene: Scene) -> None:
    """Each field in turn, the others right; and a field that isn't there."""
    right = right_bodies(scene).get(path, {})
    fields = CALLS[path].body.__struct_fields__
    wrong = [{field: value} for field in fields for value in OF_NO_FIELD if (field, value) not in TRUE]
    async with nothing_changes(scene.db):
        for change in (*wrong, {"unheard_of": 1}):
            answer = await scene.api.post(path, right | change, token=scene.token)
            assert answer["code"] == 400, (change, answer)


async def test_rules_that_say_no_change_nothing(scene: Scene) -> None:
    """With 10 USDT of the member's on a round that began just now: the first one may be over."""
    scene = replace(scene, open_round=(await scene.stage.begin()).id)
    placed = bet_on(scene.open_round)
    await scene.api.data("/api/game/beton", placed, token=scene.token)
    for path, body, code, name in await refused(scene, placed):
        async with nothing_changes(scene.db):
            answer = await scene.api.post(path, body, token=scene.token)
        assert (answer["code"], answer["data"].get("error")) == (code, name), (path, body, answer)


async def refused(scene: Scene, placed: dict[str, Any]) -> list[Refused]:
    right, bet = right_bodies(scene), bet_on(scene.open_round)
    login, application = right["/api/auth/login"], right["/api/auth/register"]
    beton, scene_of, topup = "/api/game/beton", "/api/game/scene", "/api/recharge/recharge"
    log_in, register, clock = "/api/auth/login", "/api/auth/register", "/api/demo/clock"
    bind_login, bind_wallet, del_wallet = (f"/api/user/{name}" for name in ("bindLogin", "bindWallet", "delWallet"))
    mail_code, verify, reset = "/api/auth/sendEmail", "/api/auth/slideVerify", "/api/auth/resetPwd"
    drawn = await scene.api.data("/api/auth/slide", {})
    out, mail = "/api/user/upOutPwd", "/api/user/sendEmail"
    out_new = {"new_password": "246810", "confirm_password": "246810"}
    first = out_new | {"password": PASSWORD}
    withdrawal = {"scene": "withdraw", "coin_type": "USDT", "amount": "10", "wallet_id": "1"}
    captcha = await solved(scene.visitor)
    answered = {"captcha_id": captcha.id, "code": captcha.text}
    wrongly = {"captcha_id": (await solved(scene.visitor)).id, "code": "WRONG"}
    return [
        (beton, bet | {"amount": "100.000001"}, 422, "insufficient_balance"),
        (beton, bet | {"balance_type": "KLS", "amount": "3001"}, 422, "insufficient_balance"),
        (beton, bet | {"balance_type": "KLS", "amount": "3000"}, 422, "limit_reached"),
        (beton, bet | {"amount": "0.999999"}, 400, "below_minimum"),
        (beton, bet | {"amount": "1.0000001"}, 400, "invalid_amount"),
        (beton, bet | {"amount": "-1"}, 400, "invalid_amount"),
        (beton, bet | {"scene_id": "odd_even-7"}, 404, "not_found"),
        (beton, bet | {"scene_id": "odd_even-180"}, 404, "not_found"),
        (beton, bet | {"round": "odd_even-60-1"}, 404, "not_found"),
        (beton, bet | {"round": scene.old_round}, 422, "round_closed"),
        (beton, bet | {"option": "seven"}, 400, "invalid_input"),
        (beton, bet | {"balance_type": "BTC"}, 400, "invalid_input"),
        (beton, bet | {"request_id": "short"}, 400, "invalid_input"),
        (beton, placed | {"amount": "11"}, 409, "request_conflict"),
        (scene_of, {"scene_id": "odd_even-7"}, 404, "not_found"),
        ("/api/game/getBlock", {"round": "odd_even-60-1"}, 404, "not_found"),
        ("/api/game/blockLog", {"scene_id": "odd_even-7"}, 404, "not_found"),
        ("/api/basic/gameplayDesc", {"game": "chess"}, 404, "not_found"),
        (topup, {"hash": UNKNOWN}, 422, "submit_failed"),
        (topup, {"hash": "0x1"}, 400, "invalid_input"),
        (topup, {"hash": UNKNOWN, "amount": "-1"}, 400, "invalid_amount"),
        ("/api/support/open", {"subject": "a\u202eb", "text": "x"}, 400, "invalid_input"),
        ("/api/support/open", {"subject": "a", "text": "x", "images": ["a" * 22]}, 404, "not_found"),
        ("/api/support/reply", {"ticket_id": "1", "text": "x"}, 404, "not_found"),
        ("/api/support/read", {"ticket_id": "1"}, 404, "not_found"),
        ("/api/recharge/list", {"status": "odd"}, 400, "invalid_input"),
        ("/api/dapp/rechargeList", {"page": 101}, 400, "invalid_input"),
        ("/api/game/orderList", {"size": 5, "page_num": 5}, 400, "invalid_input"),
        *((path, {"page": 101}, 400, "invalid_input") for path in CALLS if re.fullmatch("/api/user/.*Log", path)),
        (log_in, login | answered, 401, "wrong_credentials"),
        (log_in, login | wrongly, 401, "wrong_captcha"),
        (log_in, login, 410, "captcha_expired"),
        (mail_code, right[mail_code], 410, "captcha_expired"),
        (mail_code, {"email": EMAIL, "scene": "reset"}, 400, "invalid_input"),
        (mail_code, right[mail_code] | {"proof": "x"}, 400, "invalid_input"),
        (mail_code, {"email": EMAIL, "scene": "reset", "proof": "x"}, 422, "slide_required"),
        (verify, right[verify], 410, "captcha_expired"),
        (verify, right[verify] | {"captcha_id": drawn["captcha_id"]}, 401, "wrong_captcha"),
        (reset, right[reset], 422, "slide_required"),
        (reset, right[reset] | {"password": "short"}, 400, "password_format"),
        (reset, right[reset] | {"password": "password1"}, 400, "password_common"),
        (reset, right[reset] | {"email": "no address"}, 400, "invalid_input"),
        (reset, right[reset] | {"proof": await proof(scene.visitor)}, 401, "wrong_code"),
        ("/api/auth/freeze", {"token": "x"}, 410, "code_expired"),
        (register, application | {"invite_code": "NOBODY"}, 400, "invalid_invite_code"),
        (register, application | {"password": "short"}, 400, "password_format"),
        (register, application | {"password": "password1"}, 400, "password_common"),
        (register, application | {"email": "other@people.example"}, 401, "wrong_code"),
        (register, application | {"email_code": other_code(scene.email_code)}, 401, "wrong_code"),
        (out, out_new | {"password": WRONG, "proof": await proof(scene.visitor)}, 401, "wrong_credentials"),
        (out, first, 422, "slide_required"),
        (out, first | {"proof": "x"}, 422, "slide_required"),
        (out, first | {"confirm_password": "246811"}, 400, "password_mismatch"),
        (out, {"password": PASSWORD, "new_password": "12345", "confirm_password": "12345"}, 400, "out_password_format"),
        (out, out_new | {"old_password": "135791", "proof": await proof(scene.visitor)}, 422, "out_password_not_set"),
        (out, out_new | {"old_password": "246810"}, 400, "password_same"),
        (out, out_new | {"email_code": "123456", "proof": await proof(scene.visitor)}, 401, "wrong_code"),
        (out, out_new, 400, "invalid_input"),
        (out, first | {"old_password": "135791"}, 400, "invalid_input"),
        (out, first | {"proof": await proof(scene.visitor)}, 403, "second_factor_required"),
        (out, first | {"email_code": "123456", "proof": await proof(scene.visitor)}, 401, "wrong_code"),
        ("/api/user/bindGoogle", right["/api/user/bindGoogle"], 422, "wrong_state"),
        ("/api/user/unbindGoogle", right["/api/user/unbindGoogle"], 422, "wrong_state"),
        (mail, {"scene": "withdraw"}, 400, "invalid_input"),
        (mail, {"scene": "register"}, 400, "invalid_input"),
        (mail, {"scene": "password", "email": EMAIL}, 400, "invalid_input"),
        (mail, {"scene": "bind", "email": "somebody"}, 400, "invalid_input"),
        (mail, withdrawal | {"scene": "address"}, 400, "invalid_input"),
        (mail, withdrawal | {"amount": "-1"}, 400, "invalid_amount"),
        (mail, withdrawal | {"amount": "1.0000001"}, 400, "invalid_amount"),
        (mail, withdrawal | {"coin_type": "BTC"}, 400, "invalid_input"),
        (mail, withdrawal, 404, "not_found"),
        (WITHDRAW, right[WITHDRAW], 422, "out_password_not_set"),
        (WITHDRAW, right[WITHDRAW] | {"amount": "1e3"}, 400, "invalid_amount"),
        (WITHDRAW, right[WITHDRAW] | {"coin_type": 3}, 400, "invalid_input"),
        (CLAIM, right[CLAIM], 422, "claim_too_high"),
        (CLAIM, right[CLAIM] | {"amount": "0"}, 400, "invalid_input"),
        ("/api/withdraw/list", {"status": "odd"}, 400, "invalid_input"),
        ("/api/user/endSession", right["/api/user/endSession"], 404, "not_found"),
        ("/api/user/antiPhishing", {"word": " lighthouse"}, 400, "invalid_input"),
        ("/api/demo/captcha", {"captcha_id": "a" * 22}, 404, "not_found"),
        ("/api/demo/faucet", {"amount": "0"}, 400, "invalid_amount"),
        (clock, {}, 400, "invalid_input"),
        (clock, {"to": 0}, 400, "invalid_input"),
        (clock, {"to": 0, "advance_seconds": 1}, 400, "invalid_input"),
        ("/api/auth/nonce", {"address": "0x1"}, 400, "invalid_address"),
        (log_in, {"name": ADDRESS, "code": "0" * 32, "sign_message": "0x"}, 401, "wrong_credentials"),
        (log_in, {"name": ADDRESS, "code": "0" * 32}, 400, "invalid_input"),
        (log_in, login | {"sign_message": "0x"}, 400, "invalid_input"),
        (bind_login, right[bind_login] | {"address": "0x1"}, 400, "invalid_address"),
        (bind_login, {"address": ADDRESS, "remove": True}, 403, "second_factor_required"),
        (bind_login, right[bind_login], 401, "wrong_code"),
        (bind_wallet, right[bind_wallet], 422, "out_password_not_set"),
        (bind_wallet, right[bind_wallet] | {"address": ADDRESS.lower()}, 400, "invalid_address"),
        (bind_wallet, right[bind_wallet] | {"chain": 1}, 400, "invalid_input"),
        (bind_wallet, right[bind_wallet] | {"label": "\u3164"}, 400, "invalid_input"),
        (del_wallet, right[del_wallet], 422, "out_password_not_set"),
        ("/api/nft/buy", {}, 404, "not_found"),
    ]


async def test_calls_without_a_living_session_change_nothing(scene: Scene) -> None:
    """Also those that would be right."""
    right, tokens = right_bodies(scene), ("", new_token(), await ended_token(scene))
    async with nothing_changes(scene.db):
        for call in CALLS.values():
            for token in () if call.public else tokens:
                answer = await scene.api.post(call.path, right.get(call.path, {}), token=token)
                assert (answer["code"], answer["data"]["error"]) == (406, "session_ended"), call.path


async def test_a_public_call_with_a_dead_token_is_a_visitors(scene: Scene) -> None:
    """Who is told to log in again must be able to: it is done, or refused for what it says."""
    right = right_bodies(scene) | {"/api/auth/captcha": {}, "/api/demo/clock": {"advance_seconds": 0}}
    del right["/api/demo/reorg"]  # these tests have no node
    for path in [call.path for call in CALLS.values() if call.public]:
        for token in (await ended_token(scene), new_token(), "nobody's", "x" * 5_000):
            assert (await scene.api.post(path, {"unheard_of": 1}, token=token))["code"] == 400, path
            if path in right:
                assert (await scene.api.post(path, right[path], token=token))["code"] in (200, 404, 409, 410, 422), path


async def ended_token(scene: Scene) -> str:
    """Of a session that lived."""
    token = await begin_session(scene.db, scene.member)
    await scene.api.data("/api/auth/logout", {}, token=token)
    return token


def other_code(code: str) -> str:
    return f"{(int(code) + 1) % 1_000_000:06}"
