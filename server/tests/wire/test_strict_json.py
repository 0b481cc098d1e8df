"""What a body may be: a table of hostile inputs, and what must stay possible."""

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kalos.wire import strict_json
from kalos.wire.strict_json import MAX_BYTES, MOST_FAULTS, MOST_PATH, NotStrict, bad_texts, parse_object

HOSTILE: dict[str, list[bytes]] = {
    "no_object": [b"[]", b'"a"', b"1", b"0", b"true", b"false", b"null", b"[{}]", b' "a" ', b"[null]"],
    "json": [
        b"", b" ", b"\n", b"{", b"}", b"{}{}", b"{} x", b"{},", b"{'a':1}", b"{a:1}", b'{"a":}', b'{"a"}', b'{"a":1,}',
        b'{,"a":1}', b'{"a":1 "b":2}', b'{"a" 1}', b'{"a"::1}', b'{"a":[1,]}', b'{"a":[,1]}', b'{"a":[1 2]}',
        b'{"a":[}',
        b'{"a":{]}', b'{"a":1]', b'{"a":01}', b'{"a":+1}', b'{"a":.5}', b'{"a":1_000}', b'{"a":0x10}',
        b'{"a":0b1}', b'{"a":0o7}', b'{"a":-}', b'{"a":--1}', b'{"a":1-}', b'{"a":True}', b'{"a":None}',
        b'{"a":TRUE}',
        b'{"a":undefined}', b'{"a":nul}', b'{"a":truex}', b'{"a":"b}', b'{"a":"\\x41"}', b'{"a":"\\u12"}',
        b'{"a":"\\u123g"}', b'{"a":"\\"}', b'{"a":"\\', b'{"a":"\\a"}', b'{"a":"\\0"}', b'{"a":"\x00"}',
        b'{"a":"\x01"}',
        b'{"a":"\n"}', b'{"a":"\t"}', b'{"a\n":1}', b'{"a":1}\x00', b"\x00{}", b"/* c */{}", b"{} // c",
        b'{"a":/**/1}',
        b"# c\n{}", b"\xef\xbb\xbf{}", b"{}\xef\xbb\xbf", b"\xc2\xa0{}", b"\x0b{}", b"\x0c{}", b'{"a":\xc2\xa01}',
        b"\xe2\x80\xa8{}", b")]}',\n{}", b"a=1&b=2", b"<a/>", b"callback({})", b'{"a":\xef\xbc\x91}',
        b'{"a":\xd9\xa1}', b'{"a":1\xef\xbc\x90}', b'{1:2}', b'{null:1}', b'{"a":"b""c"}', b'{"a":"b"c}',
        b'{"a":[1}]', b'{"a":`b`}', b'{"a":1;"b":2}', b'{"a"=1}',
    ],
    "number": [
        b'{"a":1.5}', b'{"a":1.0}', b'{"a":0.0}', b'{"a":-0}', b'{"a":-0.0}', b'{"a":1e5}', b'{"a":1E5}',
        b'{"a":1e+5}',
        b'{"a":1e-5}', b'{"a":1.5e300}', b'{"a":1e400}', b'{"a":NaN}', b'{"a":Infinity}', b'{"a":-Infinity}',
        b'{"a":9223372036854775808}', b'{"a":-9223372036854775808}', b'{"a":100000000000000000000}',
        b'{"a":' + b"9" * 5000 + b"}", b'{"a":[1,2,3.0]}', b'{"a":{"b":1e0}}', b'{"a":0e0}', b'{"a":-1.1}',
        b'{"a":-01}', b'{"a":-00}', b'{"a":99999999999999999999999}', b'{"a":-1E-1}',
        b'{"a":1.7976931348623157e308}',
    ],
    "duplicate_key": [
        b'{"a":1,"a":2}', b'{"a":1,"a":1}', b'{"a":1,"b":2,"a":3}', b'{"a":1,"\\u0061":2}', b'{"a":{"b":1,"b":2}}',
        b'{"a":[{"b":1,"b":1}]}', b'{"":1,"":2}', b'{"amount":"1","amount":"1000"}', b'{"a":{},"a":{}}',
        b'{"\xc3\xa9":1,"\\u00e9":2}',
    ],
    "surrogate": [
        b'{"a":"\\ud800"}', b'{"a":"\\udfff"}', b'{"a":"\\udc00\\ud800"}', b'{"a":"x\\ud83dy"}', b'{"\\ud800":1}',
        b'{"a":["\\uDBFF"]}', b'{"a":{"b":"\\ud83d\\ud83d"}}', b'{"a":"\\ud83d\\u0041"}',
    ],
    "encoding": [
        b'{"a":"\xff"}', b'{"a":"\xc3"}', b'{"a":"\xed\xa0\x80"}', b'{"a":"\xc0\xaf"}', b'{"a":"\xf4\x90\x80\x80"}',
        b'{"a":"\x80"}', b"\xff\xfe{\x00}\x00", b'{"a":"\xe2\x82"}', b'{"a":"\xf0\x9f\x8e"}', b"\xfe\xff\x00{\x00}",
    ],
    "depth": [
        b'{"a":' + b"[" * 16 + b"]" * 16 + b"}", b'{"a":' + b"[" * 60_000, b"[" * 17 + b"]" * 17,
        b'{"a":' * 17 + b"1" + b"}" * 17, b'{"a":' * 10_000 + b"1" + b"}" * 10_000, b"[{" * 20,
        b'{"a":"x\\"[","b":' + b"[" * 16 + b"]" * 16 + b"}",
    ],
    "size": [b'{"a":"' + b"x" * MAX_BYTES + b'"}', b" " * (MAX_BYTES + 1)],
}  # fmt: skip
CASES = [(reason, raw) for reason, inputs in HOSTILE.items() for raw in inputs]


