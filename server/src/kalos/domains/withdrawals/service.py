"""Use cases of withdrawals: asked for, looked at by people, ended by the chain; and claimable income."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kalos.core.assets import KLS, USDT, Asset
from kalos.core.clock import HOUR_MS, business_day, day_start_ms
from kalos.core.errors import (
    BelowMinimum,
    Busy,
    InsufficientBalance,
    InvalidInput,
    MoneyOutStopped,
    NotFound,
    Refusal,
    StateChanged,
    WrongState,
)
from kalos.core.money import Amount
from kalos.core.pages import Page, PageQuery
from kalos.core.ports import Price
from kalos.core.turns import Turns
from kalos.domains.challenges.errors import CodeExpired, WrongCode
from kalos.domains.context import Context, House
from kalos.domains.factors import rules as factor_rules
from kalos.domains.factors.service import check_out_password, prove
from kalos.domains.identity import queries as identity
from kalos.domains.identity.errors import AccountFrozen
from kalos.domains.identity.service import check_not_frozen
from kalos.domains.protection.errors import KycRequired
from kalos.domains.wallets import queries as book
from kalos.domains.wallets.errors import AddressRemoved, HouseAddress
from kalos.domains.wallets.tables import AddressRow
from kalos.domains.withdrawals import queries, rules, tables
from kalos.domains.withdrawals.errors import AddressWaiting, SecurityHold
from kalos.domains.withdrawals.rules import Beside, Outcome, Purchase, Seen, Status, Wish
from kalos.domains.withdrawals.tables import REVIEWS, WITHDRAWALS, Plan, Proof, Withdrawal, change_of, news_of
from kalos.ledger import purse, statements
from kalos.ledger.flags import money_out_stopped
from kalos.ledger.postings import Fact, Insert, Move, Open, Posted, Posting, Stamp, Take, key_of
from kalos.ledger.purse import Purpose

_turns: Final = Turns()


@dataclass(frozen=True, slots=True)
class Placed:
    """A withdrawal as it was first answered, and what was available right after it."""

    withdrawal: Withdrawal
    balance: int


async def show_terms(ctx: Context) -> tables.Terms:
    """Read the caller's means, room and book.

    Source: treasury.md, "Withdrawal"; section 7 /api/withdraw/index.
    """
    return tables.Terms(
        available=await queries.list_available(ctx.db, ctx.caller.id),
        daily_left=await _daily_left(ctx),
        price=await ctx.house.prices.last(KLS),
        held_until=await identity.held_until(ctx.db, ctx.caller.id, ctx.now),
        is_stopped=await money_out_stopped(ctx.db) is not None,
        entries=(await book.list_book(ctx.db, ctx.caller.id, PageQuery(ctx.terms.address_book))).rows,
    )


async def withdraw(ctx: Context, wish: Wish) -> Placed:
    """Hold an amount and its fee for an address of the caller's book; without a risk it goes to the signer at once.

    Moves: amount and fee, member available -> member held; with a purchase, its price, member available -> house
      kls_stock and its KLS, kls_stock -> member available.
    Raises: BelowMinimum, NotFound, AddressWaiting, HouseAddress, SecurityHold, MoneyOutStopped, PriceChanged,
      InsufficientBalance, LimitReached, KycRequired, RequestConflict, Busy, and what the withdrawal password and the
      second factor raise.
    Source: treasury.md, "Withdrawal"; section 7 /api/withdraw/withdrawCoin.
    """
    posted = await ctx.find_posted(wish.request_id)
    if posted is not None:
        return await show_placed(ctx, posted)
    await check_out_password(ctx, wish.out_password)
    plan = await _plan(ctx, wish)
    await _prove_once(ctx, wish)
    try:
        posted = await ctx.ledger.post(_posting(ctx, wish, plan))
    except StateChanged as problem:
        # Something that the call had looked at has changed since: it says so now, or passes the next time.
        await _plan(ctx, wish)
        await check_not_frozen(ctx, ctx.caller.id)
        raise Busy(retry_after=1) from problem
    return await show_placed(ctx, posted)


async def show_placed(ctx: Context, posted: Posted) -> Placed:
    """What was posted, as it was answered the first time, whatever has become of it since."""
    found = await queries.find(ctx.db, posted.id)
    assert found is not None, posted.id
    account = purse.available(found.member, found.coin)
    move = await statements.find_last_move(ctx.db, account, posted.id)
    assert move is not None, posted.id
    return Placed(found, move.balance)


async def list_withdrawals(
    ctx: Context, query: PageQuery, *, asset: Asset | None, status: Status | None
) -> tuple[Page[Withdrawal], Mapping[int, Seen]]:
    """The caller's own, the newest first; and where on the chain those are that are on their way."""
    page = await queries.list_mine(ctx.db, ctx.caller.id, query, asset=asset.code if asset else None, status=status)
    return page, await queries.list_seen(ctx.db, page.rows)


