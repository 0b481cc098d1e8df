"""Withdrawals that were reviewed, a hot wallet that can pay them, and the signer as a process."""

import asyncio
import os
import signal
import sys
import uuid
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import asyncpg
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from eth_account import Account

from kalos.adapters.chain.paying import PayingChain
from kalos.adapters.chain.sandbox import SANDBOX_XPUB
from kalos.app.signer import signer_url
from kalos.app.signer_folder import SignerFolder
from kalos.core.assets import BY_CODE, KLS, USDT, Asset
from kalos.core.clock import HOUR_MS, Clock, business_day
from kalos.core.database import Database
from kalos.core.failpoints import VARIABLE
from kalos.domains.withdrawals.rules import quota_of
from kalos.ledger import purse
from kalos.ledger.postings import Insert, Ledger, Open, Posting, Stamp, Take
from kalos.signer import queries
from kalos.signer.bench import Bench
from kalos.signer.rules import Limits, message
from kalos.signer.steps import turn
from kalos.signer.tables import Due
from support.chains import LocalNode, patient
from support.members import fund, make_member

PASSWORD: Final = "the signer's password in tests"
WITHDRAWAL: Final = "withdrawal.open"
COIN: Final = 10**6
NATIVE: Final = 10**18
REVIEWERS: Final = {name: Ed25519PrivateKey.from_private_bytes(name.encode().ljust(32)) for name in ("ann", "bob")}
TRUSTED: Final = {name: key.public_key().public_bytes_raw() for name, key in REVIEWERS.items()}
LIMITS: Final = Limits(address_wait=24, raise_blocks=3)


def new_address() -> str:
    return str(Account.create().address)


def transfers_to(found: Sequence[Any], address: str) -> list[int]:
    return [one.units for one in found if one.recipient == address]


