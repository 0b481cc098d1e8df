"""Every statement on the tables of identity.

Those that belong to one commit with others take its `Connection`; all else takes the `Database`.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Final

import asyncpg

from kalos.core.clock import HOUR_MS
from kalos.core.database import Connection, Database
from kalos.core.pages import Page, PageQuery
from kalos.domains.context import Member
from kalos.domains.identity.tables import (
    AUTH_TOKENS,
    FREEZE_TOKENS,
    SESSIONS,
    MemberRow,
    OpenSession,
    Profile,
    Reader,
    SecurityEventRow,
    SessionRow,
)

ENDED: Final = "kalos_sessions"
"""The channel on which the table itself tells which living sessions were ended, by the hash of their token in hex."""

_SESSION: Final = """
    SELECT s.token_hash, s.until_at, s.keep_ms, m.id, m.account FROM sessions s JOIN members m ON m.id = s.member
    WHERE s.token_hash = ANY($1::bytea[])
"""
_KEY: Final = "(created_at * 65536 + get_byte(token_hash, 0) * 256 + get_byte(token_hash, 1))"
_SESSIONS: Final = f"""
    SELECT {_KEY} AS key, token_hash, device, network, created_at, until_at - keep_ms AS last_at FROM sessions
    WHERE member = $1 AND until_at > $2 AND ($3::bigint IS NULL OR {_KEY} < $3)
    ORDER BY 1 DESC LIMIT $4 OFFSET $5
"""
ENDING: Final = (SESSIONS, AUTH_TOKENS, FREEZE_TOKENS)
"""What goes some time after its `until_at`."""


@dataclass(frozen=True, slots=True)
class Session:
    """A living session, whose it is, and until when it lives if it isn't used."""

    token_hash: bytes
    member: Member
    until_at: int


# Members


async def find_by_name(db: Database, name: str) -> MemberRow | None:
    """The member whose account number or e-mail address it is."""
    row = await db.row("SELECT * FROM members WHERE account = $1 OR email = $1", name)
    return None if row is None else MemberRow(**row)


async def find_by_invite_code(db: Database, invite_code: str) -> int | None:
    member: int | None = await db.value(
        "SELECT id FROM members WHERE invite_code = $1 AND closed_at IS NULL", invite_code
    )
    return member


async def find_profile(db: Database, member: int) -> Profile:
    row = await db.row(
        "SELECT m.*, i.account AS superior FROM members m LEFT JOIN members i ON i.id = m.inviter WHERE m.id = $1",
        member,
    )
    assert row is not None, member
    columns = dict(row)
    superior = columns.pop("superior")
    return Profile(MemberRow(**columns), superior)


async def set_password(db: Connection, member: int, password_hash: str) -> None:
    await db.execute("UPDATE members SET password_hash = $2 WHERE id = $1", member, password_hash)


async def set_staff(db: Connection, account: str, *, is_staff: bool) -> bool | None:
    """Mark a member as one of the house's own, or not; returns what was before. None: no such account."""
    was: bool | None = await db.fetchval(
        """
        WITH was AS (SELECT id, is_staff FROM members WHERE account = $1 FOR NO KEY UPDATE)
        UPDATE members m SET is_staff = $2 FROM was WHERE m.id = was.id RETURNING was.is_staff
        """,
        account,
        is_staff,
    )
    return was


async def email_exists(db: Connection, email: str) -> bool:
    return bool(await db.fetchval("SELECT EXISTS (SELECT FROM members WHERE email = $1)", email))


async def insert_member(
    db: Connection,
    *,
    account: str,
    email: str,
    password_hash: str,
    invite_code: str,
    inviter: int | None,
    registered_at: int,
    lang: str | None = None,
    country: str | None = None,
    birth_date: date | None = None,
    terms_version: str | None = None,
) -> int | None:
    """Returns the new member's id; None where account, e-mail address or invitation code is in use."""
    member: int | None = await db.fetchval(
        """
        INSERT INTO members (account, email, password_hash, invite_code, inviter, registered_at, country, birth_date,
            terms_version, lang)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING RETURNING id
        """,
        account, email, password_hash, invite_code, inviter, registered_at, country, birth_date, terms_version,
        lang,
    )  # fmt: skip
    return member


async def replace_password(db: Connection, member: int, password_hash: str, *, old_hash: str) -> bool:
    """False where someone else just did."""
    tag: str = await db.execute(
        "UPDATE members SET password_hash = $2 WHERE id = $1 AND password_hash = $3", member, password_hash, old_hash
    )
    return tag == "UPDATE 1"


async def set_email(db: Connection, member: int, address: str) -> bool:
    """False where a member has the address already."""
    try:
        async with db.transaction():
            await db.execute("UPDATE members SET email = $2 WHERE id = $1", member, address)
    except asyncpg.UniqueViolationError:
        return False
    return True


