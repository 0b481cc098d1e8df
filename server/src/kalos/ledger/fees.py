"""Midnight's first step: the day's fees go where they belong."""

from datetime import date, timedelta
from typing import Final

from kalos.core.assets import KLS, USDT
from kalos.core.clock import day_start_ms
from kalos.core.database import Database
from kalos.core.pages import PageQuery
from kalos.ledger import days, purse, statements
from kalos.ledger.postings import Ledger, Move, Posting, key_of
from kalos.ledger.purse import Purpose

JOB: Final = "fees"
KIND: Final = "house.fees"
_TARGETS: Final = ((USDT, Purpose.BANKROLL), (KLS, Purpose.KLS_STOCK))
_OUT_SINCE: Final = "SELECT coalesce(sum(amount), 0)::bigint FROM journal WHERE from_id = $1 AND from_version > $2"


async def sweep(db: Database, ledger: Ledger, day: date) -> None:
    """Move what a day left in `fees`, without what later days have brought.

    Moves: house fees -> bankroll (USDT), kls_stock (KLS).
    Source: ledger.md, "Accounts".
    """
    swept = await days.done(db, JOB, day)
    for asset, purpose in _TARGETS:
        if asset.code in swept:
            continue
        source, target = purse.house(Purpose.FEES, asset), purse.house(purpose, asset)
        units = await left_of(db, source, day)
        await ledger.post(
            Posting(
                key=key_of(JOB, asset.code, day),
                moves=[Move(KIND, source, target, units)] if units else [],
                riders=[days.mark(JOB, asset.code, day)],
            )
        )


async def left_of(db: Database, account: int, day: date) -> int:
    """What an account had at the end of a day and hasn't paid out since: what leaves it is the oldest."""
    end = day_start_ms(day + timedelta(days=1)) - 1
    last = (await statements.page(db, account, PageQuery(1), end=end)).rows
    if not last:
        return 0
    gone: int = await db.value(_OUT_SINCE, account, last[0].version)
    return max(0, last[0].balance - gone)
