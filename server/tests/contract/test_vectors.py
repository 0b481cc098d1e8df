"""The vectors that the web app's tests read too: both sides agree byte for byte."""

import base64
import json
import runpy
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.bindings._rust import openssl
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite
from pyhpke import AEADId, CipherSuite, KDFId, KEMId, KEMKey

from kalos.wire import channel, signing
from kalos.wire.channel import Unreadable

CONTRACT = Path(__file__).parents[3] / "contract"
VECTORS: dict[str, list[dict[str, Any]]] = json.loads((CONTRACT / "wire-vectors.json").read_text())
RFC9180: list[dict[str, Any]] = json.loads((CONTRACT / "rfc9180-vectors.json").read_text())["vectors"]
SUITES = {1: Suite(KEM.P256, KDF.HKDF_SHA256, AEAD.AES_128_GCM), 2: channel.SUITE}
taken: list[str] = []
"""The names of those that the tests below loop over."""


def each(kind: str) -> pytest.MarkDecorator:
    taken.extend(vector["name"] for vector in VECTORS[kind])
    return pytest.mark.parametrize("vector", VECTORS[kind], ids=lambda vector: vector["name"])


def opened(vector: dict[str, Any]) -> channel.Channel:
    return channel.derive(bytes.fromhex(vector["seed"]), bytes.fromhex(vector["salt"]), vector["sid"], 2**60)


def bound(vector: dict[str, Any]) -> dict[str, Any]:
    """What an answer is sealed for."""
    return {"nonce": vector["nonce"], "code": vector["code"], "msg": vector["msg"]}


def key_of(vector: dict[str, Any]) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int(vector["private"], 16), ec.SECP256R1())


def test_file_is_what_its_script_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(CONTRACT))  # its cases stand beside it
    script = runpy.run_path(str(CONTRACT / "make_vectors.py"))
    assert (CONTRACT / "wire-vectors.json").read_text() == script["text_of"](script["document"]())


def test_each_of_at_least_200_vectors_is_taken_once() -> None:
    names = [vector["name"] for vectors in VECTORS.values() for vector in vectors]
    assert len(set(names)) == len(names) >= 200
    assert taken == names


@each("signing")
def test_signing_string_and_signature(vector: dict[str, Any]) -> None:
    string = signing.signing_string(vector["fields"], **vector["around"])
    assert string == vector["string"]
    assert string.isascii()
    key = signing.SigningKey(bytes.fromhex(vector["key"]))
    assert key.sign(string) == vector["sign"]
    assert key.is_signed(string, vector["sign"])


@each("keys")
def test_both_sides_derive_the_same_keys(vector: dict[str, Any]) -> None:
    keys, iv = bytes.fromhex(vector["keys"]), bytes(12)
    made = opened(vector)
    assert made.signing_key.sign("") == signing.SigningKey(keys[:32]).sign("")
    for cipher, key in ((made.to_server, keys[32:64]), (made.to_client, keys[64:])):
        assert cipher.encrypt(iv, b"", b"") == AESGCM(key).encrypt(iv, b"", b"")


@each("requests")
def test_request_opens_at_its_own_place_only(vector: dict[str, Any]) -> None:
    here = {"method": vector["method"], "path": vector["path"]}
    inner = vector["inner"].encode()
    assert opened(vector).open_request(vector["sealed"], **here) == inner
    assert opened(vector).open_request(opened(vector).seal_request(inner, **here), **here) == inner
    for elsewhere in ({"method": "PATCH"}, {"path": "/api/x"}):
        with pytest.raises(Unreadable):
            opened(vector).open_request(vector["sealed"], **(here | elsewhere))


@each("answers")
def test_answer_is_sealed_as_the_page_expects(vector: dict[str, Any]) -> None:
    data = vector["data"].encode()
    assert opened(vector).open_answer(vector["sealed"], **bound(vector)) == data
    made = opened(vector).seal_answer(data, **bound(vector))
    assert opened(vector).open_answer(made, **bound(vector)) == data


