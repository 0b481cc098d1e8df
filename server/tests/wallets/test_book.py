"""The book of withdrawal addresses: written once for each request, marked and never lost."""

import asyncio
import dataclasses
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from msgspec.structs import replace

from factors.scene import OUT, events
from kalos.adapters.screening.list import ListedAddresses
from kalos.core.assets import BY_CODE
from kalos.core.clock import Clock
from kalos.core.errors import AlreadyExists, InvalidInput, NotFound, Refusal, RequestConflict
from kalos.core.pages import PageQuery
from kalos.domains.challenges.errors import SlideRequired, WrongCode
from kalos.domains.context import Context
from kalos.domains.deposits.service import deposit_address
from kalos.domains.factors.errors import OutPasswordNotSet, SecondFactorRequired, WrongOutPassword
from kalos.domains.wallets import service
from kalos.domains.wallets.errors import HouseAddress, InvalidAddress
from kalos.domains.wallets.tables import AddressRow
from support.doors import COLD, HOT
from support.waiting import until_waiting
from wallets.conftest import MakeCaller
from wallets.people import new_wallet, shown

REQUEST = "fT3kq0ZsWm8_aB1x"
OTHER_REQUEST = "0000000000000000"


def said(ctx: Context, letter: bytes = b"a") -> Context:
    """The caller's next request, with a body of its own."""
    return replace(ctx, fingerprint=letter * 32)


async def add(
    ctx: Context,
    address: str,
    request_id: str = REQUEST,
    *,
    chain: int = 31337,
    label: str = "Ledger",
    **changes: Any,
) -> AddressRow:
    proven = await shown(ctx, "address", **changes)
    return await service.add_address(
        ctx, chain=chain, address=address, label=label, request_id=request_id, shown=proven
    )


async def book(ctx: Context) -> list[AddressRow]:
    return (await service.list_book(ctx, PageQuery(100)))[0].rows


async def test_an_address_waits_before_it_can_be_used(caller: MakeCaller) -> None:
    me, address = said(await caller()), new_wallet().address
    house = dataclasses.replace(me.house, is_demo=False)
    row = await add(replace(me, house=house), address, label="  My Ledger ")
    assert (row.chain, row.address, row.label, row.is_listed) == (31337, address, "My Ledger", False)
    assert row.usable_at - row.created_at == 24 * 3_600_000
    assert await book(me) == [row]
    assert await events(me) == ["address_added"]
    in_demo = await add(me, new_wallet().address, OTHER_REQUEST)
    assert in_demo.usable_at == in_demo.created_at
    assert [one.id for one in await book(me)] == [in_demo.id, row.id]


async def test_the_table_stamps_when_an_address_was_written_whatever_the_api_says(caller: MakeCaller) -> None:
    me = await caller()
    before = Clock.wall()
    stamped = await me.db.value(
        "INSERT INTO withdrawal_addresses (member, chain, address, label, is_listed, created_at, usable_at, written_at)"
        " VALUES ($1, 1, $2, 'mine', false, 0, 0, 0) RETURNING written_at", me.caller.id, new_wallet().address,
    )  # fmt: skip
    assert before - 60_000 <= stamped <= Clock.wall() + 60_000
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await me.db.execute("UPDATE withdrawal_addresses SET written_at = 0 WHERE member = $1", me.caller.id)


async def test_sent_twice_it_is_written_once_and_answered_alike(caller: MakeCaller) -> None:
    me, address = said(await caller()), new_wallet().address
    first = await add(me, address)
    assert await add(me, address, email_code=None, proof=None, out_password="") == first
    with pytest.raises(RequestConflict):
        await add(said(me, b"b"), new_wallet().address)
    assert await book(me) == [first]
    assert await events(me) == ["address_added"]


async def test_another_members_same_request_is_another_one(caller: MakeCaller) -> None:
    me, other, address = said(await caller()), said(await caller(), b"b"), new_wallet().address
    rows = [await add(me, address), await add(other, address)]
    assert rows[0].member != rows[1].member
    assert [await book(me), await book(other)] == [[rows[0]], [rows[1]]]


