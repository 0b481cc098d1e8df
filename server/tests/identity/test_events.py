"""What happens to an account: logged, mailed, and held for as long as one table says; a mail's link freezes it once."""

import asyncio
import json
from dataclasses import replace

import pytest
from msgspec import structs

from conftest import MakeContext
from kalos.core.clock import HOUR_MS
from kalos.core.tokens import digest
from kalos.domains.context import Context
from kalos.domains.identity import queries, service
from kalos.domains.identity.errors import AccountFrozen
from kalos.domains.identity.rules import EVENTS, Event
from support.people import register

pytestmark = pytest.mark.usefixtures("root")


async def note(ctx: Context, member: int, *events: Event) -> None:
    for event in events:
        async with ctx.db.transaction() as db:
            await service.note(ctx, db, member, event)


async def mails_of(ctx: Context, member: int) -> list[dict[str, str]]:
    bodies = await ctx.db.rows(
        """
        SELECT body FROM domain_outbox JOIN members ON body ->> 'recipient' = email
        WHERE topic = 'mail' AND body ->> 'mail' = 'security' AND members.id = $1 ORDER BY domain_outbox.id
        """,
        member,
    )
    return [json.loads(row["body"])["values"] for row in bodies]


@pytest.mark.parametrize("event", EVENTS)
async def test_each_event_is_logged_and_has_the_effects_of_its_row(ctx: MakeContext, event: Event) -> None:
    who, _ = await register(ctx())
    here = ctx(who, network="203.0.113.9", device="A phone")
    before = len(await mails_of(here, who.id))
    await note(here, who.id, event)
    logged = (await queries.list_events(here.db, who.id, before=None, most=1))[0]
    assert (logged.event, logged.network, logged.device) == (event, "203.0.113.9", "A phone")
    assert (logged.held_until is not None) is EVENTS[event].is_held
    told = (await mails_of(here, who.id))[before:]
    assert [mail["event"] for mail in told] == [event] * EVENTS[event].is_mailed
    # A closed account has nothing left to freeze; every other mail can.
    assert all(("/login?freeze=" in mail.get("freeze", "")) is (event != "account_closed") for mail in told)


async def test_the_longest_hold_wins_and_no_event_shortens_it(ctx: MakeContext) -> None:
    who, _ = await register(ctx())
    here = ctx(who)
    assert await queries.held_until(here.db, who.id, here.now) is None
    await note(here, who.id, "password_changed")
    held = await queries.held_until(here.db, who.id, here.now)
    assert held is not None
    assert 0 <= here.now + 24 * HOUR_MS - held < 60_000
    await note(here, who.id, "login", "out_password_set")
    assert await queries.held_until(here.db, who.id, here.now) == held
    await note(here, who.id, "google_unbound")
    longest = await queries.held_until(here.db, who.id, here.now)
    assert longest is not None
    assert longest >= held
    assert await queries.held_until(here.db, who.id, longest) is None
    house = replace(here.house, terms=replace(here.terms, security_hold=1))
    await note(structs.replace(here, house=house), who.id, "password_changed")
    assert await queries.held_until(here.db, who.id, here.now) == longest, "a later hold of an hour ends nothing"


def test_what_each_event_means_is_as_decided() -> None:
    """A literal table beside the product's own."""
    held = {"password_changed", "password_reset", "email_changed", "out_password_changed", "out_password_reset"}
    held |= {"google_unbound", "opened_by_support"}
    quiet = {"registered", "login", "session_ended"}
    assert {event for event, meaning in EVENTS.items() if meaning.is_held} == held
    assert {event for event, meaning in EVENTS.items() if not meaning.is_mailed} == quiet


async def test_an_events_link_freezes_its_own_account_once(ctx: MakeContext) -> None:
    who, _ = await register(ctx())
    await note(ctx(), who.id, "google_bound")
    [told] = await mails_of(ctx(), who.id)
    token = told["freeze"].rpartition("freeze=")[2]
    stored = await ctx().db.value("SELECT member FROM freeze_tokens WHERE token_hash = $1", digest(token))
    assert stored == who.id

    async def take() -> int | None:
        async with ctx().db.transaction() as db:
            return await queries.take_freeze_token(db, digest(token), ctx().wall)

    assert sorted(await asyncio.gather(*(take() for _ in range(8))), key=bool) == [*[None] * 7, who.id]


async def test_a_freeze_link_ends_after_three_days(ctx: MakeContext) -> None:
    who, _ = await register(ctx())
    await note(ctx(), who.id, "google_bound")
    token = (await mails_of(ctx(), who.id))[0]["freeze"].rpartition("freeze=")[2]
    async with ctx().db.transaction() as db:
        assert await queries.take_freeze_token(db, digest(token), ctx().wall + 72 * HOUR_MS) is None
        assert await queries.take_freeze_token(db, digest(token), ctx().wall + 72 * HOUR_MS - 60_000) == who.id


async def test_a_frozen_account_says_so_until_it_is_opened(ctx: MakeContext) -> None:
    who, _ = await register(ctx())
    await service.check_not_frozen(ctx(), who.id)
    async with ctx().db.transaction() as db:
        await queries.freeze(db, who.id, ctx().now)
    with pytest.raises(AccountFrozen):
        await service.check_not_frozen(ctx(), who.id)
    async with ctx().db.transaction() as db:
        await queries.unfreeze(db, who.id)
    await service.check_not_frozen(ctx(), who.id)


async def test_ending_all_sessions_can_leave_one(ctx: MakeContext) -> None:
    who, token = await register(ctx())
    async with ctx().db.transaction() as db:
        others = [await service.open_session(ctx(), db, who.id) for _ in range(2)]
        await queries.end_all_sessions(db, who.id, but=digest(token))
    assert await queries.find_session(ctx().db, digest(token), ctx().wall) is not None
    assert [await queries.find_session(ctx().db, digest(other), ctx().wall) for other in others] == [None, None]


async def test_the_log_is_read_page_by_page_and_never_rewritten(ctx: MakeContext) -> None:
    who, _ = await register(ctx())
    await note(ctx(), who.id, "login", "new_device", "login")
    first = await queries.list_events(ctx().db, who.id, before=None, most=2)
    rest = await queries.list_events(ctx().db, who.id, before=first[-1].id, most=2)
    assert [row.event for row in (*first, *rest)] == ["login", "new_device", "login", "registered"]
    with pytest.raises(Exception, match="permission denied"):
        await ctx().db.execute("UPDATE security_events SET held_until = NULL")
