"""The captcha for ears as it is played."""

from collections import Counter

import pytest

from kalos.adapters.captcha.tones import GROUPS, MOST_TONES, ToneCaptchas, _played
from support.ears import counted

DIGITS = "123456"


@pytest.mark.parametrize("seed", range(20))
def test_what_is_heard_is_the_answer(seed: int) -> None:
    puzzle = ToneCaptchas().draw()
    assert counted(puzzle.url) == puzzle.answer
    assert len(puzzle.url) < 200_000


def test_answers_use_every_number_and_hardly_repeat() -> None:
    answers = [ToneCaptchas().draw().answer for _ in range(100)]
    assert {len(answer) for answer in answers} == {GROUPS}
    assert Counter("".join(answers)).keys() == set(DIGITS[:MOST_TONES])
    assert len(set(answers)) > 80


def test_no_two_sounds_of_one_answer_are_alike() -> None:
    assert len({_played([1, 2, 3, 4]) for _ in range(8)}) == 8
