"""Refusals of the console alone."""

from kalos.core.errors import Refusal


class OwnAccount(Refusal):
    """It concerns the caller's own account as a member."""

    code, name = 403, "own_account"
