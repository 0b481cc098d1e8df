"""Transactions of the fee market, written and signed as EIP-1559 says, for token transfers and the native coin."""

from typing import Final

from coincurve import PrivateKey

from kalos.adapters.chain.hexes import checksum, selector, word
from kalos.adapters.chain.keccak import keccak
from kalos.core.payments import Fees, Payment, Signed

_TYPE: Final = b"\x02"
_TRANSFER: Final = selector("transfer(address,uint256)")
_SHORT: Final = 55  # bytes whose length fits into the first byte
_TEXT: Final = 0x80
_LIST: Final = 0xC0

Item = bytes | list["Item"]


class SigningKey:
    """A `PaymentKey` over secp256k1."""

    def __init__(self, secret: bytes) -> None:
        self._key = PrivateKey(secret)
        point = self._key.public_key.format(compressed=False)
        self._address = checksum(keccak(point[1:])[-20:])

    @property
    def address(self) -> str:
        return self._address

    def sign(self, payment: Payment, fees: Fees) -> Signed:
        """Source: EIP-1559; and RFC 6979, so that equal asks give equal bytes."""
        fields = _fields(payment, fees)
        signature = self._key.sign_recoverable(keccak(_TYPE + rlp(fields)), hasher=None)
        parity, r, s = signature[64], signature[:32], signature[32:64]
        raw = _TYPE + rlp([*fields, number(parity), r.lstrip(b"\0"), s.lstrip(b"\0")])
        return Signed(raw, "0x" + keccak(raw).hex())


def _fields(payment: Payment, fees: Fees) -> list[Item]:
    """Chain, nonce, tip, fee, gas, to, value, data and an empty access list."""
    assert payment.units > 0, payment
    assert 0 < fees.tip <= fees.max_fee, fees
    if payment.contract is None:
        target, value, data = payment.recipient, payment.units, b""
    else:
        target, value = payment.contract, 0
        data = bytes.fromhex(_TRANSFER[2:] + word(payment.recipient) + word(payment.units))
    numbers = (payment.chain_id, payment.nonce, fees.tip, fees.max_fee, payment.gas)
    return [*map(number, numbers), bytes.fromhex(target[2:]), number(value), data, []]


def number(value: int) -> bytes:
    """Big-endian without zeros in front; zero is empty."""
    return value.to_bytes((value.bit_length() + 7) // 8, "big")


def rlp(item: Item) -> bytes:
    """Source: the yellow paper, appendix B."""
    if isinstance(item, list):
        content = b"".join(map(rlp, item))
        return _length(len(content), _LIST) + content
    if len(item) == 1 and item[0] < _TEXT:
        return item
    return _length(len(item), _TEXT) + item


def _length(count: int, first: int) -> bytes:
    if count <= _SHORT:
        return bytes([first + count])
    written = number(count)
    return bytes([first + _SHORT + len(written)]) + written
