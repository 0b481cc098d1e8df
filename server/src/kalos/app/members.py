"""`members`: the house's own first account, whose invitation lets the first members register."""

from collections.abc import Sequence
from typing import Final

from kalos.app.login import login
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.emails import canonical_email
from kalos.core.errors import InvalidInput
from kalos.core.passwords import hash_password
from kalos.core.tokens import new_account, new_invite_code, new_token
from kalos.domains.identity.queries import email_exists, insert_member, set_staff
from kalos.operator.queries import append_audit

USAGE: Final = "members begin EMAIL"
_DRAWS_OF_A_NAME: Final = 5
_FIRST: Final = "SELECT account, invite_code FROM members WHERE inviter IS NULL AND closed_at IS NULL ORDER BY id"


async def obey(db: Database, page_url: str, arguments: Sequence[str]) -> tuple[int, str]:
    """What an operator orders. Returns exit code and text."""
    match list(arguments):
        case ["begin", email]:
            try:
                problem = None if await db.row(_FIRST) else await _begin(db, canonical_email(email))
            except InvalidInput:
                return 1, "this is no e-mail address"
            if problem:
                return 1, problem
            first = await db.row(_FIRST)
            assert first is not None, "it was there, or has just been made"
            return 0, f"{first['account']} is the house's own: {page_url}/register?code={first['invite_code']}"
    return 2, USAGE


async def _begin(db: Database, email: str) -> str | None:
    """Make the account that nobody has invited; as one of the house's own it takes no part in games and trades.

    Nobody knows its password: who reads its mails sets one. Returns what is in the way.
    Source: identity.md, "Registering and logging in".
    """
    now = Clock(await db.value("SELECT offset_ms FROM clock")).now()
    password_hash = await hash_password(new_token())
    async with db.transaction() as step:
        if await email_exists(step, email):
            return "this address is a member's already"
        for _ in range(_DRAWS_OF_A_NAME):
            account = new_account()
            made = await insert_member(
                step,
                account=account,
                email=email,
                password_hash=password_hash,
                invite_code=new_invite_code(),
                inviter=None,
                registered_at=now,
            )
            if made is not None:
                break
        else:
            raise AssertionError("no free account number was drawn")
        await set_staff(step, account, is_staff=True)
        await append_audit(
            step,
            at=Clock.wall(),
            staff=None,
            name=login(),
            act="machine.order",
            about=f"first account {account}",
            before={},
            after={"is_staff": True},
        )
    return None
