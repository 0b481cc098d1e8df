"""A peer from a TOML file: its tables, one statement for a transfer, one for a balance. It runs the bare move."""

import asyncio
import random
import re
import tomllib
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, fields
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import asyncpg

from rowlock import CONNECTIONS
from slices import Work

_HOUSE: Final = 1
_TRIES: Final = 20
_TAKEN: Final = ("ours", "row lock", "ORM")
_AGAIN: Final = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError, asyncpg.LockNotAvailableError)
_TYPES: Final[dict[str, Callable[[Any], Any]]] = {
    "int2": int,
    "int4": int,
    "int8": int,
    "numeric": Decimal,
    "text": str,
    "varchar": str,
    "uuid": lambda value: value,
    "bytea": lambda value: value.bytes,
}


class BadPeer(Exception):
    """The file can't be used; the text says what is wrong with it."""


@dataclass(frozen=True)
class PeerFile:
    """What a file says. `transfer` takes from, to, amount and key as $1 to $4, `balance` the account as $1."""

    name: str
    setup: str
    transfer: str
    balance: str


def read_peer(path: Path) -> PeerFile:
    """Raises: BadPeer."""
    try:
        content = tomllib.loads(path.read_text())
    except OSError as problem:
        raise BadPeer(f"{path}: {problem.strerror}") from problem
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise BadPeer(f"{path} is no TOML: {problem}") from problem
    names = [field.name for field in fields(PeerFile)]
    for name in names:
        if not isinstance(content.get(name), str) or not content[name].strip():
            raise BadPeer(f'{path}: "{name}" is missing or no text')
    for name in content:
        if name not in names:
            raise BadPeer(f'{path}: "{name}" is none of {", ".join(names)}')
    if not re.fullmatch(r"[\w.-][\w. -]{0,29}", content["name"]) or content["name"] in _TAKEN:
        raise BadPeer(f'{path}: "name" must be up to 30 letters, and none of {", ".join(_TAKEN)}')
    for name, count in (("transfer", 4), ("balance", 1)):
        used = {int(number) for number in re.findall(r"\$(\d+)", content[name])}
        if used != set(range(1, count + 1)):
            raise BadPeer(f'{path}: "{name}" must use {" ".join(f"${one + 1}" for one in range(count))}')
    return PeerFile(**content)


class Foreign:
    """Statements of somebody else, one connection for each transfer in flight, in a schema of their own."""

    def __init__(self, url: str, file: PeerFile, connections: int = CONNECTIONS) -> None:
        self.name = file.name
        self._url = url
        self._connections = connections
        self._file = file
        self.schema = f"peer_{uuid.uuid4().hex[:8]}"
        self._open: list[asyncpg.Connection] = []
        self._transfers: asyncio.LifoQueue[Any] = asyncio.LifoQueue()  # one prepared statement a connection
        self._casts: list[Callable[[Any], Any]] = []
        self._first: dict[int, Any] = {}
        self._net: Counter[int] = Counter()
        self._accounts = 0
        self._random = random.Random(7)
        self.retries = 0

    async def prepare(self, owner: asyncpg.Connection, accounts: int) -> None:
        """Run the set-up and look at what the statements take. Raises: BadPeer."""
        self._accounts = accounts + _HOUSE
        await owner.execute(f"CREATE SCHEMA {self.schema}")
        settings = {"search_path": self.schema, "bench.accounts": str(self._accounts)}
        for number in range(self._connections):
            db = await asyncpg.connect(self._url, server_settings=settings)
            self._open.append(db)
            if number == 0:
                await self._part("setup", db.execute(self._file.setup))
            transfer = await self._part("transfer", db.prepare(self._file.transfer))
            self._transfers.put_nowait(transfer)
        self._casts = [self._cast(number, kind.name) for number, kind in enumerate(transfer.get_parameters())]
        self._first = await self._balances(owner)
        lacking = [account for account, balance in self._first.items() if balance is None or balance < 10**9]
        if lacking:
            raise BadPeer(f'{self.name}: "setup" made no funded account {lacking[0]} of {self._accounts}')

    def work(self, name: str) -> Work | None:
        return self._bare if name == "bare" else None

    async def check(self, owner: asyncpg.Connection) -> None:
        """Every balance is what it was plus the transfers that were acknowledged."""
        for account, balance in (await self._balances(owner)).items():
            expected = self._first[account] + self._net[account]
            assert balance == expected, f"{self.name}: account {account} has {balance}, not {expected}"

    async def close(self) -> None:
        for db in self._open:
            await db.close()

    async def _bare(self, _: int) -> None:
        source = self._random.randint(_HOUSE + 1, self._accounts)
        values = [cast(value) for cast, value in zip(self._casts, (source, _HOUSE, 1, uuid.uuid4()), strict=True)]
        transfer = await self._transfers.get()
        try:
            await self._try(transfer, values)
        finally:
            self._transfers.put_nowait(transfer)
        self._net[source] -= 1
        self._net[_HOUSE] += 1

    async def _try(self, transfer: Any, values: list[Any]) -> None:
        """As any caller does: what was rolled back for another one's sake is sent again with its key."""
        for _ in range(_TRIES):
            try:
                await transfer.fetch(*values)
            except _AGAIN:
                self.retries += 1
            else:
                return
        raise BadPeer(f'{self.name}: "transfer" was rolled back {_TRIES} times')

    async def _balances(self, owner: asyncpg.Connection) -> dict[int, Any]:
        async with owner.transaction():
            await owner.execute(f"SET LOCAL search_path = {self.schema}")
            statement = await self._part("balance", owner.prepare(self._file.balance))
            cast = self._cast(0, statement.get_parameters()[0].name)
            return {one: await statement.fetchval(cast(one)) for one in range(1, self._accounts + 1)}

    async def _part(self, name: str, work: Any) -> Any:
        try:
            return await work
        except asyncpg.PostgresError as problem:
            raise BadPeer(f'{self.name}: "{name}" failed: {problem}') from problem

    def _cast(self, number: int, kind: str) -> Callable[[Any], Any]:
        if kind not in _TYPES:
            raise BadPeer(f"{self.name}: ${number + 1} is of type {kind}; it may be {', '.join(_TYPES)}")
        return _TYPES[kind]
