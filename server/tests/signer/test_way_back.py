"""The table lets a withdrawal come back only on the signer's word, and only what isn't signed."""

import asyncpg
import pytest

from kalos.signer.steps import turn
from signer.scene import Scene

WORD = "INSERT INTO broadcast_returns (withdrawal, revision, reason, at) VALUES ($1, $2, 'account_frozen', 1)"
BACK = "UPDATE withdrawals SET status = 'pending_review', decided_at = NULL, revision = 2, {} WHERE id = $1"


async def refused(scene: Scene, change: str, withdrawal: int) -> None:
    with pytest.raises(asyncpg.PostgresError, match="goes no such way"):
        await scene.owner(BACK.format(change), withdrawal)


async def test_the_table_takes_as_many_people_as_the_signer_says(scene: Scene) -> None:
    one = await scene.ask("5")
    word = "INSERT INTO broadcast_returns (withdrawal, revision, reason, needed, at) VALUES ($1, 1, $2, $3, 1)"
    for reason, needed in (("account_frozen", 1), ("not_reviewed", None), ("not_reviewed", 0), ("not_reviewed", 3)):
        with pytest.raises(asyncpg.CheckViolationError):
            await scene.owner(word, one, reason, needed)
    await scene.owner(word, one, "not_reviewed", 2)
    await refused(scene, "needed = 1, returned = 1", one)
    await scene.owner(BACK.format("needed = 2, returned = 1"), one)


@pytest.mark.parametrize(
    "change", ["needed = 0, returned = 1", "needed = 2, returned = 1", "needed = 1, returned = 2", "needed = 1"]
)
async def test_one_comes_back_once_more_and_to_one_person_at_least(scene: Scene, change: str) -> None:
    one = await scene.ask("5")
    await scene.owner(WORD, one, 1)
    await refused(scene, change, one)


async def test_it_comes_back_by_the_signers_word_on_how_it_stands_alone(scene: Scene) -> None:
    one, change = await scene.ask("5"), "needed = 1, returned = 1"
    await refused(scene, change, one)
    await scene.owner(WORD, one, 7)
    await refused(scene, change, one)
    await scene.owner(WORD, one, 1)
    await scene.owner(BACK.format(change), one)


async def test_the_table_lets_nothing_come_back_that_was_signed(scene: Scene) -> None:
    one = await scene.ask("5")
    await turn(scene.bench)
    await scene.owner(WORD, one, 1)
    await refused(scene, "needed = 1, returned = 1", one)
    await scene.finish(one)
