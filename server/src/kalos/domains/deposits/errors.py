"""Why a transaction that a member names is refused."""

from kalos.core.errors import Refusal


class SubmitFailed(Refusal):
    """No block holds this transaction (yet)."""

    code, name = 422, "submit_failed"


class HashUsed(Refusal):
    """The transaction is another member's deposit."""

    code, name = 422, "hash_used"


class HashMismatch(Refusal):
    """The transaction doesn't bring this amount of the asset to the member's address, of the member."""

    code, name = 422, "hash_mismatch"
