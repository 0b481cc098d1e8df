"""Bulletins: what members are told, written in the console."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from kalos.core.errors import InvalidInput, NotFound, WrongState
from kalos.core.pages import Page, PageQuery
from kalos.domains.content import queries, rules, service
from kalos.domains.content.errors import BadBulletin
from kalos.domains.content.rules import Draft
from kalos.domains.content.tables import BulletinRow, TextRow
from kalos.operator.context import Desk
from kalos.operator.requests import note_answered
from kalos.operator.rules import Role

READERS: Final[tuple[Role, ...]] = ("content", "auditor", "owner")


@dataclass(frozen=True, slots=True)
class Written:
    """A bulletin with its texts, as they were written."""

    row: BulletinRow
    texts: Sequence[TextRow]


async def list_bulletins(desk: Desk, page: PageQuery) -> Page[Written]:
    """Also those that aren't shown, what was begun last first. Raises: Forbidden."""
    desk.need(*READERS)
    found = await queries.list_made(desk.db, page)
    texts = await queries.list_texts(desk.db, [row.id for row in found.rows])
    written = [Written(row, [text for text in texts if text.bulletin == row.id]) for row in found.rows]
    return Page(written, found.total, found.next, found.more)


async def open_bulletin(desk: Desk, number: int) -> Written:
    """Raises: Forbidden, NotFound."""
    desk.need(*READERS)
    row = await queries.find(desk.db, number)
    if row is None:
        raise NotFound()
    return Written(row, await queries.list_texts(desk.db, [number]))


async def publish_bulletin(desk: Desk, draft: Draft, *, changed_at: int | None, request_id: str) -> Written:
    """Show it to members, or what its name stands for from now on. `changed_at` is that of the one that was shown,
    None for a new name. New pictures can't come this way: they are uploads of a member.

    Raises: Forbidden, InvalidInput (says what can't be taken), WrongState (the name is somebody's, or it was changed
      since), NotFound, RequestConflict.
    Source: content.md, "Operator console".
    """
    desk.need("content")
    try:
        rules.check_draft(draft)
        async with desk.db.transaction() as db:
            before = await queries.lock(db, draft.name)
            if changed_at != (None if before is None else before.changed_at):
                raise WrongState()
            number = await service.write(db, draft, before, wall=desk.wall)
            await note_answered(desk, db, request_id, str(number))
            await desk.record(db, "bulletin.publish", f"bulletin {draft.name}", told(before), drafted(draft))
    except BadBulletin as problem:
        raise InvalidInput(errors=[{"field": "bulletin", "reason": str(problem)}]) from problem
    return await open_bulletin(desk, number)


async def retract_bulletin(desk: Desk, number: int, *, changed_at: int, request_id: str) -> Written:
    """Show it no longer, until it is published again. Raises: Forbidden, NotFound, WrongState, RequestConflict."""
    desk.need("content")
    found = await queries.find(desk.db, number)
    if found is None:
        raise NotFound()
    async with desk.db.transaction() as db:
        row = await queries.lock(db, found.name)
        assert row is not None, "bulletins aren't deleted"
        if row.retracted_at is not None or row.changed_at != changed_at:
            raise WrongState()
        await service.take_back(db, row, wall=desk.wall)
        await note_answered(desk, db, request_id, str(number))
        await desk.record(db, "bulletin.retract", f"bulletin {row.name}", told(row), {"retracted_at": desk.wall})
    return await open_bulletin(desk, number)


def told(row: BulletinRow | None) -> dict[str, Any]:
    """What the log says of one that stands there."""
    if row is None:
        return {}
    return {
        "kind": row.kind, "pinned": row.pinned, "link": row.link, "from_at": row.from_at, "until_at": row.until_at,
        "retracted_at": row.retracted_at, "changed_at": row.changed_at,
    }  # fmt: skip


def drafted(draft: Draft) -> dict[str, Any]:
    """What the log says of a new one: of its texts the titles, and what proves the rest."""
    return {
        "kind": draft.kind, "pinned": draft.pinned, "link": draft.link, "from_at": rules.milliseconds(draft.starts),
        "until_at": rules.milliseconds(draft.ends),
        "titles": {lang: text.title for lang, text in draft.texts.items()},
        "sha256": {lang: hashlib.sha256(text.text.encode()).hexdigest() for lang, text in draft.texts.items()},
    }  # fmt: skip
