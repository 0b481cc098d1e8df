"""Hash games: a round's result is the last digit of a block whose height is fixed before the first bet.

Words: a *scene* is a game with a length of its rounds; rounds that close at the same time T share one *height*, its
limit and its exposure; a bet is *late* if it was committed after the deciding block's own time.
Money: opening a height reserves its limit (bankroll -> bankroll_reserved); a bet holds the stake (available -> held);
settling takes lost stakes (held -> bankroll_reserved), gives winners stake (held -> available) and profit
(bankroll_reserved -> available), and returns the rest (bankroll_reserved -> bankroll). Void or late: held -> available.
"""
