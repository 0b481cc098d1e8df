"""The tables after each step, held against the model: all that is new, and all that the present lives own."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import date
from typing import Final

import asyncpg

from kalos.core.assets import USDT
from kalos.ledger import purse
from kalos.ledger.postings import Posting
from kalos.ledger.purse import FIRST_MEMBER, OUTSIDE, Purpose
from support.lives import FIRST_UNITS, RESERVES, quota_name, row_number
from support.model import Expected, Model

Accepted = Mapping[int, tuple[Posting, Expected]]
_PRIVATE: Final = FIRST_MEMBER << 16

_JOURNAL: Final = """
    SELECT j.*, k.name FROM journal j JOIN kinds k ON k.id = j.kind WHERE j.posting_id > $1 AND j.id > $2 ORDER BY j.id
"""
_ACCOUNTS: Final = f"SELECT id, balance, version, open FROM accounts WHERE id >= $1 OR id < {_PRIVATE}"
_UNBALANCED: Final = "SELECT id >> 8 & 255, sum(balance) FROM accounts GROUP BY 1 HAVING sum(balance) <> 0"
# Not `kinds` (a word is written when it is first met) and not the lease's beats.
_DIGESTED: Final = {
    "accounts": f"id >= $2 OR id < {_PRIVATE}",
    "journal": "posting_id > $1",
    "keys": "id > $1",
    "holds": "id > $1 * 8",
    "quotas": "true",
    "outbox": "posting_id > $1",
    "ledger_tail": "true",
    "daily_sums": "true",
    "ledger_flags": "true",
    "life_rows": "true",
    "life_takes": "posting > $1",
    "life_opens": "posting > $1",
    "life_ends": "posting > $1",
}


class Books:
    """Reads the tables over the owner's connection. `begin` a new set of lives; `check` after each of their steps."""

    def __init__(self, db: asyncpg.Connection, model: Model) -> None:
        self.db, self.model = db, model
        self.last = self.last_move = self.start = self.first_account = 0
        self._history: dict[int, tuple[int, int]] = {}
        self._ids: dict[bytes, int] = {}
        self._taken: dict[str, list[int]] = {}
        self._held: dict[int, int] = {}
        self._sums: dict[tuple[date, int, int], tuple[int, int]] = {}

    def begin(self, first_owner: int) -> None:
        """Forget whatever belonged to earlier lives."""
        self.start, self.first_account = self.last, first_owner << 16
        self._history = {account: seen for account, seen in self._history.items() if account < _PRIVATE}
        for forgotten in (self._ids, self._taken, self._held):
            forgotten.clear()

    async def digest(self) -> str:
        """Of every row that the present lives could have changed."""
        parts = [
            f"SELECT '{table}' AS name, t::text AS line FROM {table} t WHERE {where}"
            for table, where in _DIGESTED.items()
        ]
        lines = " UNION ALL ".join(parts)
        found = await self.db.fetchval(
            f"SELECT md5(string_agg(name || line, ',' ORDER BY name, line)) FROM ({lines}) AS lines "
            "WHERE $1::bigint >= 0 AND $2::bigint >= 0",
            self.start,
            self.first_account,
        )
        return str(found)

    async def check(self, accepted: Accepted) -> None:
        """Everything is as the model says, and nothing is new but what was accepted."""
        before, self.last = self.last, await self.db.fetchval("SELECT last_posting FROM ledger_tail")
        assert sorted(accepted) == list(range(before + 1, self.last + 1))
        self._ids |= {posting.key: number for number, (posting, _) in accepted.items()}
        await self._check_keys(before, accepted)
        await self._check_journal(before, accepted)
        await self._check_accounts()
        await self._check_holds(before)
        await self._check_quotas(before)
        await self._check_rows(accepted)

    async def _check_keys(self, before: int, accepted: Accepted) -> None:
        rows = await self.db.fetch("SELECT id, key, fingerprint FROM keys WHERE id > $1", before)
        assert {row["id"]: (row["key"].bytes, row["fingerprint"]) for row in rows} == {
            number: (posting.key[:16], int.from_bytes(posting.fingerprint[:8], "big", signed=True))
            for number, (posting, _) in accepted.items()
        }

    async def _check_journal(self, before: int, accepted: Accepted) -> None:
        """The new moves are those of the model, and carry each account's history on without a gap."""
        rows = await self.db.fetch(_JOURNAL, before, self.last_move)
        wanted = [
            (number, step.kind, step.source, step.target, step.units, self._number(step.reference))
            for number, (_, expected) in sorted(accepted.items())
            for step in expected.steps
        ]
        assert wanted == [
            (row["posting_id"], row["name"], row["from_id"], row["to_id"], row["amount"], row["reference"])
            for row in rows
        ]
        for row in rows:
            self.last_move += 1
            assert row["id"] == self.last_move
            for side, units in (("from", -row["amount"]), ("to", row["amount"])):
                balance, version = self._history.get(row[f"{side}_id"], (0, 0))
                now = balance + units, version + 1
                assert (row[f"{side}_balance"], row[f"{side}_version"]) == now
                self._history[row[f"{side}_id"]] = now
            name = row["day"], row["from_id"] >> 8 & 0xFF, row["kind"]
            units, moves = self._sums.get(name, (0, 0))
            self._sums[name] = units + row["amount"], moves + 1
        sums = await self.db.fetch("SELECT day, asset, kind, units, moves FROM daily_sums")
        assert {tuple(row)[:3]: tuple(row)[3:] for row in sums} == self._sums

    def _number(self, reference: int | bytes) -> int:
        return self._ids[reference] if isinstance(reference, bytes) else reference

    async def _check_accounts(self) -> None:
        """Balance = history = model; no negative; every asset sums to zero; units are backed."""
        rows = await self.db.fetch(_ACCOUNTS, self.first_account)
        found = {row["id"]: (row["balance"], row["version"]) for row in rows}
        assert {account: side for account, side in found.items() if side[1]} == self._history
        assert {row["id"] for row in rows if not row["open"]} == {one for one in self.model.closed if one in found}
        assert {account: balance for account, (balance, _) in found.items()} == {
            account: balance for account, balance in self.model.accounts.items() if account in found or balance
        }
        assert all(balance >= 0 or account >> 16 == OUTSIDE for account, (balance, _) in found.items())
        assert await self.db.fetch(_UNBALANCED) == []
        for asset, reserve in RESERVES.items():
            outside = [purse.outside(purpose, asset) for purpose in (Purpose.ISSUANCE, Purpose.BURNED)]
            made = -sum(found.get(account, (0, 0))[0] for account in outside)
            assert found.get(purse.house(reserve, USDT), (0, 0))[0] == made

    async def _check_holds(self, before: int) -> None:
        """As the model has them; what is left is what was opened less what ended; `held` is their sum."""
        rows = await self.db.fetch("SELECT id, account_id, left_units FROM holds WHERE id > $1 * 8 + 7", self.start)
        names = self.model.names
        assert {names[row["id"]]: (row["account_id"], row["left_units"]) for row in rows} == {
            name: (hold.account, hold.left) for name, hold in self.model.holds.items()
        }
        for row in await self.db.fetch("SELECT posting, place, units FROM life_opens WHERE posting > $1", before):
            self._held[row["posting"] * 8 + row["place"]] = row["units"]
        for row in await self.db.fetch("SELECT hold, units FROM life_ends WHERE posting > $1", before):
            self._held[row["hold"]] -= row["units"]
        assert self._held == {row["id"]: row["left_units"] for row in rows}
        sums: dict[int, int] = defaultdict(int)
        for row in rows:
            sums[row["account_id"]] += row["left_units"]
        held = {account: side[0] for account, side in self._history.items() if account & 0xFF == Purpose.HELD}
        assert sums == held

    async def _check_quotas(self, before: int) -> None:
        """As the model has them; what is left is what there was at first less what rows took."""
        first = quota_name(self.first_account >> 16, 0)
        rows = await self.db.fetch("SELECT id, left_units, state FROM quotas WHERE id >= $1", first)
        mine = {row["id"]: (tuple(row["left_units"]), row["state"] == "open") for row in rows}
        assert mine == {name: (quota.left, quota.open) for name, quota in self.model.quotas.items()}
        assert all(min(left) >= 0 for left, _ in mine.values())
        for row in await self.db.fetch("SELECT quota, units FROM life_takes WHERE posting > $1", before):
            units = row["units"]
            taken = self._taken.setdefault(row["quota"], [0] * len(units))
            self._taken[row["quota"]] = [one + other for one, other in zip(taken, units, strict=True)]
        for name, taken in self._taken.items():
            assert mine[name][0] == tuple(FIRST_UNITS - units for units in taken)

    async def _check_rows(self, accepted: Accepted) -> None:
        first = row_number(self.first_account >> 16, 0)
        rows = await self.db.fetch("SELECT id, state, turn FROM life_rows WHERE id >= $1", first)
        assert {row["id"]: (row["state"], row["turn"]) for row in rows} == {
            number: (row["state"], row["turn"]) for number, row in self.model.rows.items()
        }
        facts = await self.db.fetch("SELECT posting_id FROM outbox WHERE posting_id = ANY($1)", list(accepted))
        assert sorted(row["posting_id"] for row in facts) == sorted(
            number for number, (posting, _) in accepted.items() for _ in posting.facts
        )
