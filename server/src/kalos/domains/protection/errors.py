"""Why a member may not use a feature now."""

from typing import Annotated, Final, Literal

from msgspec import Meta

from kalos.core.errors import Refusal
from kalos.core.fields import DecimalText, Time
from kalos.core.ports import Feature

Version = Annotated[int, Meta(ge=1, examples=[2])]


class FeatureOff(Refusal):
    """It is switched off in the member's country."""

    code, name = 422, "feature_off"


class DisclosureRequired(Refusal):
    """The notice of this feature in this version isn't accepted yet."""

    code, name = 422, "disclosure_required"
    feature: Annotated[Feature, Meta(examples=["games"])]
    version: Version


class KycRequired(Refusal):
    code, name = 422, "kyc_required"


class AgeRequired(Refusal):
    """`age` is what the feature asks for, in years."""

    code, name = 422, "age_required"
    age: Annotated[int, Meta(ge=18, examples=[18])]


class StaffAccount(Refusal):
    code, name = 422, "staff_account"


class SelfExcluded(Refusal):
    """A break, or a self-exclusion: `until` is its end."""

    code, name = 422, "self_excluded"
    until: Time


class PlayerLimit(Refusal):
    """`left` is what the member's own limit of the day leaves, in USDT."""

    code, name = 422, "player_limit"
    limit: Literal["stake", "loss", "topup"]
    left: DecimalText


GATE: Final = (FeatureOff, DisclosureRequired, KycRequired, AgeRequired, StaffAccount, SelfExcluded, PlayerLimit)
"""What every call of a feature may refuse."""
