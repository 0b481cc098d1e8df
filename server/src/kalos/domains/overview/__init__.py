"""What a member sees of themselves and of what they have: profile, balances, value, history, statements.

It owns no table and moves no money: everything here is read from the ledger and from identity. A *total* is the USDT
value of all balances, held ones included, each rounded down: USDT, USA and USO count as they are, KLS at the price of
the port `PriceSource`, what has no price as nothing. *Income* is what came to a member by the kinds of moves in
`rules.INCOME`, valued in the same way. A *statement* is the moves of one of the member's accounts.
"""
