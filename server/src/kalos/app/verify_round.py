"""`verify-round`: recompute a round from the answer of game/getBlock and any node of the chain, without the platform.

python -m kalos.app.verify_round ANSWER --rpc URL [--bets BETS]

ANSWER is a file (or - for standard input) with the answer of game/getBlock {round}; BETS one with the answer of
game/orderList, whose bets of this round are proven and recomputed too. Exit codes: 0 all fits, 1 something doesn't,
2 the inputs can't be read or the node doesn't answer.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import httpx

from kalos.core.assets import BY_CODE
from kalos.core.merkle import Step, follow, leaf_hash
from kalos.core.money import parse_amount, text_of
from kalos.core.ports import Block
from kalos.domains.games import rules
from kalos.domains.games.rules import Game

_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was recomputed."""

    fits: bool
    text: str


class Unreadable(Exception):
    """What was given can't be checked at all."""


def check_round(answer: dict[str, Any], decider: Block | None, before: Block | None, head: int) -> Iterator[Check]:
    """Recompute a round: `decider` is the chain's block at its height, `before` the one its height was counted from."""
    read = rules.read_round_id(answer["round"])
    if read is None:
        raise Unreadable(f"{answer['round']!r} is not a round")
    scene, closes_at = read
    yield Check(closes_at == answer["closes_at"], f"the round closes at {closes_at}, a multiple of {scene.seconds} s")
    yield _height(answer, closes_at)
    if before is not None:
        known_at = answer["published_at"] + answer["block_seconds"] * 1000
        yield Check(before.time * 1000 <= known_at, f"block {before.number} was there when the height was published")
    if answer["state"] in ("open", "sealed"):
        raise Unreadable("the round isn't drawn yet: only its height can be checked")
    if not answer["provisional"]:
        confirmed = answer["void_reason"] == "no_block" or head - answer["height"] >= answer["required"]
        yield Check(confirmed, f"the result has {answer['required']} confirmations")
    yield from _result(answer, scene.game, decider, closes_at)


def check_bet(answer: dict[str, Any], bet: dict[str, Any]) -> Iterator[Check]:
    """Prove that a bet is in its round's root, and recompute what became of it."""
    name = f"bet {bet['bet_id']}"
    found = follow(
        leaf_hash(bet["leaf"].encode()),
        [Step(step["side"], bytes.fromhex(step["hash"])) for step in bet["proof"] or ()],
    )
    yield Check(found.hex() == answer["merkle_root"], f"{name} is in the root of all {answer['bet_count']} bets")
    asset = BY_CODE[bet["balance_type"]]
    told = rules.bet_leaf(
        round_id=answer["round"],
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
        f"{name}: {bet['amount']} {asset} on {bet['option']} at {bet['multiple']} is what the root holds",
    )
    if bet["status"] == "awaiting_draw":
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


def _height(answer: dict[str, Any], closes_at: int) -> Check:
    height = rules.deciding_height(
        head=answer["published_head"],
        now=answer["published_at"],
        closes_at=closes_at,
        block_seconds=answer["block_seconds"],
        margin=answer["margin"],
    )
    return Check(height == answer["height"], f"the height follows from its publication: {height}")


def _result(answer: dict[str, Any], game: Game, decider: Block | None, closes_at: int) -> Iterator[Check]:
    window, height = answer["result_window"], answer["height"]
    if answer["void_reason"] == "no_block":
        late = decider is None or decider.time * 1000 > closes_at + window * 1000
        yield Check(late, f"block {height} didn't come in time")
        return
    if decider is None:
        yield Check(False, f"the chain has no block {height}")
        return
    reason = rules.void_reason(
        block_hash=decider.hash, block_time=decider.time, closes_at=closes_at, window_seconds=window
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


async def verify(answer: dict[str, Any], bets: Sequence[dict[str, Any]], rpc_url: str) -> list[Check]:
    """Raises: Unreadable."""
    try:
        async with httpx.AsyncClient(base_url=rpc_url, timeout=_SECONDS) as rpc:
            decider, before = await _block(rpc, answer["height"]), await _block(rpc, answer["published_head"])
            head = int(await _ask(rpc, "eth_blockNumber"), 16)
        checks = list(check_round(answer, decider, before, head))
        for bet in bets:
            checks += check_bet(answer, bet) if bet["round"] == answer["round"] else ()
    except (KeyError, TypeError, ValueError, AssertionError) as problem:
        raise Unreadable(f"this is no answer of game/getBlock {{round}}: {problem!r}") from problem
    return checks


async def run(arguments: Sequence[str]) -> int:
    """Print every check and the verdict. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="verify-round", description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("answer", help="file with the answer of game/getBlock {round}, or -")
    parser.add_argument("--rpc", required=True, help="JSON-RPC address of any node of the chain")
    parser.add_argument("--bets", help="file with the answer of game/orderList")
    options = parser.parse_args(arguments)
    try:
        answer = _read(options.answer)
        listed = _read(options.bets) if options.bets else []
        bets = listed["list"] if isinstance(listed, dict) else listed
        checks = await verify(answer, bets, options.rpc)
    except Unreadable as problem:
        print(f"can't verify: {problem}", file=sys.stderr)
        return 2
    for check in checks:
        print(f"{'  fits' if check.fits else 'DIFFERS'}  {check.text}")
    sound = all(check.fits for check in checks)
    print(f"round {answer['round']}: " + ("as the chain says" if sound else "NOT as the chain says"))
    return 0 if sound else 1


async def main(_: object, arguments: Sequence[str]) -> None:
    """The command of `kalos.app.cli`. Raises: SystemExit with the exit code."""
    sys.exit(await run(arguments))


if __name__ == "__main__":
    sys.exit(asyncio.run(run(sys.argv[1:])))
