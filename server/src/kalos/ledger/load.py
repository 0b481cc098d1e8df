"""Reads what a batch needs and the writer doesn't know yet: keys, accounts, holds, quotas, kinds; in one round trip."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any, Final, NamedTuple

import asyncpg
from asyncpg.pgproto.pgproto import UUID

from kalos.ledger.checks import is_kind, is_quota
from kalos.ledger.kinds import FREQUENT
from kalos.ledger.requests import Request
from kalos.ledger.shapes import load_shapes
from kalos.ledger.state import UNKNOWN_ACCOUNT, UNKNOWN_QUOTA, Hold, Quota, State, UsedKey
from kalos.ledger.vectors import vector_of

Known = dict[bytes, UsedKey]

_KEYS: Final = "SELECT key, fingerprint, id, at FROM keys WHERE key = ANY($1::text::uuid[])"
# What each sort is read by, in columns alike; {} is the place of its names. Numbers of holds and quotas come packed,
# as they are kept: the driver would make a list of objects of each quota.
_READS: Final = (
    """
    SELECT 1, key::text, '', id, at, fingerprint, 0::smallint, NULL::bytea
    FROM keys WHERE key = ANY({}::text::uuid[])
    """,
    """
    SELECT 2, '', '', id, balance, version, open::int::smallint, NULL::bytea
    FROM accounts WHERE id = ANY({}::bigint[])
    """,
    """
    SELECT 2, '', '', id, balance, version, open::int::smallint, NULL::bytea
    FROM accounts WHERE id IN (SELECT account_id FROM holds WHERE id = ANY({0}::bigint[]))
    UNION ALL
    SELECT 3, '', '', id, account_id, reference, kind, int8send(left_units) FROM holds WHERE id = ANY({0}::bigint[])
    """,
    """
    SELECT 4, id, state, 0::bigint, version, 0::bigint, 0::smallint, array_send(left_units)
    FROM quotas WHERE id = ANY({}::text[])
    """,
)
# What goes wrong in a look, goes wrong in the commit, too, and fails its own posting there.
_LEFT_TO_THE_COMMIT: Final = (
    asyncpg.DataError,
    asyncpg.SyntaxOrAccessError,
    asyncpg.LockNotAvailableError,
    asyncpg.QueryCanceledError,
    asyncpg.DeadlockDetectedError,
)
_KINDS: Final = "SELECT id, name FROM kinds"
_NEW_KINDS: Final = "INSERT INTO kinds (name) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING"
_NEW_FREQUENT: Final = """
    INSERT INTO kinds (id, name) OVERRIDING SYSTEM VALUE SELECT * FROM unnest($1::smallint[], $2::text[])
    ON CONFLICT DO NOTHING
"""


class Looked(NamedTuple):
    """What the tables say of a batch: which keys are used, and which postings expect a row that isn't so.

    `wrong` are the postings that can't be, by their keys, with the reason, and `guessed` the quotas that were not
    looked for: see `Missing`.
    """

    known: Known
    stale: Collection[bytes]
    wrong: Mapping[bytes, str]
    guessed: set[str]
    asked: bool  # for the keys and all quotas


class Missing:
    """What these requests name and the state doesn't have.

    A caller checks its postings, but the writer believes no caller that it couldn't go on without: a name that can't be
    is not looked for, and its request stands in `wrong`. Names that are known were right once.
    `passing` are those of the accounts that nothing but slices of bulk names. `guessed` are quotas that aren't looked
    for: all that name them would start them, and mostly there is none of them yet.
    """

    __slots__ = ("accounts", "guessed", "holds", "kinds", "passing", "quotas", "shapes", "wrong")

    def __init__(self, state: State, requests: Iterable[Request], *, guess: bool) -> None:
        self.accounts: set[int] = set()
        self.passing: set[int] = set()
        self.holds: set[int] = set()
        self.quotas: set[str] = set()
        self.guessed: set[str] = set()
        self.kinds: set[str] = set()
        self.shapes: set[str] = set()
        self.wrong: dict[bytes, str] = {}
        for request in requests:
            self._look(state, request)
            for row in request.inserts:
                shape = state.shapes.get(row.shape)
                if shape is None or shape.problem:
                    self.shapes.add(row.shape)
        self.passing -= self.accounts
        self.accounts |= self.passing
        if guess:
            self.guessed -= self.quotas
        else:
            self.quotas |= self.guessed
            self.guessed.clear()

    def __bool__(self) -> bool:
        return bool(self.accounts or self.holds or self.quotas or self.kinds or self.shapes)

    @property
    def copies(self) -> int:
        return len(self.accounts) + len(self.holds) + len(self.quotas)

    def _look(self, state: State, request: Request) -> None:
        accounts, quotas, kinds = state.accounts, state.quotas, state.kinds
        for kind, source, target, _, _ in request.moves:
            if source not in accounts:
                self.accounts.add(source)
            if target not in accounts:
                self.accounts.add(target)
            if kind not in kinds:
                self._add_kind(kind, request)
        for name, _, first in request.takes:
            if name not in quotas:
                self._add_quota(name, request, self.quotas if first is None else self.guessed)
        if request.opens or request.resolves:
            self._look_at_holds(state, request)
        if request.changes or request.closes or request.many:
            self._look_further(state, request)

    def _look_at_holds(self, state: State, request: Request) -> None:
        accounts = {target for _, _, target, _ in request.resolves}
        for _, source, _, _ in request.opens:
            accounts.update((source, source & ~0xFF | 2))
        self.accounts.update(account for account in accounts if account not in state.accounts)
        for _, number, _, _ in request.resolves:
            self._look_for_hold(state, number)
        for elements in (request.opens, request.resolves):
            for element in elements:
                if element[0] not in state.kinds:
                    self._add_kind(element[0], request)

    def _look_for_hold(self, state: State, number: int) -> None:
        hold = state.holds.get(number)
        if number not in state.holds or (hold is not None and hold.account not in state.accounts):
            self.holds.add(number)

    def _look_further(self, state: State, request: Request) -> None:
        for name, account, number in request.closes:
            if not (name or account or number):
                self.wrong[request.key] = "a close of nothing"
            if name and name not in state.quotas:
                self._add_quota(name, request, self.quotas)
            if account and account not in state.accounts:
                self.accounts.add(account)
            if number:
                self._look_for_hold(state, number)
        for kind, *columns in request.many:
            self.passing.update(account for account in chain(*columns[:2]) if account not in state.accounts)
            if kind not in state.kinds:
                self._add_kind(kind, request)
            if len({len(column) for column in columns}) != 1:
                self.wrong[request.key] = f"columns of different lengths: {kind}"
        self.shapes.update(change.shape for change in request.changes if change.shape not in state.shapes)
        for problem in filter(None, (change.problem for change in request.changes)):
            self.wrong[request.key] = problem

    def _add_kind(self, kind: str, request: Request) -> None:
        if is_kind(kind):
            self.kinds.add(kind)
        else:
            self.wrong[request.key] = f"no kind: {kind[:100]!r}"

    def _add_quota(self, name: str, request: Request, names: set[str]) -> None:
        if is_quota(name):
            names.add(name)
        else:
            self.wrong[request.key] = f"no quota: {name[:100]!r}"


async def load(db: asyncpg.Connection, state: State, requests: Sequence[Request], missing: Missing) -> Known:
    """Fill the state with what is missing and return which keys of these requests are used, in one round trip.

    It may run while a commit is under way: what that commit touches is known already and not read again.
    """
    if missing.kinds:
        await _add_kinds(db, state, missing.kinds)
    if missing.shapes:
        state.shapes.update(await load_shapes(db, missing.shapes))
    keys = uuids(request.key for request in requests) if requests else ""
    names = (keys, list(missing.accounts), list(missing.holds), list(missing.quotas))
    asked = tuple(place for place, some in enumerate(names) if some)
    found = await db.fetch(_query(asked), *(names[place] for place in asked)) if asked else []
    state.accounts.update(dict.fromkeys(missing.accounts, UNKNOWN_ACCOUNT))
    state.holds.update(dict.fromkeys(missing.holds))
    state.quotas.update(dict.fromkeys(missing.quotas, UNKNOWN_QUOTA))
    return _fill(state, found)


@cache
def _query(asked: tuple[int, ...]) -> str:
    """Reads only the sorts that are asked for: the others would cost as much as a few rows."""
    return " UNION ALL ".join(_READS[place].format(f"${number}") for number, place in enumerate(asked, 1))


async def find_used(db: asyncpg.Connection, requests: Iterable[Request]) -> Known:
    """Those of these requests' keys that were used."""
    rows = await db.fetch(_KEYS, uuids(request.key for request in requests))
    return {key.bytes: (fingerprint, number, at) for key, fingerprint, number, at in rows}


