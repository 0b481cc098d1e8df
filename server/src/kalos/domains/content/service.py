"""What members read, and how it gets there: publishing a draft, retracting it."""

from dataclasses import dataclass

import msgspec

from kalos.core.clock import DAY_MS, Clock
from kalos.core.database import Connection, Database
from kalos.core.errors import NotFound
from kalos.core.pages import Page, PageQuery
from kalos.domains.content import queries, rules
from kalos.domains.content.errors import BadBulletin
from kalos.domains.content.queries import Heading, Whole
from kalos.domains.content.rules import Block, Draft, Kind
from kalos.domains.content.tables import BulletinRow, TextRow
from kalos.domains.context import Context
from kalos.domains.uploads import service as uploads

_BLOCKS = msgspec.json.Decoder(list[Block])


@dataclass(frozen=True, slots=True)
class Bulletin:
    """One to read; `related` are others of its kind, first the one that follows it in the list."""

    heading: Whole
    blocks: list[Block]
    related: list[Heading]


async def list_bulletins(ctx: Context, kind: Kind, page: PageQuery) -> Page[Heading]:
    """What is shown now, in the caller's language where there is a text in it, else in English.

    Source: section 7 /api/basic/bulletinList, news, banner; content.md.
    """
    return await queries.list_shown(ctx.db, kind, lang=ctx.lang, wall=ctx.wall, page=page)


async def find_bulletin(ctx: Context, number: int) -> Bulletin:
    """Raises: NotFound (never there, not shown yet or any more, a banner: alike).

    Source: section 7 /api/basic/bulletin.
    """
    found = await queries.find_shown(ctx.db, number, lang=ctx.lang, wall=ctx.wall)
    if found is None:
        raise NotFound
    below = await list_bulletins(ctx, found.kind, PageQuery(rules.MOST_RELATED, after=number))
    first = await list_bulletins(ctx, found.kind, PageQuery(rules.MOST_RELATED + 1))
    others = {one.id: one for one in [*below.rows, *first.rows] if one.id != number}
    return Bulletin(found, _BLOCKS.decode(found.blocks), list(others.values())[: rules.MOST_RELATED])


def picture_url(ctx: Context, upload_id: str) -> str:
    """Where a picture is shown to all members: for a day and what is left of the present one, under one address."""
    return uploads.url(ctx.house, upload_id, until_at=(ctx.wall // DAY_MS + 2) * DAY_MS, for_all=True)


async def publish(db: Database, draft: Draft, *, by: int | None = None) -> int:
    """Publish a draft in a commit of its own, whatever stands there. Returns its id. Raises: as `write`."""
    async with db.transaction() as step:
        return await write(step, draft, await queries.lock(step, draft.name), wall=Clock.wall(), by=by)


async def write(db: Connection, draft: Draft, before: BulletinRow | None, *, wall: int, by: int | None = None) -> int:
    """Show a bulletin, or what its name stands for from now on; its pictures are uploads of member `by`.

    `before` is what its name stands for, locked. A draft without `from` keeps the time that it had. Returns its id.
    Raises: BadBulletin, NotFound (a picture that isn't this member's, has another purpose, or belongs elsewhere).
    """
    texts = rules.blocks_by_lang(draft)
    pictures = rules.pictures_of(texts) | ({draft.picture} if draft.picture else set())
    if before is not None and before.kind != draft.kind:
        raise BadBulletin(f"{draft.name} is a {before.kind} already")
    tied = set() if before is None else set(before.pictures)
    if pictures - tied:
        if by is None:
            raise BadBulletin("whose uploads are its pictures?")
        sent_with = f"bulletin {draft.name}"
        await uploads.use(db, pictures - tied, owner=by, purpose="picture", by=sent_with, wall=wall)
    sizes = await uploads.sizes(db, pictures)
    width, height = sizes[draft.picture] if draft.picture else (None, None)
    from_at = rules.milliseconds(draft.starts)
    if from_at is None:
        from_at = wall if before is None else before.from_at
    until_at = rules.milliseconds(draft.ends)
    if until_at is not None and until_at <= from_at:
        raise BadBulletin("until is not after from")
    values = {
        "pinned": draft.pinned,
        "link": draft.link,
        "picture": draft.picture,
        "width": width,
        "height": height,
        "pictures": sorted(pictures | tied),
        "from_at": from_at,
        "until_at": until_at,
        "retracted_at": None,
        "changed_at": _changed(before, wall),
    }
    if before is None:
        number = await queries.insert(db, name=draft.name, kind=draft.kind, **values)
    else:
        number = before.id
        await queries.update(db, number, **values)
    rows = [_text_row(number, draft, lang, rules.with_sizes(blocks, sizes)) for lang, blocks in texts.items()]
    await queries.replace_texts(db, number, rows)
    return number


async def retract(db: Connection, name: str, *, wall: int) -> BulletinRow:
    """Show it no longer, until it is published again; returns it as it stood. Raises: NotFound."""
    found = await queries.lock(db, name)
    if found is None:
        raise NotFound
    await take_back(db, found, wall=wall)
    return found


async def take_back(db: Connection, found: BulletinRow, *, wall: int) -> None:
    """Show a locked one no longer; once more changes nothing."""
    if found.retracted_at is None:
        await queries.update(db, found.id, retracted_at=wall, changed_at=_changed(found, wall))


def _changed(before: BulletinRow | None, wall: int) -> int:
    """Never the same twice: whoever writes names the one that was shown."""
    return wall if before is None else max(wall, before.changed_at + 1)


def _text_row(number: int, draft: Draft, lang: rules.Lang, blocks: list[Block]) -> TextRow:
    text = draft.texts[lang]
    stored = msgspec.json.encode(blocks).decode()
    return TextRow(number, lang, text.title, rules.summary_of(blocks), text.text, stored)
