"""Every statement on the tables of identity.

Those that belong to one commit with others take its `Connection`; all else takes the `Database`.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from kalos.core import outbox
from kalos.core.database import Connection, Database
from kalos.domains.context import Member
from kalos.domains.identity.rules import HOUR_MS, Limit
from kalos.domains.identity.tables import CaptchaRow, EmailCodeRow, MemberRow, SessionRow

MAIL_TOPIC: Final = "mail"
ENDED: Final = "kalos_sessions"
"""The channel on which the table itself tells which living sessions were ended, by the hash of their token in hex."""

_SESSION: Final = """
    SELECT s.token_hash, s.until_at, s.keep_ms, m.id, m.account FROM sessions s JOIN members m ON m.id = s.member
    WHERE s.token_hash = ANY($1::bytea[])
"""
_ENDED: Final = {
    "auth_tokens": "until_at",
    "captchas": "until_at",
    "email_codes": "until_at",
    "sessions": "until_at",
    "tries": "until_at",
}


@dataclass(frozen=True, slots=True)
class Session:
    """A living session, whose it is, and until when it lives if it isn't used."""

    token_hash: bytes
    member: Member
    until_at: int


@dataclass(frozen=True, slots=True)
class Profile:
    """A member's row with the inviter's account."""

    row: MemberRow
    superior: str | None


# Members


async def find_by_name(db: Database, name: str) -> MemberRow | None:
    """The member whose account number or e-mail address it is."""
    row = await db.row("SELECT * FROM members WHERE account = $1 OR email = $1", name)
    return None if row is None else MemberRow(**row)


async def find_by_invite_code(db: Database, invite_code: str) -> int | None:
    member: int | None = await db.value("SELECT id FROM members WHERE invite_code = $1", invite_code)
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


async def set_staff(db: Database, account: str, *, is_staff: bool) -> int | None:
    """Mark a member as one of the house's own; returns the id, None where there is no such account."""
    member: int | None = await db.value(
        "UPDATE members SET is_staff = $2 WHERE account = $1 RETURNING id", account, is_staff
    )
    return member


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
    country: str | None = None,
    birth_date: date | None = None,
    terms_version: str | None = None,
) -> int | None:
    """Returns the new member's id; None where account, e-mail address or invitation code is in use."""
    member: int | None = await db.fetchval(
        """
        INSERT INTO members (account, email, password_hash, invite_code, inviter, registered_at, country, birth_date,
            terms_version)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING RETURNING id
        """,
        account, email, password_hash, invite_code, inviter, registered_at, country, birth_date, terms_version,
    )  # fmt: skip
    return member


# Sessions


async def insert_session(db: Connection, row: SessionRow) -> None:
    await db.execute(
        """
        INSERT INTO sessions (token_hash, member, network, device, created_at, keep_ms, until_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        """,
        row.token_hash, row.member, row.network, row.device, row.created_at, row.keep_ms, row.until_at,
    )  # fmt: skip


async def find_session(db: Database, token_hash: bytes, wall: int) -> Session | None:
    """The session behind a token; its use moves its end ahead, written at most once an hour."""
    for row in await db.rows_of(_SESSION, token_hash):
        until_at: int = row["until_at"]
        if wall < until_at < wall + row["keep_ms"] - HOUR_MS:
            await db.execute("UPDATE sessions SET until_at = $2 + keep_ms WHERE token_hash = $1", token_hash, wall)
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


async def insert_auth_token(db: Database, *, token_hash: bytes, session: bytes, until_at: int) -> bool:
    """False where the session has ended."""
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


# Captchas and e-mail codes


async def insert_captcha(db: Database, row: CaptchaRow) -> None:
    await db.execute(
        "INSERT INTO captchas (id, answer, until_at) VALUES ($1, $2, $3)", row.id, row.answer, row.until_at
    )


async def find_captcha(db: Database, captcha_id: str) -> CaptchaRow | None:
    row = await db.row("SELECT * FROM captchas WHERE id = $1", captcha_id)
    return None if row is None else CaptchaRow(**row)


async def take_captcha(db: Database, captcha_id: str) -> CaptchaRow | None:
    """Read a captcha and use it up: of many who ask at once, one gets it."""
    row = await db.row("DELETE FROM captchas WHERE id = $1 RETURNING *", captcha_id)
    return None if row is None else CaptchaRow(**row)


