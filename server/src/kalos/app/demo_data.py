"""Demo mode's data: two members, bulletins, and the house's funds by real transfers and postings of their own keys."""

import asyncio
import base64
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final

import asyncpg
import structlog

from kalos.app.bulletins import publish_first
from kalos.app.chain import deployed
from kalos.app.demo import wallet_of
from kalos.app.house import open_house
from kalos.app.settings import Settings
from kalos.core.assets import KLS, USDT
from kalos.core.errors import ForOperator, Outage
from kalos.core.money import Amount, parse_amount
from kalos.core.pages import PageQuery
from kalos.core.passwords import hash_password
from kalos.domains.context import House
from kalos.domains.deposits import queries as deposits
from kalos.domains.deposits import rules
from kalos.domains.deposits.service import deposit_address, place_house_topup
from kalos.domains.factors.queries import find_out_password, insert_out_password
from kalos.domains.identity.queries import find_by_name, insert_member
from kalos.domains.wallets.service import give_address
from kalos.ledger import purse
from kalos.ledger.postings import Move, Posting, key_of
from kalos.ledger.purse import Purpose
from kalos.operator.issuing import MOVE, take_of
from kalos.operator.people import add_staff, list_staff

BEGUN: Final = "demo"
DONE: Final = "demo_data"
FUNDED: Final = "hot_wallet"
PASSWORD: Final = "demo1234"
OUT_PASSWORD: Final = "246810"
ROOT: Final = "10000001"
SECOND: Final = "10000002"
INVITE_CODES: Final = {ROOT: "KALOS1", SECOND: "KALOS2"}


@dataclass(frozen=True, slots=True)
class DemoStaff:
    """Somebody of the console; `public_key` is that of `passphrase`, with which withdrawals are signed."""

    name: str
    roles: tuple[str, ...]
    secret: str
    passphrase: str
    public_key: str


STAFF: Final = (
    DemoStaff(
        "operator",
        ("support", "content", "reviewer", "treasurer", "owner"),
        "A3SVWYZUQH33WBZJK7VLZ4IQZFZOQZUR",
        "calm blue river",
        "3e2cfce70280fe3ebd4e1decd1269aeae69a83ffefbcded5a9a2997ee0c634d9",
    ),
    DemoStaff(
        "reviewer",
        ("reviewer", "treasurer"),
        "FVYJTGXBQBPEXTXZWSVTUS4CP5LYYYLU",
        "tall green lamp",
        "79485e44d50cd0b12cda65e7761074b9f12af8f52823578676adb09f12bb780f",
    ),
)
"""Printed by `make run`, as the members are."""
ADDRESSES: Final = {
    ROOT: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    SECOND: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
}
"""Of keys that every development chain knows."""
MEMBERS_USDT: Final = {ROOT: "50000", SECOND: "5000"}
MEMBERS_KLS: Final = {ROOT: "50000", SECOND: "20000"}
HOUSE_USDT: Final = {
    Purpose.BANKROLL: "1000000",
    Purpose.MARKETING: "100000",
    Purpose.LENDING_POOL: "100000",
    Purpose.INSURANCE_POOL: "100000",
    Purpose.KLS_STOCK: "50000",
}
BANKROLL_KLS: Final = "1000000"
STOCK_KLS: Final = "1000000"
HOT_COINS: Final = {USDT: "200000", KLS: "1000000"}
HOT_GAS: Final = 10 * 10**18
"""What the wallet that pays withdrawals begins with: the treasury's own, beside all that members hold."""

_log = structlog.get_logger("demo")
_PAUSE_SECONDS: Final = 0.1
_PATIENCE_SECONDS: Final = 120.0


class NotPrepared(ForOperator):
    """The demo data could not be finished; a further start goes on where it stopped."""


async def make(settings: Settings) -> None:
    """Do what isn't done yet. Raises: NotPrepared where a part that it needs doesn't come up."""
    assert settings.demo, "everybody knows these passwords"
    await make_staff(settings)
    async with open_house(settings, connections=2) as house:
        hot = (await deployed(settings)).hot
        is_funded = await house.db.value("SELECT value FROM installation WHERE name = $1", FUNDED)
        if not is_funded:
            await _patiently("the chain", lambda: _begin_funding(house, hot))
        await fill(house)
        if not is_funded:
            await _patiently("the chain", lambda: _fund(house, hot))
            await house.db.execute("INSERT INTO installation VALUES ($1, $2) ON CONFLICT DO NOTHING", FUNDED, hot)


async def make_staff(settings: Settings) -> None:
    """Those who work in the console, as the schema's owner; who is there already stays."""
    owner = await asyncpg.connect(settings.owner_url)
    try:
        await owner.execute("INSERT INTO installation VALUES ($1, 'begun') ON CONFLICT DO NOTHING", BEGUN)
        there = {row.name for row in await list_staff(owner)}
        for one in STAFF:
            if one.name not in there:
                await add_staff(
                    owner,
                    name=one.name,
                    password_hash=await hash_password(PASSWORD),
                    roles=one.roles,
                    public_key=bytes.fromhex(one.public_key),
                    factor_key=settings.factor_keys[0],
                    by="demo",
                    secret=base64.b32decode(one.secret),
                )
    finally:
        await owner.close()


async def fill(house: House) -> None:
    """Members, coins, then bulletins; each step is done once however often it is begun."""
    root = await _member(house, ROOT, None)
    second = await _member(house, SECOND, root)
    for member in (root, second):
        await _out_password(house, member)
    if not await house.db.value("SELECT value FROM installation WHERE name = $1", DONE):
        await _give_coins(house, root, second)
    try:
        await publish_first(house, root)
    except Outage:  # a disk without room for a banner's picture is no reason not to start; a further start publishes it
        _log.exception("not all bulletins are published")


