"""Writes wire-vectors.json: what server and browser must agree on byte for byte. Run: python contract/make_vectors.py

Hellos that the two sides themselves made are random by nature: those that stand in the file are kept.
"""

import base64
import json
import sys
from collections.abc import Iterator
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
from vector_cases import (
    ANSWERS,
    AROUND,
    AROUNDS,
    FIELDS,
    INNERS,
    KEYS,
    ORIGINS,
    PLACES,
    SPELLINGS,
    TEXTS,
    UNSIGNABLE,
    VALUES,
)

PLACE = Path(__file__).with_name("wire-vectors.json")


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
        "sign": signing.SigningKey(key).sign(string),
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
