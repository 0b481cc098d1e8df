"""What happens in a simulation: drawn from its seed alone, whatever comes of it."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

MEMBERS: Final = 6
RICH: Final = 0
"""The member who has enough for more than a day."""
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
REVIEWERS: Final = 3
DAY, OVER_DAY, TOO_LITTLE = "the day's room", "one unit over the day's room", "one unit under the minimum"
OLD, NEW, LISTED, WAITING, ANOTHERS = "old", "new", "listed", "waiting", "another's"
"""Entries of a book: only the first three may be paid to, and people look at the second and third."""


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
    """Coins are sent to an owner's address (member None: the house's), from one on the list of sanctions or not."""

    member: int | None
    asset: str
    units: int
    is_listed: bool = False


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
    """Units that a member gets over days: of a pool that is often empty, of KLS set aside, or from outside."""

    number: int
    member: int
    source: str
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


@dataclass(frozen=True, slots=True)
class Withdraw:
    """`times` callers send the same request at once, the first in a process that ends at its effect `crash_at`."""

    number: int
    member: int
    asset: str
    amount: str | int
    entry: str
    buys_fee: bool
    times: int
    patience_ms: int | None
    crash_at: int | None


@dataclass(frozen=True, slots=True)
class Review:
    """A reviewer says yes or no to one of the withdrawals that wait; as with each `pick`, to whichever it is then."""

    pick: int
    reviewer: int
    is_yes: bool
    crash_at: int | None


@dataclass(frozen=True, slots=True)
class End:
    """The signer's word on a withdrawal that is on its way: approved, failed, or given back to people."""

    pick: int
    outcome: str


@dataclass(frozen=True, slots=True)
class Decide:
    """A top-up that waits is credited or refused."""

    number: int
    pick: int
    verdict: str
    crash_at: int | None


@dataclass(frozen=True, slots=True)
class Correct:
    """One orders a correction between two accounts (a number is a member's), another one signs it."""

    number: int
    source: int | str
    target: int | str
    asset: str
    units: int
    crash_at: int | None


@dataclass(frozen=True, slots=True)
class Issue:
    """One orders that KLS is issued to the house's stock, another one signs it."""

    number: int
    units: int
    crash_at: int | None


@dataclass(frozen=True, slots=True)
class Stop:
    """Somebody stops money out."""

    number: int


@dataclass(frozen=True, slots=True)
class Resume:
    """The operator lets money out again, where an audit in the midst of it all finds nothing."""


Plays = Bet | Arrive | Give | Pay | Grant | Work | Strike | Reorganise | Pass
Leaves = Withdraw | Review | End | Decide | Correct | Issue | Stop | Resume
Intent = Plays | Leaves
Moment = tuple[Intent, ...]
"""What happens at once."""


def draw(seed: int, moments: int) -> Iterator[Moment]:
    """So many moments; the same seed gives the same ones."""
    chance, other = random.Random(seed), random.Random(f"{seed} out")
    blow = 0
    for number in range(moments):
        if number % STRIKE_EVERY == 0:
            blow = number + chance.randrange(STRIKE_EVERY)
        moment = [_intent(chance, number * 10 + place) for place in range(chance.randint(1, 6))]
        moment += [_leaving(other, number * 10 + 6 + place) for place in range(other.choice((0, 0, 1, 1)))]
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
    return Grant(
        number, chance.randrange(MEMBERS), chance.choice(("pool", "pool", "set aside", "outside")), units, days
    )


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


def _leaving(chance: random.Random, number: int) -> Intent:
    """What leads out of the platform, and what the house's people do."""
    makes = (_withdraw, _review, _end, _decide, _listed, _correct, _issue, _stop, _resume)
    (make,) = chance.choices(makes, (44, 16, 14, 6, 4, 5, 3, 2, 9))
    return make(chance, number)


def _withdraw(chance: random.Random, number: int) -> Withdraw:
    asset = chance.choice(("USDT", "USDT", "USDT", "KLS"))
    scale = 10**6 if asset == "USDT" else 10**8
    plain = chance.randint(10 * scale, 300 * scale)
    large = chance.choice((10_000 * scale, chance.randint(10_001 * scale, 49_999 * scale), 50_000 * scale))
    amount = chance.choices((plain, large, ALL, OVER, DAY, OVER_DAY, TOO_LITTLE), (60, 16, 6, 4, 4, 4, 6))[0]
    return Withdraw(
        number=number,
        member=RICH if amount in (large, DAY, OVER_DAY) else chance.randrange(MEMBERS),
        asset="USDT" if amount in (DAY, OVER_DAY) else asset,
        amount=amount,
        entry=chance.choices((OLD, NEW, LISTED, WAITING, ANOTHERS), (60, 20, 10, 6, 4))[0],
        buys_fee=chance.random() < 0.85,
        times=chance.choices((1, 2, 4), (70, 20, 10))[0],
        patience_ms=chance.choice((None, None, None, chance.randint(0, 30))),
        crash_at=chance.choice((None, None, chance.randint(0, 8))),
    )


def _review(chance: random.Random, number: int) -> Review:
    crash_at = chance.choice((None, None, chance.randint(0, 3)))
    return Review(chance.randrange(100), chance.randrange(REVIEWERS), chance.random() < 0.7, crash_at)


def _end(chance: random.Random, number: int) -> End:
    return End(chance.randrange(100), chance.choices(("approved", "failed", "returned"), (60, 25, 15))[0])


def _decide(chance: random.Random, number: int) -> Decide:
    crash_at = chance.choice((None, None, chance.randint(0, 3)))
    return Decide(number, chance.randrange(100), chance.choice(("credit", "refuse")), crash_at)


def _listed(chance: random.Random, number: int) -> Arrive:
    member = chance.choice((*range(MEMBERS), None))
    return Arrive(member, chance.choice(("USDT", "USDT", "KLS")), chance.randint(1, 10**9), is_listed=True)


def _correct(chance: random.Random, number: int) -> Correct:
    house = ("bankroll", "kls_stock", "insurance_pool")
    source = chance.choice((*range(MEMBERS), *house, "revenue"))
    target = chance.choice((*range(MEMBERS), *house))
    units = chance.choice((1, chance.randint(1, 10**9), chance.randint(10**9, 10**11)))
    crash_at = chance.choice((None, None, chance.randint(0, 8)))
    return Correct(number, source, target, chance.choice(("USDT", "KLS")), units, crash_at)


def _issue(chance: random.Random, number: int) -> Issue:
    return Issue(number, chance.randint(1, 10**11), chance.choice((None, None, chance.randint(0, 8))))


def _stop(chance: random.Random, number: int) -> Stop:
    return Stop(number)


def _resume(chance: random.Random, number: int) -> Resume:
    return Resume()
