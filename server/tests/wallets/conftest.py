"""Fixtures of these tests: calls of a member with a session."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from conftest import MakeContext, MakeMember
from factors.scene import give_out
from kalos.core.tokens import digest
from kalos.domains.context import Context
from support.members import begin_session

MakeCaller = Callable[..., Awaitable[Context]]


@pytest.fixture(scope="module")
def caller(ctx: MakeContext, member: MakeMember) -> MakeCaller:
    """`await caller()` is a call of a new member who has a session and a withdrawal password."""

    async def make(**fields: Any) -> Context:
        someone = await member()
        visitor = ctx()
        session = digest(await begin_session(visitor.db, someone))
        made = ctx(someone, session=session, **fields)
        await give_out(made)
        return made

    return make