@dataclass(slots=True)
class Scene:
    """One hot wallet of one database: what is asked for here is paid by `bench`."""

    url: str
    ledger: Ledger
    node: LocalNode
    bench: Bench
    folder: SignerFolder

    async def ask(
        self,
        text: str,
        asset: Asset = USDT,
        *,
        address: str | None = None,
        signed: Sequence[str] = (),
        age_hours: int = 48,
        row: dict[str, Any] | None = None,
        held: int | None = None,
        is_listed: bool = False,
    ) -> int:
        """A withdrawal of a member of its own, in processing; `row` overrides columns, `held` what is set aside."""
        member = await make_member(self.url)
        units = int(Fraction(text) * 10**asset.scale)
        await fund(self.ledger, member, **{asset.code.lower(): text})
        address = address or new_address()
        wallet = await self._book(member.id, address, age_hours, is_listed=is_listed)
        values = self._row(member.id, member.account, units, asset, address, wallet) | (row or {})
        hold = Open(WITHDRAWAL, purse.available(member.id, asset), units if held is None else held)
        room = Take(
            quota_of(member.id, business_day(Clock.wall())),
            (values["value_units"], values["free_units"]),
            first=(values["day_value_units"], values["day_free_units"]),
        )
        riders = [Insert("withdrawals", values)]
        posting = Posting(key=uuid.uuid4().bytes * 2, opens=[hold], takes=[room], riders=riders)
        made = (await self.ledger.post(posting)).id
        for name in signed:
            await self.sign(made, name)
        return made

    async def sign(self, withdrawal: int, name: str, *, key: Ed25519PrivateKey | None = None) -> None:
        """A reviewer's yes, as the console stores it."""
        due = next(one for one in await queries.list_due(self.bench.db, 100, wall=Clock.wall()) if one.id == withdrawal)
        await self.owner(
            """
            INSERT INTO withdrawal_reviews (withdrawal, staff, verdict, reason, signature, at, follows)
            SELECT $1, $2, 'yes', 'looked at', $3, 1,
                (SELECT max(staff) FROM withdrawal_reviews WHERE withdrawal = $1 AND round = 0)
            """,
            withdrawal,
            sorted(REVIEWERS).index(name) + 1,
            (key or REVIEWERS[name]).sign(message(due)),
        )

    async def owner(self, statement: str, *values: Any) -> Any:
        """One statement as the schema's owner; the first value of its first row."""
        db = await asyncpg.connect(self.url)
        try:
            return await db.fetchval(statement, *values)
        finally:
            await db.close()

    async def ends(self, withdrawal: int) -> list[str]:
        rows = await self.bench.db.rows("SELECT outcome FROM broadcast_ends WHERE withdrawal = $1", withdrawal)
        return [row["outcome"] for row in rows]

    async def attempts(self, withdrawal: int) -> list[Any]:
        return await self.bench.db.rows("SELECT * FROM broadcasts WHERE withdrawal = $1 ORDER BY attempt", withdrawal)

    async def address_of(self, withdrawal: int) -> str:
        return str(await self.owner("SELECT address FROM withdrawals WHERE id = $1", withdrawal))

    async def has(self, withdrawal: int, asset: Asset = USDT) -> int:
        """What the withdrawal's address has on the chain."""
        contract = self.node.chain.network.contract(asset).address
        return await self.node.wallet.balance(contract, await self.address_of(withdrawal))

    async def reason(self) -> str | None:
        """The word under which the signer is paused."""
        state = await queries.find_state(self.bench.db)
        return (state.reason or "").partition(":")[0] if state.paused else None

    async def go_on(self) -> None:
        """As if nothing had stopped it, for the next test."""
        await self.owner("UPDATE signer_state SET paused = false")

    async def drop(self, withdrawal: int) -> None:
        """Take what can't be paid out of the queue, as the worker does with a failed one."""
        await self.owner(
            "INSERT INTO broadcast_ends (withdrawal, outcome, transaction, block, at) VALUES ($1, 'failed', $2, 0, 0) "
            "ON CONFLICT DO NOTHING",
            withdrawal,
            "0x" + "0" * 64,
        )

    async def finish(self, *withdrawals: int) -> None:
        """Turn and mine until each has its end."""
        for _ in range(60):
            await turn(self.bench)
            if all([await self.ends(one) for one in withdrawals]):
                return
            await self.node.mine()
        raise AssertionError("not all of them ended")

    async def _book(self, member: int, address: str, age_hours: int, *, is_listed: bool) -> int:
        at = Clock.wall() - age_hours * HOUR_MS
        made: int = await self.owner(
            "INSERT INTO withdrawal_addresses "
            "(member, chain, address, label, is_listed, created_at, usable_at, written_at) "
            "VALUES ($1, $2, $3, 'mine', $5, 0, 0, $4) RETURNING id",
            member,
            self.bench.chain.network.chain_id,
            address,
            at,
            is_listed,
        )
        return made

    def _row(self, member: int, account: str, units: int, asset: Asset, address: str, wallet: int) -> dict[str, Any]:
        value = units if asset == USDT else units // 200
        return {
            "id": Stamp.ID,
            "revision": 1,
            "member": member,
            "account": account,
            "asset": asset.code,
            "units": units,
            "chain_id": self.bench.chain.network.chain_id,
            "address": address,
            "wallet": wallet,
            "label": "mine",
            "fee_units": 0,
            "fee_rate": "0.005",
            "price_numerator": 1,
            "price_denominator": 2,
            "price_source": "test",
            "price_at": 0,
            "value_units": value,
            "free_units": 0,
            "hold": Stamp.HOLD,
            "status": "on_chain_processing",
            "needed": 0,
            "risks": [],
            "reason": None,
            "lang": "en",
            "requested_at": Stamp.AT,
            "changed_at": Stamp.AT,
            "decided_at": Stamp.AT,
            "day": Stamp.DAY,
            "transaction": None,
            "day_value_units": 10**18,
            "day_free_units": 0,
        }

    async def made_with(self, withdrawal: int) -> tuple[Any, ...]:
        """The price beside the value that counts in the sums: numerator, denominator, time and source."""
        row = await self.bench.db.row(
            "SELECT price_numerator, price_denominator, price_at, price_source FROM signer_nonces "
            "WHERE withdrawal = $1",
            withdrawal,
        )
        assert row is not None
        return tuple(row)


