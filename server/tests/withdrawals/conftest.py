"""Fixtures of these tests: members who can withdraw."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from conftest import MakeContext, MakeMember
from factors.scene import give_out
from kalos.core.tokens import digest
from kalos.domains.context import Context
from support.members import begin_session

MakeRich = Callable[..., Awaitable[Context]]


@pytest.fixture(scope="module")
def rich(ctx: MakeContext, member: MakeMember) -> MakeRich:
    """`await rich(usdt="100", kls="5")` is a call of a new member with a session, a withdrawal password and that."""

    async def make(*, fields: dict[str, Any] | None = None, **amounts: str) -> Context:
        someone = await member(**amounts)
        visitor = ctx()
        session = digest(await begin_session(visitor.db, someone))
        made = ctx(someone, session=session, **(fields or {}))
        await give_out(made)
        return made

    return make
