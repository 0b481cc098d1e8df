"""The peer over HTTP: the same calls in FastAPI under uvicorn (uvloop, httptools, one process as ours).

The bet is written with SQLAlchemy's ORM, a session and a commit for each call: the same rows as ours (key, move, both
balances, hold, both quotas, bet) in copies of the product's tables, after the same checks (session, form of the body,
scene, round, amount, balance, room). It reads the product's own sessions, members and rounds. What favours it: a
member's calls are counted in its memory, where ours share a table; it keeps no sums of the day and has no foreign keys;
the lock that all bets want, the height's quota, is taken last; it has the 15 connections that SQLAlchemy opens itself,
and keeps them (with 64 it is slower and its p99 twice as long); a request that was sent before is refused, not answered
again; the trivial call finds its session through asyncpg's pool, without the ORM.
"""

import hashlib
import os
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date
from typing import Annotated, Final, Generic, TypeVar
from uuid import UUID

import asyncpg
from fastapi import Depends, FastAPI, Header, HTTPException
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine

from http_rows import Height, Hold, Limit, Member, Placed, Round, Session
from http_trivial import PATH
from kalos.app.settings import PROJECT
from kalos.core.assets import BY_CODE, Asset
from kalos.core.clock import Clock, business_day
from kalos.core.errors import Refusal
from kalos.core.money import parse_amount, text_of, times_down
from kalos.core.terms import load_terms
from kalos.domains.games import rules
from kalos.domains.games.service import STAKE
from kalos.domains.games.tables import quota_of_height, quota_of_member
from kalos.ledger.kinds import FREQUENT
from kalos.ledger.purse import available, held
from kalos.wire.languages import language_of, say
from orm import Account, Entry, Key, Quota

URL: Final = "KALOS_BENCH_URL"
BETON: Final = "/api/game/beton"
CONNECTIONS: Final = 15
_KIND: Final = FREQUENT[STAKE]  # as the ledger numbers it: it decides which indexes a row is in
_TERMS: Final = load_terms(PROJECT / "server" / "terms.toml")

Data = TypeVar("Data")


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Empty(Body):
    """No fields."""


Word = Annotated[str, Field(min_length=1, max_length=40)]


class BetBody(Body):
    scene_id: Word
    round: Word
    option: Word
    amount: Annotated[str, Field(max_length=32)] | int
    balance_type: Word
    request_id: Annotated[str, Field(pattern="^[A-Za-z0-9_-]{16,64}$")]


class Trivial(BaseModel):
    account: str
    lang: str


class Receipt(BaseModel):
    id: str
    kind: str
    status: str
    asset: str
    amount: str
    fee: str
    fee_asset: str
    received: str
    balance: str
    at: int
    bet_id: str
    round: str
    height: int


class Answer(BaseModel, Generic[Data]):
    code: int
    msg: str
    data: Data


