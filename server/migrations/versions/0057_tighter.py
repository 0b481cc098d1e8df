"""What no row could mean is refused by its table: numbers that are none, coins without a name, states without their fields."""

from alembic import op

revision = "0057_tighter"
down_revision = "0056_strays"
branch_labels = None
depends_on = None

_ADDRESS = "'^0x[0-9a-fA-F]{40}$'"
_HASH = "'^0x[0-9a-f]{64}$'"
_COIN = "'^[A-Z_]{2,12}$'"


def _whole(column: str) -> str:
    """Neither a fraction nor NaN, which is above every number: `min_scale` gives NULL of it."""
    return f"coalesce(min_scale({column}), 1) = 0"


CHECKS = {
    "signer_nonces": {
        "units_whole": _whole("units"),
        "coin": f"CASE WHEN asset IS NULL THEN purpose IN ('gas', 'found') ELSE purpose <> 'gas' AND asset ~ {_COIN} END",
    },
    "broadcasts": {
        "fees_whole": f"{_whole('max_fee')} AND {_whole('tip')}",
        "sender_check": f"sender ~ {_ADDRESS}",
    },
    "signer_state": {
        "native_units_whole": f"native_units IS NULL OR {_whole('native_units')}",
        "hot_check": f"hot ~ {_ADDRESS}",
    },
    "signer_alarms": {"told": "reason <> ''"},
    "sweep_sums": {"units_whole": _whole("units"), "asset_check": f"asset ~ {_COIN}"},
    "sweep_news": {"units_whole": _whole("units"), "asset_check": f"asset ~ {_COIN}"},
    "strays": {"units_a_number": "units <> 'NaN'"},
    "deposit_cursors": {"hash_check": f"hash ~ {_HASH}"},
    "deposit_blocks": {"hash_check": f"hash ~ {_HASH}"},
    "deposit_addresses": {"made_at_check": "made_at >= 0"},
    "broadcast_ends": {"at_check": "at >= 0"},
    "wallet_nonces": {"text_said": "text <> ''"},
    # One that the ledger refused after both had signed was refused by nobody of staff.
    "commands": {
        "outcome_check": "(outcome IS NOT NULL) = (state = 'refused')",
        "refused": "refused_by IS NULL OR state = 'refused'",
        "undecided": "checker IS NULL OR state NOT IN ('open', 'expired')",
    },
    "corrections": {
        "asset_check": f"asset ~ {_COIN}",
        "maker_check": "length(maker) BETWEEN 1 AND 100",
        "checker_check": "length(checker) BETWEEN 1 AND 100",
    },
    "staff": {"last_step_check": "last_step >= 0"},
    "switches": {"two_people": "checker <> ordered_by"},
    "number_orders": {"two_people": "checker <> ordered_by"},
    # None is above every limit, and a reminder has nobody to protect from changing it.
    "player_limits": {"waits_above": "next_from IS NULL OR value IS NOT NULL AND kind <> 'reminder'"},
    "teams": {"inviter_check": "inviter <> member"},
    "turnover_prices": {"asset_check": f"asset ~ {_COIN}", "at_check": "at >= 0"},
    "domain_outbox": {"body_check": "jsonb_typeof(body) = 'object'", "due_at_check": "due_at >= 0"},
}


def upgrade() -> None:
    for table, checks in CHECKS.items():
        for name, check in checks.items():
            op.execute(f"ALTER TABLE {table} ADD CONSTRAINT {table}_{name} CHECK ({check})")


def downgrade() -> None:
    raise NotImplementedError("a table stays as strict as it was: restore a backup")
