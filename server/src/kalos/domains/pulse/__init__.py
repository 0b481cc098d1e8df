"""Pulse: whether the chain's nodes and the clocks agree well enough that games may take bets.

Words: one worker *beats* once a second: it looks at nodes, newest block and database, and writes down what it found.
Games are *closed* while something is wrong, and open again by themselves. Deposits wait on their own: the watcher reads
nothing that most nodes don't agree on.
Money: none moves here.
"""
