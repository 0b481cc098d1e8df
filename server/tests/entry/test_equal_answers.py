"""Whoever asks with a name learns nothing of it: the same bytes for the same work, whatever account has it or none."""

import statistics
import time
from collections.abc import Mapping
from typing import Any, Final

import pytest

from conftest import MakeContext
from factors.scene import bind as bind_google
from factors.scene import mailed
from kalos.core import passwords
from kalos.core.tokens import digest
from kalos.domains.challenges.api import calls as challenges
from kalos.domains.context import Context, House
from kalos.domains.entry.api import calls as entry
from kalos.domains.identity import queries as members
from kalos.domains.protection import service as protection
from kalos.domains.security import service as security
from kalos.domains.wallets.api import calls as wallets
from support.budget import SOAK, count, figures
from support.people import PASSWORD, WRONG, new_email, proof, register, send_code, solved
from support.plain import Plain, plain_api
from wallets.people import bind as bind_wallet
from wallets.people import new_wallet, sign

pytestmark = pytest.mark.usefixtures("root")
LOGIN, SEND, RESET, NONCE = (f"/api/auth/{name}" for name in ("login", "sendEmail", "resetPwd", "nonce"))
NEW: Final = "another9mountain"
_MOST_APART: Final = 1.1 if SOAK else 2.5
_MOST_TIMES: Final = 8  # as many turns where something else works beside it
"""Few calls beside other tests swing; a name that is spared the hash would be ten times as fast."""


@pytest.fixture(scope="module")
async def api(house: House) -> Plain:
    return await plain_api(house, [challenges, entry, wallets])


