"""Writes wire-vectors.json: what server and browser must agree on byte for byte. Run: python contract/make_vectors.py

Hellos that the two sides themselves made are random by nature: those that stand in the file are kept.
"""

import base64
import json
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from pyhpke import AEADId, CipherSuite, KDFId, KEMId, KEMKey
from pyhpke.kem_key import KEMKeyPair

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
    "control at both ends of its range": "\x00\x1b\x80\x9f",
    "each printable ASCII sign": "".join(map(chr, range(0x20, 0x7F))),
    "each sign of Latin-1": "".join(map(chr, range(0xA0, 0x100))),
    "where UTF-8 grows longer": "\x7f\x80\u07ff\u0800\uffff\U00010000",
    "around the surrogates": "\ud7ff\ue000",
    "no character at all": "\ufffe\U0001ffff",
    "byte order mark first": "\ufeffa",
    "soft hyphen": "a\u00adb",
    "direction override": "a\u202eb\u2066c",
    "joiners": "a\u200cb\u200dc",
    "last of the plane": "\uffff",
    "private": "\ue000\U0010ffff",
    "angstrom letter": "\u00c5",
    "angstrom sign": "\u212b",
    "angstrom apart": "A\u030a",
    "ohm and kelvin signs": "\u2126\u212a",
    "two marks in one order": "a\u0323\u0307",
    "two marks in the other": "a\u0307\u0323",
    "letters whose case has traps": "\u0130\u0131\u00df\u1e9e\u03c2",
    "arabic": "\u0645\u062d\u0641\u0638\u0629",
    "hebrew with points": "\u05e9\u05c1\u05b8",
    "devanagari": "\u0928\u092e\u0938\u094d\u0924\u0947",
    "half width kana": "\uff76\uff9e",
    "arabic digits": "\u0661\u0662",
    "raised digits": "x\u00b2\u2075",
    "emoji shown as text": "\u2764\ufe0e",
    "emoji shown as picture": "\u2764\ufe0f",
    "emoji keycap": "1\ufe0f\u20e3",
    "emoji of four joined": "\U0001f3f3\ufe0f\u200d\U0001f308",
    "emoji flag of tags": "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "emoji repeated": "\U0001f3b2" * 40,
    "amount": "0.00000001",
    "large amount": "999999999999999999.99999999",
    "looks like null": "null",
    "looks like a number": "007",
    "looks like an object": '{"a":1}',
    "looks like true": "true",
    "looks like a negative zero": "-0",
    "looks like an exponent": "1e5",
    "looks like no number": "NaN",
    "looks like a JSON escape": "\\u0041\\n",
    "looks like a form": "a=1;b=2\n\nc",
    "looks like a path": "../../etc/passwd",
    "looks like an added field": ":auth=",
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
    "large integers as browsers write them": [2**53, 1152921504606847000, -9223372036854775000],
    "powers of ten": [10**power for power in range(19)],
    "list of empties": ["", [], {}, None, 0, False],
    "object of empties": {"a": "", "b": [], "c": {}, "d": None, "e": 0, "f": False},
    "sign and image within stay": {"sign": "S", "image": "I", "a": {"sign": 1}},
    "keys that are numbers": {"10": 1, "9": 2, "-1": 3, "01": 4, "1.5": 5, "": 6},
    "keys that objects are born with": {"__proto__": 1, "constructor": 2, "toString": 3, "length": 4},
    "keys in both Unicode forms": {"\u00e9": "e\u0301", "e\u0301": "\u00e9", "\u212b": 1, "\u00c5": 2},
    "keys with controls": {"\n": 1, "\x00": 2, "\x7f": 3, "\u2028": 4},
    "keys of emoji that begin alike": {"\U0001f468\u200d\U0001f469": 1, "\U0001f468": 2, "\U0001f468\uffff": 3},
    "texts that JSON escapes": ["\b\f\n\r\t", "\x00\x0b\x1f", '"\\/', "\x7f\x80\u2028\u2029\ufeff"],
    "texts with HTML": ["<!--", "</script>", "&amp;"],
    "long list": list(range(200)),
    "as deep as bodies go": [[[[[[[[[[[[[["x"]]]]]]]]]]]]]],
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
    "keys that objects are born with": {"__proto__": "a", "constructor": "b", "toString": "c", "hasOwnProperty": "d"},
    "keys that are numbers": {"10": "a", "9": "b", "-1": "c", "01": "d"},
    "keys almost left out": {"Sign": 1, "SIGN": 2, "sign ": 3, "image_": 4, "images": 5, "Image": 6},
    "keys almost added": {":Auth": 1, ":lang ": 2, "::path": 3, "method": 4, "session": 5},
    "keys of each reserved sign": {sign: index for index, sign in enumerate(":/?#[]@!$&'()*+,;=")},
    "keys sorted after their encoding": {"a~": 1, "a ": 2, "a-": 3, "a\u00e9": 4, "a": 5, "aA": 6},
    "many fields": {f"field_{number}": str(number) for number in range(60)},
    "long key": {"k" * 300: "v"},
    "a transfer": {
        "account": "10000003", "asset": "USDT", "amount": "1.00000001", "out_password": "p+/=\u00e9", "memo": "",
        "request_id": "ABCDEFabcdef_-0123456789", "timestamp": 1763740790, "nonce": "_-_-_-_-_-_-_-_-_-_-_A",
    },
    "an upload": {"purpose": "kyc", "image_sha256": "e3b0c44298fc1c149afbf4c8996fb924" * 2, "image": "\x00binary"},
    "a list's page": {"page": 1, "size": 100, "after": "eyJpZCI6MX0=", "status": 1},
}  # fmt: skip
AROUNDS: dict[str, dict[str, str]] = {
    "visitor": {"token": ""},
    "token with odd signs": {"token": "a+/= ~\u00e9"},
    "other language": {"lang": "zh_CN"},
    "no language": {"lang": ""},
    "other path": {"path": "/v1/order/place"},
    "other session": {"session": "x" * 144},
    "other method": {"method": "PUT"},
    "vietnamese as the header says it": {"lang": "vi"},
    "traditional chinese as the header says it": {"lang": "tw"},
    "path with odd signs": {"path": "/api/a b/%2F/\u00e9"},
    "path without a call": {"path": "/"},
    "token in one Unicode form": {"token": "\u00e9"},
    "token in the other": {"token": "e\u0301"},
    "long token": {"token": "t" * 500},
    "no session": {"session": ""},
    "session of base64url": {"session": "-_AZaz09" * 18},
}
ADDED = (":auth", ":lang", ":method", ":path", ":session")
UNSIGNABLE: dict[str, dict[str, Any]] = {
    **{f"a field called {name}": {name: "a"} for name in ADDED},
    "high surrogate alone": {"text": "a\ud83c"},
    "low surrogate alone": {"text": "\udfb2a"},
    "surrogates the wrong way round": {"text": "\udfb2\ud83c"},
    "surrogate alone in a key": {"\ud83c": "a"},
    "surrogate alone in a list": {"value": ["a", "\ud83c"]},
    "surrogate alone in an object": {"value": {"a": {"b": "\udfb2"}}},
    "surrogate alone in an object's key": {"value": {"\ud83c": 1}},
}
KEYS: dict[str, tuple[bytes, bytes, str]] = {
    "all zeros": (bytes(32), bytes(32), "A"),
    "all ones": (b"\xff" * 32, b"\xff" * 32, "_" * 20),
    "seed and salt alike": (b"k" * 32, b"k" * 32, "sid"),
    "zeros as salt": (b"k" * 32, bytes(32), "sid"),
    "no sid": (b"k" * 32, b"s" * 32, ""),
    "sid of a ticket's length": (b"k" * 32, b"s" * 32, "-_AZaz09" * 18 + "AAAA"),
}
PLACES = (
    ("POST", "/api/auth/login"), ("POST", "/v1/order/place"), ("GET", "/"), ("PUT", "/api/upload/a%2Fb"),
    ("POST", "/api/\u00e9"), ("POST", "/api/a|b"),
)  # fmt: skip
INNERS = {
    "empty object": "{}",
    "odd signs": '{"text":"\u00e9 \U0001f3b2","list":[1,null]}',
    "more than one block": '{"a":"' + "x" * 500 + '"}',
    "empty text": "",
    "one sign": "0",
    "exactly one block": '{"a":"01234567"}',
    "one Unicode form": '"\u1ebf\u212b"',
    "the other form": '"e\u0302\u0301A\u030a"',
    "byte order mark first": "\ufeff{}",
    "control signs": "\x00\x01\r\n\x7f\u2028",
    "blanks around": ' { "a" : 1 } \n',
    "long": '"' + "\U0001f3b2" * 1_000 + '"',
}
ANSWERS = (
    (200, "Done"),
    (422, "s\u1ed1 d\u01b0 kh\u00f4ng \u0111\u1ee7"),
    (461, "\u6642\u8a08\u304c\u305a\u308c\u3066\u3044\u307e\u3059"),
    (404, ""),
    (400, "s\u00f4\u0301 d\u01b0"),
    (429, "|wire1|"),
)
ORIGINS = (
    "http://localhost:8000", "https://kalos.example", "https://xn--fsqu00a.example", "http://[::1]:8000", "null",
    "https://" + "a." * 100 + "example",
)  # fmt: skip
SPELLINGS: dict[str, Callable[[str], str]] = {
    "without its padding": lambda text: text.rstrip("="),
    "with padding too much": lambda text: text + "=",
    "with a blank": lambda text: f"{text[:4]} {text[4:]}",
    "with a line end": lambda text: text + "\n",
    "in base64url": lambda text: text.replace("+", "-").replace("/", "_"),
    "with padding within": lambda text: f"QQ=={text}",
    "with a sign of no alphabet": lambda text: f"{text[:4]}!{text[5:]}",
}


