"""What a password is refused for, and an account that its owner froze."""

from kalos.core.errors import Refusal


class PasswordFormat(Refusal):
    code, name = 400, "password_format"


class PasswordCommon(Refusal):
    code, name = 400, "password_common"


class WrongCredentials(Refusal):
    """The same for a name that isn't there and a password that is wrong."""

    code, name = 401, "wrong_credentials"


class AccountFrozen(Refusal):
    """Until the password is set anew."""

    code, name = 423, "account_frozen"