class Limits:
    """Calls of a member in this second, in the memory of this process."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._second = 0
        self._used: dict[int, int] = {}

    def check(self, member: int) -> None:
        second = time.time_ns() // 1_000_000_000
        if second != self._second:
            self._second, self._used = second, {}
        used = self._used[member] = self._used.get(member, 0) + 1
        if used > self._most:
            raise HTTPException(429)


class Doors:
    """What the process opens when it starts."""

    pool: "asyncpg.Pool[asyncpg.Record]"
    session: async_sessionmaker[AsyncSession]


_doors: Final = Doors()
_reads: Final = Limits(_TERMS.rate_read)
_money: Final = Limits(_TERMS.rate_money)


@asynccontextmanager
async def _lifespan(_: FastAPI) -> AsyncIterator[None]:
    url = os.environ[URL]
    engine = create_async_engine(
        "postgresql+asyncpg://",
        async_creator=lambda: asyncpg.connect(url),
        pool_size=CONNECTIONS,
        max_overflow=0,
    )
    _doors.session = async_sessionmaker(engine, expire_on_commit=False)
    async with asyncpg.create_pool(url) as _doors.pool:
        yield
    await engine.dispose()


async def database() -> AsyncIterator[AsyncSession]:
    async with _doors.session() as db:
        yield db


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


async def pooled_caller(authorization: Annotated[str, Header()]) -> tuple[int, str]:
    row = await _doors.pool.fetchrow(
        """
        SELECT m.id, m.account FROM sessions s JOIN members m ON m.id = s.member
        WHERE s.token_hash = $1 AND s.until_at > $2
        """,
        _digest(authorization),
        Clock.wall(),
    )
    if row is None:
        raise HTTPException(401)
    _reads.check(row["id"])
    return row["id"], row["account"]


async def caller(authorization: Annotated[str, Header()], db: Annotated[AsyncSession, Depends(database)]) -> Member:
    found: Member | None = await db.scalar(
        select(Member)
        .join(Session, Session.member == Member.id)
        .where(Session.token_hash == _digest(authorization), Session.until_at > Clock.wall())
    )
    if found is None:
        raise HTTPException(401)
    _money.check(found.id)
    return found


async def trivial(
    _: Empty, member: Annotated[tuple[int, str], Depends(pooled_caller)], lang: Annotated[str, Header()] = "en"
) -> Answer[Trivial]:
    spoken = language_of(lang)
    return Answer(code=200, msg=say(spoken, "page.done"), data=Trivial(account=member[1], lang=spoken))


async def beton(
    body: BetBody,
    member: Annotated[Member, Depends(caller)],
    db: Annotated[AsyncSession, Depends(database)],
    lang: Annotated[str, Header()] = "en",
) -> Answer[Receipt]:
    spoken = language_of(lang)
    try:
        data = await _place(db, member.id, body)
    except Refusal as refusal:
        raise HTTPException(refusal.code, refusal.name) from refusal
    return Answer(code=200, msg=say(spoken, "page.done"), data=data)


async def _place(db: AsyncSession, member: int, body: BetBody) -> Receipt:
    """One transaction, committed before the answer. Raises: Refusal, HTTPException."""
    scene, asked = rules.find_scene(_TERMS, body.scene_id), rules.read_round_id(body.round)
    asset = BY_CODE.get(body.balance_type)
    if scene is None or asked is None or asked[0] != scene:
        raise HTTPException(404)
    if asset is None or asset not in _TERMS.bet_min or body.option not in scene.game.options:
        raise HTTPException(400)
    stake = parse_amount(body.amount, asset).units
    if stake < _TERMS.bet_min[asset].units:
        raise HTTPException(400, "below_minimum")
    number = scene.round_number(asked[1])
    found = (
        await db.execute(
            select(Round, Height).join(Height, Height.closes_at == Round.closes_at).where(Round.number == number)
        )
    ).one_or_none()
    limit = await db.get(Limit, (asked[1], asset.code))
    at = Clock.wall()
    if found is None or limit is None:
        raise HTTPException(404)
    if found[1].state != "open" or at >= asked[1]:
        raise HTTPException(422, "round_closed")
    print_ = _digest(f"{BETON}\0{body.model_dump_json()}")
    key = Key(
        at=at,
        key=UUID(bytes=_digest(f"{member}\0{BETON}\0{body.request_id}")[:16]),
        fingerprint=int.from_bytes(print_[:8], "big", signed=True),
    )
    db.add(key)
    await db.flush()
    multiple = scene.game.multiple(_TERMS)
    balance = await _hold(db, key.id, member, asset, stake, at)
    db.add(
        Placed(
            id=key.id,
            hold=key.id * 8,
            at=at,
            member=member,
            round=number,
            closes_at=asked[1],
            game=scene.game.name,
            asset=asset.code,
            option=body.option,
            units=stake,
            multiple=rules.rate_text(multiple),
            nonce=secrets.token_hex(16),
            status="awaiting_draw",
            prize_units=None,
            tie=False,
        )
    )
    costs = rules.exposure(scene.game, body.option, stake, multiple)
    await _take_room(db, member, asset, limit, costs)
    await db.commit()
    nothing = text_of(0, asset)
    return Receipt(
        id=str(key.id),
        kind=STAKE,
        status="awaiting_draw",
        asset=asset.code,
        amount=text_of(stake, asset),
        fee=nothing,
        fee_asset=asset.code,
        received=nothing,
        balance=text_of(balance, asset),
        at=at,
        bet_id=str(key.id),
        round=body.round,
        height=found[1].height,
    )


async def _hold(db: AsyncSession, posting: int, member: int, asset: Asset, units: int, at: int) -> int:
    """Move the stake from the member's available account to the held one. Returns what stays available."""
    source_id, target_id = available(member, asset), held(member, asset)
    pair = select(Account).where(Account.id.in_([source_id, target_id])).order_by(Account.id).with_for_update()
    locked = {account.id: account for account in await db.scalars(pair)}
    source, target = locked.get(source_id), locked.get(target_id)
    if source is None or source.balance < units:
        raise HTTPException(422, "insufficient_balance")
    if target is None:
        target = Account(id=target_id, balance=0, version=0)
        db.add(target)
    source.balance -= units
    source.version += 1
    target.balance += units
    target.version += 1
    db.add(Hold(id=posting * 8, account_id=target_id, left_units=units, reference=posting, kind=_KIND, state="open"))
    db.add(_entry(posting, source, target, units, at, business_day(at)))
    return source.balance


def _entry(posting: int, source: Account, target: Account, units: int, at: int, day: date) -> Entry:
    return Entry(
        id=posting,
        posting_id=posting,
        from_id=source.id,
        to_id=target.id,
        amount=units,
        from_version=source.version,
        to_version=target.version,
        from_balance=source.balance,
        to_balance=target.balance,
        reference=posting,
        at=at,
        day=day,
        kind=_KIND,
    )


async def _take_room(db: AsyncSession, member: int, asset: Asset, limit: Limit, costs: tuple[int, ...]) -> None:
    """From the member's share, then from the room that all share: all else is sent before that is locked."""
    names = quota_of_member(limit.closes_at, asset, member), quota_of_height(limit.closes_at, asset)
    mine = await db.get(Quota, names[0], with_for_update=True)
    if mine is None:
        share = times_down(limit.units, _TERMS.member_exposure)
        mine = Quota(id=names[0], left_units=[share] * rules.DIGITS, version=0)
        db.add(mine)
    _take(mine, costs)
    await db.flush()
    whole = await db.get(Quota, names[1], with_for_update=True)
    if whole is None:
        raise HTTPException(422, "betting_closed")
    _take(whole, costs)


def _take(quota: Quota, costs: tuple[int, ...]) -> None:
    left = [have - cost for have, cost in zip(quota.left_units, costs, strict=True)]
    if min(left) < 0:
        raise HTTPException(422, "limit_reached")
    quota.left_units = left
    quota.version += 1


app: Final = FastAPI(lifespan=_lifespan, openapi_url=None)
app.add_api_route(PATH, trivial, methods=["POST"], response_model=Answer[Trivial])
app.add_api_route(BETON, beton, methods=["POST"], response_model=Answer[Receipt])
