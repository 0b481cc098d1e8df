"""What the others see of the signer: the worker's mail when it stops, and its figures."""

import math
from collections.abc import Iterable
from typing import Final

import structlog
from prometheus_client.core import Metric

from kalos.app.figures import gauge
from kalos.app.settings import Settings
from kalos.core.clock import DAY_MS, Clock
from kalos.core.database import Database
from kalos.core.mails import queue_mail
from kalos.operator.queries import append_audit

_MAIL: Final = "signer_paused"
_FIGURES: Final = """
    SELECT paused, beat_at, unsigned, young, waiting IS NOT NULL AND NOT paused
        AND NOT EXISTS (SELECT FROM ledger_flags WHERE name = 'money_out_stopped') AS waits
    FROM signer_state, (
        SELECT count(*) FILTER (WHERE reason = 'not_reviewed') AS unsigned,
            count(*) FILTER (WHERE reason = 'young_address') AS young
        FROM broadcast_returns WHERE at > $1
    ) AS returned
"""
_ORDER: Final = """
    WITH told AS (
        INSERT INTO signer_alarms (at, reason) SELECT at, reason FROM signer_state WHERE reason IS NOT NULL
        ON CONFLICT (at) DO NOTHING RETURNING at
    )
    SELECT s.paused, s.reason, coalesce(s.by, 'signer') AS by, s.at FROM told JOIN signer_state s USING (at)
"""
_log = structlog.get_logger("signer")


async def tell_of_orders(db: Database, settings: Settings) -> bool:
    """Write each pause and each order to go on into the console's log, and mail the operator of a pause: once each,
    whichever worker sees it first. The signer's own role writes no row of that log.

    Returns whether it was this one, and a pause.
    """
    wall = Clock.wall()
    async with db.transaction() as step:
        order = await step.fetchrow(_ORDER)
        if order is None:
            return False
        reason, paused = order["reason"], order["paused"]
        after = {"is_paused": paused, "reason": reason, "at": order["at"]}
        await append_audit(
            step, at=wall, staff=None, name=order["by"], act="machine.order", about="signer", before={}, after=after
        )
        if paused:
            await queue_mail(
                step, name=_MAIL, lang="en", recipient=settings.operator_address, values={"reason": reason}, at=wall
            )
    if paused:
        _log.critical("the signer is paused", reason=reason)
    return bool(paused)


async def signer_figures(db: Database) -> Iterable[Metric]:
    wall = Clock.wall()
    row = await db.row(_FIGURES, wall - DAY_MS)
    assert row is not None
    age = math.inf if row["beat_at"] is None else (wall - row["beat_at"]) / 1000
    return [
        gauge("kalos_signer_paused", "1 while the signer signs nothing", row["paused"]),
        gauge("kalos_signer_waiting", "1 while payments stand still though nobody has stopped them", row["waits"]),
        gauge("kalos_signer_age_seconds", "Time since the signer's last turn, +Inf before its first", age),
        gauge("kalos_signer_unsigned", "Withdrawals of a day that came back for want of signatures", row["unsigned"]),
        gauge("kalos_signer_young", "Withdrawals of a day that came back for a young address", row["young"]),
    ]
