"""Writes wire-vectors.json: what server and browser must agree on byte for byte. Run: python contract/make_vectors.py

Hellos are random by nature: those that stand in the file are kept.
"""

import base64
import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from kalos.wire import signing

PLACE = Path(__file__).with_name("wire-vectors.json")
AROUND = {"token": "t0ken", "lang": "en", "method": "POST", "path": "/api/game/beton", "session": "sid-1"}

TEXTS = {
    "empty": "",
    "blank": " ",
    "blanks": "  a  b  ",
    "plus": "a+b",
    "ampersand": "a=1&b=2",
    "percent": "100%",
    "percent that looks encoded": "%2F%zz",
    "unreserved": "AZaz09-._~",
    "reserved": ":/?#[]@!$&'()*+,;=",
    "quotes": "\"'`",
    "backslash": "a\\b\\\\c",
    "angle": "<script>alert(1)</script>",
    "latin composed": "\u00e9\u00fc\u00f1",
    "latin decomposed": "e\u0301u\u0308n\u0303",
    "vietnamese composed": "Ti\u1ebfng Vi\u1ec7t",
    "vietnamese decomposed": "Tie\u0302\u0301ng Vie\u0323\u0302t",
    "thai": "\u0e1a\u0e32\u0e17",
    "hangul syllables": "\ud55c\uad6d\uc5b4",
    "hangul letters": "\u1112\u1161\u11ab",
    "japanese": "\u65e5\u672c\u8a9e\u304c",
    "kana with its mark apart": "\u304b\u3099",
    "chinese": "\u94b1\u5305",
    "emoji": "\U0001f3b2",
    "emoji family": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "emoji flag": "\U0001f1fb\U0001f1f3",
    "emoji with skin": "\U0001f44d\U0001f3fd",
    "rare han": "\U00020bb7",
    "ligature": "\ufb01",
    "full width digits": "\uff11\uff12",
    "no-break blank": "a\u00a0b",
    "zero width": "a\u200bb\ufeffc",
    "line separator": "a\u2028b\u2029c",
    "tab and lines": "a\tb\nc\r\nd",
    "control": "\x01\x1f\x7f",
    "last of the plane": "\uffff",
    "private": "\ue000\U0010ffff",
    "amount": "0.00000001",
    "large amount": "999999999999999999.99999999",
    "looks like null": "null",
    "looks like a number": "007",
    "looks like an object": '{"a":1}',
    "long": "0123456789abcdef" * 64,
}
VALUES: dict[str, Any] = {
    "zero": 0,
    "one": 1,
    "negative": -1,
    "largest integer": 2**53 - 1,
    "smallest integer": -(2**53 - 1),
    "true": True,
    "false": False,
    "null": None,
    "empty list": [],
    "empty object": {},
    "list": [1, "a", None, True, []],
    "nested list": [[["x"], []], [[]]],
    "object": {"b": 1, "a": "x", "B": 2, "A": None},
    "object with odd keys": {"": 1, " ": 2, "\u00e9": 3, "e\u0301": 4, '"': 5, "\\": 6},
    "object sorted by code point": {"\U0001f3b2": 1, "\uffee": 2, "\ue000": 3, "z": 4},
    "object with keys that begin alike": {"ab": 1, "a": 2, "abc": 3, "a-": 4},
    "deep": {"a": {"b": {"c": {"d": [{"e": {"f": "g"}}]}}}},
    "text in an object": {"t": 'a\u2028"\\/\t\n\x01\x7f\U0001f3b2'},
    "numbers in a list": [0, -5, 10, 2**53 - 1],
}
FIELDS: dict[str, dict[str, Any]] = {
    "no fields": {},
    "a bet": {
        "scene_id": "odd_even-60", "round": "odd_even-60-1763740800", "option": "odd", "amount": "12.5",
        "balance_type": "USDT", "request_id": "0123456789abcdef", "timestamp": 1763740790,
        "nonce": "AAAAAAAAAAAAAAAAAAAAAA",
    },
    "sign and image are left out": {"a": "1", "sign": "ABC", "image": "data", "image_sha256": "00", "images": ["x"]},
    "keys sorted": {"b": 1, "a": 2, "B": 3, "A": 4, "_": 5, "1": 6, "aa": 7},
    "keys that begin like the added ones": {":auth2": 1, ":": 2, "auth": 3},
    "odd keys": {"": 1, " ": 2, "a b": 3, "\u00e9": 4, "e\u0301": 5, "\U0001f3b2": 6, "a=b&c": 7, "%": 8},
    "keys beyond and within the plane": {"\uffee": 1, "\U0001f3b2": 2},
}  # fmt: skip
AROUNDS: dict[str, dict[str, str]] = {
    "visitor": {"token": ""},
    "token with odd signs": {"token": "a+/= ~\u00e9"},
    "other language": {"lang": "zh_CN"},
    "no language": {"lang": ""},
    "other path": {"path": "/v1/order/place"},
    "other session": {"session": "x" * 144},
    "other method": {"method": "PUT"},
}
PLACES = (("POST", "/api/auth/login"), ("POST", "/v1/order/place"))
INNERS = ("{}", '{"text":"\u00e9 \U0001f3b2","list":[1,null]}', '{"a":"' + "x" * 500 + '"}')
ANSWERS = (
    (200, "Done"),
    (422, "s\u1ed1 d\u01b0 kh\u00f4ng \u0111\u1ee7"),
    (461, "\u6642\u8a08\u304c\u305a\u308c\u3066\u3044\u307e\u3059"),
)


