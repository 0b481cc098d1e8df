"""Each call in the house: whatever it answers to its example, to a stranger and to nonsense stands in the document."""

import pytest

from conftest import MakeMember
from kalos.app.calls import REGISTERS, all_calls
from kalos.core.clock import Clock
from kalos.core.tokens import digest, new_token
from kalos.domains.context import House
from kalos.domains.identity.queries import insert_session
from kalos.domains.identity.tables import SessionRow
from kalos.wire.calls import Call
from kalos.wire.openapi import document
from kalos.wire.uploads import takes_file
from support.plain import Plain, plain_api

CALLS = list(all_calls(demo=False))
DOCUMENT = document(CALLS)
NO_SUCH_THING = {
    "captcha_expired", "claim_too_high", "code_expired", "invalid_invite_code", "not_found", "out_password_not_set",
    "round_closed", "submit_failed", "slide_required", "wrong_code", "wrong_state",
}  # fmt: skip
"""What may be answered to a well-formed body that names what isn't there."""


@pytest.fixture(scope="module")
async def api(house: House) -> Plain:
    return await plain_api(house, REGISTERS)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.path)
async def test_a_call_answers_only_what_the_document_says(
    api: Plain, house: House, member: MakeMember, call: Call
) -> None:
    token, wall, me = new_token(), Clock.wall(), await member(usdt="100")
    async with house.db.transaction() as db:
        await insert_session(db, SessionRow(digest(token), me.id, "", "", wall, 60_000, wall + 60_000))
    example = DOCUMENT["paths"][call.path]["post"]["requestBody"]["content"]["application/json"]["example"]
    answer = await api.post(call.path, example, token=token)
    if takes_file(call):  # which is no part of its body
        assert answer["data"]["errors"] == [{"field": "file", "reason": "absent"}]
    else:
        assert answer["code"] == 200 or answer["data"]["error"] in NO_SUCH_THING, answer
    nonsense = await api.post(call.path, {**example, "no_such_field": 1}, token=token)
    if call.path != "/api/auth/logout":
        assert nonsense["data"] == {
            "error": "invalid_input",
            "errors": [{"field": "no_such_field", "reason": "unknown"}],
        }
    if not call.public:
        assert (await api.post(call.path, example))["data"] == {"error": "session_ended"}
