"""When a deposit counts, what becomes of it, and which blocks follow each other."""

from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from operator import attrgetter
from typing import TYPE_CHECKING, Final, Literal, get_args

from kalos.core.assets import USDT, Asset
from kalos.core.errors import InvalidInput
from kalos.core.money import Amount
from kalos.core.ports import Block, Network, TokenTransfer

if TYPE_CHECKING:
    from kalos.domains.deposits.tables import Deposit

PROCESSING: Final = "on_chain_processing"
WAITING: Final = "pending_review"
APPROVED: Final = "approved"
FAILED: Final = "failed"
REFUSED: Final = "refused"
Status = Literal["pending_review", "on_chain_processing", "approved", "refused", "failed"]

MOST_BEHIND: Final = 30
"""Blocks that the watcher may be off the newest one until it counts as behind."""

BELOW_MINIMUM: Final = "below_minimum"
CLOSED_ACCOUNT: Final = "closed_account"
LISTED_SENDER: Final = "listed_sender"
HOUSE: Final = "house"
OTHER_ASSET: Final = "other_asset"
REPEATED: Final = "repeated"
ORPHANED: Final = "orphaned"
REVERTED: Final = "reverted"

LARGEST_UNITS: Final = 2**63 - 1
_HASH_DIGITS: Final = 66

SUSPENDED: Final = (BELOW_MINIMUM, CLOSED_ACCOUNT, LISTED_SENDER)
"""The reasons for which coins stand in suspense."""

Fate = Literal["credit", "below_minimum", "closed_account", "listed_sender", "other_asset", "house", "repeated"]
Reason = Literal[
    "below_minimum", "closed_account", "listed_sender", "other_asset", "house", "repeated", "orphaned", "reverted"
]

StrayVerdict = Literal["returned", "left"]
StrayState = Literal["open", "returned", "left"]

Verdict = Literal["credit", "refuse"]
POSSIBLE: Final[Mapping[tuple[Reason, Verdict], str]] = {
    ("below_minimum", "credit"): "suspense to owner",
    ("listed_sender", "credit"): "suspense to owner",
    ("other_asset", "credit"): "chain to owner",
    ("house", "credit"): "chain to owner",
    ("closed_account", "refuse"): "suspense to chain",
    ("listed_sender", "refuse"): "suspense to chain",
    ("other_asset", "refuse"): "nothing",
    ("repeated", "refuse"): "nothing",
}
"""What a person may decide on a deposit that waits, and what it moves.

A waiting member's coins are never kept, a closed account's can only be sent back, those of a listed sender either, and
what may have been booked before is booked no second time.
"""


def read_hash(text: str) -> str:
    """A transaction's hash as nodes write it. Raises: InvalidInput."""
    lowered = text.strip().lower()
    body = lowered.removeprefix("0x")
    if len(lowered) != _HASH_DIGITS or len(body) != _HASH_DIGITS - 2 or body.strip("0123456789abcdef"):
        raise InvalidInput(errors=[{"field": "hash", "reason": "invalid"}])
    return lowered


def verdicts(deposit: "Deposit") -> list[Verdict]:
    """What a person may decide on a deposit as it is now."""
    if deposit.status != WAITING:
        return []
    return [verdict for verdict in get_args(Verdict) if (deposit.reason, verdict) in POSSIBLE]


def confirmations(deposit: "Deposit", head: int) -> int:
    """How many blocks stand on top of the deposit's, up to the number that it needs."""
    if deposit.status == FAILED:
        return 0
    if deposit.status == PROCESSING:
        return max(0, min(deposit.required, head - deposit.block))
    return deposit.required


def fate(
    deposit: "Deposit", *, minimum: Amount | None, by_house: bool, closed: bool, listed: bool, repeated: bool
) -> Fate:
    """What becomes of a final deposit; `minimum` is None for an asset that can't be topped up.

    `closed`: its owner's account is. `listed`: the operator's list of sanctions has its sender, whoever is paid, the
    house too. `repeated`: the same transaction was final in another block: a reorganisation went deeper than finality.
    Source: treasury.md, "Top-up"; principles.md, "Who may".
    """
    if repeated:
        return "repeated"
    if listed:
        return "listed_sender"
    if by_house:
        return "house"
    if minimum is None:
        return "other_asset"
    if closed:
        return "closed_account"
    return "credit" if deposit.units >= minimum.units else "below_minimum"


def asset_at(network: Network, contract: str) -> Asset | None:
    """The coin of a token contract; None for a token that only has the same name."""
    return next((known.asset for known in network.contracts if known.address == contract), None)


def worth_recording(transfers: Iterable[TokenTransfer], network: Network) -> list[TokenTransfer]:
    """Leave out other tokens, transfers of nothing, and numbers that no balance can hold."""
    return [
        transfer
        for transfer in transfers
        if 0 < transfer.units <= LARGEST_UNITS and asset_at(network, transfer.contract) is not None
    ]


def largest(transfers: Iterable[TokenTransfer], most: int) -> list[TokenTransfer]:
    """The `most` largest of each token at each address, in the chain's order; a log of nothing is bait, which anybody
    can write."""
    found: dict[tuple[str, str], list[TokenTransfer]] = {}
    for one in transfers:
        if one.units > 0:
            found.setdefault((one.recipient, one.contract), []).append(one)
    kept = [one for those in found.values() for one in nlargest(most, those, key=attrgetter("units"))]
    return sorted(kept, key=attrgetter("block", "log_index"))


def topups(transfers: Iterable[TokenTransfer], network: Network, address: str) -> list[TokenTransfer]:
    """Those that bring the coin of top-ups to an address."""
    contract = network.contract(USDT).address
    return [one for one in worth_recording(transfers, network) if one.recipient == address and one.contract == contract]


def is_news(deposit: "Deposit", transfer: TokenTransfer) -> bool:
    """Whether a log that is known stands in another block now, or stands again in one that had been left out."""
    moved = deposit.block_hash != transfer.block_hash
    return deposit.status == FAILED or (deposit.status == PROCESSING and moved)


def linked(blocks: Sequence[Block | None], parent: str) -> list[Block]:
    """The blocks from the first on that follow each other, beginning behind the block of hash `parent`."""
    chain: list[Block] = []
    for block in blocks:
        if block is None or block.parent != parent:
            break
        chain.append(block)
        parent = block.hash
    return chain
