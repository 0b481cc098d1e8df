"""The end of an account: what it takes, what keeps it open, and what it leaves."""

import asyncio
import runpy
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from conftest import MakeContext
from factors.scene import OUT, bind, events, give_out, mailed, refused
from kalos.core.assets import USDT
from kalos.core.clock import business_day
from kalos.core.errors import InvalidInput, Refusal, SessionEnded
from kalos.core.tokens import digest, new_id, new_token
from kalos.domains.context import Context
from kalos.domains.entry import queries as entry
from kalos.domains.entry.tables import DeviceRow
from kalos.domains.identity import queries as members
from kalos.domains.identity.service import open_session
from kalos.domains.protection import service as protection
from kalos.domains.protection.errors import SelfExcluded
from kalos.domains.protection.queries import put_break, put_limit
from kalos.domains.protection.rules import Limit
from kalos.domains.protection.tables import BreakRow
from kalos.domains.support import service as support
from kalos.domains.support.rules import Draft
from kalos.ledger import purse
from kalos.ledger.grants import Plan, open_grant
from kalos.ledger.payables import Debt, owe
from kalos.ledger.purse import Purpose
from security.scene import close, email_of, mails, sessions
from support.ledger import posting
from support.members import fund, make_member
from support.people import WRONG, log_in, new_email, register

LABELS = Path(__file__).parents[2] / "migrations/versions/0046_closed_labels.py"


async def test_a_closed_account_has_no_session_no_factor_and_no_name(here: Context, ctx: MakeContext) -> None:
    address = await email_of(here)
    await give_out(here)
    phone = await bind(here)
    async with here.db.transaction() as db:
        known = DeviceRow(digest(new_token()), here.caller.id, here.now, here.wall + 60_000)
        await entry.put_device(db, known, most=9)
        await put_limit(db, here.caller.id, "stake", Limit(1_000), at=1)
        await put_break(db, BreakRow(here.caller.id, "break", 1, here.now))
    await close(here, out_password=OUT, email_code=None, google_code=phone.code(here))
    row = await here.db.row("SELECT * FROM members WHERE id = $1", here.caller.id)
    assert row is not None
    assert row["email"] == f"closed-{here.caller.account}@closed.invalid"
    assert (row["country"], row["birth_date"], row["anti_phishing"]) == (None, None, None)
    assert row["closed_at"] is not None
    owned = ("sessions", "devices", "freeze_tokens", "out_passwords", "authenticators", "recovery_codes")
    for table in (*owned, "player_limits", "player_breaks"):
        assert await here.db.value(f"SELECT count(*) FROM {table} WHERE member = $1", here.caller.id) == 0, table
    assert (await events(here))[-1] == "account_closed"
    told = (await mails(here, address))[-1]
    assert (told["event"], "freeze" in told) == ("account_closed", False)
    assert await refused(log_in(ctx(), here.caller.account)) == "wrong_credentials"
    assert await members.find_by_invite_code(here.db, row["invite_code"]) is None
    with pytest.raises(Refusal):
        async with here.db.transaction() as db:
            await open_session(here, db, here.caller.id)


@pytest.mark.parametrize("table", ["player_limits", "player_breaks"])
async def test_nobody_takes_limits_and_breaks_from_an_open_account(here: Context, table: str) -> None:
    async with here.db.transaction() as db:
        await put_limit(db, here.caller.id, "stake", Limit(1_000), at=1)
        await put_break(db, BreakRow(here.caller.id, "exclusion", 1, 2 * here.now))
    with pytest.raises(asyncpg.RaiseError, match="stay until the account is closed"):
        await here.db.execute(f"DELETE FROM {table} WHERE member = $1", here.caller.id)


