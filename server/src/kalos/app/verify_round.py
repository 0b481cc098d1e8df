"""`verify-round`: recompute a round from the answer of game/getBlock and any node of the chain, without the platform.

python -m kalos.app.verify_round ANSWER --rpc URL [--bets BETS] [--block-seconds N] [--confirmations N]

ANSWER is a file (or - for standard input) with the answer of game/getBlock {round}; BETS one with the answer of
game/orderList, whose bets of this round are proven and recomputed too. The answer's own numbers decide nothing: margin,
window and delay are those of terms.toml, blocks and confirmations those given. Exit codes: 0 all fits, 1 something
doesn't, 2 the inputs can't be read or the node doesn't answer, 3 nothing differs, but not all can be told.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx

from kalos.adapters.http import HttpClient
from kalos.core.assets import BY_CODE
from kalos.core.merkle import Step, follow, leaf_hash
from kalos.core.money import parse_amount, text_of
from kalos.core.ports import Block
from kalos.core.terms import load_terms
from kalos.domains.games import rules
from kalos.domains.games.rules import Game

_SECONDS = 10
_TERMS = Path(__file__).parents[3] / "terms.toml"
_LOCAL_CHAIN = 31337  # the id of a developer's own node, whose blocks come on command
_VERDICTS = {True: "  fits", False: "DIFFERS", None: "UNKNOWN"}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was recomputed; `fits` is None where chain or leaf don't tell."""

    fits: bool | None
    text: str


@dataclass(frozen=True, slots=True)
class Promised:
    """What the rules fix for every round: seconds, but `margin` and `confirmations` in blocks, and `multiples` by game.

    Source: terms.toml.
    """

    block_seconds: int
    confirmations: int
    margin: int
    result_window: int
    void_after_seconds: int
    multiples: Mapping[str, Fraction]

    @classmethod
    def of(cls, *, block_seconds: int = 2, confirmations: int = 3) -> "Promised":
        """The verifier's own copy of terms.toml beside two facts of the chain."""
        terms = load_terms(_TERMS)
        multiples = {name: game.multiple(terms) for name, game in rules.GAMES.items()}
        return cls(
            block_seconds, confirmations, terms.scene_margin, terms.result_window, terms.void_after * 60, multiples
        )


@dataclass(frozen=True, slots=True)
class Seen:
    """What the chain has of a round: `decider` at its height, `below` the newest block under that.

    `around` are the five blocks from the second before `published_head` on, None where there is none.
    """

    head: int
    decider: Block | None
    below: Block | None
    around: tuple[Block | None, ...]
    is_local: bool


class Unreadable(Exception):
    """What was given can't be checked at all."""


def check_round(answer: dict[str, Any], seen: Seen, promised: Promised) -> Iterator[Check]:
    """Recompute a round by what the chain has and the rules promise; of the answer only what they allow is believed.

    Raises: Unreadable. Source: games.md, "Rounds on the chain".
    """
    read = rules.read_round_id(answer["round"])
    if read is None:
        raise Unreadable(f"{answer['round']!r} is not a round")
    scene, closes_at = read
    yield Check(closes_at == answer["closes_at"], f"the round closes at {closes_at}, a multiple of {scene.seconds} s")
    yield _numbers(answer, promised)
    yield _height(answer, closes_at, promised)
    yield from _publication(answer, seen, promised)
    if answer["state"] in ("open", "sealed"):
        raise Unreadable("the round isn't drawn yet: only its height can be checked")
    if answer["state"] != "drawn" or not answer["provisional"]:
        confirmed = answer["void_reason"] == "no_block" or seen.head - answer["height"] >= promised.confirmations
        yield Check(confirmed, f"the result has {promised.confirmations} confirmations")
    yield from _result(answer, scene.game, seen, closes_at, promised)