async def erase_member(db: Connection, member: int, *, password_hash: str, at: int) -> bool:
    """Close the account and erase who it was; its number and place in the line stay. False where it was closed."""
    tag: str = await db.execute(
        """
        UPDATE members SET closed_at = $3, email = 'closed-' || account || '@closed.invalid', password_hash = $2,
            country = NULL, birth_date = NULL, anti_phishing = NULL, lang = NULL
        WHERE id = $1 AND closed_at IS NULL
        """,
        member,
        password_hash,
        at,
    )
    if tag == "UPDATE 0":
        return False
    await db.execute("DELETE FROM freeze_tokens WHERE member = $1", member)
    return True


# Sessions


async def insert_session(db: Connection, row: SessionRow, *, password_hash: str | None = None) -> bool:
    """False where the account is closed or frozen, or no longer has the password that was judged; also where any of it
    is under way and then is so."""
    tag: str = await db.execute(
        """
        INSERT INTO sessions (token_hash, member, network, device, created_at, keep_ms, until_at)
        SELECT $1, id, $3, $4, $5, $6, $7 FROM members
        WHERE id = $2 AND closed_at IS NULL AND frozen_at IS NULL AND ($8::text IS NULL OR password_hash = $8) FOR SHARE
        """,
        row.token_hash, row.member, row.network, row.device, row.created_at, row.keep_ms, row.until_at, password_hash,
    )  # fmt: skip
    return tag == "INSERT 0 1"


async def find_session(db: Database, token_hash: bytes, wall: int) -> Session | None:
    """The session behind a token; its use moves its end ahead, written at most once an hour."""
    for row in await db.rows_of(_SESSION, token_hash):
        until_at: int = row["until_at"]
        if wall < until_at < wall + row["keep_ms"] - HOUR_MS:
            await db.execute("UPDATE sessions SET until_at = $2 + keep_ms WHERE token_hash = $1", token_hash, wall)
            until_at = wall + row["keep_ms"]
        if wall < until_at:
            return Session(token_hash, Member(row["id"], row["account"]), until_at)
    return None


async def list_living(db: Database, token_hashes: Collection[bytes], wall: int) -> set[bytes]:
    """Which of these sessions still live."""
    rows = await db.rows(
        "SELECT token_hash FROM sessions WHERE token_hash = ANY($1::bytea[]) AND until_at > $2",
        list(token_hashes),
        wall,
    )
    return {row["token_hash"] for row in rows}


async def end_session(db: Database, token_hash: bytes) -> None:
    """The auth tokens that stand for it end with it; processes that keep it at hand are told."""
    await db.execute("DELETE FROM sessions WHERE token_hash = $1", token_hash)


async def insert_auth_token(db: Database, *, token_hash: bytes, session: bytes, until_at: int, wall: int) -> bool:
    """False where the session has ended; its tokens that have ended go, for it may ask for twenty a second."""
    await db.execute("DELETE FROM auth_tokens WHERE session = $1 AND until_at <= $2", session, wall)
    tag = await db.execute(
        """
        INSERT INTO auth_tokens (token_hash, session, until_at)
        SELECT $1, token_hash, $3 FROM sessions WHERE token_hash = $2 FOR KEY SHARE
        """,
        token_hash,
        session,
        until_at,
    )
    return tag == "INSERT 0 1"


async def take_auth_token(db: Database, token_hash: bytes, wall: int) -> Session | None:
    """The living session that an auth token stands for; the token is used up."""
    row = await db.row(
        """
        WITH taken AS (DELETE FROM auth_tokens WHERE token_hash = $1 RETURNING session, until_at)
        SELECT s.token_hash, s.until_at, m.id, m.account
        FROM taken t JOIN sessions s ON s.token_hash = t.session JOIN members m ON m.id = s.member
        WHERE t.until_at > $2 AND s.until_at > $2
        """,
        token_hash,
        wall,
    )
    return None if row is None else Session(row["token_hash"], Member(row["id"], row["account"]), row["until_at"])


async def list_sessions(db: Database, member: int, wall: int, query: PageQuery) -> Page[OpenSession]:
    """Those that live, the latest log-in first."""
    rows = await db.rows(_SESSIONS, member, wall, query.after, query.size + 1, query.skip)
    total = await db.value("SELECT count(*) FROM sessions WHERE member = $1 AND until_at > $2", member, wall)
    found = [OpenSession(**row) for row in rows[: query.size]]
    return Page(found, total, found[-1].key if len(rows) > query.size else None)


async def end_own_session(db: Connection, member: int, number: bytes) -> bool:
    """End the member's session whose hash begins with these 16 bytes; false where there is none."""
    tag: str = await db.execute(
        "DELETE FROM sessions WHERE member = $1 AND substr(token_hash, 1, 16) = $2", member, number
    )
    return tag != "DELETE 0"


async def end_all_sessions(db: Connection, member: int, *, but: bytes = b"") -> bool:
    """False where there was none."""
    tag: str = await db.execute("DELETE FROM sessions WHERE member = $1 AND token_hash <> $2", member, but)
    return tag != "DELETE 0"


# What happened to an account