def document() -> dict[str, Any]:
    """Everything but the kept hellos follows from this file."""
    kept = json.loads(PLACE.read_text())["hellos"] if PLACE.exists() else []
    return {
        "signing": list(signatures()),
        "keys": list(derivations()),
        "requests": list(requests()),
        "answers": list(answers()),
        "hellos": [one for one in kept if one["by"] != "pyhpke"] + [hello(number) for number in range(len(ORIGINS))],
        "refused_signing": [
            {"name": f"not signed: {name}", "fields": fields, "around": AROUND} for name, fields in UNSIGNABLE.items()
        ],
        "refused_requests": list(refused_requests()),
        "refused_answers": list(refused_answers()),
        "refused_hellos": list(refused_hellos()),
    }


def signatures() -> Iterator[dict[str, Any]]:
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


def derivations() -> Iterator[dict[str, str]]:
    for number in range(4):
        yield {"name": f"keys: by chance {number}", **channel_of(number)}
    for name, parts in KEYS.items():
        yield {"name": f"keys: {name}", **derivation(*parts)}


def channel_of(number: int) -> dict[str, str]:
    sid = base64.urlsafe_b64encode(bytes_of("sid", number) * 3).decode()
    return derivation(bytes_of("seed", number), bytes_of("salt", number), sid)


