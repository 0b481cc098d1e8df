"""What the tests of security share."""

import pytest

from conftest import MakeContext
from factors.scene import hashed
from kalos.core.tokens import digest
from kalos.domains.context import Context
from support.members import begin_session, make_member
from support.people import PASSWORD


@pytest.fixture
async def here(ctx: MakeContext, database_url: str) -> Context:
    """A call of a member with a session and one other session."""
    who = await make_member(database_url, password_hash=hashed(PASSWORD))
    return ctx(who, session=digest(await begin_session(ctx().db, who)))