class Street:
    """Members in every state, by what they are called."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.addresses: dict[str, str] = {}
        self.wallets: dict[str, str] = {}

    async def add(self, ctx: MakeContext, state: str) -> Context:
        """A member with a session, a login wallet and an address of their own."""
        email = new_email()
        member, token = await register(ctx(), email)
        here = ctx(member, session=digest(token))
        wallet = new_wallet()
        await bind_wallet(here, wallet)
        self.names |= {f"{state}, by number": member.account, f"{state}, by wallet": wallet.address}
        self.addresses[state] = email
        self.wallets[state] = wallet.address
        return here


@pytest.fixture(scope="module")
async def street(ctx: MakeContext) -> Street:
    made = Street()
    await made.add(ctx, "member")
    await bind_google(await made.add(ctx, "with an authenticator"))
    frozen = await made.add(ctx, "frozen")
    async with frozen.db.transaction() as db:
        await members.freeze(db, frozen.caller.id, frozen.now)
    await protection.exclude(await made.add(ctx, "self-excluded"), months=6)
    closed = await made.add(ctx, "closed")
    shown = {"proof": await proof(closed), "google_code": None, "email_code": await mailed(closed, "close")}
    await security.close(closed, password=PASSWORD, out_password=None, **shown)
    made.names["closed, by what stands for its address"] = f"closed-{closed.caller.account}@closed.invalid"
    number = made.names["member, by number"]
    made.names |= {
        "a number that nobody has": "99999999",
        "in full-width digits": "".join(chr(ord(digit) + 0xFEE0) for digit in number),
        "in Arabic-Indic digits": "".join(chr(ord(digit) + 0x630) for digit in number),
        "between blanks": f" {number} ",
        "no name at all": "' OR account IS NOT NULL --",
        "as long as can be": "9" * 254,
        "a wallet that nobody bound": new_wallet().address,
    }
    made.addresses |= {
        "nobody": new_email(),
        "in capitals": made.addresses["member"].replace("person", "PERSON"),
        "in another script": new_email().replace("people.example", "bücher.example"),
    }
    made.wallets["nobody"] = new_wallet().address
    await ctx().db.execute("DELETE FROM tries")
    return made


class Asked:
    """What was answered, by the name that was asked with, and how many hashes it took."""

    def __init__(self) -> None:
        self.answers: dict[str, bytes] = {}
        self.hashes: dict[str, int] = {}

    async def ask(self, api: Plain, name: str, path: str, body: Mapping[str, Any]) -> None:
        before = passwords.hashes_made()
        self.answers[name] = (await api.raw(path, body)).content
        self.hashes[name] = passwords.hashes_made() - before

    def all_are(self, answer: bytes, hashes: int) -> None:
        assert self.answers == dict.fromkeys(self.answers, answer)
        assert self.hashes == dict.fromkeys(self.hashes, hashes)


async def slid(house: House) -> str:
    return await proof(Context(house=house))


async def login(house: House, name: str, password: str = WRONG) -> dict[str, Any]:
    read = await solved(Context(house=house))
    return {"name": name, "password": password, "captcha_id": read.id, "code": read.text, "proof": await slid(house)}


async def test_a_wrong_password_is_answered_alike_for_every_name(api: Plain, house: House, street: Street) -> None:
    asked = Asked()
    for name, text in (street.names | street.addresses).items():
        await asked.ask(api, name, LOGIN, await login(house, text))
    asked.all_are(b'{"code":401,"msg":"Account or password is wrong","data":{"error":"wrong_credentials"}}', 1)


async def test_a_closed_account_is_nobody_with_its_right_password_too(api: Plain, house: House, street: Street) -> None:
    asked = Asked()
    for name in ("closed, by number", "a number that nobody has"):
        await asked.ask(api, name, LOGIN, await login(house, street.names[name], PASSWORD))
    asked.all_are(b'{"code":401,"msg":"Account or password is wrong","data":{"error":"wrong_credentials"}}', 1)


@pytest.mark.parametrize("scene", ["register", "reset"])
async def test_a_code_is_mailed_alike_to_every_address(api: Plain, house: House, street: Street, scene: str) -> None:
    asked, last = Asked(), "SELECT count(*) FROM domain_outbox WHERE topic = 'mail.code'"
    for name, address in street.addresses.items():
        await house.db.execute("DELETE FROM tries")
        before = await house.db.value(last)
        await asked.ask(api, name, SEND, {"email": address, "scene": scene, "proof": await slid(house)})
        assert await house.db.value(last) == before + 1, name
    asked.all_are(b'{"code":200,"msg":"Done","data":{}}', 0)


async def test_a_wrong_code_resets_nothing_and_is_answered_alike(api: Plain, house: House, street: Street) -> None:
    await house.db.execute("DELETE FROM tries")
    asked = Asked()
    for name, address in street.addresses.items():
        body = {"email": address, "email_code": "x", "password": NEW, "proof": await slid(house)}
        await asked.ask(api, name, RESET, body)
    asked.all_are(b'{"code":401,"msg":"The code is wrong","data":{"error":"wrong_code"}}', 0)


async def test_who_reads_the_mails_is_answered_alike_where_there_is_nothing_to_reset(
    api: Plain, house: House, street: Street
) -> None:
    asked, here = Asked(), Context(house=house)
    for name in ("self-excluded", "closed", "nobody"):
        await house.db.execute("DELETE FROM tries")
        code = await send_code(here, street.addresses[name], "reset")
        body = {"email": street.addresses[name], "email_code": code, "password": NEW, "proof": await slid(house)}
        await asked.ask(api, name, RESET, body)
    asked.all_are(b'{"code":200,"msg":"Done","data":{}}', 1)


async def test_a_nonce_is_written_alike_for_every_wallet(api: Plain, street: Street) -> None:
    texts = set()
    for address in street.wallets.values():
        data = await api.data(NONCE, {"address": address})
        lines = data.pop("message").replace(address, "ADDRESS").replace(data.pop("nonce"), "NONCE").splitlines()
        texts.add("\n".join(line for line in lines if not line.startswith(("Issued At: ", "Expiration Time: "))))
        assert data.keys() == {"expires_at"}
    assert len(texts) == 1


async def test_a_wrong_signature_is_answered_alike_for_every_wallet(api: Plain, house: House, street: Street) -> None:
    """A stranger's key signs the text that was given for the address; or nobody was given the text that comes along;
    the third is asked for a slide."""
    await house.db.execute("DELETE FROM tries")
    asked, slid, stranger = Asked(), Asked(), new_wallet()
    for name, address in street.wallets.items():
        data = await api.data(NONCE, {"address": address})
        body = {"name": address, "code": data["nonce"], "sign_message": sign(stranger, data["message"])}
        await asked.ask(api, name, LOGIN, body)
        await asked.ask(api, f"{name}, the nonce once more", LOGIN, body)
        await slid.ask(api, name, LOGIN, body | {"code": "0" * 32})
        unknown = body | {"code": "0" * 32, "proof": await proof(Context(house))}
        await asked.ask(api, f"{name}, an unknown nonce", LOGIN, unknown)
    slide = b'{"code":422,"msg":"The slide verification must be completed","data":{"error":"slide_required"}}'
    slid.all_are(slide, 0)
    asked.all_are(b'{"code":401,"msg":"Account or password is wrong","data":{"error":"wrong_credentials"}}', 0)


async def test_a_closed_account_is_told_of_no_tries(api: Plain, house: House, street: Street) -> None:
    """There is nobody to mail, and no link that freezes what is gone."""
    await house.db.execute("DELETE FROM tries")
    for _ in range(10):
        await api.raw(LOGIN, await login(house, street.names["closed, by number"]))
    told = "SELECT body ->> 'member' FROM domain_outbox WHERE topic = 'login_locked' ORDER BY id DESC LIMIT 1"
    assert await house.db.value(told) is None


async def test_every_name_takes_the_same_time(api: Plain, house: House, street: Street) -> None:
    """In turns, so that what else the machine does falls on all alike; it makes a call slower, never quicker."""
    asked = {
        name: street.names[name] for name in ("member, by number", "closed, by number", "a number that nobody has")
    }
    seconds: dict[str, list[float]] = {name: [] for name in asked}

    def apart() -> float:
        soonest = [min(taken) for taken in seconds.values()]
        return max(soonest) / min(soonest)

    least = count("api.equal.rounds", least=5)
    for turn in range(_MOST_TIMES * least):
        await house.db.execute("DELETE FROM tries")
        for name, text in asked.items():
            body = await login(house, text)
            begun = time.perf_counter()
            await api.raw(LOGIN, body)
            seconds[name].append(time.perf_counter() - begun)
        if turn + 1 >= least and apart() < _MOST_APART:
            break
    medians = {name: statistics.median(taken) for name, taken in seconds.items()}
    figures("equal answers", **{f"{name.replace(', ', ' ')} seconds": median for name, median in medians.items()})
    assert apart() < _MOST_APART


@pytest.mark.parametrize("times", [2, 10])
async def test_what_fails_by_number_says_nothing_of_the_address(
    api: Plain, house: House, street: Street, times: int
) -> None:
    """Neither before the picture is looked at nor after it."""
    await house.db.execute("DELETE FROM tries")
    number = street.names["member, by number"]
    for _ in range(times):
        await api.raw(LOGIN, await login(house, number))
    unread = {"password": WRONG, "captcha_id": "nobody-drew-it", "code": "WRONG"}
    for given, answer, hashes in (
        (unread, b'{"code":410,"msg":"The captcha has expired","data":{"error":"captcha_expired"}}', 0),
        (None, b'{"code":401,"msg":"Account or password is wrong","data":{"error":"wrong_credentials"}}', 1),
    ):
        asked = Asked()
        for name in ("member", "with an authenticator", "closed", "nobody"):
            text = street.addresses[name]
            await asked.ask(api, name, LOGIN, {"name": text} | (given or await login(house, text)))
        asked.all_are(answer, hashes)


@pytest.mark.parametrize(("times", "error"), [(2, "slide_required"), (10, "too_many")])
async def test_who_waits_or_slides_is_answered_alike_for_every_name(
    api: Plain, house: House, street: Street, times: int, error: str
) -> None:
    await house.db.execute("DELETE FROM tries")
    names = ("member, by number", "closed, by number", "a number that nobody has")
    answers = set()
    for name in names:
        for _ in range(times):
            await api.raw(LOGIN, await login(house, street.names[name]))
        body = await login(house, street.names[name])
        if error == "slide_required":
            del body["proof"]
        answer = await api.post(LOGIN, body)
        answer["data"].pop("retry_after", None)
        answers.add(repr(answer))
    assert len(answers) == 1
    assert error in answers.pop()
