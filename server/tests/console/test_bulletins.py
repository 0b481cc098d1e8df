"""Bulletins in the console: who may write, what members then read, and that two writers never cross."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from typing import Any, Final

import pytest

from conftest import MakeContext
from console.conftest import Hire
from console.scene import begin_session, request_id
from kalos.core.errors import NotFound
from kalos.domains.content import service
from kalos.domains.context import Context, House
from kalos.operator.queries import verify_audit
from kalos.operator.rules import ROLES
from support.plain import Plain

LIST: Final = "/api/operator/bulletins"
ONE: Final = "/api/operator/bulletin"
PUBLISH: Final = "/api/operator/publishBulletin"
RETRACT: Final = "/api/operator/retractBulletin"
READERS: Final = {"content", "auditor", "owner"}

Author = Callable[..., Awaitable[str]]


@pytest.fixture(scope="module")
def author(hire: Hire, house: House) -> Author:
    """`await author("content")` gives the token of somebody's session."""

    async def make(*roles: str) -> str:
        return await begin_session(house.db, await hire(*roles))

    return make


@pytest.fixture
def here(ctx: MakeContext) -> Context:
    return ctx()


def draft(**fields: Any) -> dict[str, Any]:
    texts = [
        {"lang": "en", "title": "A calm night", "lines": ["On Monday we rest.", "", "Until **six**."]},
        {"lang": "vi", "title": "Một đêm yên tĩnh", "lines": ["Thứ Hai chúng tôi nghỉ."]},
    ]
    body = {"name": f"n{uuid.uuid4().hex}", "kind": "notice", "texts": texts, "request_id": request_id()}
    return body | fields