def check_bet(answer: dict[str, Any], bet: dict[str, Any], promised: Promised) -> Iterator[Check]:
    """Prove that a bet is in its round's root, and recompute what became of it."""
    name = f"bet {bet['bet_id']}"
    found = follow(
        leaf_hash(bet["leaf"].encode()),
        [Step(step["side"], bytes.fromhex(step["hash"])) for step in bet["proof"] or ()],
    )
    yield Check(found.hex() == answer["merkle_root"], f"{name} is in the root of all {answer['bet_count']} bets")
    asset, version = BY_CODE[bet["balance_type"]], rules.leaf_version(bet["leaf"])
    told = rules.bet_leaf(
        version=version or rules.LEAF_VERSION,
        round_id=answer["round"],
        height=answer["height"],
        bet_id=int(bet["bet_id"]),
        asset=asset,
        option=bet["option"],
        amount=bet["amount"],
        multiple=bet["multiple"],
        at=bet["time"],
        nonce=bet["leaf"].rpartition("|")[2],
    )
    yield Check(
        told == bet["leaf"],
        f"{name}: {bet['amount']} {asset} on {bet['option']} at {bet['multiple']} is what the root holds for it",
    )
    if version == 1:
        yield Check(None, f"{name} has a leaf of the first form, which names no block: the root doesn't hold it")
    yield Check(bet["height"] == answer["height"], f"{name} was promised block {bet['height']}")
    multiple = promised.multiples[answer["game"]]
    yield Check(Fraction(bet["multiple"]) == multiple, f"{name}: the rules' multiple is {float(multiple):g}")
    if bet["status"] == "awaiting_draw":
        if answer["state"] in ("settled", "void"):
            yield Check(False, f"{name} is paid, as the round is over (or its list was read before that)")
        return
    void = answer["void_reason"] is not None
    end = rules.end_of(
        rules.GAMES[answer["game"]],
        bet["option"],
        parse_amount(bet["amount"], asset).units,
        Fraction(bet["multiple"]),
        bet_at=bet["time"],
        block_hash=None if void else answer["block"]["hash"],
        block_time=0 if void else answer["block"]["time"] // 1000,
    )
    fits = (end.status, text_of(end.prize_units, asset), end.tie) == (bet["status"], bet["prize"], bet["tie"])
    yield Check(fits, f"{name} is {end.status} and gets {text_of(end.prize_units, asset)} {asset}")


def _numbers(answer: dict[str, Any], promised: Promised) -> Check:
    told = [answer[name] for name in ("block_seconds", "margin", "result_window", "required")]
    own = [promised.block_seconds, promised.margin, promised.result_window, promised.confirmations]
    blocks, margin, window, confirmations = own
    return Check(
        told == own,
        f"its numbers are the rules': blocks of {blocks} s, a margin of {margin}, a window of {window} s,"
        f" {confirmations} confirmations",
    )


def _height(answer: dict[str, Any], closes_at: int, promised: Promised) -> Check:
    height = rules.deciding_height(
        head=answer["published_head"],
        now=answer["published_at"],
        closes_at=closes_at,
        block_seconds=promised.block_seconds,
        margin=promised.margin,
    )
    return Check(height == answer["height"], f"the height follows from its publication: {height}")


def _publication(answer: dict[str, Any], seen: Seen, promised: Promised) -> Iterator[Check]:
    """Whether the head that the height was counted from was the newest block when that was published.

    A block's stamp has whole seconds and is known a little later: one block's time either way is allowed for. A height
    that is off by one can therefore pass here.
    """
    _, _, published, following, _ = seen.around
    number, at, slack = answer["published_head"], answer["published_at"], promised.block_seconds * 1000
    if published is None:
        yield Check(False, f"the chain has no block {number}, from which the height was counted")
        return
    fits: Callable[[bool], bool | None] = (lambda _: None) if _ran_ahead(seen) else bool
    why = ": blocks were made on command, stamps don't tell" if _ran_ahead(seen) else ""
    yield Check(
        fits(published.time * 1000 <= at + slack), f"block {number} was there when the height was published{why}"
    )
    if following is not None:
        yield Check(fits(following.time * 1000 >= at - slack), f"block {number + 1} wasn't there yet{why}")


def _ran_ahead(seen: Seen) -> bool:
    """Whether blocks there may be stamped ahead of their time, so that stamps don't tell what was known when.

    On a local node a call may mine many at once, each a second after the one before, until time has caught up. No other
    chain's blocks come on command.
    """
    stamps = [block.time for block in seen.around if block is not None]
    quick = [later - earlier <= 1 for earlier, later in pairwise(stamps)]
    return seen.is_local and any(both == (True, True) for both in pairwise(quick))


def _result(answer: dict[str, Any], game: Game, seen: Seen, closes_at: int, promised: Promised) -> Iterator[Check]:
    height, decider = answer["height"], seen.decider
    if answer["void_reason"] == "no_block":
        due = closes_at + promised.void_after_seconds * 1000
        overdue = seen.below is not None and seen.below.time * 1000 >= due
        yield Check(overdue, f"block {height} was not there {promised.void_after_seconds} s after the close")
        return
    if decider is None:
        yield Check(False, f"the chain has no block {height}")
        return
    reason = rules.void_reason(
        block_hash=decider.hash, block_time=decider.time, closes_at=closes_at, window_seconds=promised.result_window
    )
    told = answer["block"] or {}
    same = (told.get("hash"), told.get("parent"), told.get("time")) == (
        decider.hash,
        decider.parent,
        decider.time * 1000,
    )
    yield Check(same, f"block {height} of the chain is {decider.hash}")
    digit, place = rules.deciding_digit(decider.hash) or (None, None)
    yield Check((digit, place) == (told.get("digit"), told.get("digit_index")), f"its last digit is {digit}")
    outcome = None if reason is not None else game.outcome(rules.digits_of(decider.hash))
    reason = reason if reason is not None or outcome is not None else "no_digit"
    yield Check(reason == answer["void_reason"], f"the round is {'void: ' + reason if reason else 'valid'}")
    yield Check(outcome == answer["outcome"], f"its outcome is {outcome}")


