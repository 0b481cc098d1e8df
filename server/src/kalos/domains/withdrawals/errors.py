"""Why a withdrawal is refused, besides what every money call may be refused for."""

from kalos.core.errors import Refusal
from kalos.core.fields import Time


class SecurityHold(Refusal):
    """What changed about the account's security holds withdrawals until then."""

    code, name = 423, "security_hold"
    until: Time


class AddressWaiting(Refusal):
    """The address is too new in the book."""

    code, name = 423, "address_waiting"
    until: Time


class ClaimTooHigh(Refusal):
    """More than there is to claim."""

    code, name = 422, "claim_too_high"
