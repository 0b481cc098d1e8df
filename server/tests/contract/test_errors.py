"""The specification's list of errors (contract/errors.txt) against the catalogue and what is raised, both ways."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, get_type_hints

import pytest

from contract.test_endpoints import lines, table
from kalos.core.errors import Refusal
from kalos.domains.prices.errors import PriceStepTooLarge
from kalos.wire.languages import catalogue
from wire.test_languages import every_refusal

OWN: Final = {"address_removed": 422, "house_address": 422, "own_account": 403}
"""Names that the specification doesn't have."""
OTHERWISE: Final = {
    "balance_not_zero": "The account still holds something, or a top-up is on its way",
    "account_frozen": "This account is frozen. If you froze it, set a new password to open it; else write to customer "
    "service",
}
"""Sentences that say something else than the specification's."""
NEVER: Final = {"email_not_bound"}
"""Can't happen. Why stands in the decision, as of the two above."""
ELSEWHERE: Final = {PriceStepTooLarge}
"""No room of a member's: it says between which prices the next one may lie."""
DECISION: Final = (Path(__file__).parents[3] / "docs" / "decisions" / "0005-wire.md").read_text()


@dataclass(frozen=True, slots=True)
class Line:
    """`state` is `built`, `never` or the unbuilt call that will raise it; `since` the one that brings its fields."""

    code: int
    name: str
    text: str
    state: str
    fields: frozenset[str]
    since: str


def line_of(written: str) -> Line:
    code, name, text, state, *rest = written.split(" | ")
    fields, _, since = "".join(rest).partition(" from ")
    return Line(int(code), name, text, state, frozenset(fields.split()), since)


LINES: Final = [line_of(written) for written in lines("errors.txt")]
BY_NAME: Final = {line.name: line for line in LINES}


@pytest.fixture(scope="module")
def raised() -> dict[str, set[type[Refusal]]]:
    found: dict[str, set[type[Refusal]]] = {}
    for refusal in every_refusal():
        found.setdefault(refusal.name, set()).add(refusal)
    return found


def test_each_name_stands_once_in_the_order_of_the_codes() -> None:
    assert len(BY_NAME) == len(LINES) == 75
    assert [line.code for line in LINES] == sorted(line.code for line in LINES)


def test_names_and_codes_of_the_built_ones_are_what_is_raised(raised: dict[str, set[type[Refusal]]]) -> None:
    built = {line.name: line.code for line in LINES if line.state == "built"}
    assert {name: {one.code for one in found} for name, found in raised.items()} == {
        name: {code} for name, code in (built | OWN).items()
    }


def test_each_of_the_others_names_a_call_that_is_not_built() -> None:
    rows = table()
    waiting = {line.name: line.state for line in LINES if line.state not in ("built", "never")}
    assert {name: rows[path]["built"] for name, path in waiting.items()} == dict.fromkeys(waiting, False)
    assert {line.name for line in LINES if line.state == "never"} == NEVER


def test_the_sentences_are_those_of_the_catalogue() -> None:
    english = {
        key.removeprefix("refusal."): re.sub(r"\{\w+\}", "…", text)
        for key, text in catalogue("en").items()
        if key.startswith("refusal.")
    }
    assert english.keys() == BY_NAME.keys() | OWN.keys()
    assert {name: english[name] for name in BY_NAME} == {line.name: line.text for line in LINES} | OTHERWISE
    assert all(BY_NAME[name].text != text for name, text in OTHERWISE.items())


def test_what_a_sentence_promises_is_said_with_it(raised: dict[str, set[type[Refusal]]]) -> None:
    rows = table()
    for line in LINES:
        if line.since:
            assert not rows[line.since]["built"], f"{line.name} must say {set(line.fields)} by now"
        elif line.state == "built":
            for one in raised[line.name] - ELSEWHERE:
                assert line.fields <= get_type_hints(one).keys(), one


def test_whatever_differs_from_the_list_has_its_reason_in_the_decision() -> None:
    partly = {line.name for line in LINES if line.since} | {"above_maximum"}
    assert {name for name in OWN.keys() | OTHERWISE.keys() | NEVER | partly if f"`{name}`" not in DECISION} == set()
