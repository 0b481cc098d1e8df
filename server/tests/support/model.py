"""What must happen to a posting, in plain Python: the ledger's rules without batches, caches or SQL."""

from collections import ChainMap
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from kalos.core.errors import InsufficientBalance, Refusal, RequestConflict, StateChanged, WrongState
from kalos.ledger.postings import Close, Insert, Open, Posting, Resolve, Set, Stamp, Take
from kalos.ledger.purse import FIRST_MEMBER, OUTSIDE, Purpose

Name = TypeVar("Name")
Value = TypeVar("Value")
HoldName = tuple[bytes, int]
"""The key of the posting that opened it, and its place among the opens: its id is known once that was answered."""


class Short(Refusal):
    """An element's own refusal, of tests alone."""

    code, name = 422, "test_short"


class Gone(Refusal):
    """An element's own refusal where something was closed."""

    code, name = 422, "test_gone"


@dataclass(frozen=True, slots=True)
class Hold:
    account: int
    left: int
    reference: int | None  # None: the id of the posting that opened it
    kind: str
    owner: bytes  # that posting's key


@dataclass(frozen=True, slots=True)
class Quota:
    left: tuple[int, ...]
    open: bool = True


@dataclass(frozen=True, slots=True)
class Step:
    """One move as the journal must have it. `reference` is a number, or the key of the posting whose id it is."""

    kind: str
    source: int
    target: int
    units: int
    reference: int | bytes


@dataclass(frozen=True, slots=True)
class Expected:
    """How a posting must end: refused with `refusal` (and its `left`), replayed, or posted with these steps."""

    refusal: type[Exception] | None = None
    left: Any = None
    replayed: bool = False
    steps: tuple[Step, ...] = ()
    balances: Mapping[int, int] = field(default_factory=dict)
    quotas: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


class _Refused(Exception):
    def __init__(self, refusal: type[Exception], left: Any = None) -> None:
        self.expected = Expected(refusal, left)


class Model:
    """The whole ledger. `decide` says what must happen and changes nothing; `accept` lets it happen."""

    def __init__(self) -> None:
        self.accounts: MutableMapping[int, int] = {}
        self.closed: MutableMapping[int, bool] = {}
        self.holds: MutableMapping[HoldName, Hold] = {}
        self.quotas: MutableMapping[str, Quota] = {}
        self.rows: MutableMapping[int, dict[str, Any]] = {}
        self.keys: dict[bytes, bytes] = {}
        self.names: dict[int, HoldName] = {}

    def forget_members(self) -> None:
        """Their lives are over: only the house and the outside go on."""
        for account in [one for one in self.accounts if one >> 16 >= FIRST_MEMBER]:
            del self.accounts[account]
        for values in (self.closed, self.holds, self.quotas, self.rows, self.keys, self.names):
            values.clear()

    def decide(self, posting: Posting, now: int) -> Expected:
        return self._try(posting, now)[0]

    def accept(self, posting: Posting, now: int) -> Expected:
        """Decide, and where it is posted take it over."""
        expected, draft = self._try(posting, now)
        if draft is not None:
            self.keys[posting.key] = posting.fingerprint
            for name in ("accounts", "closed", "holds", "quotas", "rows"):
                getattr(self, name).update(getattr(draft, name).maps[0])
        return expected

    def _try(self, posting: Posting, now: int) -> tuple[Expected, "_Draft | None"]:
        known = self.keys.get(posting.key)
        if known is not None:
            same = known == posting.fingerprint
            return (Expected(replayed=True) if same else Expected(RequestConflict)), None
        draft = _Draft(self, posting)
        try:
            draft.run(now)
        except _Refused as refused:
            return refused.expected, None
        balances = dict(draft.accounts.maps[0])
        quotas = {name: quota.left for name, quota in draft.quotas.maps[0].items()}
        return Expected(steps=tuple(draft.steps), balances=balances, quotas=quotas), draft

    def name_holds(self, posting: Posting, number: int) -> None:
        """The posting was answered: its holds have ids now."""
        for place in range(len(posting.opens)):
            self.names[number * 8 + place] = (posting.key, place)


