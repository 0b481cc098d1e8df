"""Grants: one file of one member, type, size and hash, once and for ten minutes; quotas; the sweep."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import nullcontext
from dataclasses import fields, replace
from typing import Any, cast

import httpx
import pytest

from kalos.adapters.files.sandbox import SandboxFiles
from kalos.core.clock import DAY_MS, HOUR_MS, MINUTE_MS
from kalos.core.errors import NotFound, Outage
from kalos.core.tokens import digest, new_token
from kalos.domains.context import House
from kalos.domains.uploads import jobs, queries, rules, service
from kalos.domains.uploads.rules import MB
from kalos.domains.uploads.tables import UploadRow
from kalos.wire import incoming
from support.pictures import hex_of, picture
from uploads.conftest import Sender

CONTENT = picture()
GONE = {"code": 404, "msg": "Not found", "data": {"error": "not_found"}}


async def test_the_granted_file_is_kept_and_shown(sender: Sender) -> None:
    granted = (await sender.grant(CONTENT))["data"]
    wall = sender.house.clock.wall()
    assert 0 <= wall + 10 * MINUTE_MS - granted["expires_at"] < 10_000
    answer = (await sender.put(granted["path"], CONTENT)).json()
    assert (answer["code"], answer["data"]["upload_id"]) == (200, granted["upload_id"])
    (row,) = await sender.rows()
    assert (row.id, row.state, row.sent_bytes) == (granted["upload_id"], "kept", len(CONTENT))
    shown = await sender.http.get(answer["data"]["url"])
    assert (shown.status_code, [shown.content]) == (200, await sender.kept())


async def test_no_part_of_the_path_names_the_row_or_the_file(sender: Sender) -> None:
    path = (await sender.grant(CONTENT))["data"]["path"]
    (row,) = await sender.rows()
    assert row.grant_hash == digest(path)
    assert path not in (row.id, row.name)


async def test_wrong_used_and_past_grants_answer_alike(sender: Sender) -> None:
    used = (await sender.grant(CONTENT))["data"]["path"]
    assert (await sender.put(used, CONTENT)).json()["code"] == 200
    past = (await sender.grant(CONTENT))["data"]["path"]
    wall = sender.house.clock.wall()
    await sender.house.db.execute("UPDATE uploads SET until_at = $2 WHERE grant_hash = $1", digest(past), wall)
    for path in (used, past, new_token(), "x", "..%2f..%2fsecret", "a" * 200, used + ".part"):
        answer = await sender.put(path, CONTENT)
        if "%" in path:
            assert answer.status_code == 404
        else:
            assert (answer.status_code, answer.json()) == (200, GONE), path
    assert await sender.states() == ["kept", "granted"]


@pytest.mark.parametrize(
    ("content", "kind", "reason"),
    [
        (CONTENT[:-1], "image/png", "size"),
        (CONTENT[:-1] + b"x", "image/png", "sha256"),
        (CONTENT, "image/jpeg", "type"),
        (CONTENT, "text/html", "type"),
        (b"", "image/png", "size"),
    ],
)
async def test_another_file_than_the_granted_one_uses_the_grant_up(
    sender: Sender, content: bytes, kind: str, reason: str
) -> None:
    path = (await sender.grant(CONTENT))["data"]["path"]
    answer = (await sender.put(path, content, kind)).json()
    assert (answer["code"], answer["data"]["errors"]) == (400, [{"field": "file", "reason": reason}])
    assert (await sender.put(path, CONTENT)).json() == GONE
    assert (await sender.states(), await sender.kept()) == (["refused"], [])


async def test_of_many_at_once_one_uses_the_grant(sender: Sender, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(incoming.Places, "place", lambda *_: nullcontext())
    path = (await sender.grant(CONTENT))["data"]["path"]
    answers = [one.json()["code"] for one in await asyncio.gather(*(sender.put(path, CONTENT) for _ in range(12)))]
    assert sorted(answers) == [200] + [404] * 11
    assert await sender.states() == ["kept"]


@pytest.mark.parametrize(
    ("body", "field", "reason"),
    [
        ({"size": 5 * MB + 1}, "size", "too_large"),
        ({"size": 10_000_001}, "size", "range"),
        ({"size": 0}, "size", "range"),
        ({"size": "5"}, "size", "type"),
        ({"type": "image/gif"}, "type", "choice"),
        ({"purpose": "avatar"}, "purpose", "choice"),
        ({"sha256": "00"}, "sha256", "form"),
        ({"name": "../x"}, "name", "unknown"),
    ],
)
async def test_a_grant_out_of_form_is_refused(sender: Sender, body: dict[str, Any], field: str, reason: str) -> None:
    answer = await sender.grant(CONTENT, **body)
    assert (answer["code"], answer["data"]["errors"]) == (400, [{"field": field, "reason": reason}])
    assert await sender.rows() == []


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"content-encoding": "gzip"}, 415), ({"content-length": "5000001"}, 413), ({"content-length": "x"}, 413)],
)
async def test_a_put_that_http_refuses_leaves_the_grant(sender: Sender, headers: dict[str, str], status: int) -> None:
    path = (await sender.grant(CONTENT))["data"]["path"]
    assert (await sender.put(path, CONTENT, **headers)).status_code == status
    assert (await sender.put(path, CONTENT)).json()["code"] == 200


async def test_a_put_without_a_length_is_cut_off_at_the_limit(sender: Sender) -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"x" * 100_000

    path = (await sender.grant(CONTENT))["data"]["path"]
    assert (await sender.put(path, endless())).status_code == 413
    assert await sender.states() == ["refused"]


async def test_other_methods_are_refused(sender: Sender) -> None:
    answer = await sender.http.post(f"/api/upload/{new_token()}", content=b"")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, PUT")


async def test_refusals_come_in_the_callers_language(sender: Sender) -> None:
    assert (await sender.put(new_token(), b"", lang="ja")).json()["msg"] == "見つかりません"


async def fill(sender: Sender, files: int, size: int, at: int) -> None:
    """So many files of that size since then."""
    await sender.house.db.execute(
        """
        INSERT INTO uploads (id, owner, purpose, kind, state, sent_bytes, sent_sha256, name, created_at)
        SELECT left(md5(random()::text), 22), $1, 'picture', 'image/png', 'receiving', $3, sha256(''),
            md5(random()::text), $4
        FROM generate_series(1, $2)
        """,
        sender.member.id, files, size, at,
    )  # fmt: skip


async def test_a_member_has_a_number_of_files_a_day(sender: Sender, other: Sender) -> None:
    wall, most = sender.house.clock.wall(), sender.house.terms.upload_daily
    await fill(sender, most - 1, 1, wall - DAY_MS + 60_000)
    await fill(sender, 5, 1, wall - DAY_MS)
    assert (await sender.grant(CONTENT))["code"] == 200
    for answer in (await sender.grant(CONTENT), await sender.send(CONTENT)):
        assert (answer["code"], answer["data"]["error"]) == (429, "too_many")
        assert 40 <= answer["data"]["retry_after"] <= 60
    assert len(await sender.rows()) == most + 5
    assert (await other.grant(CONTENT))["code"] == 200


async def test_a_member_has_a_number_of_bytes_a_day(sender: Sender) -> None:
    await fill(sender, 10, 10 * MB - 1_000, sender.house.clock.wall())
    for size, code in ((10_001, 429), (10_000, 200), (1, 429)):
        assert (await sender.grant(CONTENT, size=size))["code"] == code


async def test_what_was_refused_counts_as_a_file_but_not_as_bytes(sender: Sender) -> None:
    await fill(sender, 10, 10 * MB - 1_000, sender.house.clock.wall())
    path = (await sender.grant(CONTENT, size=10_000))["data"]["path"]
    assert (await sender.put(path, CONTENT)).json()["code"] == 400
    for size, code in ((10_001, 429), (10_000, 200)):
        assert (await sender.grant(CONTENT, size=size))["code"] == code
    await fill(sender, sender.house.terms.upload_daily - 12, 1, 1 + sender.house.clock.wall() - DAY_MS + 60_000)
    assert (await sender.grant(CONTENT, size=1))["code"] == 429


async def test_what_was_kept_counts_with_what_it_takes_on_the_disk(sender: Sender) -> None:
    await fill(sender, 10, 10 * MB - 1_000, sender.house.clock.wall())
    path = (await sender.grant(CONTENT))["data"]["path"]
    assert (await sender.put(path, CONTENT)).json()["code"] == 200
    (kept,) = [row for row in await sender.rows() if row.state == "kept"]
    assert kept.kept_bytes is not None
    assert kept.kept_bytes > kept.sent_bytes
    left = 10_000 - kept.kept_bytes
    for size, code in ((left + 1, 429), (left, 200)):
        assert (await sender.grant(CONTENT, size=size))["code"] == code


async def test_a_member_is_counted_by_one_at_a_time(sender: Sender, other: Sender) -> None:
    async def count(whose: Sender) -> int:
        async with whose.house.db.transaction() as db:
            return (await queries.sum_sent(db, whose.member.id, 0)).files

    async with sender.house.db.transaction() as db:
        assert await queries.sum_sent(db, sender.member.id, 0) == rules.Sum(0, 0, 0)
        second = asyncio.create_task(count(sender))
        assert await count(other) == 0
        await asyncio.sleep(0.1)
        assert not second.done()
        await queries.insert(db, a_row(sender))
    assert await second == 1


def a_row(sender: Sender) -> UploadRow:
    empty: dict[str, Any] = {field.name: None for field in fields(UploadRow)}
    named = {"id": "x" * 22, "owner": sender.member.id, "purpose": "picture", "kind": "image/png", "name": "a" * 32}
    sent = {"state": "receiving", "sent_bytes": 5, "sent_sha256": b"s" * 32, "created_at": 1}
    return UploadRow(**(empty | named | sent))


async def test_a_full_disk_is_told_and_keeps_nothing(sender: Sender) -> None:
    files = cast(SandboxFiles, sender.house.files)
    path = (await sender.grant(CONTENT))["data"]["path"]
    files.full = True
    try:
        answer = await sender.put(path, CONTENT)
        form = await sender.http.post(
            "/api/basic/upload",
            files={"envelope": (None, f'{{"image_sha256":"{hex_of(CONTENT)}"}}'), "file": ("f", CONTENT, "image/png")},
            headers={"authorization": sender.token},
        )
    finally:
        files.full = False
    for refused in (answer, form):
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
    assert (await sender.states(), await sender.kept()) == (["refused"] * 2, [])


async def use(sender: Sender, ids: list[str], purpose: rules.Purpose = "picture") -> None:
    async with sender.house.db.transaction() as db:
        wall = sender.house.clock.wall()
        await service.use(db, ids, owner=sender.member.id, purpose=purpose, by="deposit 7", wall=wall)


async def test_pictures_are_used_once_by_their_owner_for_their_purpose(sender: Sender, other: Sender) -> None:
    first, second = [(await sender.send(CONTENT))["data"]["upload_id"] for _ in range(2)]
    granted = (await sender.grant(CONTENT))["data"]["upload_id"]
    theirs = (await other.send(CONTENT))["data"]["upload_id"]
    for ids in ([first, theirs], [first, granted], [first, "nobody's"]):
        with pytest.raises(NotFound):
            await use(sender, ids)
    with pytest.raises(NotFound):
        await use(sender, [first], "kyc")
    assert await sender.states() == ["kept", "kept", "granted"]
    await use(sender, [first, second])
    assert await sender.states() == ["used", "used", "granted"]
    with pytest.raises(NotFound):
        await use(sender, [first])
    assert [row.used_by for row in await sender.rows()] == ["deposit 7"] * 2 + [None]


async def test_unused_files_go_after_a_day_with_their_rows(sender: Sender, other: Sender) -> None:
    house = sender.house
    used = (await sender.send(CONTENT))["data"]["upload_id"]
    await use(sender, [used])
    for _ in range(2):
        await sender.send(CONTENT)
    await sender.grant(CONTENT)
    await sender.send(CONTENT + b"x", image_sha256="0" * 64)
    await other.send(CONTENT)
    old = house.clock.wall() - house.terms.upload_unused * HOUR_MS - 1
    await house.db.execute("UPDATE uploads SET created_at = $1 WHERE owner = $2", old, sender.member.id)
    before = len(cast(SandboxFiles, house.files).kept)
    assert await jobs.sweep(house) >= 4
    assert (await sender.states(), await other.states()) == (["used"], ["kept"])
    assert len(cast(SandboxFiles, house.files).kept) == before - 2
    assert await jobs.sweep(house) == 0


class Unwilling(SandboxFiles):
    async def delete(self, names: Any) -> None:
        raise Outage("the disk is away")


async def test_a_sweep_that_died_is_finished_and_gives_nothing_out_meanwhile(sender: Sender) -> None:
    answer = (await sender.send(CONTENT))["data"]
    await sender.house.db.execute("UPDATE uploads SET created_at = 1 WHERE owner = $1", sender.member.id)
    with pytest.raises(Outage):
        await jobs.sweep(replace(sender.house, files=Unwilling()))
    assert await sender.states() == ["ended"]
    assert (await sender.http.get(answer["url"])).status_code == 404
    with pytest.raises(NotFound):
        await use(sender, [answer["upload_id"]])
    assert await jobs.sweep(sender.house) >= 1
    assert (await sender.rows(), await sender.kept()) == ([], [])


class Stubborn(SandboxFiles):
    """Keeps some for ever."""

    def __init__(self, kept: dict[str, bytes], stays: set[str]) -> None:
        super().__init__()
        self.kept = kept
        self._stays = stays

    async def delete(self, names: Any) -> None:
        if not self._stays.isdisjoint(names):
            raise Outage("a file can't be deleted")
        await super().delete(names)


@pytest.mark.parametrize("at_once", [1, 2, 100])
async def test_files_that_cannot_be_deleted_keep_none_behind_them(
    sender: Sender, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    """Also of one moment, and where they fill each step: the others go, and they themselves once they can."""
    for _ in range(7):
        await sender.send(CONTENT)
    rows = await sender.rows()
    await sender.house.db.execute("UPDATE uploads SET created_at = 1 WHERE owner = $1", sender.member.id)
    await sender.house.db.execute("UPDATE uploads SET created_at = 2 WHERE id = $1", rows[6].id)
    monkeypatch.setattr(jobs, "_AT_ONCE", at_once)
    stays, files = {row.id for row in rows[:4]}, cast(SandboxFiles, sender.house.files)
    stubborn = Stubborn(files.kept, {row.name for row in rows[:4]})
    with pytest.raises(Outage):
        await jobs.sweep(replace(sender.house, files=stubborn))
    assert {row.id for row in await sender.rows()} == stays
    assert (set(await sender.states()), len(await sender.kept())) == ({"ended"}, 4)
    assert await jobs.sweep(sender.house) >= 4
    assert (await sender.rows(), await sender.kept()) == ([], [])


async def test_who_sends_too_slowly_is_cut_off(sender: Sender, monkeypatch: pytest.MonkeyPatch) -> None:
    async def stuck() -> AsyncIterator[bytes]:
        yield CONTENT[:10]
        await asyncio.sleep(5)
        yield b""

    async def trickle() -> AsyncIterator[bytes]:
        while True:
            await asyncio.sleep(0.05)
            yield b"x"

    monkeypatch.setattr(incoming, "IDLE_SECONDS", 0.2)
    monkeypatch.setattr(incoming, "WHOLE_SECONDS", 0.4)
    for body in (stuck(), trickle()):
        path = (await sender.grant(CONTENT))["data"]["path"]
        assert (await sender.put(path, body)).status_code == 408
    assert await sender.states() == ["refused"] * 2


async def test_an_envelope_that_never_ends_is_cut_off(sender: Sender, monkeypatch: pytest.MonkeyPatch) -> None:
    async def trickle() -> AsyncIterator[bytes]:
        yield b'--b\r\nContent-Disposition: form-data; name="envelope"\r\n\r\n'
        while True:
            await asyncio.sleep(0.05)
            yield b" "

    monkeypatch.setattr(incoming, "ENVELOPE_SECONDS", 0.3)
    monkeypatch.setattr(incoming, "DRAIN_SECONDS", 0.1)
    async with asyncio.timeout(60):
        answer = await sender.post(trickle(), "multipart/form-data; boundary=b")  # type: ignore[arg-type]
    assert (answer.status_code, await sender.rows()) == (408, [])


async def test_a_network_that_asks_too_often_is_told(
    house: House, http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within one second. Loopback isn't counted in demo mode; this one comes from elsewhere."""
    second = house.clock.wall()
    monkeypatch.setattr(house.clock, "wall", lambda: second)
    transport = httpx.ASGITransport(app=cast(Any, http._transport).app, client=("192.0.2.7", 4000))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8000") as far:
        answers = await asyncio.gather(*(far.put(f"/api/upload/{new_token()}") for _ in range(250)))
        codes = [answer.json()["code"] for answer in answers]
        assert (codes.count(404), codes.count(429)) == (house.terms.rate_network, 250 - house.terms.rate_network)
        assert (await far.get(f"/api/upload/{new_token()}")).status_code == 429
