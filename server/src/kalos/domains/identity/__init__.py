"""Who a member is and how they come in: registering, logging in, sessions, captchas, e-mail codes, tries.

A *member* is a person's account with us: eight random digits that everybody sees, one e-mail address, an inviter. A
*session* is a random token that lives until it is ended or not used for `session_days`; an *auth token* stands for
a session once, in an address. A *captcha* is used up by its first answer, right or wrong; an e-mail *code* by
`code_tries`. A *limit* counts tries of one thing (a name, an address, a network) in a window that slides. No money
moves here.
Mails are written to the domain outbox in the same commit as what they tell of, and sent by a job.
"""
