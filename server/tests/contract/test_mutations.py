"""The list of guards that tests must miss: what its entries name exists, and no sort of guard is left out."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final

import pytest

from support import mutate
from support.lanes import FOUND

MUTATIONS: Final = mutate.read_list()
GUARDS: Final = {
    *("check", "unique", "fence", "lease", "compare-and-set", "closing", "quota bound", "hold bound", "role grant"),
    *("key", "queue", "decision", "door", "text", "showing", "serving", "try", "proof of identity", "brake"),
    *("console", "desk", "wallet", "address book", "team", "reserves", "price", "pulse", "signer", "backup"),
    *("withdrawal", "page", "audit", "rounds", "wire"),
}
CONSTRAINTS: Final = "tests/ledger/test_constraints.py"


def test_each_sort_of_guard_is_in_the_list() -> None:
    assert {one.guard for one in MUTATIONS.values()} == GUARDS
    assert len(MUTATIONS) >= 25


@pytest.mark.parametrize("name", MUTATIONS)
def test_what_an_entry_takes_away_stands_once_in_its_file(name: str) -> None:
    one = MUTATIONS[name]
    assert (mutate.SERVER / one.file).read_text().count(one.take) == 1
    assert one.put != one.take


def test_no_entry_takes_from_a_function_that_a_later_migration_replaces() -> None:
    """Nothing that is taken away there would be missed."""
    texts = {file.name: file.read_text() for file in sorted((mutate.SERVER / "migrations/versions").glob("*.py"))}
    made = re.compile(r"CREATE (?:OR REPLACE )?FUNCTION (\w+)\(.*?(\$\w*\$).*?\2", re.DOTALL)
    last = {found[1]: file for file, text in texts.items() for found in made.finditer(text)}
    replaced = {
        name: found[1]
        for name, one in MUTATIONS.items()
        if (file := Path(one.file).name) in texts
        for found in made.finditer(texts[file])
        if found.start() <= texts[file].index(one.take) < found.end() and last[found[1]] != file
    }
    assert last
    assert replaced == {}


def collected(*tests: str) -> set[str]:
    """What pytest finds under these names; it fails where one doesn't exist."""
    collecting = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *tests]
    found = subprocess.run(collecting, cwd=mutate.SERVER, capture_output=True, text=True, timeout=300)
    assert found.returncode == 0, found.stdout + found.stderr
    return set(found.stdout.splitlines())


def test_the_tests_that_must_fail_exist_and_each_constraint_of_the_ledger_is_taken_away(
    pytestconfig: pytest.Config,
) -> None:
    found = pytestconfig.stash[FOUND]
    known = {*found, *(name.partition("[")[0] for name in found), *(name.partition("::")[0] for name in found)}
    wanted = {CONSTRAINTS, *(one.test for one in MUTATIONS.values() if not one.is_of_page)}
    if missing := wanted - known:  # this run looked for some of the files only
        found |= collected(*sorted(missing))
    cases = set(re.findall(rf"^{CONSTRAINTS}::\S*refuses\[([a-z0-9_]+)", "\n".join(found), re.MULTILINE))
    assert cases
    assert cases <= MUTATIONS.keys()


@pytest.mark.parametrize("name", [name for name, one in MUTATIONS.items() if one.is_of_page])
def test_the_pages_tests_that_must_fail_exist(name: str) -> None:
    file, _, test = MUTATIONS[name].test.partition("::")
    assert test
    assert test in (mutate.SERVER / file).read_text()


def test_every_entry_was_proven_once() -> None:
    assert mutate.read_proven().keys() == MUTATIONS.keys()


def test_what_changed_since_it_was_proven_is_proven_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutate, "PROVEN", tmp_path / "proven")
    proofs = {name: one.proof() for name, one in MUTATIONS.items()}
    assert sorted(mutate.changed(proofs)) == sorted(proofs)
    mutate.record(proofs, proofs)
    assert mutate.changed(proofs) == []
    name = min(proofs)
    assert mutate.changed(proofs | {name: "another"}) == [name]


def test_names_are_taken_once_and_groups_give_what_entries_lack() -> None:
    groups = tomllib.loads(mutate.LIST.read_text())["group"]
    assert sum(len(group["entries"]) for group in groups) == len(MUTATIONS)
