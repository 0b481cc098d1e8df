"""The processes of the live hub's benchmark, and the members whose sockets it serves."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kalos.adapters.chain.sandbox import SANDBOX_XPUB
from kalos.app.kept import free_port
from kalos.app.parts import own_command
from kalos.app.probe import answers
from kalos.core.assets import KLS, USDT
from kalos.core.clock import Clock
from kalos.core.database import Connection, Database
from kalos.core.ports import Network
from kalos.core.tokens import digest, new_invite_code, new_token
from kalos.domains.identity.queries import insert_auth_token, insert_member, insert_session
from kalos.domains.identity.tables import SessionRow
from kalos.live.hub import MAX_OF_MEMBER
from stand import HERE, app_url
from support.clusters import SECRET
from support.ledger import WriterProcess

_HOUR_MS: Final = 3_600_000
_LONGEST_ANSWER: Final = 16 << 20
_FIRST_ACCOUNT: Final = 30_000_000
_AT_ONCE: Final = 500


class Readers:
    """The process of `hub_readers.py`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @property
    def pid(self) -> int:
        return self._process.pid

    async def ask(self, do: str, side: str, **fields: Any) -> Any:
        """Raises: AssertionError with what went wrong there."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": do, "side": side, **fields}).encode() + b"\n")
        line = await self._process.stdout.readline()
        assert line, "the readers' process ended"
        answer = json.loads(line)
        assert "failed" not in answer, f"{side}: {answer['failed']}"
        return answer["done"]


async def sign_in(db: Database, sockets: int) -> list[bytes]:
    """What logins would leave: members, each with as many sessions as the hub allows sockets. Returns the sessions."""
    wall, sessions = Clock.wall(), [digest(new_token()) for _ in range(sockets)]
    async with db.transaction() as connection:
        for begin in range(0, sockets, MAX_OF_MEMBER):
            member = await _insert_member(connection, begin // MAX_OF_MEMBER, wall)
            for session in sessions[begin : begin + MAX_OF_MEMBER]:
                await insert_session(connection, SessionRow(session, member, "", "", wall, _HOUR_MS, wall + _HOUR_MS))
    return sessions


async def new_tokens(db: Database, sessions: Sequence[bytes]) -> list[str]:
    """A token for a socket of each session."""
    tokens, wall = [new_token() for _ in sessions], Clock.wall()
    for begin in range(0, len(sessions), _AT_ONCE):
        some = zip(tokens[begin : begin + _AT_ONCE], sessions[begin : begin + _AT_ONCE], strict=True)
        await asyncio.gather(
            *(
                insert_auth_token(db, token_hash=digest(token), session=of, until_at=wall + _HOUR_MS, wall=wall)
                for token, of in some
            )
        )
    return tokens


async def _insert_member(connection: Connection, number: int, wall: int) -> int:
    member = await insert_member(
        connection,
        account=f"{_FIRST_ACCOUNT + number}",
        email=f"reader{number}@bench.example",
        password_hash="$argon2id$none",
        invite_code=new_invite_code(),
        inviter=None,
        registered_at=wall,
    )
    assert member is not None
    return member


@dataclass(frozen=True)
class Hub:
    """A house whose hub is measured: its database, the writer's socket, both processes and the hub's port."""

    owner_url: str
    app_url: str
    socket: Path
    writer: int
    pid: int
    port: int


@asynccontextmanager
async def running_hub(
    url: str, folder: Path, writer: WriterProcess, network: Network, chain_url: str
) -> AsyncIterator[Hub]:
    """The hub alone, on a migrated database that nobody else has and its writer: for a moment's try."""
    port = free_port()
    environment = {
        "DATABASE_URL": url,
        "DATA_DIR": str(folder),
        "INSTALLATION_SECRET": SECRET.hex(),
        "LIVE_PORT": str(port),
        "LIVE_METRICS_PORT": str(free_port()),
        "CHAIN_RPC_URL": chain_url,
        "DEPOSIT_XPUB": SANDBOX_XPUB,
    }
    for asset in (USDT, KLS):
        contract = network.contract(asset)
        environment[f"{asset.code}_CONTRACT"] = contract.address
        environment[f"{asset.code}_CODE_HASH"] = contract.code_hash
    async with _child(*own_command("live"), environment=environment) as process:
        await _until_it_answers(process, port)
        yield Hub(url, app_url(url), writer.socket, writer.pid, process.pid, port)


@asynccontextmanager
async def running_peer(folder: Path, tokens: Sequence[str]) -> AsyncIterator[tuple[int, asyncio.StreamWriter, int]]:
    """Yields its process's number, what it is fed through, and its port."""
    port, place, known = free_port(), folder / "peer.sock", folder / "tokens"
    known.write_text("\n".join(digest(token).hex() for token in tokens))
    async with _child(sys.executable, str(HERE / "hub_peer.py"), str(port), str(place), str(known)) as process:
        await _until_it_answers(process, port)
        _, lines = await asyncio.open_unix_connection(place)
        yield process.pid, lines, port
        lines.close()


@asynccontextmanager
async def running_readers() -> AsyncIterator[Readers]:
    pipe = asyncio.subprocess.PIPE
    command = sys.executable, str(HERE / "hub_readers.py")
    async with _child(*command, stdin=pipe, stdout=pipe, limit=_LONGEST_ANSWER) as process:
        yield Readers(process)


@asynccontextmanager
async def _child(*command: str, environment: dict[str, str] | None = None, **options: Any) -> AsyncIterator[Process]:
    """A process that ends with this one, however this one ends."""
    process = await asyncio.create_subprocess_exec(
        *("setpriv", "--pdeathsig", "KILL", *command),
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | (environment or {}),
        **{"stdout": sys.stderr, **options},
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _until_it_answers(process: Process, port: int) -> None:
    async with asyncio.timeout(20):
        while not await answers(port):
            assert process.returncode is None, "the server ended at once"
            await asyncio.sleep(0.02)
