"""Every money call of a product asks its gate; those that don't stand in a list, with the reason."""

from typing import Final

import pytest

from kalos.app.calls import all_calls
from kalos.domains.protection.errors import GATE
from kalos.wire.calls import Call

UNGATED: Final = {
    "/api/withdraw/withdrawCoin": "withdrawing always works, also for who has paused; an identity is asked by amount",
    "/api/withdraw/receiveUsdt": "what members hold in a feature can be claimed, also where it is switched off",
    "/api/recharge/recharge": "a top-up is no feature: coins that arrived are credited whatever is switched off",
}
MONEY: Final = [call for call in all_calls(demo=True) if call.load == "money"]


@pytest.mark.parametrize("call", [call for call in MONEY if call.path not in UNGATED], ids=lambda call: call.path)
def test_a_money_call_may_refuse_what_its_gate_refuses(call: Call) -> None:
    """The document says so; tests/protection bets with each reason."""
    assert set(GATE) <= set(call.refusals)


def test_what_is_not_gated_is_a_call() -> None:
    assert set(UNGATED) <= {call.path for call in all_calls(demo=True)}
