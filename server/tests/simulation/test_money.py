"""The whole house from one seed: whatever happens at once, dies or comes twice, the books are those of a tally."""

import uuid
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import pytest

from kalos.app.auditing import EXPLAINED
from kalos.core.terms import Terms
from kalos.ledger.audit import audit
from kalos.operator.queries import verify_audit
from simulation.driver import Driver
from simulation.intents import draw
from simulation.tally import none_is_stuck
from simulation.world import World, world_on
from support import clusters
from support.budget import SOAK, count, figures, seed

MOMENTS = 300 if SOAK else 200
ASK_EVERY = 5
LOOK_EVERY = 50
_LIVES: Final[list[Counter[str]]] = []


@pytest.fixture
async def world(template: str, tmp_path: Path, terms: Terms) -> AsyncIterator[World]:
    """A house in which nothing has happened yet."""
    name = f"simulation_{uuid.uuid4().hex[:12]}"
    url = await clusters.copy_template(template, name)
    async with world_on(url, tmp_path, terms) as fresh:
        yield fresh
    await clusters.drop(template, name)


@pytest.mark.parametrize("run", range(count("simulation.runs")))
async def test_the_books_of_the_whole_house_are_those_of_a_tally(run: int, world: World) -> None:
    number = seed() + run
    driver, at = Driver(world, number), 0
    try:
        for at, moment in enumerate(draw(number, MOMENTS), 1):
            await driver.live(moment)
            if at % ASK_EVERY == 0:
                await driver.ask_again()
            if at % LOOK_EVERY == 0:
                await driver.work_off()
                await look(world, driver)
        await driver.end()
        await look(world, driver)
        await none_is_stuck(world.db, world.now)
        assert await verify_audit(world.db) == []
    except BaseException as problem:
        problem.add_note(f"moment {at} of the first run of KALOS_SEED={number}")
        raise
    owed = await world.db.value("SELECT count(*) FROM payables")
    figures(
        "simulation", seed=number, deaths=world.deaths, grants=len(driver.tally.grants), owed=owed, **driver.outcomes
    )
    assert world.deaths > MOMENTS // 40
    _LIVES.append(Counter(driver.outcomes))


def test_in_all_lives_together_enough_was_placed() -> None:
    """A house that loses its bankroll of a coin early takes few bets in all its life, as it should."""
    for outcome, share in (("placed", 10), ("withdrawal placed", 100)):
        assert sum(life[outcome] for life in _LIVES) > count("simulation.runs") * MOMENTS // share, _LIVES


async def look(world: World, driver: Driver) -> None:
    """The whole ledger is sound and explained, the books are the tally's, and who follows facts has missed none."""
    assert await audit(world.db, EXPLAINED) == []
    await driver.tally.check(world)
    last = await world.db.value("SELECT last_fact FROM ledger_tail")
    assert driver.facts == set(range(1, last + 1))


def test_the_same_seed_draws_the_same_intents() -> None:
    assert list(draw(7, 500)) == list(draw(7, 500))
    assert list(draw(7, 500))[:200] == list(draw(7, 200))
    assert list(draw(7, 20)) != list(draw(8, 20))
