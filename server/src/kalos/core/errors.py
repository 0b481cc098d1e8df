"""What can go wrong: a refusal (the caller's matter), an outage (try again later). All else is a bug."""

from typing import Annotated, Any, ClassVar, Final, Literal, TypedDict

from msgspec import Meta

from kalos.core.fields import AssetCode, DecimalText, Seconds


class Refusal(Exception):
    """The call is refused and nothing has changed; the wire renders it from `code`, `name` and `fields`.

    What a class states with a type always stands in `data` besides the name.

    Source: the table of errors; `name` is stable and is the key of the translated sentence.
    """

    code: ClassVar[int]
    name: ClassVar[str]

    def __init__(self, **fields: Any) -> None:
        super().__init__(self.name, fields)
        self.fields = fields
        vars(self).update(fields)


class Fault(TypedDict):
    """A field that isn't of its form, by its path, and one word on why."""

    field: Annotated[str, Meta(examples=["amount"])]
    reason: Annotated[str, Meta(examples=["missing"])]


class ForOperator(Exception):
    """Its text is written for the log: nothing secret and nothing of a member may stand in it."""


class Outage(ForOperator):
    """A part that this one needs doesn't answer; nothing is known to have changed. Jobs try again."""


class NotTold(Outage):
    """Who was asked answers, but not this: it is too much at once, or too long ago."""


class Undeliverable(ForOperator):
    """Whoever should take it has refused it for good: to try again would change nothing."""


class StateChanged(Exception):
    """A row that the posting compared has changed since it was read; the kernel runs the use case once more."""


class InvalidInput(Refusal):
    code, name = 400, "invalid_input"
    errors: list[Fault]


class InvalidAmount(Refusal):
    code, name = 400, "invalid_amount"
    asset: AssetCode


class BelowMinimum(Refusal):
    """`minimum` is the smallest amount in `asset`."""

    code, name = 400, "below_minimum"
    asset: AssetCode
    minimum: Annotated[DecimalText, Meta(examples=["1.000000"])]


class Forbidden(Refusal):
    """It isn't for somebody like the caller, whoever else may."""

    code, name = 403, "forbidden"


class NotFound(Refusal):
    code, name = 404, "not_found"


class SessionEnded(Refusal):
    code, name = 406, "session_ended"


class AlreadyExists(Refusal):
    """`field` is what is in use."""

    code, name = 409, "already_exists"
    field: Literal["email", "address"]


class RequestConflict(Refusal):
    code, name = 409, "request_conflict"


class RequestRunning(Refusal):
    code, name = 409, "request_running"


class InsufficientBalance(Refusal):
    """`asset` is the coin that is short."""

    code, name = 422, "insufficient_balance"
    asset: AssetCode


class LimitReached(Refusal):
    """`room` is what is still free in `asset`: of a bet by option, else by the asset's code."""

    code, name = 422, "limit_reached"
    asset: AssetCode
    room: Annotated[dict[str, DecimalText], Meta(examples=[{"odd": "2.500000", "even": "2631.578948"}])]


class WrongState(Refusal):
    code, name = 422, "wrong_state"


class MoneyOutStopped(Refusal):
    """The books don't add up: nothing leaves the house before an operator has looked."""

    code, name = 422, "money_out_stopped"


class PriceUnavailable(Refusal):
    code, name = 422, "price_unavailable"
    asset: AssetCode


class Busy(Refusal):
    code, name = 429, "busy"
    retry_after: Annotated[Seconds, Meta(examples=[1])]


class TooMany(Refusal):
    code, name = 429, "too_many"
    retry_after: Annotated[Seconds, Meta(examples=[1])]


PASSING: Final = (Outage, RequestRunning, Busy)
"""What a job waits for, since it says nothing of the posting: the same one may be accepted later."""
