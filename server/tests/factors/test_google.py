"""The authenticator: bound, asked for, used once, tried a few times, taken away."""

import asyncio
import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from conftest import MakeContext
from factors.scene import bind, events, everything, mailed, own_code, refused, show
from kalos.app.migrate import role_url
from kalos.core.assets import KLS, USDT
from kalos.core.clock import HOUR_MS, MINUTE_MS
from kalos.core.database import Database
from kalos.core.errors import Outage, TooMany
from kalos.core.money import parse_amount
from kalos.domains.challenges.errors import WrongCode
from kalos.domains.context import Context
from kalos.domains.factors import jobs, queries, rules, service
from kalos.domains.factors.errors import SecondFactorRequired
from kalos.domains.identity import queries as members
from kalos.domains.wallets.queries import insert_address
from support.clusters import SECRET
from support.members import make_member
from support.people import PASSWORD, WRONG, proof

NO_CODE = "no-such-code"
ADDRESS = "0x52908400098527886E0F7030069857D2E4169EE7"


@pytest.fixture
async def here(ctx: MakeContext, database_url: str) -> Context:
    """A call of somebody who has no second factor but the mail."""
    return ctx(await make_member(database_url))


async def use(ctx: Context, proven: service.Proven) -> None:
    async with ctx.db.transaction() as db:
        await proven.use(db)


async def unbind(ctx: Context, code: str) -> None:
    await service.unbind_google(
        ctx, google_code=code, password=PASSWORD, email_code=await mailed(ctx, "unbind"), proof=await proof(ctx)
    )


async def test_binding_takes_password_mail_and_code_and_gives_ten_recovery_codes(here: Context) -> None:
    phone = await bind(here)
    assert len(set(phone.codes)) == 10
    assert await service.has_google(here, here.caller.id)
    assert await events(here) == ["google_bound"]
    assert await refused(service.show_google(here)) == "wrong_state"


async def test_neither_secret_nor_recovery_codes_can_be_read_in_the_database(here: Context) -> None:
    phone = await bind(here)
    row = await queries.find_bound(here.db, here.caller.id)
    assert row is not None
    assert phone.secret not in row.sealed_secret
    stored = [one["code_hash"] for one in await here.db.rows("SELECT code_hash FROM recovery_codes")]
    assert not any(rules.plain_recovery_code(code).encode() in part for code in phone.codes for part in stored)


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"code": "000000"}, "wrong_code"),
        ({"code": "１２３４５６"}, "wrong_code"),
        ({"password": WRONG}, "wrong_credentials"),
        ({"email_code": "000000"}, "wrong_code"),
        ({"proof": None}, "slide_required"),
    ],
)
async def test_refused_binding_binds_nothing(here: Context, changes: dict[str, Any], name: str) -> None:
    phone = await show(here)
    fields = {"code": phone.code(here), "password": PASSWORD, "email_code": await mailed(here, "google")}
    before = await everything(here.db)
    assert await refused(service.bind_google(here, **({"proof": await proof(here)} | fields | changes))) == name
    assert await everything(here.db) == before
    assert await service.bind_google(here, **fields, proof=await proof(here))


async def test_secret_that_was_shown_before_another_or_too_long_ago_binds_nothing(here: Context) -> None:
    first, last = await show(here), await show(here)
    code = await mailed(here, "google")
    fields = {"password": PASSWORD, "email_code": code}
    assert (
        await refused(service.bind_google(here, code=first.code(here), **fields, proof=await proof(here)))
        == "wrong_code"
    )
    waiting = "UPDATE authenticators SET until_at = $1 WHERE bound_at IS NULL"
    await here.db.execute(waiting, here.wall)
    assert await refused(service.bind_google(here, code=last.code(here), **fields, proof=None)) == "wrong_state"
    await here.db.execute(waiting, here.wall - 1_000)
    assert await jobs.sweep(here.house) == 1


async def _show(ctx: Context, member: int, code: str) -> None:
    """What a log-in does with it."""
    await use(ctx, await service.prove_totp_or_recovery(ctx, member, code))


async def test_each_code_is_taken_once_also_by_64_at_once_of_two_processes(here: Context, database_url: str) -> None:
    phone = await bind(here)
    code = phone.code(here)
    other = Database(role_url(database_url, "kalos_app", SECRET))
    both = here, Context(house=replace(here.house, db=other), member=here.caller)
    proven = [await service.prove(both[turn % 2], "address", google_code=code) for turn in range(64)]
    results = await asyncio.gather(
        *(use(both[turn % 2], one) for turn, one in enumerate(proven)), return_exceptions=True
    )
    assert Counter(map(type, results)) == {type(None): 1, WrongCode: 63}
    assert [await refused(service.prove(one, "address", google_code=code)) for one in both] == ["wrong_code"] * 2
    results = await asyncio.gather(
        *(_show(both[turn % 2], here.caller.id, phone.codes[0]) for turn in range(64)),
        return_exceptions=True,
    )
    await other.close()
    assert Counter(map(type, results))[type(None)] == 1


