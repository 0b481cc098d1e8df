"""What the moves that the running audit has checked sum to, day by day, until it compares that with `daily_sums`."""

from collections.abc import Mapping
from typing import Literal

from kalos.core.database import Connection
from kalos.ledger.audit_rows import Cell, Sum, cells_of, compare_days


class Days:
    """The sums of one lane: of the `new` moves, or of the second look at `old` ones. Days come in their order."""

    def __init__(self, lane: Literal["new", "old"], cells: dict[Cell, Sum]) -> None:
        self.lane = lane
        self.cells = cells

    @classmethod
    async def load(cls, db: Connection, lane: Literal["new", "old"]) -> "Days":
        return cls(lane, cells_of(await db.fetch("SELECT * FROM ledger_watch_days WHERE lane = $1", lane)))

    def add(self, cells: Mapping[Cell, Sum]) -> None:
        for cell, amount in cells.items():
            self.cells[cell] = self.cells.get(cell, Sum()).plus(amount)

    async def compare(self, db: Connection, *, newest: bool) -> list[str]:
        """Compare the days that are over, and with `newest` the one that runs; those that are over are let go."""
        days = sorted({cell[0] for cell in self.cells})
        problems = await compare_days(db, self.cells, days if newest else days[:-1]) if days else []
        self.cells = {cell: amount for cell, amount in self.cells.items() if cell[0] == days[-1]}
        return problems

    async def store(self, db: Connection) -> None:
        await db.execute("DELETE FROM ledger_watch_days WHERE lane = $1", self.lane)
        await db.executemany(
            "INSERT INTO ledger_watch_days (lane, day, asset, kind, units, moves) VALUES ($1, $2, $3, $4, $5, $6)",
            [(self.lane, *cell, amount.units, amount.moves) for cell, amount in self.cells.items()],
        )
