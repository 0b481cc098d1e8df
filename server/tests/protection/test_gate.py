"""The gate over real rows and a real ledger: orders, notices, breaks and limits decide about real bets."""

import asyncio
import uuid
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import asyncpg
import pytest

from conftest import MakeContext, MakeMember
from games.stage import Stage
from kalos.core.assets import USDT
from kalos.core.clock import DAY_MS, Clock, business_day, day_start_ms
from kalos.core.database import Database
from kalos.core.errors import InvalidInput, StateChanged, WrongState
from kalos.core.notices import hear
from kalos.core.ports import ApprovedIdentity
from kalos.domains.context import Context, Member
from kalos.domains.identity.queries import set_staff
from kalos.domains.protection import api, queries, rules, service
from kalos.domains.protection.errors import (
    AgeRequired,
    DisclosureRequired,
    FeatureOff,
    KycRequired,
    PlayerLimit,
    SelfExcluded,
    StaffAccount,
)
from kalos.domains.protection.service import Gate, gate_of
from kalos.ledger.sums import sums_since
from kalos.wire.calls import Empty
from protection.scene import COUNTRIES, Papers, order
from support.budget import SOAK
from support.members import fund

COIN = 10**USDT.scale


async def settle(stage: Stage, member: Member, amount: str, digit: int) -> None:
    """A bet on odd, played to its end."""
    view = await stage.begin()
    await stage.bet(member, view, "odd", amount)
    await stage.play(view, digit)


async def limit(ctx: Context, **limits: int | None) -> service.Brakes:
    return await service.set_limits(ctx, {kind: limits[kind] for kind in rules.KINDS if kind in limits})


async def test_a_feature_that_is_switched_off_takes_nothing_new(stage: Stage, member: MakeMember) -> None:
    view, better = await stage.begin(), await member(usdt="100")
    await order(stage.house, "games", is_on=False)
    before = await stage.counts()
    with pytest.raises(FeatureOff):
        await stage.bet(better, view, "odd", "1")
    assert await stage.counts() == before
    await order(stage.house, "games", is_on=True)
    await stage.bet(better, view, "odd", "1")


async def test_what_is_held_in_a_feature_that_is_switched_off_runs_on(stage: Stage, member: MakeMember) -> None:
    view, better = await stage.begin(), await member(usdt="100")
    placed = await stage.bet(better, view, "odd", "10")
    await order(stage.house, "games", is_on=False)
    await stage.play(view, 7)
    assert (await stage.bet_row(placed)).status == "won"


async def test_a_country_has_its_own_order(stage: Stage, member: MakeMember, ctx: MakeContext, db: Database) -> None:
    view, better = await stage.begin(), await member(usdt="100")
    await db.execute("UPDATE members SET country = 'SG' WHERE id = $1", better.id)
    await service.accept_notice(ctx(better), feature="games", version=2)
    await order(stage.house, "games", "SG", is_on=False)
    with pytest.raises(FeatureOff):
        await stage.bet(better, view, "odd", "1")
    await stage.bet(await member(usdt="1"), view, "odd", "1")


async def test_the_country_that_a_call_comes_from_counts_beside_the_declared_one(
    stage: Stage, member: MakeMember, ctx: MakeContext
) -> None:
    view, better = await stage.begin(), await member(usdt="100")
    await order(stage.house, "games", "XA", is_on=False)
    there = stage.context(better, network="192.0.2.7")
    with pytest.raises(FeatureOff):
        await there.may("games")
    assert [notice.is_on for notice in await service.list_notices(there)] == [False]
    for network in ("198.51.100.7", "203.0.113.9", "unknown", ""):
        here = stage.context(better, network=network)
        assert await here.may("games") == []
        assert [notice.is_on for notice in await service.list_notices(here)] == [True]
    await stage.bet(better, view, "odd", "1")


async def test_papers_say_the_country_before_what_was_declared(stage: Stage, member: MakeMember) -> None:
    house, papers, better = stage.house, Papers(), await member()
    gate = Gate(house.db, house.terms, house.clock, house.prices, papers, COUNTRIES, is_demo=True)
    await order(house, "games", "XB", is_on=False)
    assert await gate.admit(better.id, "games") == []
    papers.known[better.id] = ApprovedIdentity("XB", date(1990, 5, 17))
    with pytest.raises(FeatureOff):
        await gate.admit(better.id, "games")


