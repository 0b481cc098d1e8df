"""Why a price is not taken."""

from kalos.core.errors import Refusal
from kalos.core.fields import DecimalText


class PriceStepTooLarge(Refusal):
    """Further off a price that stood in the same business day than one day may bring it."""

    code, name = 422, "limit_reached"
    lowest: DecimalText
    highest: DecimalText
