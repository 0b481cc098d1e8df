"""The rows of the peer over HTTP, besides those of `orm.py`."""

from sqlalchemy import BigInteger, SmallInteger
from sqlalchemy.orm import Mapped, mapped_column

from orm import Base


class Hold(Base):
    __tablename__ = "holds"
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int]
    left_units: Mapped[int]
    reference: Mapped[int]
    kind: Mapped[int] = mapped_column(SmallInteger)
    state: Mapped[str]


class Placed(Base):
    """The product's bets; `orm.bets` are those of L1."""

    __tablename__ = "placed"
    id: Mapped[int] = mapped_column(primary_key=True)
    hold: Mapped[int]
    at: Mapped[int]
    member: Mapped[int]
    round: Mapped[int]
    closes_at: Mapped[int]
    game: Mapped[str]
    asset: Mapped[str]
    option: Mapped[str]
    units: Mapped[int]
    multiple: Mapped[str]
    nonce: Mapped[str]
    status: Mapped[str]
    prize_units: Mapped[int | None] = mapped_column(BigInteger)
    tie: Mapped[bool]


class _Product(Base):
    """A table of the product itself, which the peer only reads."""

    __abstract__ = True
    __table_args__ = {"schema": "public"}  # noqa: RUF012 - as SQLAlchemy has it


class Session(_Product):
    __tablename__ = "sessions"
    token_hash: Mapped[bytes] = mapped_column(primary_key=True)
    member: Mapped[int]
    until_at: Mapped[int]


class Member(_Product):
    __tablename__ = "members"
    id: Mapped[int] = mapped_column(primary_key=True)
    account: Mapped[str]


class Round(_Product):
    __tablename__ = "rounds"
    number: Mapped[int] = mapped_column(primary_key=True)
    closes_at: Mapped[int]


class Height(_Product):
    __tablename__ = "heights"
    closes_at: Mapped[int] = mapped_column(primary_key=True)
    height: Mapped[int]
    state: Mapped[str]


class Limit(_Product):
    __tablename__ = "height_limits"
    closes_at: Mapped[int] = mapped_column(primary_key=True)
    asset: Mapped[str] = mapped_column(primary_key=True)
    units: Mapped[int]
