"""A member with a deposit address on a chain of the test's own."""

import pytest

from conftest import MakeMember
from deposits.scene import SandboxScene, sandbox_scene
from kalos.domains.context import House


@pytest.fixture
async def scene(house: House, member: MakeMember) -> SandboxScene:
    return await sandbox_scene(house, await member())
