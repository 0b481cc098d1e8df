"""Why a bet or a question about a round is refused."""

from typing import Annotated

from msgspec import Meta

from kalos.core.errors import Refusal
from kalos.core.fields import AssetCode, DecimalText


class RoundClosed(Refusal):
    """The round takes no more bets."""

    code, name = 422, "round_closed"


class BettingClosed(Refusal):
    """The scene takes no bets at all now, at least not in this asset."""

    code, name = 422, "betting_closed"


class BlockProcessing(Refusal):
    """The round is sealed and its block isn't known yet."""

    code, name = 422, "block_processing"


class LimitReached(Refusal):
    """The worst case of the bet isn't covered; `room` is the largest stake by option that still is."""

    code, name = 422, "limit_reached"
    asset: AssetCode
    room: Annotated[dict[str, DecimalText], Meta(examples=[{"odd": "2.500000", "even": "2631.578948"}])]


class BelowMinimum(Refusal):
    """`minimum` is the smallest bet in `asset`."""

    code, name = 400, "below_minimum"
    asset: AssetCode
    minimum: Annotated[DecimalText, Meta(examples=["1.000000"])]
