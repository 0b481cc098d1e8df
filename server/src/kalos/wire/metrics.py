"""What the wire counts: calls by path and code, and how long they take.

A counter of the library's takes a lock for each number, three for a call: these are counted in the loop's own thread.
"""

from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate
from typing import Final

from prometheus_client import REGISTRY, Counter, Gauge
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

_BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
RUNNING: Final = Gauge("kalos_calls_running", "Calls inside the kernel now")
SHED: Final = Counter("kalos_calls_shed_total", "Calls turned away because too many run")


class _Counts:
    """Of one path: calls by code, by class of time, and the sum of their seconds."""

    __slots__ = ("classes", "codes", "seconds")

    def __init__(self) -> None:
        self.codes: dict[int, int] = {}
        self.classes = [0] * (len(_BOUNDS) + 1)
        self.seconds = 0.0


class _Calls(Collector):
    """All paths, as a scrape shows them; it is asked from the page's thread."""

    def __init__(self) -> None:
        self.paths: dict[str, _Counts] = {}

    def collect(self) -> Iterable[Metric]:
        calls = CounterMetricFamily("kalos_calls", "Calls answered, by path and code", labels=("path", "code"))
        times = HistogramMetricFamily("kalos_call_seconds", "Time of a call in the kernel", labels=("path",))
        for path, counts in self.paths.copy().items():
            for code, count in counts.codes.copy().items():
                calls.add_metric((path, str(code)), count)
            reached = zip((*map(str, _BOUNDS), "+Inf"), accumulate(counts.classes), strict=True)
            times.add_metric((path,), list(reached), counts.seconds)
        yield from (calls, times)


_calls: Final = _Calls()
REGISTRY.register(_calls)


def answered(path: str, code: int, seconds: float) -> None:
    """Count a call: `path` is one of ours, so that few are known."""
    counts = _calls.paths.get(path)
    if counts is None:
        counts = _calls.paths[path] = _Counts()
    counts.codes[code] = counts.codes.get(code, 0) + 1
    counts.classes[bisect_left(_BOUNDS, seconds)] += 1
    counts.seconds += seconds
