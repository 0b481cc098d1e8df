"""The reserves as the worker looks at them: what the domains' rows say of the chain."""

from typing import Final

from kalos.app.auditing import alarm
from kalos.app.owning import wallets
from kalos.app.settings import Settings
from kalos.core.clock import Clock
from kalos.domains.context import House
from kalos.domains.deposits.queries import CREDITED_LATER, READ, RECEIVED
from kalos.domains.reserves import jobs
from kalos.domains.reserves.queries import Told
from kalos.domains.withdrawals.queries import SENT, SETTLED_LATER

TOLD: Final = Told(read=READ, received=RECEIVED, credited_later=CREDITED_LATER, settled_later=SETTLED_LATER, sent=SENT)


async def watch_reserves(house: House, settings: Settings) -> None:
    """Look at the reserves where that is due. Raises: Outage."""
    await jobs.watch(house, await wallets(house.chain, settings), TOLD, alarm(settings, Clock.wall()))
