"""What a digit means, what a bet may cost the house, when a round closes and which block decides it."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cache, lru_cache
from math import ceil
from typing import Final, Literal

from kalos.core.assets import Asset
from kalos.core.money import times_down
from kalos.core.ports import ChainTerms
from kalos.core.terms import BadTerms, Terms

DIGITS: Final = 10
OPEN_AHEAD_MS: Final = 5_000
"""A round is opened this long before the one before it closes, so that a scene is never without."""

MOST_HOT: Final = 3
LEAF_VERSION: Final = 2
"""The form of the leaves of rounds that are opened now."""

_LEAF_FORMS: Final = {f"bet{version}": version for version in (1, LEAF_VERSION)}
_SCENE_STEP: Final = 30
_LONGEST_SCENE: Final = 1_800
_ROUND_ID = re.compile(r"([a-z0-9_]{1,32}-[1-9][0-9]{1,3})-([1-9][0-9]{0,11})", re.ASCII)

RoundState = Literal["open", "sealed", "drawn", "settled", "void"]
BetStatus = Literal["awaiting_draw", "won", "not_won", "void"]
Fate = Literal["won", "not_won", "void"]
VoidReason = Literal["late_block", "no_digit", "no_block"]


@dataclass(frozen=True, slots=True)
class End:
    """How a bet ended and what comes back, stake included. A tie is not won, but gives the stake back."""

    status: Fate
    prize_units: int
    tie: bool


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """A game is its table: what each digit may mean, and which meanings an option wins or ties on.

    A digit of several meanings leaves the decision to the next digit at its left. `number` never changes.
    """

    name: str
    number: int
    meanings: tuple[tuple[str, ...], ...]
    wins: Mapping[str, frozenset[str]]
    profit: Callable[[Terms], Fraction]
    ties: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(self.wins)

    def multiple(self, terms: Terms) -> Fraction:
        """What a win pays for each coin of the stake, stake included."""
        return _multiple(self, terms)

    def outcome(self, digits: str) -> str | None:
        """The meaning of a block's digits, read from the last to the left; None where none decides."""
        for digit in reversed(digits):
            meaning = self.meanings[int(digit)]
            if len(meaning) == 1:
                return meaning[0]
        return None

    def pays(self, option: str, outcome: str, units: int, multiple: Fraction) -> int:
        """What a stake of `units` gets back: the prize, rounded down; the stake for a tie; nothing."""
        if outcome in self.wins[option]:
            return times_down(units, multiple)
        return units if outcome in self.ties.get(option, ()) else 0

    def chance(self, option: str) -> Fraction:
        """The part of all blocks that this option wins on."""
        return _part(self.meanings, self.wins[option])

    def return_to_player(self, terms: Terms) -> Fraction:
        """The smallest return of any option: chance x multiple, ties at 1."""
        return min(
            self.chance(option) * self.multiple(terms) + _part(self.meanings, self.ties.get(option, frozenset()))
            for option in self.options
        )


@cache
def _multiple(game: Game, terms: Terms) -> Fraction:
    return 1 + game.profit(terms)


ODD_EVEN: Final = Game(
    name="odd_even",
    number=1,
    meanings=(("even",), ("odd",)) * 5,
    wins={"odd": frozenset({"odd"}), "even": frozenset({"even"})},
    profit=lambda terms: terms.odd_even_profit,
)
GAMES: Final = {game.name: game for game in (ODD_EVEN,)}


@dataclass(frozen=True, slots=True)
class Scene:
    """A game with the seconds of its rounds."""

    game: Game
    seconds: int

    @property
    def id(self) -> str:
        return f"{self.game.name}-{self.seconds}"

    def round_id(self, closes_at: int) -> str:
        return f"{self.id}-{closes_at // 1000}"

    def round_number(self, closes_at: int) -> int:
        """The round's key: rounds of one T lie side by side, later ones above. T is a multiple of 30,000 ms."""
        return closes_at + self.game.number * 2_000 + self.seconds


def scenes(terms: Terms) -> list[Scene]:
    return [Scene(game, seconds) for game in GAMES.values() for seconds in terms.scene_seconds]


def scene_of(game: str, closes_at: int, round_number: int) -> Scene:
    """The scene that a round's key was made from."""
    return Scene(GAMES[game], round_number - closes_at - GAMES[game].number * 2_000)


def find_scene(terms: Terms, scene_id: str) -> Scene | None:
    return _scenes_by_id(terms).get(scene_id)


