"""Rules of the games, by property."""

import math
from fractions import Fraction
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kalos.core.merkle import EMPTY_ROOT, Tree, follow, leaf_hash, tree_root
from kalos.core.ports import ChainTerms
from kalos.core.terms import BadTerms, Terms
from kalos.domains.games import rules
from kalos.domains.games.rules import GAMES, ODD_EVEN, Game, Scene

HANDS: Final = Game(  # digits that two options tie on, and one that leaves the choice to the next
    name="hands",
    number=9,
    meanings=(("stone",), ("scissors",), ("cloth",)) * 3 + (("stone", "scissors", "cloth"),),
    wins={
        "stone": frozenset({"scissors"}),
        "scissors": frozenset({"cloth"}),
        "cloth": frozenset({"stone"}),
    },
    ties={option: frozenset({option}) for option in ("stone", "scissors", "cloth")},
    profit=lambda _: Fraction(925, 1000),
)
GAMES_OF_TESTS: Final = (ODD_EVEN, HANDS)
MULTIPLE: Final = Fraction(195, 100)
hashes = st.binary(min_size=32, max_size=32).map(lambda raw: "0x" + raw.hex())
stakes = st.integers(1, 10**12)


def bets_of(game: Game) -> st.SearchStrategy[list[tuple[str, int]]]:
    return st.lists(st.tuples(st.sampled_from(game.options), stakes), max_size=60)


@given(hashes)
def test_the_digit_is_the_last_one_of_the_hash(block_hash: str) -> None:
    decimal = [letter for letter in block_hash[2:] if letter.isdigit()]
    found = rules.deciding_digit(block_hash)
    if not decimal:
        assert found is None
    else:
        assert found is not None
        assert found[0] == int(decimal[-1])
        assert block_hash[found[1]] == decimal[-1]
        assert not any(letter.isdigit() for letter in block_hash[found[1] + 1 :])


def test_a_hash_without_digits_decides_nothing() -> None:
    letters = "0x" + "abcdef" * 10 + "abcd"
    assert rules.deciding_digit(letters) is None
    assert rules.void_reason(block_hash=letters, block_time=10, closes_at=10_000, window_seconds=15) == "no_digit"
    assert ODD_EVEN.outcome(rules.digits_of(letters)) is None


@pytest.mark.parametrize(("last", "meaning"), [(digit, ("even", "odd")[digit % 2]) for digit in range(10)])
def test_odd_digits_are_odd(last: int, meaning: str) -> None:
    assert ODD_EVEN.outcome(rules.digits_of(f"0xab7{last}cd")) == meaning


def test_an_ambiguous_digit_leaves_it_to_the_next_at_its_left() -> None:
    assert HANDS.outcome("4199") == "scissors"
    assert HANDS.outcome("999") is None


@given(st.data())
def test_no_digit_costs_more_than_the_limit(data: st.DataObject) -> None:
    """Whatever is accepted by the room of the digits: what is owed less all stakes stays within the limit."""
    game = data.draw(st.sampled_from(GAMES_OF_TESTS))
    limit = data.draw(st.integers(0, 10**12))
    left: tuple[int, ...] = (limit,) * 10
    accepted = []
    for option, units in data.draw(bets_of(game)):
        costs = rules.exposure(game, option, units, MULTIPLE)
        then = tuple(map(int.__sub__, left, costs))
        assert (min(then) >= 0) == (units <= rules.room(game, option, left, MULTIPLE)) or game is HANDS
        if min(then) >= 0:
            left = then
            accepted.append((option, units))
    staked = sum(units for _, units in accepted)
    for meanings in game.meanings:
        for meaning in meanings:
            owed = sum(game.pays(option, meaning, units, MULTIPLE) for option, units in accepted)
            assert owed - staked <= limit


@given(st.sampled_from(ODD_EVEN.options), stakes)
def test_a_bet_takes_from_five_digits_and_gives_to_the_others(option: str, units: int) -> None:
    costs = rules.exposure(ODD_EVEN, option, units, MULTIPLE)
    profit = units * 195 // 100 - units
    winning = [digit for digit in range(10) if ("even", "odd")[digit % 2] == option]
    assert [costs[digit] for digit in range(10)] == [profit if digit in winning else -units for digit in range(10)]


@given(stakes)
def test_prizes_are_rounded_down(units: int) -> None:
    assert ODD_EVEN.pays("odd", "odd", units, MULTIPLE) == math.floor(units * MULTIPLE)
    assert ODD_EVEN.pays("odd", "even", units, MULTIPLE) == 0


def test_a_tie_gives_the_stake_back_and_is_not_won() -> None:
    end = rules.end_of(HANDS, "stone", 7, MULTIPLE, bet_at=1, block_hash="0x3", block_time=5)
    assert (end.status, end.prize_units, end.tie) == ("not_won", 7, True)


@pytest.mark.parametrize(("bet_at", "status"), [(4_999, "won"), (5_000, "void"), (5_001, "void")])
def test_a_bet_from_the_blocks_own_second_on_is_refunded(bet_at: int, status: str) -> None:
    end = rules.end_of(ODD_EVEN, "odd", 10, MULTIPLE, bet_at=bet_at, block_hash="0x1", block_time=5)
    assert end.status == status
    assert end.prize_units == (19 if status == "won" else 10)


