"""New passwords, authenticators and signing keys: for the old ones alone, once, logged, and old signatures stay."""

import asyncio
import base64
import hashlib
import json
from typing import Any

import asyncpg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from console.conftest import Hire
from console.scene import PASSWORD, Ahead, Worker, begin_session, counts, desk_of, log_in, signed_key
from kalos.app.settings import PROJECT
from kalos.core.errors import WrongState
from kalos.core.tokens import digest
from kalos.domains.context import House
from kalos.domains.factors import rules as factors
from kalos.domains.identity.errors import WrongCredentials
from kalos.operator import jobs, people, queries, renewals, rules
from kalos.operator.queries import verify_audit
from kalos.operator.rules import ROLES
from support.plain import Plain

NEW = "another-quiet-lamp"
CHANGES = ("changePassword", "newAuthenticator", "changeKey")
MESSAGE = b"kalos withdrawal 1\n7\nUSDT"


VECTORS: list[dict[str, str]] = json.loads((PROJECT / "contract" / "reviewer_vectors.json").read_text())


async def post(api: Plain, name: str, token: str, **body: Any) -> dict[str, Any]:
    return await api.post(f"/api/operator/{name}", body, token=token)


def body_of(name: str, worker: Worker, key: Ed25519PrivateKey | None = None) -> dict[str, str]:
    """A right body; its code is asked for anew."""
    more: dict[str, dict[str, str]] = {
        "changePassword": {"new_password": NEW},
        "newAuthenticator": {},
        "changeKey": signed_key(worker.name, key or Ed25519PrivateKey.generate()),
    }
    return {"password": PASSWORD, "code": worker.code()} | more[name]


async def rewind(house: House, worker: Worker) -> None:
    """Let the codes of now be asked for again: a test can't wait for the next ones."""
    await house.db.execute("UPDATE staff SET last_step = 0 WHERE id = $1", worker.staff.id)
    worker.step = 0


async def stored(house: House, worker: Worker) -> tuple[Any, ...]:
    """What counts of somebody, and how many rows there are: what a refusal must leave as it was."""
    row = await house.db.row(
        "SELECT password_hash, totp_secret, public_key, last_step FROM staff WHERE id = $1", worker.staff.id
    )
    assert row is not None
    return *row, await counts(house)


async def last_log(house: House) -> tuple[str, str, str, dict[str, Any], dict[str, Any]]:
    (row,) = await queries.list_audit(house.db, before=None, most=1)
    assert await verify_audit(house.db) == []
    return row.name, row.act, row.object, row.before, row.after


async def test_a_new_password_counts_at_once_and_the_old_one_no_more(house: House, api: Plain, hire: Hire) -> None:
    worker = await hire("support")
    here, elsewhere = await begin_session(house.db, worker), await begin_session(house.db, worker)
    other = await begin_session(house.db, await hire("support"))
    answer = await post(api, "changePassword", here, **body_of("changePassword", worker))
    assert (answer["code"], answer["data"]) == (200, {})
    for token, code in ((here, 200), (elsewhere, 406), (other, 200)):
        assert (await post(api, "me", token))["code"] == code
    assert await last_log(house) == (
        worker.name, "staff.password", f"staff {worker.name}", {}, {"sessions_ended": 1},
    )  # fmt: skip
    worker.step -= 1  # the code wasn't seen by the server yet
    with pytest.raises(WrongCredentials):
        await log_in(house, worker)
    await house.db.execute("UPDATE staff SET last_step = 0 WHERE id = $1", worker.staff.id)
    await log_in(house, worker, password=NEW)


