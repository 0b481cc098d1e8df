"""What registering and logging in refuse."""

from typing import Literal

from kalos.core.errors import Refusal


class InvalidInviteCode(Refusal):
    code, name = 400, "invalid_invite_code"


class AlreadyExists(Refusal):
    """`field` is what is in use."""

    code, name = 409, "already_exists"
    field: Literal["email"]
