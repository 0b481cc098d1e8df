"""People who work here, and the kernel that they call."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from console.scene import Worker, make_worker
from kalos.app.calls import REGISTERS, STAFF_REGISTERS
from kalos.domains.context import House
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
