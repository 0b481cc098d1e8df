"""Decides one posting over the writer's copies: pure integers, no clock, no SQL. Accepted whole or refused whole."""

from collections.abc import Iterable
from itertools import repeat

from kalos.ledger.batch import Batch
from kalos.ledger.kinds import MONEY_OUT
from kalos.ledger.purse import OUTSIDE, Purpose
from kalos.ledger.requests import Request
from kalos.ledger.state import LARGEST, UNKNOWN_QUOTA, Hold, Quota, Side, State
from kalos.ledger.vectors import PLACE, is_whole, numbers_of
from kalos.ledger.verdicts import POSTED, Element, Outcome, Verdict, bug, refused

_HELD = int(Purpose.HELD)
_CLOSED = -1

Step = tuple[str, int, int, int, int]
"""A move as it travels: kind, source, target, units, reference."""


class Draft:
    """What one posting would change; it touches the state only when all of it was accepted."""

    __slots__ = ("accounts", "closed", "holds", "journal", "posting", "quotas", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.posting = state.posting + 1
        self.accounts: dict[int, Side] = {}
        self.closed: set[int] = set()
        self.holds: dict[int, Hold] = {}
        self.quotas: dict[str, Quota] = {}
        self.journal: list[tuple[int, ...]] = []

    def move(self, steps: Iterable[Step]) -> tuple[int, int] | None:
        """Move where the sources have enough. Returns None, or the first step that can't be and what its source has.

        What there is of a closed account is -1.
        """
        accounts, journal, posting = self.accounts, self.journal, self.posting
        known, kinds, closed = self.state.accounts, self.state.kinds, self.state.closed
        for index, (kind, source, target, units, reference) in enumerate(steps):
            if closed and (source in closed or target in closed):
                return index, _CLOSED
            balance, version = accounts.get(source) or known[source]
            if balance < units and source >> 16 != OUTSIDE:
                return index, balance
            from_balance = balance - units
            from_version = version + 1
            accounts[source] = (from_balance, from_version)
            balance, version = accounts.get(target) or known[target]
            to_balance = balance + units
            version += 1
            if to_balance > LARGEST or from_balance < -LARGEST:
                raise OverflowError(f"account {target} would hold {to_balance}")
            accounts[target] = (to_balance, version)
            journal.append(
                (
                    posting,
                    source,
                    target,
                    units,
                    from_version,
                    version,
                    from_balance,
                    to_balance,
                    reference or posting,
                    kinds[kind],
                )
            )
        return None


def decide(state: State, batch: Batch, request: Request, *, stale: bool = False) -> Verdict:
    """Accept a request into the batch, or say why not; then nothing has changed.

    Order inside: not_after, resolves, moves, many, opens, takes, closes, riders (`stale`: one expects the wrong).
    """
    if request.not_after is not None and batch.at > request.not_after:
        return refused(Element.LATE, 0, 0)
    if state.money_out_stopped and not MONEY_OUT.isdisjoint(_kinds(request)):
        return Verdict(Outcome.STOPPED)
    draft = Draft(state)
    try:
        refusal = _write(draft, request)
    except (OverflowError, ValueError) as problem:
        return bug(str(problem))
    if refusal is None and (request.inserts or request.changes):
        refusal = _misshapen(state, request)
    if refusal is not None:
        return refusal
    if stale:
        return Verdict(Outcome.CHANGED)
    batch.accept(draft, request)
    return Verdict(
        POSTED,
        draft.posting,
        batch.at,
        {account: side[0] for account, side in draft.accounts.items()},
        {name: draft.quotas[name].numbers for name in request.returning if name in draft.quotas}
        if request.returning
        else {},
    )


def _write(draft: Draft, request: Request) -> Verdict | None:
    """Put all elements into the draft; the first that can't be, refuses."""
    return (
        (request.resolves and _resolve(draft, request))
        or (request.moves and _move(draft, request))
        or (request.many and _move_many(draft, request))
        or (request.opens and _open(draft, request))
        or (request.takes and _take(draft, request))
        or (request.closes and _close(draft, request))
        or None
    )


def _kinds(request: Request) -> Iterable[str]:
    return {one[0] for elements in (request.resolves, request.moves, request.many, request.opens) for one in elements}


def _misshapen(state: State, request: Request) -> Verdict | None:
    """A bug where one of the request's rows has no table, or a column that there isn't."""
    for row in request.inserts:
        if not state.shapes[row.shape].fits(row.values, is_change=False):
            return _bad_rows(state, row.shape)
    for change in request.changes:
        if not state.shapes[change.shape].fits(change.columns, is_change=True):
            return _bad_rows(state, change.shape)
    return None


def _bad_rows(state: State, name: str) -> Verdict:
    return bug(state.shapes[name].problem or f"not the values of {name}")


def _refused(element: Element, index: int, left: int, source: int) -> Verdict:
    if left == _CLOSED:
        return refused(Element.CLOSED, index, 0)
    return refused(element, index, left, source >> 8 & 0xFF)


def _resolve(draft: Draft, request: Request) -> Verdict | None:
    for index, (kind, number, target, units) in enumerate(request.resolves):
        hold = draft.holds.get(number) or draft.state.holds[number]
        if hold is None:
            return refused(Element.RESOLVE, index, 0, target >> 8 & 0xFF)
        wanted = hold.left if units is None else units
        if wanted == 0 or wanted > hold.left:
            return refused(Element.RESOLVE, index, hold.left, hold.account >> 8 & 0xFF)
        if hold.account >> 8 & 0xFF != target >> 8 & 0xFF:
            raise ValueError(f"{kind} of hold {number} goes to account {target}")
        short = draft.move(((kind, hold.account, target, wanted, hold.reference),))
        if short is not None:
            if short[1] != _CLOSED:
                raise ValueError(f"hold {number} is not covered by its account")
            return refused(Element.CLOSED, index, 0)
        draft.holds[number] = Hold(hold.account, hold.left - wanted, hold.reference, hold.kind)
    return None


def _move(draft: Draft, request: Request) -> Verdict | None:
    short = draft.move(request.moves)
    return None if short is None else _refused(Element.MOVE, *short, request.moves[short[0]][1])


def _move_many(draft: Draft, request: Request) -> Verdict | None:
    for index, (kind, sources, targets, units, references) in enumerate(request.many):
        short = draft.move(zip(repeat(kind), sources, targets, units, references))
        if short is not None:
            return _refused(Element.MANY, index, short[1], sources[short[0]])
    return None


def _open(draft: Draft, request: Request) -> Verdict | None:
    for index, (kind, source, units, reference) in enumerate(request.opens):
        account = source & ~0xFF | _HELD
        short = draft.move(((kind, source, account, units, reference),))
        if short is not None:
            return _refused(Element.OPEN, index, short[1], source)
        draft.holds[draft.posting * 8 + index] = Hold(
            account, units, reference or draft.posting, draft.state.kinds[kind]
        )
    return None


def _take(draft: Draft, request: Request) -> Verdict | None:
    quotas, known = draft.quotas, draft.state.quotas
    for index, (name, units, first) in enumerate(request.takes):
        quota = quotas.get(name) or known[name]
        if first is not None and quota is UNKNOWN_QUOTA:
            quota = _start(first)
        if not quota.open or quota is UNKNOWN_QUOTA:
            return refused(Element.TAKE_CLOSED, index, quota.numbers)
        size = quota.size
        if len(units) != size * PLACE:
            raise ValueError(f"quota {name} has {size} numbers, a vector of {len(units)} bytes is none of them")
        left = quota.left - int.from_bytes(units, "big", signed=True)
        if not is_whole(left, size):
            if min(numbers_of(left, size)) >= 0:
                raise OverflowError(f"quota {name} would hold {max(numbers_of(left, size))}")
            return refused(Element.TAKE_SHORT, index, quota.numbers)
        quotas[name] = Quota(left, size, quota.version + 1, True)
    return None


def _start(first: bytes) -> Quota:
    left, size = int.from_bytes(first, "big", signed=True), len(first) // PLACE
    if not is_whole(left, size):
        raise ValueError(f"no start for a quota: {numbers_of(left, size)}")
    return Quota(left, size, 0, True)


def _close(draft: Draft, request: Request) -> Verdict | None:
    state = draft.state
    for index, (name, account, number) in enumerate(request.closes):
        if name:
            quota = draft.quotas.get(name) or state.quotas[name]
            if quota.open:
                draft.quotas[name] = Quota(quota.left, quota.size or 1, quota.version + 1, False)
        elif account:
            balance, version = draft.accounts.get(account) or state.accounts[account]
            if balance != 0 or version == 0:
                return refused(Element.CLOSE, index, balance)
            if account not in state.closed:
                draft.closed.add(account)
        else:
            hold = draft.holds.get(number) or state.holds[number]
            if hold is None or hold.left:
                return refused(Element.CLOSE, index, hold.left if hold else 0)
    return None