async def test_the_code_that_bound_opens_nothing(here: Context) -> None:
    phone = await bind(here)
    used = rules.totp(phone.secret, phone.step)
    assert await refused(service.prove(here, "password", google_code=used)) == "wrong_code"


async def test_of_64_wrong_codes_at_once_exactly_five_are_judged_and_one_mail_tells(here: Context) -> None:
    phone = await bind(here)
    results = await asyncio.gather(
        *(service.prove(here, "address", google_code="000000") for _ in range(64)), return_exceptions=True
    )
    assert Counter(map(type, results)) == {WrongCode: 5, TooMany: 59}
    assert (await events(here)).count("factor_locked") == 1
    assert await refused(service.prove(here, "address", google_code=phone.code(here))) == "too_many"
    assert await refused(_show(here, here.caller.id, phone.codes[0])) == "too_many"


@pytest.mark.parametrize(("window", "most"), [(5 * MINUTE_MS, 5), (HOUR_MS, 20), (24 * HOUR_MS, 50)])
async def test_wrong_codes_count_in_each_window(here: Context, window: int, most: int) -> None:
    await bind(here)
    times = [here.wall - window + 10_000 * turn for turn in range(2, most + 1)]
    await here.db.execute(
        """
        INSERT INTO tries VALUES ($1, $2, $3)
        ON CONFLICT (subject) DO UPDATE SET times = excluded.times, until_at = excluded.until_at
        """,
        f"factor:{here.caller.id}", times, here.wall + window,
    )  # fmt: skip
    assert await refused(service.prove(here, "address", google_code="000000")) == "wrong_code"
    assert await refused(service.prove(here, "address", google_code="000000")) == "too_many"


async def test_whoever_uses_the_last_try_up_is_told_then(here: Context) -> None:
    """Not only with one try more: who stops there has tried as often as they may."""
    phone = await bind(here)
    for _ in range(4):
        assert await refused(service.prove(here, "address", google_code="000000")) == "wrong_code"
    await service.prove(here, "address", google_code=phone.code(here))
    assert "factor_locked" not in await events(here)
    assert await refused(service.prove(here, "address", google_code="000000")) == "wrong_code"
    assert (await events(here)).count("factor_locked") == 1
    assert await refused(service.prove(here, "address", google_code="000000")) == "too_many"
    assert (await events(here)).count("factor_locked") == 1


async def test_right_codes_are_not_counted(here: Context) -> None:
    phone = await bind(here)
    code = phone.code(here)
    for _ in range(12):
        await service.prove(here, "address", google_code=code)


async def test_right_codes_at_once_are_all_right(here: Context) -> None:
    phone = await bind(here)
    code = phone.code(here)
    proven = await asyncio.gather(*(service.prove(here, "address", google_code=code) for _ in range(16)))
    assert len(proven) == 16


async def test_who_has_an_authenticator_is_asked_for_it_and_nobody_else(here: Context) -> None:
    code = await mailed(here, "address")
    for fields in ({}, {"google_code": "123456"}):
        with pytest.raises(SecondFactorRequired) as problem:
            await service.prove(here, "address", **fields)
        assert problem.value.fields == {"need": "email"}
    await use(here, await service.prove(here, "address", email_code=code))
    await bind(here)
    code = await mailed(here, "address")
    with pytest.raises(SecondFactorRequired) as problem:
        await service.prove(here, "address", email_code=code)
    assert problem.value.fields == {"need": "google"}


@pytest.mark.parametrize("scene", [scene for scene in rules.SCENES if scene != "address"])
async def test_mailed_code_is_right_for_its_scene_alone(here: Context, scene: rules.Scene) -> None:
    code = await mailed(here, "address")
    assert await refused(service.prove(here, scene, email_code=code)) == "wrong_code"
    await use(here, await service.prove(here, "address", email_code=code))
    assert await refused(service.prove(here, "address", email_code=code)) == "code_expired"


async def test_recovery_code_stands_in_once_however_it_is_written(here: Context) -> None:
    phone = await bind(here)
    for code in (phone.codes[0], phone.codes[1].lower().replace("-", " ")):
        await _show(here, here.caller.id, code)
        assert await refused(_show(here, here.caller.id, code)) == "wrong_code"
    assert (await events(here)).count("recovery_code_used") == 2
    await _show(here, here.caller.id, phone.code(here))
    assert await refused(service.prove(here, "address", google_code=phone.codes[2])) == "wrong_code"