def derivation(seed: bytes, salt: bytes, sid: str) -> dict[str, str]:
    keys = HKDF(SHA256(), length=96, salt=salt, info=b"wire1\0" + sid.encode()).derive(seed)
    return {"seed": seed.hex(), "salt": salt.hex(), "sid": sid, "keys": keys.hex()}


def requests() -> Iterator[dict[str, Any]]:
    for number, (name, inner) in enumerate(INNERS.items()):
        yield request(f"request: {name}", number, PLACES[0], inner)
    for number, place in enumerate(PLACES[1:], len(INNERS)):
        yield request(f"request: {' '.join(place)}", number, place, INNERS["odd signs"])


def request(name: str, number: int, place: tuple[str, str], inner: str) -> dict[str, Any]:
    made, iv = channel_of(number), bytes_of("iv", number)[:12]
    method, path = place
    sealed = sealed_request(made, iv, place, inner)
    return {"name": name, **made, "method": method, "path": path, "inner": inner, "sealed": text64(sealed)}


def sealed_request(made: dict[str, str], iv: bytes, place: tuple[str, str], inner: str) -> bytes:
    bound = f"wire1|c2s|{place[0]}|{place[1]}|{made['sid']}".encode()
    return iv + AESGCM(bytes.fromhex(made["keys"])[32:64]).encrypt(iv, inner.encode(), bound)


