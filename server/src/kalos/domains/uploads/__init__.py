"""Pictures that members send, until a form uses them: grants, quotas, checking, keeping, addresses, forgetting.

An *upload* is one picture of one member for one *purpose*: `picture` (vouchers, support), `kyc` (documents, which
nobody gets to see here) or `shop`. Its row is there before its file: `granted` (a `PUT` may bring it, once),
`receiving`, `kept`, `used` by something that was sent with it, or `refused`; what isn't used is `ended` after
`upload_unused` and goes. Until then each row counts against its member's day. A *link* is an address of a picture for
some minutes, for whoever was told it. The calls stand in the domains that the contract names (`content`, `shop`). No
money moves here.
"""
