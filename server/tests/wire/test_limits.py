"""Limits: never passed, whatever process counts; a lot that is left unused costs little."""

import asyncio
import itertools
from collections.abc import Sequence

import pytest

from kalos.core.database import Database
from kalos.core.errors import TooMany
from kalos.core.terms import Terms
from kalos.wire import limits as limits_module
from kalos.wire.limits import Limits
from wire.support import StandingClock

members = itertools.count(1)
seconds = itertools.count(1)


class Second(StandingClock):
    """Stands in a second of its own, which no other test counts in."""

    def __init__(self) -> None:
        super().__init__()
        self.at = 10**12 + next(seconds) * 3_600_000

    def wall(self) -> int:  # type: ignore[override]
        return self.at


@pytest.fixture
def clock() -> Second:
    return Second()


def nobody_knows() -> None:
    return None


@pytest.fixture
def processes(db: Database, terms: Terms, clock: Second) -> list[Limits]:
    return [Limits(db, clock, terms, count_loopback=False, others=nobody_knows) for _ in range(3)]


async def passed(calls: Sequence[asyncio.Future[None]]) -> int:
    """How many of the calls were let through; all others are TooMany."""
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    for outcome in outcomes:
        assert outcome is None or isinstance(outcome, TooMany)
    return outcomes.count(None)


def ask(limits: Limits, member: int, load: str, times: int) -> Sequence[asyncio.Future[None]]:
    return [asyncio.ensure_future(limits.check_member(member, load)) for _ in range(times)]  # type: ignore[arg-type]


@pytest.mark.parametrize(("load", "most"), [("read", 20), ("money", 10), ("entry", 20)])
async def test_one_process_lets_exactly_the_limit_through(processes: list[Limits], load: str, most: int) -> None:
    member = next(members)
    assert await passed(ask(processes[0], member, load, most * 2)) == most
    assert await passed(ask(processes[0], member, load, 5)) == 0


@pytest.mark.parametrize(("load", "most"), [("read", 20), ("money", 10)])
async def test_processes_count_together(processes: list[Limits], load: str, most: int) -> None:
    member = next(members)
    calls = [call for limits in processes for call in ask(limits, member, load, most)]
    assert most * 0.9 <= await passed(calls) <= most


async def test_what_visitors_may_try_is_exact_across_processes(processes: list[Limits], terms: Terms) -> None:
    calls = [
        asyncio.ensure_future(limits.check_network("198.51.100.7", "entry"))
        for limits in processes
        for _ in range(terms.rate_network)
    ]
    assert await passed(calls) == terms.rate_network


async def test_captchas_of_a_network_have_a_few_permits_of_their_own(processes: list[Limits], terms: Terms) -> None:
    for load, most in (("draw", terms.rate_draw), ("entry", terms.rate_network)):
        calls = [
            asyncio.ensure_future(limits.check_network("198.51.100.8", load))  # type: ignore[arg-type]
            for limits in processes
            for _ in range(terms.rate_network)
        ]
        assert await passed(calls) == most
    assert terms.rate_draw == 10


async def test_refusal_says_when_to_come_again(processes: list[Limits]) -> None:
    member = next(members)
    await passed(ask(processes[0], member, "money", 10))
    with pytest.raises(TooMany) as caught:
        await processes[1].check_member(member, "money")
    assert caught.value.fields == {"retry_after": 1}


async def test_next_second_begins_anew(processes: list[Limits], clock: Second) -> None:
    member = next(members)
    assert await passed(ask(processes[0], member, "money", 20)) == 10
    clock.at += 1000
    assert await passed(ask(processes[0], member, "money", 20)) == 10


async def test_members_and_loads_do_not_share(processes: list[Limits]) -> None:
    one, other = next(members), next(members)
    assert await passed(ask(processes[0], one, "money", 11)) == 10
    assert await passed(ask(processes[0], one, "read", 21)) == 20
    assert await passed(ask(processes[0], one, "exit", 21)) == 20
    assert await passed(ask(processes[0], other, "money", 11)) == 10


async def test_loopback_counts_only_where_it_is_said(db: Database, terms: Terms, clock: Second) -> None:
    for count, expected in ((False, 250), (True, 200)):
        limits = Limits(db, clock, terms, count_loopback=count, others=nobody_knows)
        for network in ("127.0.0.1", "::/64"):
            calls = [asyncio.ensure_future(limits.check_network(network, "read")) for _ in range(250)]
            assert await passed(calls) == expected