async def _ask(rpc: httpx.AsyncClient, method: str, *params: Any) -> Any:
    try:
        answered = await rpc.post("", json={"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        found = answered.json()
    except (httpx.HTTPError, ValueError) as problem:
        raise Unreadable(f"the node doesn't answer: {problem!r}") from problem
    if "result" not in found:
        raise Unreadable(f"the node answers {method} with {found.get('error')}")
    return found["result"]


async def _block(rpc: httpx.AsyncClient, number: int) -> Block | None:
    if number < 0:
        return None
    found = await _ask(rpc, "eth_getBlockByNumber", hex(number), False)
    if found is None:
        return None
    return Block(int(found["number"], 16), found["hash"], found["parentHash"], int(found["timestamp"], 16))


def _read(place: str) -> Any:
    """The `data` of a call's answer, whole or as it is."""
    try:
        text = sys.stdin.read() if place == "-" else Path(place).read_text(encoding="utf-8")
        read = json.loads(text)
    except (OSError, ValueError) as problem:
        raise Unreadable(f"{place} can't be read: {problem}") from problem
    return read["data"] if isinstance(read, dict) and "data" in read else read


async def look(rpc: httpx.AsyncClient, *, height: int, published_head: int) -> Seen:
    """What the chain has of a round. Raises: Unreadable."""
    head = int(await _ask(rpc, "eth_blockNumber"), 16)
    chain = int(await _ask(rpc, "eth_chainId"), 16)
    around = [await _block(rpc, number) for number in range(published_head - 2, published_head + 3)]
    below = await _block(rpc, min(head, height - 1))
    return Seen(head, await _block(rpc, height), below, tuple(around), chain == _LOCAL_CHAIN)


async def verify(
    answer: dict[str, Any], bets: Sequence[dict[str, Any]], rpc_url: str, promised: Promised
) -> list[Check]:
    """Raises: Unreadable."""
    try:
        async with HttpClient(base_url=rpc_url, timeout=_SECONDS) as rpc:
            seen = await look(rpc, height=answer["height"], published_head=answer["published_head"])
        checks = list(check_round(answer, seen, promised))
        for bet in bets:
            checks += check_bet(answer, bet, promised) if bet["round"] == answer["round"] else ()
    except (KeyError, TypeError, ValueError, AssertionError) as problem:
        raise Unreadable(f"this is no answer of game/getBlock {{round}}: {problem!r}") from problem
    return checks


async def run(arguments: Sequence[str]) -> int:
    """Print every check and the verdict. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="verify-round", description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("answer", help="file with the answer of game/getBlock {round}, or -")
    parser.add_argument("--rpc", required=True, help="JSON-RPC address of any node of the chain")
    parser.add_argument("--bets", help="file with the answer of game/orderList")
    parser.add_argument("--block-seconds", type=int, default=2, help="time between two blocks of the chain (2)")
    parser.add_argument("--confirmations", type=int, default=3, help="blocks on top that make a result final (3)")
    options = parser.parse_args(arguments)
    promised = Promised.of(block_seconds=options.block_seconds, confirmations=options.confirmations)
    try:
        answer = _read(options.answer)
        listed: Any = _read(options.bets) if options.bets else []
        bets = listed["list"] if isinstance(listed, dict) and "list" in listed else listed
        checks = await verify(answer, bets, options.rpc, promised)
    except Unreadable as problem:
        print(f"can't verify: {problem}", file=sys.stderr)
        return 2
    for check in checks:
        print(f"{_VERDICTS[check.fits]}  {check.text}")
    verdict, code = _verdict(checks)
    print(f"round {answer['round']}: {verdict}")
    return code


def _verdict(checks: Sequence[Check]) -> tuple[str, int]:
    """The last line and the exit code."""
    if any(check.fits is False for check in checks):
        return "NOT as the chain says", 1
    if any(check.fits is None for check in checks):
        return "nothing differs, but not everything can be told", 3
    return "as the chain says", 0


async def main(_: object, arguments: Sequence[str]) -> None:
    """The command of `kalos.app.cli`. Raises: SystemExit with the exit code."""
    sys.exit(await run(arguments))


if __name__ == "__main__":
    sys.exit(asyncio.run(run(sys.argv[1:])))
