"""How a visitor comes in: registering, logging in, setting a new password, freezing an account that is theirs.

A *name* is what somebody logs in with: the account's number or its e-mail address. Existing and unknown names get the
same answer for the same work. A *device* is known by a token that its last login gave it; what fails on a known one
counts for itself, so that strangers can't lock its owner out. No money moves here.
"""
