"""The wallets of a member: those that log in, and the addresses that withdrawals may go to.

A *login wallet* has shown by a signature that its key is the member's: it logs in, and it proves burns from the block
after `bound_block` on. A *withdrawal address* was only written down, and shows nothing. An address that a member takes
away leaves its row behind, marked. A *nonce* is handed out with the text to sign and is used up by the first answer. No
money moves here.
"""