@pytest.mark.parametrize(
    ("column", "value"), [("country", "'VN'"), ("birth_date", "'1990-05-17'"), ("terms_version", "'2'"), ("", "")]
)
async def test_in_demo_mode_only_who_registered_with_nothing_has_accepted(
    db: Database, member: MakeMember, database_url: str, column: str, value: str
) -> None:
    who, owner = await member(), await asyncpg.connect(database_url)
    try:
        await owner.execute(
            "UPDATE members SET country = NULL, birth_date = NULL, terms_version = NULL WHERE id = $1", who.id
        )
        if column:
            await owner.execute(f"UPDATE members SET {column} = {value} WHERE id = $1", who.id)
    finally:
        await owner.close()
    found = await queries.find_standing(db, who.id)
    assert found is not None
    assert found.is_bare == (column == "")


async def test_a_notice_is_accepted_once_with_the_text_that_was_read(
    stage: Stage, member: MakeMember, ctx: MakeContext, db: Database
) -> None:
    view, better = await stage.begin(), await member(usdt="100")
    await db.execute("UPDATE members SET country = 'VN' WHERE id = $1", better.id)
    with pytest.raises(DisclosureRequired) as refused:
        await stage.bet(better, view, "odd", "1")
    assert refused.value.fields == {"feature": "games", "version": 2}
    vietnamese = ctx(better, lang="vi")
    [shown] = await service.list_notices(vietnamese)
    assert (shown.accepted_at, shown.is_on) == (None, True)
    for wrong in (0, 1, 3):
        with pytest.raises(InvalidInput):
            await service.accept_notice(vietnamese, feature="games", version=wrong)
    with pytest.raises(InvalidInput):
        await service.accept_notice(vietnamese, feature="nft", version=2)
    await asyncio.gather(*(service.accept_notice(vietnamese, feature="games", version=2) for _ in range(5)))
    [row] = await db.rows("SELECT lang, text_hash = sha256($2::bytea) AS same FROM notices_accepted WHERE member = $1",
                          better.id, shown.text.encode())  # fmt: skip
    assert dict(row) == {"lang": "vi", "same": True}
    await stage.bet(better, view, "odd", "1")


async def test_nobody_accepts_for_another(member: MakeMember, ctx: MakeContext, db: Database) -> None:
    one, other = await member(), await member()
    await db.execute("UPDATE members SET country = 'VN' WHERE id = ANY($1::bigint[])", [one.id, other.id])
    await service.accept_notice(ctx(one), feature="games", version=2)
    assert [(await service.list_notices(ctx(who)))[0].accepted_at is None for who in (one, other)] == [False, True]


async def test_staff_cant_take_part(stage: Stage, member: MakeMember) -> None:
    view, better = await stage.begin(), await member(usdt="100")
    async with stage.house.db.transaction() as db:
        assert await set_staff(db, better.account, is_staff=True) is False
        assert await set_staff(db, "99999999", is_staff=True) is None
    gate_of(stage.house).forget(str(better.id))
    with pytest.raises(StaffAccount):
        await stage.bet(better, view, "odd", "1")


async def test_production_asks_for_papers_and_an_age(stage: Stage, member: MakeMember, ctx: MakeContext) -> None:
    house, papers = stage.house, Papers()
    better, today = await member(usdt="100"), business_day(stage.now)
    await house.db.execute("UPDATE members SET country = 'VN' WHERE id = $1", better.id)
    await service.accept_notice(ctx(better), feature="games", version=2)
    gate = Gate(house.db, house.terms, house.clock, house.prices, papers, COUNTRIES, is_demo=False)
    await order(house, "games", is_on=True)
    with pytest.raises(KycRequired):
        await gate.admit(better.id, "games")
    papers.known[better.id] = ApprovedIdentity("VN", today - timedelta(days=17 * 365))
    with pytest.raises(AgeRequired):
        await gate.admit(better.id, "games")
    papers.known[better.id] = ApprovedIdentity("VN", date(1990, 5, 17))
    assert await gate.admit(better.id, "games") == []


async def test_a_countrys_own_age_counts_as_soon_as_it_is_ordered(stage: Stage, member: MakeMember) -> None:
    house, papers, better = stage.house, Papers(), await member()
    gate = Gate(house.db, house.terms, house.clock, house.prices, papers, COUNTRIES, is_demo=True)
    papers.known[better.id] = ApprovedIdentity("QY", business_day(stage.now) - timedelta(days=20 * 366))
    await order(house, rules.GATES, "QY", is_on=True)
    assert await gate.admit(better.id, "games") == []
    await queries.insert_number(
        house.db, name="age_min", country="QY", value=21, reason="a test", ordered_by="test", at=Clock.wall()
    )
    gate.forget("")
    with pytest.raises(AgeRequired) as refused:
        await gate.admit(better.id, "games")
    assert refused.value.fields == {"age": 21}


