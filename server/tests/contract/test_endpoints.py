"""The table of calls: equal to the specification's lists and to what is registered, both ways."""

import tomllib
from pathlib import Path
from typing import Any

from kalos.app.calls import all_calls, every_call

CONTRACT = Path(__file__).parents[3] / "contract"
PAGES = {"/.well-known/wire-keys", "/api/wire/open"}
"""Served beside the domains' calls."""
UNBUILT = 151
"""It may only fall: whoever builds a call lowers it in the same commit."""


def table() -> dict[str, dict[str, Any]]:
    return tomllib.loads((CONTRACT / "endpoints.toml").read_text())


def lines(name: str) -> list[str]:
    return (CONTRACT / name).read_text().split("\n")[:-1]


def test_table_has_every_specified_call_and_no_other() -> None:
    specified = [*lines("section7.txt"), *(line.removeprefix("GET ") for line in lines("added.txt"))]
    assert len(specified) == len(set(specified)) == 242
    assert set(specified) | set(lines("operator.txt")) == table().keys()


def test_only_the_marked_ones_are_read_by_get() -> None:
    by_get = {line.removeprefix("GET ") for line in lines("added.txt") if line.startswith("GET ")}
    assert by_get == {path for path, row in table().items() if row.get("method") == "GET"}


def test_built_ones_are_those_that_are_registered() -> None:
    built = {path for path, row in table().items() if row["built"]}
    assert built == {call.path for call in every_call(demo=True)} | PAGES


def test_no_call_that_was_built_goes_away() -> None:
    assert sum(not row["built"] for row in table().values()) == UNBUILT


def test_each_call_stands_in_the_domain_that_the_table_names() -> None:
    rows = table()
    found = {call.path: call.domain for call in every_call(demo=True)}
    assert found == {path: rows[path]["domain"] for path in found}


def test_production_has_no_demo_call() -> None:
    paths = {call.path for call in all_calls(demo=False)}
    assert not {path for path in paths if "demo" in path}
    assert paths == {call.path for call in all_calls(demo=True) if call.domain != "demo"}


def test_public_calls_are_the_specified_ones() -> None:
    public = {call.path for call in all_calls(demo=True) if call.public}
    assert public - {path for path in public if path.startswith("/api/demo/")} <= {
        f"/api/auth/{name}"
        for name in ("login", "register", "sendEmail", "captcha", "slide", "slideVerify", "nonce", "resetPwd", "freeze")
    }
    assert "/api/demo/faucet" not in public


def test_calls_of_the_console_are_for_staff_and_no_others() -> None:
    calls = every_call(demo=True)
    own = lines("operator.txt")
    assert own == sorted(own)
    assert {call.path for call in calls if call.audience == "staff"} == set(own)
    assert {call.path for call in calls if call.path.startswith("/api/operator/")} == set(own)
    assert {call.path for call in calls if call.audience == "staff" and call.public} == {"/api/operator/login"}
