"""What a member sees of themselves and of what they have: profile, balances, value, history, statements.

It owns no table and moves no money: everything here is read from the ledger and from identity. A *total* is the USDT
value of all balances, held ones included; coins other than USDT are valued at the price of the port `PriceSource`,
each rounded down.
"""
