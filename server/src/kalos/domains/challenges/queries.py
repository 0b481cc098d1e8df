"""Every statement on the tables of challenges.

Those that belong to one commit with others take its `Connection`; all else takes the `Database`.
"""

from typing import Final

from kalos.core.database import Connection, Database
from kalos.domains.challenges import rules
from kalos.domains.challenges.rules import Limit
from kalos.domains.challenges.tables import (
    CAPTCHAS,
    EMAIL_CODES,
    SLIDE_PROOFS,
    SLIDES,
    TRIES,
    CaptchaRow,
    EmailCodeRow,
    SlideProofRow,
    SlideRow,
)

DRAWN: Final = (CAPTCHAS, SLIDES, SLIDE_PROOFS)
"""What any visitor makes with a call: it goes soon after its `until_at`."""
ENDING: Final = (EMAIL_CODES, TRIES)
"""What goes some time after its `until_at`."""

# Captchas and slides


async def insert_captcha(db: Database, row: CaptchaRow) -> None:
    await db.execute(
        "INSERT INTO captchas (id, answer, until_at, served_for) VALUES ($1, $2, $3, $4)",
        row.id, row.answer, row.until_at, row.served_for,
    )  # fmt: skip


async def find_captcha(db: Database, captcha_id: str) -> CaptchaRow | None:
    row = await db.row("SELECT * FROM captchas WHERE id = $1", captcha_id)
    return None if row is None else CaptchaRow(**row)


async def take_captcha(db: Database, captcha_id: str) -> CaptchaRow | None:
    """Read a captcha and use it up: of many who ask at once, one gets it."""
    row = await db.row("DELETE FROM captchas WHERE id = $1 RETURNING *", captcha_id)
    return None if row is None else CaptchaRow(**row)


async def insert_slide(db: Database, row: SlideRow) -> None:
    await db.execute(
        "INSERT INTO slides (id, x, until_at, code) VALUES ($1, $2, $3, $4)", row.id, row.x, row.until_at, row.code
    )


async def find_slide(db: Database, captcha_id: str) -> SlideRow | None:
    row = await db.row("SELECT * FROM slides WHERE id = $1", captcha_id)
    return None if row is None else SlideRow(**row)


async def take_slide(db: Database, captcha_id: str) -> SlideRow | None:
    """Read a slide and use it up."""
    row = await db.row("DELETE FROM slides WHERE id = $1 RETURNING *", captcha_id)
    return None if row is None else SlideRow(**row)


async def insert_proof(db: Database, row: SlideProofRow) -> None:
    await db.execute(
        "INSERT INTO slide_proofs (token_hash, until_at, served_for) VALUES ($1, $2, $3)",
        row.token_hash, row.until_at, row.served_for,
    )  # fmt: skip


async def take_proof(db: Connection, token_hash: bytes) -> SlideProofRow | None:
    """Read a proof and use it up: of many who show it at once, one gets it."""
    row = await db.fetchrow("DELETE FROM slide_proofs WHERE token_hash = $1 RETURNING *", token_hash)
    return None if row is None else SlideProofRow(**row)


# E-mail codes


async def put_code(db: Connection, row: EmailCodeRow) -> None:
    """Store the latest code of an address; the one that the same asker had before is void."""
    await db.execute(
        """
        INSERT INTO email_codes (email, scene, asker, code_hash, tries, until_at, used_at)
        VALUES ($1, $2, $3, $4, 0, $5, NULL)
        ON CONFLICT (email, scene, asker) DO UPDATE
        SET code_hash = excluded.code_hash, tries = 0, until_at = excluded.until_at, used_at = NULL
        """,
        row.email, row.scene, row.asker, row.code_hash, row.until_at,
    )  # fmt: skip


