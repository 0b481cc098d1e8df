"""Numbers of prices and gas: whoever uses them goes by what two have signed, within the bounds."""

from dataclasses import replace
from fractions import Fraction

import pytest

from console.scene import Worker, desk_of, sign, submit
from deposits.scene import SandboxScene
from kalos.app.numbers import FollowedNumbers
from kalos.app.settings import PROJECT
from kalos.core.clock import HOUR_MS
from kalos.core.errors import InvalidInput
from kalos.core.terms import load_terms
from kalos.domains.context import House
from kalos.domains.prices.rules import LARGEST_STEP
from reserves.scene import FINAL, HOT, look

Followed = tuple[House, FollowedNumbers]
FILE = PROJECT / "server" / "terms.toml"


@pytest.fixture
def followed(house: House) -> Followed:
    """A house with terms of its own, as a process has them, and who looks what was ordered."""
    terms = load_terms(FILE)
    return replace(house, terms=terms), FollowedNumbers(house.db, terms, FILE)


async def test_a_day_brings_the_price_as_far_as_two_have_signed(
    followed: Followed, maker: Worker, checker: Worker
) -> None:
    house, numbers = followed
    row = await submit(desk_of(house, maker), name="price_daily_step", value="0.1")
    assert (row.state, row.signers, row.before, row.after) == ("open", 2, {"value": "0.05"}, {"value": "0.1"})
    await numbers.look()
    with pytest.raises(InvalidInput):
        await submit(desk_of(house, maker), "price", asset="KLS", rate="0.55")
    await sign(desk_of(house, checker), row)
    await numbers.look()
    for rate in ("0.55000001", "0.44999999"):
        with pytest.raises(InvalidInput):
            await submit(desk_of(house, maker), "price", asset="KLS", rate=rate)
    price = await submit(desk_of(house, maker), "price", asset="KLS", rate="0.55")
    assert (await sign(desk_of(house, checker), price)).state == "carried_out"


async def test_a_days_step_is_at_most_what_the_database_takes(house: House, maker: Worker) -> None:
    known = desk_of(house).numbers["price_daily_step"].changeable
    assert known is not None
    assert known.term(known.maximum) == LARGEST_STEP == Fraction(1, 5)
    with pytest.raises(InvalidInput) as refused:
        await submit(desk_of(house, maker), name="price_daily_step", value="0.20000001")
    assert refused.value.fields == {"errors": [{"field": "body.value", "reason": "out_of_bounds"}]}


async def test_gas_is_low_by_what_two_have_signed(
    followed: Followed, scene: SandboxScene, maker: Worker, checker: Worker
) -> None:
    house, numbers = followed
    scene.house = replace(scene.house, terms=house.terms)
    scene.chain.native[HOT] = 10**18
    await scene.grow(FINAL + 1)
    with pytest.raises(InvalidInput):
        await submit(desk_of(house, maker), name="gas_low", value="1000.1")
    row = await submit(desk_of(house, maker), name="gas_low", value="1.00000001")
    assert (row.state, row.signers, row.before, row.after) == ("open", 2, {"value": "0.1"}, {"value": "1.00000001"})
    await numbers.look()
    assert not (await look(scene, wall=HOUR_MS)).is_gas_low
    await sign(desk_of(house, checker), row)
    await numbers.look()
    assert (await look(scene, wall=2 * HOUR_MS)).is_gas_low
