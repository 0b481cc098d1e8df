"""Taking pictures in, showing them to whom a link was given, and tying them to what was sent with them."""

import hashlib
import secrets
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from kalos.core.clock import DAY_MS, MINUTE_MS
from kalos.core.database import Connection
from kalos.core.errors import NotFound, Outage
from kalos.core.ports import BadPicture
from kalos.core.tokens import digest, new_id, new_token
from kalos.domains.context import Context, House
from kalos.domains.uploads import queries, rules
from kalos.domains.uploads.queries import Kept
from kalos.domains.uploads.rules import Purpose
from kalos.domains.uploads.tables import UploadRow
from kalos.wire.incoming import Incoming, SentFile
from kalos.wire.uploads import PREFIX, KeptFile


@dataclass(frozen=True, slots=True)
class Upload:
    """A picture that is kept; `url` shows it for some minutes, None where nobody may see it."""

    id: str
    url: str | None


@dataclass(frozen=True, slots=True)
class Grant:
    """The right to put one file at `path`, once."""

    path: str
    upload_id: str
    expires_at: int


async def receive(ctx: Context, *, purpose: Purpose, sha256: bytes) -> Upload:
    """Keep the picture that came with a call.

    Raises: InvalidInput (`file`: absent, type, size, sha256, image, pixels, form, parts, truncated), TooMany,
      Busy, Outage.
    Source: wire.md, "Files"; section 7 /api/basic/upload, /api/shop/uploadImg.
    """
    if ctx.file is None:
        raise rules.bad("absent")
    with ctx.file.place(ctx.caller.id):
        kind = rules.check_kind(await ctx.file.kind())
        row = _row(ctx, purpose=purpose, kind=kind, size=ctx.file.most_bytes, sha256=sha256)
        await _insert(ctx, row)
        return await _keep(ctx.house, row, ctx.file)


async def grant(ctx: Context, *, purpose: Purpose, kind: str, size: int, sha256: bytes) -> Grant:
    """Let the caller put one file of this type, size and hash, without any further right, within `grant_minutes`.

    Raises: InvalidInput, TooMany.
    Source: wire.md, "Files"; section 7 /api/basic/uploadGrant.
    """
    rules.check_size(ctx.terms, size)
    path, until_at = new_token(), ctx.wall + ctx.terms.grant_minutes * MINUTE_MS
    row = _row(ctx, purpose=purpose, kind=kind, size=size, sha256=sha256, path=path, until_at=until_at)
    await _insert(ctx, row)
    return Grant(path, row.id, until_at)


async def put(house: House, path: str, file: Incoming) -> Upload:
    """Keep the file that a grant is for; the grant is used up as soon as its file begins to be read.

    Raises: NotFound (never granted, over, used: alike), InvalidInput as `receive`, Busy, Outage.
    Source: wire.md, "Files"; section 7 PUT /api/upload/{path}.
    """
    row = await queries.find_granted(house.db, digest(path), house.clock.wall())
    if row is None:
        raise NotFound
    with file.place(row.owner):
        if not await queries.take_grant(house.db, row.id, house.clock.wall()):
            raise NotFound
        return await _keep(house, row, file)


async def show(house: House, link: str) -> KeptFile:
    """The picture behind a link. Raises: NotFound (never made, over, gone: alike), Outage."""
    wall = house.clock.wall()
    found = rules.read_link(house.link_key, link, wall)
    row = None if found is None else await queries.find_kept(house.db, found.upload_id)
    content = None if row is None or not rules.is_shown(row.purpose) else await house.files.get(row.name)
    if found is None or row is None or content is None:
        raise NotFound
    # An upload never changes once it is kept, so its link shows the same for as long as it lives.
    seconds = (found.until_at - wall) // 1_000 if found.for_all else 0
    return KeptFile(content, row.kind, rules.file_name(row.kind), seconds)


async def use(db: Connection, ids: Collection[str], *, owner: int, purpose: Purpose, by: str, wall: int) -> None:
    """Tie pictures to what is being sent with them, named `by`, in its own commit: from then on they stay.

    Raises: NotFound, where one isn't the owner's, has another purpose, was used already, or is gone.
    """
    if await queries.use(db, ids, owner=owner, purpose=purpose, by=by, wall=wall) != len(set(ids)):
        raise NotFound


async def let_go(db: Connection, uses: Sequence[tuple[str, str]]) -> None:
    """End these pictures, each still used under the name beside it: the next sweep deletes them and their files."""
    await queries.end_used(db, [picture for picture, _ in uses], [by for _, by in uses])


