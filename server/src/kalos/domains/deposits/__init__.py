"""Deposits: coins that arrive on the chain at a member's own address become a balance, once each.

Words: a *sighting* is a Transfer log to a known address in a block; it is *final* when as many blocks as the chain's
terms ask for stand on top; the *cursor* is the last block that was read. What is below the minimum *waits*.
Money: a final deposit goes outside chain -> member available; below the minimum it goes outside chain -> house
suspense, and from there to the member when what waits at the address reaches the minimum. What arrives for a closed
account, or from a sender on the list of sanctions (also to the house), goes to suspense and stays there until a person
decides. The house's other top-ups are only recorded: a treasurer's posting says which accounts they go to.
"""
