"""keccak-256 as Ethereum uses it: the padding before the SHA-3 standard."""

import sha3


def keccak(content: bytes) -> bytes:
    """32 bytes."""
    digest: bytes = sha3.keccak_256(content).digest()
    return digest