def answers() -> Iterator[dict[str, Any]]:
    for number, (name, data) in enumerate(INNERS.items()):
        yield answer(f"answer: {name}", number, ANSWERS[0], data)
    for number, (code, msg) in enumerate(ANSWERS[1:], len(INNERS)):
        yield answer(f"answer: code {code}", number, (code, msg), INNERS["odd signs"])


def answer(name: str, number: int, said: tuple[int, str], data: str) -> dict[str, Any]:
    made, iv, (code, msg) = channel_of(number), bytes_of("iv", number)[12:24], said
    nonce = base64.urlsafe_b64encode(bytes_of("nonce", number)[:16]).rstrip(b"=").decode()
    bound = f"wire1|s2c|{made['sid']}|{nonce}|{code}|{sha256(msg.encode()).hexdigest()}".encode()
    sealed = iv + AESGCM(bytes.fromhex(made["keys"])[64:]).encrypt(iv, data.encode(), bound)
    return {
        "name": name, **made, "nonce": nonce, "code": code, "msg": msg, "data": data, "sealed": text64(sealed),
    }  # fmt: skip


def refused_requests() -> Iterator[dict[str, Any]]:
    good = request("", 100, ("POST", "/api/a"), INNERS["odd signs"])
    del good["inner"]
    other = channel_of(101)
    changes: dict[str, dict[str, str]] = {
        "for another path": {"path": "/api/b"},
        "for a path with a slash more": {"path": "/api/a/"},
        "for a path in capitals": {"path": "/API/A"},
        "for another method": {"method": "PUT"},
        "for a method in small letters": {"method": "post"},
        "for another sid": {"sid": other["sid"]},
        "under other keys": {"seed": other["seed"]},
        "with another salt": {"salt": other["salt"]},
        "that is an answer": {"sealed": answer("", 100, ANSWERS[0], "{}")["sealed"]},
    }
    for name, sealed in damages(good["sealed"]):
        changes[name] = {"sealed": sealed}
    for name, change in changes.items():
        yield good | {"name": f"request refused: {name}"} | change


def refused_answers() -> Iterator[dict[str, Any]]:
    good = answer("", 102, (200, "\u1ebf"), INNERS["odd signs"])
    del good["data"]
    other = channel_of(103)
    changes: dict[str, dict[str, Any]] = {
        "to another nonce": {"nonce": "A" * 22},
        "with another code": {"code": 201},
        "with another sentence": {"msg": "Done"},
        "with its sentence in the other Unicode form": {"msg": "e\u0302\u0301"},
        "without its sentence": {"msg": ""},
        "for another sid": {"sid": other["sid"]},
        "under other keys": {"seed": other["seed"]},
        "with another salt": {"salt": other["salt"]},
        "that is a request": {"sealed": request("", 102, PLACES[0], "{}")["sealed"]},
    }
    for name, sealed in damages(good["sealed"]):
        changes[name] = {"sealed": sealed}
    for name, change in changes.items():
        yield good | {"name": f"answer refused: {name}"} | change


