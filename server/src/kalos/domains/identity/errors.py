"""What registering and logging in refuse."""

from typing import Literal

from kalos.core.errors import Refusal


class PasswordFormat(Refusal):
    code, name = 400, "password_format"


class PasswordCommon(Refusal):
    code, name = 400, "password_common"


class InvalidInviteCode(Refusal):
    code, name = 400, "invalid_invite_code"


class WrongCredentials(Refusal):
    """The same for a name that isn't there and a password that is wrong."""

    code, name = 401, "wrong_credentials"


class WrongCaptcha(Refusal):
    code, name = 401, "wrong_captcha"


class WrongCode(Refusal):
    code, name = 401, "wrong_code"


class AlreadyExists(Refusal):
    """`field` is what is in use."""

    code, name = 409, "already_exists"
    field: Literal["email"]


class CaptchaExpired(Refusal):
    """Too old, used already, or never drawn."""

    code, name = 410, "captcha_expired"


class CodeExpired(Refusal):
    """Too old, used already, or tried too often."""

    code, name = 410, "code_expired"
