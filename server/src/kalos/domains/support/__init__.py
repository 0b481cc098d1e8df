"""Customer service: what members write to the house, and what the house answers.

A *ticket* has a subject and messages; it is `open` while the house has to answer, `answered` while the member may, and
`closed` once the house has said so. Pictures are uploads that are tied to their message. Operators answer in the
console, or by `kalos support` on the machine. No money moves here.
"""