@pytest.mark.parametrize(("pause", "length"), [(service.take_break, {"days": 1}), (service.exclude, {"months": 6})])
async def test_a_break_stops_play_and_nothing_shortens_it(
    stage: Stage, member: MakeMember, ctx: MakeContext, pause: Any, length: dict[str, int]
) -> None:
    view, better = await stage.begin(), await member(usdt="100")
    word = next(iter(length))
    until = await pause(ctx(better), **{word: 2 * length[word]})
    assert await pause(ctx(better), **length) == until
    with pytest.raises(SelfExcluded) as refused:
        await stage.bet(better, view, "odd", "1")
    assert refused.value.fields == {"until": until}


async def test_a_stake_counts_in_full_when_it_is_placed(stage: Stage, member: MakeMember, ctx: MakeContext) -> None:
    view, better = await stage.begin(), await member(usdt="100", kls="100")
    await stage.bet(better, view, "odd", "4")
    brakes = await limit(ctx(better), stake=10 * COIN)
    assert brakes.day.staked == 4 * COIN
    await stage.bet(better, view, "even", "2", asset="KLS")  # 0.50 each
    with pytest.raises(PlayerLimit) as refused:
        await stage.bet(better, view, "odd", "5.000001")
    assert refused.value.fields == {"limit": "stake", "left": "5.000000"}
    await stage.bet(better, view, "odd", "5")
    with pytest.raises(PlayerLimit):
        await stage.bet(better, view, "odd", "1")


async def test_losses_less_prizes_count_and_what_is_open_may_be_lost(
    stage: Stage, member: MakeMember, ctx: MakeContext
) -> None:
    better = await member(usdt="100")
    await settle(stage, better, "10", digit=4)
    await settle(stage, better, "10", digit=7)
    brakes = await limit(ctx(better), loss=6 * COIN)
    assert (brakes.day.staked, brakes.day.lost, brakes.day.open) == (20 * COIN, 500_000, 0)
    assert (await api.limits(ctx(better), Empty())).result == "-0.500000"
    view = await stage.begin()
    await stage.bet(better, view, "odd", "5")
    with pytest.raises(PlayerLimit) as refused:
        await stage.bet(better, view, "odd", "1")
    assert refused.value.fields == {"limit": "loss", "left": "0.500000"}


