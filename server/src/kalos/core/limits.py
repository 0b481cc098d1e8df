"""An order of another limit of the signer's: the text that two people sign, and that the signer reads."""

import re
from dataclasses import dataclass
from typing import Final, Literal, Self, get_args

LimitName = Literal["auto_max", "two_reviewers", "hour", "day"]
LIMIT_NAMES: Final[tuple[LimitName, ...]] = get_args(LimitName)
MOST: Final = 10**12
_HEAD: Final = "kalos signer limit 1"
_TEXT: Final = re.compile(
    rf"{_HEAD}\n([1-9][0-9]{{0,8}})\n({'|'.join(LIMIT_NAMES)})\n(0|[1-9][0-9]{{0,12}})\n(0|[1-9][0-9]{{0,12}})",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class LimitOrder:
    """`name` shall be `after` where it is `before`, in whole USDT. `number` is one after the last order's."""

    number: int
    name: LimitName
    before: int
    after: int

    @property
    def message(self) -> str:
        """What its maker and its checker sign."""
        return f"{_HEAD}\n{self.number}\n{self.name}\n{self.before}\n{self.after}"

    @classmethod
    def read(cls, message: str) -> Self | None:
        """The order that a text is; None where it is none."""
        found = _TEXT.fullmatch(message)
        if found is None:
            return None
        number, name, before, after = found.groups()
        (known,) = (one for one in LIMIT_NAMES if one == name)
        return cls(int(number), known, int(before), int(after))
