"""Members in the console: found by their whole name, frozen and opened by support, told of it, and written down."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final

import asyncpg
import pytest

from conftest import MakeContext
from console.conftest import Hire
from console.scene import Worker, begin_session, desk_of, on_one_connection, request_id
from entry.test_reset import NEW, reset
from kalos.core.clock import HOUR_MS
from kalos.domains.context import Context, House
from kalos.domains.entry import service as entry
from kalos.domains.identity import queries as identity
from kalos.domains.identity.errors import AccountFrozen, WrongCredentials
from kalos.domains.identity.service import note, open_session
from kalos.operator import members
from kalos.operator.people import set_own_account
from kalos.operator.queries import verify_audit
from kalos.operator.rules import ROLES
from support.members import begin_session as begin_members_session
from support.people import PASSWORD, login, new_email, register, send_code
from support.plain import Plain
from support.waiting import until_waiting

pytestmark = pytest.mark.usefixtures("root")
MEMBER: Final = "/api/operator/member"
FREEZE: Final = "/api/operator/freezeMember"
OPEN: Final = "/api/operator/openMember"
READERS: Final = {"support", "auditor", "owner"}

Clerk = Callable[..., Awaitable[tuple[Worker, str]]]


@dataclass(frozen=True, slots=True)
class Someone:
    """A member who registered, and their address."""

    ctx: Context
    account: str
    email: str

    @property
    def id(self) -> int:
        return self.ctx.caller.id


@pytest.fixture(scope="module")
def clerk(hire: Hire, house: House) -> Clerk:
    """`await clerk("support")` gives somebody and the token of a session."""

    async def make(*roles: str) -> tuple[Worker, str]:
        worker = await hire(*roles)
        return worker, await begin_session(house.db, worker)

    return make


@pytest.fixture
async def here(ctx: MakeContext) -> Someone:
    email = new_email()
    member, _ = await register(ctx(), email)
    return Someone(ctx(member), member.account, email)


async def opening(one: Someone, **fields: Any) -> dict[str, Any]:
    """As it is frozen now."""
    at = await one.ctx.db.value("SELECT frozen_at FROM members WHERE id = $1", one.id)
    return body_of(one, frozen_at=at or 1) | fields


def body_of(one: Someone, **fields: Any) -> dict[str, Any]:
    return {"account": one.account, "reason": "They called", "request_id": request_id()} | fields


async def events(one: Someone) -> list[str]:
    return [row.event for row in await identity.list_events(one.ctx.db, one.id, before=None, most=50)]


async def logged(one: Someone) -> list[tuple[str, str, bool, str]]:
    rows = await one.ctx.db.rows(
        "SELECT name, act, (after->>'frozen')::boolean, after->>'reason' FROM operator_audit "
        "WHERE object = $1 ORDER BY id",
        f"member {one.account}",
    )
    assert await verify_audit(one.ctx.db) == []
    return [tuple(row.values()) for row in rows]


async def mailed(one: Someone) -> list[str]:
    rows = await one.ctx.db.rows(
        "SELECT body->'values'->>'event' AS event FROM domain_outbox "
        "WHERE topic = 'mail' AND body->>'recipient' = $1 AND body->>'mail' = 'security' ORDER BY id",
        one.email,
    )
    return [row["event"] for row in rows]


async def test_a_member_is_found_by_the_whole_number_or_address(api: Plain, here: Someone, clerk: Clerk) -> None:
    _, token = await clerk("support")
    found = await api.data(MEMBER, {"name": here.account}, token=token)
    assert await api.data(MEMBER, {"name": here.email.replace("people", "PEOPLE")}, token=token) == found
    assert {
        "account": here.account, "state": "open", "frozen_at": None, "out_password_set": False, "google_bound": False,
        "withdrawals_held_until": None, "limits": {"stake": None, "loss": None, "topup": None, "reminder": None},
    }.items() <= found.items()  # fmt: skip
    assert found["email"] != here.email
    assert [one["title"] for one in found["events"]] == ["Account created"]
    assert len(found["sessions"]) == 1
    for part in (here.email, "password", "$argon2"):
        assert part not in str(found).replace("out_password_set", "")
    for wrong in (here.account[:7], here.email[1:], "%%%", f"{here.account}0"):
        assert (await api.post(MEMBER, {"name": wrong}, token=token))["code"] == 404


async def test_frozen_by_the_house_only_the_house_opens_it(
    api: Plain, here: Someone, clerk: Clerk, ctx: MakeContext
) -> None:
    who, token = await clerk("support")
    session = await begin_members_session(here.ctx.db, here.ctx.caller)
    found = await api.data(FREEZE, body_of(here), token=token)
    assert (found["state"], found["sessions"]) == ("frozen_by_house", [])
    assert (await api.post("/api/user/info", {}, token=session))["code"] == 406
    with pytest.raises(AccountFrozen):
        await entry.log_in(ctx(), await login(ctx(), here.account, PASSWORD))
    await ctx().db.execute("DELETE FROM tries")
    await reset(ctx(), here.email, await send_code(ctx(), here.email, "reset"))
    with pytest.raises(AccountFrozen):
        await entry.log_in(ctx(), await login(ctx(), here.account, NEW))
    opened = await api.data(OPEN, await opening(here, reason="It is them"), token=token)
    assert (opened["state"], opened["frozen_at"]) == ("open", None)
    assert await entry.log_in(ctx(), await login(ctx(), here.account, NEW)) is not None
    assert (await events(here))[1:4] == ["opened_by_support", "password_reset", "frozen_by_support"]
    assert await mailed(here) == ["frozen_by_support", "password_reset", "opened_by_support", "new_device"]
    assert await logged(here) == [
        (who.name, "member.freeze", True, "They called"),
        (who.name, "member.open", False, "It is them"),
    ]


async def test_freezing_and_opening_take_one_connection(house: House, here: Someone, clerk: Clerk) -> None:
    """Eight at once, of eight connections, would each wait for another's."""
    who, _ = await clerk("support")
    async with on_one_connection(house) as narrow:
        desk = desk_of(narrow, who)
        frozen = await members.freeze_member(desk, here.account, reason="They called", request_id=request_id())
        at = frozen.row.frozen_at
        assert at is not None
        opened = await members.open_member(
            desk, here.account, frozen_at=at, reason="It is them", request_id=request_id()
        )
        assert opened.row.frozen_at is None


