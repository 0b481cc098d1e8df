"""Who may write: one row with a beat.

A standby takes over when the beat is two seconds old or the holder's connection has ended.
The old epoch can't commit any more: every commit checks it.
A session-level lock would stay with a holder that hangs; a row with a beat doesn't.
"""

import asyncio
import uuid
from contextlib import suppress
from typing import Final

import asyncpg
import structlog

from kalos.core.clock import MOST_SKEW_MS, Clock, Jumps, skew
from kalos.ledger.stamps import AHEAD_MS
from kalos.ledger.state import State

_log = structlog.get_logger("writer")

BEAT_SECONDS: Final = 0.5
_DEAD_AFTER: Final = "2 seconds"
_TAKE_SECONDS: Final = 5.0
"""For one try. A path that was dropped without a word keeps a standby for minutes, and it seems to be there."""

_TAKE: Final = f"""
    WITH old AS (SELECT backend, holder FROM writer_lease),
    taken AS (
        UPDATE writer_lease SET epoch = epoch + 1, holder = $1, backend = $2, beat_at = clock_timestamp()
        WHERE holder IS NULL OR holder = $1 OR beat_at < clock_timestamp() - interval '{_DEAD_AFTER}'
            OR NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE pid = writer_lease.backend)
        RETURNING epoch
    )
    SELECT taken.epoch, old.backend FROM taken, old
"""
# Not by a take of ours whose answer was lost.
_TAKEN: Final = "SELECT epoch <> $1 AND holder IS DISTINCT FROM $2 FROM writer_lease"
_END_BACKEND: Final = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE pid = $1 AND pid <> $2 AND usename = current_user AND application_name = $3
"""
_TAIL: Final = f"UPDATE ledger_tail SET epoch = $1 RETURNING last_posting, last_move, last_fact, last_at, {AHEAD_MS}"
_BEAT: Final = """
    UPDATE writer_lease SET beat_at = clock_timestamp(), clock_off_ms = $3 WHERE holder = $1 AND epoch = $2
    RETURNING (SELECT max(offset_ms) FROM clock),
        EXISTS (SELECT 1 FROM ledger_flags WHERE name = 'money_out_stopped'),
        (extract(epoch FROM clock_timestamp()) * 1000)::bigint
"""
_RELEASE: Final = "UPDATE writer_lease SET holder = NULL WHERE holder = $1 AND epoch = $2"

APPLICATION: Final = "kalos writer"
READING_AHEAD: Final = "kalos writer ahead"
BEATING: Final = "kalos writer lease"
"""The connection that takes the lease and beats: a standby has one, too."""


class LeaseLost(Exception):
    """Another writer has taken over; this one must not go on."""


class ClockOff(Exception):
    """This machine's clock isn't the database's: what it stamps would be wrong, and stamps are never taken back."""


class Lease:
    """The right to write, as one holder has it. `db` is a connection of its own, `writes` that of the commits."""

    def __init__(self, clock: Clock) -> None:
        self.holder = uuid.uuid4()
        self.epoch = 0
        self._clock = clock
        self._off_ms = 0
        self._jumps = Jumps(clock)

    @property
    def off_ms(self) -> int:
        """How far the database's clock is off ours, at the least: what the last beat found, less our jumps since."""
        return self._off_ms - self._jumps.since()

    def is_on_time(self) -> bool:
        return abs(self.off_ms) <= MOST_SKEW_MS

    def now(self) -> int:
        """Business time, to stamp with. Raises: ClockOff."""
        if not self.is_on_time():
            raise ClockOff
        return self._clock.now()

    async def acquire(self, db: asyncpg.Connection, writes: asyncpg.Connection, state: State) -> None:
        """Wait until the lease is free or its holder is dead, take it, and read the last numbers given.

        Raises: LeaseLost; what the driver does where a try has no answer in time, `db` is closed then.
        """
        while True:
            # Closed, not cancelled: the transaction would be rolled back first, which waits for an answer, too.
            end = asyncio.get_running_loop().call_later(_TAKE_SECONDS, db.terminate)
            try:
                with suppress(asyncpg.LockNotAvailableError):  # the old holder's last commit is still under way
                    if await self._take(db, writes, state):
                        return
            finally:
                end.cancel()
            await asyncio.sleep(BEAT_SECONDS / 2)

    async def _take(self, db: asyncpg.Connection, writes: asyncpg.Connection, state: State) -> bool:
        async with db.transaction():
            if self.epoch and await db.fetchval(_TAKEN, self.epoch, self.holder):
                raise LeaseLost("another writer has taken over")
            row = await db.fetchrow(_TAKE, self.holder, writes.get_server_pid())
            if row is None:
                return False
            epoch, old_backend = row
            # Its last statement, if one still runs, either commits before the next line or fails at its guard.
            await db.execute(_END_BACKEND, old_backend, writes.get_server_pid(), APPLICATION)
            tail = await db.fetchrow(_TAIL, epoch)
        self.epoch = epoch
        assert tail is not None, "the migration makes this row"
        state.posting, state.move, state.fact, last_at, ahead = tail
        state.at = max(state.at, last_at)
        if ahead > MOST_SKEW_MS:
            _log.error(
                "the ledger's stamps are ahead: all postings bear the last one's until then", seconds=ahead // 1000
            )
        return True

    async def beat(self, db: asyncpg.Connection, state: State) -> None:
        """Say that the holder lives, and follow what is stored: business time's offset, whether money may go out.

        Each beat compares the clocks, too, and tells what the one before it found. A slow answer is no skew.

        Raises: LeaseLost.
        """
        fresh = Jumps(self._clock)  # what jumps while this is asked was no part of what the answer says
        before = self._clock.wall()
        row = await db.fetchrow(_BEAT, self.holder, self.epoch, self._off_ms)
        if row is None:
            raise LeaseLost("another writer has taken over")
        self._clock.offset_ms = max(self._clock.offset_ms, row[0] or 0)
        state.money_out_stopped = row[1]
        self._off_ms = skew(before, row[2], max(before, self._clock.wall()))
        self._jumps = fresh

    async def release(self, db: asyncpg.Connection) -> None:
        await db.execute(_RELEASE, self.holder, self.epoch)
