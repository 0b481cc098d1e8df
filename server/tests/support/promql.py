"""The part of Prometheus' language that our alarms are written in, evaluated over two scrapes."""

import math
import operator
import re
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from prometheus_client.parser import text_string_to_metric_families

Labels = frozenset[tuple[str, str]]
Series = dict[Labels, float]
Value = Series | float

_TOKEN: Final = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<word>[a-z_]+)(?P<labels>\{[^}]*\})?(?P<range>\[\d+[smh]\])?"
    r"|(?P<sign>==|!=|>=|<=|[-+*/()<>]))"
)
_LABEL: Final = re.compile(r'([a-z_]+)="([^"]*)"')
_COMPARE: Final[dict[str, Callable[[float, float], bool]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
}
_SUMS: Final[dict[str, Callable[[float, float], float]]] = {"+": operator.add, "-": operator.sub}
_FOLDS: Final[dict[str, Callable[[Iterable[float]], float]]] = {"sum": sum, "max": max, "min": min}


def _quotient(one: float, other: float) -> float:
    if other:
        return one / other
    return math.copysign(math.inf, one) if one else math.nan


_PRODUCTS: Final[dict[str, Callable[[float, float], float]]] = {"*": operator.mul, "/": _quotient}

_PATIENCE_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True)
class Scrape:
    """All series of one moment, by name; `at` is in seconds."""

    at: float
    series: Mapping[str, Series]

    @classmethod
    def of(cls, text: str, at: float) -> "Scrape":
        found: dict[str, Series] = {}
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                found.setdefault(sample.name, {})[frozenset(sample.labels.items())] = sample.value
        return cls(at, found)

    def value(self, name: str, **labels: str) -> float:
        """One series' value. Raises: KeyError."""
        return self.series[name][frozenset(labels.items())]


async def of_writer(page: Callable[[], Awaitable[str]]) -> Scrape:
    """What `page` shows as soon as the writer's figures are among it. Raises: TimeoutError.

    One that takes more than a second to tell them is shown as dead, and a busy machine's may.
    """
    until = time.monotonic() + _PATIENCE_SECONDS
    while True:
        shown = Scrape.of(await page(), time.monotonic())
        if shown.value("kalos_writer_up") == 1:
            return shown
        if time.monotonic() > until:
            raise TimeoutError("the writer tells no figures")


def fires(expression: str, before: Scrape, now: Scrape) -> bool:
    """Whether an alarm's condition holds now; a rate is that between the two scrapes."""
    found = _Reader(expression, before, now).whole()
    assert isinstance(found, dict), f"a bare number is no condition: {expression}"
    return bool(found)


class _Reader:
    """A recursive descent; each method reads one level of binding."""

    def __init__(self, expression: str, before: Scrape, now: Scrape) -> None:
        self._before, self._now = before, now
        self._tokens = list(_TOKEN.finditer(expression))
        assert "".join(one[0] for one in self._tokens) == expression, f"not understood: {expression}"
        self._place = 0

    def whole(self) -> Value:
        left = self._steps(_SUMS, lambda: self._steps(_PRODUCTS, self._one))
        sign = self._sign()
        if sign in _COMPARE:
            self._place += 1
            right = self._steps(_SUMS, lambda: self._steps(_PRODUCTS, self._one))
            left = _joined(left, right, lambda one, other: one if _COMPARE[sign](one, other) else math.nan)
            assert isinstance(left, dict)
            left = {labels: value for labels, value in left.items() if not math.isnan(value)}
        assert self._place == len(self._tokens)
        return left

    def _steps(self, signs: Mapping[str, Callable[[float, float], float]], part: Callable[[], Value]) -> Value:
        left = part()
        while (sign := self._sign()) in signs:
            self._place += 1
            left = _joined(left, part(), signs[sign])
        return left

    def _sign(self) -> str:
        return self._tokens[self._place]["sign"] or "" if self._place < len(self._tokens) else ""

    def _one(self) -> Value:
        token = self._tokens[self._place]
        self._place += 1
        if token["number"]:
            return float(token["number"])
        if token["sign"] == "(":
            return self._closed(self._steps(_SUMS, lambda: self._steps(_PRODUCTS, self._one)))
        if self._sign() == "(":
            self._place += 1
            return self._call(token["word"])
        assert not token["range"], "a range stands inside rate() or increase()"
        return self._select(token, self._now)

    def _call(self, name: str) -> Value:
        if name in ("rate", "increase"):
            token = self._tokens[self._place]
            assert token["range"], f"{name}() needs a range"
            self._place += 1
            return self._closed(self._grown(token, self._now.at - self._before.at if name == "rate" else 1.0))
        found = self._steps(_SUMS, lambda: self._steps(_PRODUCTS, self._one))
        assert isinstance(found, dict)
        return self._closed({frozenset(): _FOLDS[name](found.values())} if found else {})

    def _grown(self, token: re.Match[str], over: float) -> Series:
        """What counters grew by; one that fell was started anew at zero."""
        old, new = self._select(token, self._before), self._select(token, self._now)
        grown = {labels: new[labels] - old[labels] for labels in new.keys() & old.keys()}
        return {labels: (more if more >= 0 else new[labels]) / over for labels, more in grown.items()}

    def _select(self, token: re.Match[str], scrape: Scrape) -> Series:
        wanted = frozenset(_LABEL.findall(token["labels"] or ""))
        return {labels: value for labels, value in scrape.series.get(token["word"], {}).items() if wanted <= labels}

    def _closed(self, value: Value) -> Value:
        assert self._sign() == ")"
        self._place += 1
        return value


def _joined(left: Value, right: Value, step: Callable[[float, float], float]) -> Value:
    """Two series join where all their labels are equal."""
    if isinstance(left, dict) and isinstance(right, dict):
        return {labels: step(left[labels], right[labels]) for labels in left.keys() & right.keys()}
    if isinstance(left, dict):
        assert not isinstance(right, dict)
        return {labels: step(value, right) for labels, value in left.items()}
    if isinstance(right, dict):
        return {labels: step(left, value) for labels, value in right.items()}
    return step(left, right)
