"""What closing an account is refused for."""

from kalos.core.errors import Refusal


class BalanceNotZero(Refusal):
    """It holds something, is owed something, or something of it still runs or is on its way."""

    code, name = 422, "balance_not_zero"
