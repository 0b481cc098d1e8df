"""The vectors that the web app's tests read too: both sides agree byte for byte."""

import base64
import json
import runpy
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from pyhpke import AEADId, CipherSuite, KDFId, KEMId, KEMKey

from kalos.wire import channel, signing
from kalos.wire.channel import Unreadable

CONTRACT = Path(__file__).parents[3] / "contract"
VECTORS: dict[str, list[dict[str, Any]]] = json.loads((CONTRACT / "wire-vectors.json").read_text())


def opened(vector: dict[str, Any]) -> channel.Channel:
    return channel.derive(bytes.fromhex(vector["seed"]), bytes.fromhex(vector["salt"]), vector["sid"], 2**60)


def test_file_is_what_its_script_writes() -> None:
    script = runpy.run_path(str(CONTRACT / "make_vectors.py"))
    assert (CONTRACT / "wire-vectors.json").read_text() == script["text_of"](script["document"]())
    assert sum(map(len, VECTORS.values())) >= 60


@pytest.mark.parametrize("vector", VECTORS["signing"], ids=lambda vector: vector["name"])
def test_signing_string_and_signature(vector: dict[str, Any]) -> None:
    string = signing.signing_string(vector["fields"], **vector["around"])
    assert string == vector["string"]
    assert string.isascii()
    assert signing.sign(bytes.fromhex(vector["key"]), string) == vector["sign"]
    assert signing.is_signed(bytes.fromhex(vector["key"]), string, vector["sign"])


@pytest.mark.parametrize("vector", VECTORS["keys"], ids=lambda vector: vector["seed"][:8])
def test_both_sides_derive_the_same_keys(vector: dict[str, Any]) -> None:
    assert opened(vector).signing_key.hex() == vector["keys"][:64]


@pytest.mark.parametrize("vector", VECTORS["requests"], ids=range(len(VECTORS["requests"])))
def test_request_opens_at_its_own_place_only(vector: dict[str, Any]) -> None:
    here = {"method": vector["method"], "path": vector["path"]}
    assert opened(vector).open_request(vector["sealed"], **here) == vector["inner"].encode()
    for elsewhere in ({"method": "PUT"}, {"path": "/api/x"}):
        with pytest.raises(Unreadable):
            opened(vector).open_request(vector["sealed"], **(here | elsewhere))


@pytest.mark.parametrize("vector", VECTORS["answers"], ids=range(len(VECTORS["answers"])))
def test_answer_is_sealed_as_the_page_expects(vector: dict[str, Any]) -> None:
    made = opened(vector).seal_answer(
        vector["data"].encode(), nonce=vector["nonce"], code=vector["code"], msg=vector["msg"]
    )
    assert len(base64.b64decode(made)) == len(base64.b64decode(vector["sealed"]))


@pytest.mark.parametrize("vector", VECTORS["hellos"], ids=lambda vector: f"{vector['by']} {vector['kid']}")
def test_hello_opens_for_its_key_and_origin_only(vector: dict[str, Any]) -> None:
    key = ec.derive_private_key(int(vector["private"], 16), ec.SECP256R1())
    seed = channel.open_hello(key, vector["hello"], kid=vector["kid"], origin=vector["origin"])
    assert seed.hex() == vector["seed"]
    for other in ({"kid": "other"}, {"origin": "https://other.example"}):
        with pytest.raises(Unreadable):
            channel.open_hello(key, vector["hello"], **({"kid": vector["kid"], "origin": vector["origin"]} | other))


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