async def test_a_new_authenticator_counts_from_its_first_code_on(house: House, api: Plain, hire: Hire) -> None:
    worker = await hire("auditor")
    here, elsewhere = await begin_session(house.db, worker), await begin_session(house.db, worker)
    shown = (await post(api, "newAuthenticator", here, **body_of("newAuthenticator", worker)))["data"]
    assert shown["otpauth"].startswith(f"otpauth://totp/Kalos:{worker.name}%40console?secret={shown['secret']}&")
    assert (await last_log(house))[1:] == ("staff.authenticator_shown", f"staff {worker.name}", {}, {})
    assert (await post(api, "me", elsewhere))["code"] == 200
    renewed = Worker(worker.staff, base64.b32decode(shown["secret"]))
    first = renewed.code()
    assert (await post(api, "bindAuthenticator", here, code=first))["code"] == 200
    assert (await last_log(house))[1:] == (
        "staff.authenticator", f"staff {worker.name}", {}, {"sessions_ended": 1},
    )  # fmt: skip
    assert (await post(api, "me", here))["code"] == 200
    assert (await post(api, "me", elsewhere))["code"] == 406
    with pytest.raises(WrongCredentials):
        await log_in(house, renewed, first)
    with pytest.raises(WrongCredentials):
        await log_in(house, worker)
    await log_in(house, renewed)
    sealed = await house.db.value("SELECT totp_secret FROM staff WHERE id = $1", worker.staff.id)
    assert base64.b32decode(shown["secret"]) not in sealed


async def test_a_new_key_signs_from_now_on_and_old_signatures_stay_provable(
    house: House, api: Plain, hire: Hire, database_url: str
) -> None:
    worker, keys = await hire("reviewer"), [Ed25519PrivateKey.generate() for _ in range(2)]
    here, elsewhere = await begin_session(house.db, worker), await begin_session(house.db, worker)
    first = await post(api, "changeKey", here, **body_of("changeKey", worker, keys[0]))
    old = keys[0].sign(MESSAGE)
    assert worker.staff.public_key is not None
    public = [key.public_key().public_bytes_raw() for key in keys]
    assert first["data"]["public_key"] == public[0].hex()
    assert await last_log(house) == (
        worker.name, "staff.key", f"staff {worker.name}", {"public_key": worker.staff.public_key.hex()},
        {"public_key": public[0].hex(), "sessions_ended": 1},
    )  # fmt: skip
    assert (await post(api, "me", elsewhere))["code"] == 406
    second = await post(api, "changeKey", here, **body_of("changeKey", worker, keys[1]))
    assert second["data"] == (await post(api, "me", here))["data"]
    assert second["data"]["public_key"] == public[1].hex()
    owner = await asyncpg.connect(database_url)
    try:
        kept = await people.list_keys(owner, worker.name)
    finally:
        await owner.close()
    assert [row.public_key for row in kept] == [worker.staff.public_key, *public]
    assert [row.since for row in kept] == sorted(row.since for row in kept)
    Ed25519PublicKey.from_public_bytes(kept[1].public_key).verify(old, MESSAGE)


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("wrong", ["password", "code", "used code"])
async def test_who_lacks_the_old_password_or_code_renews_nothing(
    house: House, api: Plain, hire: Hire, name: str, wrong: str
) -> None:
    worker = await hire("reviewer")
    token, body = await begin_session(house.db, worker), body_of(name, worker)
    if wrong == "used code":
        await log_in(house, worker, body["code"])
    body |= {"password": {"password": "another"}, "code": {"code": "000000"}}.get(wrong, {})
    before = await stored(house, worker)
    answer = await post(api, name, token, **body)
    assert (answer["code"], answer["data"]) == (401, {"error": "wrong_credentials"})
    assert await stored(house, worker) == before


@pytest.mark.parametrize("name", CHANGES)
async def test_tries_are_as_many_as_at_the_door(house: House, api: Plain, hire: Hire, name: str) -> None:
    """Who has a session can't try more passwords than who has none."""
    worker = await hire("reviewer")
    token, before = await begin_session(house.db, worker), await stored(house, worker)
    most = house.terms.factor_tries[0]
    wrong = body_of(name, worker) | {"password": "another"}
    found = [await post(api, name, token, **wrong) for _ in range(most + 1)]
    assert [answer["data"]["error"] for answer in found] == ["wrong_credentials"] * most + ["too_many"]
    right = await post(api, name, token, **body_of(name, worker))
    assert right["data"]["error"] == "too_many"
    assert await stored(house, worker) == before


