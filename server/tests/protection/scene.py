"""What these tests order and approve."""

from typing import Final

from kalos.adapters.countries.list import DOCUMENTATION, ListedCountries
from kalos.core.clock import Clock
from kalos.core.ports import ApprovedIdentity
from kalos.domains.context import House
from kalos.domains.protection import queries
from kalos.domains.protection.service import gate_of

COUNTRIES: Final = ListedCountries(DOCUMENTATION)


class Papers:
    """Identities that a test approves."""

    def __init__(self) -> None:
        self.known: dict[int, ApprovedIdentity] = {}

    async def approved(self, member: int) -> ApprovedIdentity | None:
        return self.known.get(member)


async def order(house: House, name: str, country: str = "", *, is_on: bool) -> None:
    await queries.insert_switch(
        house.db, name=name, country=country, is_on=is_on, reason="a test", ordered_by="test", at=Clock.wall()
    )
    gate_of(house).forget("")
