"""What a second factor and the withdrawal password are refused for."""

from typing import Annotated, Literal

from msgspec import Meta

from kalos.core.errors import Refusal


class OutPasswordFormat(Refusal):
    code, name = 400, "out_password_format"


class PasswordSame(Refusal):
    code, name = 400, "password_same"


class PasswordMismatch(Refusal):
    code, name = 400, "password_mismatch"


class SecondFactorRequired(Refusal):
    """`need` is the factor that the member has: the authenticator's code or a code by e-mail."""

    code, name = 403, "second_factor_required"
    need: Annotated[Literal["google", "email"], Meta(examples=["google"])]


class WrongOutPassword(Refusal):
    code, name = 403, "wrong_out_password"


class OutPasswordNotSet(Refusal):
    code, name = 422, "out_password_not_set"


class OutPasswordLocked(Refusal):
    """Too many wrong ones: until it is set anew."""

    code, name = 423, "out_password_locked"
