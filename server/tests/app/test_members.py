"""What an operator begins a house's members with."""

import pytest

from conftest import MakeContext
from kalos.app.members import USAGE, obey
from kalos.core.database import Database
from kalos.domains.entry import service
from kalos.domains.entry.errors import InvalidInviteCode
from kalos.domains.identity.queries import find_by_name, find_profile
from kalos.operator.queries import list_audit
from support.people import application, new_email, send_code

PAGE = "https://kalos.example"


async def test_nobody_can_register_before_the_houses_own_account_invites_the_first(ctx: MakeContext) -> None:
    db, email = ctx().db, new_email()
    code = await send_code(ctx(), email)
    with pytest.raises(InvalidInviteCode):
        await service.register(ctx(), application(email, code))
    told = await obey(db, PAGE, ["begin", "House@people.EXAMPLE"])
    first = await find_by_name(db, "House@people.example")
    assert first is not None
    assert told == (0, f"{first.account} is the house's own: {PAGE}/register?code={first.invite_code}")
    assert await db.value("SELECT is_staff FROM members WHERE id = $1", first.id)
    (row,) = await list_audit(db, before=None, most=1)
    assert (row.act, row.object) == ("machine.order", f"first account {first.account}")
    await service.register(ctx(), application(email, code, invite_code=first.invite_code))
    made = await find_by_name(db, email)
    assert made is not None
    assert made.inviter == first.id
    assert await obey(db, PAGE, ["begin", new_email()]) == told, "there is one, whatever was asked for"
    assert (await find_profile(db, first.id)).superior is None


async def test_whose_address_is_a_members_is_not_the_houses_own(ctx: MakeContext, db: Database) -> None:
    """Also where the first account was closed."""
    await obey(db, PAGE, ["begin", new_email()])
    invite = await db.value("SELECT invite_code FROM members WHERE inviter IS NULL")
    email = new_email()
    await service.register(ctx(), application(email, await send_code(ctx(), email), invite_code=invite))
    await db.execute("UPDATE members SET closed_at = 1 WHERE inviter IS NULL")
    before = await db.value("SELECT count(*) FROM members")
    assert await obey(db, PAGE, ["begin", email]) == (1, "this address is a member's already")
    assert await db.value("SELECT count(*) FROM members") == before


@pytest.mark.parametrize(
    ("arguments", "code"), [([], 2), (["begin"], 2), (["begin", "nobody"], 1), (["end", "a@b.example"], 2)]
)
async def test_what_is_no_order_makes_no_account(db: Database, arguments: list[str], code: int) -> None:
    before = await db.value("SELECT count(*) FROM members")
    found, text = await obey(db, PAGE, arguments)
    assert found == code
    assert (text == USAGE) == (code == 2)
    assert await db.value("SELECT count(*) FROM members") == before
