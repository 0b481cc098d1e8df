"""`make run`: one group of processes on one DATA_DIR, started in order, kept running, ended together."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

import asyncpg

from kalos.app import kept, parts
from kalos.app.child import Child, GaveUp, Part, copy_output, start
from kalos.app.landlock import is_known
from kalos.app.lock import AlreadyRunning, FolderLock
from kalos.app.logs import BoundedLog
from kalos.app.migrate import pending
from kalos.app.probe import get
from kalos.app.rights import PartsUser, give_up
from kalos.app.settings import Settings
from kalos.app.signer import set_up
from kalos.app.signer_folder import BadFolder, SignerFolder

_FOUNDATION_SECONDS: Final = 60.0
_READY_SECONDS: Final = 120.0
_STEP_SECONDS: Final = 180.0
_COPY_SECONDS: Final = 0.5
_MADE: Final = ("signer", "files", "builds", "sockets", "chain")
"""Folders of DATA_DIR that parts would find or make later: they have no way to what is made beside the signer's."""
_NOT_BESIDE: Final = "What is made beside the way to the signer's folder can't be read by the parts that run"
_ALL_CAN_READ: Final = (
    "All parts are one user, and this kernel closes no folder: each of them can read the signer's key"
)

DEMO_ACCOUNTS: Final = """
  account    password   invitation code   withdrawal password
  10000001   demo1234   KALOS1            246810
  10000002   demo1234   KALOS2            246810
  console    password   authenticator's secret             signing passphrase
  operator   demo1234   A3SVWYZUQH33WBZJK7VLZ4IQZFZOQZUR   calm blue river
  reviewer   demo1234   FVYJTGXBQBPEXTXZWSVTUS4CP5LYYYLU   tall green lamp"""


class Group:
    """All children of one installation."""

    def __init__(self, settings: Settings, environment: Mapping[str, str], user: PartsUser) -> None:
        self.settings = settings
        self.user = user
        self.environment = {**environment, "DATA_DIR": str(settings.data_dir), "PYTHONUNBUFFERED": "1"}
        self.children: list[Child] = []
        self._watches: list[asyncio.Task[None]] = []
        self._failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._logs = settings.data_dir / "logs"
        self._logs.mkdir(parents=True, exist_ok=True)
        self._closed = SignerFolder(settings.data_dir).folder

    async def start(self) -> str:
        """Start everything and return when it is ready; in production at the latest two minutes after it serves.

        Returns what is missing then. Raises: GaveUp.
        """
        for part in parts.foundations(self.settings, self.user):
            self._add(part)
            await self._wait_for(part)
        if not self.settings.chain_rpc_url:
            self._watch(self._copy_chain())
        if await self._schema_is_old():
            await self._step("migrate")
        await self._prepare_signer()
        for part in parts.processes(self.settings, self.user):
            self._add(part)
        if self.settings.demo:
            await self._step("prepare")
        return await self._wait_until_ready()

    async def serve(self) -> None:
        """Wait until something gives up. Raises: GaveUp."""
        await self._failed

    async def stop(self) -> None:
        """End the children, the last started first; those that nothing else stands on go together."""
        for watch in self._watches:
            watch.cancel()
        ours = [child for child in self.children if child.part.name not in ("postgres", "chain")]
        await asyncio.gather(*(child.stop() for child in ours))
        for child in reversed(self.children):
            if child not in ours:
                await child.stop()
        await asyncio.gather(*self._watches, return_exceptions=True)

    def _add(self, part: Part) -> None:
        log = BoundedLog(self._logs / f"{part.name}.log")
        closed = None if part.name == "signer" else self._closed
        child = Child(part, log, self.environment, closed=closed)
        self.children.append(child)
        self._watch(child.keep_running())

    def _watch(self, work: "asyncio._CoroutineLike[None]") -> None:
        task = asyncio.create_task(work)
        task.add_done_callback(self._ended)
        self._watches.append(task)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        if not task.cancelled() and task.exception() is not None and not self._failed.done():
            self._failed.set_exception(task.exception() or GaveUp())
            self._failed.exception()  # read here, for it is raised only where somebody waits

    async def _or_failure(self, seconds: float) -> None:
        """Sleep, but end at once with what gave up meanwhile."""
        await asyncio.wait([self._failed], timeout=seconds)
        if self._failed.done():
            self._failed.result()

    async def _wait_for(self, part: Part) -> None:
        until = time.monotonic() + _FOUNDATION_SECONDS
        while not await part.ready():
            if time.monotonic() > until:
                raise GaveUp(f"{part.name} does not answer; see {self._logs / part.name}.log")
            await self._or_failure(0.02)

    async def _wait_until_ready(self) -> str:
        until, named = time.monotonic() + _READY_SECONDS, _named(self.settings)
        last = "readyz silent"
        while time.monotonic() <= until:
            await self._or_failure(0.1)
            status, body = await get(self.settings.port, "/readyz", named=named, host=_loopback(self.settings.host))
            if status == 200:
                return ""
            if status:  # a later look may take longer than is waited for: it serves all the same
                last = f"readyz {status}: {body[:500]}"
        missing = f"not ready after {_READY_SECONDS:.0f} s ({last})"
        if self.settings.demo or last == "readyz silent":
            raise GaveUp(missing)
        return missing

    async def _schema_is_old(self) -> bool:
        """Also true where the roles can't log in, as after a change of the secret."""
        try:
            if await pending(self.settings.owner_url):
                return True
            for url in (self.settings.app_url, self.settings.writer_url):
                await (await asyncpg.connect(url)).close()
        except (asyncpg.InvalidCatalogNameError, asyncpg.InvalidPasswordError):
            return True
        except (asyncpg.PostgresError, OSError) as problem:
            raise GaveUp(f"the database can't be reached (DATABASE_URL): {problem}") from problem
        return False

    async def _prepare_signer(self) -> None:
        """Raises: GaveUp."""
        try:
            await set_up(self.settings)
        except (asyncpg.PostgresError, BadFolder, OSError) as problem:
            raise GaveUp(f"the signer can't be set up: {problem}") from problem

    async def _step(self, name: str) -> None:
        """Run one command to its end. Raises: GaveUp with the last lines that it printed."""
        log = BoundedLog(self._logs / f"{name}.log")
        command = self.user.command(*parts.own_command(name))
        process = await start(command, signal.SIGTERM, self.environment, self._closed)
        working = asyncio.create_task(copy_output(process, log))
        try:
            waiting: list[asyncio.Future[None]] = [working, self._failed]
            await asyncio.wait(waiting, timeout=_STEP_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if self._failed.done():
                self._failed.result()
            if not working.done():
                raise GaveUp(f"{name} did not end in {_STEP_SECONDS:.0f} s")
        finally:
            if process.returncode is None and not working.done():
                process.kill()
            code = await process.wait()
        if code != 0:
            raise GaveUp(f"{name} failed:\n{log.last_lines()}")

    async def _copy_chain(self) -> None:
        chain = parts.local_chain(self.settings)
        while True:
            await asyncio.sleep(_COPY_SECONDS)
            with suppress(OSError):  # a disk that is full: the next copy may have room
                await asyncio.to_thread(chain.keep_copy)


async def supervise(settings: Settings, environment: Mapping[str, str]) -> int:
    """Run the group until a signal comes or something gives up. Returns the exit code, or minus a signal's number."""
    lock = FolderLock(settings.data_dir)
    try:
        lock.take(settings.port)
    except AlreadyRunning as problem:
        return _refuse(str(problem))
    if not kept.is_free(settings.port, settings.host):
        taken = f"port {settings.port} is taken by another program"
        return _refuse(f"{taken}. Use another one: make run PORT={settings.port + 1}")
    listed, signer = settings.sanctions_file, SignerFolder(settings.data_dir).folder
    if listed is not None and listed.resolve().parent in signer.resolve().parents:
        return _refuse(f"SANCTIONS_FILE: put {listed} into a folder of its own. {_NOT_BESIDE}")
    kept.choose_ports(settings.data_dir, settings.port, settings.live_port, settings.metrics_port)
    ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, _set_once, ended, int(number))
    group = Group(settings, environment, _parts_user(settings))
    working = asyncio.create_task(_start_and_serve(group))
    try:
        waiting: list[asyncio.Future[Any]] = [working, ended]
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if ended.done():
            return -ended.result()
        working.result()
        return 1
    except GaveUp as problem:
        return _refuse(f"{problem}\nEverything was ended. Logs: {settings.data_dir / 'logs'}", code=1)
    finally:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        await group.stop()


