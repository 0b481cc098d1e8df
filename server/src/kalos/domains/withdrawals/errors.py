"""Why a withdrawal is refused, besides what every money call may be refused for."""

from kalos.core.errors import Refusal
from kalos.core.fields import DecimalText, Time


class SecurityHold(Refusal):
    """What changed about the account's security holds withdrawals until then."""

    code, name = 423, "security_hold"
    until: Time


class AddressWaiting(Refusal):
    """The address is too new in the book."""

    code, name = 423, "address_waiting"
    until: Time


class PriceChanged(Refusal):
    """It costs more than was confirmed: `fee` in KLS, of it bought KLS for `purchase` USDT."""

    code, name = 422, "price_changed"
    fee: DecimalText
    purchase: DecimalText


class ClaimTooHigh(Refusal):
    """More than there is to claim."""

    code, name = 422, "claim_too_high"
