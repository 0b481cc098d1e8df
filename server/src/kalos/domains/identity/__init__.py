"""Who a member is: their row, their sessions, and the mails that tell them.

A *member* is a person's account with us: eight random digits that everybody sees, one e-mail address, an inviter. A
*session* is a random token that lives until it is ended or not used for `session_days`; an *auth token* stands for
a session once, in an address. No money moves here.
Mails are written to the domain outbox in the same commit as what they tell of, and sent by a job.
"""
