"""The peer that is met most: SQLAlchemy's ORM, a session and a commit for each posting, rows locked, the same rows."""

import time
import uuid
from datetime import date
from typing import Any, Final

import asyncpg
from sqlalchemy import ARRAY, JSON, BigInteger, MetaData, Sequence, SmallInteger, select
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from kalos.core.clock import business_day
from ours import BANKROLL
from rowlock import CONNECTIONS, Bets


class Base(DeclarativeBase):
    metadata = MetaData(schema="orm")
    type_annotation_map: Final = {int: BigInteger, list[int]: ARRAY(BigInteger), dict[str, Any]: JSON}


IDS: Final = Sequence("ids", metadata=Base.metadata)


class Account(Base):
    __tablename__ = "accounts"
    id: Mapped[int] = mapped_column(primary_key=True)
    balance: Mapped[int]
    version: Mapped[int]


class Entry(Base):
    __tablename__ = "journal"
    id: Mapped[int] = mapped_column(primary_key=True)
    posting_id: Mapped[int]
    from_id: Mapped[int]
    to_id: Mapped[int]
    amount: Mapped[int]
    from_version: Mapped[int]
    to_version: Mapped[int]
    from_balance: Mapped[int]
    to_balance: Mapped[int]
    reference: Mapped[int]
    at: Mapped[int]
    day: Mapped[date]
    kind: Mapped[int] = mapped_column(SmallInteger)


class Key(Base):
    __tablename__ = "keys"
    id: Mapped[int] = mapped_column(IDS, server_default=IDS.next_value())
    at: Mapped[int]
    key: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    fingerprint: Mapped[int]


class Quota(Base):
    __tablename__ = "quotas"
    id: Mapped[str] = mapped_column(primary_key=True)
    left_units: Mapped[list[int]]
    version: Mapped[int]


class Fact(Base):
    __tablename__ = "outbox"
    id: Mapped[int] = mapped_column(primary_key=True)
    posting_id: Mapped[int]
    topic: Mapped[str]
    body: Mapped[dict[str, Any]]
    at: Mapped[int]


class Bet(Base):
    __tablename__ = "bets"
    id: Mapped[int] = mapped_column(primary_key=True)
    member: Mapped[int]
    round: Mapped[int]
    option: Mapped[str]
    stake: Mapped[int]
    at: Mapped[int]
    day: Mapped[date]
    state: Mapped[str]


class Orm(Bets):
    """An engine with as many connections as postings in flight."""

    name, schema = "ORM", "orm"

    def __init__(self, url: str, connections: int = CONNECTIONS) -> None:
        super().__init__()
        self._engine: AsyncEngine = create_async_engine(
            "postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(url), pool_size=connections, max_overflow=0
        )
        self._session = async_sessionmaker(self._engine, expire_on_commit=False)

    async def close(self) -> None:
        await self._engine.dispose()

    async def _post(
        self, kind: str, source: int, target: int, units: int, number: int, quotas: tuple[str, ...] = ()
    ) -> None:
        at = time.time_ns() // 1_000_000
        async with self._session() as db, db.begin():
            key = Key(at=at, key=uuid.uuid4(), fingerprint=0)
            db.add(key)
            await db.flush()
            if quotas:
                member = source if source != BANKROLL else target
                await _write_bet(db, key.id, member, units, number, quotas, at)
            await self._move(db, key.id, kind, source, target, units, at)
        self.bets += bool(quotas)
        self.moves += 1

    async def _move(
        self, db: AsyncSession, posting: int, kind: str, source: int, target: int, units: int, at: int
    ) -> None:
        pair = select(Account).where(Account.id.in_([source, target])).order_by(Account.id).with_for_update()
        locked = {account.id: account for account in await db.scalars(pair)}
        one, other = locked[source], locked[target]
        assert one.balance >= units
        one.balance -= units
        one.version += 1
        other.balance += units
        other.version += 1
        db.add(
            Entry(
                id=posting,
                posting_id=posting,
                from_id=source,
                to_id=target,
                amount=units,
                from_version=one.version,
                to_version=other.version,
                from_balance=one.balance,
                to_balance=other.balance,
                reference=posting,
                at=at,
                day=business_day(at),
                kind=self._kinds[kind],
            )
        )


async def _write_bet(
    db: AsyncSession, posting: int, member: int, units: int, number: int, names: tuple[str, ...], at: int
) -> None:
    vector = (1, -1) if number & 1 else (-1, 1)
    quotas = select(Quota).where(Quota.id.in_(names)).order_by(Quota.id).with_for_update()
    for quota in await db.scalars(quotas):
        quota.left_units = [have - vector[index & 1] for index, have in enumerate(quota.left_units)]
        quota.version += 1
    db.add(
        Bet(
            id=posting,
            member=member,
            round=1,
            option="odd" if number & 1 else "even",
            stake=units,
            at=at,
            day=business_day(at),
            state="awaiting_draw",
        )
    )
    db.add(Fact(id=posting, posting_id=posting, topic="bets", body={"round": "1"}, at=at))