class _Draft:
    """One posting over a model that stays as it is."""

    def __init__(self, model: Model, posting: Posting) -> None:
        self.posting = posting
        self.names = model.names
        self.accounts = _over(model.accounts)
        self.closed = _over(model.closed)
        self.holds = _over(model.holds)
        self.quotas = _over(model.quotas)
        self.rows = _over(model.rows)
        self.steps: list[Step] = []

    def run(self, now: int) -> None:
        posting = self.posting
        if posting.not_after is not None and now > posting.not_after:
            raise _Refused(type(posting.late()) if posting.late else WrongState, 0)
        for end in posting.resolves:
            self._resolve(end)
        for move in posting.moves:
            self._move(Step(move.kind, move.source, move.target, move.units, move.reference or posting.key), move.short)
        for many in posting.many:
            columns = (many.sources, many.targets, many.units, many.references)
            for source, target, units, reference in zip(*columns, strict=True):
                self._move(Step(many.kind, source, target, units, reference or posting.key), many.short)
        for place, one in enumerate(posting.opens):
            self._open(place, one)
        for take in posting.takes:
            self._take(take)
        for close in posting.closes:
            self._close(close)
        for rider in posting.riders:
            self._ride(rider)

    def _move(self, step: Step, short: Callable[..., Refusal] | None) -> None:
        if self.closed.get(step.source) or self.closed.get(step.target):
            raise _Refused(WrongState)
        left = self.accounts.get(step.source, 0)
        if left < step.units and step.source >> 16 != OUTSIDE:
            raise _Refused(type(short()) if short else InsufficientBalance, left)
        self.accounts[step.source] = left - step.units
        self.accounts[step.target] = self.accounts.get(step.target, 0) + step.units
        self.steps.append(step)

    def _resolve(self, end: Resolve) -> None:
        name = self.names.get(end.hold)
        hold = self.holds.get(name) if name is not None else None
        if name is None or hold is None:
            raise _Refused(type(end.short()) if end.short else InsufficientBalance, 0)
        units = hold.left if end.units is None else end.units
        if units == 0 or units > hold.left:
            raise _Refused(type(end.short()) if end.short else InsufficientBalance, hold.left)
        reference = hold.owner if hold.reference is None else hold.reference
        self._move(Step(end.kind, hold.account, end.target, units, reference), end.short)
        self.holds[name] = Hold(hold.account, hold.left - units, hold.reference, hold.kind, hold.owner)

    def _open(self, place: int, one: Open) -> None:
        account = one.source & ~0xFF | Purpose.HELD
        self._move(
            Step(one.kind, one.source, account, one.units, one.reference or self.posting.key),
            one.short,
        )
        self.holds[self.posting.key, place] = Hold(
            account, one.units, one.reference or None, one.kind, self.posting.key
        )

    def _take(self, take: Take) -> None:
        quota = self.quotas.get(take.quota)
        if quota is None and take.first is not None:
            quota = Quota(take.first)
        if quota is None or not quota.open:
            closed = take.closed
            raise _Refused(type(closed()) if closed else WrongState)
        left = tuple(have - units for have, units in zip(quota.left, take.units, strict=True))
        if min(left) < 0:
            raise _Refused(type(take.short()) if take.short else WrongState, quota.left)
        self.quotas[take.quota] = Quota(left)

    def _close(self, close: Close) -> None:
        if close.account:
            left = self.accounts.get(close.account)
            if left != 0:
                raise _Refused(type(close.short()) if close.short else WrongState, left or 0)
            self.closed[close.account] = True
        elif close.hold:
            name = self.names.get(close.hold)
            left = self.holds[name].left if name else 0
            if name is None or left:
                raise _Refused(type(close.short()) if close.short else WrongState, left)
        else:
            quota = self.quotas.get(close.quota)
            if quota is None or quota.open:
                self.quotas[close.quota] = Quota(quota.left if quota else (0,), open=False)

    def _ride(self, rider: Any) -> None:
        if isinstance(rider, Insert):
            number = rider.row.get("id")
            if isinstance(number, int):
                if number in self.rows:
                    raise _Refused(StateChanged)
                self.rows[number] = {key: value for key, value in rider.row.items() if not isinstance(value, Stamp)}
        elif isinstance(rider, Set):
            self._set(rider.key["id"], rider.expect, rider.values)
        else:
            for place, number in enumerate(rider.key["id"]):
                expect = {name: column[place] for name, column in rider.expect.items()}
                self._set(number, expect, {name: column[place] for name, column in rider.values.items()})

    def _set(self, number: int, expect: Mapping[str, Any], values: Mapping[str, Any]) -> None:
        row = self.rows.get(number)
        if row is None or any(row[name] != value for name, value in expect.items()):
            raise _Refused(StateChanged)
        self.rows[number] = row | dict(values)


def _over(values: MutableMapping[Name, Value]) -> ChainMap[Name, Value]:
    return ChainMap({}, values)
