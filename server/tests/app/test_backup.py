"""Base backups of a running server: verified, linked, pruned; and what a database that went back in time is told."""

import asyncio
import dataclasses
import fcntl
import os
import shlex
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg
import pytest

from console.scene import make_worker
from kalos.adapters.chain.addresses import DepositAddresses
from kalos.app.aftermath import SKIPPED, conclude
from kalos.app.backup import DATABASE, FILES, base_folder, list_bases, obey, told
from kalos.app.embedded.archive import fetching
from kalos.app.embedded.manifest import Damaged, verify
from kalos.app.embedded.postgres import RunningCluster
from kalos.app.embedded.reach import CannotRestore
from kalos.app.migrate import migrate
from kalos.app.restore import check_whole, read_time
from kalos.app.restore import obey as obey_restore
from kalos.app.settings import PROJECT, Settings
from kalos.app.staff import obey as obey_staff
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.operator.people import end_staff
from kalos.operator.queries import list_audit, verify_audit
from support import clusters
from support.clusters import SECRET
from support.members import make_member

XPUB = "xpub6BosfCnifzxcFwrSzQiqu2DBVTshkCXacvNsWGYJVVhhawA7d4R5WSWGFNbi8Aw6ZRc1brxMyWMzG3DSSSSoekkudhUd9yLb6qx39T9nMdj"


@pytest.fixture(scope="module")
def settings() -> Iterator[Settings]:
    folder = clusters.new_folder(in_memory=True)
    yield Settings(data_dir=folder, installation_secret=SECRET.hex(), deposit_xpub=XPUB)
    shutil.rmtree(folder, ignore_errors=True)  # what was killed may still be on its way


@pytest.fixture(scope="module")
async def running(settings: Settings) -> AsyncIterator[RunningCluster]:
    server = RunningCluster(settings.cluster)
    server.start()
    await migrate(settings.owner_url, settings.secret)
    yield server
    server.kill()


