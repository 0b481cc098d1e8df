"""Signatures of staff, made with a key that the house doesn't have."""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from kalos.core.errors import InvalidInput
from kalos.operator.context import Desk


def check_signature(desk: Desk, message: bytes, signature: str | None) -> bytes:
    """The caller's own of a text. The signer checks it once more, against its own list of keys; here it fails where a
    person can do it again.

    Raises: InvalidInput.
    """
    key = desk.caller.public_key
    if key is None or signature is None:
        raise _invalid("no_key" if key is None else "required")
    signed = bytes.fromhex(signature)
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signed, message)
    except InvalidSignature as problem:
        raise _invalid("invalid") from problem
    return signed


def _invalid(reason: str) -> InvalidInput:
    return InvalidInput(errors=[{"field": "signature", "reason": reason}])
