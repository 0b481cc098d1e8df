"""What is sent to break in, by name: addresses, passwords and codes that look like others, hosts, fields of others."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import httpx
import msgspec
import pytest

from conftest import MakeContext
from factors.scene import OUT, Phone, bind, give_out, mailed
from kalos.core.tokens import digest
from kalos.domains.challenges.api import calls as challenges
from kalos.domains.context import Context, House
from kalos.domains.entry.api import calls as entry
from kalos.domains.factors.api import calls as factors
from kalos.domains.identity.api import calls as identity
from kalos.domains.protection.api import calls as protection
from kalos.domains.security.api import calls as security
from kalos.domains.teams.api import calls as teams
from kalos.domains.wallets.api import calls as wallets
from kalos.wire.calls import Call
from support.doors import PAGE
from support.members import begin_session, make_member
from support.people import PASSWORD, code_of, everything, new_email, proof, register, solved
from support.plain import Plain, plain_api

pytestmark = pytest.mark.usefixtures("root")
PEOPLE: Final = (challenges, entry, factors, identity, protection, security, teams, wallets)
CALLS: Final[Mapping[str, Call]] = {call.path: call for domain in PEOPLE for call in domain.all}
COUNTED: Final = ("tries", "slide_proofs", "email_codes", "captchas")

ADDRESSES: Final[Mapping[str, str]] = {
    "dotless i": "al\u0131ce@example.com",
    "Cyrillic a": "\u0430lice@example.com",
    "Greek omicron": "b\u03bfb@example.com",
    "combining accent": "alice\u0301@example.com",
    "zero-width blank": "ali\u200bce@example.com",
    "soft hyphen": "ali\u00adce@example.com",
    "right-to-left override": "alice@\u202emoc.elpmaxe",
    "a line ends in it": "alice@example.com\r\nBcc: thief@example.com",
    "a line ends before the at": "alice\r\n@example.com",
    "NUL": "alice@example.com\0",
    "quoted local part": '"alice"@example.com',
    "quoted at": '"a@b"@example.com',
    "comment": "alice(thief)@example.com",
    "two addresses": "alice@example.com,thief@example.com",
    "name and address": "Alice <alice@example.com>",
    "encoded word": "=?utf-8?q?thief=40example.com=2C?=@example.com",
    "percent route": "alice%thief@",
    "source route": "@thief.example:alice@example.com",
    "address of a machine": "alice@[127.0.0.1]",
    "local host": "alice@localhost",
    "Cyrillic domain that is none": "alice@\u0435xample",
}
"""Refused by every call that takes one."""

FORMS: Final[Mapping[str, tuple[Callable[[str], str], Callable[[str], str]]]] = {
    "full width": (lambda text: "".join(chr(ord(sign) + 0xFEE0) for sign in text), str),
    "domain in capitals": (lambda text: text.replace("people", "PEOPLE"), str),
    "plus is another address": (lambda text: text.replace("@", "+x@"), lambda text: text.replace("@", "+x@")),
    "domain of another script": (
        lambda text: text.replace("people", "b\u00fccher"),
        lambda text: text.replace("people", "xn--bcher-kva"),
    ),
}
"""How an address may be written, and whose it then is."""

PASSWORDS: Final[Mapping[str, tuple[str, bool]]] = {
    "5 characters": ("abc12", False),
    "6 characters": ("xyz987", True),
    "20 characters": ("a1" * 10, True),
    "21 characters": ("a1" * 10 + "b", False),
    "letters alone": ("abcdefgh", False),
    "digits alone": ("35792468", False),
    "full-width digits": ("abcdef\uff11\uff12", False),
    "Arabic-Indic digits": ("abcdef\u0661\u0662", False),
    "Cyrillic letters": ("\u0430\u0435\u043e123", False),
    "a blank at its end": ("abc1234 ", False),
}
"""And whether they are some."""

DIGITS: Final[Mapping[str, int]] = {
    "Arabic-Indic": 0x0660,
    "Devanagari": 0x0966,
    "Thai": 0x0E50,
    "full-width": 0xFF10,
    "bold": 0x1D7CE,
}
"""Where other scripts' digits begin: Python takes each of them for a number. A sixth would find a lock."""

FIELDS: Final = frozenset({"role", "balance", "level", "id", "member", "redirect"})
_MEMBERS: Final = 30


def in_digits(zero: int, text: str) -> str:
    return "".join(chr(zero + int(sign)) for sign in text)


@pytest.fixture(scope="module")
async def api(house: House) -> Plain:
    return await plain_api(house, PEOPLE)


@pytest.fixture(scope="module")
async def tokens(house: House, database_url: str) -> Iterator[str]:
    """Of members who take turns: each may make some calls a second only."""
    made = [await begin_session(house.db, await make_member(database_url)) for _ in range(_MEMBERS)]
    return itertools.cycle(made)


async def slid(house: House) -> str:
    return await proof(Context(house=house))


async def errors_of(
    api: Plain, tokens: Iterator[str], bodies: Iterable[tuple[str, Mapping[str, Any]]]
) -> list[tuple[str, str]]:
    """What each call refuses a body with, and the field that it names."""
    found = []
    for path, body in bodies:
        data = (await api.post(path, body, token="" if CALLS[path].public else next(tokens)))["data"]
        (fault,) = data.get("errors", [{"field": ""}])
        found.append((data.get("error", "done"), fault["field"]))
    return found