def _parts_user(settings: Settings) -> PartsUser:
    assert settings.secret  # made by now, so that it is theirs
    _make_places(settings)
    user = give_up(settings)
    if not user.change and not is_known():
        print(_ALL_CAN_READ, file=sys.stderr, flush=True)
    return user


def _make_places(settings: Settings) -> None:
    for place in (*(settings.data_dir / name for name in _MADE), settings.backups):
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
    contracts = settings.contracts
    former = settings.data_dir / contracts.name
    if former.exists() and not contracts.exists():
        former.replace(contracts)
    contracts.with_suffix(".lock").touch()  # else whoever is first makes it, and it may be another user's


async def _start_and_serve(group: Group) -> None:
    began = time.monotonic()
    missing = await group.start()
    settings = group.settings
    state = missing or f"ready after {time.monotonic() - began:.1f} s"
    lines = [f"Kalos runs on {settings.page_url}  ({state}, Ctrl-C ends it)"]
    if settings.demo:
        lines.append(DEMO_ACCOUNTS)
    print("\n".join(lines), flush=True)
    await group.serve()


def _set_once(ended: "asyncio.Future[int]", number: int) -> None:
    if not ended.done():
        ended.set_result(number)


def _named(settings: Settings) -> str:
    """The host that our own questions are for."""
    name = "localhost" if settings.demo else settings.hosts[0]
    return f"[{name}]" if ":" in name else name


def _loopback(host: str) -> str:
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)


def _refuse(text: str, code: int = 2) -> int:
    print(text, file=sys.stderr, flush=True)
    return code


def run(settings: Settings) -> None:
    """The command: ends with the group's code; after Ctrl-C as the signal would have ended it."""
    code = asyncio.run(supervise(settings, os.environ))
    if code == -signal.SIGINT:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    sys.exit(max(code, 0))
