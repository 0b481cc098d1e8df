"""The shapes of the calls, pages of a direct line, and who sees how much of whom."""

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from conftest import MakeMember
from games.stage import SCENE, Stage
from kalos.core.clock import Clock
from kalos.domains.context import House, Member
from kalos.domains.games.api import calls as games
from kalos.domains.overview.api import calls as overview
from kalos.domains.teams import jobs
from kalos.domains.teams.api import calls
from support.members import begin_session
from support.plain import Plain, plain_api
from support.waiting import until_waiting
from teams.scene import line, turn_over

TEAM, SHARED, INFO = "/api/user/teamList", "/api/user/shareList", "/api/user/info"


@pytest.fixture(scope="module")
async def api(house: House) -> Plain:
    terms = replace(house.terms, rate_read=100_000, rate_money=100_000)
    return await plain_api(replace(house, terms=terms), [calls, overview, games])


async def ask(api: Plain, house: House, member: Member, path: str, **body: object) -> dict[str, object]:
    return await api.data(path, body, token=await begin_session(house.db, member))


async def test_a_direct_line_is_shown_exactly(api: Plain, house: House, database_url: str) -> None:
    top, direct, below = await line(database_url, 3)
    await turn_over(house.ledger, below, 1_500_000_000)
    await turn_over(house.ledger, direct, 20_000_000)
    await jobs.follow(house)
    shown = {
        "account": direct.account,
        "registered_at": 1_700_000_000_000,
        "turnover": "20.000000",
        "team_turnover": "1500.000000",
        "personal_performance": "20.000000",
        "team_performance": "1500.000000",
        "large_zone": "1500.000000",
        "small_zone": "0.000000",
        "level": 0,
        "direct_users": 1,
        "team_users": 1,
    }
    for path, body in ((TEAM, {}), (TEAM, {"account": top.account}), (SHARED, {})):
        assert await ask(api, house, top, path, **body) == {"list": [shown], "total": 1, "next": None}


async def test_below_the_direct_line_turnover_is_a_band_and_accounts_are_masked(
    api: Plain, house: House, database_url: str
) -> None:
    top, direct, below, deepest = await line(database_url, 4)
    await turn_over(house.ledger, below, 1_500_000_000)
    await turn_over(house.ledger, deepest, 999_999_999)
    await jobs.follow(house)
    answer = await ask(api, house, top, TEAM, account=direct.account)
    masked = f"{below.account[:2]}****{below.account[-2:]}"
    assert answer == {
        "list": [
            {
                "account": masked,
                "registered_at": 1_700_000_000_000,
                "turnover": "1000.000000",
                "team_turnover": "0.000000",
                "personal_performance": "1000.000000",
                "team_performance": "0.000000",
                "large_zone": "0.000000",
                "small_zone": "0.000000",
                "level": 0,
                "direct_users": 1,
                "team_users": 1,
            }
        ],
        "total": 1,
        "next": None,
        "bands": ["0.000000", "1000.000000", "10000.000000", "100000.000000", "1000000.000000"],
    }


async def test_only_accounts_of_the_own_team_are_found(api: Plain, house: House, database_url: str) -> None:
    top, middle, low = await line(database_url, 3)
    (beside,) = await line(database_url, 1, top)
    (stranger,) = await line(database_url, 1)
    for caller, account, code in (
        (top, low.account, 200),
        (middle, low.account, 200),
        (middle, top.account, 404),  # above
        (middle, beside.account, 404),  # beside
        (middle, stranger.account, 404),
        (middle, "99999999", 404),  # nobody's
    ):
        token = await begin_session(house.db, caller)
        assert (await api.post(TEAM, {"account": account}, token=token))["code"] == code


async def test_a_masked_account_is_not_found_out_by_trying(api: Plain, house: House, database_url: str) -> None:
    """Twenty that aren't below in an hour, also at once; then none is told apart, and one's own line is shown still."""
    top, direct, below = await line(database_url, 3)
    token = await begin_session(house.db, top)
    for _ in range(30):
        assert (await api.post(TEAM, {"account": direct.account}, token=token))["code"] == 200
    guesses = [f"{99_999_900 + number}" for number in range(64)] + [below.account]
    tried = [api.post(TEAM, {"account": account}, token=token) for account in guesses]
    assert Counter([answer["code"] for answer in await asyncio.gather(*tried)]) == {404: 20, 429: 45}
    answer = await api.post(TEAM, {"account": below.account}, token=token)
    assert answer["code"] == 429
    assert answer["data"]["error"] == "too_many"
    assert 3_500 < answer["data"]["retry_after"] <= 3_600
    for path, body in ((TEAM, {}), (TEAM, {"account": top.account}), (SHARED, {})):
        assert (await api.post(path, body, token=token))["code"] == 200
    assert (await api.post(TEAM, {"account": below.account}, token=await begin_session(house.db, direct)))[
        "code"
    ] == 200


