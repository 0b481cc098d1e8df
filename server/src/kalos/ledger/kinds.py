"""What the ledger itself must know of some kinds of moves. All kinds stand in docs/money.md."""

from typing import Final

MONEY_OUT: Final = frozenset(
    {"withdrawal.open", "withdrawal.fee_open", "withdrawal.buy_fee", "chain.sent_back", "test.money_out"}
)
"""Kinds that let money out of the house: refused while the flag `money_out_stopped` stands.

What is asked for is refused; what a final block shows (`withdrawal.paid`) has left already and is written down.

Kinds of `test.` are for the tests.
"""

FREQUENT: Final = {
    "game.stake": -1,
    "game.lost": -2,
    "game.stake_back": -3,
    "game.prize": -4,
    "test.frequent": -100,
}
"""Kinds that most moves are of. A number never changes; below zero it keeps a kind out of the indexes by kind."""
