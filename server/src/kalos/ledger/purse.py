"""Names of accounts: (owner, asset, purpose) packed into one 64-bit id, so that none has to be looked up.

An id is owner << 16 | asset number << 8 | purpose number. Owners under `FIRST_MEMBER` are the house and the outside.
"""

from enum import IntEnum
from typing import Final

from kalos.core.assets import BY_NUMBER, Asset

OUTSIDE: Final = 1
HOUSE: Final = 2
FIRST_MEMBER: Final = 1000


class Purpose(IntEnum):
    """What an account is for; a number never changes. Source: ledger.md, "Accounts"."""

    AVAILABLE = 1
    HELD = 2
    LOCKED = 3
    CLAIMABLE = 4
    GAME = 5
    PLEDGED = 6
    COLLATERAL = 7
    CARD = 8
    BANKROLL = 32
    BANKROLL_RESERVED = 33
    KLS_STOCK = 34
    FEES = 35
    MARKETING = 36
    SUSPENSE = 37
    LENDING_POOL = 38
    INSURANCE_POOL = 39
    DIVVY_PENDING = 40
    DIVIDEND_POOL = 41
    NFT_POOL = 42
    CONSUMER_POOL = 43
    INSURANCE_RESERVED = 44
    TICKET_TRUST = 45
    RACER_POOL = 46
    QUIZ_POOL = 47
    JACKPOT = 48
    PRIZE_POOL = 49
    USA_RESERVE = 50
    USO_RESERVE = 51
    SHOP_ESCROW = 52
    REVENUE = 53
    CHAIN = 96
    ISSUANCE = 97
    BURNED = 98
    ISSUER = 99


def account(owner: int, asset: Asset, purpose: Purpose) -> int:
    return owner << 16 | asset.number << 8 | purpose


def available(member: int, asset: Asset) -> int:
    return account(member, asset, Purpose.AVAILABLE)


def held(member: int, asset: Asset) -> int:
    return account(member, asset, Purpose.HELD)


def house(purpose: Purpose, asset: Asset) -> int:
    return account(HOUSE, asset, purpose)


def outside(purpose: Purpose, asset: Asset) -> int:
    return account(OUTSIDE, asset, purpose)


def owner_of(account_id: int) -> int:
    return account_id >> 16


def asset_of(account_id: int) -> Asset:
    return BY_NUMBER[account_id >> 8 & 0xFF]


def purpose_of(account_id: int) -> Purpose:
    return Purpose(account_id & 0xFF)


def may_be_negative(account_id: int) -> bool:
    """Only the outside world's accounts go below zero: what custody holds, what is issued."""
    return owner_of(account_id) == OUTSIDE
