"""The calls as they look on the wire: one success of each, the refusals' codes and texts, equal bodies."""

import asyncio
import base64
from typing import Any

import pytest

from factors.scene import bind
from kalos.core import passwords
from kalos.core.tokens import digest
from kalos.domains.challenges import queries
from kalos.domains.challenges.api import calls as challenges
from kalos.domains.context import Context, House
from kalos.domains.entry.api import calls as entry
from kalos.domains.identity import queries as members
from kalos.domains.identity.api import calls as identity
from support.ears import counted
from support.people import PASSWORD, WRONG, code_of, everything, new_email, proof, way_to
from support.people import register as register_member
from support.plain import Plain, plain_api

pytestmark = pytest.mark.usefixtures("root")


@pytest.fixture(scope="module")
async def api(house: House) -> Plain:
    return await plain_api(house, [challenges, entry, identity])


async def solved(api: Plain, house: House) -> dict[str, str]:
    drawn = await api.data("/api/auth/captcha", {})
    row = await queries.find_captcha(house.db, drawn["captcha_id"])
    assert row is not None
    return {"captcha_id": row.id, "code": row.answer}


async def heard(api: Plain) -> dict[str, str]:
    """As somebody answers who can't see."""
    played = await api.data("/api/auth/captcha", {"kind": "tones"})
    assert played.keys() == {"captcha_id", "image", "tones", "expires_at"}
    assert played["image"] is None
    return {"captcha_id": played["captcha_id"], "code": counted(played["tones"])}


async def slid(house: House) -> str:
    return await proof(Context(house=house))


async def send_code(api: Plain, house: House, email: str) -> str:
    body = {"email": email, "scene": "register", "captcha": await solved(api, house)}
    assert await api.data("/api/auth/sendEmail", body) == {}
    return await code_of(house.db, email)


async def register(api: Plain, house: House, email: str, **changes: Any) -> dict[str, Any]:
    body = {
        "invite_code": "ROOT01",
        "email": email,
        "email_code": await send_code(api, house, email),
        "password": PASSWORD,
    }
    return await api.post("/api/auth/register", body | changes)


async def test_the_whole_way_in_and_out(api: Plain, house: House) -> None:
    email = new_email()
    first = (await register(api, house, email))["data"]["token"]
    assert len(first) == 43
    login = {"name": email, "password": PASSWORD, **await solved(api, house)}
    second = (await api.data("/api/auth/login", login))["token"]
    made = await api.data("/api/user/getAuthToken", {}, token=second)
    assert made.keys() == {"token", "expires_in"}
    assert made["expires_in"] == 60
    session = await members.take_auth_token(house.db, digest(made["token"]), house.clock.wall())
    assert session is not None
    assert session.token_hash == digest(second)
    assert await api.data("/api/auth/logout", {}, token=second) == {}
    ended = await api.post("/api/user/getAuthToken", {}, token=second)
    assert ended == {"code": 406, "msg": "Please log in again", "data": {"error": "session_ended"}}
    assert await api.data("/api/auth/logout", {}, token=first) == {}


async def test_where_a_second_factor_is_missing_the_answer_names_it_without_a_token(api: Plain, house: House) -> None:
    member, _ = await register_member(Context(house=house))
    await bind(Context(house=house, member=member))
    login = {"name": member.account, "password": PASSWORD, **await solved(api, house)}
    answer = await api.post("/api/auth/login", login)
    assert (answer["code"], answer["data"]) == (200, {"need": "google"})
    assert await house.db.value("SELECT count(*) FROM sessions WHERE member = $1", member.id) == 1


async def test_whoever_has_left_is_out_before_any_notice_of_it_comes(api: Plain, house: House) -> None:
    forgetful = await plain_api(house, [identity], kept_seconds=60)
    token = (await register(api, house, new_email()))["data"]["token"]
    await forgetful.data("/api/user/sessions", {}, token=token)
    await forgetful.data("/api/auth/logout", {}, token=token)
    assert (await forgetful.post("/api/user/sessions", {}, token=token))["code"] == 406


async def test_whoever_has_used_up_their_calls_can_still_leave(api: Plain, house: House) -> None:
    token = (await register(api, house, new_email()))["data"]["token"]
    tabs = [api.post("/api/user/getAuthToken", {}, token=token) for _ in range(6 * house.terms.rate_read)]
    leaving = api.post("/api/auth/logout", {}, token=token)
    *read, left = await asyncio.gather(*tabs, leaving)
    assert (left["code"], 429 in {answer["code"] for answer in read}) == (200, True)
    assert (await api.post("/api/user/getAuthToken", {}, token=token))["code"] == 406


