"""What is handed out at random."""

import os
import re
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

from kalos.core.tokens import new_account, new_code, new_invite_code, random_bytes

DRAWS = 2_000


def test_an_account_has_eight_digits_that_nobody_foresees() -> None:
    drawn = [new_account() for _ in range(DRAWS)]
    assert all(re.fullmatch(r"[1-9][0-9]{7}", one, re.ASCII) for one in drawn)
    assert len(set(drawn)) > DRAWS - 10
    steps = {int(after) - int(before) for before, after in pairwise(drawn)}
    assert len(steps) > DRAWS - 10
    assert {one[0] for one in drawn} == set("123456789")
    assert all({one[place] for one in drawn} == set("0123456789") for place in range(1, 8))


def test_a_code_has_six_digits_and_may_begin_with_zeros() -> None:
    drawn = [new_code() for _ in range(DRAWS)]
    assert all(re.fullmatch(r"[0-9]{6}", one, re.ASCII) for one in drawn)
    assert all({one[place] for one in drawn} == set("0123456789") for place in range(6))


def test_an_invitations_code_is_no_number() -> None:
    drawn = [new_invite_code() for _ in range(DRAWS)]
    assert all(re.fullmatch(r"[A-HJ-NP-Z][A-HJ-NP-Z2-9]{7}", one, re.ASCII) for one in drawn)
    assert len(set(drawn)) == DRAWS
    assert all(len({one[place] for one in drawn}) == 32 for place in range(1, 8))


def test_no_random_bytes_are_handed_out_twice() -> None:
    """Not to two threads, not to a process and its child: they are read ahead, and a key seals with each but once."""
    with ThreadPoolExecutor(4) as threads:
        several = threads.map(lambda count: [random_bytes(12) for _ in range(count)], [2_000] * 4)
    made = [one for each in several for one in each]
    random_bytes(16)
    told, tells = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(tells, b"".join(random_bytes(16) for _ in range(100)))
        os._exit(0)
    os.close(tells)
    with os.fdopen(told, "rb") as reader:
        theirs = reader.read()
    os.waitpid(child, 0)
    made += [theirs[at : at + 12] for at in range(0, len(theirs), 16)] + [random_bytes(12) for _ in range(300)]
    assert len(made) == 8_400 == len(set(made))
    assert {len(one) for one in made} == {12}