@cache
def _scenes_by_id(terms: Terms) -> dict[str, Scene]:
    return {scene.id: scene for scene in scenes(terms)}


def read_round_id(text: str) -> tuple[Scene, int] | None:
    """The scene and T of a round's id as people see it; None where it can't be one."""
    match = _ROUND_ID.fullmatch(text)
    if match is None:
        return None
    name, _, seconds = match[1].rpartition("-")
    closes_at = int(match[2]) * 1000
    if name not in GAMES or not _fits(int(seconds)) or closes_at % (int(seconds) * 1000):
        return None
    return Scene(GAMES[name], int(seconds)), closes_at


def check_terms(terms: Terms, chain: ChainTerms) -> None:
    """Refuse to start with scenes whose block would come too late, or with a game that gives back too much.

    Raises: BadTerms. Source: games.md, "Rounds on the chain", "House rules".
    """
    if (terms.scene_margin + 2) * chain.block_seconds > terms.result_window:
        late = f"({terms.scene_margin} + 2) x {chain.block_seconds} s is over {terms.result_window} s"
        raise BadTerms(f"{late}: (scene_margin + 2) x BLOCK_SECONDS must be within result_window")
    if not all(_fits(seconds) for seconds in terms.scene_seconds):
        raise BadTerms(f"scene_seconds are multiples of {_SCENE_STEP} up to {_LONGEST_SCENE}")
    for game in GAMES.values():
        if 1 - game.return_to_player(terms) < terms.edge_min:
            raise BadTerms(f"{game.name} leaves the house less than edge_min")


