"""Calls under /api/shop: path, use case, shape."""

from kalos.core.errors import Busy, TooMany
from kalos.domains.context import Context
from kalos.domains.uploads import service
from kalos.wire.calls import Body, Calls
from kalos.wire.uploads import Sha256, UploadAnswer

calls = Calls("shop")


class UploadImgBody(Body, frozen=True):
    """Comes as the field `envelope` of a form, the picture as its field `file`."""

    image_sha256: Sha256


@calls.add("/api/shop/uploadImg", TooMany, Busy)
async def upload_img(ctx: Context, body: UploadImgBody) -> UploadAnswer:
    kept = await service.receive(ctx, purpose="shop", sha256=bytes.fromhex(body.image_sha256))
    return UploadAnswer(upload_id=kept.id, url=kept.url)
