"""What serves once, shown a second time: one table with the answer of each; and what no clock of a demo ends."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import pytest

from conftest import MakeContext
from factors.scene import bind, give_out, mailed
from kalos.app.calls import REGISTERS
from kalos.core.clock import DAY_MS
from kalos.core.tokens import digest
from kalos.domains.context import Context, House
from kalos.domains.identity import queries as members
from kalos.domains.identity import service as identity
from support.people import PASSWORD, WRONG, new_email, proof, register, send_code, solved
from support.plain import Plain, plain_api
from wallets.people import bind as bind_wallet
from wallets.people import new_wallet, sign

pytestmark = pytest.mark.usefixtures("root")
LOGIN, SEND, RESET = "/api/auth/login", "/api/auth/sendEmail", "/api/auth/resetPwd"
INFO, BIND_WALLET = "/api/user/info", "/api/user/bindLogin"
NEW: Final = "another9mountain"


class Person:
    """A member who has just registered, at the API."""

    def __init__(self, api: Plain, here: Context, token: str, email: str) -> None:
        self.api, self.here, self.token, self.email = api, here, token, email

    async def post(self, path: str, body: Mapping[str, Any], token: str | None = None) -> dict[str, Any]:
        await self.here.db.execute("DELETE FROM tries")
        return await self.api.post(path, body, token=self.token if token is None else token)

    async def twice(self, path: str, body: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        """The second answer; the first one is right, but for what `more` adds to it."""
        first = await self.post(path, dict(body) | more)
        assert first["code"] == 200 or more, first
        return await self.post(path, body)

    async def login(self, **more: Any) -> dict[str, Any]:
        read = await solved(self.here)
        name = {"name": self.here.caller.account, "password": PASSWORD, "captcha_id": read.id, "code": read.text}
        return name | more

    async def nonce(self, wallet: Any, token: str) -> dict[str, str]:
        given = await self.api.data("/api/auth/nonce", {"address": wallet.address}, token=token)
        return {"code": given["nonce"], "sign_message": sign(wallet, given["message"])}


async def session(one: Person) -> dict[str, Any]:
    await one.api.data("/api/auth/logout", {}, token=one.token)
    return await one.post(INFO, {})


async def captcha(one: Person) -> dict[str, Any]:
    """Also where what came with it was wrong."""
    login = await one.login()
    assert (await one.post(LOGIN, login | {"password": WRONG}))["code"] == 401
    return await one.post(LOGIN, login)


async def slide(one: Person) -> dict[str, Any]:
    given = await one.api.data("/api/auth/slide", {})
    x = await one.here.db.value("SELECT x FROM slides WHERE id = $1", given["captcha_id"])
    body = {"captcha_id": given["captcha_id"], "x": x, "track": [[0, 0], [x // 2, 250], [x, 600]]}
    return await one.twice("/api/auth/slideVerify", body)


async def proof_of_a_slide(one: Person) -> dict[str, Any]:
    return await one.twice(SEND, {"email": one.email, "scene": "reset", "proof": await proof(one.here)})


async def code_of_a_visitor(one: Person) -> dict[str, Any]:
    await one.here.db.execute("DELETE FROM tries")
    body = {"email": one.email, "email_code": await send_code(one.here, one.email, "reset"), "password": NEW}
    assert (await one.post(RESET, body | {"proof": await proof(one.here)}))["code"] == 200
    return await one.post(RESET, body | {"proof": await proof(one.here)})


async def freeze_link(one: Person) -> dict[str, Any]:
    async with one.here.db.transaction() as db:
        link = await identity.freeze_link(one.here.house, db, one.here.caller.id, wall=one.here.wall)
    return await one.twice("/api/auth/freeze", {"token": link.rpartition("=")[2]})


async def nonce_at_login(one: Person) -> dict[str, Any]:
    wallet = new_wallet()
    await bind_wallet(one.here, wallet)
    return await one.twice(LOGIN, {"name": wallet.address, **await one.nonce(wallet, "")})


async def nonce_that_bound(one: Person) -> dict[str, Any]:
    wallet = new_wallet()
    signed = {"address": wallet.address, **await one.nonce(wallet, one.token)}

    async def shown() -> dict[str, str]:
        return {"email_code": await mailed(one.here, "login_wallet"), "proof": await proof(one.here)}

    assert (await one.post(BIND_WALLET, signed | await shown()))["code"] == 200
    return await one.post(BIND_WALLET, signed | await shown())


async def code_of_a_member(one: Person) -> dict[str, Any]:
    wallet = new_wallet()
    code = {"email_code": await mailed(one.here, "login_wallet")}
    for turn in range(2):
        body = {"address": wallet.address, **await one.nonce(wallet, one.token), "proof": await proof(one.here)}
        answer = await one.post(BIND_WALLET, body | code)
        assert turn == 1 or answer["code"] == 200
    return answer


async def of_authenticator(one: Person, code: str) -> dict[str, Any]:
    assert (await one.post(LOGIN, await one.login(google_code=code)))["code"] == 200
    return await one.post(LOGIN, await one.login(google_code=code))


async def totp(one: Person) -> dict[str, Any]:
    return await of_authenticator(one, (await bind(one.here)).code(one.here))


async def recovery_code(one: Person) -> dict[str, Any]:
    return await of_authenticator(one, (await bind(one.here)).codes[0])


REUSED: Final[Mapping[str, tuple[Callable[[Person], Awaitable[dict[str, Any]]], int, str]]] = {
    "a session that was logged out": (session, 406, "session_ended"),
    "a captcha": (captcha, 410, "captcha_expired"),
    "a slide": (slide, 410, "captcha_expired"),
    "a slide's proof": (proof_of_a_slide, 422, "slide_required"),
    "a code that was mailed to a visitor": (code_of_a_visitor, 410, "code_expired"),
    "a code that was mailed to a member": (code_of_a_member, 410, "code_expired"),
    "a link that freezes": (freeze_link, 410, "code_expired"),
    "a wallet's nonce, to log in": (nonce_at_login, 401, "wrong_credentials"),
    "a wallet's nonce, to bind": (nonce_that_bound, 410, "code_expired"),
    "an authenticator's code": (totp, 401, "wrong_code"),
    "a recovery code": (recovery_code, 401, "wrong_code"),
}
"""A token of a socket is no call's: live/test_door.py."""