async def review(
    house: House,
    *,
    withdrawal: int,
    revision: int,
    staff: int,
    is_yes: bool,
    reason: str,
    signature: bytes,
    key: bytes,
    fingerprint: bytes,
    unheard: Collection[int] = (),
    log: Callable[[Mapping[str, Any]], Sequence[Fact]] = lambda _: (),
) -> Withdrawal:
    """Write down what one of the house's people says: a no gives everything back, the last yes that is needed sends it.

    Of the people `unheard`, who are no reviewers any more, no earlier yes counts. What `log` makes of the state that
    this leads to comes with the posting, whose key and fingerprint are those of the request.

    Moves: with a no, amount and fee, member held -> member available.
    Raises: NotFound, WrongState (past that, changed, paid, or this person has spoken; a no where lost payments are yet
      to be found), RequestConflict; a yes: as `_check_may_go`.
    Source: treasury.md, "Withdrawal"; content.md.
    """
    found = await queries.find(house.db, withdrawal)
    if found is None:
        raise NotFound()
    said = await queries.list_said(house.db, found)
    if found.status != "pending_review" or found.revision != revision or staff in {one.staff for one in said}:
        raise WrongState()
    if is_yes:
        await _check_may_go(house, found)
    row = tables.new_review(found, said, staff=staff, is_yes=is_yes, reason=reason, signature=signature)
    yes = sum(one.verdict == "yes" and one.staff not in unheard for one in said) + is_yes
    values: dict[str, Any] = {"status": "pending_review"}
    if not is_yes:
        values = {"status": "refused", "reason": reason or "refused", "decided_at": Stamp.AT}
    elif yes >= found.needed:
        values = {"status": "on_chain_processing", "decided_at": Stamp.AT}
    posting = Posting(
        key,
        fingerprint=fingerprint,
        resolves=[] if is_yes else rules.give_back(found),
        takes=[] if is_yes else [rules.room_back(found)],
        riders=[change_of(found, values), Insert(REVIEWS, row)],
        facts=[
            *log({"status": values["status"], "yes": yes, "needed": found.needed}),
            *([] if is_yes else [news_of(withdrawal, "refused")]),
        ],
    )
    try:
        await house.ledger.post(posting)
    except StateChanged as problem:
        raise WrongState() from problem
    changed = await queries.find(house.db, withdrawal)
    assert changed is not None, withdrawal
    return changed


async def settle(house: House, *, withdrawal: int, transaction: str, outcome: Outcome) -> None:
    """Write down how a withdrawal ended on the chain; what was written before is left alone.

    Moves: approved, the amount member held -> outside chain and the fee member held -> house fees; failed, both
      member held -> member available.
    Raises: StateChanged where somebody else just did, Outage.
    Source: treasury.md, "Withdrawal".
    """
    found = await queries.find(house.db, withdrawal)
    assert found is not None, withdrawal
    if found.status == outcome and found.transaction == transaction:
        return
    assert found.status == "on_chain_processing", f"withdrawal {withdrawal} is {found.status}, not to be {outcome}"
    paid = outcome == "approved"
    values = {"status": outcome, "transaction": transaction, "reason": None if paid else "failed on the chain"}
    await house.ledger.post(
        Posting(
            key=key_of("withdrawal.settle", withdrawal),
            fingerprint=key_of(outcome, transaction),
            resolves=rules.pay(found) if paid else rules.give_back(found),
            takes=[] if paid else [rules.room_back(found)],
            riders=[change_of(found, values)],
            facts=[news_of(withdrawal, "sent" if paid else "failed")],
        )
    )


async def claim_income(ctx: Context, *, amount: Amount, request_id: str) -> Posted:
    """Take claimable income.

    Moves: member claimable -> member available.
    Raises: InvalidInput, ClaimTooHigh.
    Source: treasury.md, "Claimable income"; section 7 /api/withdraw/receiveUsdt.
    """
    if amount.units == 0:
        raise InvalidInput(errors=[{"field": "amount", "reason": "zero"}])
    source = purse.account(ctx.caller.id, USDT, Purpose.CLAIMABLE)
    move = Move(rules.CLAIMED, source, purse.available(ctx.caller.id, USDT), amount.units, short=rules.claim_too_high)
    posting = Posting(key=ctx.key(request_id), fingerprint=ctx.fingerprint, member=ctx.caller.id, moves=[move])
    return await ctx.ledger.post(posting)