def changed(done: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """What publishes a bulletin anew, as it was shown."""
    kept = {name: done[name] for name in ("name", "kind", "texts", "changed_at")}
    return kept | {"request_id": request_id()} | fields


async def read(here: Context, number: str) -> tuple[str, str]:
    """Title and summary as members have them. Raises: NotFound."""
    found = await service.find_bulletin(here, int(number))
    return found.heading.title, found.heading.summary


async def logged(here: Context, name: str) -> list[str]:
    rows = await here.db.rows("SELECT act FROM operator_audit WHERE object = $1 ORDER BY id", f"bulletin {name}")
    assert await verify_audit(here.db) == []
    return [row["act"] for row in rows]


async def test_a_bulletin_is_published_changed_retracted_and_logged(
    api: Plain, here: Context, ctx: MakeContext, author: Author
) -> None:
    token, body = await author("content"), draft()
    made = await api.data(PUBLISH, body, token=token)
    assert (made["state"], made["texts"]) == ("shown", body["texts"])
    assert await read(here, made["id"]) == ("A calm night", "On Monday we rest.")
    assert (await api.data(LIST, {}, token=token))["list"][0] == made
    assert await api.data(ONE, {"id": made["id"]}, token=token) == made
    texts = [{"lang": "en", "title": "A calmer night", "lines": ["On Tuesday we rest."]}]
    done = await api.data(PUBLISH, changed(made, texts=texts, pinned=True), token=token)
    assert (done["id"], done["texts"], done["pinned"]) == (made["id"], texts, True)
    assert await read(here, made["id"]) == ("A calmer night", "On Tuesday we rest.")
    retracting = {"id": made["id"], "changed_at": done["changed_at"], "request_id": request_id()}
    gone = await api.data(RETRACT, retracting, token=token)
    assert gone["state"] == "retracted"
    with pytest.raises(NotFound):
        await read(here, made["id"])
    assert await logged(here, body["name"]) == ["bulletin.publish", "bulletin.publish", "bulletin.retract"]


@pytest.mark.parametrize("role", ROLES)
async def test_each_role_reads_and_writes_as_it_may(api: Plain, here: Context, author: Author, role: str) -> None:
    token, other = await author(role), await author("content")
    made = await api.data(PUBLISH, draft(), token=other)
    for path, asked in ((LIST, {}), (ONE, {"id": made["id"]})):
        assert ((await api.post(path, asked, token=token))["code"] == 200) == (role in READERS), path
    body = draft()
    retracting = {"id": made["id"], "changed_at": made["changed_at"], "request_id": request_id()}
    for path, asked in ((PUBLISH, body), (RETRACT, retracting)):
        assert ((await api.post(path, asked, token=token))["code"] == 200) == (role == "content"), path
    if role != "content":
        assert await logged(here, body["name"]) == []
        assert await logged(here, made["name"]) == ["bulletin.publish"]
        assert await read(here, made["id"]) == ("A calm night", "On Monday we rest.")


async def test_of_two_writers_at_once_one_is_heard(api: Plain, here: Context, author: Author) -> None:
    tokens = [await author("content") for _ in range(3)]
    first = draft()
    answers = await asyncio.gather(
        *(api.post(PUBLISH, first | {"request_id": request_id()}, token=token) for token in tokens)
    )
    assert sorted(answer["code"] for answer in answers) == [200, 422, 422]
    (made,) = [answer["data"] for answer in answers if answer["code"] == 200]
    answers = await asyncio.gather(*(api.post(PUBLISH, changed(made), token=token) for token in tokens))
    assert sorted(answer["code"] for answer in answers) == [200, 422, 422]
    late = {"id": made["id"], "changed_at": made["changed_at"], "request_id": request_id()}
    answer = await api.post(RETRACT, late, token=tokens[0])
    assert (answer["code"], answer["data"].get("error")) == (422, "wrong_state")
    assert len(await logged(here, made["name"])) == 2
    assert await read(here, made["id"]) == ("A calm night", "On Monday we rest.")


async def test_a_request_that_is_sent_again_is_published_once(api: Plain, here: Context, author: Author) -> None:
    token, body = await author("content"), draft()
    answers = await asyncio.gather(*(api.post(PUBLISH, body, token=token) for _ in range(3)))
    assert [answer["code"] for answer in answers] == [200] * 3
    other = await api.post(PUBLISH, {**body, "pinned": True}, token=token)
    assert other["data"]["error"] == "request_conflict"
    assert await logged(here, body["name"]) == ["bulletin.publish"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"texts": [{"lang": "vi", "title": "x", "lines": ["x"]}]}, "there is no English text"),
        ({"kind": "banner"}, "a banner leads somewhere: it needs a link"),
        ({"until_at": 1_000, "from_at": 2_000}, "until is not after from"),
        ({"texts": [{"lang": "en", "title": "x", "lines": ["a <b>bold</b> word"]}]}, "en: "),
        ({"link": "javascript:alert(1)"}, "link: "),
        ({"texts": [{"lang": "en", "title": "x", "lines": ["a" * 1_990] * 11}]}, "en: the text has more than 20,000"),
    ],
)
async def test_what_readers_could_not_be_shown_is_refused_with_the_reason(
    api: Plain, here: Context, author: Author, fields: dict[str, Any], said: str
) -> None:
    token, body = await author("content"), draft(**fields)
    answer = await api.post(PUBLISH, body, token=token)
    assert answer["code"] == 400
    (fault,) = answer["data"]["errors"]
    assert (fault["field"], fault["reason"].startswith(said)) == ("bulletin", True), fault
    assert await logged(here, body["name"]) == []
    assert await here.db.value("SELECT count(*) FROM bulletins WHERE name = $1", body["name"]) == 0


async def test_a_language_stands_once_and_a_bulletin_keeps_its_kind(api: Plain, author: Author) -> None:
    token, body = await author("content"), draft()
    twice = await api.post(PUBLISH, body | {"texts": body["texts"][:1] * 2}, token=token)
    assert twice["data"]["errors"] == [{"field": "texts", "reason": "same"}]
    made = await api.data(PUBLISH, body, token=token)
    other = await api.post(PUBLISH, changed(made, kind="news"), token=token)
    assert other["data"]["errors"][0]["reason"].endswith("is a notice already")


async def test_times_come_back_as_they_were_given(api: Plain, here: Context, author: Author) -> None:
    """Also where a float of seconds would lose a millisecond."""
    token, soon = await author("content"), here.wall + 86_400_123
    made = await api.data(PUBLISH, draft(from_at=soon, until_at=soon + 1), token=token)
    assert (made["from_at"], made["until_at"], made["state"]) == (soon, soon + 1, "waiting")
    with pytest.raises(NotFound):
        await read(here, made["id"])


async def test_what_is_not_there_is_not_found(api: Plain, author: Author) -> None:
    token = await author("content")
    nowhere = {"id": "9" * 17}
    assert (await api.post(ONE, nowhere, token=token))["data"]["error"] == "not_found"
    retracting = nowhere | {"changed_at": 1, "request_id": request_id()}
    assert (await api.post(RETRACT, retracting, token=token))["data"]["error"] == "not_found"