def damages(sealed: str) -> Iterator[tuple[str, str]]:
    raw = base64.b64decode(sealed)
    yield "nothing at all", ""
    yield "its first 12 bytes only", text64(raw[:12])
    yield "its last byte cut off", text64(raw[:-1])
    yield "a byte more", text64(raw + b"\0")
    yield "its first byte changed", text64(bytes([raw[0] ^ 1]) + raw[1:])
    yield "its last byte changed", text64(raw[:-1] + bytes([raw[-1] ^ 1]))
    yield "a byte in its middle changed", text64(raw[:20] + bytes([raw[20] ^ 128]) + raw[21:])
    for name, spelled in SPELLINGS.items():
        assert spelled(sealed) != sealed, name
        yield name, spelled(sealed)


def hello(
    number: int, *, seed: bytes | None = None, aad: bytes = b"", aead: AEADId = AEADId.AES256_GCM
) -> dict[str, str]:
    """What a third implementation seals, with a key pair that isn't left to chance."""
    key, seed = key_of("recipient", number), bytes_of("seed", number) if seed is None else seed
    kid, origin = f"kid-{number}", ORIGINS[number]
    ephemeral = key_of("ephemeral", number)
    enc, sender = CipherSuite.new(KEMId.DHKEM_P256_HKDF_SHA256, KDFId.HKDF_SHA256, aead).create_sender_context(
        KEMKey.from_pyca_cryptography_key(key.public_key()),
        info=b"wire1\0" + kid.encode() + b"\0" + origin.encode(),
        eks=KEMKeyPair(*map(KEMKey.from_pyca_cryptography_key, (ephemeral, ephemeral.public_key()))),
    )
    return {
        "by": "pyhpke", "name": f"hello: by pyhpke for {origin}", "kid": kid, "origin": origin,
        "private": key.private_numbers().private_value.to_bytes(32, "big").hex(),
        "public": key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint).hex(),
        "seed": seed.hex(), "hello": text64(enc + sender.seal(seed, aad=aad)),
    }  # fmt: skip


def refused_hellos() -> Iterator[dict[str, str]]:
    good = hello(0)
    raw = base64.b64decode(good["hello"])
    changes: dict[str, dict[str, str]] = {
        "for another key's name": {"kid": "kid-1"},
        "for another origin": {"origin": ORIGINS[1]},
        "for its origin with a slash": {"origin": ORIGINS[0] + "/"},
        "for its origin in capitals": {"origin": ORIGINS[0].upper()},
        "for another key": {"private": hello(1)["private"]},
        "a point off the curve": {"hello": text64(raw[:64] + bytes([raw[64] ^ 1]) + raw[65:])},
        "a point of zeros": {"hello": text64(b"\x04" + bytes(64) + raw[65:])},
        "a point beyond the field": {"hello": text64(b"\x04" + b"\xff" * 64 + raw[65:])},
        "a point said to be compressed": {"hello": text64(b"\x02" + raw[1:])},
        "a point and nothing else": {"hello": text64(raw[:65])},
        "of AES-128": {"hello": hello(0, aead=AEADId.AES128_GCM)["hello"]},
        "bound to something more": {"hello": hello(0, aad=b"a")["hello"]},
        "a seed of 31 bytes": {"hello": hello(0, seed=bytes(31))["hello"]},
        "a seed of 33 bytes": {"hello": hello(0, seed=bytes(33))["hello"]},
        "no seed": {"hello": hello(0, seed=b"")["hello"]},
    }
    for name, damaged in damages(good["hello"]):
        changes[name] = {"hello": damaged}
    for name, change in changes.items():
        yield good | {"name": f"hello refused: {name}"} | change


def key_of(name: str, number: int) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(bytes_of(name, number), "big"), ec.SECP256R1())


def bytes_of(name: str, number: int) -> bytes:
    return sha256(f"{name} {number}".encode()).digest()


def text64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def text_of(vectors: dict[str, Any]) -> str:
    return json.dumps(vectors, indent=1) + "\n"


if __name__ == "__main__":
    PLACE.write_text(text_of(document()))
    sys.stdout.write(f"{PLACE.name}: {sum(map(len, document().values()))} vectors\n")
