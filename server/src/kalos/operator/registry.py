"""The kinds of commands: one line each."""

from collections.abc import Mapping
from typing import Final

from kalos.operator.corrections import CORRECTION
from kalos.operator.issuing import ISSUE
from kalos.operator.kinds import Kind
from kalos.operator.limits import LIMIT
from kalos.operator.prices import PRICE
from kalos.operator.settings import SETTING
from kalos.operator.stopping import STOP
from kalos.operator.switches import SWITCH

_ALL: Final = (SETTING, SWITCH, PRICE, CORRECTION, ISSUE, LIMIT, STOP)
KINDS: Final[Mapping[str, Kind]] = {kind.name: kind for kind in _ALL}