async def test_captcha_is_a_data_url(api: Plain, house: House) -> None:
    drawn = await api.data("/api/auth/captcha", {})
    assert drawn.keys() == {"captcha_id", "image", "tones", "expires_at"}
    assert drawn["tones"] is None
    assert base64.b64decode(drawn["image"].removeprefix("data:image/png;base64,")).startswith(b"\x89PNG")
    assert 0 < drawn["expires_at"] - house.clock.wall() <= 120_000


@pytest.mark.parametrize(
    ("changes", "code", "error"),
    [
        ({"invite_code": "WRONG1"}, 400, "invalid_invite_code"),
        ({"password": "short"}, 400, "password_format"),
        ({"password": "password1"}, 400, "password_common"),
        ({"email": "no address"}, 400, "invalid_input"),
        ({"email_code": "x"}, 401, "wrong_code"),
        ({"email_code": "１２３４５６"}, 401, "wrong_code"),
        ({"country": "vn"}, 400, "invalid_input"),
        ({"birth_date": "1990-02-30"}, 400, "invalid_input"),
        ({"role": "operator"}, 400, "invalid_input"),
        ({"balance": "1000"}, 400, "invalid_input"),
        ({"level": 9}, 400, "invalid_input"),
        ({"inviter": None}, 400, "invalid_input"),
        ({"password": None}, 400, "invalid_input"),
        ({"email": ["a@b.example"]}, 400, "invalid_input"),
        ({"email": "x" * 255}, 400, "invalid_input"),
        ({"password": "x" * 255}, 400, "invalid_input"),
    ],
)
async def test_refused_registration_changes_nothing(
    api: Plain, house: House, changes: dict[str, Any], code: int, error: str
) -> None:
    email = new_email()
    body = {"invite_code": "ROOT01", "email": email, "email_code": await send_code(api, house, email)}
    before = await everything(house.db, but=("email_codes",))
    answer = await api.post("/api/auth/register", body | {"password": PASSWORD} | changes)
    assert (answer["code"], answer["data"]["error"]) == (code, error)
    assert await everything(house.db, but=("email_codes",)) == before


async def test_address_in_use(api: Plain, house: House) -> None:
    email = new_email()
    await register(api, house, email)
    await house.db.execute("DELETE FROM tries")
    assert await register(api, house, email) == {
        "code": 409,
        "msg": "This is in use already",
        "data": {"error": "already_exists", "field": "email"},
    }


async def test_sending_codes_answers_the_same_for_members_and_strangers(api: Plain, house: House) -> None:
    member, stranger = new_email(), new_email()
    await register(api, house, member)
    await house.db.execute("DELETE FROM tries")
    answers = []
    for email in (member, stranger):
        body = {"email": email, "scene": "register", "captcha": await solved(api, house)}
        first = await api.raw("/api/auth/sendEmail", body)
        again = await api.raw("/api/auth/sendEmail", body | {"captcha": await solved(api, house)})
        assert again.json()["code"] == 429
        wait = again.json()["data"]["retry_after"]
        assert 30 <= wait <= 60
        answers.append((first.content, again.content.replace(b'"retry_after":%d' % wait, b"")))
    assert answers[0] == answers[1]


async def test_a_new_password_is_answered_byte_for_byte_the_same_for_members_and_strangers(
    api: Plain, house: House
) -> None:
    member = new_email()
    await register(api, house, member)
    answers, hashes = [], []
    for email in (member, new_email()):
        await house.db.execute("DELETE FROM tries")
        asked = {"email": email, "scene": "reset", "proof": await slid(house)}
        sent = await api.raw("/api/auth/sendEmail", asked)
        right = await code_of(house.db, email)
        body = {"email": email, "password": "another9mountain"}
        before = passwords.hashes_made()
        given = [
            await api.raw("/api/auth/resetPwd", body | {"email_code": code, "proof": await slid(house)})
            for code in ("x", right, right)
        ]
        hashes.append(passwords.hashes_made() - before)
        answers.append([sent.content, *(one.content for one in given)])
    assert answers[0] == answers[1]
    assert [answer[:11] for answer in answers[0]] == [b'{"code":200', b'{"code":401', b'{"code":200', b'{"code":410']
    assert hashes == [1, 1]