async def find_stale(db: asyncpg.Connection, state: State, requests: Iterable[Request]) -> set[bytes]:
    """Look at the rows that these requests expect, as they are committed. Returns the keys of those that will fail.

    One that fails would fail its whole batch; so most of them are refused before.
    """
    groups: dict[str, tuple[list[bytes], list[list[Any]]]] = {}
    for request in requests:
        for change in request.changes:
            if not state.shapes[change.shape].fits(change.columns, is_change=True):
                continue
            keys, columns = groups.setdefault(change.shape, ([], [[] for _ in change.columns]))
            keys.extend([request.key] * len(change.columns[0]))
            for column, more in zip(columns, change.columns, strict=True):
                column.extend(more)
    stale: set[bytes] = set()
    for text, (keys, columns) in groups.items():
        shape = state.shapes[text]
        try:
            found = await db.fetch(shape.look_sql, *shape.typed(columns[: shape.looked]))
        except _LEFT_TO_THE_COMMIT:
            continue
        places = {row[0] - 1 for row in found}
        stale.update(key for place, key in enumerate(keys) if place not in places)
    return stale


def uuids(words: Iterable[bytes]) -> str:
    """16 bytes each, as PostgreSQL reads an array of uuid: a third of the time that objects take."""
    return "{" + ",".join([word.hex() for word in words]) + "}"


def _fill(state: State, rows: Sequence[Any]) -> Known:
    known: Known = {}
    for sort, name, word, number, a, b, kind, packed in rows:
        if sort == 1:
            known[UUID(name).bytes] = (b, number, a)
        elif sort == 2:
            # A hold's account may be known and changed by what isn't committed yet: then the table is behind.
            if state.accounts.get(number, UNKNOWN_ACCOUNT) is UNKNOWN_ACCOUNT:
                state.accounts[number] = (a, b)
                if not kind:
                    state.closed.add(number)
        elif sort == 3:
            state.holds[number] = Hold(a, int.from_bytes(packed, "big"), b, kind)
        else:
            state.quotas[name] = Quota(*vector_of(packed), a, word == "open")
    return known


async def _add_kinds(db: asyncpg.Connection, state: State, names: set[str]) -> None:
    """Number kinds that are new. One that has its number already must not draw another: they are few."""
    state.kinds.update({name: number for number, name in await db.fetch(_KINDS)})
    new = names - state.kinds.keys()
    if new:
        frequent = sorted(new & FREQUENT.keys())
        await db.execute(_NEW_FREQUENT, [FREQUENT[name] for name in frequent], frequent)
        await db.execute(_NEW_KINDS, sorted(new - FREQUENT.keys()))
        state.kinds.update({name: number for number, name in await db.fetch(_KINDS)})
