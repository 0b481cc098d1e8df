"""Who invited whom, and what a member's team turns over: sums up the line, zones, levels.

A *team* is everybody below a member; its *lines* are the members that he invited himself, each with all below them.
*Turnover* is what settled stakes, later also trades and purchases, count in USDT. The *large zone* is the line with the
largest turnover, the *small zone* all others together; it makes the `level`, the own last 30 days make the `vip_level`.
A member's row is made with the member, by the database; one job follows the ledger's journal and those who have joined,
and adds both to everybody above, in the commit that moves its cursor. No money moves here.
"""