async def test_a_second_login_is_known_by_its_device(api: Plain, house: House) -> None:
    email = new_email()
    first = (await register(api, house, email))["data"]
    assert first.keys() == {"token", "device"}
    login = {"name": email, "password": PASSWORD, "device": first["device"], **await solved(api, house)}
    assert (await api.data("/api/auth/login", login))["device"] == first["device"]


async def test_login_answers_byte_for_byte_the_same_for_members_and_strangers(api: Plain, house: House) -> None:
    email = new_email()
    await register(api, house, email)
    member = await members.find_by_name(house.db, email)
    assert member is not None
    answers, hashes = set(), []
    for name in (member.account, email, "99999999", "nobody@people.example", "no name"):
        before = passwords.hashes_made()
        answer = await api.raw(
            "/api/auth/login", {"name": name, "password": WRONG, "proof": await slid(house), **await solved(api, house)}
        )
        hashes.append(passwords.hashes_made() - before)
        answers.add(answer.content)
    assert answers == {b'{"code":401,"msg":"Account or password is wrong","data":{"error":"wrong_credentials"}}'}
    assert hashes == [1] * 5


@pytest.mark.parametrize("known", [True, False])
async def test_locked_name_answers_429(api: Plain, house: House, known: bool) -> None:
    email = new_email()
    if known:
        await register(api, house, email)
    for _ in range(10):
        login = {"name": email, "password": WRONG, "proof": await slid(house), **await solved(api, house)}
        assert (await api.post("/api/auth/login", login))["code"] == 401
    answer = await api.post("/api/auth/login", login | {"proof": await slid(house), **await solved(api, house)})
    assert answer["data"].keys() == {"error", "retry_after"}
    assert (answer["code"], answer["msg"]) == (429, "Too many tries, please wait")


async def test_whoever_hears_needs_no_picture(api: Plain, house: House) -> None:
    email = new_email()
    mail = {"email": email, "scene": "register", "captcha": await heard(api)}
    assert await api.data("/api/auth/sendEmail", mail) == {}
    body = {"invite_code": "ROOT01", "email": email, "email_code": await code_of(house.db, email), "password": PASSWORD}
    await api.data("/api/auth/register", body)
    login = {"name": email, "password": PASSWORD, **await heard(api)}
    assert len((await api.data("/api/auth/login", login))["token"]) == 43
    used = await api.post("/api/auth/login", login)
    assert (used["code"], used["data"]) == (410, {"error": "captcha_expired"})
    wrong = await api.post("/api/auth/login", login | await heard(api) | {"code": "0000"})
    assert (wrong["code"], wrong["data"]) == (401, {"error": "wrong_captcha"})


async def test_whoever_hears_needs_no_slide(api: Plain, house: House) -> None:
    played = await api.data("/api/auth/slide", {"kind": "tones"})
    assert {name for name, value in played.items() if value is not None} == {"captcha_id", "tones", "expires_at"}
    answer = {"captcha_id": played["captcha_id"], "code": counted(played["tones"])}
    place = {"x": 148, "track": way_to(148)}
    for body in (answer | place, {"captcha_id": played["captcha_id"]}, {**answer, "code": None, "x": 148}):
        refused = await api.post("/api/auth/slideVerify", body)
        said = {"field": "code", "reason": "slid_or_counted"}
        assert (refused["code"], refused["data"]["errors"]) == (400, [said])
    proven = await api.data("/api/auth/slideVerify", answer)
    mail = {"email": new_email(), "scene": "register", "proof": proven["proof"]}
    assert await api.data("/api/auth/sendEmail", mail) == {}
    used = await api.post("/api/auth/slideVerify", answer)
    assert (used["code"], used["data"]) == (410, {"error": "captcha_expired"})
    seen = await api.data("/api/auth/slide", {})
    wrong = await api.post("/api/auth/slideVerify", {"captcha_id": seen["captcha_id"], "code": "3142"})
    assert (wrong["code"], wrong["data"]) == (401, {"error": "wrong_captcha"})


async def test_used_and_wrong_captchas(api: Plain, house: House) -> None:
    captcha = await solved(api, house)
    login = {"name": "nobody", "password": WRONG}
    wrong = await api.post("/api/auth/login", login | captcha | {"code": "0000"}, lang="vn")
    assert (wrong["code"], wrong["data"]) == (401, {"error": "wrong_captcha"})
    used = await api.post("/api/auth/login", login | captcha)
    assert used == {"code": 410, "msg": "The captcha has expired", "data": {"error": "captcha_expired"}}
    mail: dict[str, Any] = {"email": new_email(), "scene": "register"}
    captcha = await solved(api, house)
    wrong = await api.post("/api/auth/sendEmail", mail | {"captcha": captcha | {"code": "0000"}})
    assert (wrong["code"], wrong["data"]) == (401, {"error": "wrong_captcha"})
    used = await api.post("/api/auth/sendEmail", mail | {"captcha": captcha})
    assert (used["code"], used["data"]) == (410, {"error": "captcha_expired"})
    assert await house.db.rows("SELECT 1 FROM email_codes WHERE email = $1", mail["email"]) == []


