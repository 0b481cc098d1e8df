"""Login wallets, bound by a signature; and the book of withdrawal addresses."""

from collections.abc import Mapping
from dataclasses import dataclass

from kalos.core.clock import HOUR_MS
from kalos.core.database import Connection
from kalos.core.errors import AlreadyExists, InvalidInput, NotFound, RequestConflict
from kalos.core.pages import Page, PageQuery
from kalos.core.ports import SignIn
from kalos.core.tokens import new_nonce
from kalos.domains.challenges.errors import CodeExpired
from kalos.domains.challenges.service import use_proof
from kalos.domains.context import Context, House
from kalos.domains.factors.service import check_out_password, prove
from kalos.domains.identity import queries as identity
from kalos.domains.identity.service import note
from kalos.domains.wallets import queries, rules
from kalos.domains.wallets.errors import HouseAddress, InvalidAddress
from kalos.domains.wallets.tables import AddressRow, LoginWalletRow, NonceRow


@dataclass(frozen=True, slots=True)
class Shown:
    """How the caller shows that it is them: second factor, solved slide, and where asked the withdrawal password."""

    google_code: str | None
    email_code: str | None
    proof: str | None = None
    out_password: str = ""


@dataclass(frozen=True, slots=True)
class Signed:
    """A wallet's answer to a nonce."""

    address: str
    nonce: str
    signature: str


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A member whose wallet signed, and the nonce that it used up."""

    member: int
    nonce: NonceRow


async def make_nonce(ctx: Context, address: str) -> NonceRow:
    """Write what a wallet must sign: for a visitor to log in, for whoever has a session to bind it to that account.

    The same for every address, whether or not it is somebody's.

    Raises: InvalidAddress.
    Source: identity.md, "Registering and logging in"; section 7 /api/auth/nonce.
    """
    own_form = _address(ctx, address)
    session = await identity.find_session(ctx.db, ctx.session, ctx.wall) if ctx.session else None
    member = session.member if session else None
    nonce, until_at = new_nonce(), ctx.wall + rules.NONCE_MS
    text = ctx.house.messages.text(
        SignIn(
            address=own_form,
            statement=rules.statement(member.account if member else None),
            nonce=nonce,
            issued_at=ctx.wall,
            expires_at=until_at,
        )
    )
    row = NonceRow(nonce, own_form, member.id if member else None, text, until_at)
    await queries.insert_nonce(ctx.db, row)
    return row


async def sign_in(ctx: Context, signed: Signed) -> SignedIn | None:
    """Whose login wallet signed the text of a nonce; None for whatever is wrong with it.

    Source: identity.md, "Registering and logging in".
    """
    taken = await _take_nonce(ctx, signed, member=None)
    if taken is None or not _has_signed(ctx, signed, taken):
        return None
    member = await queries.find_member(ctx.db, taken.address)
    return None if member is None else SignedIn(member, taken)


async def still_logs_in(db: Connection, signed_in: SignedIn) -> bool:
    """Whether the wallet that signed is still its member's, and stays so until the commit."""
    return await queries.hold_login_wallet(db, member=signed_in.member, address=signed_in.nonce.address)


async def find_owner(ctx: Context, address: str) -> int | None:
    """Whose login wallet it is; None where it is nobody's, or no address."""
    own_form = ctx.house.messages.address(address)
    return None if own_form is None else await queries.find_member(ctx.db, own_form)


async def serve_again(ctx: Context, signed_in: SignedIn) -> None:
    """Where a second factor is asked for: the same signature serves once more, until the nonce's own end."""
    await queries.insert_nonce(ctx.db, signed_in.nonce)


async def change_login_wallet(ctx: Context, signed: Signed, shown: Shown, *, remove: bool) -> None:
    """Bind the wallet that signed to the caller, or take it away.

    Raises: what `bind_login_wallet` and `remove_login_wallet` raise.
    """
    if remove:
        await remove_login_wallet(ctx, signed.address, shown)
    else:
        await bind_login_wallet(ctx, signed, shown)


