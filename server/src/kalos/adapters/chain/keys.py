"""The installation's private keys, all of one seed: the hot wallet's, and one for each deposit address."""

from typing import Final

from bip32 import BIP32

from kalos.adapters.chain.transactions import SigningKey

_DEPOSITS: Final = "m/44'/60'/0'"
_HOT: Final = "m/44'/60'/1'/0/0"  # of an account of its own: no public key of the deposits leads to it
_LEAST: Final = 16


class BadSeed(ValueError):
    """The seed's file holds none."""


class SeedKeys:
    """What only the signer's process may hold."""

    def __init__(self, seed: bytes) -> None:
        if len(seed) < _LEAST:
            raise BadSeed(f"a seed has {_LEAST} bytes or more")
        self._root = BIP32.from_seed(seed)
        self.hot = SigningKey(self._root.get_privkey_from_path(_HOT))

    @property
    def xpub(self) -> str:
        """Of the account that deposit addresses are derived from."""
        found: str = self._root.get_xpub_from_path(_DEPOSITS)
        return found

    def deposit(self, owner: int) -> SigningKey:
        """The key of a ledger owner's deposit address."""
        return SigningKey(self._root.get_privkey_from_path(f"{_DEPOSITS}/0/{owner}"))