async def test_what_its_owner_froze_support_opens_and_withdrawals_are_held(
    api: Plain, here: Someone, clerk: Clerk
) -> None:
    _, token = await clerk("support")
    async with here.ctx.db.transaction() as db:
        await identity.freeze(db, here.id, here.ctx.now)
    assert (await api.data(MEMBER, {"name": here.account}, token=token))["state"] == "frozen_by_owner"
    opened = await api.data(OPEN, await opening(here), token=token)
    assert opened["state"] == "open"
    assert (opened["withdrawals_held_until"] or 0) - here.ctx.now > 23 * HOUR_MS


async def test_what_was_frozen_anew_meanwhile_stays_frozen(api: Plain, here: Someone, clerk: Clerk) -> None:
    _, token = await clerk("support")
    await api.data(FREEZE, body_of(here), token=token)
    shown = await opening(here)
    async with here.ctx.db.transaction() as db:
        await identity.freeze(db, here.id, here.ctx.now + 1)
    assert (await api.post(OPEN, shown, token=token))["data"].get("error") == "wrong_state"
    assert (await api.data(OPEN, await opening(here), token=token))["state"] == "open"


async def test_no_session_opens_beside_a_freeze(here: Someone) -> None:
    """A log-in that found the account open is judged when it opens its session."""
    async with here.ctx.db.transaction() as freezing:
        await identity.freeze(freezing, here.id, here.ctx.now)

        async def open_one() -> str:
            async with here.ctx.db.transaction() as db:
                return await open_session(here.ctx, db, here.id)

        opening = asyncio.create_task(open_one())
        await asyncio.sleep(0.2)
        assert not opening.done()
        await identity.end_all_sessions(freezing, here.id)
    with pytest.raises(WrongCredentials):
        await opening
    assert await here.ctx.db.value("SELECT count(*) FROM sessions WHERE member = $1", here.id) == 0


async def test_an_owners_freeze_does_not_lift_that_of_the_house(api: Plain, here: Someone, clerk: Clerk) -> None:
    _, token = await clerk("support")
    await api.data(FREEZE, body_of(here), token=token)
    async with here.ctx.db.transaction() as db:
        await identity.freeze(db, here.id, here.ctx.now)
        await identity.unfreeze(db, here.id)
    assert (await api.data(MEMBER, {"name": here.account}, token=token))["state"] == "frozen_by_house"


