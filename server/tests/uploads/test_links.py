"""Links to what was sent: shown until their end, to whom they are meant for, and never made up."""

from kalos.core.clock import DAY_MS, MINUTE_MS
from kalos.domains.uploads import rules
from support.pictures import picture
from uploads.conftest import Sender

CONTENT = picture()


async def test_a_link_is_no_page_and_no_script(sender: Sender) -> None:
    url = (await sender.send(CONTENT))["data"]["url"]
    headers = (await sender.http.get(url)).headers
    assert headers["content-disposition"] == 'attachment; filename="picture.png"'
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert headers["cache-control"] == "private, no-store"


async def test_a_link_ends_and_none_can_be_made_up(sender: Sender) -> None:
    answer = (await sender.send(CONTENT))["data"]
    head, upload_id = "/api/upload/", answer["upload_id"]
    _, until, mark = answer["url"].removeprefix(head).split(".")
    assert 0 <= sender.house.clock.wall() + 10 * MINUTE_MS - int(until) < 10_000
    past = rules.link(sender.house.link_key, upload_id, sender.house.clock.wall())
    others = rules.link(b"another key" * 3, upload_id, int(until))
    for name in (upload_id, past, others, f"{upload_id}.{int(until) + 1}.{mark}", f"{upload_id}.{until}.{mark[:-1]}"):
        assert (await sender.http.get(head + name)).status_code == 404, name


async def test_what_every_member_may_see_stays_in_the_browser_until_its_link_ends(sender: Sender) -> None:
    upload_id, head = (await sender.send(CONTENT))["data"]["upload_id"], "/api/upload/"
    until = sender.house.clock.wall() + DAY_MS
    link = rules.link(sender.house.link_key, upload_id, until, for_all=True)
    answer = await sender.http.get(head + link)
    assert answer.status_code == 200
    kind, seconds, lasting = answer.headers["cache-control"].split(", ")
    assert (kind, lasting) == ("private", "immutable")
    assert 0 <= DAY_MS // 1_000 - int(seconds.removeprefix("max-age=")) < 10
    own = rules.link(sender.house.link_key, upload_id, until)
    made_up = f"{upload_id}.{until}.all.{own.rpartition('.')[2]}", link.replace(".all.", ".")
    past = rules.link(sender.house.link_key, upload_id, sender.house.clock.wall(), for_all=True)
    for name in (*made_up, past):
        assert (await sender.http.get(head + name)).status_code == 404, name


async def test_a_document_is_shown_to_nobody(sender: Sender) -> None:
    upload_id = (await sender.send(CONTENT, purpose="kyc"))["data"]["upload_id"]
    for for_all in (False, True):
        link = rules.link(sender.house.link_key, upload_id, sender.house.clock.wall() + 60_000, for_all=for_all)
        assert (await sender.http.get(f"/api/upload/{link}")).status_code == 404


async def test_a_link_to_a_file_that_is_gone_is_not_found(sender: Sender) -> None:
    url = (await sender.send(CONTENT))["data"]["url"]
    await sender.house.files.delete([row.name for row in await sender.rows()])
    assert (await sender.http.get(url)).status_code == 404
