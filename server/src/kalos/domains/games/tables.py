"""Rows of the games, written through postings by the writer alone, and the names of their quotas."""

from typing import Final

import msgspec

from kalos.core.assets import ASSETS, BY_CODE, Asset
from kalos.core.money import text_of
from kalos.domains.games import rules
from kalos.domains.games.rules import BetStatus, RoundState, VoidReason

HEIGHTS: Final = "heights"
LIMITS: Final = "height_limits"
ROUNDS: Final = "rounds"
BETS: Final = "bets"


class Height(msgspec.Struct, frozen=True):
    """The block that decides all rounds closing at `closes_at`; fixed with the head and time it follows from.

    `rounds` and `draws` count what was written, so that two workers can't write the same twice; `final_at` is when
    the result was fixed for good, `settled_at` when the last coin was paid.
    """

    closes_at: int
    serial: int
    height: int
    published_at: int
    published_head: int
    block_seconds: int
    margin: int
    state: RoundState = "open"
    rounds: int = 1
    draws: int = 0
    sealed_at: int | None = None
    block_hash: str | None = None
    block_parent: str | None = None
    block_time: int | None = None
    digit: int | None = None
    void_reason: VoidReason | None = None
    final_at: int | None = None
    settled_at: int | None = None

    def is_due(self, *, head: int, now: int) -> bool:
        """Whether betting has to end."""
        block = {"height": self.height, "margin": self.margin}
        return self.state == "open" and rules.must_seal(head=head, now=now, closes_at=self.closes_at, **block)


class Limit(msgspec.Struct, frozen=True):
    """What the bets of one asset on a height may cost the house; it lies in bankroll_reserved."""

    closes_at: int
    asset: str
    units: int


class Round(msgspec.Struct, frozen=True):
    """One scene's round. `pieces` are [first bet id, root] of each 1,024 bets; with them a proof needs few rows.

    `leaf_version` is the form in which its bets stand in its tree.
    """

    number: int
    closes_at: int
    game: str
    seconds: int
    opens_at: int
    bet_count: int | None = None
    merkle_root: str | None = None
    pieces: str | None = None
    leaf_version: int = rules.LEAF_VERSION


class Bet(msgspec.Struct, frozen=True):
    """`id` is its posting's, `hold` keeps the stake; `prize_units` is what came back (None while it waits)."""

    id: int
    hold: int
    at: int
    member: int
    round: int
    closes_at: int
    game: str
    asset: str
    option: str
    units: int
    multiple: str
    nonce: str
    status: BetStatus
    prize_units: int | None
    tie: bool

    def leaf(self, version: int, height: int) -> str:
        """Its text in the tree of its round, which `height` decides."""
        asset = BY_CODE[self.asset]
        return rules.bet_leaf(
            version=version,
            height=height,
            round_id=rules.scene_of(self.game, self.closes_at, self.round).round_id(self.closes_at),
            bet_id=self.id,
            asset=asset,
            option=self.option,
            amount=text_of(self.units, asset),
            multiple=self.multiple,
            at=self.at,
            nonce=self.nonce,
        )


def quota_of_height(closes_at: int, asset: Asset) -> str:
    return f"game.height:{closes_at}:{asset.code}"


def quota_of_member(closes_at: int, asset: Asset, member: int) -> str:
    return f"game.member:{closes_at}:{asset.code}:{member}"


def quotas_of(closes_at: int, limits: dict[str, int]) -> list[str]:
    return [quota_of_height(closes_at, asset) for asset in ASSETS if asset.code in limits]