async def insert_event(
    db: Connection, *, member: int, event: str, network: str, device: str, at: int, held_until: int | None
) -> None:
    await db.execute(
        """
        INSERT INTO security_events (member, event, network, device, at, held_until)
        VALUES ($1, $2, $3, $4, $5, $6)
        """,
        member, event, network, device, at, held_until,
    )  # fmt: skip


async def list_events(
    db: Database, member: int, *, before: int | None, most: int, skip: int = 0
) -> list[SecurityEventRow]:
    """The latest first; `before` is the id that the page before ended with."""
    rows = await db.rows(
        """
        SELECT * FROM security_events WHERE member = $1 AND ($2::bigint IS NULL OR id < $2)
        ORDER BY id DESC LIMIT $3 OFFSET $4
        """,
        member,
        before,
        most,
        skip,
    )
    return [SecurityEventRow(**row) for row in rows]


async def was_noted(db: Connection, member: int, event: str, *, since: int) -> bool:
    """Whether it happened since then, in business time."""
    return bool(
        await db.fetchval(
            "SELECT EXISTS (SELECT FROM security_events WHERE member = $1 AND event = $2 AND at > $3)",
            member, event, since,
        )
    )  # fmt: skip


async def count_events(db: Database, member: int, *, most: int) -> int:
    """Counted up to `most`."""
    count: int = await db.value(
        "SELECT count(*) FROM (SELECT FROM security_events WHERE member = $1 LIMIT $2) events", member, most
    )
    return count


async def held_until(db: Database, member: int, now: int) -> int | None:
    """The end of the longest hold of withdrawals that lasts."""
    at: int | None = await db.value(
        "SELECT max(held_until) FROM security_events WHERE member = $1 AND held_until > $2", member, now
    )
    return at


async def insert_freeze_token(db: Connection, *, token_hash: bytes, member: int, until_at: int) -> None:
    await db.execute(
        "INSERT INTO freeze_tokens (token_hash, member, until_at) VALUES ($1, $2, $3)", token_hash, member, until_at
    )


async def take_freeze_token(db: Connection, token_hash: bytes, wall: int) -> int | None:
    """The member whose account a token freezes; the token is used up."""
    member: int | None = await db.fetchval(
        "DELETE FROM freeze_tokens WHERE token_hash = $1 AND until_at > $2 RETURNING member", token_hash, wall
    )
    return member


async def freeze(db: Connection, member: int, at: int, *, by_house: bool = False) -> None:
    """What the house has frozen stays so, whoever freezes it again."""
    await db.execute(
        "UPDATE members SET frozen_at = $2, frozen_by_house = frozen_by_house OR $3 WHERE id = $1", member, at, by_house
    )


async def unfreeze(db: Connection, member: int, *, by_house: bool = False) -> None:
    """Open the account again; what the house has frozen only by the house."""
    await db.execute(
        "UPDATE members SET frozen_at = NULL, frozen_by_house = false WHERE id = $1 AND (NOT frozen_by_house OR $2)",
        member,
        by_house,
    )


async def lock_member(db: Connection, member: int) -> MemberRow:
    """As it is, until the commit. Rows that point at it may come meanwhile: who ends a session notes it so."""
    row = await db.fetchrow("SELECT * FROM members WHERE id = $1 FOR NO KEY UPDATE", member)
    assert row is not None, member
    return MemberRow(**dict(row))


async def lock_by_name(db: Connection, name: str) -> MemberRow | None:
    """As `find_by_name`, and as it is until the commit."""
    row = await db.fetchrow("SELECT * FROM members WHERE account = $1 OR email = $1 FOR NO KEY UPDATE", name)
    return None if row is None else MemberRow(**dict(row))


async def is_frozen(db: Database, member: int) -> bool:
    return bool(await db.value("SELECT frozen_at IS NOT NULL FROM members WHERE id = $1", member))


async def is_closed(db: Database, member: int) -> bool:
    return bool(await db.value("SELECT closed_at IS NOT NULL FROM members WHERE id = $1", member))


async def set_anti_phishing(db: Connection, member: int, word: str | None) -> bool:
    """False where it was that word already."""
    tag: str = await db.execute(
        "UPDATE members SET anti_phishing = $2 WHERE id = $1 AND anti_phishing IS DISTINCT FROM $2", member, word
    )
    return tag != "UPDATE 0"


async def set_lang(db: Database, member: int, lang: str) -> None:
    await db.execute("UPDATE members SET lang = $2 WHERE id = $1 AND closed_at IS NULL", member, lang)


async def find_reader(db: Connection, member: int) -> Reader:
    """Who reads the member's mails; of a closed account nobody, though its row has something for an address."""
    text = "SELECT email, anti_phishing AS word, lang, closed_at IS NOT NULL AS is_closed FROM members WHERE id = $1"
    row = await db.fetchrow(text, member)
    assert row is not None, member
    return Reader(**dict(row))


async def anti_phishing(db: Database, email: str) -> str | None:
    """The word that mails to an address show."""
    word: str | None = await db.value("SELECT anti_phishing FROM members WHERE email = $1", email)
    return word
