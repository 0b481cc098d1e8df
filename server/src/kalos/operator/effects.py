"""What a decision of staff would change: balances before and after, made of the very moves that it would post."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from kalos.core.assets import KLS
from kalos.core.money import Amount
from kalos.domains.deposits import rules as deposit_rules
from kalos.domains.deposits.service import moves_of
from kalos.domains.deposits.tables import Deposit
from kalos.domains.withdrawals import rules as withdrawal_rules
from kalos.domains.withdrawals.tables import Withdrawal
from kalos.ledger import purse
from kalos.ledger.postings import Resolve
from kalos.ledger.purse import Purpose
from kalos.ledger.statements import balances
from kalos.operator.context import Desk

Answered = Literal["yes", "no", "credit", "refuse"]


@dataclass(frozen=True, slots=True)
class Effect:
    """With `verdict` an account of the member or of the house goes from `before` to `after`."""

    verdict: Answered
    is_house: bool
    place: Purpose
    before: Amount
    after: Amount


async def of_withdrawals(desk: Desk, rows: Sequence[Withdrawal]) -> dict[int, list[Effect]]:
    """Of those that wait: a yes as far as the payment's end, a no at once."""
    waiting = [one for one in rows if one.status == "pending_review"]
    had = await _balances(desk, [one.member for one in waiting])
    return {
        one.id: _effects("yes", _resolved(one, withdrawal_rules.pay(one)), had)
        + _effects("no", _resolved(one, withdrawal_rules.give_back(one)), had)
        for one in waiting
    }


async def of_deposits(desk: Desk, rows: Sequence[Deposit]) -> dict[int, list[Effect]]:
    """Of those that wait, for each verdict that is possible."""
    waiting = [one for one in rows if deposit_rules.verdicts(one)]
    had = await _balances(desk, [one.owner for one in waiting])
    found: dict[int, list[Effect]] = {}
    for one in waiting:
        assert one.reason is not None, one.id
        for verdict in deposit_rules.verdicts(one):
            changes: Counter[int] = Counter()
            for move in moves_of(one, deposit_rules.POSSIBLE[one.reason, verdict]):
                changes[move.source] -= move.units
                changes[move.target] += move.units
            found.setdefault(one.id, []).extend(_effects(verdict, changes, had))
    return found


def _resolved(one: Withdrawal, resolves: Sequence[Resolve]) -> Counter[int]:
    changes: Counter[int] = Counter()
    for part in resolves:
        asset, units = (one.coin, one.units) if part.hold == one.hold else (KLS, one.fee_units)
        changes[purse.held(one.member, asset)] -= units
        changes[part.target] += units
    return changes


async def _balances(desk: Desk, owners: Sequence[int]) -> dict[int, int]:
    return await balances(desk.db, {purse.HOUSE, *owners}) if owners else {}


def _effects(verdict: Answered, changes: Mapping[int, int], had: Mapping[int, int]) -> list[Effect]:
    """The accounts of the outside aren't ours to show: what leaves there has left."""
    found = []
    for account, units in changes.items():
        owner, asset, place = purse.owner_of(account), purse.asset_of(account), purse.purpose_of(account)
        if owner == purse.OUTSIDE or units == 0:
            continue
        before = had.get(account, 0)
        found.append(Effect(verdict, owner == purse.HOUSE, place, Amount(before, asset), Amount(before + units, asset)))
    return found
