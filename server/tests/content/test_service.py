"""What is shown when, to whom, in which order and language; publishing anew, retracting, pictures."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from conftest import MakeContext, MakeMember
from content.conftest import Board
from kalos.core.clock import Clock
from kalos.core.errors import NotFound
from kalos.core.pages import PageQuery
from kalos.domains.content import queries, service
from kalos.domains.content.errors import BadBulletin
from kalos.domains.content.rules import Draft, Lang, Paragraph, Picture, Span, Text

MIDNIGHT = 1_795_276_800_000


async def test_a_bulletin_is_shown_from_its_first_millisecond_to_its_last(board: Board) -> None:
    number = await board.at("timed", MIDNIGHT, MIDNIGHT + 1_000)
    for wall, shown in ((-1, []), (0, [number]), (999, [number]), (1_000, [])):
        assert await board.shown(MIDNIGHT + wall) == shown
        found = await queries.find_shown(board.db, number, lang="en", wall=MIDNIGHT + wall)
        assert ([] if found is None else [found.id]) == shown


async def test_business_time_of_demo_mode_shows_nothing_early(board: Board, ctx: MakeContext) -> None:
    number = await board.at("tomorrow", Clock.wall() + 60_000)
    board.reader.house.clock.offset_ms += 120_000
    with pytest.raises(NotFound):
        await service.find_bulletin(board.reader, number)


async def test_pinned_ones_come_first_then_the_newest_and_pages_repeat_nothing(board: Board) -> None:
    old, new, same = [await board.at(name, at) for name, at in (("old", 1), ("new", 3), ("same", 3))]
    pinned = await board.publish("pinned", pinned=True)
    await board.db.execute("UPDATE bulletins SET from_at = 2 WHERE id = $1", pinned)
    order = [pinned, same, new, old]
    assert await board.shown(10) == order
    assert await board.shown(10, size=2, skip=2) == order[2:]
    seen, after = [], None
    for left in range(len(order), 0, -1):
        page = await queries.list_shown(board.db, "notice", lang="en", wall=10, page=PageQuery(size=1, after=after))
        assert (page.total, page.next is None) == (4, left == 1)
        seen += [row.id for row in page.rows]
        after = page.next
    assert seen == order


async def test_a_page_goes_on_below_a_row_that_is_no_longer_shown(board: Board) -> None:
    first, second = await board.at("second", 1), await board.at("first", 2)
    await board.retract("first")
    assert await board.shown(10, after=second) == [first]
    assert await board.shown(10, after=2**62) == []


async def test_lists_of_many_callers_are_their_own(board: Board) -> None:
    notice = await board.at("notice", 1)
    news = await board.publish("news", kind="news")
    await board.db.execute("UPDATE bulletins SET from_at = 1 WHERE id = $1", news)
    found = await asyncio.gather(board.shown(1), board.shown(0), board.shown(1, "news"), board.shown(1, "banner"))
    assert list(found) == [[notice], [], [news], []]


async def test_a_text_is_in_the_readers_language_else_in_english(board: Board, ctx: MakeContext) -> None:
    texts: dict[Lang, Text] = {"en": Text("Hello", "World."), "tw": Text("你好", "世界。")}
    number = await board.publish("hello", texts=texts)
    for lang, told, title in (("tw", "tw", "你好"), ("vi", "en", "Hello"), ("en", "en", "Hello")):
        reader = ctx(board.kept, lang=lang)
        found = await service.find_bulletin(reader, number)
        (listed,) = (await service.list_bulletins(reader, "notice", PageQuery(10))).rows
        assert (found.heading.lang, found.heading.title) == (listed.lang, listed.title) == (told, title)
    assert found.blocks == [Paragraph([Span("World.")])]


async def test_related_are_others_of_its_kind_first_the_one_that_follows(board: Board) -> None:
    await board.publish("elsewhere", kind="news")
    numbers = [await board.at(f"n{place}", place) for place in range(5)]
    found = await service.find_bulletin(board.reader, numbers[1])
    assert [row.id for row in found.related] == [numbers[0], numbers[4], numbers[3]]
    last = await service.find_bulletin(board.reader, numbers[4])
    assert [row.id for row in last.related] == [numbers[3], numbers[2], numbers[1]]


async def test_one_that_stands_alone_has_no_others(board: Board) -> None:
    assert (await service.find_bulletin(board.reader, await board.publish("alone"))).related == []


async def test_publishing_again_replaces_what_the_name_stands_for(board: Board) -> None:
    texts: dict[Lang, Text] = {"en": Text("Old", "Old."), "vi": Text("Cũ", "Cũ.")}
    starts = datetime(2026, 1, 1, tzinfo=UTC)
    number = await board.publish("again", texts=texts, starts=starts)
    await board.retract("again")
    assert await board.publish("again", pinned=True) == number
    found = (await service.find_bulletin(board.reader, number)).heading
    assert (found.title, found.pinned, found.from_at) == ("Title again", True, int(starts.timestamp() * 1000))
    langs = await board.db.rows("SELECT lang FROM bulletin_texts WHERE bulletin = $1", number)
    assert [row["lang"] for row in langs] == ["en"]


async def test_two_who_publish_one_name_at_once_make_one_bulletin(board: Board) -> None:
    assert len({await one for one in [asyncio.create_task(board.publish("both")) for _ in range(4)]}) == 1


async def test_a_draft_that_is_refused_changes_nothing(board: Board, member: MakeMember) -> None:
    number = await board.publish("kept")
    before = await board.db.rows("SELECT b.*, t.* FROM bulletins b JOIN bulletin_texts t ON t.bulletin = b.id")
    theirs, papers = await board.upload(await member()), await board.upload(board.kept, "kyc")
    bad: dict[Lang, Text] = {"en": Text("Bad", "<p>")}
    past = datetime.now(UTC) - timedelta(days=1)
    for fields, problem in (
        ({"texts": bad}, BadBulletin),
        ({"kind": "news"}, BadBulletin),
        ({"ends": past}, BadBulletin),
        ({"picture": theirs}, NotFound),
        ({"picture": papers}, NotFound),
        ({"picture": "x" * 22}, NotFound),
    ):
        with pytest.raises(problem):
            await board.publish("kept", **fields)
    after = await board.db.rows("SELECT b.*, t.* FROM bulletins b JOIN bulletin_texts t ON t.bulletin = b.id")
    assert after == before
    assert await board.shown(Clock.wall()) == [number]


async def test_a_retracted_one_is_gone_and_an_unknown_name_is_none(board: Board) -> None:
    number = await board.publish("wrong")
    await board.retract("wrong")
    await board.retract("wrong")
    with pytest.raises(NotFound):
        await service.find_bulletin(board.reader, number)
    with pytest.raises(NotFound):
        await board.retract("no-such-name")


async def test_pictures_are_uploads_that_stay_tied(board: Board) -> None:
    cover, inside = await board.upload(board.kept), await board.upload(board.kept)
    texts: dict[Lang, Text] = {"en": Text("Picture", f"Look:\n\n![A round]({inside})")}
    number = await board.publish("picture", picture=cover, texts=texts)
    assert await board.publish("picture", picture=cover, texts=texts) == number
    found = await service.find_bulletin(board.reader, number)
    assert (found.heading.picture, found.heading.width, found.heading.height) == (cover, 12, 8)
    assert found.blocks[1] == Picture(inside, "A round", 12, 8)
    rows = await board.db.rows("SELECT state, used_by FROM uploads WHERE id = ANY($1::text[])", [cover, inside])
    assert {(row["state"], row["used_by"]) for row in rows} == {("used", "bulletin picture")}
    with pytest.raises(NotFound):
        await board.publish("thief", picture=cover)
    await board.publish("picture")
    assert (await service.find_bulletin(board.reader, number)).heading.picture is None
    await board.publish("picture", picture=cover)


async def test_pictures_need_somebody_whose_they_are(board: Board) -> None:
    draft = Draft("nobodys", "notice", {"en": Text("a", "b")}, picture=await board.upload(board.kept))
    with pytest.raises(BadBulletin, match="whose"):
        await service.publish(board.db, draft)