async def test_a_wrong_first_code_binds_nothing_and_is_counted(house: House, api: Plain, hire: Hire) -> None:
    worker = await hire("support")
    token = await begin_session(house.db, worker)
    shown = (await post(api, "newAuthenticator", token, **body_of("newAuthenticator", worker)))["data"]
    before, most = await stored(house, worker), house.terms.factor_tries[0]
    found = [await post(api, "bindAuthenticator", token, code="000000") for _ in range(most + 1)]
    assert [answer["data"]["error"] for answer in found] == ["wrong_code"] * most + ["too_many"]
    right = Worker(worker.staff, base64.b32decode(shown["secret"])).code()
    assert (await post(api, "bindAuthenticator", token, code=right))["data"]["error"] == "too_many"
    assert await stored(house, worker) == before


async def test_a_secret_that_was_shown_waits_ten_minutes_and_the_last_one_counts(
    house: House, api: Plain, hire: Hire
) -> None:
    worker = await hire("support")
    token = await begin_session(house.db, worker)
    assert (await post(api, "bindAuthenticator", token, code="123456"))["data"] == {"error": "wrong_state"}
    session = digest(token)
    shown = await renewals.show_authenticator(
        desk_of(house, worker, session=session), password=PASSWORD, code=worker.code()
    )
    late = desk_of(house, worker, session=session, ahead_ms=rules.PENDING_MS + 1)
    before = await stored(house, worker)
    code = factors.totp(shown, late.wall // factors.STEP_MS)
    with pytest.raises(WrongState):
        await renewals.bind_authenticator(late, code=code)
    assert await stored(house, worker) == before
    again = await renewals.show_authenticator(
        desk_of(house, worker, session=session), password=PASSWORD, code=worker.code()
    )
    first, last = (Worker(worker.staff, one) for one in (shown, again))
    assert (await post(api, "bindAuthenticator", token, code=first.code()))["data"] == {"error": "wrong_code"}
    codes = [last.code()] * 3
    found = await asyncio.gather(*(post(api, "bindAuthenticator", token, code=code) for code in codes))
    assert sorted(answer["code"] for answer in found) == [200, 422, 422]


async def test_a_key_must_be_the_callers_own_and_never_anybodys(house: House, api: Plain, hire: Hire) -> None:
    worker, other, key = await hire("reviewer"), await hire("reviewer"), Ed25519PrivateKey.generate()
    token, theirs = await begin_session(house.db, worker), await begin_session(house.db, other)
    right = body_of("changeKey", worker, key)
    assert (await post(api, "changeKey", token, **right))["code"] == 200
    assert (await post(api, "changeKey", token, **body_of("changeKey", worker)))["code"] == 200
    before = await stored(house, other)
    own = body_of("changeKey", other)
    for wrong, field in (
        (signed_key(worker.name, key), "signature"),
        ({"public_key": right["public_key"]}, "signature"),
        (signed_key(other.name, key), "public_key"),
    ):
        answer = await post(api, "changeKey", theirs, **own | wrong)
        assert (answer["code"], answer["data"]["errors"][0]["field"]) == (400, field)
        assert await stored(house, other) == before
    await rewind(house, worker)
    mine = await stored(house, worker)
    again = await post(api, "changeKey", token, **body_of("changeKey", worker, key))
    assert again["data"]["errors"] == [{"field": "public_key", "reason": "taken"}]
    assert await stored(house, worker) == mine


@pytest.mark.parametrize("vector", VECTORS)
def test_keys_follow_from_passphrases_as_the_page_makes_them(vector: dict[str, str]) -> None:
    salt = f"kalos reviewer {vector['name']}".encode()
    seed = hashlib.pbkdf2_hmac("sha256", vector["passphrase"].encode(), salt, 600_000)
    key = Ed25519PrivateKey.from_private_bytes(seed)
    assert key.public_key().public_bytes_raw().hex() == vector["public_key"]
    assert key.sign(vector["message"].encode()).hex() == vector["signature"]


def test_what_proves_a_new_key_is_the_pages_text() -> None:
    told = [vector for vector in VECTORS if vector["message"].startswith("kalos reviewer key")]
    assert len(told) == 1
    for vector in told:
        assert rules.key_message(vector["name"], bytes.fromhex(vector["public_key"])).decode() == vector["message"]


@pytest.mark.parametrize("role", [role for role in ROLES if role != "reviewer"])
async def test_keys_are_reviewers(house: House, api: Plain, hire: Hire, role: str) -> None:
    worker = await hire(role)
    token, before = await begin_session(house.db, worker), await stored(house, worker)
    answer = await post(api, "changeKey", token, **body_of("changeKey", worker))
    assert (answer["code"], answer["data"]) == (403, {"error": "forbidden"})
    assert await stored(house, worker) == before


@pytest.mark.parametrize(
    ("new", "error"), [(PASSWORD, "password_same"), ("short-pass1", "invalid_input"), ("x" * 129, "invalid_input")]
)
async def test_a_password_is_another_one_of_twelve_characters(
    house: House, api: Plain, hire: Hire, new: str, error: str
) -> None:
    worker = await hire("support")
    token, before = await begin_session(house.db, worker), await stored(house, worker)
    body = body_of("changePassword", worker) | {"new_password": new}
    answer = await post(api, "changePassword", token, **body)
    assert (answer["code"], answer["data"]["error"]) == (400, error)
    assert await stored(house, worker) == before


async def test_of_two_who_renew_with_one_code_one_does(house: House, api: Plain, hire: Hire) -> None:
    worker = await hire("support")
    tokens, body = [await begin_session(house.db, worker) for _ in range(3)], body_of("changePassword", worker)
    found = await asyncio.gather(*(post(api, "changePassword", token, **body) for token in tokens))
    assert sorted(answer["code"] for answer in found) == [200, 401, 401]


async def test_nobody_changes_the_list_of_keys_and_a_former_key_makes_nobody_staff(
    house: House, api: Plain, hire: Hire, database_url: str
) -> None:
    worker = await hire("reviewer")
    token = await begin_session(house.db, worker)
    await post(api, "changeKey", token, **body_of("changeKey", worker))
    owner = await asyncpg.connect(database_url)
    try:
        for statement in ("UPDATE staff_keys SET since = 1", "DELETE FROM staff_keys", "TRUNCATE staff_keys"):
            with pytest.raises(asyncpg.IntegrityConstraintViolationError, match="only ever added to"):
                await owner.execute(statement)
        made = await people.add_staff(
            owner, name="somebody-new", password_hash="h", roles=["reviewer"], public_key=worker.staff.public_key,
            factor_key=house.factor_keys[0], by="tests",
        )  # fmt: skip
        assert made is None
        assert await owner.fetchval("SELECT count(*) FROM staff WHERE name = 'somebody-new'") == 0
    finally:
        await owner.close()


async def test_a_secret_that_nobody_bound_goes_a_day_after_its_end(house: House, hire: Hire) -> None:
    worker = await hire("support")
    await renewals.show_authenticator(desk_of(house, worker), password=PASSWORD, code=worker.code())
    await jobs.sweep(house)
    assert await house.db.value("SELECT count(*) FROM staff_secrets WHERE staff = $1", worker.staff.id) == 1
    late = desk_of(house, ahead_ms=rules.PENDING_MS + 24 * 3_600_000 + 60_000).house
    assert isinstance(late.clock, Ahead)
    await jobs.sweep(late)
    assert await house.db.value("SELECT count(*) FROM staff_secrets WHERE staff = $1", worker.staff.id) == 0
