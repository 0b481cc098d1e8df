"""Sign-in messages: byte for byte those of an independent implementation, signed by nobody else, in no other way."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from eth_account import Account
from eth_account.messages import encode_defunct, encode_typed_data
from hypothesis import given, settings
from hypothesis import strategies as st

from kalos.adapters.chain.hexes import checksum
from kalos.adapters.chain.sign_in import BadSite, SignInMessages
from kalos.core.ports import SignIn
from kalos.domains.wallets.rules import statement

CASES: Final = json.loads(Path(__file__).with_name("siwe.json").read_text())["cases"]
ORDER: Final = 0xFFFFFFFF_FFFFFFFF_FFFFFFFF_FFFFFFFE_BAAEDCE6_AF48A03B_BFD25E8C_D0364141
OWNER: Final = Account.from_key("0x" + "4b" * 32)
HOUSE: Final = SignInMessages("https://kalos.example", 31337)
ASKED: Final = SignIn(
    OWNER.address, statement("48213957"), "4c1f0a7be2d94d3f8a60b5c7e1928d3f", 1795075231456, 1795075531456
)
TEXT: Final = HOUSE.text(ASKED)
RIGHT: Final[str] = OWNER.sign_message(encode_defunct(text=TEXT)).signature.to_0x_hex()
R, S, V = RIGHT[2:66], RIGHT[66:130], RIGHT[130:]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["nonce"][:6])
def test_another_implementation_writes_the_same_text_and_takes_the_same_signature(case: dict[str, Any]) -> None:
    house = SignInMessages(case["page_url"], case["chain_id"])
    asked = SignIn(case["address"], statement(case["account"]), case["nonce"], case["issued_at"], case["expires_at"])
    assert house.text(asked) == case["text"]
    assert house.signer(case["text"], case["signature"]) == case["address"]


def swap(old: str, new: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        assert text.count(old) >= 1, old
        return text.replace(old, new, 1)

    return change


TAMPERED: Final[dict[str, Callable[[str], str]]] = {
    "another site": swap("kalos.example wants", "evil.example wants"),
    "a site below ours": swap("kalos.example wants", "login.kalos.example wants"),
    "a site that ends like ours": swap("kalos.example wants", "notkalos.example wants"),
    "a site that begins like ours": swap("kalos.example wants", "kalos.example.evil wants"),
    "a user before the site": swap("kalos.example wants", "kalos.example@evil.example wants"),
    "another port": swap("kalos.example wants", "kalos.example:8443 wants"),
    "a scheme": swap("kalos.example wants", "http://kalos.example wants"),
    "a capital in the site": swap("kalos.example wants", "Kalos.example wants"),
    "a Cyrillic a in the site": swap("kalos.example wants", "k\u0430los.example wants"),
    "a blank before the site": swap("kalos.example wants", " kalos.example wants"),
    "other words": swap("wants you to sign in", "asks you to sign in"),
    "another chain's account": swap("Ethereum account", "Solana account"),
    "another address": swap(OWNER.address, "0x52908400098527886E0F7030069857D2E4169EE7"),
    "the address in small letters": swap(OWNER.address, OWNER.address.lower()),
    "no address": swap(OWNER.address + "\n", ""),
    "two addresses": swap(OWNER.address, OWNER.address + "\n0x52908400098527886E0F7030069857D2E4169EE7"),
    "another account": swap("48213957", "48213958"),
    "logging in instead of binding": swap(statement("48213957"), statement(None)),
    "another statement": swap("moves no coins", "moves all coins"),
    "no statement": swap(statement("48213957") + "\n\n", ""),
    "two statements": swap("costs nothing.", "costs nothing.\nAnd one more thing."),
    "another page": swap("URI: https://kalos.example/login", "URI: https://evil.example/login"),
    "another path": swap("/login", "/"),
    "the page without its lock": swap("URI: https", "URI: http"),
    "another version": swap("Version: 1", "Version: 2"),
    "no version": swap("Version: 1\n", ""),
    "another chain": swap("Chain ID: 31337", "Chain ID: 1"),
    "the chain with a zero before it": swap("Chain ID: 31337", "Chain ID: 031337"),
    "the chain in other digits": swap("Chain ID: 31337", "Chain ID: \u0663\u0661\u0663\u0663\u0667"),
    "no chain": swap("Chain ID: 31337\n", ""),
    "another nonce": swap("4c1f0a7be2d94d3f", "5c1f0a7be2d94d3f"),
    "the nonce in capitals": swap("4c1f0a7be2d94d3f", "4C1F0A7BE2D94D3F"),
    "a shorter nonce": swap("928d3f", "928d3"),
    "no nonce": swap("Nonce: 4c1f0a7be2d94d3f8a60b5c7e1928d3f\n", ""),
    "made later": swap("Issued At: 2026", "Issued At: 2027"),
    "made in another zone": swap("Z\nExpiration", "+00:00\nExpiration"),
    "never made": lambda text: re.sub(r"Issued At: .*\n", "", text),
    "it ends later": swap("Expiration Time: 2026", "Expiration Time: 2036"),
    "it never ends": lambda text: re.sub(r"\nExpiration Time: .*", "", text),
    "not valid yet": lambda text: text + "\nNot Before: 2027-01-01T00:00:00Z",
    "a request's id": lambda text: text + "\nRequest ID: 1",
    "resources": lambda text: text + "\nResources:\n- https://evil.example",
    "a line's end behind it": lambda text: text + "\n",
    "a blank behind it": lambda text: text + " ",
    "lines of Windows": lambda text: text.replace("\n", "\r\n"),
    "fields in another order": swap("Version: 1\nChain ID: 31337", "Chain ID: 31337\nVersion: 1"),
    "nothing": lambda text: "",
}


@pytest.mark.parametrize("change", TAMPERED.values(), ids=TAMPERED)
def test_a_signature_of_another_text_is_none_of_ours(change: Callable[[str], str]) -> None:
    other = change(TEXT)
    assert other != TEXT
    signature = OWNER.sign_message(encode_defunct(text=other)).signature.to_0x_hex()
    assert HOUSE.signer(other, signature) == OWNER.address, "the signature itself is right"
    assert HOUSE.signer(TEXT, signature) not in (None, OWNER.address)


def test_there_are_forty_of_them() -> None:
    assert len(TAMPERED) >= 40


HIGH_S: Final = f"{ORDER - int(S, 16):064x}"
FORMS: Final = {
    "no 0x": RIGHT[2:],
    "0X": "0X" + RIGHT[2:],
    "a blank before it": " " + RIGHT,
    "a line's end behind it": RIGHT + "\n",
    "64 bytes": RIGHT[:-2],
    "66 bytes": RIGHT + "00",
    "compact (EIP-2098)": "0x" + R + f"{int(S, 16) | (int(V, 16) - 27) << 255:064x}",
    "v of 0 or 1": f"0x{R}{S}{int(V, 16) - 27:02x}",
    "v of 29": f"0x{R}{S}1d",
    "v with the chain (EIP-155)": f"0x{R}{S}{37:02x}",
    "v of nothing": f"0x{R}{S}ff",
    "the higher s": f"0x{R}{HIGH_S}{55 - int(V, 16):02x}",
    "r of zero": f"0x{0:064x}{S}{V}",
    "s of zero": f"0x{R}{0:064x}{V}",
    "r of the order": f"0x{ORDER:064x}{S}{V}",
    "s of the order": f"0x{R}{ORDER:064x}{V}",
    "zeros": "0x" + "00" * 65,
    "ones": "0x" + "ff" * 65,
    "other digits": RIGHT[:-3] + "\u0661" + RIGHT[-2:],
    "a letter that is no digit": "0xg" + RIGHT[3:],
    "nothing": "",
    "0x": "0x",
}


@pytest.mark.parametrize("signature", FORMS.values(), ids=FORMS)
def test_what_is_no_signature_of_65_bytes_is_nobodys(signature: str) -> None:
    assert HOUSE.signer(TEXT, RIGHT) == OWNER.address
    assert HOUSE.signer(TEXT, signature) is None


def test_the_other_v_is_somebody_else() -> None:
    assert HOUSE.signer(TEXT, f"0x{R}{S}{55 - int(V, 16):02x}") not in (None, OWNER.address)


def test_signatures_of_other_kinds_are_somebody_elses() -> None:
    """Without the prefix, or of structured data (EIP-712) that says the same."""
    types = {"SignIn": [{"name": "text", "type": "string"}]}
    typed = encode_typed_data({"name": "Kalos"}, types, {"text": TEXT})
    assert HOUSE.signer(TEXT, OWNER.sign_message(typed).signature.to_0x_hex()) != OWNER.address
    bare = OWNER.unsafe_sign_hash(encode_defunct(text=TEXT).body.rjust(32, b"0")[:32]).signature.to_0x_hex()
    assert HOUSE.signer(TEXT, bare) != OWNER.address


@settings(max_examples=10, deadline=None)
@given(st.binary(min_size=32, max_size=32).filter(lambda key: 0 < int.from_bytes(key) < ORDER), st.text(max_size=200))
def test_signers_are_those_of_another_implementation(key: bytes, text: str) -> None:
    account = Account.from_key(key)
    signature = account.sign_message(encode_defunct(text=text)).signature.to_0x_hex()
    assert HOUSE.signer(text, signature) == account.address
    assert HOUSE.address(account.address) == account.address


OWN: Final = OWNER.address
ADDRESSES: Final = {
    OWN: OWN,
    OWN.lower(): OWN,
    OWN.swapcase(): None,
    "0x" + OWN[2:].swapcase(): None,
    "0x" + OWN[2:].upper(): None,
    OWN[:-1]: None,
    OWN + "0": None,
    OWN[2:]: None,
    " " + OWN: None,
    OWN + "\n": None,
    "0x" + "0" * 40: "0x" + "0" * 40,
    "0x" + "\uff11" * 40: None,
    "": None,
    "alice.eth": None,
    "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq": None,
}


@pytest.mark.parametrize(("written", "read"), ADDRESSES.items())
def test_an_address_is_right_with_its_checksum_or_without_any(written: str, read: str | None) -> None:
    assert HOUSE.address(written) == read


def test_one_wrong_letter_or_case_shows() -> None:
    for place in range(2, 42):
        sign = OWN[place]
        for other in {sign.swapcase(), "0" if sign != "0" else "1"} - {sign}:
            changed = OWN[:place] + other + OWN[place + 1 :]
            assert HOUSE.address(changed) is None or checksum(bytes.fromhex(changed[2:])) == changed


@pytest.mark.parametrize("page", ["https://kalös.example", "https://a b.example", "https://"])
def test_a_site_that_no_message_can_name_stops_the_start(page: str) -> None:
    with pytest.raises(BadSite):
        SignInMessages(page, 1)
