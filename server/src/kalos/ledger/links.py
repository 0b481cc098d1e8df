"""Histories without sorting: each move of an account leads from one state of it to the next.

A state is (account, version, balance). Over an account's whole history the states that moves lead to are those that
they lead from, but for two: the empty one it began with and the one that it has now. So the sum of the hashes of the
first, less that of the second, is the same for the journal and for `accounts`; versions only grow, so that no other
set of moves does it. The seed is drawn for each audit: nobody can prepare a change that isn't seen.
"""

from typing import Final


def _hash(value: str, seed: str) -> str:
    # PostgreSQL folds 64 bits into 32 before it hashes them: each half goes in alone.
    return f"hashint8extended({value} & 4294967295, hashint8extended({value} >> 32, {seed}))"


def _state(account: str, version: str, balance: str) -> str:
    # Halved, so that the difference of two stays within 64 bits.
    return f"({_hash(balance, _hash(version, _hash(account, '$1::bigint')))} >> 1)"


def _step(side: str, before: str) -> str:
    after = _state(f"{side}_id", f"{side}_version", f"{side}_balance")
    return f"({after} - {_state(f'{side}_id', f'({side}_version - 1)', before)})"


MOVES: Final = f"sum({_step('from', '(from_balance + amount)')}) + sum({_step('to', '(to_balance - amount)')})"
"""What rows of `journal` lead to, less what they lead from; $1 is the seed."""

ACCOUNTS: Final = f"sum({_state('id', 'version', 'balance')} - {_state('id', '0::bigint', '0::bigint')})"
"""The same of rows of `accounts`: their present states, less those they began with."""

NUMBER: Final = f"({_hash('id', '$1::bigint')} >> 1)"
"""The hash of a column `id`: two sets of numbers are one where the sums of these are equal."""
