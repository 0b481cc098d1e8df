"""What happens in a simulation: drawn from its seed alone, whatever comes of it."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

MEMBERS: Final = 6
SCENES: Final = ("odd_even-60", "odd_even-180")
ALL, OVER, ROOM, OVER_ROOM = "all", "one unit over all", "the room", "one unit over the room"
HOSTILE: Final = (
    *("0", "-1", "+5", "1e3", "0.0000001", "NaN", "１０", " 5", "1_000", "05", "", "0x10", "1,5"),
    *("0.999999", "1000000000000000000", "9223372036854.775808", "1.999999999"),
)
ARRIVALS: Final = (1, 999_999, 1_000_000, 4_999_999, 9_999_999, 10_000_000, 10_000_001, 123_456_789, 10**15, 2**63)
POINTS: Final = ("queued", "decided", "sent", "committed", "answered_half", "hold_resolved_in_part")
DAY_SECONDS: Final = 86_400
STRIKE_EVERY: Final = 20


@dataclass(frozen=True, slots=True)
class Bet:
    """`times` callers send the same request at once; each gives up after `patience_ms` (None: never)."""

    number: int
    member: int
    scene: str
    option: str
    asset: str
    amount: str
    times: int
    patience_ms: int | None


@dataclass(frozen=True, slots=True)
class Arrive:
    """Coins are sent to an owner's address (member None: the house's)."""

    member: int | None
    asset: str
    units: int


@dataclass(frozen=True, slots=True)
class Give:
    """The treasury issues KLS and hands it to a member."""

    number: int
    member: int
    units: int


@dataclass(frozen=True, slots=True)
class Pay:
    """A member pays a fee, or into the pool that grants are paid from."""

    number: int
    member: int
    asset: str
    units: int
    pool: bool


@dataclass(frozen=True, slots=True)
class Grant:
    """Units that a member gets over days: KLS by issuance, or USDT from a pool that is often empty."""

    number: int
    member: int
    asset: str
    units: int
    days: int


@dataclass(frozen=True, slots=True)
class Work:
    """A worker's turn; it ends at its effect number `crash_at` (None: it doesn't)."""

    crash_at: int | None


@dataclass(frozen=True, slots=True)
class Strike:
    """The writer is killed after so long; the next one ends itself at `point` (empty: it doesn't)."""

    after_ms: int
    point: str


@dataclass(frozen=True, slots=True)
class Reorganise:
    """The chain's last blocks are replaced; their transfers come again, or don't."""

    depth: int
    keep: bool


@dataclass(frozen=True, slots=True)
class Pass:
    """Business time goes forward, and the chain with it as far as it can."""

    seconds: int


Intent = Bet | Arrive | Give | Pay | Grant | Work | Strike | Reorganise | Pass
Moment = tuple[Intent, ...]
"""What happens at once."""


def draw(seed: int, moments: int) -> Iterator[Moment]:
    """So many moments; the same seed gives the same ones."""
    chance = random.Random(seed)
    blow = 0
    for number in range(moments):
        if number % STRIKE_EVERY == 0:
            blow = number + chance.randrange(STRIKE_EVERY)
        moment = [_intent(chance, number * 10 + place) for place in range(chance.randint(1, 6))]
        yield (*moment, _strike(chance)) if number == blow else tuple(moment)


def _intent(chance: random.Random, number: int) -> Intent:
    makes = (_bet, _work, _pass, _arrive, _pay, _grant, _give, _reorganise)
    (make,) = chance.choices(makes, (52, 20, 9, 7, 4, 4, 2, 2))
    return make(chance, number)


def _bet(chance: random.Random, number: int) -> Bet:
    asset = chance.choice(("USDT", "USDT", "KLS"))
    plain = f"{chance.randint(1, 300)}.{chance.randint(0, 999_999):06d}"
    return Bet(
        number=number,
        member=chance.randrange(MEMBERS),
        scene=chance.choice(SCENES),
        option=chance.choice(("odd", "even")),
        asset=asset,
        amount=chance.choices((plain, ALL, OVER, ROOM, OVER_ROOM, chance.choice(HOSTILE)), (70, 4, 4, 5, 5, 12))[0],
        times=chance.choices((1, 2, 5), (80, 15, 5))[0],
        patience_ms=chance.choice((None, None, None, chance.randint(0, 30))),
    )


def _arrive(chance: random.Random, number: int) -> Arrive:
    units = chance.choice((*ARRIVALS, chance.randint(1, 10**9), chance.randint(10**7, 10**10)))
    member = chance.choice((*range(MEMBERS), None))
    return Arrive(member, chance.choice(("USDT", "USDT", "USDT", "KLS")), units)


def _give(chance: random.Random, number: int) -> Give:
    return Give(number, chance.randrange(MEMBERS), chance.randint(1, 500 * 10**8))


def _pay(chance: random.Random, number: int) -> Pay:
    pool = chance.random() < 0.5
    asset = "USDT" if pool else chance.choice(("USDT", "KLS"))
    return Pay(number, chance.randrange(MEMBERS), asset, chance.randint(1, 2 * 10**8), pool)


def _grant(chance: random.Random, number: int) -> Grant:
    units, days = chance.choice((1, 7, chance.randint(1, 5 * 10**8))), chance.randint(1, 12)
    return Grant(number, chance.randrange(MEMBERS), chance.choice(("USDT", "KLS")), units, days)


def _work(chance: random.Random, number: int) -> Work:
    return Work(chance.choice((None, None, chance.randint(0, 25))))


def _strike(chance: random.Random) -> Strike:
    point = f"{chance.choice(POINTS)}:{chance.randint(1, 30)}"
    return Strike(chance.randint(0, 60), chance.choice(("", point)))


def _reorganise(chance: random.Random, number: int) -> Reorganise:
    return Reorganise(chance.randint(1, 2), chance.random() < 0.5)


def _pass(chance: random.Random, number: int) -> Pass:
    some = (chance.randint(1, 10), chance.randint(10, 40), 60, 185)
    long = (chance.randint(601, 7_200), DAY_SECONDS // 2, DAY_SECONDS, 3 * DAY_SECONDS)
    return Pass(chance.choice(some) if chance.random() < 0.85 else chance.choice(long))
