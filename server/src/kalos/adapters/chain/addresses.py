"""Deposit addresses: BIP-44 from an extended public key, so that no process but the signer has a private one."""

from bip32 import BIP32
from coincurve import PublicKey

from kalos.adapters.chain.hexes import checksum
from kalos.adapters.chain.keccak import keccak
from kalos.core.errors import ForOperator

_ACCOUNT_DEPTH = 3
_HARDENED = 2**31


class BadPublicKey(ForOperator, ValueError):
    """The setting holds no extended public key of a BIP-44 account."""


class DepositAddresses:
    """Addresses 0/index below `xpub`, the account m/44'/60'/0' of the installation's key.

    Raises: BadPublicKey (also for a private key, which no process but the signer may hold).
    """

    def __init__(self, xpub: str) -> None:
        try:
            self._account = BIP32.from_xpub(xpub)
        except Exception as problem:
            raise BadPublicKey("DEPOSIT_XPUB is not an extended public key: one of its letters is wrong") from problem
        if self._account.depth != _ACCOUNT_DEPTH:
            depth = self._account.depth
            raise BadPublicKey(f"DEPOSIT_XPUB must be an account (depth {_ACCOUNT_DEPTH}), not depth {depth}")

    def address(self, index: int) -> str:
        assert 0 <= index < _HARDENED, index
        compressed = self._account.get_pubkey_from_path([0, index])
        point = PublicKey(compressed).format(compressed=False)
        return checksum(keccak(point[1:])[-20:])
