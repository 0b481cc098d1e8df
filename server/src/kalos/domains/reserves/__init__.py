"""Reserves: what the house has on the chain, held against what its ledger owes.

Words: the *hot* wallets pay withdrawals, the *cold* ones keep the rest, the *deposits* are members' addresses that were
not emptied yet; *owed* is what the outside's accounts lack (chain, issuance, burned); *expected* is what must be there
after one final block: the same less what was credited from later blocks, and what was paid in a block that the ledger
doesn't know of yet. Gas is the chain's own coin, which pays for transactions and is no part of the ledger.
Money: none moves. Where less is there than expected, money out is stopped.
"""
