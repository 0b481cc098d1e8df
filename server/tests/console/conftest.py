"""People who work here, and the kernel that they call."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import asyncpg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from conftest import MakeContext, MakeMember
from console.scene import MakeReviewer, Reviewer, Worker, begin_session, make_worker
from deposits.scene import SandboxScene, sandbox_scene
from factors.scene import give_out
from kalos.app.calls import REGISTERS, STAFF_REGISTERS
from kalos.core.tokens import digest
from kalos.domains.context import Context, House
from support.members import begin_session as begin_members_session
from support.plain import Plain, plain_api

Hire = Callable[..., Awaitable[Worker]]


@pytest.fixture(scope="module")
def hire(database_url: str, house: House) -> Hire:
    """`await hire("owner", "treasurer")` lets somebody work here."""

    async def make(*roles: str) -> Worker:
        return await make_worker(database_url, house.factor_keys[0], *roles)

    return make


@pytest.fixture(scope="module")
async def maker(hire: Hire) -> Worker:
    return await hire("owner", "treasurer")


@pytest.fixture(scope="module")
async def checker(hire: Hire) -> Worker:
    return await hire("treasurer")


@pytest.fixture(scope="module")
async def api(house: House) -> Plain:
    """With no limit of calls a second."""
    terms = replace(house.terms, rate_read=100_000, rate_money=100_000)
    return await plain_api(replace(house, terms=terms), (*REGISTERS, *STAFF_REGISTERS))


@pytest.fixture(scope="module")
def reviewer(hire: Hire, house: House, database_url: str) -> MakeReviewer:
    async def make(*roles: str) -> Reviewer:
        worker = await hire(*(roles or ("reviewer",)))
        key = Ed25519PrivateKey.generate()
        owner = await asyncpg.connect(database_url)
        try:
            await owner.execute(
                "UPDATE staff SET public_key = $2 WHERE id = $1", worker.staff.id, key.public_key().public_bytes_raw()
            )
        finally:
            await owner.close()
        return Reviewer(worker, key, await begin_session(house.db, worker))

    return make


@pytest.fixture
async def here(ctx: MakeContext, member: MakeMember) -> Context:
    """A member who can withdraw much."""
    someone = await member(usdt="200000", kls="10000")
    session = digest(await begin_members_session(ctx().db, someone))
    made = ctx(someone, session=session)
    await give_out(made)
    return made


@pytest.fixture
async def scene(house: House, member: MakeMember) -> SandboxScene:
    return await sandbox_scene(house, await member())
