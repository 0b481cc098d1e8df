"""What keeps machines and strangers out: captchas, e-mail codes, and how often a thing may be tried.

A *captcha* is used up by its first answer, right or wrong; so is a *slide*, whose right answer gives a *proof* that is
used up by the call that it allows. Where that call asks for a second factor, captcha and proof serve once more. An
e-mail *code* is used up by `code_tries`. A *limit* counts tries of one thing (a name, an address, a network) in windows
that slide. It knows addresses and networks, no members. No money moves here.
"""
