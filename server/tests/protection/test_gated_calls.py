"""Each call that asks the gate, over HTTP: refused for each of the seven reasons, and nothing moved."""

import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

import pytest

from conftest import MakeMember
from contract.test_gates import MONEY, UNGATED
from games.stage import SCENE, Stage
from kalos.app.calls import REGISTERS
from kalos.core.clock import business_day
from kalos.core.ports import ApprovedIdentity
from kalos.domains.context import Context, Member
from kalos.domains.identity.queries import set_staff
from kalos.domains.protection import service
from kalos.domains.protection.errors import GATE
from kalos.domains.protection.rules import GATES
from kalos.domains.protection.service import Gate
from protection.scene import COUNTRIES, Papers, order
from support.members import begin_session
from support.plain import Plain, plain_api


@dataclass(frozen=True, slots=True)
class Scene:
    stage: Stage
    api: Plain
    papers: Papers
    member: Member
    token: str

    @property
    def ctx(self) -> Context:
        return self.stage.context(self.member)

    def forget(self) -> None:
        """What the gate has read of the member."""
        service.gate_of(self.stage.house).forget(str(self.member.id))


@pytest.fixture
async def scene(stage: Stage, member: MakeMember) -> Scene:
    papers, shared = Papers(), stage.house
    gate = Gate(shared.db, shared.terms, shared.clock, shared.prices, papers, COUNTRIES, is_demo=True)
    house = replace(shared, may=gate)
    someone = await member(usdt="100")
    return Scene(
        Stage(house), await plain_api(house, REGISTERS), papers, someone, await begin_session(shared.db, someone)
    )


async def bet(scene: Scene) -> dict[str, Any]:
    view = await scene.stage.begin()
    return {"scene_id": SCENE, "round": view.id, "option": "odd", "amount": "10", "balance_type": "USDT"}


BODIES: Final[dict[str, Callable[[Scene], Awaitable[dict[str, Any]]]]] = {"/api/game/beton": bet}
"""What each gated call is sent; it would go through."""


async def feature_off(scene: Scene) -> dict[str, Any]:
    await order(scene.stage.house, "games", is_on=False)
    return {}


async def disclosure_required(scene: Scene) -> dict[str, Any]:
    await scene.ctx.db.execute("UPDATE members SET country = 'VN' WHERE id = $1", scene.member.id)
    scene.forget()
    return {"feature": "games", "version": 2}


async def kyc_required(scene: Scene) -> dict[str, Any]:
    await order(scene.stage.house, GATES, is_on=True)
    return {}


async def age_required(scene: Scene) -> dict[str, Any]:
    await order(scene.stage.house, GATES, is_on=True)
    born = business_day(scene.stage.now) - timedelta(days=17 * 365)
    scene.papers.known[scene.member.id] = ApprovedIdentity("VN", born)
    return {"age": 18}


async def staff_account(scene: Scene) -> dict[str, Any]:
    async with scene.ctx.db.transaction() as db:
        await set_staff(db, scene.member.account, is_staff=True)
    scene.forget()
    return {}


async def self_excluded(scene: Scene) -> dict[str, Any]:
    return {"until": await service.take_break(scene.ctx, days=1)}


async def player_limit(scene: Scene) -> dict[str, Any]:
    await service.set_limits(scene.ctx, {"stake": 9_999_999})
    return {"limit": "stake", "left": "9.999999"}


REASONS: Final = (
    feature_off, disclosure_required, kyc_required, age_required, staff_account, self_excluded, player_limit,
)  # fmt: skip


def test_each_gated_call_is_sent_here_and_each_reason_stands_here() -> None:
    assert BODIES.keys() == {call.path for call in MONEY} - UNGATED.keys()
    assert {reason.__name__ for reason in REASONS} == {refusal.name for refusal in GATE}


@pytest.mark.parametrize("path", BODIES)
async def test_without_a_reason_it_goes_through(scene: Scene, path: str) -> None:
    body = await BODIES[path](scene)
    assert (await scene.api.post(path, body | {"request_id": uuid.uuid4().hex}, token=scene.token))["code"] == 200


@pytest.mark.parametrize("reason", REASONS, ids=lambda reason: reason.__name__)
@pytest.mark.parametrize("path", BODIES)
async def test_each_reason_refuses_it_and_nothing_moves(scene: Scene, path: str, reason: Any) -> None:
    body = await BODIES[path](scene)
    told = await reason(scene)
    before = await scene.stage.counts(), await scene.stage.money(scene.member)
    answer = await scene.api.post(path, body | {"request_id": uuid.uuid4().hex}, token=scene.token)
    assert answer["code"] == 422
    assert answer["data"] == {"error": reason.__name__, **told}
    assert (await scene.stage.counts(), await scene.stage.money(scene.member)) == before
