"""Who works in the console, as it is ordered on the machine; and what demo mode brings."""

import base64
import hashlib
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from console.scene import desk_of
from kalos.app import demo_data, supervise
from kalos.app.migrate import role_url
from kalos.app.settings import Settings
from kalos.app.signer_folder import SignerFolder
from kalos.app.staff import USAGE, obey, verify
from kalos.core.database import Database
from kalos.domains.context import House
from kalos.domains.factors import rules as factors
from kalos.domains.identity.errors import WrongCredentials
from kalos.operator import queries, service
from support.clusters import SECRET
from support.members import make_member

PASSWORD = "calm-harbour-lamp"
KEY = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path, database_url=database_url, installation_secret=SECRET.hex())


async def order(settings: Settings, *arguments: str, password: str = PASSWORD) -> tuple[int, str]:
    return await obey(settings, arguments, lambda: password)


async def last_change(settings: Settings) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the log says of the last thing that was ordered: before and after."""
    db = Database(settings.owner_url)
    (row,) = await queries.list_audit(db, before=None, most=1)
    await db.close()
    return row.before, row.after


async def test_who_is_added_logs_in_with_the_secret_that_was_shown_once(house: House, settings: Settings) -> None:
    code, text = await order(settings, "add", "anna", "--roles", "treasurer,owner", "--public-key", KEY)
    assert code == 0
    shown = text.splitlines()[1]
    own = desk_of(replace(house, factor_keys=settings.factor_keys))
    totp = factors.totp(base64.b32decode(shown), own.wall // factors.STEP_MS)
    opened = await service.log_in(own, name="anna", password=PASSWORD, code=totp)
    assert (sorted(opened.staff.roles), opened.staff.public_key) == (["owner", "treasurer"], bytes.fromhex(KEY))
    code, listed = await order(settings, "list")
    assert shown not in listed
    assert [line.split()[1:] for line in listed.splitlines() if " anna " in line] == [
        ["anna", "works", "treasurer,owner", KEY]
    ]
    (row,) = [one for one in await queries.list_audit(house.db, before=None, most=9) if one.act == "staff.add"]
    assert (row.object, row.staff, row.after["roles"]) == ("staff anna", None, ["treasurer", "owner"])

    assert (await order(settings, "end", "anna"))[0] == 0
    assert await queries.find_caller(house.db, hashlib.sha256(opened.token.encode()).digest(), own.wall) is None
    later = factors.totp(base64.b32decode(shown), own.wall // factors.STEP_MS + 1)
    with pytest.raises(WrongCredentials):
        await service.log_in(own, name="anna", password=PASSWORD, code=later)
    assert await order(settings, "end", "anna") == (1, "nobody called anna works here")
    rows, (last,) = await queries.last_audit(house.db), await queries.list_audit(house.db, before=None, most=1)
    told = f"the log is whole: {rows} rows, the last is {last.hash.hex()}"
    assert await verify(house.db, ["verify"]) == (0, told)


async def test_who_is_ended_signs_nothing_for_the_signer_either(house: House, settings: Settings) -> None:
    folder = SignerFolder(settings.data_dir)
    for name in ("ilse", "jens", "karl"):
        assert (await order(settings, "add", name, "--roles", "support"))[0] == 0
    assert "where the signer runs: kalos signer distrust ilse" in (await order(settings, "end", "ilse"))[1]
    folder.prepare(is_demo=False)
    folder.trust("jens", KEY)
    assert "the signer trusts the name no longer" in (await order(settings, "end", "jens"))[1]
    assert folder.reviewers() == {}
    assert "the signer doesn't trust the name" in (await order(settings, "end", "karl"))[1]


async def test_every_key_that_somebody_had_is_listed_with_its_time(settings: Settings) -> None:
    await order(settings, "add", "erna", "--roles", "reviewer", "--public-key", KEY[::-1])
    other = "ab" * 32
    owner = await asyncpg.connect(settings.owner_url)
    try:
        await owner.execute("UPDATE staff SET public_key = $1 WHERE name = 'erna'", bytes.fromhex(other))
    finally:
        await owner.close()
    code, listed = await order(settings, "keys", "erna")
    assert (code, [line.split()[-1] for line in listed.splitlines()]) == (0, [KEY[::-1], other])
    assert all(re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC  ", line) for line in listed.splitlines())
    assert await order(settings, "keys", "nobody") == (0, "nobody never had a signing key")


async def test_an_own_account_is_named_taken_away_and_staffs_from_then_on(settings: Settings) -> None:
    first, second = await make_member(settings.owner_url), await make_member(settings.owner_url)
    for name, key in (("gerd", "cd" * 32), ("hilde", "ce" * 32)):
        assert (await order(settings, "add", name, "--roles", "reviewer", "--public-key", key))[0] == 0

    async def own(name: str) -> tuple[int | None, bool]:
        owner = await asyncpg.connect(settings.owner_url)
        try:
            row = await owner.fetchrow(
                "SELECT s.member, coalesce(m.is_staff, false) FROM staff s LEFT JOIN members m ON m.id = s.member"
                " WHERE s.name = $1",
                name,
            )
        finally:
            await owner.close()
        assert row is not None
        return row[0], row[1]

    assert (await order(settings, "account", "gerd", first.account))[0] == 0
    assert await own("gerd") == (first.id, True)
    assert f"{'cd' * 32}  own account {first.account}" in (await order(settings, "list"))[1]
    for name, account in (("hilde", first.account), ("hilde", "99999999"), ("nobody", second.account)):
        assert (await order(settings, "account", name, account))[0] == 1
    assert await own("hilde") == (None, False)
    assert (await order(settings, "account", "gerd", second.account))[0] == 0
    assert await own("gerd") == (second.id, True)
    stood = {"works": True, "roles": ["reviewer"], "account": first.account}
    assert await last_change(settings) == (stood, stood | {"account": second.account})
    assert (await order(settings, "account", "gerd", "none"))[0] == 0
    assert await own("gerd") == (None, False)
    assert (await order(settings, "account", "nobody", "none"))[0] == 1
    assert (await order(settings, "account", "gerd", first.account))[0] == 0
    assert (await order(settings, "end", "gerd"))[0] == 0
    assert await last_change(settings) == (stood, stood | {"works": False, "account": None})
    assert (await order(settings, "account", "hilde", first.account))[0] == 0
    assert await own("hilde") == (first.id, True)


@pytest.mark.parametrize(
    ("arguments", "password", "code"),
    [
        ((), PASSWORD, 2),
        (("add", "berta"), PASSWORD, 2),
        (("add", "Berta", "--roles", "owner"), PASSWORD, 1),
        (("add", "b", "--roles", "owner"), PASSWORD, 1),
        (("add", "berta", "--roles", "root"), PASSWORD, 1),
        (("add", "berta", "--roles", ""), PASSWORD, 1),
        (("add", "berta", "--roles", "owner"), "short", 1),
        (("add", "berta", "--roles", "owner"), "", 1),
        (("add", "berta", "--roles", "owner", "--public-key", "00"), PASSWORD, 1),
        (("add", "berta", "--roles", "owner", "--public-key", "A" * 64), PASSWORD, 1),
        (("end", "berta"), PASSWORD, 1),
    ],
)
async def test_what_cannot_be_adds_nobody(
    db: Database, settings: Settings, arguments: tuple[str, ...], password: str, code: int
) -> None:
    before = await queries.last_audit(db)
    found, text = await order(settings, *arguments, password=password)
    assert (found, bool(text)) == (code, True)
    assert await db.value("SELECT count(*) FROM staff WHERE name IN ('berta', 'b', 'Berta')") == 0
    assert await queries.last_audit(db) == before


async def test_a_name_and_a_key_are_one_persons(db: Database, settings: Settings) -> None:
    assert (await order(settings, "add", "carla", "--roles", "owner", "--public-key", "0" * 64))[0] == 0
    assert (await order(settings, "add", "carla", "--roles", "owner"))[0] == 1
    assert (await order(settings, "add", "dora", "--roles", "owner", "--public-key", "0" * 64))[0] == 1
    assert await db.value("SELECT count(*) FROM staff WHERE name IN ('carla', 'dora')") == 1


async def test_no_process_makes_itself_staff(database_url: str) -> None:
    """The roles of API, worker and writer may not write who works here."""
    for role in ("kalos_app", "kalos_writer"):
        own = await asyncpg.connect(role_url(database_url, role, SECRET))
        try:
            for statement in (
                "INSERT INTO staff (name, password_hash, totp_secret, roles, made_at) VALUES ('x', '', '', '{}', 1)",
                "UPDATE staff SET roles = '{owner}'",
                "UPDATE staff SET is_active = true",
                "UPDATE operator_audit SET name = 'x'",
                "DELETE FROM operator_audit",
                "DELETE FROM commands",
            ):
                with pytest.raises(asyncpg.InsufficientPrivilegeError):
                    await own.execute(statement)
        finally:
            await own.close()


async def test_a_log_that_was_changed_is_told(db: Database, database_url: str, settings: Settings) -> None:
    assert await verify(db, []) == (2, "audit-log verify")
    await order(settings, "add", "elsa", "--roles", "support")
    owner = await asyncpg.connect(database_url)
    try:
        await owner.execute("ALTER TABLE operator_audit DISABLE TRIGGER operator_audit_stays")
        number = await queries.last_audit(db)
        await owner.execute("UPDATE operator_audit SET name = name || 'x' WHERE id = $1", number)
        code, text = await verify(db, ["verify"])
        assert (code, "was changed" in text) == (1, True)
        await owner.execute("UPDATE operator_audit SET name = left(name, -1) WHERE id = $1", number)
    finally:
        await owner.execute("ALTER TABLE operator_audit ENABLE TRIGGER operator_audit_stays")
        await owner.close()
    assert (await verify(db, ["verify"]))[0] == 0


async def test_demo_mode_has_an_operator_and_a_reviewer_once(house: House, settings: Settings) -> None:
    for _ in range(2):
        await demo_data.make_staff(settings)
    own = desk_of(replace(house, factor_keys=settings.factor_keys))
    for one in demo_data.STAFF:
        code = factors.totp(base64.b32decode(one.secret), own.wall // factors.STEP_MS)
        opened = await service.log_in(own, name=one.name, password=demo_data.PASSWORD, code=code)
        assert opened.staff.roles == set(one.roles)
    assert {one.name: set(one.roles) for one in demo_data.STAFF} == {
        "operator": {"owner", "treasurer", "reviewer", "support", "content"},
        "reviewer": {"reviewer", "treasurer"},
    }


@pytest.mark.parametrize("one", demo_data.STAFF, ids=lambda one: one.name)
def test_what_demo_mode_prints_is_right(one: demo_data.DemoStaff) -> None:
    """The key is the passphrase's, as a reviewer's page makes it."""
    salt = f"kalos reviewer {one.name}".encode()
    seed = hashlib.pbkdf2_hmac("sha256", one.passphrase.encode(), salt, 600_000, 32)
    assert Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw().hex() == one.public_key
    (line,) = [line for line in supervise.DEMO_ACCOUNTS.splitlines() if line.startswith(f"  {one.name} ")]
    assert line.split(maxsplit=3) == [one.name, demo_data.PASSWORD, one.secret, one.passphrase]


def test_usage_names_every_role() -> None:
    assert "support, reviewer, treasurer, content, auditor, owner" in USAGE
