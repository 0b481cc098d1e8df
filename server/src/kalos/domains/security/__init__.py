"""Changes of what an account is kept by: the log-in password, the e-mail address, and its end.

Each asks for a slide, what was there before, and a second factor; each is logged, told by mail, and holds withdrawals.
A closed account holds nothing: what it was known by is erased, its number and its place in the line stay. No money
moves here.
"""