async def try_code(db: Database, email: str, scene: str, asker: str, *, wall: int, most: int) -> bytes | None:
    """Count one try before it is known whether it is right. None: no code can be tried any more."""
    code_hash: bytes | None = await db.value(
        """
        UPDATE email_codes SET tries = tries + 1
        WHERE email = $1 AND scene = $2 AND asker = $3 AND used_at IS NULL AND until_at > $4 AND tries < $5
        RETURNING code_hash
        """,
        email, scene, asker, wall, most,
    )  # fmt: skip
    return code_hash


async def code_was_sent(db: Database, email: str, scene: str, asker: str) -> bool:
    found: bool = await db.value(
        "SELECT EXISTS (SELECT FROM email_codes WHERE email = $1 AND scene = $2 AND asker = $3)", email, scene, asker
    )
    return found


async def use_code(db: Connection, email: str, scene: str, *, code_hash: bytes, wall: int) -> bool:
    """Use a code up; false where someone else just did, or a newer code has been sent."""
    tag: str = await db.execute(
        "UPDATE email_codes SET used_at = $4 WHERE email = $1 AND scene = $2 AND code_hash = $3 AND used_at IS NULL",
        email, scene, code_hash, wall,
    )  # fmt: skip
    return tag == "UPDATE 1"


async def void_codes(db: Connection, email: str, scene: str, *, wall: int) -> None:
    """What else was mailed for it, whoever asked, is good for nothing any more."""
    await db.execute(
        "UPDATE email_codes SET used_at = $3 WHERE email = $1 AND scene = $2 AND used_at IS NULL", email, scene, wall
    )


# Tries


async def take_try(db: Connection, limit: Limit, wall: int) -> int:
    """Count one try, exactly: 0 (and nothing is counted) where a window is full, else how many the first one holds."""
    taken: int | None = await db.fetchval(
        """
        INSERT INTO tries (subject, times, until_at) VALUES ($1, ARRAY[$2::bigint], $2 + $6)
        ON CONFLICT (subject) DO UPDATE
        SET times = array(SELECT t FROM unnest(tries.times) t WHERE t > $2 - $6 ORDER BY t) || $2::bigint,
            until_at = $2 + $6
        WHERE NOT EXISTS (
            SELECT FROM unnest($3::integer[], $4::bigint[]) AS span(most, window_ms)
            WHERE (SELECT count(*) FROM unnest(tries.times) t WHERE t > $2 - window_ms) >= most
        )
        RETURNING (SELECT count(*) FROM unnest(tries.times) t WHERE t > $2 - $5)
        """,
        limit.subject,
        wall,
        [most for most, _ in limit.spans],
        [window_ms for _, window_ms in limit.spans],
        limit.window_ms,
        limit.longest_ms,
    )
    return taken or 0


async def count_tries(db: Database, limit: Limit, wall: int) -> int:
    """How many tries the first window holds now."""
    counted: int = await db.value(
        "SELECT count(*) FROM tries, unnest(times) t WHERE subject = $1 AND t > $2",
        limit.subject,
        wall - limit.window_ms,
    )
    return counted


_TIMES: Final = "SELECT times FROM tries WHERE subject = $1"


async def find_free_at(db: Database, limit: Limit) -> int:
    """As `free_at`, outside any transaction; 0 where no window was ever full."""
    return rules.free_at(limit, await db.value(_TIMES, limit.subject) or ())


async def free_at(db: Connection, limit: Limit) -> int:
    """When every full window has room again."""
    return rules.free_at(limit, await db.fetchval(_TIMES, limit.subject))


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


async def forget_address(db: Connection, address: str) -> None:
    """Delete an address's codes, and tries whose subject is it, alone or with something behind it.

    A subject is a kind and whom it is of: `reset:ann@people.example`.
    """
    await db.execute("DELETE FROM email_codes WHERE email = $1", address)
    await db.execute(
        """
        DELETE FROM tries
        WHERE starts_with(substr(subject, strpos(subject, ':') + 1) || ':', $1 || ':') AND strpos(subject, ':') > 0
        """,
        address,
    )
