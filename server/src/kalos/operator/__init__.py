"""The operator's console: who works here, what each may, what they order, and the log of it all.

*Staff* are accounts of their own, beside members: a name, a password and an authenticator, both asked at each login,
and *roles*. Whatever is changed here is a *command*: its *maker* says what and why, a *preview* shows before and after,
and where two are asked a *checker*, never the maker, signs exactly what was shown. Commands and all other acts stand in
the *log*, whose rows are chained by hashes. No screen edits a balance: a *correction* is a posting between two named
accounts.

Moves: treasury.correction, from one named account to another.
"""