@pytest.fixture(scope="module")
async def api(house: House) -> Plain:
    return await plain_api(house, REGISTERS)


@pytest.fixture
async def one(api: Plain, ctx: MakeContext) -> Person:
    await ctx().db.execute("DELETE FROM tries")
    email = new_email()
    member, token = await register(ctx(), email)
    return Person(api, ctx(member, session=digest(token)), token, email)


@pytest.mark.parametrize("what", REUSED)
async def test_what_serves_once_is_refused_a_second_time(one: Person, what: str) -> None:
    again, code, error = REUSED[what]
    answer = await again(one)
    assert (answer["code"], answer["data"].get("error", "")) == (code, error)


async def test_a_demos_clock_ends_no_session_code_captcha_proof_and_nonce_and_does_end_waits(one: Person) -> None:
    """Business time goes 40 days ahead; what is shown to the house lasts by the clock on the wall."""
    here, wallet, clock = one.here, new_wallet(), one.here.house.clock
    await give_out(here)
    login, slid, nonce = await one.login(), await proof(here), await one.nonce(wallet, one.token)
    code = await mailed(here, "login_wallet")
    await here.db.execute("DELETE FROM tries")
    reset = await send_code(here, one.email, "reset")
    async with here.db.transaction() as db:
        await identity.note(here, db, here.caller.id, "password_changed")
        link = await identity.freeze_link(here.house, db, here.caller.id, wall=here.wall)
        socket = await identity.open_session(here, db, here.caller.id)
    assert await members.held_until(here.db, here.caller.id, clock.now()) is not None
    clock.offset_ms += 40 * DAY_MS
    try:
        assert await members.held_until(here.db, here.caller.id, clock.now()) is None, "the hold is over"
        for token in (one.token, socket):
            assert (await one.post(INFO, {}, token))["code"] == 200
        binding = {"address": wallet.address, **nonce, "email_code": code, "proof": slid}
        assert (await one.post(BIND_WALLET, binding))["code"] == 200
        assert (await one.post(LOGIN, login))["code"] == 200
        body = {"email": one.email, "email_code": reset, "password": NEW, "proof": await proof(here)}
        assert (await one.post(RESET, body))["code"] == 200
        assert (await one.post("/api/auth/freeze", {"token": link.rpartition("=")[2]}))["code"] == 200
    finally:
        clock.offset_ms -= 40 * DAY_MS
