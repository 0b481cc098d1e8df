"""What one commit will write, and how the writer's copies were before it."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from kalos.ledger.requests import Request, Told
from kalos.ledger.state import UNKNOWN_QUOTA, Hold, Quota, Side, State

if TYPE_CHECKING:
    from kalos.ledger.decide import Draft


class Batch:
    """Accepted postings in their order. The copies that they changed are kept as they were first.

    `guessed` are quotas of which it is taken that there are none: true where the batch can be written.
    """

    __slots__ = (
        "accounts",
        "at",
        "changes",
        "closed",
        "facts",
        "first_fact",
        "first_move",
        "first_posting",
        "guessed",
        "holds",
        "inserts",
        "journal",
        "keys",
        "prints",
        "quotas",
        "rows",
        "state",
        "was_at",
    )

    def __init__(self, state: State, at: int, guessed: Iterable[str] = ()) -> None:
        self.state = state
        self.guessed = set(guessed)
        state.quotas.update(dict.fromkeys(self.guessed, UNKNOWN_QUOTA))
        self.was_at = state.at
        self.at = state.at = max(state.at, at)
        self.first_posting, self.first_move, self.first_fact = state.posting, state.move, state.fact
        self.accounts: dict[int, Side] = {}
        self.closed: set[int] = set()
        self.holds: dict[int, Hold | None] = {}
        self.quotas: dict[str, Quota] = {}
        self.journal: list[tuple[int, ...]] = []
        self.keys: list[bytes] = []  # in the order of the postings, whose numbers are dense
        self.prints: list[int] = []
        self.inserts: dict[str, tuple[list[int], list[list[Any]]]] = {}  # shape: postings, rows
        self.changes: dict[str, tuple[list[int], list[list[Any]]]] = {}  # shape: postings, columns
        self.facts: list[tuple[int, Told]] = []
        self.rows: set[tuple[Any, ...]] = set()

    def meets(self, request: Request) -> bool:
        """Whether the request changes a row that this batch changes already: it must wait for the next."""
        rows = self.rows
        return bool(rows) and any(not rows.isdisjoint(change.rows) for change in request.changes)

    def accept(self, draft: "Draft", request: Request) -> None:
        """Take over a decided posting; from now on the state has it."""
        state, posting = self.state, draft.posting
        known, first = state.accounts, self.accounts
        for account, side in draft.accounts.items():
            if account not in first:
                first[account] = known[account]
            known[account] = side
        quotas, first_quotas = state.quotas, self.quotas
        for name, quota in draft.quotas.items():
            if name not in first_quotas:
                first_quotas[name] = quotas[name]
            quotas[name] = quota
        for number, hold in draft.holds.items():
            self.holds.setdefault(number, state.holds.get(number))
            state.holds[number] = hold
        if draft.closed:
            self.closed |= draft.closed
            state.closed |= draft.closed
            for account in draft.closed:
                first.setdefault(account, known[account])
        self.journal += draft.journal
        self.keys.append(request.key)
        self.prints.append(request.fingerprint)
        if request.inserts or request.changes:
            self._write(posting, request)
        for fact in request.facts:
            self.facts.append((posting, fact))
        state.posting = posting
        state.move += len(draft.journal)
        state.fact += len(request.facts)

    def _write(self, posting: int, request: Request) -> None:
        for row in request.inserts:
            postings, rows = self.inserts.get(row.shape) or self.inserts.setdefault(row.shape, ([], []))
            postings.append(posting)
            rows.append(row.values)
        for change in request.changes:
            self._change(posting, change.shape, change.columns)
            self.rows.update(change.rows)

    def _change(self, posting: int, shape: str, columns: list[list[Any]]) -> None:
        found = self.changes.get(shape)
        if found is None:
            self.changes[shape] = [posting] * len(columns[0]), [list(column) for column in columns]
            return
        found[0].extend([posting] * len(columns[0]))
        for all_of_it, more in zip(found[1], columns, strict=True):
            all_of_it.extend(more)

    def drop_guesses(self) -> None:
        """What no accepted posting starts stays unknown."""
        for name in self.guessed - self.quotas.keys():
            del self.state.quotas[name]
            self.guessed.discard(name)

    def undo(self) -> None:
        """Put the copies back. Later batches must have been undone before."""
        state = self.state
        state.accounts.update(self.accounts)
        state.closed -= self.closed
        state.quotas.update(self.quotas)
        for name in self.guessed:
            state.quotas.pop(name, None)
        # A hold that this batch opened isn't there: known, as a copy that says so.
        state.holds.update(self.holds)
        state.posting, state.move, state.fact = self.first_posting, self.first_move, self.first_fact
        state.at = self.was_at