async def show_claimed(ctx: Context, posted: Posted) -> statements.StatementRow:
    """The move of a claim, as the statement has it."""
    move = await statements.find_last_move(ctx.db, purse.available(ctx.caller.id, USDT), posted.id)
    assert move is not None, posted.id
    return move


async def _check_may_go(house: House, one: Withdrawal) -> None:
    """Raises: MoneyOutStopped, HouseAddress, AddressRemoved, AddressWaiting, AccountFrozen, SecurityHold: also what
    came after it was asked for."""
    if await queries.is_paid(house.db, one.id):
        return  # found on the chain after a restore: a yes writes down what has left, and the reserves need it
    if await money_out_stopped(house.db) is not None:
        raise MoneyOutStopped()
    if await house.own.holds(one.address):
        raise HouseAddress()
    if await book.find_in_book(house.db, one.member, one.wallet) is None:
        raise AddressRemoved()
    if one.young_until > house.clock.wall():
        raise AddressWaiting(until=one.young_until)
    if await identity.is_frozen(house.db, one.member):
        raise AccountFrozen()
    held_until = await identity.held_until(house.db, one.member, house.clock.now())
    if held_until is not None:
        raise SecurityHold(until=held_until)


async def _plan(ctx: Context, wish: Wish) -> Plan:
    """Judge a wish by all that is known now. Raises: what `withdraw` raises before anything is shown or posted."""
    amount, terms = wish.amount, ctx.terms
    if amount.units < terms.withdraw_min[amount.asset].units:
        raise BelowMinimum(asset=amount.asset.code, minimum=str(terms.withdraw_min[amount.asset]))
    entry = await _entry(ctx, wish.wallet)
    hold_ms = terms.security_hold * HOUR_MS
    held_until = await identity.held_until(ctx.db, ctx.caller.id, ctx.now - hold_ms)
    if held_until is not None and held_until > ctx.now:
        raise SecurityHold(until=held_until)
    if await money_out_stopped(ctx.db) is not None:
        raise MoneyOutStopped()
    price = await ctx.house.prices.last(KLS)
    value = rules.value_units(amount, price.rate)
    fee = rules.fee_units(amount, terms.withdraw_fee_rate, price.rate)
    is_listed = entry.is_listed or await ctx.house.screening.is_listed(entry.address)
    listed_wallet = await _listed_wallet(ctx)
    beside = Beside(ctx.now, entry.created_at, entry.usable_at, held_until, is_listed, listed_wallet)
    found = rules.risks(value, beside, terms)
    plan = Plan(
        amount=amount,
        entry=entry,
        price=price,
        value=value,
        fee=fee,
        purchase=await _purchase(ctx, wish, fee, price),
        risks=found,
        needed=rules.needed(value, found, terms),
        daily=terms.withdraw_daily_limit * 10**USDT.scale,
        free=await queries.free_room(ctx.db, ctx.caller.id, now=ctx.now, limit=terms.kyc_free_limit),
        asks_identity=await ctx.house.may.needs_identity(ctx.caller.id, network=ctx.network),
    )
    await _check_room(ctx, plan)
    return plan


async def _entry(ctx: Context, number: int) -> AddressRow:
    """Raises: NotFound, AddressWaiting, HouseAddress (also of what became one since it was written down)."""
    entry = await book.find_in_book(ctx.db, ctx.caller.id, number)
    if entry is None or entry.chain != ctx.house.chain_terms.chain_id:
        raise NotFound()
    if ctx.now < entry.usable_at:
        raise AddressWaiting(until=entry.usable_at)
    if await ctx.house.own.holds(entry.address):
        raise HouseAddress()
    return entry


async def _listed_wallet(ctx: Context) -> str | None:
    """A login wallet of the caller that the operator's list has now."""
    for wallet in await book.list_login_wallets(ctx.db, ctx.caller.id):
        if await ctx.house.screening.is_listed(wallet.address):
            return wallet.address
    return None


