"""What the signer works with, and whether it may go on: asked before each signature and each sending."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from kalos.core.assets import BY_CODE
from kalos.core.clock import MOST_SKEW_MS, Clock, skew
from kalos.core.database import Database
from kalos.core.payments import NOBODYS, Fees, Payment, PaymentChain, PaymentKey, Signed
from kalos.signer import queries
from kalos.signer.rules import Halted, Limits
from kalos.signer.tables import Full, Open

Place = tuple[str, int]
"""Who pays and with which nonce."""


class Keys(Protocol):
    @property
    def hot(self) -> PaymentKey: ...

    def deposit(self, owner: int) -> PaymentKey: ...


@dataclass(slots=True)
class Bench:
    """What the signer works with. `trusted` reads the reviewers' keys by name anew each time, `read` the limits.

    `keep` writes limits that two people have ordered into the folder, and gives those that count.
    """

    db: Database
    chain: PaymentChain
    keys: Keys
    limits: Limits
    trusted: Callable[[], Mapping[str, bytes]]
    read: Callable[[], Limits]
    keep: Callable[[Limits], Limits]
    sent: dict[str, int] = field(default_factory=dict)
    """The height at which this process last sent each transaction."""
    scanned: dict[Place, int] = field(default_factory=dict)
    """Up to which block another transaction with a nonce of ours was looked for."""
    next_sweep: int = 0
    """The height at which deposit addresses are looked at again."""
    short: set[Full] = field(default_factory=set)
    """Addresses, each with its coin, that gave nothing when they were looked at: the others come first."""

    @property
    def own(self) -> set[str]:
        """What no withdrawal is paid to, besides the addresses for top-ups."""
        return {self.keys.hot.address, NOBODYS, *(one.address for one in self.chain.network.contracts)}

    def contract(self, asset: str | None) -> str | None:
        return None if asset is None else self.chain.network.contract(BY_CODE[asset]).address

    def key_of(self, payment: Open) -> PaymentKey:
        """The hot wallet's key, or that of the deposit address that a sweep empties."""
        if payment.sender == self.keys.hot.address:
            return self.keys.hot
        assert payment.owner is not None, payment.nonce
        key = self.keys.deposit(payment.owner)
        assert key.address == payment.sender, payment.nonce
        return key


async def check_goes_on(bench: Bench) -> None:
    """Raises: Halted, also where this machine's clock is off: ages and sums of an hour and a day go by it."""
    begun = Clock.wall()
    is_stopped, is_paused, wall = await queries.find_halt(bench.db)
    if is_stopped or is_paused:
        raise Halted("money out is stopped" if is_stopped else "")
    off = skew(begun, wall, Clock.wall())
    if abs(off) > MOST_SKEW_MS:
        raise Halted(f"the signer's clock is {abs(off)} ms off the database's")


async def sign(bench: Bench, key: PaymentKey, payment: Payment, fees: Fees) -> Signed:
    """Raises: Halted: a turn takes many steps, and whoever stops it means the next one."""
    await check_goes_on(bench)
    return key.sign(payment, fees)
