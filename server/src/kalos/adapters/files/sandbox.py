"""Files in memory, for tests."""

from collections.abc import Collection

from kalos.core.errors import Outage


class SandboxFiles:
    """A FileStore; while `full` is set it takes nothing."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}
        self.full = False

    async def put(self, name: str, content: bytes) -> None:
        if self.full:
            raise Outage("the disk has no room for files")
        self.kept[name] = content

    async def get(self, name: str) -> bytes | None:
        return self.kept.get(name)

    async def delete(self, names: Collection[str]) -> None:
        for name in names:
            self.kept.pop(name, None)
