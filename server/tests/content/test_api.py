"""The calls on the wire: lists, one bulletin, banners; ids and pages that nobody means well with."""

from typing import Any

import pytest

from content.conftest import Board
from kalos.core.clock import DAY_MS, Clock
from kalos.core.tokens import digest, new_token
from kalos.domains.content.api import calls
from kalos.domains.content.rules import Lang, Text
from kalos.domains.context import House
from kalos.domains.identity.queries import insert_session
from kalos.domains.identity.tables import SessionRow
from kalos.domains.uploads import rules as uploads
from support.plain import Plain, plain_api

BULLETIN = "/api/basic/bulletin"
LIST = "/api/basic/bulletinList"


@pytest.fixture(scope="module")
async def api(house: House) -> Plain:
    return await plain_api(house, [calls])


@pytest.fixture
async def token(board: Board) -> str:
    made, wall = new_token(), Clock.wall()
    async with board.db.transaction() as db:
        await insert_session(db, SessionRow(digest(made), board.kept.id, "", "", wall, 60_000, wall + 60_000))
    return made


async def test_a_list_and_one_of_it(api: Plain, board: Board, token: str) -> None:
    texts: dict[Lang, Text] = {
        "en": Text("Proof", "It is **proven**.\n\n- [How](/help)"),
        "vi": Text("Bằng chứng", "Có."),
    }
    number = await board.publish("proof", texts=texts, pinned=True)
    wall = await board.db.value("SELECT from_at FROM bulletins WHERE id = $1", number)
    head = {
        "id": str(number),
        "kind": "notice",
        "title": "Proof",
        "summary": "It is proven.",
        "lang": "en",
        "pinned": True,
        "time": wall,
        "picture": None,
    }
    assert await api.data(LIST, {}, token=token) == {"list": [head], "total": 1, "next": None}
    assert await api.data("/api/basic/news", {}, token=token) == {"list": [], "total": 0, "next": None}
    assert await api.data(BULLETIN, {"id": str(number)}, token=token, lang="ja") == head | {
        "blocks": [
            {"type": "paragraph", "spans": [{"text": "It is "}, {"text": "proven", "strong": True}, {"text": "."}]},
            {"type": "bullets", "first": None, "items": [[{"text": "How", "href": "/help"}]]},
        ],
        "related": [],
    }
    told = await api.data(BULLETIN, {"id": str(number)}, token=token, lang="vi")
    assert (told["lang"], told["title"]) == ("vi", "Bằng chứng")


async def test_lists_have_ten_a_page_and_go_on_where_they_ended(api: Plain, board: Board, token: str) -> None:
    numbers = [str(await board.publish(f"page-{place}")) for place in range(12)][::-1]
    first = await api.data(LIST, {}, token=token)
    assert ([row["id"] for row in first["list"]], first["total"], first["next"]) == (numbers[:10], 12, numbers[9])
    await board.publish("newer")
    second = await api.data(LIST, {"after": first["next"]}, token=token)
    assert ([row["id"] for row in second["list"]], second["next"]) == (numbers[10:], None)
    assert len((await api.data(LIST, {"page": 2, "size": 5}, token=token))["list"]) == 5


async def test_banners_are_at_most_five_and_have_a_link(api: Plain, board: Board, token: str) -> None:
    for place in range(6):
        number = await board.publish(f"banner-{place}", kind="banner", link="/game")
    found = (await api.data("/api/basic/banner", {}, token=token))["list"]
    assert len(found) == 5
    assert found[0] == {
        "id": str(number),
        "title": "Title banner-5",
        "summary": "Text of banner-5.",
        "lang": "en",
        "link": "/game",
        "picture": None,
    }
    assert (await api.post(BULLETIN, {"id": str(number)}, token=token))["code"] == 404


async def test_pictures_have_an_address_that_lasts_and_stays(api: Plain, board: Board, token: str) -> None:
    cover, inside = await board.upload(board.kept), await board.upload(board.kept)
    texts: dict[Lang, Text] = {"en": Text("Picture", f"Look:\n\n![A round]({inside})")}
    number = await board.publish("shown", kind="news", picture=cover, texts=texts)
    before = Clock.wall()
    (row,) = (await api.data("/api/basic/news", {}, token=token))["list"]
    whole = await api.data(BULLETIN, {"id": str(number)}, token=token)
    block = whole["blocks"][1]
    assert (block["type"], block["alt"], block["width"], block["height"]) == ("picture", "A round", 12, 8)
    wall, key = Clock.wall(), board.reader.house.link_key
    for url, upload in ((row["picture"]["url"], cover), (block["url"], inside)):
        link = url.removeprefix("/api/upload/")
        found = uploads.read_link(key, link, before + DAY_MS)
        assert found is not None
        assert (found.upload_id, found.for_all, found.until_at % DAY_MS) == (upload, True, 0)
        assert uploads.read_link(key, link, wall + 2 * DAY_MS) is None


@pytest.mark.parametrize("number", ["0", "999999999999999999"])
async def test_an_id_that_is_not_there_is_not_found(api: Plain, token: str, number: str) -> None:
    refused = await api.post(BULLETIN, {"id": number}, token=token)
    assert (refused["code"], refused["data"]) == (404, {"error": "not_found"})


@pytest.mark.parametrize(
    "number", ["", "-1", "1 ", "1.0", "9" * 19, "1;DROP TABLE bulletins", "１", "../1", "1\n", 1, None, ["1"], True]
)
async def test_an_id_out_of_form_is_bad_input(api: Plain, token: str, number: Any) -> None:
    refused = await api.post(BULLETIN, {"id": number}, token=token)
    assert (refused["code"], refused["data"]["errors"][0]["field"]) == (400, "id")


@pytest.mark.parametrize("body", [{"page": 101}, {"size": 101}, {"size": 0}, {"after": "x"}, {"after": str(2**63)}])
async def test_pages_out_of_form_are_bad_input(api: Plain, token: str, body: dict[str, Any]) -> None:
    assert (await api.post(LIST, body, token=token))["code"] == 400


@pytest.mark.parametrize("path", [LIST, "/api/basic/news", "/api/basic/banner"])
async def test_visitors_read_nothing(api: Plain, path: str) -> None:
    assert (await api.post(path, {}))["code"] == 406