async def _purchase(ctx: Context, wish: Wish, fee: int, price: Price) -> Purchase | None:
    """What of the fee must be bought.

    Raises: PriceChanged, InsufficientBalance, LimitReached (the house has no more KLS).
    """
    available, amount = await queries.list_available(ctx.db, ctx.caller.id), wish.amount
    missing = rules.missing_kls(amount, fee, available[KLS])
    bought = rules.purchase(missing, rules.selling_price(price, ctx.terms)) if wish.buys_fee else None
    rules.check_agreed(wish, fee, bought)
    if amount.units > available[amount.asset]:
        raise InsufficientBalance(asset=amount.asset.code)
    if missing and bought is None:
        raise InsufficientBalance(asset=KLS.code)
    if bought is None:
        return None
    if bought.usdt + (amount.units if amount.asset is USDT else 0) > available[USDT]:
        raise InsufficientBalance(asset=USDT.code)
    stock = purse.house(Purpose.KLS_STOCK, KLS)
    left = (await statements.balances_of(ctx.db, purse.HOUSE)).get(stock, 0)
    if bought.kls > left:
        raise rules.no_stock(left=left)
    return bought


async def _daily_left(ctx: Context) -> int:
    return await queries.daily_left(ctx.db, ctx.caller.id, now=ctx.now, limit=ctx.terms.withdraw_daily_limit)


async def _check_room(ctx: Context, plan: Plan) -> None:
    """Against what stands in the rows; the quota of the day stands against all that comes at the same time.

    Raises: LimitReached, KycRequired.
    """
    left = await _daily_left(ctx)
    if plan.value > left:
        raise rules.over_day(left)
    since = day_start_ms(business_day(ctx.now))
    today = await queries.sum_value(ctx.db, ctx.caller.id, since=since, before=ctx.now + 1)
    if plan.asks_identity and plan.value > plan.free - today:
        raise KycRequired()


async def _prove_once(ctx: Context, wish: Wish) -> None:
    """Judge the second factor and use it up; the same request needs no other one for an hour, also sent at once.

    Between using it up and the posting anything may fail: who sends it again has shown a right code already.

    Raises: what the second factor raises.
    """
    async with _turns.of(f"{ctx.caller.id} {wish.request_id}"):  # each comparison of a mailed code counts
        if await _was_shown(ctx, wish):
            return
        bound = factor_rules.withdrawal(wish.amount, wish.wallet)
        proof = Proof(ctx.caller.id, wish.request_id, ctx.fingerprint, ctx.wall + rules.PROOF_MS)
        try:
            factor = await prove(ctx, "withdraw", google_code=wish.google_code, email_code=wish.email_code, bound=bound)
            async with ctx.db.transaction() as db:
                await factor.use(db)
                await queries.insert_proof(db, proof, ctx.wall)
        except (WrongCode, CodeExpired):
            if not await _was_shown(ctx, wish):
                raise


async def _was_shown(ctx: Context, wish: Wish) -> bool:
    """Of another body under its id nothing was shown, and nothing posted: that would be the ledger's to refuse."""
    proof = await queries.find_proof(ctx.db, ctx.caller.id, wish.request_id)
    if proof is None or proof.until_at <= ctx.wall:
        return False
    return proof.request_hash == ctx.fingerprint


def _posting(ctx: Context, wish: Wish, plan: Plan) -> Posting:
    member, amount = ctx.caller.id, plan.amount
    opens = [Open(rules.OPENED, purse.available(member, amount.asset), amount.units)]
    if plan.fee:
        opens.append(Open(rules.FEE_OPENED, purse.available(member, KLS), plan.fee))
    free = plan.value if plan.asks_identity else 0
    day, fee_rate = business_day(ctx.now), rules.rate_text(ctx.terms.withdraw_fee_rate)

    def full(left: tuple[int, ...], **_: Any) -> Refusal:
        return rules.over_day(left[0]) if plan.value > left[0] else KycRequired()

    return Posting(
        key=ctx.key(wish.request_id),
        fingerprint=ctx.fingerprint,
        member=member,
        moves=rules.buy(member, plan.purchase),
        opens=opens,
        takes=[Take(rules.quota_of(member, day), (plan.value, free), first=(plan.daily, plan.free), short=full)],
        riders=[
            Insert(WITHDRAWALS, tables.new_row(plan, ctx.caller, day=day, free=free, fee_rate=fee_rate, lang=ctx.lang))
        ],
        facts=[news_of(Stamp.ID, "requested")],
        not_after=day_start_ms(day) + 24 * HOUR_MS - 1,
        late=rules.day_over,
    )
