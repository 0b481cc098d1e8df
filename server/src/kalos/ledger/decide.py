"""Decides one posting over the writer's copies: pure integers, no clock, no SQL. Accepted whole or refused whole."""

from operator import sub

from kalos.ledger.batch import Batch
from kalos.ledger.purse import OUTSIDE, Purpose
from kalos.ledger.requests import Request
from kalos.ledger.state import LARGEST, UNKNOWN_QUOTA, Hold, Quota, Side, State
from kalos.ledger.verdicts import Element, Outcome, Verdict, bug, refused

_HELD = Purpose.HELD


class Draft:
    """What one posting would change; it touches the state only when all of it was accepted."""

    __slots__ = ("accounts", "holds", "journal", "posting", "quotas", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.posting = state.posting + 1
        self.accounts: dict[int, Side] = {}
        self.holds: dict[int, Hold] = {}
        self.quotas: dict[str, Quota] = {}
        self.journal: list[tuple[int, ...]] = []

    def move(self, kind: str, source: int, target: int, units: int, reference: int) -> int:
        """Move units if the source has them. Returns -1, or what the source has where that is too little."""
        accounts, known = self.accounts, self.state.accounts
        balance, version = accounts.get(source) or known[source]
        if balance < units and source >> 16 != OUTSIDE:
            return balance
        from_balance, from_version = balance - units, version + 1
        accounts[source] = from_balance, from_version
        balance, version = accounts.get(target) or known[target]
        to_balance, to_version = balance + units, version + 1
        accounts[target] = to_balance, to_version
        if to_balance > LARGEST or from_balance < -LARGEST:
            raise OverflowError(f"account {target} would hold {to_balance}")
        self.journal.append(
            (
                self.posting,
                source,
                target,
                units,
                from_version,
                to_version,
                from_balance,
                to_balance,
                reference or self.posting,
                self.state.kinds[kind],
            )
        )
        return -1


def decide(state: State, batch: Batch, request: Request) -> Verdict:
    """Accept a request into the batch, or say why not; then nothing has changed.

    Order inside: not_after, resolves, moves, opens, takes, closes.
    """
    if request.not_after is not None and batch.at > request.not_after:
        return refused(Element.LATE, 0, 0)
    draft = Draft(state)
    try:
        refusal = _resolve(draft, request) or _move(draft, request) or _open(draft, request) or _take(draft, request)
    except (OverflowError, ValueError) as problem:
        return bug(str(problem))
    if refusal is not None:
        return refusal
    _close(draft, request)
    batch.accept(draft, request)
    return Verdict(
        Outcome.POSTED,
        draft.posting,
        batch.at,
        {account: side[0] for account, side in draft.accounts.items()},
        {name: quota.left for name, quota in draft.quotas.items()},
    )


def _resolve(draft: Draft, request: Request) -> Verdict | None:
    for index, (kind, number, target, units) in enumerate(request.resolves):
        hold = draft.holds.get(number) or draft.state.holds[number]
        if hold is None:
            return refused(Element.RESOLVE, index, 0, target >> 8 & 0xFF)
        wanted = hold.left if units is None else units
        if wanted == 0 or wanted > hold.left:
            return refused(Element.RESOLVE, index, hold.left, hold.account >> 8 & 0xFF)
        if hold.account >> 8 & 0xFF != target >> 8 & 0xFF or hold.account == target:
            raise ValueError(f"{kind} of hold {number} goes to account {target}")
        short = draft.move(kind, hold.account, target, wanted, hold.reference)
        assert short == -1, f"hold {number} is not covered by its account"
        draft.holds[number] = hold._replace(left=hold.left - wanted)
    return None


def _move(draft: Draft, request: Request) -> Verdict | None:
    for index, (kind, source, target, units, reference) in enumerate(request.moves):
        left = draft.move(kind, source, target, units, reference)
        if left != -1:
            return refused(Element.MOVE, index, left, source >> 8 & 0xFF)
    return None


def _open(draft: Draft, request: Request) -> Verdict | None:
    for index, (kind, source, units, reference) in enumerate(request.opens):
        account = source & ~0xFF | _HELD
        left = draft.move(kind, source, account, units, reference)
        if left != -1:
            return refused(Element.OPEN, index, left, source >> 8 & 0xFF)
        draft.holds[draft.posting * 8 + index] = Hold(
            account, units, reference or draft.posting, draft.state.kinds[kind]
        )
    return None


def _take(draft: Draft, request: Request) -> Verdict | None:
    for index, (name, units, first) in enumerate(request.takes):
        quota = draft.quotas.get(name) or draft.state.quotas[name]
        if quota.version == 0 and first is not None and quota is UNKNOWN_QUOTA:
            quota = Quota(first, 0, True)
        if not quota.open or quota is UNKNOWN_QUOTA:
            return refused(Element.TAKE_CLOSED, index, quota.left)
        if len(quota.left) != len(units):
            raise ValueError(f"quota {name} has {len(quota.left)} numbers, not {len(units)}")
        left = tuple(map(sub, quota.left, units))
        if min(left) < 0:
            return refused(Element.TAKE_SHORT, index, quota.left)
        if max(left) > LARGEST:
            raise OverflowError(f"quota {name} would hold {max(left)}")
        draft.quotas[name] = Quota(left, quota.version + 1, True)
    return None


def _close(draft: Draft, request: Request) -> None:
    for name in request.closes:
        quota = draft.quotas.get(name) or draft.state.quotas[name]
        if quota.open:
            draft.quotas[name] = Quota(quota.left or (0,), quota.version + 1, False)
