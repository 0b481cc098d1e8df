"""Members of tests: a row in the house's table and money from outside."""

import itertools
import uuid
from typing import Any

import asyncpg

from kalos.core.assets import BY_CODE, KLS, USA, USDT, USO
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.money import parse_amount
from kalos.core.sealing import seal
from kalos.core.tokens import digest, new_token
from kalos.domains.context import Member
from kalos.domains.factors import queries
from kalos.domains.factors.rules import about
from kalos.domains.factors.tables import AuthenticatorRow
from kalos.domains.identity.queries import insert_session
from kalos.domains.identity.tables import SessionRow
from kalos.ledger import purse
from kalos.ledger.postings import Ledger, Move, Posting

_RESERVES = {USA: purse.Purpose.USA_RESERVE, USO: purse.Purpose.USO_RESERVE}
_numbers = itertools.count(1)
_PASSWORD_HASH = "$argon2id$v=19$m=64,t=1,p=1$WyKxEvFUw04MN4lg/2++xw$AYSvqIYNAQrF+p0fJDlI3qdgLa7siUwQN4JscEZrie8"
"""Of `people.PASSWORD`, cheaper than the product's own."""


async def fund(ledger: Ledger, member: Member, *, kind: str = "test.fund", **amounts: str) -> None:
    """Bring money in from outside: `usdt="100"` from the chain, `kls="5"` by issuance, `usa="1"` with its reserve."""
    moves = []
    for code, text in amounts.items():
        asset = BY_CODE[code.upper()]
        outside = purse.Purpose.CHAIN if asset.code == "USDT" else purse.Purpose.ISSUANCE
        units = parse_amount(text, asset).units
        moves.append(Move(kind, purse.outside(outside, asset), purse.available(member.id, asset), units))
        if asset in _RESERVES:
            reserve = purse.house(_RESERVES[asset], USDT)
            moves.append(Move("test.fund", purse.outside(purse.Purpose.CHAIN, USDT), reserve, units))
    await ledger.post(Posting(key=uuid.uuid4().bytes * 2, moves=moves))


async def hand_out(ledger: Ledger, member: Member, kls: str) -> None:
    """KLS of the house's own stock: in a group the running audit knows where all KLS comes from."""
    units = parse_amount(kls, KLS).units
    source, target = purse.house(purse.Purpose.KLS_STOCK, KLS), purse.available(member.id, KLS)
    await ledger.post(Posting(key=uuid.uuid4().bytes * 2, moves=[Move("treasury.transfer", source, target, units)]))


async def give_google(db: Database, key: bytes, member: Member, secret: bytes) -> None:
    """Bind an authenticator as the member would; `key` is the house's first."""
    sealed = seal(key, secret, about(member.id))
    assert await queries.put_pending(db, member.id, sealed, until_at=2**62)
    async with db.transaction() as step:
        assert await queries.bind(step, AuthenticatorRow(member.id, sealed, None, 0, 2**62), at=1, step=0)


def email_of(account: str) -> str:
    """Of a member that `make_member` made."""
    return f"member{account}@test.example"


async def make_member(owner_url: str, **columns: Any) -> Member:
    """Insert a member with the least that the table asks for; `columns` override it."""
    number = next(_numbers)
    row: dict[str, Any] = {
        "account": f"{20_000_000 + number}",
        "email": email_of(f"{20_000_000 + number}"),
        "invite_code": f"T{number:07d}",
        "password_hash": _PASSWORD_HASH,
        "registered_at": 1_700_000_000_000,
    } | columns
    db = await asyncpg.connect(owner_url)
    try:
        names = ", ".join(row)
        places = ", ".join(f"${place}" for place in range(1, len(row) + 1))
        member_id = await db.fetchval(f"INSERT INTO members ({names}) VALUES ({places}) RETURNING id", *row.values())
    finally:
        await db.close()
    return Member(member_id, row["account"])


async def begin_session(db: Database, member: Member, *, seconds: int = 600) -> str:
    """A session of that member, as a login makes it. Returns its token."""
    token, wall = new_token(), Clock.wall()
    row = SessionRow(digest(token), member.id, "", "", wall, seconds * 1000, wall + seconds * 1000)
    async with db.transaction() as step:
        await insert_session(step, row)
    return token
