"""Captchas' texts, and how often codes may be asked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kalos.core.terms import Terms
from kalos.domains.challenges import rules


@pytest.mark.parametrize("given", ["ACE39", "ace39", " a c E 3 9 ", "ＡＣＥ３９"])
def test_captcha_is_read_without_regard_to_capitals_width_and_blanks(given: str) -> None:
    assert rules.same_picture_text("ACE39", given)


@pytest.mark.parametrize("given", ["", " ", "ACE3", "ACE399", "ACE38", "ÀCE39"])
def test_other_captcha_texts_are_wrong(given: str) -> None:
    assert not rules.same_picture_text("ACE39", given)


def test_uncounted_network_has_no_limit_and_codes_have_three(terms: Terms) -> None:
    assert [limit.subject for limit in rules.code_limits(terms, email="e", network="")] == ["code-gap:e", "code-day:e"]
    known = rules.code_limits(terms, email="e", network="", asker="member 1")
    assert [limit.subject for limit in known] == ["code-gap:e:member 1", "code-day:e:member 1"]
    assert [(limit.most, limit.window_ms) for limit in rules.code_limits(terms, email="e", network="x")] == [
        (1, 60_000),
        (10, 86_400_000),
        (60, 3_600_000),
    ]


@given(st.integers(0, 10**15), st.integers(0, 10**9))
def test_wait_is_whole_seconds_and_long_enough(now: int, wait: int) -> None:
    seconds = rules.seconds_until(now + wait, now)
    assert seconds >= 1
    assert wait <= seconds * 1000 < wait + 1000 or (wait == 0 and seconds == 1)
