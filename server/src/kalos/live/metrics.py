"""What the hub counts."""

from typing import Final

from prometheus_client import Counter, Gauge

SOCKETS: Final = Gauge("kalos_live_sockets", "Sockets that are open")
SOCKETS_LIMIT: Final = Gauge("kalos_live_sockets_limit", "At so many, further ones are refused")
FEED_UP: Final = Gauge("kalos_live_feed_up", "1 while the hub hears of what is committed")
DELIVERED: Final = Counter("kalos_live_delivered", "Updates written to sockets")
SKIPPED: Final = Counter("kalos_live_skipped", "Updates that passed slow readers by")
REFUSED: Final = Counter("kalos_live_refused", "Sockets that were not let in, by reason", ("reason",))
DROPPED: Final = Counter("kalos_live_dropped", "Sockets that the hub closed, by reason", ("reason",))
