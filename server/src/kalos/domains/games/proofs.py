"""Inclusion proofs: the way from a bet's leaf to its round's root."""

import math
from array import array
from bisect import bisect, bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import msgspec

from kalos.core.database import Database
from kalos.core.errors import TooMany
from kalos.core.merkle import Step, Tree, leaf_hash
from kalos.domains.games import queries
from kalos.domains.games.tables import Bet, Height, Round

PIECE: Final = 1_024
"""Bets of a round are hashed in pieces of so many: a power of two, so that the pieces' roots are nodes of the tree."""
_MOST_KEPT: Final = 128
"""Pieces that a process keeps: of 74 kB each, so 10 MB at most."""
_MOST_PAGES: Final = 4
_pages: Final[Counter[int]] = Counter()


@dataclass(frozen=True, slots=True)
class Piece:
    """The ids of a piece's bets, and the tree over their leaves: as they are since the round's root was published."""

    ids: "array[int]"
    tree: Tree

    def path(self, bet: int) -> list[Step]:
        place = bisect_left(self.ids, bet)
        assert self.ids[place] == bet, bet
        return self.tree.path(place)


@contextmanager
def place(member: int) -> Iterator[None]:
    """One of the few pages of bets that a process proves to one member at a time.

    Pieces are read one at a time: whoever asks for more pages than that would fill everybody's places with what waits.
    Raises: TooMany.
    """
    if _pages[member] >= _MOST_PAGES:
        raise TooMany(retry_after=1)
    _pages[member] += 1
    try:
        yield
    finally:
        _pages[member] -= 1
        if not _pages[member]:
            del _pages[member]


async def list_paths(db: Database, bets: Sequence[tuple[Bet, Round, Height]]) -> list[list[Step] | None]:
    """Of each bet the path to its piece's root, then from there to the round's; None before that is published."""
    tops: dict[int, tuple[list[int], Tree]] = {}
    paths: list[list[Step] | None] = []
    for bet, one, height in bets:
        if one.pieces is None:
            paths.append(None)
            continue
        if one.number not in tops:
            tops[one.number] = _top(one.pieces)
        firsts, top = tops[one.number]
        place = bisect(firsts, bet.id) - 1
        key = (one.number, firsts[place], one.leaf_version, height.height)
        piece = await db.shared(_read_piece, key, seconds=math.inf, most=_MOST_KEPT)
        assert piece is not None, key
        paths.append(piece.path(bet.id) + top.path(place))
    return paths


def _top(pieces: str) -> tuple[list[int], Tree]:
    """The first bet of each piece, and the tree over their roots."""
    roots: list[tuple[int, str]] = msgspec.json.decode(pieces)
    return [first for first, _ in roots], Tree([bytes.fromhex(root) for _, root in roots])


async def _read_piece(db: Database, key: tuple[int, int, int, int]) -> Piece:
    """The piece of the round of this number that begins with this bet; its leaves have this form and this height."""
    number, first, *form = key
    bets = await queries.list_piece(db, number, first=first, limit=PIECE)
    hashes = [leaf_hash(bet.leaf(*form).encode()) for bet in bets]
    return Piece(array("q", [bet.id for bet in bets]), Tree(hashes))
