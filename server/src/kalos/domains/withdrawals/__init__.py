"""Withdrawals: coins that leave for an address of the member's book, each looked at before it is sent, once.

Words: the *fee* is paid in KLS at the last valid price; *risks* are why people look at a withdrawal; *needed* is how
many of them must say yes; a *purchase* is the KLS that lacks for the fee, sold by the house in the same posting.
Money: amount and fee go member available -> held when it is asked for; with a purchase before that, USDT member
available -> house kls_stock and KLS kls_stock -> member available. Once a final block shows the transfer, the amount
goes held -> outside chain and the fee held -> house fees. Refused by people or failed on the chain, both go back to
available. Claimable income goes member claimable -> available when the member takes it.
"""
