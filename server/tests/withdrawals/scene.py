"""Members who can withdraw: a book, a withdrawal password, money; and what everybody may see of it afterwards."""

import itertools
import uuid
from dataclasses import replace as changed
from typing import Any, Final

import asyncpg
from msgspec.structs import replace

from factors.scene import OUT, mailed
from kalos.core.assets import BY_CODE, KLS, USDT
from kalos.core.money import parse_amount
from kalos.domains.context import Context
from kalos.domains.factors import rules as factors
from kalos.domains.wallets.queries import insert_address
from kalos.domains.withdrawals import queries, service
from kalos.domains.withdrawals.rules import Wish
from kalos.domains.withdrawals.service import Placed
from kalos.domains.withdrawals.tables import Withdrawal
from kalos.ledger import purse
from kalos.ledger.postings import Ledger, Move, Posting
from kalos.ledger.purse import Purpose
from kalos.ledger.statements import balances
from support.clusters import owner_url
from wallets.people import new_wallet

PATH: Final = "/api/withdraw/withdrawCoin"
SIGNATURE: Final = b"s" * 64
TRANSACTION: Final = "0x" + "ab" * 32
DAY: Final = 86_400_000
_hashes = itertools.count(1)


async def write_down(ctx: Context, *, old: bool = True, listed: bool = False) -> int:
    """An entry of the caller's book: an old one, or one that has just waited long enough. Returns its number."""
    made = ctx.now - (40 * DAY if old else 2 * DAY - 3_600_000)
    async with ctx.db.transaction() as db:
        row = await insert_address(
            db,
            member=ctx.caller.id,
            chain=31337,
            address=new_wallet().address,
            label="My wallet",
            is_listed=listed,
            created_at=made,
            usable_at=made + DAY,
        )
    assert row is not None
    owner = await asyncpg.connect(owner_url(ctx.db.url))
    try:  # nobody else gives an entry its age
        await owner.execute("UPDATE withdrawal_addresses SET written_at = $2 WHERE id = $1", row.id, made)
    finally:
        await owner.close()
    return row.id


def asking(ctx: Context) -> Context:
    """A further request, with a body of its own."""
    return replace(ctx, path=PATH, fingerprint=uuid.uuid4().bytes * 2)


async def wish(ctx: Context, amount: str, asset: str = "USDT", *, wallet: int | None = None, **fields: Any) -> Wish:
    """All that a withdrawal may ask for, right but for the fields that are given."""
    number = wallet if wallet is not None else await write_down(ctx)
    wanted = parse_amount(amount, BY_CODE[asset])
    code = fields.pop("email_code", "")
    if code == "":
        code = await mailed(ctx, "withdraw", bound=factors.withdrawal(wanted, number), what="x")
    right: dict[str, Any] = {
        "amount": wanted,
        "wallet": number,
        "out_password": OUT,
        "google_code": None,
        "email_code": code,
        "buys_fee": False,
        "request_id": uuid.uuid4().hex,
    }
    return Wish(**(right | fields))


async def withdraw(ctx: Context, amount: str, asset: str = "USDT", **fields: Any) -> Placed:
    me = asking(ctx)
    return await service.withdraw(me, await wish(me, amount, asset, **fields))


async def reviewed(
    ctx: Context,
    one: Withdrawal,
    *,
    staff: int = 1,
    is_yes: bool = True,
    reason: str = "",
    signature: bytes = SIGNATURE,
) -> Withdrawal:
    """What somebody says of it, in a request of its own."""
    return await service.review(
        ctx.house,
        withdrawal=one.id,
        revision=one.revision,
        staff=staff,
        is_yes=is_yes,
        reason=reason,
        signature=signature if is_yes else b"",
        key=uuid.uuid4().bytes * 2,
        fingerprint=b"",
    )


async def stored(ctx: Context, number: int) -> Withdrawal:
    found = await queries.find(ctx.db, number)
    assert found is not None
    return found


async def end(owner_url: str, withdrawal: int, outcome: str) -> str:
    """What the signer writes at the end, with its own role."""
    sent = f"0x{next(_hashes):064x}"
    db = await asyncpg.connect(owner_url)
    try:
        await db.execute("SET ROLE kalos_signer")
        await db.execute(
            "INSERT INTO broadcast_ends (withdrawal, outcome, transaction, block, at) VALUES ($1, $2, $3, 7, 9)",
            withdrawal,
            outcome,
            sent,
        )
    finally:
        await db.close()
    return sent


async def see(owner_url: str, one: Withdrawal, *, block: int | None, head: int) -> str | None:
    """What the signer writes at each turn of a payment on its way; returns its transaction, where a block has it."""
    sent = None if block is None else f"0x{next(_hashes):064x}"
    db = await asyncpg.connect(owner_url)
    try:
        await db.execute("SET ROLE kalos_signer")
        change = "UPDATE signer_nonces SET seen_hash = $2, seen_block = $3 WHERE withdrawal = $1"
        assert await db.execute(change, one.id, sent, block) == "UPDATE 1"
        await db.execute("UPDATE signer_state SET head = $1", head)
    finally:
        await db.close()
    return sent


async def sign(owner_url: str, one: Withdrawal) -> None:
    """What the signer writes when it takes a nonce for a payment, or finds one on the chain."""
    db = await asyncpg.connect(owner_url)
    try:
        await db.execute("SET ROLE kalos_signer")
        await db.execute(
            "INSERT INTO signer_nonces (sender, nonce, purpose, withdrawal, hold, asset, recipient, units, value_units,"
            " gas, taken_at, taken_block) VALUES ($1, $2, 'withdrawal', $2, $3, $4, $1, $5, $6, 1, 1, 1)",
            one.address, one.id, one.hold, one.asset, one.units, one.value_units,
        )  # fmt: skip
    finally:
        await db.close()


async def holdings(ctx: Context) -> dict[str, int]:
    """Units of the caller by coin: available and held."""
    units, member = await balances(ctx.db, [ctx.caller.id]), ctx.caller.id
    return {
        f"{asset.code} {name}": units.get(account(member, asset), 0)
        for asset in (USDT, KLS)
        for name, account in (("available", purse.available), ("held", purse.held))
    }


async def stock(ledger: Ledger, kls: str) -> None:
    """KLS that the house may sell."""
    units = parse_amount(kls, KLS).units
    target = purse.house(Purpose.KLS_STOCK, KLS)
    move = Move("test.fund", purse.outside(Purpose.ISSUANCE, KLS), target, units)
    await ledger.post(Posting(key=uuid.uuid4().bytes * 2, moves=[move]))


async def rows_of(ctx: Context) -> dict[str, list[Any]]:
    """All that a refused withdrawal must leave as it was."""
    return {
        table: sorted(repr(tuple(row)) for row in await ctx.db.rows(f"SELECT * FROM {table}"))
        for table in ("withdrawals", "withdrawal_reviews", "withdrawal_proofs", "accounts", "holds", "quotas", "outbox")
    } | {"codes": await ctx.db.rows("SELECT email, scene, used_at FROM email_codes ORDER BY 1, 2")}


def with_terms(ctx: Context, **numbers: Any) -> Context:
    """The same call in a house of other numbers."""
    terms = changed(ctx.terms, **numbers)
    return replace(ctx, house=changed(ctx.house, terms=terms))