async def bind_login_wallet(ctx: Context, signed: Signed, shown: Shown) -> None:
    """Let a wallet log in as the caller, from now on, and prove what it does in later blocks.

    Raises: InvalidAddress, CodeExpired, InvalidInput, AlreadyExists, and what the second factor and the slide raise.
    Source: identity.md, "Login wallets"; section 7 /api/user/bindLogin.
    """
    address, member = _address(ctx, signed.address), ctx.caller.id
    factor = await prove(ctx, "login_wallet", google_code=shown.google_code, email_code=shown.email_code)
    taken = await _take_nonce(ctx, signed, member=member)
    if taken is None:
        raise CodeExpired()
    if not _has_signed(ctx, signed, taken):
        raise _invalid("sign_message", "invalid")
    head = await ctx.house.chain.head()
    await use_proof(ctx, shown.proof)
    async with ctx.db.transaction() as db:
        await factor.use(db)
        if await queries.count_login_wallets(db, member) >= rules.MOST_LOGIN_WALLETS:
            raise _invalid("address", "full")
        if not await queries.insert_login_wallet(
            db, member=member, address=address, bound_block=head, bound_at=ctx.now
        ):
            raise AlreadyExists(field="address")
        await note(ctx, db, member, "login_wallet_bound")


async def remove_login_wallet(ctx: Context, address: str, shown: Shown) -> None:
    """It logs in no longer; what it proved stays proved.

    Raises: InvalidAddress, NotFound, and what the second factor and the slide raise.
    Source: identity.md, "Login wallets"; section 7 /api/user/bindLogin.
    """
    own_form, member = _address(ctx, address), ctx.caller.id
    factor = await prove(ctx, "login_wallet", google_code=shown.google_code, email_code=shown.email_code)
    async with ctx.db.transaction() as db:
        await factor.use(db)
        await use_proof(ctx, shown.proof, db=db)
        if not await queries.remove_login_wallet(db, member=member, address=own_form, at=ctx.now):
            raise NotFound()
        await note(ctx, db, member, "login_wallet_removed")


async def list_login_wallets(ctx: Context) -> list[LoginWalletRow]:
    return await queries.list_login_wallets(ctx.db, ctx.caller.id)


async def find_added(ctx: Context, request_id: str) -> AddressRow | None:
    """What a request added that was sent before. Raises: RequestConflict (another body)."""
    row = await queries.find_request(ctx.db, ctx.caller.id, request_id)
    if row is not None and row.request_hash != ctx.fingerprint:
        raise RequestConflict()
    return row


async def add_address(
    ctx: Context, *, chain: int, address: str, label: str, request_id: str, shown: Shown
) -> AddressRow:
    """Write an address into the caller's book; withdrawals may go to it after `address_wait`.

    One that the operator's list has is written down too, and marked: people look at what goes there. None of the
    house's own is, another member's top-up address least of all: that would be a transfer that nobody sees as one.

    Raises: RequestConflict, InvalidAddress, HouseAddress, InvalidInput, AlreadyExists, and what the withdrawal
      password, the second factor and the slide raise.
    Source: identity.md, "Security centre"; principles.md, "Who may"; section 7 /api/user/bindWallet.
    """
    known = await find_added(ctx, request_id)
    if known is not None:
        return known
    kept_label, own_form = rules.read_label(label), _target(ctx, chain, address)
    await check_out_password(ctx, shown.out_password)
    factor = await prove(ctx, "address", google_code=shown.google_code, email_code=shown.email_code)
    # Whose an address is, only a member hears who has shown password and code.
    if await ctx.house.own.holds(own_form):
        raise HouseAddress()
    is_listed = await ctx.house.screening.is_listed(own_form)
    now = ctx.now
    # What is shown is used up in the same commit: whoever sends the request again meanwhile waits for it at the
    # member's row, and finds what it wrote.
    async with ctx.db.transaction() as db:
        if await queries.count_book(db, ctx.caller.id) >= ctx.terms.address_book:
            raise _invalid("address", "full")
        row = await queries.insert_address(
            db,
            member=ctx.caller.id,
            chain=chain,
            address=own_form,
            label=kept_label,
            is_listed=is_listed,
            created_at=now,
            usable_at=_usable_at(ctx.house, now),
            request_id=request_id,
            request_hash=ctx.fingerprint,
        )
        if row is None:
            raise AlreadyExists(field="address")
        await factor.use(db)
        await use_proof(ctx, shown.proof, db=db)
        await note(ctx, db, ctx.caller.id, "address_added")
    return row