async def test_however_many_names_a_second_brings_few_are_kept(
    db: Database, terms: Terms, clock: Second, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits_module, "_MOST_NAMES", 3)
    limits = Limits(db, clock, terms, count_loopback=False, others=lambda: 0)
    for number in range(10):
        assert await passed([asyncio.ensure_future(limits.check_network(f"192.0.2.{number}", "read"))]) == 1
        assert len(limits._left) <= 3
    # What was let through untold is forgotten with them; from there on everything is told, so that is all.
    calls = [asyncio.ensure_future(limits.check_network("192.0.2.0", "read")) for _ in range(terms.rate_network * 2)]
    assert await passed(calls) == terms.rate_network


async def test_old_counters_go(db: Database, terms: Terms, clock: Second) -> None:
    limits = Limits(db, clock, terms, count_loopback=False, others=nobody_knows)
    member = next(members)
    await limits.check_member(member, "read")
    name = f"read {member}"
    assert await db.value("SELECT used FROM limits WHERE name = $1", name) == 2
    clock.at += 20_000
    await limits.forget()
    assert await db.value("SELECT used FROM limits WHERE name = $1", name) is None


@pytest.mark.parametrize(("load", "most"), [("read", 20), ("money", 10), ("entry", 20)])
async def test_who_serves_alone_needs_no_table(db: Database, terms: Terms, clock: Second, load: str, most: int) -> None:
    limits, member = Limits(db, clock, terms, count_loopback=False, others=lambda: 0), next(members)
    for _ in range(2):
        assert await passed(ask(limits, member, load, most * 2)) == most
        clock.at += 1_000
    assert await db.value("SELECT count(*) FROM limits WHERE name = $1", f"{load} {member}") == 0


async def test_how_a_second_was_begun_counts_until_its_end(db: Database, terms: Terms, clock: Second) -> None:
    others: int | None = 0
    limits, member = Limits(db, clock, terms, count_loopback=False, others=lambda: others), next(members)
    for others in (0, 1, None, 1, 0, 0):  # the next second begins with it
        clock.at += 1_000
        allowed = await passed(ask(limits, member, "read", 15))
        for change in (1, None, 0):
            others = change
            allowed += await passed(ask(limits, member, "read", 15))
        assert allowed == 20


@pytest.mark.parametrize("count", [2, 3])
async def test_entry_calls_use_up_no_untold_reads(db: Database, terms: Terms, clock: Second, count: int) -> None:
    processes = [Limits(db, clock, terms, count_loopback=False, others=lambda: count - 1) for _ in range(count)]
    for _ in range(3):
        network = f"198.51.100.{next(members)}"
        allowed = {"read": 0, "entry": 0}
        for limits in processes:
            for load, times in (("read", 1), ("entry", 250)):
                calls = [asyncio.ensure_future(limits.check_network(network, load)) for _ in range(times)]  # type: ignore[arg-type]
                allowed[load] += await passed(calls)
        assert allowed == {"read": count, "entry": terms.rate_network - 1}
        clock.at += 1_000


@pytest.mark.parametrize(("beside", "free"), [(1, 2), (2, 1), (3, 0)])
async def test_the_first_few_are_not_told_before_more_come(
    db: Database, terms: Terms, clock: Second, beside: int, free: int
) -> None:
    limits, member = Limits(db, clock, terms, count_loopback=False, others=lambda: beside), next(members)
    told = "SELECT coalesce(max(used), 0) FROM limits WHERE name = $1"
    assert await passed(ask(limits, member, "read", free)) == free
    assert await db.value(told, f"read {member}") == 0
    assert await passed(ask(limits, member, "read", 1)) == 1
    assert await db.value(told, f"read {member}") == free + 2
    assert await passed(ask(limits, member, "read", 40)) == 20 - free - 1


@pytest.mark.parametrize(("load", "most"), [("read", 20), ("money", 10), ("entry", 20)])
@pytest.mark.parametrize("count", [2, 3])
async def test_together_they_pass_the_limit_by_a_tenth_at_most(
    db: Database, terms: Terms, clock: Second, load: str, most: int, count: int
) -> None:
    processes = [Limits(db, clock, terms, count_loopback=False, others=lambda: count - 1) for _ in range(count)]
    member = next(members)
    for _ in range(5):
        eager, *others = processes
        passed_all = await passed(ask(eager, member, load, most * 2))
        passed_all += sum([await passed(ask(other, member, load, most)) for other in others])
        assert most <= passed_all <= (most if load == "entry" else most * 1.1)
        clock.at += 1_000