async def owner(settings: Settings) -> asyncpg.Connection:
    return await asyncpg.connect(settings.owner_url)


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (["backup"], ["backup"]),
        (["restore", "TO=2026-11-23 12:00:00+00"], ["restore", "2026-11-23 12:00:00+00"]),
        (["restore", "TO=latest"], ["restore", "latest"]),
    ],
)
def test_make_runs_the_command_with_the_time_as_one_word(target: list[str], words: list[str]) -> None:
    make = ["make", "-n", "--no-print-directory", *target]
    shown = subprocess.run(make, cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    assert shlex.split(shown) == ["exec", ".venv/bin/python", "-m", "kalos.app.cli", *words]


async def test_nothing_is_backed_up_where_nothing_runs_or_the_database_is_the_operators(tmp_path: Path) -> None:
    code, text = await obey(Settings(data_dir=tmp_path, installation_secret=SECRET.hex()), [])
    assert (code, text) == (1, f"nothing runs on {tmp_path}: make run first")
    code, text = await obey(Settings(data_dir=tmp_path, database_url="postgresql://a@b/c"), [])
    assert code == 1
    assert text.startswith("DATABASE_URL is set: back that server up by its own tools")
    assert told(Settings(data_dir=tmp_path, database_url="postgresql://a@b/c")) == text
    code, text = await obey_restore(Settings(data_dir=tmp_path, database_url="postgresql://a@b/c"), ["latest"])
    assert code == 1
    assert text.startswith("nothing was changed: DATABASE_URL is set")
    assert not (tmp_path / "backup").exists()


async def test_unknown_words_are_answered_with_the_usage(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    assert (await obey(settings, ["--keep", "0"]))[0] == 2
    assert (await obey_restore(settings, []))[0] == 2
    assert told(settings) == f"no backup in {tmp_path / 'backup'}: make backup"


async def test_backup_has_the_files_links_what_did_not_change_and_prunes(
    settings: Settings, running: RunningCluster
) -> None:
    files = settings.data_dir / "files" / "ab"
    files.mkdir(parents=True)
    (files / "first").write_bytes(b"sealed")
    assert not settings.archive_mark.exists()
    assert (await obey(settings, []))[0] == 0
    assert settings.archive_mark.exists()
    (files / "second").write_bytes(b"sealed too")
    db = await owner(settings)
    await db.execute("SELECT pg_switch_wal()")
    assert await db.fetchval("SHOW archive_timeout") == "1min"
    await db.close()
    assert (await obey(settings, ["--keep", "2"]))[0] == 0
    old, new = (base_folder(settings, base) / FILES / "ab" for base in list_bases(settings))
    assert sorted(place.name for place in old.iterdir()) == ["first"]
    assert sorted(place.name for place in new.iterdir()) == ["first", "second"]
    assert (old / "first").stat().st_ino == (new / "first").stat().st_ino
    await archived(settings, 1)
    assert (await obey(settings, ["--keep", "1"]))[0] == 0
    (left,) = list_bases(settings)
    assert not old.exists()
    assert not new.exists()
    verify(base_folder(settings, left) / DATABASE)
    assert not (base_folder(settings, left) / "secrets.json").exists(), "the secret of the settings is kept apart"
    assert f"{left.name}  from 20" in told(settings)
    await asyncio.to_thread(shutil.rmtree, files.parent)


async def archived(settings: Settings, least: int) -> None:
    async with asyncio.timeout(60):
        while len(list(settings.archive.glob("0*.gz"))) < least:
            await asyncio.sleep(0.05)


async def test_second_backup_at_one_time_is_refused(settings: Settings, running: RunningCluster) -> None:
    settings.backups.mkdir(exist_ok=True)
    before = list_bases(settings)
    with (settings.backups / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert await obey(settings, []) == (1, "another backup is being made")
    assert list_bases(settings) == before


@pytest.mark.parametrize("harm", ["changed", "shorter", "gone", "added", "manifest", "log"])
async def test_copy_that_is_not_what_was_written_is_noticed(
    settings: Settings, running: RunningCluster, tmp_path: Path, harm: str
) -> None:
    if not list_bases(settings):
        assert (await obey(settings, []))[0] == 0
    copy = tmp_path / "copy"
    shutil.copytree(base_folder(settings, list_bases(settings)[-1]) / DATABASE, copy)
    verify(copy)
    victim = copy / "global" / "pg_control"
    (segment,) = (place for place in (copy / "pg_wal").iterdir() if place.is_file())
    match harm:
        case "changed":
            victim.write_bytes(victim.read_bytes()[:-1] + b"\x01")
        case "shorter":
            os.truncate(victim, 100)
        case "gone":
            victim.unlink()
        case "added":
            (copy / "base" / "stranger").touch()
        case "manifest":
            place = copy / "backup_manifest"
            place.write_text(place.read_text().replace('Manifest-Version": 2', 'Manifest-Version": 3'))
        case "log":
            segment.write_bytes(bytes(segment.stat().st_size))
    with pytest.raises(Damaged):
        verify(copy)


def test_time_needs_its_zone() -> None:
    assert read_time("2026-11-23 12:00:00+00") == 1_795_435_200_000
    assert read_time("2026-11-23 19:00:00.250+07:00") == 1_795_435_200_250
    assert read_time("latest") is None
    for wrong in ("2026-11-23 12:00:00", "yesterday", ""):
        with pytest.raises(CannotRestore, match="its zone said"):
            read_time(wrong)


def test_house_does_not_start_on_an_empty_database_after_a_restore_that_was_cut_off(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    assert check_whole(settings) is None
    (tmp_path / "postgres.restored").mkdir()
    assert check_whole(settings) == f"a restore of {tmp_path} was cut off: make restore again"
    (tmp_path / "postgres").mkdir()
    assert check_whole(settings) is None


async def test_what_would_count_twice_after_going_back_is_ended(settings: Settings, running: RunningCluster) -> None:
    member = await make_member(settings.owner_url)
    db = await owner(settings)
    await db.execute("INSERT INTO sessions VALUES (decode(repeat('ab', 32), 'hex'), $1, '', '', 1, 1, 2)", member.id)
    await db.execute("INSERT INTO wire_ticket_keys VALUES (decode('0102030405060708', 'hex'), '\\x00', 1, 2)")
    done = await conclude(settings, settings.owner_url, "2026-11-23 12:00:00+00:00")
    assert done[0].startswith("money out is stopped")
    assert await db.fetchval("SELECT count(*) FROM sessions") == 0
    assert await db.fetchval("SELECT count(*) FROM wire_ticket_keys") == 0
    assert await db.fetchval("SELECT address FROM deposit_addresses WHERE owner = $1", member.id) == DepositAddresses(
        XPUB
    ).address(member.id)
    reason: str = await db.fetchval("SELECT coalesce(max(reason), '') FROM ledger_flags")
    assert reason.startswith("restored to 2026-11-23 12:00:00+00:00: ")
    assert (await make_member(settings.owner_url)).id > member.id + SKIPPED
    await db.close()


async def test_whoever_worked_then_is_let_in_by_the_machine_alone(settings: Settings, running: RunningCluster) -> None:
    """The log stays whole and names the row that it was cut off behind; what waited for a signature is refused."""
    db, log = await owner(settings), Database(settings.owner_url, size=1)
    one, other = [await make_worker(settings.owner_url, b"f" * 32, "treasurer") for _ in range(2)]
    await end_staff(db, name=other.name, by="tests")
    number = await db.fetchval(
        """
        INSERT INTO commands (kind, object, state, body, before, after, version, reason, signers, maker, made_at,
            expires_at)
        VALUES ('setting', 'setting x', 'open', '{}', '{}', '{}', 'v', 'a test', 2, $1, 1, $2) RETURNING id
        """,
        one.staff.id,
        Clock.wall() + 100_000,
    )
    (last,) = await list_audit(log, before=None, most=1)
    done = await conclude(settings, settings.owner_url, "noon")
    assert f"staff locked out: {one.name}; staff back NAME for each who works here today" in done
    assert "commands refused that waited for a signature: 1" in done
    assert any(line.startswith("accounts frozen then: 0; ") for line in done)
    assert await db.fetchval("SELECT count(*) FROM staff WHERE is_active") == 0
    assert await db.fetchval("SELECT state FROM commands WHERE id = $1", number) == "refused"
    logged = [row for row in await list_audit(log, before=None, most=20) if row.id > last.id]
    assert [row.act for row in logged] == ["command.refuse", "restore"]
    assert logged[1].before == {"row": last.id, "hash": last.hash.hex()}
    assert logged[1].after == {"reached": "noon", "locked_out": [one.name]}
    assert (await obey_staff(settings, ["back", one.name]))[0] == 0
    assert await obey_staff(settings, ["back", one.name]) == (1, f"nobody called {one.name} is locked out or ended")
    (last,) = await list_audit(log, before=None, most=1)
    assert (last.act, last.object) == ("staff.back", f"staff {one.name}")
    assert (last.before["works"], last.after) == (False, last.before | {"works": True})
    assert await verify_audit(log) == []
    await log.close()
    assert await db.fetchval("SELECT name FROM staff WHERE is_active") == one.name
    await db.close()


async def test_database_that_other_tools_restored_is_told_the_same(settings: Settings, running: RunningCluster) -> None:
    db = await owner(settings)
    await db.execute("DELETE FROM ledger_flags")
    own = dataclasses.replace(settings, database_url=settings.owner_url)
    code, text = await obey_restore(own, ["conclude", "2026-11-23 12:00:00+00"])
    assert (code, text.splitlines()[-1]) == (0, "the ledger is sound: start the house")
    assert (await db.fetchval("SELECT reason FROM ledger_flags")).startswith("restored to 2026-11-23 12:00:00+00:00")
    await db.close()
    refused = await obey_restore(settings, ["conclude", "latest"])
    assert refused == (1, "nothing was changed: DATABASE_URL isn't set: restore tells the embedded database by itself")


async def test_database_in_use_is_not_told_anything(settings: Settings, running: RunningCluster) -> None:
    member = await make_member(settings.owner_url)
    db, used = await owner(settings), await asyncpg.connect(settings.app_url)
    password = "SELECT rolpassword FROM pg_authid WHERE rolname = 'kalos_app'"  # each migration salts it anew
    before = await db.fetchval(password)
    with pytest.raises(CannotRestore, match="the house runs on this database"):
        await conclude(settings, settings.owner_url, "now")
    assert (await make_member(settings.owner_url)).id == member.id + 1
    assert await db.fetchval(password) == before
    await used.close()
    await db.close()


async def test_database_that_was_told_and_is_not_sound_is_said_to_be_both(
    settings: Settings, running: RunningCluster
) -> None:
    db = await owner(settings)
    await db.execute("DELETE FROM ledger_flags")
    await db.execute("UPDATE ledger_tail SET last_move = last_move + 1")
    own = dataclasses.replace(settings, database_url=settings.owner_url)
    try:
        code, text = await obey_restore(own, ["conclude", "latest"])
    finally:
        await db.execute("UPDATE ledger_tail SET last_move = last_move - 1")
    said = "money out is stopped and all else is told, but start nothing: the ledger is not sound at that time:\n"
    assert (code, text.startswith(f"{said}last numbers")) == (1, True)
    assert await db.fetchval("SELECT count(*) FROM ledger_flags") == 1
    await db.close()


async def test_ledger_that_is_not_sound_does_not_take_the_place(settings: Settings, running: RunningCluster) -> None:
    db = await owner(settings)
    await db.execute("UPDATE ledger_tail SET last_move = last_move + 1")
    try:
        with pytest.raises(CannotRestore, match="the ledger is not sound at that time:\nlast numbers"):
            await conclude(settings, settings.owner_url, "now")
    finally:
        await db.execute("UPDATE ledger_tail SET last_move = last_move - 1")
        await db.close()


def test_recovering_server_archives_nothing_itself(tmp_path: Path) -> None:
    """Its log waits until it has taken the present one's place: a try that fails leaves no timeline behind."""
    assert fetching(tmp_path)["archive_mode"] == "on"
    assert fetching(tmp_path)["archive_command"] == ""
