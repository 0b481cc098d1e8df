"""The OpenAPI document: every built call, every refusal, nothing that doesn't resolve."""

import json
import runpy
from pathlib import Path
from typing import Any

from kalos.app.calls import all_calls
from kalos.wire.openapi import document, refusals_of

CONTRACT = Path(__file__).parents[3] / "contract"
CALLS = all_calls(demo=True)
DOCUMENT = document(CALLS)


def answers(path: str) -> Any:
    return DOCUMENT["paths"][path]["post"]["responses"]["200"]["content"]["application/json"]


def test_paths_are_the_registered_calls() -> None:
    assert list(DOCUMENT["paths"]) == [call.path for call in CALLS]
    assert DOCUMENT["openapi"] == "3.1.0"


def test_every_reference_resolves() -> None:
    found: set[str] = set()

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            if "$ref" in value:
                found.add(value["$ref"])
            for item in value.values():
                walk(item)
        elif isinstance(value, list):
            for item in value:
                walk(item)

    walk(DOCUMENT)
    known = {f"#/components/schemas/{name}" for name in DOCUMENT["components"]["schemas"]}
    assert found
    assert found <= known


def test_every_refusal_has_its_code_its_name_and_an_example() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    for call in CALLS:
        done, *refused = answers(call.path)["schema"]["oneOf"]
        assert done["properties"]["code"] == {"const": 200}
        shapes = [schemas[shape["$ref"].rpartition("/")[2]] for shape in refused]
        stated = [
            (shape["properties"]["code"]["const"], shape["properties"]["data"]["properties"]["error"]["const"])
            for shape in shapes
        ]
        assert stated == [(refusal.code, refusal.name) for refusal in refusals_of(call)], call.path
        for shape, (code, name) in zip(shapes, stated, strict=True):
            assert (shape["examples"][0]["code"], shape["examples"][0]["data"]["error"]) == (code, name)


def test_protected_calls_say_so() -> None:
    for call in CALLS:
        names = {refusal.name for refusal in refusals_of(call)}
        assert ("session_ended" in names) is not call.public
        assert ("security" in DOCUMENT["paths"][call.path]["post"]) is not call.public


def test_bodies_take_no_unknown_field() -> None:
    for call in CALLS:
        schema = DOCUMENT["paths"][call.path]["post"]["requestBody"]["content"]["application/json"]["schema"]
        body = DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        assert body["additionalProperties"] is False, call.path


def test_file_is_of_the_present_calls() -> None:
    script = runpy.run_path(str(CONTRACT / "make_openapi.py"))
    assert (CONTRACT / "openapi.json").read_text() == script["text"](), "run: python contract/make_openapi.py"
    assert json.loads(script["text"]()) == DOCUMENT
