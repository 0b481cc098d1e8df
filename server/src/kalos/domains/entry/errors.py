"""What registering and logging in refuse."""

from kalos.core.errors import Refusal


class InvalidInviteCode(Refusal):
    code, name = 400, "invalid_invite_code"
