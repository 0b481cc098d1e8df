"""Calls of bulletins in the console: path, use case, shape."""

from typing import Annotated

from msgspec import Meta

from kalos.core.errors import Forbidden, InvalidInput, NotFound, WrongState
from kalos.core.fields import Time
from kalos.domains.content import rules
from kalos.domains.content.api import BulletinId, Title
from kalos.domains.content.rules import Draft
from kalos.operator import bulletins as service
from kalos.operator.api import found_before
from kalos.operator.bulletins import Written
from kalos.operator.context import Desk
from kalos.operator.desk_shapes import MaybeTime
from kalos.wire.calls import Answer, Body, Calls
from kalos.wire.shapes import Paged, RequestId, Rows, rows_of
from kalos.wire.uploads import UploadId

calls = Calls("operator", audience="staff")

Name = Annotated[str, Meta(pattern="^[a-z0-9][a-z0-9-]{0,63}$", examples=["maintenance-1207"])]
Kind = Annotated[rules.Kind, Meta(examples=["notice"])]
State = Annotated[rules.State, Meta(examples=["shown"])]
Lang = Annotated[rules.Lang, Meta(examples=["en"])]
Line = Annotated[str, Meta(max_length=2_000, examples=["Every result follows from a public block."])]
When = Annotated[Time, Meta(le=4_102_444_800_000)]
"""Before 2100."""
Link = Annotated[str | None, Meta(examples=[None])]
Picture = Annotated[UploadId | None, Meta(examples=[None])]


class DeskText(Body, frozen=True):
    """In one language; `lines` are Markdown."""

    lang: Lang
    title: Annotated[Title, Meta(min_length=1, max_length=120)]
    lines: Annotated[list[Line], Meta(min_length=1, max_length=1_000)]


class DeskBulletin(Answer, frozen=True):
    """Shown from `from_at` until just before `until_at` (null: for ever) unless it was retracted.

    `changed_at` is another one after each change; `texts` begin with the English one.
    """

    id: BulletinId
    name: Name
    kind: Kind
    state: State
    pinned: bool
    link: Link
    picture: Picture
    from_at: Time
    until_at: MaybeTime
    changed_at: Time
    texts: list[DeskText]


class DeskBulletinBody(Body, frozen=True):
    id: BulletinId


class RetractBulletinBody(Body, frozen=True):
    """`changed_at` is that of the bulletin as it was shown."""

    id: BulletinId
    changed_at: Time
    request_id: RequestId


class PublishBulletinBody(Body, frozen=True):
    """`changed_at` is that of the bulletin as it was shown, null for a new name. Without `from_at` it is shown at once,
    or since when it was."""

    name: Name
    kind: Kind
    texts: Annotated[list[DeskText], Meta(min_length=1, max_length=7)]
    request_id: RequestId
    pinned: bool = False
    link: Annotated[str, Meta(max_length=1_000)] | None = None
    picture: UploadId | None = None
    from_at: When | None = None
    until_at: When | None = None
    changed_at: Time | None = None


@calls.add("/api/operator/bulletins", Forbidden)
async def bulletins(desk: Desk, body: Paged) -> Rows[DeskBulletin]:
    page = await service.list_bulletins(desk, body.query(desk.terms.page_size))
    return rows_of(page, lambda one: _bulletin(desk, one))


@calls.add("/api/operator/bulletin", Forbidden, NotFound)
async def bulletin(desk: Desk, body: DeskBulletinBody) -> DeskBulletin:
    return _bulletin(desk, await service.open_bulletin(desk, int(body.id)))


async def _again(desk: Desk, number: str) -> DeskBulletin:
    return _bulletin(desk, await service.open_bulletin(desk, int(number)))


@calls.add("/api/operator/publishBulletin", Forbidden, NotFound, WrongState, again=_again, find=found_before)
async def publish_bulletin(desk: Desk, body: PublishBulletinBody) -> DeskBulletin:
    draft = _draft(body)
    return _bulletin(
        desk,
        await service.publish_bulletin(desk, draft, changed_at=body.changed_at, request_id=body.request_id),
    )


@calls.add("/api/operator/retractBulletin", Forbidden, NotFound, WrongState, again=_again, find=found_before)
async def retract_bulletin(desk: Desk, body: RetractBulletinBody) -> DeskBulletin:
    number = int(body.id)
    found = await service.retract_bulletin(desk, number, changed_at=body.changed_at, request_id=body.request_id)
    return _bulletin(desk, found)


def _draft(body: PublishBulletinBody) -> Draft:
    """Raises: InvalidInput (a language twice)."""
    texts = {one.lang: rules.Text(one.title, "\n".join(one.lines)) for one in body.texts}
    if len(texts) < len(body.texts):
        raise InvalidInput(errors=[{"field": "texts", "reason": "same"}])
    return Draft(
        name=body.name,
        kind=body.kind,
        texts=texts,
        pinned=body.pinned,
        starts=rules.at(body.from_at),
        ends=rules.at(body.until_at),
        link=body.link,
        picture=body.picture,
    )


def _bulletin(desk: Desk, one: Written) -> DeskBulletin:
    row = one.row
    state = rules.state_of(from_at=row.from_at, until_at=row.until_at, retracted_at=row.retracted_at, wall=desk.wall)
    texts = sorted(one.texts, key=lambda text: (text.lang != rules.FALLBACK, text.lang))
    return DeskBulletin(
        id=str(row.id),
        name=row.name,
        kind=row.kind,
        state=state,
        pinned=row.pinned,
        link=row.link,
        picture=row.picture,
        from_at=row.from_at,
        until_at=row.until_at,
        changed_at=row.changed_at,
        texts=[DeskText(lang=text.lang, title=text.title, lines=text.source.split("\n")) for text in texts],
    )
