"""Prices: what a whole KLS counts for in USDT, as the operator ordered it, until there are markets to look at.

Words: an *order* says a rate and why, and stands for ever; the latest of a coin counts. It is *stale* once `ref_stale`
has passed since: then nothing is traded at it, and what needs a value all the same (a withdrawal's fee, turnover,
limits, overviews) takes the *last* one. The last five minutes' average, P60 and P24 of markets.md are this one price.
Money: none moves here.
"""