async def test_recovery_code_of_another_is_wrong(here: Context, ctx: MakeContext, database_url: str) -> None:
    phone = await bind(here)
    other = await make_member(database_url)
    await bind(ctx(other))
    assert await refused(_show(ctx(), other.id, phone.codes[0])) == "wrong_code"


@pytest.mark.parametrize("by_recovery", [False, True])
async def test_unbinding_takes_everything_away_and_holds_withdrawals(here: Context, by_recovery: bool) -> None:
    phone = await bind(here)
    assert await members.held_until(here.db, here.caller.id, here.now) is None
    await unbind(here, phone.codes[0] if by_recovery else phone.code(here))
    assert not await service.has_google(here, here.caller.id)
    assert await here.db.value("SELECT count(*) FROM recovery_codes WHERE member = $1", here.caller.id) == 0
    held = await members.held_until(here.db, here.caller.id, here.now)
    assert held is not None
    assert 0 <= here.now + 24 * HOUR_MS - held < 60_000
    assert await refused(unbind(here, phone.codes[1])) == "wrong_state"
    assert await refused(_show(here, here.caller.id, phone.codes[1])) == "wrong_code"
    await bind(here)


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"google_code": "000000"}, "wrong_code"),
        ({"google_code": NO_CODE}, "wrong_code"),
        ({"password": WRONG}, "wrong_credentials"),
        ({"email_code": "000000"}, "wrong_code"),
        ({"proof": None}, "slide_required"),
    ],
)
async def test_refused_unbinding_takes_nothing_away(here: Context, changes: dict[str, Any], name: str) -> None:
    phone = await bind(here)
    fields = {"google_code": phone.codes[0], "password": PASSWORD, "email_code": await mailed(here, "unbind")}
    before = await everything(here.db)
    assert await refused(service.unbind_google(here, **({"proof": await proof(here)} | fields | changes))) == name
    assert await everything(here.db) == before
    await service.unbind_google(here, **fields, proof=await proof(here))


async def test_login_password_is_tried_ten_times_by_who_has_a_session(here: Context) -> None:
    for _ in range(10):
        assert await refused(service.check_login_password(here, WRONG)) == "wrong_credentials"
    assert await refused(service.check_login_password(here, PASSWORD)) == "too_many"


async def test_secrets_of_a_former_installation_secret_still_open(here: Context, ctx: MakeContext) -> None:
    phone = await bind(here)
    house = replace(here.house, factor_keys=(b"n" * 32, *here.house.factor_keys))
    later = Context(house=house, member=here.caller)
    await use(later, await service.prove(later, "address", google_code=phone.code(later)))
    await _show(later, later.caller.id, phone.codes[0])
    lost = Context(house=replace(house, factor_keys=(b"n" * 32,)), member=here.caller)
    with pytest.raises(Outage, match="FORMER_SECRETS"):
        await service.prove(lost, "address", google_code="123456")


async def book_entry(ctx: Context, label: str) -> int:
    """An address that withdrawals may go to, and its number."""
    async with ctx.db.transaction() as db:
        made = await insert_address(
            db,
            member=ctx.caller.id,
            chain=31337,
            address=ADDRESS,
            label=label,
            is_listed=False,
            created_at=1,
            usable_at=1,
        )
    assert made is not None
    return made.id


async def test_code_for_a_withdrawal_is_bound_to_coin_amount_and_address(here: Context) -> None:
    amount = parse_amount("12.5", USDT)
    await here.db.execute("DELETE FROM tries")
    wallet = await book_entry(here, "My <Ledger>")
    assert await refused(service.send_withdrawal_code(here, amount, wallet + 1)) == "not_found"
    await service.send_withdrawal_code(here, amount, wallet)
    code = await own_code(here)
    others = [(parse_amount("12.500001", USDT), wallet), (amount, wallet + 1), (parse_amount("0.125", KLS), wallet)]
    for other, number in others:
        bound = rules.withdrawal(other, number)
        assert await refused(service.prove(here, "withdraw", email_code=code, bound=bound)) == "wrong_code"
    bound = rules.withdrawal(parse_amount("12.50", USDT), wallet)
    await use(here, await service.prove(here, "withdraw", email_code=code, bound=bound))


async def test_mail_of_a_withdrawals_code_names_amount_address_and_label(here: Context) -> None:
    await here.db.execute("DELETE FROM tries")
    await service.send_withdrawal_code(here, parse_amount("12.5", USDT), await book_entry(here, "My <Ledger>"))
    told = "SELECT body FROM domain_outbox WHERE topic = 'mail.code' ORDER BY id DESC LIMIT 1"
    what = json.loads(await here.db.value(told))["values"]["what"]
    assert what == f"withdrawing 12.500000 USDT to {ADDRESS} (My <Ledger>)"
