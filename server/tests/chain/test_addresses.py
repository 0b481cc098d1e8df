"""Deposit addresses are those of the private key that they were derived without."""

import pytest
from bip32 import BIP32
from eth_account import Account
from eth_account.hdaccount import seed_from_mnemonic
from hypothesis import given, settings
from hypothesis import strategies as st

from kalos.adapters.chain.addresses import BadPublicKey, DepositAddresses
from kalos.adapters.chain.hexes import checksum
from kalos.adapters.chain.sandbox import SANDBOX_XPUB

WORDS = "test test test test test test test test test test test junk"
ROOT = BIP32.from_seed(seed_from_mnemonic(WORDS, ""))
Account.enable_unaudited_hdwallet_features()

# The examples of EIP-55 itself.
CHECKSUMMED = (
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
    "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
)


@settings(max_examples=25, deadline=None)
@given(index=st.integers(0, 2**31 - 1))
def test_public_derivation_gives_the_private_keys_address(index: int) -> None:
    private = Account.from_mnemonic(WORDS, account_path=f"m/44'/60'/0'/0/{index}")
    assert DepositAddresses(SANDBOX_XPUB).address(index) == private.address


def test_derivation_follows_known_vectors() -> None:
    addresses = DepositAddresses(SANDBOX_XPUB)
    assert addresses.address(0) == "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
    assert addresses.address(1) == "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"


@pytest.mark.parametrize("address", CHECKSUMMED)
def test_checksum_follows_the_standards_examples(address: str) -> None:
    assert checksum(bytes.fromhex(address[2:])) == address


@pytest.mark.parametrize(
    "key",
    [
        ROOT.get_xpriv_from_path("m/44'/60'/0'"),
        ROOT.get_xpub_from_path("m/44'/60'/0'/0"),
        ROOT.get_xpub(),
        SANDBOX_XPUB[:-1] + "1",
        "",
    ],
)
def test_anything_but_an_accounts_public_key_is_refused(key: str) -> None:
    with pytest.raises(BadPublicKey):
        DepositAddresses(key)
