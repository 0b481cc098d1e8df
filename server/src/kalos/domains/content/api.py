"""Calls under /api/basic: path, use case, shape."""

from typing import Annotated, Literal

import msgspec

from kalos.core.errors import Busy, TooMany
from kalos.core.fields import Time
from kalos.domains.context import Context
from kalos.domains.uploads import service
from kalos.domains.uploads.rules import Kind, Purpose
from kalos.wire.calls import Answer, Body, Calls
from kalos.wire.uploads import Sha256, UploadAnswer, UploadId

calls = Calls("content")


class UploadBody(Body, frozen=True):
    """Comes as the field `envelope` of a form, the picture as its field `file`."""

    image_sha256: Sha256
    purpose: Literal["picture", "kyc"] = "picture"


class GrantBody(Body, frozen=True):
    """`size` is in bytes."""

    purpose: Purpose
    type: Kind
    size: Annotated[int, msgspec.Meta(ge=1, le=10_000_000, examples=[48_213])]
    sha256: Sha256


class GrantAnswer(Answer, frozen=True):
    """`path` is the last part of the address: PUT /api/upload/{path}, once, without an envelope."""

    path: Annotated[str, msgspec.Meta(examples=["Zk3vQ8m0xT1sYw5Lr7uNgVb2hK9c4RfJ6pD_aEiOtXs"])]
    upload_id: UploadId
    expires_at: Time


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
