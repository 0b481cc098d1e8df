"""Why a bet or a question about a round is refused."""

from kalos.core.errors import Refusal


class RoundClosed(Refusal):
    """The round takes no more bets."""

    code, name = 422, "round_closed"


class BettingClosed(Refusal):
    """The scene takes no bets at all now, at least not in this asset."""

    code, name = 422, "betting_closed"


class BlockProcessing(Refusal):
    """The round is sealed and its block isn't known yet."""

    code, name = 422, "block_processing"