async def list_book(ctx: Context, query: PageQuery) -> tuple[Page[AddressRow], Mapping[int, int]]:
    """The caller's book, the newest first, and when each of these entries was last used.

    Source: identity.md, "Security centre"; section 7 /api/user/walletList.
    """
    page = await queries.list_book(ctx.db, ctx.caller.id, query)
    return page, await ctx.house.uses(ctx.db, [row.id for row in page.rows])


async def find_removed(ctx: Context, request_id: str) -> AddressRow | None:
    """What a request removed that was sent before. Raises: RequestConflict (another body)."""
    return _of_request(ctx, await queries.find_removal(ctx.db, ctx.caller.id, request_id))


async def remove_address(ctx: Context, *, number: int, request_id: str, out_password: str) -> None:
    """Take an address out of the caller's book; its row stays, marked.

    Raises: RequestConflict, NotFound, and what the withdrawal password raises.
    Source: identity.md, "Security centre"; section 7 /api/user/delWallet.
    """
    if await find_removed(ctx, request_id) is not None:
        return
    await check_out_password(ctx, out_password)
    async with ctx.db.transaction() as db:
        # The same request may have come for another address meanwhile, or for this one.
        if _of_request(ctx, await queries.lock_removal(db, ctx.caller.id, request_id)) is not None:
            return
        if not await queries.remove_address(
            db, member=ctx.caller.id, number=number, at=ctx.now, removal_id=request_id, removal_hash=ctx.fingerprint
        ):
            raise NotFound()
        await note(ctx, db, ctx.caller.id, "address_removed")


def _of_request(ctx: Context, removed: AddressRow | None) -> AddressRow | None:
    """Raises: RequestConflict (another body)."""
    if removed is not None and removed.removal_hash != ctx.fingerprint:
        raise RequestConflict()
    return removed


async def give_address(house: House, db: Connection, member: int, *, address: str, label: str) -> None:
    """Write an address into a book for the house's own reasons (demo mode's accounts); once, however often."""
    now = house.clock.now()
    await queries.insert_address(
        db,
        member=member,
        chain=house.chain_terms.chain_id,
        address=address,
        label=label,
        is_listed=False,
        created_at=now,
        usable_at=_usable_at(house, now),
    )


def wait_hours(house: House) -> int:
    """How long an address waits that is written down now."""
    return rules.wait_hours(address_wait=house.terms.address_wait, is_demo=house.is_demo)


def _usable_at(house: House, now: int) -> int:
    """In business time."""
    return now + wait_hours(house) * HOUR_MS


def _address(ctx: Context, text: str) -> str:
    """Raises: InvalidAddress."""
    address = ctx.house.messages.address(text)
    if address is None:
        raise InvalidAddress()
    return address


def _target(ctx: Context, chain: int, text: str) -> str:
    """Raises: InvalidInput, InvalidAddress."""
    if chain != ctx.house.chain_terms.chain_id:
        raise _invalid("chain", "invalid")
    address = _address(ctx, text)
    rules.check_target(address, written=text)
    return address


async def _take_nonce(ctx: Context, signed: Signed, *, member: int | None) -> NonceRow | None:
    """The nonce that was made for this address and this purpose, used up; None where there is none."""
    taken = await queries.take_nonce(ctx.db, signed.nonce)
    if taken is None or taken.until_at <= ctx.wall or taken.member != member:
        return None
    return taken if taken.address == ctx.house.messages.address(signed.address) else None


def _has_signed(ctx: Context, signed: Signed, taken: NonceRow) -> bool:
    return ctx.house.messages.signer(taken.text, signed.signature) == taken.address


def _invalid(field: str, reason: str) -> InvalidInput:
    return InvalidInput(errors=[{"field": field, "reason": reason}])
