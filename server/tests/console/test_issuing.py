"""Issuing KLS: two people add to the house's stock, within its cap and what the reserves hold for it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import nullcontext
from typing import Final

import asyncpg
import pytest

from console.scene import Worker, counts, desk_of, on_one_connection, sign, submit
from kalos.core.assets import KLS
from kalos.core.errors import InvalidAmount, InvalidInput
from kalos.domains.context import House
from kalos.ledger import purse
from kalos.ledger.audit import audit
from kalos.ledger.postings import Move, Posting, key_of
from kalos.ledger.purse import Purpose
from kalos.operator import commands
from kalos.operator.issuing import ISSUED, MOVE, STOCK_CAP, take_of

STOCK: Final = purse.house(Purpose.KLS_STOCK, KLS)
ISSUANCE: Final = purse.outside(Purpose.ISSUANCE, KLS)
ONE: Final = 10**KLS.scale


async def in_reserve(house: House, kls: int, *, ago_ms: int = 0, expected: int = 0) -> None:
    """As the last look at the chain found it."""
    await forget(house)
    at = house.clock.wall() - ago_ms
    await house.db.execute(
        "INSERT INTO reserves (asset, place, units, block, at) VALUES ('KLS', 'hot', $1, 7, $2)", kls, at
    )
    await house.db.execute(
        "INSERT INTO reserve_checks (asset, owed, expected, missing, block, at) VALUES ('KLS', $1, $1, 0, 7, $2)",
        expected, at,
    )  # fmt: skip


async def forget(house: House) -> None:
    await house.db.execute("DELETE FROM reserves")
    await house.db.execute("DELETE FROM reserve_checks")


@pytest.fixture(autouse=True)
async def unseen(house: House) -> AsyncIterator[None]:
    yield
    await forget(house)


async def balance(house: House, account: int) -> int:
    return await house.db.value("SELECT balance FROM accounts WHERE id = $1", account) or 0


async def owed(house: House) -> int:
    outside = [purse.outside(purpose, KLS) for purpose in (Purpose.CHAIN, Purpose.ISSUANCE, Purpose.BURNED)]
    return -int(await house.db.value("SELECT coalesce(sum(balance), 0) FROM accounts WHERE id = ANY($1)", outside))


async def left(house: House) -> int:
    found: int | None = await house.db.value("SELECT left_units[1] FROM quotas WHERE id = $1", STOCK_CAP)
    return ISSUED.caps[STOCK_CAP] if found is None else found


async def test_an_issue_that_two_have_signed_adds_to_the_stock_and_takes_from_the_cap(
    house: House, maker: Worker, checker: Worker
) -> None:
    await in_reserve(house, await owed(house) + 300 * ONE)
    stock, room, issued = await balance(house, STOCK), await left(house), await balance(house, ISSUANCE)
    row = await submit(desk_of(house, maker), "issue", amount="250.5")
    assert (row.object, row.signers, await balance(house, STOCK)) == ("issue of KLS", 2, stock)
    assert (await sign(desk_of(house, checker), row)).state == "carried_out"
    units = 2505 * ONE // 10
    assert (await balance(house, STOCK), await left(house)) == (stock + units, room - units)
    assert await balance(house, ISSUANCE) == issued - units
    kept = await house.db.row("SELECT * FROM corrections WHERE command = $1", row.id)
    assert kept is not None
    assert (kept["maker"], kept["checker"], kept["source"], kept["target"]) == (
        maker.name, checker.name, ISSUANCE, STOCK,
    )  # fmt: skip
    assert [problem for problem in await audit(house.db, [ISSUED]) if "issue" in problem] == []


async def test_an_issue_is_shown_made_and_signed_on_one_connection(
    house: House, maker: Worker, checker: Worker
) -> None:
    await in_reserve(house, await owed(house) + ONE)
    async with on_one_connection(house) as narrow:
        await commands.preview(desk_of(narrow, maker), kind="issue", body={"amount": "1"})
        row = await submit(desk_of(narrow, maker), "issue", amount="1")
        assert (await sign(desk_of(narrow, checker), row)).state == "carried_out"


async def test_no_more_is_issued_than_the_reserves_hold_for_it(house: House, maker: Worker, checker: Worker) -> None:
    """Nor by two orders that each of them would hold, the second one before the reserves were looked at again."""

    async def is_refused(amount: str) -> bool:
        try:
            await submit(desk_of(house, maker), "issue", amount=amount)
        except InvalidInput:
            return True
        return False

    assert await is_refused("1"), "nobody has looked"
    await in_reserve(house, await owed(house) + 100 * ONE, ago_ms=61_000)
    assert await is_refused("1"), "it was too long ago"
    await in_reserve(house, await owed(house) + 100 * ONE)
    before = await counts(house)
    for amount in ("100.00000001", "0", "0.000000001", "1e2", ""):
        with pytest.raises((InvalidInput, InvalidAmount)):
            await submit(desk_of(house, maker), "issue", amount=amount)
    assert await counts(house) == before
    await sign(desk_of(house, checker), await submit(desk_of(house, maker), "issue", amount="60"))
    assert await is_refused("1"), "what was issued since isn't seen yet"
    await asyncio.sleep(0.002)
    await in_reserve(house, await owed(house) + 40 * ONE)
    assert await is_refused("40.00000001"), "more is owed than the last look says"
    await in_reserve(house, await owed(house) + 40 * ONE, expected=await owed(house) + ONE)
    assert await is_refused("40"), "more was owed then"
    await sign(desk_of(house, checker), await submit(desk_of(house, maker), "issue", amount="39"))


@pytest.mark.parametrize(
    ("status", "reason", "counts_as_free"),
    [
        ("on_chain_processing", None, False),
        ("pending_review", "other_asset", False),
        ("pending_review", "house", False),
        ("pending_review", "below_minimum", True),
        ("approved", None, True),
        ("failed", "orphaned", True),
    ],
)
async def test_what_may_still_be_credited_is_no_cover(
    house: House, maker: Worker, database_url: str, status: str, reason: str | None, *, counts_as_free: bool
) -> None:
    """A top-up that waits lies in the reserves and is owed to nobody yet; what is booked is owed already."""
    owner = await asyncpg.connect(database_url)
    await owner.execute("SET session_replication_role = replica")  # of an address that nobody has
    number = await owner.fetchval(
        """
        INSERT INTO deposits (id, revision, chain_id, transaction, log_index, block, block_hash, asset, sender,
            recipient, owner, units, status, reason, required, seen_at, changed_at, credited_at)
        VALUES (1, 1, 1, $1, 0, 1, $1, 'KLS', $2, $2, 0, $3, $4, $5, 1, 1, 1, CASE WHEN $4 = 'approved' THEN 1 END)
        RETURNING id
        """,
        "0x" + "ab" * 32,
        "0x" + "cd" * 20,
        100 * ONE,
        status,
        reason,
    )
    try:
        await in_reserve(house, await owed(house) + 100 * ONE)
        with nullcontext() if counts_as_free else pytest.raises(InvalidInput):
            await commands.preview(desk_of(house, maker), kind="issue", body={"amount": "1"})
    finally:
        await owner.execute("DELETE FROM deposits WHERE id = $1", number)
        await owner.close()


async def test_no_more_is_issued_than_the_cap_leaves(house: House, maker: Worker, checker: Worker) -> None:
    """As it stands when it is asked for, when it is signed, and when it is posted."""
    room = await left(house)
    await in_reserve(house, await owed(house) + 2 * room)
    with pytest.raises(InvalidInput):
        await submit(desk_of(house, maker), "issue", amount=f"{room // ONE + 1}")
    row = await submit(desk_of(house, maker), "issue", amount=f"{room // ONE}")
    await house.ledger.post(
        Posting(key_of("issued meanwhile", row.id), moves=[Move(MOVE, ISSUANCE, STOCK, ONE)], takes=[take_of(ONE)])
    )
    with pytest.raises(InvalidInput):
        await sign(desk_of(house, checker), row)
    assert await left(house) == room - ONE