async def keep(house: House, *, owner: int, purpose: Purpose, kind: str, content: bytes) -> Upload:
    """Keep a picture that the house itself brings for a member, outside the member's day.

    Raises: InvalidInput as `receive`, Outage.
    """
    sent = SentFile(content, hashlib.sha256(content).digest())
    kind, wall = rules.check_kind(kind), house.clock.wall()
    row = _new_row(owner, purpose=purpose, kind=kind, size=len(content), sha256=sent.sha256, wall=wall)
    async with house.db.transaction() as db:
        await queries.insert(db, row)
    return await _keep(house, row, sent)


async def sizes(db: Connection, ids: Collection[str]) -> dict[str, tuple[int, int]]:
    """Width and height of pictures that are kept, by their id."""
    return await queries.sizes(db, ids)


def url(house: House, upload_id: str, *, until_at: int, for_all: bool = False) -> str:
    """An address that shows a picture until then to whoever is told it. Documents are shown under none.

    `for_all`: it is no single member's, and stays in the browser's cache meanwhile.
    """
    return PREFIX + rules.link(house.link_key, upload_id, until_at, for_all=for_all)


def _row(
    ctx: Context, *, purpose: Purpose, kind: str, size: int, sha256: bytes, path: str = "", until_at: int | None = None
) -> UploadRow:
    row = _new_row(ctx.caller.id, purpose=purpose, kind=kind, size=size, sha256=sha256, wall=ctx.wall)
    return replace(row, state="granted", grant_hash=digest(path), until_at=until_at) if path else row


def _new_row(owner: int, *, purpose: Purpose, kind: str, size: int, sha256: bytes, wall: int) -> UploadRow:
    """A file that is being received."""
    return UploadRow(
        id=new_id(),
        owner=owner,
        purpose=purpose,
        kind=kind,
        state="receiving",
        sent_bytes=size,
        sent_sha256=sha256,
        grant_hash=None,
        until_at=None,
        name=secrets.token_hex(16),
        kept_bytes=None,
        kept_sha256=None,
        width=None,
        height=None,
        created_at=wall,
        kept_at=None,
        used_at=None,
        used_by=None,
    )


async def _insert(ctx: Context, row: UploadRow) -> None:
    """Count the file before it comes. Raises: TooMany."""
    async with ctx.db.transaction() as db:
        sent = await queries.sum_sent(db, row.owner, ctx.wall - DAY_MS)
        rules.check_room(ctx.terms, sent, size=row.sent_bytes, wall=ctx.wall)
        await queries.insert(db, row)


async def _keep(house: House, row: UploadRow, file: Incoming | SentFile) -> Upload:
    """Read, check, clean, store. What fails is marked at once; what dies is found by the sweep, file and row."""
    try:
        if isinstance(file, SentFile):
            sent = file
        else:
            rules.check_kind(await file.kind(), row.kind)
            sent = await file.read()
        kept = await _store(house, row, sent)
    except Exception:
        with suppress(Outage):
            await queries.refuse(house.db, row.id)
        raise
    wall = house.clock.wall()
    if not await queries.keep(house.db, row.id, kept, sent_bytes=len(sent.content), wall=wall):
        raise Outage("an upload was swept before it was whole")
    return Upload(row.id, _url(house, row, wall))


async def _store(house: House, row: UploadRow, sent: SentFile) -> Kept:
    """Raises: InvalidInput, Outage."""
    stated_size = row.sent_bytes if row.grant_hash else None
    rules.check_sent(size=len(sent.content), sha256=sent.sha256, stated_size=stated_size, stated_sha256=row.sent_sha256)
    terms = house.terms
    try:
        picture = await house.pictures.clean(
            sent.content,
            kind=row.kind,
            most_pixels=terms.upload_pixels * rules.MEGAPIXEL,
            most_bytes=terms.upload_max * rules.MB * rules.MOST_KEPT,
        )
    except BadPicture as problem:
        raise rules.bad(problem.reason) from problem
    await house.files.put(row.name, picture.content)
    sha256 = hashlib.sha256(picture.content).digest()
    return Kept(len(picture.content), sha256, picture.width, picture.height)


def _url(house: House, row: UploadRow, wall: int) -> str | None:
    if not rules.is_shown(row.purpose):
        return None
    return url(house, row.id, until_at=wall + house.terms.grant_minutes * MINUTE_MS)