async def test_who_asks_beside_the_last_try_is_judged_behind_it(api: Plain, house: House, database_url: str) -> None:
    top, _, below = await line(database_url, 3)
    token = await begin_session(house.db, top)
    for number in range(19):
        assert (await api.post(TEAM, {"account": f"{99_999_900 + number}"}, token=token))["code"] == 404
    async with house.db.transaction() as db:
        await db.execute("SELECT FROM tries WHERE subject = $1 FOR UPDATE", f"team:{top.id}")
        last = asyncio.create_task(api.post(TEAM, {"account": "99999999"}, token=token))
        await until_waiting(house.db, 1)
        beside = asyncio.create_task(api.post(TEAM, {"account": below.account}, token=token))
        await asyncio.wait({beside}, timeout=1)
    assert [(await one)["code"] for one in (last, beside)] == [404, 429]


@pytest.mark.parametrize("account", ["", "0", "1234567", "٤٨٢١٣٩٥٧", "48****57", 48213957, "48213957 "])
async def test_what_is_no_account_is_refused(api: Plain, house: House, database_url: str, account: object) -> None:
    (me,) = await line(database_url, 1)
    answer = await api.post(TEAM, {"account": account}, token=await begin_session(house.db, me))
    assert (answer["code"], answer["data"]["error"]) == (400, "invalid_input")


async def test_pages_show_everybody_once_the_last_first(api: Plain, house: House, database_url: str) -> None:
    (top,) = await line(database_url, 1)
    direct = [(await line(database_url, 1, top))[0].account for _ in range(5)]
    await jobs.follow(house)
    token, seen = await begin_session(house.db, top), list[str]()
    after: str | None = ""
    while after is not None:
        page = await api.data(SHARED, {"size": 2, "after": after}, token=token)
        assert page["total"] == 5
        seen += [row["account"] for row in page["list"]]
        after = page["next"]
    assert seen == direct[::-1]
    counted = await api.data(TEAM, {"size": 2, "page": 3}, token=token)
    assert [row["account"] for row in counted["list"]] == direct[:1]


async def test_own_page_has_levels_sums_and_the_last_ten(
    api: Plain, house: House, database_url: str, clock: Clock
) -> None:
    (top,) = await line(database_url, 1)
    invited = [(await line(database_url, 1, top))[0] for _ in range(11)]
    await turn_over(house.ledger, invited[0], 50_000_000_000)
    await turn_over(house.ledger, invited[1], 10_000_000_000)
    await turn_over(house.ledger, top, 1_000_000_000)
    await jobs.follow(house)
    info = await ask(api, house, top, INFO)
    assert (info["level"], info["vip_level"]) == (2, 1)
    assert (info["turnover"], info["team_turnover"]) == ("1000.000000", "60000.000000")
    assert (info["large_zone"], info["small_zone"]) == ("50000.000000", "10000.000000")
    assert (info["direct_users"], info["team_users"]) == (11, 11)
    newest = [{"account": one.account, "registered_at": 1_700_000_000_000} for one in invited[:0:-1]]
    assert info["share_user_list"] == {"list": newest, "total": 11}
    clock.offset_ms += 31 * 86_400_000
    later = await ask(api, house, top, INFO)
    assert (later["level"], later["vip_level"]) == (2, 0)
    assert (later["turnover"], later["personal_performance"]) == ("1000.000000", "0.000000")


async def test_a_bet_counts_when_it_is_settled(api: Plain, house: House, database_url: str, member: MakeMember) -> None:
    stage = Stage(house)
    view, me = await stage.begin(), await member(usdt="50")
    token = await begin_session(house.db, me)
    bet = {"amount": "10", "balance_type": "USDT", "request_id": "turnover-of-one-bet"}
    await api.data("/api/game/beton", bet | {"scene_id": SCENE, "round": view.id, "option": "odd"}, token=token)
    await jobs.follow(house)
    assert (await api.data(INFO, {}, token=token))["turnover"] == "0.000000"
    await stage.play(view, 3)
    await jobs.follow(house)
    assert (await api.data(INFO, {}, token=token))["turnover"] == "10.000000"
