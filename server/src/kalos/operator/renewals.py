"""What staff renew by themselves: password, authenticator, signing key; each for the old password and a code.

Whoever has a session alone renews nothing. Afterwards the sessions elsewhere have ended, and other devices are new.
"""

import os
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from kalos.core import passwords
from kalos.core.database import Connection
from kalos.core.errors import InvalidInput, WrongState
from kalos.core.sealing import seal, unseal_own
from kalos.domains.challenges import service as challenges
from kalos.domains.challenges.errors import WrongCode
from kalos.domains.factors.errors import PasswordSame
from kalos.domains.factors.rules import step_of
from kalos.operator import queries, refusals, rules
from kalos.operator.context import Desk
from kalos.operator.rules import Staff
from kalos.operator.service import Judged, judge, use_up
from kalos.operator.tables import Act, SecretRow


async def change_password(desk: Desk, *, password: str, code: str, new: str) -> None:
    """Another password counts from now on.

    Raises: PasswordSame, WrongCredentials, WrongState (it has become another one meanwhile), TooMany, Busy.
    """
    if new == password:
        raise PasswordSame()
    password_hash = await passwords.hash_password(new)
    async with _judged(desk, password, code) as judged, desk.db.transaction() as db:
        await use_up(db, judged)
        if not await queries.replace_password(db, desk.caller.id, password_hash, old_hash=judged.row.password_hash):
            raise WrongState()
        await _end(desk, db, "staff.password")


async def show_authenticator(desk: Desk, *, password: str, code: str) -> bytes:
    """Make a secret that its first code makes count within ten minutes; until then the old one does.

    Returns the secret, which nobody can read again.
    Raises: WrongCredentials, TooMany, Busy.
    """
    secret = os.urandom(rules.SECRET_BYTES)
    sealed = seal(desk.house.factor_keys[0], secret, rules.about(desk.caller.name))
    async with _judged(desk, password, code) as judged, desk.db.transaction() as db:
        await use_up(db, judged)
        await queries.put_secret(db, SecretRow(desk.caller.id, sealed, desk.wall + rules.PENDING_MS))
        await desk.record(db, "staff.authenticator_shown", _about(desk.caller), {}, {})
    return secret


async def bind_authenticator(desk: Desk, *, code: str) -> None:
    """The secret that was shown last counts from now on, and the old one no more. Its code is used up.

    Raises: WrongState (none was shown within ten minutes), WrongCode, TooMany.
    """
    staff, wall = desk.caller, desk.wall
    limits = [rules.renewal_limit(desk.terms, staff.name)]
    pending = await queries.find_secret(desk.db, staff.id, wall)
    if pending is None:
        raise WrongState()
    async with _counted(desk):
        async with desk.db.transaction() as db:
            await challenges.take_tries(db, limits, wall)
        secret = unseal_own(desk.house.factor_keys, pending.sealed_secret, rules.about(staff.name))
        step = step_of(secret, code, after=0, wall=wall)
        if step is None:
            raise WrongCode()
    async with desk.db.transaction() as db:
        if not await queries.bind_secret(db, pending, step):
            raise WrongState()
        await challenges.give_tries_back(db, limits, wall)
        await _end(desk, db, "staff.authenticator")


async def change_key(desk: Desk, *, password: str, code: str, key: bytes, signature: bytes) -> Staff:
    """Another signing key proves the caller's signatures from now on; the one before it is kept.

    The signer goes by its own list: whoever runs it tells it the key. `signature` is by the new key (`key_message`).

    Raises: Forbidden, InvalidInput (a key that isn't the caller's, or that is or was somebody's), WrongCredentials,
      TooMany, Busy.
    """
    desk.need("reviewer")
    staff = desk.caller
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, rules.key_message(staff.name, key))
    except InvalidSignature as problem:
        raise InvalidInput(errors=[{"field": "signature", "reason": "invalid"}]) from problem
    async with _judged(desk, password, code) as judged, desk.db.transaction() as db:
        await use_up(db, judged)
        if not await queries.replace_key(db, staff.id, key):
            raise InvalidInput(errors=[{"field": "public_key", "reason": "taken"}])
        await _end(desk, db, "staff.key", before=_shown(judged.row.public_key), after=_shown(key))
    return replace(staff, public_key=key)


@asynccontextmanager
async def _judged(desk: Desk, password: str, code: str) -> AsyncIterator[Judged]:
    """Whose password and code both were right; in the block the code is used up.

    Raises: WrongCredentials, TooMany, Busy.
    """
    name = desk.caller.name
    row = await queries.find_staff(desk.db, name)
    async with _counted(desk):
        yield await judge(desk, [rules.renewal_limit(desk.terms, name)], row, password=password, code=code)


def _counted(desk: Desk) -> AbstractAsyncContextManager[None]:
    return refusals.counted(desk, refusals.RENEWAL, desk.caller.id, on_known=False)


async def _end(
    desk: Desk, db: Connection, act: Act, *, before: dict[str, str] | None = None, after: dict[str, str] | None = None
) -> None:
    """End the caller's sessions elsewhere, forget their other devices and write it down, last of all in its commit."""
    await queries.forget_other_devices(db, desk.caller.id, session=desk.session)
    ended = await queries.end_other_sessions(db, desk.caller.id, kept=desk.session)
    await desk.record(db, act, _about(desk.caller), before or {}, {**(after or {}), "sessions_ended": ended})


def _about(staff: Staff) -> str:
    return f"staff {staff.name}"


def _shown(key: bytes | None) -> dict[str, str]:
    return {} if key is None else {"public_key": key.hex()}