@given(st.lists(st.binary(max_size=20), max_size=70), st.sampled_from([1, 2, 4, 8]))
def test_every_bet_is_proven_in_the_root(leaves: list[bytes], piece: int) -> None:
    hashes = [leaf_hash(leaf) for leaf in leaves]
    root = tree_root(hashes)
    pieces = [hashes[start : start + piece] for start in range(0, len(hashes), piece)]
    roots = [tree_root(one) for one in pieces]
    assert tree_root(roots) == root
    whole, top, trees = Tree(hashes), Tree(roots), [Tree(one) for one in pieces]
    for index, start in enumerate(hashes):
        assert follow(start, whole.path(index)) == root
        path = trees[index // piece].path(index % piece) + top.path(index // piece)
        assert path == whole.path(index)
        assert follow(start, path) == root
    if not leaves:
        assert root == EMPTY_ROOT


@given(st.lists(st.binary(max_size=8), min_size=1, max_size=40, unique=True), st.data())
def test_a_dropped_bet_changes_the_root(leaves: list[bytes], data: st.DataObject) -> None:
    dropped = data.draw(st.integers(0, len(leaves) - 1))
    rest = leaves[:dropped] + leaves[dropped + 1 :]
    assert tree_root([leaf_hash(leaf) for leaf in rest]) != tree_root([leaf_hash(leaf) for leaf in leaves])


@given(
    st.integers(0, 10**9),
    st.integers(1_000_000_000_000, 2_000_000_000_000),
    st.integers(1, 200_000),
    st.integers(1, 3),
)
def test_the_block_falls_within_the_window_after_t(head: int, now: int, before: int, block_seconds: int) -> None:
    """On a chain that keeps its time, counted from any moment between two blocks."""
    closes_at = now + before
    height = rules.deciding_height(head=head, now=now, closes_at=closes_at, block_seconds=block_seconds, margin=2)
    for since_block in (0, block_seconds * 1000 - 1):
        mined_at = now - since_block + (height - head) * block_seconds * 1000
        assert closes_at < mined_at <= closes_at + 15_000
    assert not rules.must_seal(head=head, now=now, closes_at=closes_at, height=height, margin=2)


@pytest.mark.parametrize(
    ("head", "now", "sealed"), [(97, 999, False), (97, 1_000, True), (98, 1, True), (500, 1, True)]
)
def test_betting_ends_at_t_or_when_the_chain_runs_ahead(head: int, now: int, sealed: bool) -> None:
    assert rules.must_seal(head=head, now=now, closes_at=1_000, height=100, margin=2) is sealed


@given(st.sampled_from([30, 60, 180]), st.integers(10**9, 4 * 10**9).map(lambda n: n // 1))
def test_round_ids_are_read_back(seconds: int, at: int) -> None:
    scene = Scene(ODD_EVEN, seconds)
    closes_at = rules.next_closes(scene, at * 1000)
    assert rules.read_round_id(scene.round_id(closes_at)) == (scene, closes_at)
    assert rules.scene_of("odd_even", closes_at, scene.round_number(closes_at)) == scene
    assert closes_at % (seconds * 1000) == 0
    assert closes_at > at * 1000 + rules.OPEN_AHEAD_MS


@pytest.mark.parametrize("scene", ["odd_even-60", "odd_even-45", "nothing-60", "odd_even-060", "odd_even-0", "", "-60"])
@pytest.mark.parametrize("time", ["", "-1763740801", "-１７６３７４０８００", "-9999999999999", "-0", "1763740800"])
def test_what_no_round_is_called_is_no_round(scene: str, time: str) -> None:
    assert rules.read_round_id(scene + time) is None


def test_rounds_of_one_time_have_keys_of_their_own(terms: Terms) -> None:
    numbers = [
        Scene(game, seconds).round_number(t)
        for t in (0, 30_000)
        for game in GAMES.values()
        for seconds in range(30, 1_801, 30)
    ]
    assert len(set(numbers)) == len(numbers)
    assert sorted(numbers) == numbers


def test_start_refuses_blocks_that_come_too_late(terms: Terms) -> None:
    rules.check_terms(terms, ChainTerms(1, 3, 3, None))
    with pytest.raises(BadTerms):
        rules.check_terms(terms, ChainTerms(1, 3, 4, None))


def test_odd_even_gives_back_975_of_1000(terms: Terms) -> None:
    assert ODD_EVEN.return_to_player(terms) == Fraction(975, 1000)
    assert HANDS.return_to_player(terms) == Fraction(975, 1000)
    assert [ODD_EVEN.chance(option) for option in ODD_EVEN.options] == [Fraction(1, 2)] * 2


@given(st.integers(0, 10**15), st.integers(0, 10**15))
def test_a_limit_fits_into_all_reservations_or_is_none(terms: Terms, bankroll: int, reserved: int) -> None:
    limit = rules.height_limit(terms, bankroll=bankroll, reserved=reserved)
    assert limit in (0, bankroll // 80)
    assert limit == 0 or reserved + limit <= bankroll // 10


def test_hot_are_the_three_games_that_most_members_bet_in() -> None:
    assert rules.hottest({}) == []
    assert rules.hottest({"odd_even": 0}) == []
    assert rules.hottest({"b": 2, "a": 2, "c": 7, "d": 1, "e": 0}) == ["c", "a", "b"]
