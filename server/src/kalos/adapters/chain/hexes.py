"""Hexadecimal as EVM nodes write it: quantities, hashes, words, checksummed addresses (EIP-55)."""

import re
from typing import Any

from kalos.adapters.chain.keccak import keccak

_QUANTITY = re.compile(r"0x[0-9a-fA-F]{1,64}", re.ASCII)
_HASH = re.compile(r"0x[0-9a-fA-F]{64}", re.ASCII)
_WORD_BYTES = 32


class BadHex(ValueError):
    """A node's answer is not what the protocol says."""


def quantity(value: Any) -> int:
    if not isinstance(value, str) or _QUANTITY.fullmatch(value) is None:
        raise BadHex(f"not a quantity: {value!r:.80}")
    return int(value, 16)


def hash_of(value: Any) -> str:
    """A 32-byte hash in lower case, which is how hashes are kept and compared."""
    if not isinstance(value, str) or _HASH.fullmatch(value) is None:
        raise BadHex(f"not a hash: {value!r:.80}")
    return value.lower()


def checksum(address: bytes) -> str:
    """Write 20 bytes as an address whose letter case is its checksum. Source: EIP-55."""
    assert len(address) == 20, len(address)
    digits = address.hex()
    marks = keccak(digits.encode()).hex()
    return "0x" + "".join(c.upper() if int(mark, 16) >= 8 else c for c, mark in zip(digits, marks, strict=False))


def address_of(value: Any) -> str:
    """Read an address, or a topic that holds one in its last 20 bytes."""
    if not isinstance(value, str) or not value.startswith("0x") or len(value) not in (42, 66):
        raise BadHex(f"not an address: {value!r:.80}")
    try:
        return checksum(bytes.fromhex(value[-40:]))
    except ValueError as problem:
        raise BadHex(f"not an address: {value!r:.80}") from problem


def code_hash(code: Any) -> str:
    if not isinstance(code, str) or not code.startswith("0x"):
        raise BadHex(f"not code: {code!r:.80}")
    try:
        return "0x" + keccak(bytes.fromhex(code[2:])).hex()
    except ValueError as problem:
        raise BadHex(f"not code: {code!r:.80}") from problem


def selector(signature: str) -> str:
    """The first four bytes of a function's hash, with 0x."""
    return "0x" + keccak(signature.encode())[:4].hex()


def word(value: int | str) -> str:
    """An integer or an address as one 32-byte argument, without 0x."""
    number = int(value, 16) if isinstance(value, str) else value
    return number.to_bytes(_WORD_BYTES, "big").hex()