async def open_scene(url: str, ledger: Ledger, node: LocalNode, folder: Path, *, rpc: str = "") -> Scene:
    """A hot wallet of its own with gas and coins, and its bench."""
    own = SignerFolder(folder)
    own.prepare(is_demo=True)
    (own.folder / "limits.toml").write_text(f"address_wait = 24\nraise_blocks = {LIMITS.raise_blocks}\n")
    (own.folder / "role-password").write_text(PASSWORD)
    keys = own.keys()
    await fill(node, keys.hot.address)
    network = node.chain.network
    chain = patient(PayingChain(network, urls=[rpc or node.url], xpub=SANDBOX_XPUB))
    db = Database(signer_url(url, PASSWORD), size=3)
    bench = Bench(db=db, chain=chain, keys=keys, limits=LIMITS, trusted=lambda: TRUSTED, read=own.limits, keep=own.keep)
    return Scene(url, ledger, node, bench, own)


async def close_scene(scene: Scene) -> None:
    await scene.bench.chain.close()  # type: ignore[attr-defined]
    await scene.bench.db.close()


async def fill(node: LocalNode, address: str, *, usdt: int = 10**7, kls: int = 10**6) -> None:
    """Gas and coins for a hot wallet."""
    await node.node.call("anvil_setBalance", address, hex(10 * NATIVE))
    for asset, units in ((USDT, usdt * COIN), (KLS, kls * 10**8)):
        if units:
            await node.wallet.transfer(node.chain.network.contract(asset).address, address, units)
    await node.mine()


def with_limits(scene: Scene, **changes: Any) -> Bench:
    return replace(scene.bench, limits=replace(LIMITS, **changes), sent={}, scanned={})


class SignerProcess:
    """`kalos signer` as an operator starts it, on a database and a node of the tests."""

    def __init__(self, scene: Scene, folder: Path, *, rpc: str) -> None:
        network = scene.node.chain.network
        usdt, kls = network.contract(USDT), network.contract(KLS)
        self._environment = {
            **os.environ,
            "DATA_DIR": str(folder),
            "DATABASE_URL": scene.url,
            "CHAIN_RPC_URL": rpc,
            "CHAIN_ID": str(network.chain_id),
            "CONFIRMATIONS": str(network.confirmations),
            "USDT_CONTRACT": usdt.address,
            "KLS_CONTRACT": kls.address,
            "USDT_CODE_HASH": usdt.code_hash,
            "KLS_CODE_HASH": kls.code_hash,
            "DEPOSIT_XPUB": scene.folder.public().xpub,
        }
        self._log = (folder / "signer.log").open("ab")
        self.process: asyncio.subprocess.Process | None = None

    async def start(self, failpoint: str = "", *, user: Sequence[str] = ()) -> asyncio.subprocess.Process:
        environment = self._environment | ({VARIABLE: failpoint} if failpoint else {})
        self.process = await asyncio.create_subprocess_exec(
            *(*user, sys.executable),
            *("-m", "kalos.app.cli", "signer"),
            env=environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
        )
        return self.process

    async def killed(self) -> None:
        """It has killed itself at its failpoint."""
        assert self.process is not None
        async with asyncio.timeout(30):
            assert await self.process.wait() == -signal.SIGKILL

    async def end(self) -> None:
        if self.process is not None and self.process.returncode is None:
            with suppress(ProcessLookupError):
                self.process.kill()
            await self.process.wait()
        self._log.close()


def due_of(**changes: Any) -> Due:
    """A withdrawal of 100 USDT that may be paid."""
    from kalos.signer.tables import Book, Brakes, Hold

    address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
    right: dict[str, Any] = {
        "id": 7,
        "revision": 1,
        "member": 1001,
        "asset": "USDT",
        "units": 100 * COIN,
        "chain_id": 31337,
        "address": address,
        "value_units": 100 * COIN,
        "needed": 0,
        "round": 0,
        "hold_id": 56,
        "hold": Hold(purse.held(1001, BY_CODE["USDT"]), 100 * COIN, WITHDRAWAL),
        "book": Book(1001, 31337, address, False, 0),
        "signatures": (),
        "brakes": Brakes(is_frozen=False, held_until=None, is_deposit=False),
    }
    return Due(**(right | changes))
