"""What a check returns that needs nobody: nothing to wait for."""

from collections.abc import Generator
from typing import Final


class _Free:
    """Awaiting it is done at once; seeing that it's this one is done sooner."""

    def __await__(self) -> Generator[None, None, None]:
        yield from ()


FREE: Final = _Free()