async def put_code(db: Connection, row: EmailCodeRow) -> None:
    """Store the latest code of an address; the one before it is void."""
    await db.execute(
        """
        INSERT INTO email_codes (email, scene, code_hash, tries, until_at, used_at) VALUES ($1, $2, $3, 0, $4, NULL)
        ON CONFLICT (email, scene) DO UPDATE
        SET code_hash = excluded.code_hash, tries = 0, until_at = excluded.until_at, used_at = NULL
        """,
        row.email, row.scene, row.code_hash, row.until_at,
    )  # fmt: skip


async def try_code(db: Database, email: str, scene: str, *, wall: int, most: int) -> bytes | None:
    """Count one try before it is known whether it is right. None: no code can be tried any more."""
    code_hash: bytes | None = await db.value(
        """
        UPDATE email_codes SET tries = tries + 1
        WHERE email = $1 AND scene = $2 AND used_at IS NULL AND until_at > $3 AND tries < $4 RETURNING code_hash
        """,
        email, scene, wall, most,
    )  # fmt: skip
    return code_hash


async def code_was_sent(db: Database, email: str, scene: str) -> bool:
    return bool(await db.value("SELECT EXISTS (SELECT FROM email_codes WHERE email = $1 AND scene = $2)", email, scene))


async def use_code(db: Connection, email: str, scene: str, *, code_hash: bytes, wall: int) -> bool:
    """Use a code up; false where someone else just did, or a newer code has been sent."""
    tag: str = await db.execute(
        "UPDATE email_codes SET used_at = $4 WHERE email = $1 AND scene = $2 AND code_hash = $3 AND used_at IS NULL",
        email, scene, code_hash, wall,
    )  # fmt: skip
    return tag == "UPDATE 1"


# Tries


async def take_try(db: Connection, limit: Limit, wall: int) -> bool:
    """Count one try, exactly: false (and nothing is counted) where the window is full."""
    taken = await db.fetchval(
        """
        INSERT INTO tries (subject, times, until_at) VALUES ($1, ARRAY[$2::bigint], $2 + $3)
        ON CONFLICT (subject) DO UPDATE
        SET times = array(SELECT t FROM unnest(tries.times) t WHERE t > $2 - $3 ORDER BY t) || $2::bigint,
            until_at = $2 + $3
        WHERE (SELECT count(*) FROM unnest(tries.times) t WHERE t > $2 - $3) < $4
        RETURNING true
        """,
        limit.subject, wall, limit.window_ms, limit.most,
    )  # fmt: skip
    return bool(taken)


async def free_at(db: Connection, limit: Limit) -> int:
    """When a full window has room again: the last `most` tries but the oldest one remain."""
    times = await db.fetchval("SELECT times FROM tries WHERE subject = $1", limit.subject)
    return int(sorted(times)[-limit.most]) + limit.window_ms


async def give_try_back(db: Connection, limit: Limit, wall: int) -> None:
    """Take back the one try that was counted at `wall`."""
    await db.execute(
        """
        UPDATE tries SET times = times[:array_position(times, $2) - 1] || times[array_position(times, $2) + 1:]
        WHERE subject = $1 AND array_position(times, $2) IS NOT NULL
        """,
        limit.subject,
        wall,
    )


async def forget_tries(db: Connection, limit: Limit) -> None:
    await db.execute("DELETE FROM tries WHERE subject = $1", limit.subject)


# Mails


async def queue_mail(
    db: Connection, *, name: str, lang: str, recipient: str, values: Mapping[str, str], at: int
) -> None:
    """Have a mail sent once this commit stands; `name` is that of its texts in the catalogues."""
    body = {"mail": name, "lang": lang, "recipient": recipient, "values": values}
    await outbox.tell(db, MAIL_TOPIC, body, wall=at)


# What has ended


async def sweep(db: Database, *, wall: int, kept_ms: int, most: int) -> int:
    """Delete at most `most` rows of each table that ended `kept_ms` ago; returns how many went."""
    swept = 0
    for table, ended in _ENDED.items():
        tag = await db.execute(
            f"DELETE FROM {table} WHERE ctid = ANY(ARRAY("
            f"SELECT ctid FROM {table} WHERE {ended} < $1 ORDER BY {ended} LIMIT $2))",
            wall - kept_ms,
            most,
        )
        swept += int(tag.rpartition(" ")[2])
    return swept
