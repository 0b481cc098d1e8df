"""The row types are the tables' columns, both ways."""

import asyncpg
import msgspec
import pytest

from kalos.core.database import Database
from kalos.domains.games import tables
from kalos.domains.games.tables import Bet, Height, Limit, Round


@pytest.mark.parametrize(
    ("table", "shape"),
    [(tables.HEIGHTS, Height), (tables.LIMITS, Limit), (tables.ROUNDS, Round), (tables.BETS, Bet)],
)
async def test_columns_are_fields(db: Database, table: str, shape: type[msgspec.Struct]) -> None:
    rows = await db.rows("SELECT column_name FROM information_schema.columns WHERE table_name = $1", table)
    assert {row["column_name"] for row in rows} == set(shape.__struct_fields__)


_T = 4_000_000_020_000
_NUMBER = _T + 2_060
_ROUND = f"""
    INSERT INTO heights (closes_at, serial, height, published_at, published_head, block_seconds, margin, state, rounds,
        draws)
    VALUES ({_T}, 4000000, 4000000, 1, 1, 2, 2, 'open', 1, 0);
    INSERT INTO rounds (number, closes_at, game, seconds, opens_at) VALUES ({_NUMBER}, {_T}, 'odd_even', 60, 1)
"""
_GOOD = {
    "id": 4_000_000_000,
    "hold": 32_000_000_000,
    "at": 1,
    "member": 1_000,
    "round": _NUMBER,
    "closes_at": _T,
    "game": "odd_even",
    "asset": "USDT",
    "option": "odd",
    "units": 1,
    "multiple": "1.95",
    "nonce": "0123456789abcdef" * 2,
    "status": "awaiting_draw",
    "tie": False,
}


def insert(**changes: object) -> str:
    row = _GOOD | changes
    return f"INSERT INTO bets ({', '.join(row)}) VALUES ({', '.join(repr(str(value)) for value in row.values())})"


CASES = {
    "bets_have_rounds": insert(round=_NUMBER + 1),
    "bets_have_rounds/of several": (
        f"{insert(id=4_000_000_001, hold=32_000_000_008)}, {insert(round=1).partition('VALUES ')[2]}"
    ),
    "bets_keep_their_round": f"{insert()}; UPDATE bets SET round = {_NUMBER + 1} WHERE round = {_NUMBER}",
    "rounds_keep_bets": f"{insert()}; DELETE FROM rounds WHERE number = {_NUMBER}",
    "rounds_keep_bets/renumbered": f"{insert()}; UPDATE rounds SET number = number + 1 WHERE number = {_NUMBER}",
    "bets_pkey": f"{insert()}; {insert()}",
    "bets_check": insert(hold=32_000_000_008),
    "bets_option_check": insert(option="Odd"),
    "bets_option_check/none": insert(option=""),
    "bets_option_check/long": insert(option="a" * 17),
    "bets_option_check/amid": insert(option="o d"),
    "bets_multiple_check": insert(multiple="0.5"),
    "bets_nonce_check": insert(nonce="0123456789abcdeF" * 2),
    "bets_nonce_check/short": insert(nonce="0" * 31),
    "bets_nonce_check/amid": insert(nonce=f"{'0' * 15}-{'0' * 16}"),
}


@pytest.mark.parametrize("case", CASES)
async def test_the_database_refuses_what_is_no_bet(database_url: str, case: str) -> None:
    owner = await asyncpg.connect(database_url)
    transaction = owner.transaction()
    await transaction.start()
    try:
        await owner.execute(_ROUND)
        with pytest.raises(asyncpg.IntegrityConstraintViolationError) as refusal:
            await owner.execute(CASES[case])
    finally:
        await transaction.rollback()
        await owner.close()
    assert refusal.value.constraint_name == case.partition("/")[0]


async def test_the_bet_that_the_cases_change_is_a_good_one(database_url: str) -> None:
    owner = await asyncpg.connect(database_url)
    async with owner.transaction():
        await owner.execute(_ROUND)
        await owner.execute(insert())
        await owner.execute("DELETE FROM bets WHERE round = $1", _NUMBER)
        await owner.execute("DELETE FROM rounds WHERE number = $1", _NUMBER)
        await owner.execute("DELETE FROM heights WHERE closes_at = $1", _T)
    await owner.close()
