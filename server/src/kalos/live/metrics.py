"""What a hub counts, and an API that carries sockets to one; how a hub stands is in `state`."""

from typing import Final

from prometheus_client import Counter

DELIVERED: Final = Counter("kalos_live_delivered", "Updates written to sockets")
SKIPPED: Final = Counter("kalos_live_skipped", "Updates that passed slow readers by")
REFUSED: Final = Counter("kalos_live_refused", "Sockets that were not let in, by reason", ("reason",))
DROPPED: Final = Counter("kalos_live_dropped", "Sockets that the hub closed, by reason", ("reason",))
