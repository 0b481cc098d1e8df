"""Pays what was reviewed: the only room that works with private keys.

A *payment* is one transfer on the chain: of a withdrawal, of a sweep, of gas for a sweep. It takes a *nonce* of the
address that pays and keeps it for ever, so that the chain can take one transaction of it, however often it is signed
again with a higher fee. Each signed set of bytes is a *broadcast*, stored before it is sent. A payment ends when a
block that is deep enough shows what became of it; the end is a row, which the worker reads and books.

Before it signs, it checks each withdrawal by itself from the tables, with limits and reviewers' keys of its own files:
whatever the API, the console or a job may have been made to write, money leaves within those limits alone. What doesn't
fit is a *stop*: nothing is signed until an operator lets it go on. What only isn't there yet is a *wait*.

Money flow: none. The ledger moves when the worker books the end; a sweep moves coins inside the custody's account.
"""
