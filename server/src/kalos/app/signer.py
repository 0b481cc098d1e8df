"""The signer's process: the only one that reads its folder; it has no open port and a database role of its own."""

import asyncio
import ctypes
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final
from urllib.parse import quote, urlsplit, urlunsplit

import asyncpg
import structlog

from kalos.adapters.chain.paying import PayingChain
from kalos.app.chain import open_chain_as
from kalos.app.repeat import repeat
from kalos.app.settings import Settings
from kalos.app.signer_folder import BadFolder, SignerFolder
from kalos.core.database import LOST, Database
from kalos.core.errors import Outage
from kalos.signer import queries
from kalos.signer.bench import Bench
from kalos.signer.limits import follow_limits
from kalos.signer.steps import turn, watch_gas
from kalos.signer.sweeping import sweep

ROLE: Final = "kalos_signer"
_GAS_SECONDS: Final = 5.0
_AGAIN_SECONDS: Final = 0.5
_SET_DUMPABLE: Final = 4
_REFUSED: Final = (asyncpg.InvalidPasswordError, asyncpg.InvalidAuthorizationSpecificationError)
_log = structlog.get_logger("signer")


class LostPlace(Outage):
    """The connection that says that this process is the one that signs has ended."""


def signer_url(owner_url: str, password: str) -> str:
    """The database's address for the signer's role."""
    parts = urlsplit(owner_url)
    place = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{ROLE}:{quote(password)}@{place}"))


async def set_up(settings: Settings) -> None:
    """Make the folder, and give the role the folder's password where it has another one. Repeatable.

    Raises: BadFolder (also where the seed is, or a new one would be, another one than that of the deposit addresses),
      asyncpg.PostgresError, OSError.
    """
    folder = SignerFolder(settings.data_dir)
    if settings.deposit_xpub and not folder.has_seed:
        raise BadFolder(
            f"{folder.folder} has no seed, and the deposit addresses of DEPOSIT_XPUB follow from one: bring the folder "
            "back from its copy (docs/operations.md, The signer); a new seed is made where DEPOSIT_XPUB is empty"
        )
    await asyncio.to_thread(folder.prepare, is_demo=settings.demo)
    if settings.deposit_xpub and settings.deposit_xpub != folder.public().xpub:
        raise BadFolder(f"the seed in {folder.folder} is another one than that of the deposit addresses (DEPOSIT_XPUB)")
    password = folder.password()
    try:
        await (await asyncpg.connect(signer_url(settings.owner_url, password))).close()
    except _REFUSED:
        await give_login(settings.owner_url, password)


async def give_login(owner_url: str, password: str) -> None:
    """Let the role log in with this password and no other."""
    db = await asyncpg.connect(owner_url)
    try:
        text = await db.fetchval("SELECT quote_literal($1::text)", password)
        await db.execute(f"ALTER ROLE {ROLE} LOGIN PASSWORD {text}")
    finally:
        await db.close()


async def main(settings: Settings) -> None:
    """Sign until cancelled; a second process of this sort waits until the first has ended."""
    _keep_memory_to_itself()
    async with open_bench(settings) as bench:
        place = await take_place(bench.db.url)
        try:
            bench.limits = bench.read()  # whoever signed meanwhile may have followed orders
            await _sign(bench, place)
        finally:
            place.terminate()


async def take_place(url: str) -> asyncpg.Connection:
    """The connection that says that this process is the one that signs, once nobody else's does.

    A database that is away is waited for: five quick deaths while it recovers would end the whole group.
    """
    while True:
        place = None
        try:
            place = await asyncpg.connect(url, timeout=5)
            await queries.take_place(place)
        except LOST as problem:
            _log.warning("the place is waited for", reason=type(problem).__name__)
            if place is not None:
                place.terminate()
            await asyncio.sleep(_AGAIN_SECONDS)
        else:
            return place


async def _sign(bench: Bench, place: asyncpg.Connection) -> None:
    async def step() -> None:
        await follow_limits(bench)
        await turn(bench, more=sweep)

    async def gas() -> None:
        await watch_gas(bench)

    working = [
        asyncio.create_task(repeat("payments", 0.5, step)),
        asyncio.create_task(repeat("gas", _GAS_SECONDS, gas)),
    ]
    lost = asyncio.Event()

    async def tell(_: object) -> None:
        lost.set()

    place.add_termination_listener(tell)
    try:
        await lost.wait()
        raise LostPlace("the database ended the connection that keeps a second signer away")
    finally:
        for task in working:
            task.cancel()
        await asyncio.gather(*working, return_exceptions=True)


@asynccontextmanager
async def open_records(settings: Settings) -> AsyncIterator[Database]:
    """The connections of the signer's role, without its keys and the chain. Raises: BadFolder."""
    db = Database(signer_url(settings.owner_url, SignerFolder(settings.data_dir).password()), size=3)
    try:
        yield db
    finally:
        await db.close()


@asynccontextmanager
async def open_bench(settings: Settings) -> AsyncIterator[Bench]:
    """The signer's doors: its role's connections, the chain, its keys and limits. Raises: BadFolder, WrongChain."""
    folder = SignerFolder(settings.data_dir)
    keys = folder.keys()
    if settings.deposit_xpub and settings.deposit_xpub != keys.xpub:
        raise BadFolder(f"DEPOSIT_XPUB isn't of the seed in {folder.folder}")
    if not settings.demo:
        folder.refuse_demo_reviewers()
    folder.reviewers()
    async with open_records(settings) as db:
        chain = await open_chain_as(PayingChain, settings)
        try:
            yield Bench(
                db=db,
                chain=chain,
                keys=keys,
                limits=folder.limits(),
                trusted=folder.reviewers,
                read=folder.limits,
                keep=folder.keep,
            )
        finally:
            await chain.close()


def _keep_memory_to_itself() -> None:
    """No core file, and no debugger of another process of the same user."""
    library = ctypes.CDLL(None)
    if hasattr(library, "prctl"):
        library.prctl(_SET_DUMPABLE, 0)
