"""What was judged still counts when the session opens: no old password, and no wallet that was taken away meanwhile."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest

from conftest import MakeContext
from factors.scene import mailed, refused
from kalos.core.database import Connection
from kalos.core.tokens import digest
from kalos.domains.context import Context
from kalos.domains.entry import queries, service
from kalos.domains.entry.service import Opened, Reset, WalletLogin
from kalos.domains.identity import queries as members
from kalos.domains.security import service as security
from kalos.domains.wallets import queries as wallet_rows
from support.people import PASSWORD, enter, login, new_email, proof, register, send_code
from wallets.people import bind, new_wallet, signed

pytestmark = pytest.mark.usefixtures("root")
NEW = "another9mountain"
KEPT = ("sessions", "devices")


class Undone(Exception):
    """Ends a transaction that only held something."""


async def someone(ctx: MakeContext) -> tuple[Context, str]:
    """A call of a new member, and their address."""
    email = new_email()
    member, token = await register(ctx(), email)
    await ctx().db.execute("DELETE FROM tries")
    return ctx(member, session=digest(token)), email


async def reset(here: Context, email: str) -> None:
    code = await send_code(here, email, "reset")
    await service.reset_password(here, Reset(email, code, NEW, await proof(here)))


async def change(here: Context, _email: str) -> None:
    given = {"proof": await proof(here), "google_code": None, "email_code": await mailed(here, "password")}
    await security.change_password(here, old=PASSWORD, new=NEW, confirm=NEW, **given)


async def waits(db: Connection, task: "asyncio.Task[Any]") -> None:
    """Until the task waits for what this transaction holds."""
    while not task.done() and not await db.fetchval("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)"):
        await asyncio.sleep(0.01)


async def left(here: Context) -> list[Any]:
    """The member's sessions and devices."""
    return [await here.db.rows(f"SELECT * FROM {table} WHERE member = $1", here.caller.id) for table in KEPT]


@pytest.mark.parametrize(
    ("renew", "event"), [(reset, "password_reset"), (change, "password_changed")], ids=["reset", "change"]
)
async def test_a_login_with_the_old_password_opens_nothing_once_there_is_a_new_one(
    ctx: MakeContext, renew: Callable[[Context, str], Awaitable[None]], event: str
) -> None:
    """It has read the old hash, and waits for its picture while the new password is set."""
    here, email = await someone(ctx)
    under_way = await login(here, here.caller.account)
    with suppress(Undone):
        async with here.db.transaction() as db:
            await db.execute("DELETE FROM captchas WHERE id = $1", under_way.captcha.id)
            entering = asyncio.create_task(refused(service.log_in(here, under_way)))
            await waits(db, entering)
            await renew(here, email)
            before = await left(here)
            raise Undone
    assert await entering == "wrong_credentials"
    assert await left(here) == before
    events = await members.list_events(here.db, here.caller.id, before=None, most=1)
    assert [row.event for row in events] == [event]


async def test_a_login_on_a_known_device_waits_for_a_reset_and_neither_holds_up_the_other(ctx: MakeContext) -> None:
    """Both take the member's row first: in another order each would wait for what the other holds."""
    here, _ = await someone(ctx)
    device = (await enter(here, await login(here, here.caller.account))).device
    under_way = await login(here, here.caller.account, device=device)
    async with here.db.transaction() as db:
        await members.set_password(db, here.caller.id, "$argon2id$another")
        entering = asyncio.create_task(refused(service.log_in(here, under_way)))
        await waits(db, entering)
        await members.end_all_sessions(db, here.caller.id)
        await queries.forget_devices(db, here.caller.id)
        await db.execute("DELETE FROM tries")
    assert await entering == "wrong_credentials"
    assert await left(here) == [[], []]


async def test_a_wallet_that_is_taken_away_meanwhile_logs_nobody_in(ctx: MakeContext) -> None:
    here, _ = await someone(ctx)
    wallet = new_wallet()
    await bind(here, wallet)
    given, before = await signed(ctx(), wallet), await left(here)
    async with here.db.transaction() as db:
        await members.lock_member(db, here.caller.id)
        entering = asyncio.create_task(refused(service.log_in_with_wallet(ctx(), WalletLogin(given))))
        await waits(db, entering)
        assert await wallet_rows.remove_login_wallet(db, member=here.caller.id, address=wallet.address, at=here.now)
    assert await entering == "wrong_credentials"
    assert await left(here) == before


async def test_a_wallet_logs_in_whatever_becomes_of_the_password(ctx: MakeContext) -> None:
    here, email = await someone(ctx)
    wallet = new_wallet()
    await bind(here, wallet)
    await here.db.execute("DELETE FROM tries")
    await reset(here, email)
    opened = await service.log_in_with_wallet(ctx(), WalletLogin(await signed(ctx(), wallet)))
    assert isinstance(opened, Opened)
