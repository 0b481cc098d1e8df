"""An address that is listed while a withdrawal to it waits: nothing goes there that nobody has looked at since."""

import asyncio
from dataclasses import replace as changed
from pathlib import Path

import asyncpg
import pytest
from msgspec.structs import replace

from kalos.adapters.screening.list import ListedAddresses
from kalos.core.database import Database
from kalos.core.errors import WrongState
from kalos.domains.context import Context
from kalos.domains.withdrawals import jobs
from kalos.domains.withdrawals.tables import Withdrawal
from withdrawals.conftest import MakeRich
from withdrawals.scene import reviewed, stored, withdraw, write_down

SINCE = {"reason": "listed_since", "detail": ""}
SAID = """'[{"reason": "listed_since", "detail": ""}]'"""


async def listing(me: Context, folder: Path, *withdrawals: Withdrawal) -> Context:
    """The same member in a house whose list has the addresses of these withdrawals by now."""
    listed = folder / "listed"
    listed.write_text("".join(f"{one.address}\n" for one in withdrawals))
    return replace(me, house=changed(me.house, screening=ListedAddresses(listed)))


async def is_listed(me: Context, one: Withdrawal) -> bool:
    return await me.db.value("SELECT is_listed FROM withdrawal_addresses WHERE id = $1", one.wallet) is True


async def test_the_book_learns_of_what_waits_for_the_signer_and_of_nothing_else(rich: MakeRich, tmp_path: Path) -> None:
    me = await rich(usdt="1000", kls="100")
    waits, clean = [(await withdraw(me, "10", wallet=await write_down(me))).withdrawal for _ in range(2)]
    assert (waits.status, waits.needed) == ("on_chain_processing", 0)
    new = (await withdraw(me, "10", wallet=await write_down(me, old=False))).withdrawal
    ended = await reviewed(me, new, is_yes=False)
    me = await listing(me, tmp_path, waits, ended)
    assert await jobs.screen(me.house) == 1
    assert [await is_listed(me, one) for one in (waits, clean, ended)] == [True, False, False]
    assert await stored(me, waits.id) == waits, "the signer gives it back by itself"
    assert await jobs.screen(me.house) == 0


async def test_all_that_waits_is_looked_at_in_parts(
    rich: MakeRich, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "LOOKED_AT_ONCE", 2)
    me = await rich(usdt="30000", kls="1000")
    sent = [(await withdraw(me, "10", wallet=await write_down(me))).withdrawal for _ in range(3)]
    twice = (await withdraw(me, "10", wallet=sent[0].wallet)).withdrawal
    shown = (await withdraw(me, "10001", wallet=await write_down(me))).withdrawal
    assert {one.status for one in (*sent, twice)} == {"on_chain_processing"} != {shown.status}
    me = await listing(me, tmp_path, sent[0], sent[2], shown)
    assert await jobs.screen(me.house) == 3
    assert [await is_listed(me, one) for one in (*sent, shown)] == [True, False, True, True]


async def test_who_looks_at_one_is_told_and_a_yes_to_what_was_shown_before_is_none(
    rich: MakeRich, tmp_path: Path
) -> None:
    me = await rich(usdt="30000", kls="1000")
    shown = (await withdraw(me, "20000")).withdrawal
    assert shown.status == "pending_review"
    me = await listing(me, tmp_path, shown)
    await asyncio.gather(*(jobs.screen(me.house) for _ in range(4)))
    now = await stored(me, shown.id)
    assert (now.status, now.revision, now.needed, now.returned) == ("pending_review", 2, shown.needed, 0)
    assert now.risks == [*shown.risks, SINCE]
    assert (now.first_risks, now.first_needed) == (shown.risks, shown.needed)
    with pytest.raises(WrongState):
        await reviewed(me, shown, is_yes=True)
    await jobs.screen(me.house)
    assert await stored(me, shown.id) == now
    assert (await reviewed(me, now, is_yes=True)).status == "on_chain_processing"


async def test_whose_address_was_listed_at_the_request_is_told_once(rich: MakeRich, tmp_path: Path) -> None:
    me = await rich(usdt="1000", kls="100")
    one = (await withdraw(me, "10", wallet=await write_down(me, listed=True))).withdrawal
    me = await listing(me, tmp_path, one)
    await jobs.screen(me.house)
    assert await stored(me, one.id) == one


async def test_a_listed_address_stays_listed(rich: MakeRich, db: Database) -> None:
    me = await rich(usdt="10")
    number = await write_down(me, listed=True)
    with pytest.raises(asyncpg.CheckViolationError):
        await db.execute("UPDATE withdrawal_addresses SET is_listed = false WHERE id = $1", number)
    await db.execute("UPDATE withdrawal_addresses SET is_listed = true WHERE id = $1", number)


@pytest.mark.parametrize(
    "change",
    [
        SAID,
        "risks || " + SAID.replace('""', '"x"'),
        "risks || " + SAID.replace("since", "address"),
        f"risks || {SAID}, needed = needed - 1",
        f"risks || {SAID}, returned = returned + 1",
        f"risks || {SAID}, status = 'on_chain_processing', decided_at = changed_at",
    ],
    ids=["in_place_of_others", "in_other_words", "another", "with_fewer_people", "as_given_back", "and_let_go"],
)
async def test_while_people_look_at_one_this_reason_comes_to_the_others_and_nothing_else_changes(
    rich: MakeRich, database_url: str, change: str
) -> None:
    me = await rich(usdt="30000", kls="1000")
    one = (await withdraw(me, "20000")).withdrawal
    assert one.risks
    update = "UPDATE withdrawals SET revision = revision + 1, risks = {} WHERE id = $1"
    async with asyncpg.create_pool(database_url, min_size=0, max_size=1) as owner:
        with pytest.raises(asyncpg.PostgresError, match="goes no such way"):
            await owner.execute(update.format(change), one.id)
        assert await stored(me, one.id) == one
        await owner.execute(update.format(f"risks || {SAID}"), one.id)
    assert (await stored(me, one.id)).risks == [*one.risks, SINCE]
