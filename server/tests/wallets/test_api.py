"""The calls of wallets through the kernel: their shapes, and a request that is sent again."""

import asyncio
import uuid
from typing import Any

import pytest
from msgspec.structs import replace

from conftest import MakeContext, MakeMember
from factors.scene import OUT, give_out
from kalos.app.calls import REGISTERS
from kalos.core.tokens import digest
from kalos.domains.context import Context, House
from kalos.domains.identity.queries import find_session
from support.members import begin_session
from support.plain import Plain, plain_api
from wallets.people import new_wallet, shown, sign

Ready = tuple[Plain, Context, str]


@pytest.fixture
async def ready(house: House, ctx: MakeContext, member: MakeMember) -> Ready:
    """The API, a member with a withdrawal password, and the token of a session."""
    someone = ctx(await member())
    await give_out(someone)
    token = await begin_session(house.db, someone.caller)
    return await plain_api(house, REGISTERS), replace(someone, session=digest(token)), token


async def body(me: Context, scene: Any, **fields: Any) -> dict[str, Any]:
    proven = await shown(me, scene)
    return {"email_code": proven.email_code, "proof": proven.proof, **fields}


async def bound_wallets(api: Plain, token: str) -> Any:
    """As the member's own page lists them."""
    return (await api.data("/api/user/info", {}, token=token))["login_wallets"]


async def test_bind_a_wallet_and_log_in_with_it(ready: Ready) -> None:
    api, me, token = ready
    wallet = new_wallet()

    async def answered(session: str) -> dict[str, str]:
        made = await api.data("/api/auth/nonce", {"address": wallet.address}, token=session)
        assert made.keys() == {"nonce", "message", "expires_at"}
        return {"code": made["nonce"], "sign_message": sign(wallet, made["message"])}

    binding = await body(me, "login_wallet", address=wallet.address, **await answered(token))
    assert await api.data("/api/user/bindLogin", binding, token=token) == {}
    (bound,) = await bound_wallets(api, token)
    assert bound == {"address": wallet.address, "bound_at": bound["bound_at"]}
    assert 0 <= me.now - bound["bound_at"] < 10_000
    opened = await api.data("/api/auth/login", {"name": wallet.address, **await answered("")})
    session = await find_session(me.db, digest(opened["token"]), me.wall)
    assert session is not None
    assert session.member == me.caller
    again = await api.post("/api/user/bindLogin", binding, token=token)
    assert again["data"]["error"] in ("wrong_code", "code_expired")
    removal = await body(me, "login_wallet", address=wallet.address, remove=True)
    assert await api.data("/api/user/bindLogin", removal, token=token) == {}
    assert await bound_wallets(api, token) == []
    refused = await api.post("/api/auth/login", {"name": wallet.address, **await answered("")})
    assert (refused["code"], refused["data"]) == (401, {"error": "wrong_credentials"})


async def test_a_frozen_accounts_wallet_opens_nothing(ready: Ready) -> None:
    api, me, token = ready
    wallet = new_wallet()
    made = await api.data("/api/auth/nonce", {"address": wallet.address}, token=token)
    binding = await body(
        me, "login_wallet", address=wallet.address, code=made["nonce"], sign_message=sign(wallet, made["message"])
    )
    await api.data("/api/user/bindLogin", binding, token=token)
    await me.db.execute("UPDATE members SET frozen_at = 1 WHERE id = $1", me.caller.id)
    made = await api.data("/api/auth/nonce", {"address": wallet.address})
    login = {"name": wallet.address, "code": made["nonce"], "sign_message": sign(wallet, made["message"])}
    refused = await api.post("/api/auth/login", login)
    assert (refused["code"], refused["data"]["error"]) == (423, "account_frozen")


async def test_write_an_address_down_and_take_it_out(ready: Ready) -> None:
    api, me, token = ready
    address, request = new_wallet().address, uuid.uuid4().hex
    asked = await body(
        me, "address", chain=31337, address=address, label=" Ledger ", out_password=OUT, request_id=request
    )
    made = await api.data("/api/user/bindWallet", asked, token=token)
    assert made.keys() == {"id", "chain", "address", "label", "created_at", "usable_at"}
    assert (made["chain"], made["address"], made["label"]) == (31337, address, "Ledger")
    assert await api.data("/api/user/walletList", {}, token=token) == {
        "list": [made | {"last_used_at": None}], "total": 1, "next": None, "wait_hours": 0,
    }  # fmt: skip
    # Sent again, also with the codes and the slide of a new try: the first answer. With another body: a conflict.
    later = asked | {"email_code": "000000", "proof": "another", "out_password": "135790"}
    assert await api.data("/api/user/bindWallet", asked, token=token) == made
    assert await api.data("/api/user/bindWallet", later, token=token) == made
    other = await api.post("/api/user/bindWallet", asked | {"label": "Trezor"}, token=token)
    assert (other["code"], other["data"]["error"]) == (409, "request_conflict")
    gone = {"id": made["id"], "out_password": OUT, "request_id": request}
    for _ in range(2):
        assert await api.data("/api/user/delWallet", gone, token=token) == {}
    other = await api.post("/api/user/delWallet", gone | {"id": "999"}, token=token)
    assert (other["code"], other["data"]["error"]) == (409, "request_conflict")
    assert await api.data("/api/user/walletList", {}, token=token) == {
        "list": [], "total": 0, "next": None, "wait_hours": 0,
    }  # fmt: skip
    assert await api.data("/api/user/bindWallet", asked, token=token) == made, "what was answered stays answered"


async def test_of_the_same_request_many_times_at_once_all_hear_the_first_answer(ready: Ready) -> None:
    """Whoever finds the code used by the first is told what the first was told."""
    api, me, token = ready
    asked = await body(
        me, "address", chain=31337, address=new_wallet().address, label="x", out_password=OUT, request_id="r" * 16
    )
    answers = await asyncio.gather(*(api.data("/api/user/bindWallet", asked, token=token) for _ in range(5)))
    assert answers == answers[:1] * 5
    assert await me.db.value("SELECT count(*) FROM withdrawal_addresses WHERE member = $1", me.caller.id) == 1


@pytest.mark.parametrize("field", ["is_listed", "usable_at", "member", "nonce"])
async def test_nothing_else_can_be_set(ready: Ready, field: str) -> None:
    api, me, token = ready
    asked = await body(
        me, "address", chain=31337, address=new_wallet().address, label="x", out_password=OUT, request_id="r" * 16
    )
    refused = await api.post("/api/user/bindWallet", asked | {field: 0}, token=token)
    assert refused["data"]["errors"] == [{"field": field, "reason": "unknown"}]