async def test_of_many_at_once_one_is_written(caller: MakeCaller) -> None:
    """Two requests for the same address, each of them twice: fewer than the tries of a code."""
    me, address = said(await caller()), new_wallet().address
    proven = await shown(me, "address")
    results: list[Any] = await asyncio.gather(
        *(
            service.add_address(
                me, chain=31337, address=address, label="x", request_id=f"{number % 2:016}", shown=proven
            )
            for number in range(4)
        ),
        return_exceptions=True,
    )
    (row,) = await book(me)
    assert all(one == row or isinstance(one, Refusal) for one in results), results
    assert row in results
    assert await events(me) == ["address_added"]


async def test_a_refused_address_is_not_written_and_costs_no_code(caller: MakeCaller) -> None:
    me, address = said(await caller()), new_wallet().address

    async def refusal(**changes: Any) -> Refusal:
        before = await events(me)
        with pytest.raises(Refusal) as refused:
            await add(me, changes.pop("address", address), **changes)
        assert await book(me) == []
        assert await events(me) == before
        return refused.value

    for wrong in ("0x52908400098527886E0F7030069857D2E4169EE7".lower(), address[:-1], "0x" + "0" * 40):
        assert isinstance(await refusal(address=wrong), InvalidAddress), wrong
    assert (await refusal(chain=1)).fields == {"errors": [{"field": "chain", "reason": "invalid"}]}
    assert (await refusal(label="\u202e")).fields == {"errors": [{"field": "label", "reason": "invalid"}]}
    assert isinstance(await refusal(out_password="135790"), WrongOutPassword)
    assert isinstance(await refusal(email_code=None), SecondFactorRequired)
    assert isinstance(await refusal(email_code="000000"), WrongCode)
    assert isinstance(await refusal(proof=None), SlideRequired)
    row = await add(me, address)
    assert await book(me) == [row]


async def own_address(me: Context, other: Context, kind: str) -> str:
    """One of the house's: of a contract, a wallet, or where a member tops up."""
    if kind in ("my top-ups", "another member's top-ups"):
        return await deposit_address(me.house, (me if kind == "my top-ups" else other).caller.id)
    return {"hot": HOT, "cold": COLD}.get(kind) or me.house.chain.network.contract(BY_CODE[kind]).address


@pytest.mark.parametrize("kind", ["USDT", "KLS", "hot", "cold", "my top-ups", "another member's top-ups"])
async def test_an_address_of_the_house_is_not_written_and_costs_no_code(caller: MakeCaller, kind: str) -> None:
    me, other = said(await caller()), await caller()
    address, before = await own_address(me, other, kind), await events(me)
    proven = await shown(me, "address")
    asked: dict[str, Any] = {"chain": 31337, "label": "x", "request_id": REQUEST}
    with pytest.raises(HouseAddress):
        await service.add_address(me, address=address, shown=proven, **asked)
    assert (await book(me), await events(me)) == ([], before)
    assert await service.add_address(me, address=new_wallet().address, shown=proven, **asked) in await book(me)


async def test_whose_an_address_is_hears_nobody_who_has_not_shown_the_code(caller: MakeCaller) -> None:
    me, other = said(await caller()), await caller()
    theirs = await deposit_address(other.house, other.caller.id)
    wrong: list[tuple[dict[str, Any], type[Refusal]]] = [
        ({"out_password": "135790"}, WrongOutPassword),
        ({"email_code": "000000"}, WrongCode),
    ]
    for secret, reason in wrong:
        with pytest.raises(reason):
            await add(me, theirs, **secret)


async def test_what_the_signer_pays_from_is_the_houses(caller: MakeCaller, database_url: str) -> None:
    me, hot = said(await caller()), new_wallet().address
    assert not await me.house.own.holds(hot)
    db = await asyncpg.connect(database_url)
    await db.execute("UPDATE signer_state SET hot = $1", hot)
    await db.close()
    with pytest.raises(HouseAddress):
        await add(me, hot)


async def test_without_a_withdrawal_password_there_is_no_book(caller: MakeCaller, ctx: Any, member: Any) -> None:
    me = said(ctx(await member()))
    with pytest.raises(OutPasswordNotSet):
        await add(me, new_wallet().address)


async def test_an_address_stands_once_in_a_book(caller: MakeCaller) -> None:
    me, address = said(await caller()), new_wallet().address
    await add(me, address)
    with pytest.raises(AlreadyExists) as refused:
        await add(me, address, OTHER_REQUEST)
    assert refused.value.fields == {"field": "address"}
    assert len(await book(me)) == 1


