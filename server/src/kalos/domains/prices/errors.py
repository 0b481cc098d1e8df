"""Why a price is not taken."""

from kalos.core.errors import Refusal
from kalos.core.fields import DecimalText


class PriceStepTooLarge(Refusal):
    """Further off the price that the business day began with than one day may bring it."""

    code, name = 422, "limit_reached"
    lowest: DecimalText
    highest: DecimalText
