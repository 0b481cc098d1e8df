"""Nonces that were used: shared by all API processes, kept three times the window of time."""

import hashlib
from collections.abc import Sequence
from typing import Final

import asyncpg

from kalos.core.batch import Batch
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.wire.errors import Replay

_NONCE_BYTES: Final = 16
# Both in the order of the marks: of two processes that have some in common neither waits for the other.
_ALL_NEW: Final = "INSERT INTO wire_nonces (nonce, until_at) SELECT unnest($1::bytea[]), $2::bigint"
# Where one was used; it takes PostgreSQL half as long again.
_NEW_AMONG: Final = """
    INSERT INTO wire_nonces (nonce, until_at) SELECT DISTINCT mark, $2::bigint FROM unnest($1::bytea[]) mark
    ORDER BY mark ON CONFLICT DO NOTHING RETURNING nonce
"""


class Nonces:
    """Each (channel, nonce) once. Raises: Replay, Outage (no answer is no permission)."""

    def __init__(self, db: Database, clock: Clock, keep_seconds: int) -> None:
        self._db = db
        self._clock = clock
        self._keep_ms = keep_seconds * 1000
        self._batch: Batch[bytes, bool] = Batch(self._insert)

    async def use(self, sid: str, nonce: str) -> None:
        mark = hashlib.sha256(f"{sid}\0{nonce}".encode()).digest()[:_NONCE_BYTES]
        if not await self._batch.ask(mark):
            raise Replay

    async def forget(self) -> None:
        """Delete those whose time is over."""
        await self._db.execute("DELETE FROM wire_nonces WHERE until_at <= $1", self._clock.wall())

    async def _insert(self, marks: Sequence[bytes]) -> Sequence[bool]:
        until_at = self._clock.wall() + self._keep_ms
        try:
            await self._db.planned.execute(_ALL_NEW, sorted(marks), until_at)
        except asyncpg.UniqueViolationError:
            return await self._insert_new(marks, until_at)
        return [True] * len(marks)

    async def _insert_new(self, marks: Sequence[bytes], until_at: int) -> Sequence[bool]:
        fresh = {row["nonce"] for row in await self._db.planned.rows(_NEW_AMONG, list(marks), until_at)}
        results = []
        for mark in marks:
            results.append(mark in fresh)
            fresh.discard(mark)
        return results
