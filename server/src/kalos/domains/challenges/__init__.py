"""What keeps machines and strangers out: captchas, e-mail codes, and how often a thing may be tried.

A *captcha* is used up by its first answer, right or wrong; an e-mail *code* by `code_tries`. A *limit* counts tries of
one thing (a name, an address, a network) in a window that slides. It knows addresses and networks, no members. No
money moves here.
"""