async def test_a_code_that_was_used_has_expired(api: Plain, house: House) -> None:
    email = new_email()
    code = await send_code(api, house, email)
    body = {"invite_code": "ROOT01", "email": email, "email_code": code, "password": PASSWORD}
    assert (await api.post("/api/auth/register", body))["code"] == 200
    again = await api.post("/api/auth/register", body)
    assert again == {"code": 410, "msg": "The code has expired", "data": {"error": "code_expired"}}


async def test_where_too_many_passwords_wait_one_is_told_so(
    api: Plain, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    email = new_email()
    code = await send_code(api, house, email)
    captcha = await solved(api, house)
    monkeypatch.setattr(passwords._pool, "most", 0)
    body = {"invite_code": "ROOT01", "email": email, "email_code": code, "password": PASSWORD}
    busy = {"code": 429, "msg": "Nothing was changed, please try again", "data": {"error": "busy", "retry_after": 1}}
    assert await api.post("/api/auth/register", body) == busy
    assert await api.post("/api/auth/login", {"name": email, "password": PASSWORD, **captcha}) == busy


async def test_network_is_counted_behind_a_proxy_but_not_on_loopback(api: Plain, house: House) -> None:
    await house.db.execute("DELETE FROM tries")

    async def fail(number: int, network: str) -> int:
        login = {"name": f"name {number}", "password": WRONG, "proof": await slid(house), **await solved(api, house)}
        return int((await api.post("/api/auth/login", login, network=network))["code"])

    codes = await asyncio.gather(*(fail(number, "2001:db8:5::1") for number in range(12)))
    assert sorted(codes) == [401] * 10 + [429] * 2
    assert await fail(20, "2001:db8:5::2") == 429
    assert await fail(21, "2001:db8:6::1") == 401
    assert [await fail(number, "") for number in range(30, 42)] == [401] * 12


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/auth/captcha", {"x": 1}),
        ("/api/auth/captcha", {"kind": "smell"}),
        ("/api/auth/sendEmail", {"email": "a@b.example", "scene": "register"}),
        ("/api/auth/sendEmail", {"email": "a@b.example", "scene": "root", "captcha": {"captcha_id": "x", "code": "x"}}),
        ("/api/auth/sendEmail", {"email": "a@b", "scene": "register", "captcha": {"captcha_id": "x", "code": "x"}}),
        ("/api/auth/login", {"name": "x", "password": "x", "code": "x"}),
        ("/api/auth/login", {"name": 10000001, "password": "x", "code": "x", "captcha_id": "x"}),
        ("/api/auth/login", {"name": "x", "password": "x", "code": "", "captcha_id": "x"}),
        ("/api/auth/login", {"name": "x", "password": "x", "code": "x", "captcha_id": "x", "level": 1}),
    ],
)
async def test_body_out_of_form_is_400(api: Plain, house: House, path: str, body: Any) -> None:
    before = await everything(house.db)
    answer = await api.post(path, body)
    assert (answer["code"], answer["data"]["error"]) == (400, "invalid_input")
    assert answer["data"]["errors"][0].keys() == {"field", "reason"}
    assert await everything(house.db) == before


async def test_a_session_keeps_no_tokens_that_have_ended(api: Plain, house: House) -> None:
    _, token = await register_member(Context(house=house))
    for _ in range(3):
        await api.data("/api/user/getAuthToken", {}, token=token)
        await house.db.execute("UPDATE auth_tokens SET until_at = 1 WHERE session = $1", digest(token))
    assert await house.db.value("SELECT count(*) FROM auth_tokens WHERE session = $1", digest(token)) == 1


@pytest.mark.parametrize("path", ["/api/auth/logout", "/api/user/getAuthToken"])
@pytest.mark.parametrize("token", ["", "nobody's", "x" * 300])
async def test_protected_calls_need_a_living_session(api: Plain, path: str, token: str) -> None:
    assert (await api.post(path, {}, token=token))["code"] == 406
