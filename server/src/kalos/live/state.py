"""How a hub stands: an API that carries sockets to one has no such figures, for its zeros would be alarms."""

from typing import Final

from prometheus_client import Gauge

SOCKETS: Final = Gauge("kalos_live_sockets", "Sockets that are open")
SOCKETS_LIMIT: Final = Gauge("kalos_live_sockets_limit", "At so many, further ones are refused")
FEED_UP: Final = Gauge("kalos_live_feed_up", "1 while the hub hears of what is committed")