def test_table_is_large_enough() -> None:
    assert len(CASES) == len(set(CASES)) >= 150


@pytest.mark.parametrize(("reason", "raw"), CASES, ids=lambda value: repr(value[:24]))
def test_hostile_input_is_refused_with_its_reason(reason: str, raw: bytes) -> None:
    with pytest.raises(NotStrict) as caught:
        parse_object(raw)
    assert caught.value.reason == reason


@pytest.mark.parametrize("opener", [b"[", b'{"a":'], ids=["lists", "objects"])
def test_however_deep_it_nests_msgspec_is_not_asked(opener: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []
    monkeypatch.setattr(strict_json, "_decode", asked.append)
    with pytest.raises(NotStrict, match="depth"):
        parse_object(b'{"a":' + opener * 10_000)
    assert asked == []


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (b"{}", {}),
        (b' \t\r\n{ "a" : 1 } \n', {"a": 1}),
        (b'{"a":9223372036854775807,"b":-9223372036854775807}', {"a": 2**63 - 1, "b": -(2**63 - 1)}),
        (b'{"a":0,"b":true,"c":null,"d":[]}', {"a": 0, "b": True, "c": None, "d": []}),
        (b'{"":"","\\u0000":1}', {"": "", "\0": 1}),
        (b'{"a":"\\ud83c\\udfb2 \xf0\x9f\x8e\xb2"}', {"a": "🎲 🎲"}),
        (b'{"a":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041"}', {"a": '"\\/\b\f\n\r\tA'}),
        (b'{"a":"NaN [[[[[[[[[[[[[[[[[[[[[[[[[ {{{{{{"}', {"a": "NaN [[[[[[[[[[[[[[[[[[[[[[[[[ {{{{{{"}),
        (b'{"a":"\\\\ud800"}', {"a": "\\ud800"}),
        (b'{"a":' + b"[" * 15 + b"]" * 15 + b"}", None),
        (b'{"a":[' + b"{}," * 500 + b"{}]}", None),
        (b'{"A":1,"a":2,"e\xcc\x81":3,"\xc3\xa9":4}', {"A": 1, "a": 2, "e\u0301": 3, "\u00e9": 4}),
    ],
)
def test_honest_input_is_read(raw: bytes, value: Any) -> None:
    found = parse_object(raw)
    assert found == (json.loads(raw) if value is None else value)


@pytest.mark.parametrize(
    "raw",
    [b'{"a":' + b'"\\' * 30_000, b'"' * 65_000, b'{"' + b"\\" * 65_000, b'\\"' * 32_000 + b"[" * 20, b'["' * 30_000],
)
def test_hostile_input_costs_no_time(raw: bytes) -> None:
    began = time.thread_time()
    with pytest.raises(NotStrict):
        parse_object(raw)
    assert time.thread_time() - began < 1.0


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63) + 1, 2**63 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=60)
@given(st.dictionaries(st.text(), JSON, max_size=5), st.booleans())
def test_what_json_writes_is_read_as_it_was(value: dict[str, Any], ascii_only: bool) -> None:
    assert parse_object(json.dumps(value, ensure_ascii=ascii_only).encode()) == value


@given(st.binary(max_size=200))
def test_bytes_are_read_or_refused(raw: bytes) -> None:
    try:
        parse_object(raw)
    except NotStrict:
        return


BAD = (
    *range(0x20), 0x7F, *range(0x80, 0xA0), 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A)
)  # fmt: skip


@pytest.mark.parametrize("point", BAD, ids=hex)
def test_control_and_direction_characters_are_found(point: int) -> None:
    text = f"a{chr(point)}b"
    assert bad_texts({"x": text}) == ["x"]
    assert bad_texts({"x": {text: 1}}) == ["x"]
    assert bad_texts({"a": 1, "list": [{"b": [1, text]}]}) == ["list[0].b[1]"]


def test_other_characters_are_no_fault() -> None:
    texts = [
        "",
        " ",
        "é",
        "e\u0301",
        "Tiếng Việt",
        "👨‍👩‍👧",
        "ไทย",
        "한국어",
        "\u00a0",
        "\u200d",
        "\ufeff",
        "\U0010ffff",
    ]
    assert bad_texts(dict.fromkeys(texts, texts)) == []


def test_the_first_faults_are_named_and_no_more() -> None:
    assert MOST_FAULTS == 10
    assert bad_texts({"x": ["\x7f"] * 11}) == [f"x[{index}]" for index in range(10)]


@pytest.mark.parametrize(
    "value",
    [{"a" * 200: "\x7f"}, {"a" * 60: {"b" * 60: {"\x7f": 1}}}, {"a" * 99: ["\x7f"]}, {"a": {"b" * 200: ["\x7f"]}}],
)
def test_a_faults_path_is_cut(value: dict[str, Any]) -> None:
    (path,) = bad_texts(value)
    assert len(path) == MOST_PATH == 100


@pytest.mark.parametrize("end", ["", "\x7f"])
def test_a_long_key_over_many_texts_costs_no_time(end: str) -> None:
    value: Any = {"a" * 30_000: ["é"] * 8_000 + [end]}
    began = time.thread_time()
    assert len(bad_texts(value)) == len(end)
    assert time.thread_time() - began < 1.0
