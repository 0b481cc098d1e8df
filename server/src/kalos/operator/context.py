"""What a use case of the console is given: who calls, the doors of the house, and the log."""

from collections.abc import Mapping
from typing import Any

import msgspec

from kalos.core.clock import Clock
from kalos.core.database import Connection, Database
from kalos.core.errors import Forbidden
from kalos.core.terms import Number, Terms
from kalos.domains.context import House
from kalos.ledger.postings import Ledger, key_of
from kalos.operator import queries, rules
from kalos.operator.errors import OwnAccount
from kalos.operator.rules import Role, Staff
from kalos.operator.tables import Act


class Desk(msgspec.Struct, frozen=True):
    """One call of staff, or a job's work in their name. `numbers` are the business numbers by name."""

    house: House
    numbers: Mapping[str, Number]
    staff: Staff | None = None
    path: str = ""
    network: str = ""
    device: str = ""
    session: bytes = b""
    fingerprint: bytes = b""

    @property
    def db(self) -> Database:
        return self.house.db

    @property
    def ledger(self) -> Ledger:
        return self.house.ledger

    @property
    def terms(self) -> Terms:
        return self.house.terms

    @property
    def clock(self) -> Clock:
        return self.house.clock

    @property
    def now(self) -> int:
        """Business time in milliseconds."""
        return self.house.clock.now()

    @property
    def wall(self) -> int:
        return self.house.clock.wall()

    @property
    def caller(self) -> Staff:
        """The staff of a protected call."""
        assert self.staff is not None
        return self.staff

    def need(self, *roles: Role) -> None:
        """Refuse whoever has none of these roles. Raises: Forbidden."""
        if self.caller.roles.isdisjoint(roles):
            raise Forbidden()

    def not_own(self, member: int) -> None:
        """Refuse what concerns the caller's own account as a member. Raises: OwnAccount."""
        if self.staff is not None and self.staff.member == member:
            raise OwnAccount()

    def key(self, request_id: str) -> bytes:
        """The ledger key of a request of staff; never one of a member's."""
        return key_of("staff", self.caller.id, self.path, request_id)

    async def record(
        self, db: Connection, act: Act, about: str, before: Mapping[str, Any], after: Mapping[str, Any]
    ) -> None:
        """Add a row to the log in the caller's transaction, as its last statement: rows of others wait for it."""
        assert rules.only_whole(before), before
        assert rules.only_whole(after), after
        await queries.append_audit(
            db,
            at=self.wall,
            staff=None if self.staff is None else self.staff.id,
            name="kalos" if self.staff is None else self.staff.name,
            act=act,
            about=about,
            before=before,
            after=after,
        )
