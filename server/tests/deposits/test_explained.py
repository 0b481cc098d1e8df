"""What waits in suspense is the deposits under the minimum, to the last unit."""

from conftest import MakeMember
from deposits.scene import sandbox_scene
from kalos.domains.context import House
from kalos.domains.deposits.queries import EXPLAINED
from kalos.ledger.audit import audit
from kalos.ledger.explained import Sums


async def test_suspense_is_explained_by_the_deposits_that_wait(house: House, member: MakeMember) -> None:
    scene = await sandbox_scene(house, await member())
    for units in (3_000_000, 2_500_000, 9_000_000):
        scene.pay(units)
        await scene.grow(5)
        assert await audit(house.db, EXPLAINED) == []
    assert await scene.suspense() == 0
    scene.pay(4_000_001)
    await scene.grow(5)
    assert await scene.suspense() == 4_000_001
    (known,) = EXPLAINED
    without = Sums(known.purpose, f"{known.rows} AND d.units > 4000001")
    assert await audit(house.db, [without]) == ["purpose not explained: suspense has 4000001 USDT, rows say 0"]