async def test_what_was_won_today_makes_no_room_for_what_may_be_lost_tomorrow(
    stage: Stage, member: MakeMember, ctx: MakeContext
) -> None:
    better = await member(usdt="100")
    await settle(stage, better, "10", digit=7)
    brakes = await limit(ctx(better), loss=6 * COIN)
    assert brakes.day.lost == -9_500_000
    await stage.bet(better, view := await stage.begin(), "odd", "15")
    await stage.play(view, 7)
    today = business_day(stage.now)
    stage.advance((day_start_ms(today) + DAY_MS - stage.now) // 1_000 - 1_430)  # a round begins some 1,200 later
    view = await stage.begin()
    assert business_day(stage.now) == today
    with pytest.raises(PlayerLimit) as refused:
        await stage.bet(better, view, "odd", "6.000001")
    assert refused.value.fields == {"limit": "loss", "left": "6.000000"}
    await stage.bet(better, view, "odd", "6")


async def test_a_bet_that_is_settled_while_its_day_is_read_counts(
    stage: Stage, member: MakeMember, ctx: MakeContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice, if it must be: never not at all."""
    better, read = await member(usdt="100"), sums_since
    await limit(ctx(better), loss=100 * COIN)
    await stage.bet(better, view := await stage.begin(), "odd", "5")

    async def read_and_settle(*asked: Any) -> Any:
        found = await read(*asked)
        await stage.play(view, 4)
        return found

    monkeypatch.setattr(service, "sums_since", read_and_settle)
    brakes = await service.show_brakes(ctx(better))
    assert brakes.day.used("loss") >= 5 * COIN


async def test_a_new_business_day_begins_with_the_whole_limit(
    stage: Stage, member: MakeMember, ctx: MakeContext
) -> None:
    view, better = await stage.begin(), await member(usdt="100")
    await limit(ctx(better), stake=5 * COIN)
    await stage.bet(better, view, "odd", "5")
    await stage.settle_all()
    stage.advance(86_400)
    await stage.bet(better, await stage.begin(), "odd", "5")


async def test_two_stakes_at_once_cant_pass_a_limit_together(
    stage: Stage, member: MakeMember, ctx: MakeContext
) -> None:
    view, better = await stage.begin(), await member(usdt="100")
    await limit(ctx(better), stake=10 * COIN)

    async def once() -> bool:
        try:
            await stage.bet(better, view, "odd", "3")
        except (StateChanged, WrongState, PlayerLimit):
            return False
        return True

    for _ in range(4):
        await asyncio.gather(*(once() for _ in range(6)))
    brakes = await service.show_brakes(ctx(better))
    assert brakes.day.staked == 9 * COIN


async def test_what_was_topped_up_above_the_limit_cant_be_staked_today(
    stage: Stage, member: MakeMember, ctx: MakeContext
) -> None:
    view, better = await stage.begin(), await member(usdt="10")
    await limit(ctx(better), topup=20 * COIN)
    await fund(stage.house.ledger, better, kind="chain.deposit", usdt="50")
    with pytest.raises(PlayerLimit) as refused:
        await stage.bet(better, view, "odd", "31")
    assert refused.value.fields == {"limit": "topup", "left": "30.000000"}
    await stage.bet(better, view, "odd", "29")
    with pytest.raises(PlayerLimit):
        await stage.bet(better, view, "odd", "2")
    await stage.settle_all()
    stage.advance(86_400)
    await stage.bet(better, await stage.begin(), "odd", "31")  # of the surplus, too


async def test_a_bet_that_was_placed_is_answered_in_a_break_too(
    stage: Stage, member: MakeMember, ctx: MakeContext
) -> None:
    view, better = await stage.begin(), await member(usdt="100")
    request_id = uuid.uuid4().hex
    first = await stage.bet(better, view, "odd", "1", request_id=request_id)
    await service.take_break(ctx(better), days=1)
    posted = await stage.context(better).find_posted(request_id)
    assert posted is not None
    assert posted.id == first.bet.id


async def test_what_a_member_did_at_another_process_is_shown_and_lets_in_at_once(
    stage: Stage, member: MakeMember, ctx: MakeContext
) -> None:
    """The next call comes before the notice: it must neither ask again for what was accepted nor show what was."""
    house, better = stage.house, await member()
    await house.db.execute("UPDATE members SET country = 'VN' WHERE id = $1", better.id)
    other = Gate(house.db, house.terms, house.clock, house.prices, Papers(), COUNTRIES, is_demo=True)
    there = Context(house=replace(house, may=other), member=better)
    with pytest.raises(DisclosureRequired):
        await other.admit(better.id, "games")
    await service.accept_notice(ctx(better), feature="games", version=rules.VERSIONS["games"])
    assert await other.admit(better.id, "games") == []
    assert (await service.show_brakes(there)).paused_until is None
    until = await service.take_break(ctx(better), days=1)
    assert (await service.show_brakes(there)).paused_until == until


async def test_another_process_hears_of_it_within_a_second(
    stage: Stage, member: MakeMember, ctx: MakeContext, database_url: str
) -> None:
    house, better = stage.house, await member(usdt="100")
    other = Gate(house.db, house.terms, house.clock, house.prices, Papers(), COUNTRIES, is_demo=True)
    heard = asyncio.Event()

    def told(text: str) -> None:
        other.forget(text)
        heard.set()

    hearing = asyncio.create_task(hear(database_url, {queries.CHANGED: told}, heard.set, lambda _: None))
    try:
        await heard.wait()
        assert await other.admit(better.id, "games") == []
        heard.clear()
        await service.take_break(ctx(better), days=1)
        async with asyncio.timeout(1 if SOAK else 30):  # a busy machine may take longer
            await heard.wait()
        with pytest.raises(SelfExcluded):
            await other.admit(better.id, "games")
    finally:
        hearing.cancel()
        await asyncio.wait({hearing})


async def test_an_order_counts_within_a_second_where_its_notice_was_lost(stage: Stage, member: MakeMember) -> None:
    better = await member()
    gate = gate_of(stage.house)
    assert await gate.admit(better.id, "games") == []
    await queries.insert_switch(
        stage.house.db, name="games", country="", is_on=False, reason="a test", ordered_by="test", at=Clock.wall()
    )
    await asyncio.sleep(1)
    with pytest.raises(FeatureOff):
        await gate.admit(better.id, "games")
