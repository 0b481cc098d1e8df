"""What no row of a height, a round or a bet may say, PostgreSQL itself refuses: each constraint, written to by hand."""

from functools import partial
from typing import Any, Final

from support import constraints
from support.constraints import *  # noqa: F403 - pytest finds its tests here

_HASH: Final = "0x" + "ab" * 32
_BLOCK: Final = {"block_hash": _HASH, "block_parent": _HASH, "block_time": 60_001}
_DRAWN: Final = {"state": "drawn", "sealed_at": 60_000, "digit": 3} | _BLOCK

# A row that each table takes: a case changes what its constraint looks at, and nothing else.
ROWS: Final[dict[str, dict[str, Any]]] = {
    "heights": {
        "closes_at": 60_000,
        "serial": 1,
        "height": 100,
        "published_at": 1,
        "published_head": 50,
        "block_seconds": 2,
        "margin": 5,
        "state": "open",
        "rounds": 1,
        "draws": 0,
        "sealed_at": None,
        "block_hash": None,
        "block_parent": None,
        "block_time": None,
        "digit": None,
        "void_reason": None,
        "final_at": None,
        "settled_at": None,
    },
    "height_limits": {"closes_at": 60_000, "asset": "USDT", "units": 5},
    "rounds": {
        "number": 1,
        "closes_at": 60_000,
        "game": "odd_even",
        "seconds": 60,
        "opens_at": 1,
        "bet_count": None,
        "merkle_root": None,
        "pieces": None,
        "leaf_version": 2,
    },
    "bets": {
        "id": 1,
        "hold": 8,
        "at": 1,
        "member": 1000,
        "round": 1,
        "closes_at": 60_000,
        "game": "odd_even",
        "asset": "USDT",
        "option": "odd",
        "units": 5,
        "multiple": "1.96",
        "nonce": "ab" * 16,
        "status": "awaiting_draw",
        "prize_units": None,
        "tie": False,
    },
}

row, twice = partial(constraints.insert, ROWS), partial(constraints.twice, ROWS)
CASES: Final[dict[str, str]] = {
    "heights_pkey": twice("heights", serial=2, height=101),
    "heights_height_key": twice("heights", serial=2, closes_at=90_000),
    "heights_serial_key": twice("heights", height=101, closes_at=90_000),
    "heights_closes_at_check": row("heights", closes_at=60_001),
    "heights_serial_check": row("heights", serial=0),
    "heights_check": row("heights", published_head=100),
    "heights_check1": row("heights", published_at=60_000),
    "heights_published_head_check": row("heights", published_head=-1),
    "heights_block_seconds_check": row("heights", block_seconds=0),
    "heights_margin_check": row("heights", margin=0),
    "heights_rounds_check": row("heights", rounds=0),
    "heights_draws_check": row("heights", draws=-1),
    "heights_state_check": "ALTER TABLE heights DROP CONSTRAINT heights_drawn;"
    + row("heights", state="lost", sealed_at=1),
    "heights_sealed": row("heights", sealed_at=1),
    "heights_block": row("heights", **_DRAWN | {"block_time": None}),
    "heights_block/parent": row("heights", **_DRAWN | {"block_parent": None}),
    "heights_block_hash_check": row("heights", **_DRAWN | {"block_hash": "0x"}),
    "heights_block_parent_check": row("heights", **_DRAWN | {"block_parent": "0x"}),
    "heights_digit_check": row("heights", **_DRAWN | {"digit": 10}),
    "heights_drawn": row("heights", digit=3),
    "heights_drawn/without a block": row("heights", state="drawn", sealed_at=1),
    "heights_final": row("heights", final_at=1),
    "heights_settled": row("heights", **_DRAWN | {"state": "settled"}),
    "heights_settled/not final": row("heights", **_DRAWN | {"state": "settled", "settled_at": 1}),
    "heights_void": row("heights", **_DRAWN | {"state": "void", "final_at": 1, "settled_at": 1}),
    "heights_void/settled": row(
        "heights", **_DRAWN | {"state": "settled", "final_at": 1, "settled_at": 1, "void_reason": "no_digit"}
    ),
    "heights_void_reason_check": row(
        "heights", **_DRAWN | {"state": "void", "final_at": 1, "settled_at": 1, "void_reason": "why"}
    ),
    "height_limits_pkey": twice("height_limits", units=6),
    "height_limits_asset_check": row("height_limits", asset="USDC"),
    "height_limits_units_check": row("height_limits", units=0),
    "rounds_pkey": twice("rounds", seconds=90),
    "rounds_closes_at_game_seconds_key": twice("rounds", number=2),
    "rounds_check": row("rounds", opens_at=60_000),
    "rounds_game_check": row("rounds", game="Odd"),
    "rounds_seconds_check": row("rounds", seconds=0),
    "rounds_leaf_version_check": row("rounds", leaf_version=3),
    "rounds_bet_count_check": row("rounds", bet_count=-1, merkle_root="ab" * 32, pieces="[]"),
    "rounds_merkle_root_check": row("rounds", bet_count=0, merkle_root="x", pieces="[]"),
    "rounds_root": row("rounds", bet_count=0, merkle_root="ab" * 32),
    "rounds_root/count": row("rounds", merkle_root="ab" * 32, pieces="[]"),
    "bets_pkey": twice("bets"),
    "bets_check": row("bets", hold=9),
    "bets_check1": row("bets", at=60_000),
    "bets_member_check": row("bets", member=999),
    "bets_asset_check": row("bets", asset="USDC"),
    "bets_option_check": row("bets", option="Odd"),
    "bets_units_check": row("bets", units=0),
    "bets_multiple_check": row("bets", multiple="0.5"),
    "bets_nonce_check": row("bets", nonce="ab"),
    "bets_status_check": row("bets", status="lost", prize_units=5),
    "bets_prize": row("bets", prize_units=0),
    "bets_prize/won": row("bets", status="won", prize_units=4),
    "bets_prize/void": row("bets", status="void", prize_units=6),
    "bets_prize/lost": row("bets", status="not_won", prize_units=5),
    "bets_prize/tie": row("bets", status="not_won", prize_units=0, tie=True),
}
