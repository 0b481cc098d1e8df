"""What a new password is refused for."""

from kalos.core.errors import Refusal


class PasswordFormat(Refusal):
    code, name = 400, "password_format"


class PasswordCommon(Refusal):
    code, name = 400, "password_common"