async def test_sent_twice_it_happens_once_and_another_body_is_refused(api: Plain, here: Someone, clerk: Clerk) -> None:
    _, token = await clerk("support")
    body = body_of(here)
    answers = await asyncio.gather(*(api.post(FREEZE, body, token=token) for _ in range(8)))
    assert {one["code"] for one in answers} == {200}
    assert (await api.post(FREEZE, body | {"reason": "Another"}, token=token))["code"] == 409
    assert len(await logged(here)) == 1
    assert await mailed(here) == ["frozen_by_support"]


async def test_of_two_at_once_one_freezes(api: Plain, here: Someone, clerk: Clerk) -> None:
    tokens = [(await clerk("support"))[1] for _ in range(4)]
    answers = await asyncio.gather(*(api.post(FREEZE, body_of(here), token=token) for token in tokens))
    assert sorted(one["code"] for one in answers) == [200, 422, 422, 422]
    assert len(await logged(here)) == 1


async def test_what_is_as_asked_for_already_or_closed_is_left_alone(api: Plain, here: Someone, clerk: Clerk) -> None:
    _, token = await clerk("support")
    refused = await api.post(OPEN, await opening(here), token=token)
    assert (refused["code"], refused["data"]["error"]) == (422, "wrong_state")
    assert (await api.post(OPEN, await opening(here, account="99999999"), token=token))["code"] == 404
    password_hash = await here.ctx.db.value("SELECT password_hash FROM members WHERE id = $1", here.id)
    async with here.ctx.db.transaction() as db:
        assert await identity.erase_member(db, here.id, password_hash=password_hash, at=here.ctx.now)
    assert (await api.post(FREEZE, body_of(here), token=token))["data"].get("error") == "wrong_state"
    found = await api.data(MEMBER, {"name": here.account}, token=token)
    assert (found["state"], found["email"]) == ("closed", "")
    assert await logged(here) == []


async def test_nobody_acts_on_their_own_account(api: Plain, here: Someone, clerk: Clerk, database_url: str) -> None:
    who, token = await clerk("support")
    owner = await asyncpg.connect(database_url)
    assert await set_own_account(owner, name=who.name, account=here.account, by="tests")
    await owner.close()
    for path, body in ((FREEZE, body_of(here)), (OPEN, await opening(here))):
        assert (await api.post(path, body, token=token))["data"].get("error") == "own_account"
    assert "frozen_by_support" not in await events(here)


@pytest.mark.parametrize("role", ROLES)
async def test_each_role_reads_and_acts_as_it_may(api: Plain, here: Someone, clerk: Clerk, role: str) -> None:
    _, token = await clerk(role)
    assert ((await api.post(MEMBER, {"name": here.account}, token=token))["code"] == 200) == (role in READERS)
    assert ((await api.post(FREEZE, body_of(here), token=token))["code"] == 200) == (role == "support")
    assert ((await api.post(OPEN, await opening(here), token=token))["code"] == 200) == (role == "support")
    assert len(await logged(here)) == (2 if role == "support" else 0)


@pytest.mark.parametrize("ending", ["freeze", "reset"])
async def test_a_session_that_is_being_ended_keeps_no_other_end_from_coming(
    here: Someone, clerk: Clerk, house: House, ctx: MakeContext, ending: str
) -> None:
    """Whoever holds the password ends sessions, and notes each: that points at the member, whose row is locked then."""
    who, _ = await clerk("support")
    for _ in range(2):
        await begin_members_session(here.ctx.db, here.ctx.caller)
    (session, *_) = await here.ctx.db.rows("SELECT token_hash FROM sessions WHERE member = $1", here.id)
    await here.ctx.db.execute("DELETE FROM tries")
    code = await send_code(ctx(), here.email, "reset")
    ends: dict[str, Callable[[], Coroutine[Any, Any, Any]]] = {
        "reset": lambda: reset(ctx(), here.email, code),
        "freeze": lambda: members.freeze_member(
            desk_of(house, who, "freeze"), here.account, reason="They called", request_id=request_id()
        ),
    }
    later = []

    async def end_one() -> None:
        async with here.ctx.db.transaction() as db:
            await db.execute("DELETE FROM sessions WHERE token_hash = $1", session["token_hash"])
            later.append(asyncio.create_task(ends[ending]()))
            await until_waiting(here.ctx.db, 1)
            await note(here.ctx, db, here.id, "session_ended")

    first = await asyncio.gather(end_one(), return_exceptions=True)
    found = [*first, *await asyncio.gather(*later, return_exceptions=True)]
    assert [one for one in found if isinstance(one, Exception)] == []
    assert await here.ctx.db.rows("SELECT FROM sessions WHERE member = $1", here.id) == []
