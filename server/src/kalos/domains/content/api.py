"""Calls under /api/basic: path, use case, shape."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from kalos.core.errors import Busy, NotFound, TooMany
from kalos.core.fields import Time
from kalos.core.pages import PageQuery
from kalos.domains.content import rules
from kalos.domains.content import service as bulletins
from kalos.domains.content.queries import Heading
from kalos.domains.context import Context
from kalos.domains.uploads import service
from kalos.domains.uploads.rules import Kind, Purpose
from kalos.wire.calls import Answer, Body, Calls, Empty
from kalos.wire.shapes import Paged, Rows, rows_of
from kalos.wire.uploads import Sha256, UploadAnswer, UploadId

calls = Calls("content")

BulletinId = Annotated[str, Meta(pattern="^[0-9]{1,18}$", examples=["7"])]
Title = Annotated[str, Meta(examples=["How results are proven"])]


class UploadBody(Body, frozen=True):
    """Comes as the field `envelope` of a form, the picture as its field `file`."""

    image_sha256: Sha256
    purpose: Literal["picture", "kyc"] = "picture"


class GrantBody(Body, frozen=True):
    """`size` is in bytes."""

    purpose: Purpose
    type: Kind
    size: Annotated[int, Meta(ge=1, le=10_000_000, examples=[48_213])]
    sha256: Sha256


class GrantAnswer(Answer, frozen=True):
    """`path` is the last part of the address: PUT /api/upload/{path}, once, without an envelope."""

    path: Annotated[str, Meta(examples=["Zk3vQ8m0xT1sYw5Lr7uNgVb2hK9c4RfJ6pD_aEiOtXs"])]
    upload_id: UploadId
    expires_at: Time


class PictureShape(Answer, frozen=True):
    """`url` shows it for a day at least; `width` and `height` are in pixels."""

    url: Annotated[str, Meta(examples=["/api/upload/q7RkT2mXv0ZbN4cY8sLwHg.1795075831456.x"])]
    width: Annotated[int, Meta(ge=1, examples=[1200])]
    height: Annotated[int, Meta(ge=1, examples=[630])]


class PictureBlock(PictureShape, frozen=True, tag="picture"):
    """`alt` says in words what it shows."""

    alt: Annotated[str, Meta(examples=["A round with its block"])]


Block = rules.Paragraph | rules.Heading | rules.Quote | rules.Bullets | rules.Code | rules.Rule | PictureBlock


class HeadingShape(Answer, frozen=True):
    """`lang` is the language of its texts: the caller's, or en where there is none in it."""

    id: BulletinId
    kind: Annotated[Literal["notice", "news"], Meta(examples=["notice"])]
    title: Title
    summary: Annotated[str, Meta(examples=["Every result follows from a public block."])]
    lang: rules.Lang
    pinned: bool
    time: Time
    picture: Annotated[PictureShape | None, Meta(examples=[None])]


class BulletinBody(Body, frozen=True):
    id: BulletinId


class BulletinShape(HeadingShape, frozen=True):
    """`related`: up to three others of its kind, first the one that follows it in the list."""

    blocks: list[Block]
    related: list[HeadingShape]


class BannerShape(Answer, frozen=True):
    """`link` is http(s), or a page of ours, which begins with a stroke."""

    id: BulletinId
    title: Title
    summary: Annotated[str, Meta(examples=["Recompute any round yourself."])]
    lang: rules.Lang
    link: rules.Href
    picture: Annotated[PictureShape | None, Meta(examples=[None])]


class Banners(Answer, frozen=True):
    list: list[BannerShape]


def _picture(ctx: Context, row: Heading) -> PictureShape | None:
    if row.picture is None or row.width is None or row.height is None:
        return None
    return PictureShape(url=bulletins.picture_url(ctx, row.picture), width=row.width, height=row.height)


def _fields(ctx: Context, row: Heading) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "kind": row.kind,
        "title": row.title,
        "summary": row.summary,
        "lang": row.lang,
        "pinned": row.pinned,
        "time": row.from_at,
        "picture": _picture(ctx, row),
    }


def _block(ctx: Context, block: rules.Block) -> Block:
    if not isinstance(block, rules.Picture):
        return block
    url = bulletins.picture_url(ctx, block.upload)
    return PictureBlock(url=url, width=block.width, height=block.height, alt=block.alt)


async def _list(ctx: Context, kind: rules.Kind, body: Paged) -> Rows[HeadingShape]:
    page = await bulletins.list_bulletins(ctx, kind, body.query(ctx.terms.page_size))
    rows: Rows[HeadingShape] = rows_of(page, lambda row: HeadingShape(**_fields(ctx, row)))
    return rows


@calls.add("/api/basic/bulletinList")
async def bulletin_list(ctx: Context, body: Paged) -> Rows[HeadingShape]:
    return await _list(ctx, "notice", body)


@calls.add("/api/basic/news")
async def news(ctx: Context, body: Paged) -> Rows[HeadingShape]:
    return await _list(ctx, "news", body)


@calls.add("/api/basic/bulletin", NotFound)
async def bulletin(ctx: Context, body: BulletinBody) -> BulletinShape:
    found = await bulletins.find_bulletin(ctx, int(body.id))
    return BulletinShape(
        **_fields(ctx, found.heading),
        blocks=[_block(ctx, block) for block in found.blocks],
        related=[HeadingShape(**_fields(ctx, row)) for row in found.related],
    )


@calls.add("/api/basic/banner")
async def banner(ctx: Context, _body: Empty) -> Banners:
    page = await bulletins.list_bulletins(ctx, "banner", PageQuery(rules.MOST_BANNERS))
    shapes = [
        BannerShape(
            id=str(row.id),
            title=row.title,
            summary=row.summary,
            lang=row.lang,
            link=row.link or "/home",
            picture=_picture(ctx, row),
        )
        for row in page.rows
    ]
    return Banners(list=shapes)


@calls.add("/api/basic/upload", TooMany, Busy)
async def upload(ctx: Context, body: UploadBody) -> UploadAnswer:
    kept = await service.receive(ctx, purpose=body.purpose, sha256=bytes.fromhex(body.image_sha256))
    return UploadAnswer(upload_id=kept.id, url=kept.url)


@calls.add("/api/basic/uploadGrant", TooMany)
async def upload_grant(ctx: Context, body: GrantBody) -> GrantAnswer:
    made = await service.grant(
        ctx, purpose=body.purpose, kind=body.type, size=body.size, sha256=bytes.fromhex(body.sha256)
    )
    return GrantAnswer(path=made.path, upload_id=made.upload_id, expires_at=made.expires_at)
