"""What one commit will write, and how the writer's copies were before it."""

from typing import TYPE_CHECKING

from kalos.ledger.requests import Change, Request, Row
from kalos.ledger.state import Hold, Quota, Side, State

if TYPE_CHECKING:
    from kalos.ledger.decide import Draft


class Batch:
    """Accepted postings in their order. The copies that they changed are kept as they were first."""

    __slots__ = (
        "accounts",
        "at",
        "changes",
        "facts",
        "first_fact",
        "first_move",
        "first_posting",
        "holds",
        "inserts",
        "journal",
        "keys",
        "quotas",
        "rows",
        "state",
        "was_at",
    )

    def __init__(self, state: State, at: int) -> None:
        self.state = state
        self.was_at = state.at
        self.at = state.at = max(state.at, at)
        self.first_posting, self.first_move, self.first_fact = state.posting, state.move, state.fact
        self.accounts: dict[int, Side] = {}
        self.holds: dict[int, Hold | None] = {}
        self.quotas: dict[str, Quota] = {}
        self.journal: list[tuple[int, ...]] = []
        self.keys: list[tuple[int, bytes, bytes]] = []
        self.inserts: list[tuple[int, Row]] = []
        self.changes: list[tuple[int, Change]] = []
        self.facts: list[tuple[int, Row]] = []
        self.rows: set[tuple[str, str]] = set()

    def meets(self, request: Request) -> bool:
        """Whether the request changes a row that this batch changes already: it must wait for the next."""
        return any((change.table, change.row) in self.rows for change in request.changes)

    def accept(self, draft: "Draft", request: Request) -> None:
        """Take over a decided posting; from now on the state has it."""
        state, posting = self.state, draft.posting
        for account, side in draft.accounts.items():
            self.accounts.setdefault(account, state.accounts[account])
            state.accounts[account] = side
        for number, hold in draft.holds.items():
            self.holds.setdefault(number, state.holds.get(number))
            state.holds[number] = hold
        for name, quota in draft.quotas.items():
            self.quotas.setdefault(name, state.quotas[name])
            state.quotas[name] = quota
        self.journal += draft.journal
        self.keys.append((posting, request.key, request.fingerprint))
        for row in request.inserts:
            self.inserts.append((posting, row))
        for change in request.changes:
            self.changes.append((posting, change))
            self.rows.add((change.table, change.row))
        for fact in request.facts:
            self.facts.append((posting, fact))
        state.posting = posting
        state.move += len(draft.journal)
        state.fact += len(request.facts)

    def undo(self) -> None:
        """Put the copies back. Later batches must have been undone before."""
        state = self.state
        state.accounts.update(self.accounts)
        state.quotas.update(self.quotas)
        for number, hold in self.holds.items():
            if hold is None:
                state.holds.pop(number, None)
            else:
                state.holds[number] = hold
        state.posting, state.move, state.fact = self.first_posting, self.first_move, self.first_fact
        state.at = self.was_at
