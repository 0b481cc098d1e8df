"""The one statement that writes a batch, and the guard that aborts it where a copy or a row isn't as expected."""

from typing import Any, Final

from asyncpg.pgproto.pgproto import UUID

from kalos.core.clock import business_day
from kalos.ledger.batch import Batch
from kalos.ledger.riders import Stamps, change_sql, gather_changes, gather_inserts, insert_sql

_MOVE: Final = "posting_id, from_id, to_id, amount, from_version, to_version, from_balance, to_balance, reference, kind"


class Statement:
    """The statement of one batch: parts that it needs, their values, what the guard counts."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.values: list[Any] = []
        self.fresh: list[str] = []
        self.expected: list[str] = []

    def put(self, value: Any) -> str:
        self.values.append(value)
        return f"${len(self.values)}"

    def arrays(self, columns: list[tuple[str, Any]]) -> str:
        """`unnest` over parallel arrays, each with the type of its elements."""
        return f"unnest({', '.join(f'{self.put(values)}::{kind}[]' for kind, values in columns)})"

    def part(self, name: str, sql: str) -> None:
        self.parts.append(f"{name} AS ({sql})")

    def counted(self, name: str, count: int, among: list[str]) -> None:
        among.append(f"(SELECT count(*) FROM {name}) = {self.put(count)}::int")

    def text(self) -> str:
        fresh = " AND ".join(self.fresh) or "true"
        expected = " AND ".join(self.expected) or "true"
        return (
            f"WITH {', '.join(self.parts)} SELECT ledger_guard((SELECT count(*) FROM tail) = 1, {fresh}, {expected}), "
            "pg_notify('kalos_ledger', '')"
        )


def statement_of(batch: Batch, epoch: int) -> Statement:
    """Render a batch; the copies may change afterwards."""
    statement = Statement()
    _tail(statement, batch, epoch)
    _keys(statement, batch)
    for write in (_accounts, _journal, _holds, _quotas, _facts, _riders):
        write(statement, batch)
    return statement


def _tail(statement: Statement, batch: Batch, epoch: int) -> None:
    state, put = batch.state, statement.put
    statement.part(
        "tail",
        f"UPDATE ledger_tail SET last_posting = {put(state.posting)}, last_move = {put(state.move)}, "
        f"last_fact = {put(state.fact)}, last_at = {put(batch.at)} "
        f"WHERE epoch = {put(epoch)} AND last_posting = {put(batch.first_posting)} RETURNING 1",
    )


def _keys(statement: Statement, batch: Batch) -> None:
    ids, keys, fingerprints = zip(*batch.keys, strict=True)
    source = statement.arrays(
        [("bigint", ids), ("uuid", list(map(UUID, keys))), ("uuid", list(map(UUID, fingerprints)))]
    )
    statement.part(
        "known",
        f"INSERT INTO keys (id, at, key, fingerprint) "
        f"SELECT k.id, {statement.put(batch.at)}::bigint, k.key, k.print FROM {source} AS k(id, key, print)",
    )


def _accounts(statement: Statement, batch: Batch) -> None:
    made, moved = [], []
    for account, (_, version) in batch.accounts.items():
        now = batch.state.accounts[account]
        if version == 0:
            made.append((account, *now))
        else:
            moved.append((account, version, *now))
    if made:
        source = statement.arrays([("bigint", values) for values in zip(*made, strict=True)])
        statement.part("made", f"INSERT INTO accounts (id, balance, version) SELECT * FROM {source}")
    if moved:
        source = statement.arrays([("bigint", values) for values in zip(*moved, strict=True)])
        statement.part(
            "moved",
            f"UPDATE accounts a SET balance = u.balance, version = u.version FROM {source} "
            "AS u(id, was, balance, version) WHERE a.id = u.id AND a.version = u.was RETURNING 1",
        )
        statement.counted("moved", len(moved), statement.fresh)


def _journal(statement: Statement, batch: Batch) -> None:
    if not batch.journal:
        return
    *columns, kinds = zip(*batch.journal, strict=True)
    source = statement.arrays([("bigint", values) for values in columns] + [("smallint", kinds)])
    statement.part(
        "moves",
        f"INSERT INTO journal ({_MOVE}, id, at, day) "
        f"SELECT {_MOVE}, {statement.put(batch.first_move)}::bigint + place, "
        f"{statement.put(batch.at)}::bigint, {statement.put(business_day(batch.at))}::date "
        f"FROM {source} WITH ORDINALITY AS j({_MOVE}, place)",
    )


def _holds(statement: Statement, batch: Batch) -> None:
    opened, ended = [], []
    for number, before in batch.holds.items():
        now = batch.state.holds[number]
        assert now is not None
        if before is None:
            opened.append((number, now.account, now.left, now.reference, now.kind))
        else:
            ended.append((number, before.left, now.left))
    if opened:
        *columns, kinds = zip(*opened, strict=True)
        source = statement.arrays([("bigint", values) for values in columns] + [("smallint", kinds)])
        statement.part(
            "opened",
            "INSERT INTO holds (id, account_id, left_units, reference, kind, state) SELECT h.*, "
            f"CASE WHEN h.left_units = 0 THEN 'ended' ELSE 'open' END "
            f"FROM {source} AS h(id, account_id, left_units, reference, kind)",
        )
    if ended:
        source = statement.arrays([("bigint", values) for values in zip(*ended, strict=True)])
        statement.part(
            "ended",
            "UPDATE holds h SET left_units = u.now, state = CASE WHEN u.now = 0 THEN 'ended' ELSE 'open' END "
            f"FROM {source} AS u(id, was, now) WHERE h.id = u.id AND h.left_units = u.was RETURNING 1",
        )
        statement.counted("ended", len(ended), statement.fresh)


def _quotas(statement: Statement, batch: Batch) -> None:
    made, taken = [], []
    for name, before in batch.quotas.items():
        now = batch.state.quotas[name]
        row = (name, f"{{{','.join(map(str, now.left))}}}", now.version, "open" if now.open else "closed")
        if before.version == 0:
            made.append(row)
        else:
            taken.append((*row, before.version))
    kinds = ("text", "text", "bigint", "text", "bigint")
    if made:
        source = statement.arrays(list(zip(kinds, zip(*made, strict=True), strict=False)))
        statement.part(
            "started",
            "INSERT INTO quotas (id, left_units, version, state) "
            "SELECT q.id, q.left_units::bigint[], q.version, q.state "
            f"FROM {source} AS q(id, left_units, version, state)",
        )
    if taken:
        source = statement.arrays(list(zip(kinds, zip(*taken, strict=True), strict=True)))
        statement.part(
            "taken",
            "UPDATE quotas q SET left_units = u.left_units::bigint[], version = u.version, state = u.state "
            f"FROM {source} AS u(id, left_units, version, state, was) "
            "WHERE q.id = u.id AND q.version = u.was RETURNING 1",
        )
        statement.counted("taken", len(taken), statement.fresh)


def _facts(statement: Statement, batch: Batch) -> None:
    if not batch.facts:
        return
    stamps = Stamps(batch.at)
    rows = [(posting, fact.table, stamps.onto(fact.text, fact.stamps, posting) + "}") for posting, fact in batch.facts]
    source = statement.arrays(list(zip(("bigint", "text", "text"), zip(*rows, strict=True), strict=True)))
    statement.part(
        "told",
        f"INSERT INTO outbox (id, posting_id, topic, body, at) SELECT {statement.put(batch.first_fact)}::bigint + f.n, "
        f"f.posting, f.topic, f.body::jsonb, {statement.put(batch.at)}::bigint "
        f"FROM {source} WITH ORDINALITY AS f(posting, topic, body, n)",
    )


def _riders(statement: Statement, batch: Batch) -> None:
    if not batch.inserts and not batch.changes:
        return
    stamps = Stamps(batch.at)
    for index, (shape, text) in enumerate(gather_inserts(batch.inserts, stamps).items()):
        statement.part(f"insert_{index}", insert_sql(shape, f"{statement.put(text)}::text"))
    changes = gather_changes(batch.changes, stamps)
    for index, (change, text) in enumerate(changes.items()):
        statement.part(f"change_{index}", change_sql(change, f"{statement.put(text)}::text"))
    if changes:
        total = " + ".join(f"(SELECT count(*) FROM change_{index})" for index in range(len(changes)))
        statement.expected.append(f"{total} = {statement.put(len(batch.changes))}::int")
