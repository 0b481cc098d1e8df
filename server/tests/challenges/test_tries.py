"""The counting of tries: an exact window that slides."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kalos.core.database import Database
from kalos.core.tokens import new_id
from kalos.domains.challenges import queries
from kalos.domains.challenges.rules import Limit


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(0, 60), min_size=1, max_size=30), st.integers(1, 4), st.integers(1, 100))
async def test_no_window_ever_holds_more_than_its_most(db: Database, gaps: list[int], most: int, window: int) -> None:
    limit, now, taken = Limit(new_id(), most, window), 1_000, list[int]()
    async with db.transaction() as connection:
        for gap in gaps:
            now += gap
            room = sum(at > now - window for at in taken) < most
            assert bool(await queries.take_try(connection, limit, now)) is room
            if room:
                taken.append(now)
            else:
                free = await queries.free_at(connection, limit)
                assert free > now
                assert sum(at > free - window for at in taken) < most
                assert sum(at > free - 1 - window for at in taken) == most


async def test_try_is_given_back_once_for_each_time_it_was_taken(db: Database) -> None:
    limit = Limit(new_id(), 3, 100)
    async with db.transaction() as connection:
        for at in (5, 7, 7):
            assert await queries.take_try(connection, limit, at)
        await queries.give_try_back(connection, limit, 7)
        assert await connection.fetchval("SELECT times FROM tries WHERE subject = $1", limit.subject) == [5, 7]
        await queries.give_try_back(connection, limit, 6)
        assert await connection.fetchval("SELECT times FROM tries WHERE subject = $1", limit.subject) == [5, 7]