async def _give_coins(house: House, root: int, second: int) -> None:
    """Raises: NotPrepared."""
    await _patiently("the ledger's writer", lambda: _give_kls(house, {root: ROOT, second: SECOND}))
    wanted = {
        purse.HOUSE: _sum(HOUSE_USDT),
        root: parse_amount(MEMBERS_USDT[ROOT], USDT),
        second: parse_amount(MEMBERS_USDT[SECOND], USDT),
    }
    await _patiently("the chain or its watcher", lambda: _top_up(house, wanted))
    await house.db.execute("INSERT INTO installation (name, value) VALUES ($1, 'made') ON CONFLICT DO NOTHING", DONE)


async def _patiently(part: str, step: Callable[[], Awaitable[bool]]) -> None:
    """Take a step until it says that it is done. Raises: NotPrepared."""
    until = time.monotonic() + _PATIENCE_SECONDS
    reason = "it isn't done"
    while time.monotonic() < until:
        try:
            if await step():
                return
        except Outage as problem:
            reason = str(problem)
        await asyncio.sleep(_PAUSE_SECONDS)
    raise NotPrepared(f"{part} did not do its part in {_PATIENCE_SECONDS:.0f} s: {reason}")


async def _member(house: House, account: str, inviter: int | None) -> int:
    known = await find_by_name(house.db, account)
    if known is not None:
        return known.id
    password_hash = await hash_password(PASSWORD)
    async with house.db.transaction() as step:
        made = await insert_member(
            step,
            account=account,
            email=f"{account}@demo.kalos.example",
            password_hash=password_hash,
            invite_code=INVITE_CODES[account],
            inviter=inviter,
            registered_at=house.clock.now(),
        )
        assert made is not None, account
        await give_address(house, step, made, address=ADDRESSES[account], label="Demo wallet")
    return made


async def _out_password(house: House, member: int) -> None:
    if await find_out_password(house.db, member) is None:
        password_hash = await hash_password(OUT_PASSWORD)
        async with house.db.transaction() as step:
            await insert_out_password(step, member, password_hash, at=house.clock.wall())


async def _give_kls(house: House, members: Mapping[int, str]) -> bool:
    """Issue the house's stock within its cap, and give of it.

    Moves: outside issuance -> kls_stock; kls_stock -> bankroll, members' available.
    """
    stock = purse.house(Purpose.KLS_STOCK, KLS)
    gifts = [(purse.house(Purpose.BANKROLL, KLS), BANKROLL_KLS)]
    gifts += [(purse.available(member, KLS), MEMBERS_KLS[account]) for member, account in members.items()]
    moves = [Move("treasury.transfer", stock, target, parse_amount(text, KLS).units) for target, text in gifts]
    issued = parse_amount(STOCK_KLS, KLS).units + sum(move.units for move in moves)
    issue = Move(MOVE, purse.outside(Purpose.ISSUANCE, KLS), stock, issued)
    await house.ledger.post(Posting(key=key_of("demo", "kls"), moves=[issue, *moves], takes=[take_of(issued)]))
    return True


async def _top_up(house: House, wanted: Mapping[int, Amount]) -> bool:
    """Send what is missing at the owners' addresses from the treasury; done when all of it is credited.

    An address that holds the coins, or will after the next block, has been sent them; one that lost them with the
    node's last seconds hasn't.
    """
    wallet = wallet_of(house)
    for owner, amount in wanted.items():
        if await _arrived(house, owner):
            continue  # and may have been swept by now
        contract = house.chain.network.contract(amount.asset).address
        address = await deposit_address(house, owner)
        if await wallet.balance(contract, address, "pending") < amount.units:
            await wallet.transfer(contract, address, amount.units)
    return all([await _arrived(house, owner) for owner in wanted])


async def _begin_funding(house: House, hot: str) -> bool:
    """In one block with the top-ups, which are waited for; done when it is sent."""
    await _fund(house, hot)
    return True


async def _fund(house: House, hot: str) -> bool:
    """Send the hot wallet what it lacks of its coins and gas; done when it has all of it."""
    wallet = wallet_of(house)
    is_there = True
    for asset, text in HOT_COINS.items():
        contract, units = house.chain.network.contract(asset).address, parse_amount(text, asset).units
        if await wallet.balance(contract, hot, "pending") < units:
            await wallet.transfer(contract, hot, units)
        is_there = is_there and await wallet.balance(contract, hot, "latest") >= units
    if await wallet.native(hot, "pending") == 0:  # some of it may be spent already
        await wallet.give_gas(hot, HOT_GAS)
    return is_there and await wallet.native(hot, "latest") > 0


async def _arrived(house: House, owner: int) -> bool:
    """Whether the owner's top-up is credited; the house's own is placed here into its accounts."""
    for deposit in (await deposits.list_deposits(house.db, owner, PageQuery(1), None)).rows:
        if deposit.status == rules.APPROVED:
            return True
        if deposit.reason == rules.HOUSE:
            shares = {purpose: parse_amount(share, USDT) for purpose, share in HOUSE_USDT.items()}
            await place_house_topup(house, deposit, shares)
    return False


def _sum(shares: Mapping[Purpose, str]) -> Amount:
    return Amount(sum(parse_amount(share, USDT).units for share in shares.values()), USDT)
