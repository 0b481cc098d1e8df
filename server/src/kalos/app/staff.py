"""`staff`: who works for the house, ordered on the machine; `audit-log`: whether the console's log is whole."""

import getpass
import re
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import asyncpg

from kalos.app.login import login
from kalos.app.settings import Settings
from kalos.app.signer_folder import BadFolder, SignerFolder
from kalos.core.clock import utc_text
from kalos.core.database import Database
from kalos.core.passwords import hash_password
from kalos.domains.factors.rules import base32_of, otpauth
from kalos.operator import people, queries, restored
from kalos.operator.rules import LEAST_PASSWORD, MOST_PASSWORD, ROLES

USAGE: Final = f"""\
staff list | staff keys NAME | staff end NAME | staff back NAME | staff account NAME ACCOUNT|none
staff add NAME --roles ROLE,ROLE [--public-key HEX]
ROLE is one of {", ".join(ROLES)}. The password is asked, or read from the first line of standard input.
HEX is the key that a reviewer's withdrawals are signed with, as the console shows it. ACCOUNT is somebody's own account
as a member: what concerns it is decided by others."""

LOG_USAGE: Final = "audit-log verify"
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{1,30}", re.ASCII)
_KEY: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)
AskPassword = Callable[[], str]


async def obey(settings: Settings, arguments: Sequence[str], ask: AskPassword | None = None) -> tuple[int, str]:
    """What is ordered of staff, as the schema's owner. Returns exit code and text."""
    match list(arguments):
        case ["list"]:
            return await _with_owner(settings, _list)
        case ["keys", name]:
            return await _keys(settings, name)
        case ["end", name]:
            return await _end(settings, name)
        case ["back", name]:
            return await _back(settings, name)
        case ["account", name, account]:
            return await _account(settings, name, account)
        case ["add", name, "--roles", roles]:
            return await _add(settings, name, roles.split(","), None, ask or ask_password)
        case ["add", name, "--roles", roles, "--public-key", key]:
            return await _add(settings, name, roles.split(","), key, ask or ask_password)
    return 2, USAGE


async def verify(db: Database, arguments: Sequence[str]) -> tuple[int, str]:
    """Follow the log's chain. Returns exit code and text."""
    if list(arguments) != ["verify"]:
        return 2, LOG_USAGE
    problems = await queries.verify_audit(db)
    rows, last = await queries.last_audit(db), await queries.list_audit(db, before=None, most=1)
    end = last[0].hash.hex() if last else "nothing"
    return (1, "\n".join(problems)) if problems else (0, f"the log is whole: {rows} rows, the last is {end}")


def ask_password() -> str:
    """At a terminal twice, without showing it; else the first line of standard input."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    first = getpass.getpass("password: ")
    return first if getpass.getpass("once more: ") == first else ""


async def _add(
    settings: Settings, name: str, roles: Sequence[str], key: str | None, ask: AskPassword
) -> tuple[int, str]:
    unknown = [role for role in roles if role not in ROLES]
    if not _NAME.fullmatch(name):
        return 1, "a name has 2 to 31 small letters, digits, - and _, and begins with a letter"
    if unknown:
        return 1, f"no such role: {', '.join(unknown)}"
    if key is not None and not _KEY.fullmatch(key):
        return 1, "a public key has 64 small hex digits"
    password = ask()
    if not LEAST_PASSWORD <= len(password) <= MOST_PASSWORD:
        return 1, f"a password has {LEAST_PASSWORD} to {MOST_PASSWORD} characters, written twice alike"
    password_hash = await hash_password(password)

    async def add(db: asyncpg.Connection) -> tuple[int, str]:
        secret = await people.add_staff(
            db,
            name=name,
            password_hash=password_hash,
            roles=sorted(set(roles), key=ROLES.index),
            public_key=None if key is None else bytes.fromhex(key),
            factor_key=settings.factor_keys[0],
            by=login(),
        )
        if secret is None:
            return 1, f"{name} or this key is somebody's already"
        shown = f"{base32_of(secret)}\n{otpauth(f'{name}@console', secret)}"
        return 0, f"{name} may log in. The authenticator's secret, shown this once:\n{shown}"

    return await _with_owner(settings, add)


async def _end(settings: Settings, name: str) -> tuple[int, str]:
    async def end(db: asyncpg.Connection) -> tuple[int, str]:
        if await people.end_staff(db, name=name, by=login()):
            return 0, f"{name} may log in no longer; what was open is ended"
        return 1, f"nobody called {name} works here"

    code, text = await _with_owner(settings, end)
    return (code, f"{text}\n{_distrust(settings, name)}") if code == 0 else (code, text)


def _distrust(settings: Settings, name: str) -> str:
    """The signer's trust is its own file, which may be another machine's or another user's."""
    folder = SignerFolder(settings.data_dir)
    try:
        if name not in folder.reviewers():
            return "the signer doesn't trust the name"
        folder.distrust(name)
    except (BadFolder, OSError):
        return f"where the signer runs: kalos signer distrust {name}"
    return "the signer trusts the name no longer"


async def _back(settings: Settings, name: str) -> tuple[int, str]:
    async def back(db: asyncpg.Connection) -> tuple[int, str]:
        if await restored.let_in(db, name=name, by=login()):
            return 0, f"{name} may log in again, as before"
        return 1, f"nobody called {name} is locked out or ended"

    return await _with_owner(settings, back)


async def _account(settings: Settings, name: str, account: str) -> tuple[int, str]:
    async def link(db: asyncpg.Connection) -> tuple[int, str]:
        own = None if account == "none" else account
        if not await people.set_own_account(db, name=name, account=own, by=login()):
            return 1, f"nobody called {name} works here, or {account} is nobody's account or another one's of staff"
        if own is None:
            return 0, f"{name} has no account as a member here; whose it was stays staff (settings staff ACCOUNT off)"
        return 0, f"{account} is {name}'s own: others decide what concerns it, and it takes no part in games and trades"

    return await _with_owner(settings, link)


async def _list(db: asyncpg.Connection) -> tuple[int, str]:
    own = await queries.list_own_accounts(db)
    lines = [
        f"{row.id:>3}  {row.name:<24} {'works' if row.is_active else 'ended':<6} {','.join(row.roles)}"
        f"{'  ' + row.public_key.hex() if row.public_key else ''}"
        f"{'  own account ' + own[row.id] if row.id in own else ''}"
        for row in await people.list_staff(db)
    ]
    return 0, "\n".join(lines) or "nobody works here yet"


async def _keys(settings: Settings, name: str) -> tuple[int, str]:
    async def keys(db: asyncpg.Connection) -> tuple[int, str]:
        found = await people.list_keys(db, name)
        lines = [f"{utc_text(row.since)}  {row.public_key.hex()}" for row in found]
        return 0, "\n".join(lines) or f"{name} never had a signing key"

    return await _with_owner(settings, keys)


async def _with_owner(
    settings: Settings, work: Callable[[asyncpg.Connection], Awaitable[tuple[int, str]]]
) -> tuple[int, str]:
    db = await asyncpg.connect(settings.owner_url)
    try:
        return await work(db)
    finally:
        await db.close()
