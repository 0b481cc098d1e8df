"""Small ledgers to be broken by hand: built once, copied for each breakage, with rows of a domain that explain them."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

import asyncpg

from kalos.app.migrate import role_url
from kalos.core.assets import KLS, TICKET, TICKET_BONUS, USA, USDT
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.ledger import audit, purse
from kalos.ledger.explained import Backed, Explained, Holds, Issued, NoOtherHolds, Nothing, Quotas, Sums
from kalos.ledger.postings import Fact, Move, Open, Resolve, Take
from kalos.ledger.purse import Purpose
from kalos.ledger.watch import _SESSION, PACE, Step, _Look, watch
from kalos.ledger.watch_roll import Pace
from kalos.ledger.writer import Writer
from support.clusters import SECRET
from support.ledger import BANKROLL, CHAIN, FEES, posting

CAP: Final = 1_000
WALL: Final = 1_800_000_000_000
FIRST: Final = purse.available(5_000, USDT)
SECOND: Final = purse.available(900_000, USDT)
EMPTY: Final = purse.available(900_001, USDT)
SUSPENSE: Final = purse.house(Purpose.SUSPENSE, USDT)
TRUST: Final = purse.house(Purpose.TICKET_TRUST, USDT)
EXPLAINED: Final[tuple[Explained, ...]] = (
    Holds("test.stake", "SELECT hold, units, waits FROM test_stakes"),
    Sums(Purpose.SUSPENSE, "SELECT 'USDT', units FROM test_waiting"),
    Issued(KLS, {"issuance.house_stock": CAP}),
    Quotas("SELECT 'q', ARRAY[5 - count(*) / 2] FROM test_stakes"),
    Backed(Purpose.TICKET_TRUST, (TICKET, TICKET_BONUS), 10**6),
    Nothing(frozenset({Purpose.GAME, Purpose.SHOP_ESCROW})),
    NoOtherHolds(),
)
_DOMAIN: Final = """
    CREATE TABLE test_stakes (hold bigint PRIMARY KEY, units bigint NOT NULL, waits boolean NOT NULL);
    CREATE TABLE test_waiting (units bigint NOT NULL);
        GRANT SELECT ON test_stakes, test_waiting TO kalos_app;
"""


async def build(url: str, *, half: bool) -> None:
    """Post a little of everything. The running audit has seen it all, or the first half of it (`half`)."""
    owner = await asyncpg.connect(url)
    db = Database(role_url(url, "kalos_app", SECRET), size=2)
    writer = Writer(role_url(url, "kalos_writer", SECRET), Clock())
    await owner.execute(_DOMAIN)
    await writer.start()
    for turn in range(2):
        if turn and half:
            await owner.execute("INSERT INTO test_stakes SELECT id, left_units, state = 'open' FROM holds")
            assert await watch(db, WALL, explained=EXPLAINED) == Step()
        await _post_some(writer)
        await owner.execute("INSERT INTO test_waiting VALUES (30), (12)")
    await writer.stop()
    await owner.execute(
        "INSERT INTO test_stakes SELECT id, left_units, state = 'open' FROM holds ON CONFLICT DO NOTHING"
    )
    if not half:
        assert await watch(db, WALL, explained=EXPLAINED) == Step()
    await db.close()
    await owner.close()


async def _post_some(writer: Writer) -> None:
    for account, units in ((FIRST, 1_000), (SECOND, 500), (EMPTY, 7), (BANKROLL, 9_000)):
        await writer.post(posting(Move("test.fund", CHAIN, account, units)))
    await writer.post(posting(Move("test.empty", EMPTY, FEES, 7)))
    for _ in range(3):
        await writer.post(posting(Move("test.a", FIRST, SECOND, 5), Move("test.fee", FIRST, FEES, 1)))
    await writer.post(posting(Move("test.wait", CHAIN, SUSPENSE, 42)))
    held = await writer.post(posting(opens=[Open("test.stake", FIRST, 20)], takes=[Take("q", (1,), first=(5,))]))
    await writer.post(posting(opens=[Open("test.stake", SECOND, 30)]))
    await writer.post(posting(resolves=[Resolve("test.lost", held.id * 8, FEES)]))
    stock, issuance = purse.house(Purpose.KLS_STOCK, KLS), purse.outside(Purpose.ISSUANCE, KLS)
    cap = Take("issuance.house_stock", (100,), first=(CAP,))
    await writer.post(posting(Move("test.issue", issuance, stock, 100), takes=[cap]))
    reserve, made = purse.house(Purpose.USA_RESERVE, USDT), purse.outside(Purpose.ISSUANCE, USA)
    mine = purse.available(5_000, USA)
    await writer.post(posting(Move("test.back", FIRST, reserve, 40), Move("test.make", made, mine, 40)))
    tickets = [Move("test.trust", BANKROLL, TRUST, 3 * 10**6)]
    for asset, units in ((TICKET, 2), (TICKET_BONUS, 1)):
        tickets.append(
            Move("test.ticket", purse.outside(Purpose.ISSUANCE, asset), purse.available(5_000, asset), units)
        )
    await writer.post(posting(Move("test.fund", CHAIN, BANKROLL, 3 * 10**6), *tickets))
    await writer.post(posting(facts=[Fact("rounds", {})] * 3))


@asynccontextmanager
async def broken(owner: asyncpg.Connection, statement: str) -> AsyncIterator[None]:
    """What is broken by hand, for the owner's own connection alone, and whole again afterwards."""
    breaking = owner.transaction(isolation="repeatable_read")
    await breaking.start()
    try:
        await owner.execute(statement)
        yield
    finally:
        await breaking.rollback()


async def look_here(db: asyncpg.Connection, explained: Sequence[Explained] = EXPLAINED) -> list[str]:
    """The whole audit on one connection, in the transaction that it has open."""
    whole = await audit._begin(db)
    await audit._lane(db, audit._tasks(whole, explained), whole)
    await audit._conclude(db, whole)
    return whole.problems


async def step_here(db: asyncpg.Connection, pace: Pace = PACE, explained: Sequence[Explained] = EXPLAINED) -> Step:
    """A step of the running audit in the transaction that the connection has open."""
    await db.execute(_SESSION)
    row = await db.fetchrow("SELECT * FROM ledger_watch")
    assert row is not None
    return await _Look(db, WALL + 1, row, explained, pace).step(None)