async def test_a_closed_account_leaves_no_words_of_its_member(
    here: Context, ctx: MakeContext, database_url: str
) -> None:
    """Neither the names of addresses nor tickets; other members' stay."""
    others = ctx(await make_member(database_url))
    for one in (here, others):
        await here.db.execute(
            "INSERT INTO withdrawal_addresses (member, chain, address, label, is_listed, created_at, usable_at) "
            "VALUES ($1, 1, $2, 'Grandma', false, 0, 0)",
            one.caller.id, "0x" + "ab" * 20,
        )  # fmt: skip
        await support.open_ticket(one, "My name", Draft("is Ada", ()))
    with pytest.raises(asyncpg.RaiseError, match="keeps its name"):
        await here.db.execute("UPDATE withdrawal_addresses SET label = '-' WHERE member = $1", here.caller.id)
    await close(here)
    for one, label, tickets in ((here, "-", 0), (others, "Grandma", 1)):
        number = one.caller.id
        assert await here.db.value("SELECT label FROM withdrawal_addresses WHERE member = $1", number) == label
        assert await here.db.value("SELECT count(*) FROM tickets WHERE member = $1", number) == tickets
    with pytest.raises(asyncpg.RaiseError, match="keeps its name"):
        await here.db.execute("UPDATE withdrawal_addresses SET label = 'new' WHERE member = $1", here.caller.id)
    with pytest.raises(SessionEnded):
        await support.open_ticket(here, "My name", Draft("is Ada", ()))


async def test_accounts_that_were_closed_before_leave_none_either(here: Context, database_url: str) -> None:
    """What the migration does once for those that closed when nothing was erased."""
    picture = new_id()
    owner = await asyncpg.connect(database_url)
    try:
        await owner.execute(
            """
            INSERT INTO withdrawal_addresses (member, chain, address, label, is_listed, created_at, usable_at)
            VALUES ($1, 1, $2, 'Grandma', false, 0, 0)
            """,
            here.caller.id, "0x" + "cd" * 20,
        )  # fmt: skip
        ticket = await support.open_ticket(here, "My name", Draft("is Ada", ()))
        await owner.execute(
            """
            INSERT INTO uploads (id, owner, purpose, kind, state, sent_bytes, sent_sha256, name, created_at, kept_bytes,
                kept_sha256, width, height, kept_at, used_at, used_by)
            SELECT $1, $2, 'picture', 'image/png', 'used', 1, $3, md5($1), 1, 1, $3, 12, 8, 1, 2,
                'ticket message ' || last_message FROM tickets WHERE id = $4
            """,
            picture, here.caller.id, b"s" * 32, ticket,
        )  # fmt: skip
        await owner.execute("ALTER TABLE ticket_messages DISABLE TRIGGER ticket_messages_stay")
        await owner.execute("UPDATE ticket_messages SET pictures = ARRAY[$1] WHERE ticket = $2", picture, ticket)
        await owner.execute("ALTER TABLE ticket_messages ENABLE TRIGGER ticket_messages_stay")
        await owner.execute("UPDATE members SET closed_at = 1 WHERE id = $1", here.caller.id)
        for statement in runpy.run_path(str(LABELS))["STATEMENTS"][-3:]:
            await owner.execute(statement)
    finally:
        await owner.close()
    left = "SELECT label FROM withdrawal_addresses WHERE member = $1"
    assert await here.db.value(left, here.caller.id) == "-"
    assert await here.db.value("SELECT count(*) FROM tickets WHERE member = $1", here.caller.id) == 0
    assert await here.db.value("SELECT state FROM uploads WHERE id = $1", picture) == "ended"


async def test_a_closed_accounts_address_leaves_no_codes_and_tries(here: Context) -> None:
    address, other = await email_of(here), new_email()
    subjects = [f"{kind}:{address}" for kind in ("code-day", "login", "reset")]
    kept = [f"reset:{other}", f"reset:{address}.example", "other"]
    await here.db.execute(
        "INSERT INTO tries (subject, times, until_at) SELECT unnest($1::text[]), ARRAY[1], $2 ON CONFLICT DO NOTHING",
        [*subjects, f"login-device:{address}:phone", *kept],
        here.wall + 60_000,
    )
    await mailed(here, "password")
    await close(here)
    assert await here.db.value("SELECT count(*) FROM email_codes WHERE email = $1", address) == 0
    rows = await here.db.rows("SELECT subject FROM tries WHERE strpos(subject, $1) > 0", address)
    assert [row["subject"] for row in rows] == [f"reset:{address}.example"]
    assert await here.db.value("SELECT count(*) FROM tries WHERE subject = ANY($1)", kept) == len(kept)