async def test_an_address_that_is_none_is_refused_by_every_call(
    api: Plain, house: House, tokens: Iterator[str]
) -> None:
    bodies: dict[str, dict[str, Any]] = {
        "/api/auth/sendEmail": {"scene": "register", "captcha": {"captcha_id": "x", "code": "x"}},
        "/api/auth/register": {"invite_code": "ROOT01", "email_code": "123456", "password": PASSWORD},
        "/api/auth/resetPwd": {"email_code": "123456", "password": PASSWORD, "proof": "x"},
        "/api/user/sendEmail": {"scene": "bind"},
        "/api/user/bindEmail": {"code": "123456", "old_code": "123456", "proof": "x"},
    }
    before = await everything(house.db)
    for trick, address in ADDRESSES.items():
        sent = [(path, body | {"email": address}) for path, body in bodies.items()]
        assert await errors_of(api, tokens, sent) == [("invalid_input", "email")] * len(bodies), trick
    assert await everything(house.db) == before


@pytest.mark.parametrize("form", FORMS)
async def test_an_address_is_its_one_form_however_it_is_written(api: Plain, house: House, form: str) -> None:
    written, meant = FORMS[form]
    email = new_email()
    body = {"email": written(email), "scene": "register", "proof": await slid(house)}
    assert (await api.post("/api/auth/sendEmail", body))["code"] == 200
    about = {"email": meant(email), "email_code": await code_of(house.db, meant(email))}
    answer = await api.post("/api/auth/register", about | {"invite_code": "ROOT01", "password": PASSWORD})
    assert answer["code"] == 200


async def test_a_password_is_6_to_20_letters_and_digits_in_every_call_that_sets_one(
    api: Plain, house: House, tokens: Iterator[str]
) -> None:
    """One that is some is refused for what else is wrong with the body."""
    before = await everything(house.db, but=COUNTED)
    for kind, (password, is_one) in PASSWORDS.items():
        mailed_code = {"email": new_email(), "email_code": "x", "password": password}
        sent: list[tuple[str, dict[str, Any]]] = [
            ("/api/auth/register", mailed_code | {"invite_code": "ROOT01"}),
            ("/api/auth/resetPwd", mailed_code),
            ("/api/user/upPwd", {"old_password": "x", "new_password": password, "confirm_password": password}),
        ]
        wrong = ["wrong_code", "slide_required", "slide_required"] if is_one else ["password_format"] * len(sent)
        assert await errors_of(api, tokens, sent) == [(error, "") for error in wrong], kind
    assert await everything(house.db, but=COUNTED) == before


async def test_the_right_code_in_other_digits_is_wrong(api: Plain, house: House, ctx: MakeContext) -> None:
    email = new_email()
    member, token = await register(ctx(), email)
    here = ctx(member, session=digest(token))
    phone: Phone = await bind(here)
    await give_out(here)
    right = phone.code(here)

    async def sent(path: str, **body: Any) -> str:
        await house.db.execute("DELETE FROM tries")
        whole = await api.post(path, body | {"proof": await slid(house)}, token=token)
        return str(whole["data"].get("error", "done"))

    async def log_in(code: str) -> str:
        read = await solved(here)
        login = {"name": email, "password": PASSWORD, "captcha_id": read.id, "code": read.text}
        return await sent("/api/auth/login", **login, google_code=code)

    for script, zero in DIGITS.items():
        code = in_digits(zero, await mailed(here, "unbind"))
        new = dict.fromkeys(("new_password", "confirm_password"), in_digits(zero, "975310"))
        assert {
            await log_in(in_digits(zero, right)),
            await sent("/api/user/unbindGoogle", google_code=phone.codes[0], password=PASSWORD, email_code=code),
        } == {"wrong_code"}, script
        out = in_digits(zero, OUT)
        assert await sent("/api/user/close", password=PASSWORD, out_password=out) == "wrong_out_password", script
        assert await sent("/api/user/upOutPwd", **new, old_password=OUT) == "out_password_format", script
    assert await log_in(right) == "done"


async def test_nobody_sets_what_a_call_does_not_ask_for(api: Plain, house: House, tokens: Iterator[str]) -> None:
    """A field of others is refused before anything else of the body is looked at, whatever the call."""
    before = await everything(house.db)
    for path, call in CALLS.items():
        others = FIELDS - {field.encode_name for field in msgspec.structs.fields(call.body)}
        found = await errors_of(api, tokens, [(path, {field: "1"}) for field in others])
        assert found == [("invalid_input", field) for field in others], path
    assert await everything(house.db) == before


async def test_no_caller_chooses_the_host_that_a_mail_or_a_wallets_text_names(api: Plain, house: House) -> None:
    """A link to another host in a mail of ours would hand the account over."""
    thief = {"host": "thief.example", "x-forwarded-host": "thief.example", "origin": "https://thief.example"}
    email = new_email()
    transport = httpx.ASGITransport(app=api.kernel, client=("127.0.0.1", 4000))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost", headers=thief) as http:
        asked = {"email": email, "scene": "register", "proof": await slid(house)}
        assert (await http.post("/api/auth/sendEmail", json=asked)).json()["code"] == 200
        body = {"invite_code": "ROOT01", "email": email, "email_code": await code_of(house.db, email)}
        opened = (await http.post("/api/auth/register", json=body | {"password": PASSWORD})).json()["data"]
        named = {"authorization": opened["token"]}
        await http.post("/api/user/antiPhishing", json={"word": "lighthouse"}, headers=named)
        wallet = {"address": "0x52908400098527886E0F7030069857D2E4169EE7"}
        nonce = (await http.post("/api/auth/nonce", json=wallet)).json()["data"]
    bodies = await house.db.rows("SELECT body FROM domain_outbox WHERE body ->> 'recipient' = $1", email)
    assert len(bodies) > 1
    assert not any("thief" in row["body"] for row in bodies)
    assert nonce["message"].startswith(f"{PAGE.removeprefix('https://')} wants you to sign in")
    assert "thief" not in nonce["message"]
