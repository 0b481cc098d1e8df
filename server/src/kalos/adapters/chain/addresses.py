"""Deposit addresses: BIP-44 from an extended public key, so that no process but the signer has a private one."""

from bip32 import BIP32
from coincurve import PublicKey

from kalos.adapters.chain.hexes import checksum
from kalos.adapters.chain.keccak import keccak

_ACCOUNT_DEPTH = 3
_HARDENED = 2**31


class BadPublicKey(ValueError):
    """The setting holds no extended public key of a BIP-44 account."""


class DepositAddresses:
    """Addresses 0/index below `xpub`, the account m/44'/60'/0' of the installation's key.

    Raises: BadPublicKey (also for a private key, which no process but the signer may hold).
    """

    def __init__(self, xpub: str) -> None:
        try:
            self._account = BIP32.from_xpub(xpub)
        except Exception as problem:
            raise BadPublicKey("XPUB is not an extended public key") from problem
        if self._account.depth != _ACCOUNT_DEPTH:
            raise BadPublicKey(f"XPUB must be an account (depth {_ACCOUNT_DEPTH}), not depth {self._account.depth}")

    def address(self, index: int) -> str:
        assert 0 <= index < _HARDENED, index
        compressed = self._account.get_pubkey_from_path([0, index])
        point = PublicKey(compressed).format(compressed=False)
        return checksum(keccak(point[1:])[-20:])
