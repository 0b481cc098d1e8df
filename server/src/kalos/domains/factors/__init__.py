"""What shows that it is the member: the code of an authenticator or of a mail, recovery codes, the withdrawal password.

A *second factor* is asked of sensitive steps: the authenticator's code (TOTP) where one is bound, else a code that is
mailed for that step alone. A *recovery code* stands in for the authenticator once. The *withdrawal password* (on the
wire `out_password`) is asked of money calls; after too many wrong ones it is locked until it is set anew. A *try* is
counted before it is known whether it is right, and given back when it was. No money moves here.
"""
