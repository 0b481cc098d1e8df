"""What stands between a member and a product: switches of features, notices to accept, and the player's own brakes.

A *feature* is a part of the product that many countries regulate. A *switch* turns one on or off, everywhere or in one
country. A *notice* is the text of a feature that must be accepted before it is used; it has a version. A *limit* is
the member's own, in USDT value for a business day: *stake*, *loss* (stakes less prizes of what was settled that day),
*topup*. A *break* and a *self-exclusion* end at their time and not before. No money moves here: a product asks
`House.may` in one line, before it looks at anything else.
"""