@each("hellos")
def test_hello_opens_for_its_key_and_origin_only(vector: dict[str, Any]) -> None:
    key = key_of(vector)
    seed = channel.open_hello(key, vector["hello"], kid=vector["kid"], origin=vector["origin"])
    assert seed.hex() == vector["seed"]
    for other in ({"kid": "other"}, {"origin": "https://other.example"}):
        with pytest.raises(Unreadable):
            channel.open_hello(key, vector["hello"], **({"kid": vector["kid"], "origin": vector["origin"]} | other))


@each("refused_signing")
def test_what_has_no_canonical_form_is_not_signed(vector: dict[str, Any]) -> None:
    with pytest.raises((signing.Unsignable, UnicodeEncodeError)):
        signing.signing_string(vector["fields"], **vector["around"])


@each("refused_requests")
def test_request_does_not_open(vector: dict[str, Any]) -> None:
    with pytest.raises(Unreadable):
        opened(vector).open_request(vector["sealed"], method=vector["method"], path=vector["path"])


@each("refused_answers")
def test_answer_does_not_open(vector: dict[str, Any]) -> None:
    with pytest.raises(Unreadable):
        opened(vector).open_answer(vector["sealed"], **bound(vector))


@each("refused_hellos")
def test_hello_does_not_open(vector: dict[str, Any]) -> None:
    with pytest.raises(Unreadable):
        channel.open_hello(key_of(vector), vector["hello"], kid=vector["kid"], origin=vector["origin"])


@pytest.mark.parametrize("vector", RFC9180, ids=lambda vector: vector["name"])
def test_suite_opens_what_the_rfc_sealed(vector: dict[str, Any]) -> None:
    """The RFC prints none of our exact suite: that one is from its [TestVectors] file, and A.3.1 has our KEM and KDF.

    They seal with additional data, which hellos have none of: the suite is ours, the call is the library's own.
    """
    key = ec.derive_private_key(int(vector["skRm"], 16), ec.SECP256R1())
    sealed = bytes.fromhex(vector["enc"] + vector["ct"])
    info, aad = bytes.fromhex(vector["info"]), bytes.fromhex(vector["aad"])
    assert openssl.hpke._decrypt_with_aad(SUITES[vector["aead"]], sealed, key, info, aad).hex() == vector["pt"]
    for other in (b"", b"Count-1"):
        with pytest.raises(InvalidTag):
            openssl.hpke._decrypt_with_aad(SUITES[vector["aead"]], sealed, key, info, other)


def test_another_implementation_opens_what_ours_seals() -> None:
    suite = CipherSuite.new(KEMId.DHKEM_P256_HKDF_SHA256, KDFId.HKDF_SHA256, AEADId.AES256_GCM)
    for number in range(8):
        key = ec.generate_private_key(ec.SECP256R1())
        seed = bytes([number]) * 32
        hello = base64.b64decode(channel.seal_hello(key.public_key(), seed, kid="k", origin="http://localhost"))
        recipient = suite.create_recipient_context(
            hello[:65], KEMKey.from_pyca_cryptography_key(key), info=channel.hello_info("k", "http://localhost")
        )
        assert recipient.open(hello[65:]) == seed


def test_ours_opens_what_another_implementation_seals() -> None:
    suite = CipherSuite.new(KEMId.DHKEM_P256_HKDF_SHA256, KDFId.HKDF_SHA256, AEADId.AES256_GCM)
    key = ec.generate_private_key(ec.SECP256R1())
    public = KEMKey.from_pyca_cryptography_key(key.public_key())
    enc, sender = suite.create_sender_context(public, info=channel.hello_info("k", "http://localhost"))
    hello = base64.b64encode(enc + sender.seal(b"s" * 32)).decode()
    assert channel.open_hello(key, hello, kid="k", origin="http://localhost") == b"s" * 32