def document() -> dict[str, Any]:
    """Everything but the hellos follows from this file."""
    return {
        "signing": list(signatures()),
        "keys": [derivation(number) for number in range(4)],
        "requests": [request(number) for number in range(len(PLACES) * len(INNERS))],
        "answers": [answer(number) for number in range(len(ANSWERS) * 2)],
        "hellos": json.loads(PLACE.read_text())["hellos"] if PLACE.exists() else [],
    }


def signatures() -> Any:
    for name, text in TEXTS.items():
        yield signature(f"text: {name}", {"text": text}, {})
    for name, value in VALUES.items():
        yield signature(f"value: {name}", {"value": value}, {})
    for name, fields in FIELDS.items():
        yield signature(f"fields: {name}", fields, {})
    for name, around in AROUNDS.items():
        yield signature(f"around: {name}", {"text": "a"}, around)


def signature(name: str, fields: dict[str, Any], around: dict[str, str]) -> dict[str, Any]:
    where = AROUND | around
    string = signing.signing_string(fields, **where)
    key = sha256(name.encode()).digest()
    return {
        "name": name, "fields": fields, "around": where, "key": key.hex(), "string": string,
        "sign": signing.sign(key, string),
    }  # fmt: skip


def derivation(number: int) -> dict[str, str]:
    seed, salt = bytes_of("seed", number), bytes_of("salt", number)
    sid = base64.urlsafe_b64encode(bytes_of("sid", number) * 3).decode()
    keys = HKDF(SHA256(), length=96, salt=salt, info=b"wire1\0" + sid.encode()).derive(seed)
    return {"seed": seed.hex(), "salt": salt.hex(), "sid": sid, "keys": keys.hex()}


def request(number: int) -> dict[str, Any]:
    made = derivation(number)
    method, path = PLACES[number % len(PLACES)]
    inner, iv = INNERS[number // len(PLACES)], bytes_of("iv", number)[:12]
    bound = f"wire1|c2s|{method}|{path}|{made['sid']}".encode()
    sealed = iv + AESGCM(bytes.fromhex(made["keys"])[32:64]).encrypt(iv, inner.encode(), bound)
    return {**made, "method": method, "path": path, "inner": inner, "sealed": base64.b64encode(sealed).decode()}


def answer(number: int) -> dict[str, Any]:
    made = derivation(number)
    code, msg = ANSWERS[number % len(ANSWERS)]
    data, iv = INNERS[number // len(ANSWERS)], bytes_of("iv", number)[12:24]
    nonce = base64.urlsafe_b64encode(bytes_of("nonce", number)[:16]).rstrip(b"=").decode()
    bound = f"wire1|s2c|{made['sid']}|{nonce}|{code}|{sha256(msg.encode()).hexdigest()}".encode()
    sealed = iv + AESGCM(bytes.fromhex(made["keys"])[64:]).encrypt(iv, data.encode(), bound)
    return {
        **made, "nonce": nonce, "code": code, "msg": msg, "data": data, "sealed": base64.b64encode(sealed).decode(),
    }  # fmt: skip


def bytes_of(name: str, number: int) -> bytes:
    return sha256(f"{name} {number}".encode()).digest()


def text_of(vectors: dict[str, Any]) -> str:
    return json.dumps(vectors, indent=1) + "\n"


if __name__ == "__main__":
    PLACE.write_text(text_of(document()))
    sys.stdout.write(f"{PLACE.name}: {sum(map(len, document().values()))} vectors\n")
