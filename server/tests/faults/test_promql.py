"""The tests' reading of alarm expressions: as Prometheus documents them, label by label."""

import pytest

from support.promql import Scrape, fires

BEFORE = Scrape.of(
    """
# TYPE done counter
done_total{sort="a"} 10
done_total{sort="b"} 50
# TYPE depth gauge
depth 4
# TYPE depth_limit gauge
depth_limit 10
""",
    at=100.0,
)
NOW = Scrape.of(
    """
# TYPE done counter
done_total{sort="a"} 30
done_total{sort="b"} 5
done_total{sort="new"} 7
# TYPE depth gauge
depth 4
# TYPE depth_limit gauge
depth_limit 10
# TYPE idle counter
idle_total 0
""",
    at=110.0,
)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("depth > 3", True),
        ("depth > 4", False),
        ("depth >= 4", True),
        ("depth == 4", True),
        ("depth != 4", False),
        ("1 + depth * 2 == 9", True),
        ("(1 + depth) * 2 == 10", True),
        ("10 - depth - 1 == 5", True),
        ("depth / depth_limit > 0.39", True),
        ("depth / depth_limit > 0.4", False),
        ("nothing == 0", False),
        ('done_total{sort="a"} == 30', True),
        ("done_total == 5", True),
        ('rate(done_total{sort="a"}[5m]) == 2', True),
        ('increase(done_total{sort="a"}[5m]) == 20', True),
        ('increase(done_total{sort="b"}[5m]) == 5', True),  # it fell: its process was started anew
        ('increase(done_total{sort="new"}[5m]) >= 0', False),  # what wasn't there before has no rate
        ("sum(increase(done_total[5m])) == 25", True),
        ("max(done_total) == 30", True),
        ("min(done_total) == 5", True),
        ("sum(nothing) > 0", False),
        ('done_total{sort="a"} / depth > 0', False),  # labels that differ don't join
        ('sum(done_total{sort="a"}) / depth == 7.5', True),
        ("depth / idle_total > 1000", True),
        ("idle_total / idle_total >= 0", False),  # 0 / 0 is no number
    ],
)
def test_an_expression_holds_where_prometheus_says_so(expression: str, expected: bool) -> None:
    assert fires(expression, BEFORE, NOW) is expected


@pytest.mark.parametrize(
    "expression", ["depth > 3 and depth < 9", "rate(depth)", "depth[5m] > 1", "depth > 1 > 0", "3", "?"]
)
def test_what_is_not_understood_is_not_guessed(expression: str) -> None:
    with pytest.raises((AssertionError, KeyError, IndexError)):
        fires(expression, BEFORE, NOW)