async def test_a_book_has_its_end(caller: MakeCaller) -> None:
    me = said(await caller())
    house = dataclasses.replace(me.house, terms=dataclasses.replace(me.terms, address_book=1))
    me = replace(me, house=house)
    row = await add(me, new_wallet().address)
    with pytest.raises(InvalidInput) as refused:
        await add(me, new_wallet().address, OTHER_REQUEST)
    assert refused.value.fields == {"errors": [{"field": "address", "reason": "full"}]}
    await service.remove_address(me, number=row.id, request_id=REQUEST, out_password=OUT)
    await add(me, new_wallet().address, OTHER_REQUEST)
    assert len(await book(me)) == 1


async def test_what_is_listed_is_written_down_and_marked(caller: MakeCaller, tmp_path: Path) -> None:
    me, listed, other = said(await caller()), new_wallet().address, new_wallet().address
    (tmp_path / "list").write_text(f"{listed.lower()}  # of a test\n")
    house = dataclasses.replace(me.house, screening=ListedAddresses(tmp_path / "list"))
    me = replace(me, house=house)
    assert (await add(me, listed)).is_listed
    assert not (await add(me, other, OTHER_REQUEST)).is_listed


async def test_a_removed_address_leaves_the_book_and_stays_in_the_table(caller: MakeCaller) -> None:
    me, other = said(await caller()), said(await caller())
    row = await add(me, new_wallet().address)
    with pytest.raises(WrongOutPassword):
        await service.remove_address(me, number=row.id, request_id=REQUEST, out_password="135790")
    for stranger, number in ((other, row.id), (me, row.id + 1_000), (me, 0)):
        with pytest.raises(NotFound):
            await service.remove_address(stranger, number=number, request_id=REQUEST, out_password=OUT)
    assert await book(me) == [row]
    await service.remove_address(me, number=row.id, request_id=REQUEST, out_password=OUT)
    assert await book(me) == []
    await service.remove_address(me, number=row.id, request_id=REQUEST, out_password="")  # sent again
    with pytest.raises(RequestConflict):
        await service.remove_address(said(me, b"b"), number=row.id, request_id=REQUEST, out_password=OUT)
    with pytest.raises(NotFound):
        await service.remove_address(me, number=row.id, request_id=OTHER_REQUEST, out_password=OUT)
    kept = await me.db.row("SELECT * FROM withdrawal_addresses WHERE id = $1", row.id)
    assert kept is not None
    assert (kept["address"], kept["removed_at"] is None) == (row.address, False)
    assert await events(me) == ["address_added", "address_removed"]
    again = await add(me, row.address, OTHER_REQUEST)
    assert again.id != row.id, "it waits anew"


@pytest.mark.parametrize("same", [False, True])
async def test_one_request_for_two_addresses_at_once_removes_one(caller: MakeCaller, same: bool) -> None:
    me = said(await caller())
    rows = [await add(me, new_wallet().address, f"{REQUEST}{number}") for number in range(2)]
    asked = [(me, rows[0]), (me, rows[0]) if same else (said(me, b"b"), rows[1])]
    async with me.db.transaction() as db:
        await db.execute("SELECT FROM withdrawal_addresses WHERE member = $1 FOR UPDATE", me.caller.id)
        removals = [
            asyncio.create_task(service.remove_address(ctx, number=row.id, request_id=OTHER_REQUEST, out_password=OUT))
            for ctx, row in asked
        ]
        await until_waiting(me.db, 2)
    ends = await asyncio.gather(*removals, return_exceptions=True)
    refused = [type(end) for end in ends if end is not None]
    assert refused == ([] if same else [RequestConflict])
    (left,) = await book(me)
    assert left == rows[1 - ends.index(None)]
    assert await events(me) == ["address_added", "address_added", "address_removed"]


async def test_the_book_is_read_in_pages(caller: MakeCaller) -> None:
    me = said(await caller())
    async with me.db.transaction() as db:
        for _ in range(3):
            await service.give_address(me.house, db, me.caller.id, address=new_wallet().address, label="x")
    first, _ = await service.list_book(me, PageQuery(2))
    rest, _ = await service.list_book(me, PageQuery(2, after=first.next))
    assert (first.total, len(first.rows), len(rest.rows), rest.next) == (3, 2, 1, None)
    assert [row.id for row in (*first.rows, *rest.rows)] == [row.id for row in await book(me)]
