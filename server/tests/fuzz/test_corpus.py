"""The inputs that fuzzing kept are tried again on each run, and the targets do notice a reader that is wrong."""

import json
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any

import pytest

from fuzz import corpus, targets
from fuzz.targets import TARGETS
from kalos.core.assets import Asset
from kalos.core.errors import InvalidAmount
from kalos.core.money import Amount
from kalos.core.pages import PageQuery
from kalos.wire.request import Request
from kalos.wire.shapes import Paged
from kalos.wire.strict_json import NotStrict, parse_object


def findings(name: str) -> Iterator[bytes]:
    """The kept inputs for which the target doesn't end well."""
    for one in corpus.read(name):
        try:
            TARGETS[name](one)
        except Exception:  # noqa: BLE001 - whatever it is, it is a finding
            yield one


@pytest.mark.parametrize("name", TARGETS)
def test_nothing_is_found_among_the_kept_inputs(name: str) -> None:
    assert len(corpus.read(name)) >= 5
    assert list(findings(name)) == []


def test_the_kept_inputs_are_few_and_short() -> None:
    assert {place.stem for place in corpus.FOLDER.iterdir()} == set(TARGETS)
    assert sum(place.stat().st_size for place in corpus.FOLDER.iterdir()) < 200_000
    for name in TARGETS:
        inputs = corpus.read(name)
        assert inputs == sorted(set(inputs))
        assert len(inputs) <= corpus.MOST
        assert max(map(len, inputs)) <= corpus.LONGEST


def lax_json(raw: bytes) -> Any:
    """As any library reads it."""
    try:
        found = json.loads(raw)
    except ValueError as problem:
        raise NotStrict("json") from problem
    if not isinstance(found, dict):
        raise NotStrict("no_object")
    return found


def timid_json(raw: bytes) -> Any:
    """Refuses what holds a zero."""
    if b"0" in raw:
        raise NotStrict("number")
    return parse_object(raw)


def slow_json(raw: bytes) -> Any:
    """Its time grows with the square of the size."""
    for at in range(0, len(raw), 4):
        raw[at:].count(b"x")
    return parse_object(raw)


def lax_amount(text: str | int, asset: Asset) -> Amount:
    """As Decimal reads it."""
    try:
        units = int(Decimal(text) * 10**asset.scale)
    except (InvalidOperation, ValueError, OverflowError) as problem:
        raise InvalidAmount(asset=asset.code) from problem
    if not 0 <= units <= asset.maximum_units:
        raise InvalidAmount(asset=asset.code)
    return Amount(units, asset)


@pytest.mark.parametrize(
    ("name", "part", "wrong"),
    [
        ("strict_json", "parse_object", lax_json),
        ("strict_json", "parse_object", timid_json),
        ("long_json", "parse_object", slow_json),
        ("amount", "parse_amount", lax_amount),
        ("envelope", "bad_texts", lambda _: []),
        ("headers", "read_request", lambda scope, found, trusted: Request("/", "é", b"", "en", "en", "", {})),
    ],
)
def test_a_wrong_reader_is_found(monkeypatch: pytest.MonkeyPatch, name: str, part: str, wrong: Any) -> None:
    monkeypatch.setattr(targets, part, wrong)
    assert any(True for _ in findings(name))


def test_a_wrong_cursor_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Paged, "query", lambda paged, size: PageQuery(size, after=int(paged.after or "1")))
    assert any(True for _ in findings("cursor"))
