"""What the wire counts: calls by path and code, and how long they take."""

from functools import cache
from typing import Final

from prometheus_client import Counter, Gauge, Histogram

CALLS: Final = Counter("kalos_calls_total", "Calls answered, by path and code", ("path", "code"))
SECONDS: Final = Histogram(
    "kalos_call_seconds",
    "Time of a call in the kernel",
    ("path",),
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
RUNNING: Final = Gauge("kalos_calls_running", "Calls inside the kernel now")
SHED: Final = Counter("kalos_calls_shed_total", "Calls turned away because too many run")


def answered(path: str, code: int, seconds: float) -> None:
    """Count a call: `path` is one of ours, so that few are known."""
    _counter(path, code).inc()
    _histogram(path).observe(seconds)


@cache
def _counter(path: str, code: int) -> Counter:
    return CALLS.labels(path, code)


@cache
def _histogram(path: str) -> Histogram:
    return SECONDS.labels(path)