def next_closes(scene: Scene, now: int) -> int:
    """The T of the round to open: the first multiple of the scene's seconds that isn't about to pass."""
    step = scene.seconds * 1000
    return ((now + OPEN_AHEAD_MS) // step + 1) * step


def deciding_height(*, head: int, now: int, closes_at: int, block_seconds: int, margin: int) -> int:
    """The height that decides T, fixed `now`. Source: games.md, "Rounds on the chain"."""
    assert now < closes_at
    return head + ceil(Fraction(closes_at - now, block_seconds * 1000)) + margin


def seen_at(block_time: int | None, *, asked_at: int, told_at: int) -> int:
    """When a block was the newest that had been asked for and told of at these times, in milliseconds like its own.

    An answer may take long, and blocks may come meanwhile: what is counted from it is counted from then, not from now.
    """
    return min(max(asked_at, block_time or 0), told_at)


def must_seal(*, head: int, now: int, closes_at: int, height: int, margin: int) -> bool:
    """Betting ends at T, or earlier where the chain runs ahead."""
    return now >= closes_at or head >= height - margin


def digits_of(block_hash: str) -> str:
    """The decimal digits of a hash in their order, without a leading 0x."""
    return "".join(letter for letter in block_hash.removeprefix("0x") if letter in "0123456789")


def deciding_digit(block_hash: str) -> tuple[int, int] | None:
    """The last digit and its place in the hash as written; None where it has none."""
    start = 2 if block_hash.startswith("0x") else 0
    for place in range(len(block_hash) - 1, start - 1, -1):
        if block_hash[place] in "0123456789":
            return int(block_hash[place]), place
    return None


def void_reason(*, block_hash: str, block_time: int, closes_at: int, window_seconds: int) -> VoidReason | None:
    """Why this block decides nothing: it came too late by its own time, or it has no digit."""
    if block_time * 1000 > closes_at + window_seconds * 1000:
        return "late_block"
    return "no_digit" if deciding_digit(block_hash) is None else None


def is_late(*, bet_at: int, block_time: int) -> bool:
    """Whether a bet was committed when its block may have been known; it is refunded, alone."""
    return bet_at >= block_time * 1000


def end_of(
    game: Game, option: str, units: int, multiple: Fraction, *, bet_at: int, block_hash: str | None, block_time: int
) -> End:
    """What becomes of a bet when its block is final; `block_hash` is None where the round is void."""
    outcome = None if block_hash is None else game.outcome(digits_of(block_hash))
    if outcome is None or is_late(bet_at=bet_at, block_time=block_time):
        return End("void", units, tie=False)
    if outcome in game.wins[option]:
        return End("won", game.pays(option, outcome, units, multiple), tie=False)
    back = game.pays(option, outcome, units, multiple)
    return End("not_won", back, tie=back > 0)


def losing_options(block_hash: str) -> list[str]:
    """Every `game.option` that this block leaves without anything."""
    digits = digits_of(block_hash)
    drawn = [(game, game.outcome(digits)) for game in GAMES.values()]
    return [
        f"{game.name}.{option}"
        for game, outcome in drawn
        for option in game.options
        if outcome is not None and game.pays(option, outcome, 1, Fraction(1)) == 0
    ]


def exposure(game: Game, option: str, units: int, multiple: Fraction) -> tuple[int, ...]:
    """What the bet takes from the room of each digit: what is owed if it is drawn less the stake.

    Where a digit leaves several meanings, the dearest one counts.
    """
    costs = (-units, 0, times_down(units, multiple) - units)
    return tuple([costs[fate] for fate in _dearest(game, option)])


@cache
def _dearest(game: Game, option: str) -> tuple[int, ...]:
    """By digit the dearest that it can mean for the house: 0 the bet is lost, 1 it ties, 2 it wins."""
    ties, wins = game.ties.get(option, frozenset()), game.wins[option]
    return tuple(
        max(2 if meaning in wins else int(meaning in ties) for meaning in meanings) for meanings in game.meanings
    )


@cache
def multiple_text(game: Game, terms: Terms) -> str:
    return rate_text(game.multiple(terms))


@lru_cache(maxsize=1_000)
def member_share(terms: Terms, limit: int) -> tuple[int, ...]:
    """What one member's bets may take from the room of each digit."""
    return (times_down(limit, terms.member_exposure),) * DIGITS


def room(game: Game, option: str, left: Sequence[int], multiple: Fraction) -> int:
    """The largest stake on `option` that the room `left` of each digit still covers."""
    covered = [
        left[digit]
        for digit, meanings in enumerate(game.meanings)
        if any(meaning in game.wins[option] for meaning in meanings)
    ]
    # pays - units <= left, and pays = floor(units x multiple)
    return max(ceil(Fraction(min(covered) + 1) / (multiple - 1)) - 1, 0)


def height_limit(terms: Terms, bankroll: int, reserved: int) -> int:
    """What one height may cost; 0 where it doesn't fit into the sum of all reservations."""
    limit = times_down(bankroll, terms.draw_exposure)
    return limit if reserved + limit <= times_down(bankroll, terms.total_exposure) else 0


def bet_leaf(
    *,
    version: int,
    round_id: str,
    height: int,
    bet_id: int,
    asset: Asset,
    option: str,
    amount: str,
    multiple: str,
    at: int,
    nonce: str,
) -> str:
    """The text that stands for a bet in its round's Merkle tree; `nonce` keeps it from being guessed.

    The first form doesn't name the block: by it alone a bet could be said to have been decided by another one.
    """
    decided_by = round_id if version == 1 else f"{round_id}|{height}"
    return f"bet{version}|{decided_by}|{bet_id}|{asset.code}|{option}|{amount}|{multiple}|{at}|{nonce}"


def leaf_version(leaf: str) -> int | None:
    """The form of a leaf; None where it is none that rounds ever had."""
    return _LEAF_FORMS.get(leaf.partition("|")[0])


def hottest(bettors: Mapping[str, int]) -> list[str]:
    """The games that most members bet in, in that order; none that nobody bets in. Source: games.md, `game/index`."""
    played = [name for name, members in bettors.items() if members > 0]
    return sorted(played, key=lambda name: (-bettors[name], name))[:MOST_HOT]


def facts(game: Game, terms: Terms, chain: ChainTerms) -> dict[str, int | str]:
    """The numbers that the sentences of a game's description name; parts are in percent."""
    back = game.return_to_player(terms) * 100
    return {
        "window": terms.result_window,
        "void_after": terms.void_after,
        "confirmations": chain.confirmations,
        "multiple": rate_text(game.multiple(terms)),
        "back": rate_text(back),
        "edge": rate_text(100 - back),
    }


@lru_cache(maxsize=1_000)
def rate_text(rate: Fraction) -> str:
    """A rate as a decimal string: 39/20 is "1.95"; at most 12 decimals."""
    text = f"{Decimal(rate.numerator) / Decimal(rate.denominator):.12f}"
    return text.rstrip("0").removesuffix(".")


def _part(meanings: Sequence[tuple[str, ...]], among: frozenset[str]) -> Fraction:
    """The part of digits that mean one of `among`; a digit of several meanings counts as the others do."""
    clear = [meaning[0] for meaning in meanings if len(meaning) == 1]
    return Fraction(sum(meaning in among for meaning in clear), len(clear))


def _fits(seconds: int) -> bool:
    return seconds % _SCENE_STEP == 0 and 0 < seconds <= _LONGEST_SCENE
