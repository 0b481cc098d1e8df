"""The ledger: the only code that changes a balance.

Domains describe a change as a `Posting` and hand it to `ctx.ledger.post`; one writer process decides all postings in
order and commits many at once. Money moves between accounts, is kept in holds, and other scarce things are quotas.
"""