@pytest.mark.usefixtures("root")
async def test_the_address_of_a_closed_account_is_free_again(here: Context, ctx: MakeContext) -> None:
    address = await email_of(here)
    await close(here)
    again, _ = await register(ctx(), address)
    assert again.account != here.caller.account


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"proof": None}, "slide_required"),
        ({"password": WRONG}, "wrong_credentials"),
        ({"email_code": None}, "second_factor_required"),
        ({"email_code": "00000x"}, "wrong_code"),
    ],
)
async def test_a_refused_closing_changes_nothing(here: Context, changes: dict[str, Any], refusal: str) -> None:
    address = await email_of(here)
    assert await refused(close(here, **changes)) == refusal
    assert (await email_of(here), await events(here), await sessions(here)) == (address, [], 1)


async def test_who_has_a_withdrawal_password_closes_with_it(here: Context) -> None:
    await give_out(here)
    with pytest.raises(InvalidInput):
        await close(here)
    assert await refused(close(here, out_password="999999")) == "wrong_out_password"
    assert await sessions(here) == 1


async def hold_a_unit(ctx: Context) -> None:
    await fund(ctx.ledger, ctx.caller, usdt="0.000001")


async def be_owed(ctx: Context) -> None:
    """By an account of the house that has nothing."""
    debt = Debt("test.owed", purse.available(ctx.caller.id, USDT), 5, 7)
    takes, riders = owe(purse.house(Purpose.MARKETING, USDT), [debt], business_day(ctx.now))
    await ctx.ledger.post(posting(takes=takes, riders=riders))


async def be_granted(ctx: Context) -> None:
    """What will be released from tomorrow on."""
    plan = Plan.by_amount(10, 1, business_day(ctx.now) + timedelta(days=1))
    source, target = purse.house(Purpose.REVENUE, USDT), purse.available(ctx.caller.id, USDT)
    await ctx.ledger.post(posting(riders=[open_grant(plan, kind="test.grant", source=source, target=target)]))


@pytest.mark.parametrize("has", [hold_a_unit, be_owed, be_granted])
async def test_an_account_that_holds_anything_is_not_closed(
    here: Context, has: Callable[[Context], Awaitable[None]]
) -> None:
    await has(here)
    address = await email_of(here)
    assert await refused(close(here)) == "balance_not_zero"
    assert (await email_of(here), await events(here), await sessions(here)) == (address, [], 1)


@pytest.mark.parametrize("kind", ["break", "exclusion"])
async def test_a_break_or_an_exclusion_is_not_ended_by_closing(here: Context, kind: str) -> None:
    until = await (protection.take_break(here, days=1) if kind == "break" else protection.exclude(here, months=6))
    address = await email_of(here)
    with pytest.raises(SelfExcluded) as refusal:
        await close(here)
    assert refusal.value.fields == {"until": until}
    assert (await email_of(here), await events(here), await sessions(here)) == (address, [], 1)


async def test_an_account_closes_once_a_break_is_over(here: Context) -> None:
    async with here.db.transaction() as db:
        await put_break(db, BreakRow(here.caller.id, "break", 1, here.now))
    await close(here)
    assert (await events(here))[-1] == "account_closed"


async def test_a_break_that_is_taken_while_the_account_closes_keeps_it_open(here: Context) -> None:
    """The closing waits for it: both take the member's row."""
    async with here.db.transaction() as db:
        await put_break(db, BreakRow(here.caller.id, "break", here.now, 2 * here.now))
        closing = asyncio.create_task(refused(close(here)))
        while not closing.done() and not await db.fetchval("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)"):
            await asyncio.sleep(0.01)
    assert await closing == "self_excluded"
    assert await sessions(here) == 1


async def test_a_session_that_is_opened_while_the_account_closes_is_none(here: Context) -> None:
    async def enter() -> None:
        async with here.db.transaction() as db:
            await open_session(here, db, here.caller.id)

    await asyncio.gather(close(here), *(enter() for _ in range(8)), return_exceptions=True)
    assert await sessions(here) == 0
