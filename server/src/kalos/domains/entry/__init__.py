"""How a visitor comes in: registering and logging in.

A *name* is what somebody logs in with: the account's number or its e-mail address. Existing and unknown names get the
same answer for the same work. No money moves here.
"""
