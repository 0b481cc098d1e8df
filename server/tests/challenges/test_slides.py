"""Slides: judged once, by place and by way; their proofs, used once."""

import asyncio
from collections import Counter
from collections.abc import Sequence

import pytest

from conftest import MakeContext
from kalos.core.tokens import digest, new_id
from kalos.domains.challenges import queries, service
from kalos.domains.challenges.errors import CaptchaExpired, SlideRequired, WrongCaptcha
from kalos.domains.challenges.rules import slid_home
from kalos.domains.challenges.tables import SlideProofRow, SlideRow
from kalos.domains.context import Context
from support.ears import counted
from support.people import HOLE, solved, way_to


@pytest.mark.parametrize(
    "track",
    [
        [[0, 0], [70, 180], [148, 420]],
        [[0, 0], [0, 0], [160, 500], [148, 900]],
        [[0, 0], *([step * 4, step * 30] for step in range(1, 38))],
        [[0, 0], [148, 700], [148, 1_400]],
    ],
    ids=["dragged", "overshot", "arrow keys", "tapped and confirmed"],
)
def test_hands_and_keys_bring_it_home(track: Sequence[Sequence[int]]) -> None:
    assert slid_home(HOLE, x=148, track=track, most_ms=120_000)


@pytest.mark.parametrize(("x", "home"), [(143, False), (144, True), (152, True), (153, False)])
def test_four_points_beside_the_hole_are_near_enough(x: int, home: bool) -> None:
    assert slid_home(HOLE, x=x, track=[[0, 0], [60, 200], [x, 400]], most_ms=120_000) is home


@pytest.mark.parametrize(
    "track",
    [
        [],
        [[148, 0]],
        [[0, 0], [148, 400]],
        [[148, 0], [148, 200], [148, 400]],
        [[0, 0], [60, 100], [147, 400]],
        [[0, 0], [60, 100], [148, 299]],
        [[0, 0], [60, 500], [148, 400]],
        [[0, 0], [60, 500], [148, 120_001]],
        [[0, 50], [60, 500], [148, 900]],
    ],
    ids=[
        "none",
        "one",
        "one step",
        "not from the edge",
        "ends elsewhere",
        "at once",
        "back in time",
        "late",
        "no start",
    ],
)
def test_other_ways_are_no_hands(track: Sequence[Sequence[int]]) -> None:
    assert not slid_home(HOLE, x=148, track=track, most_ms=120_000)


async def drawn(ctx: Context, lasts_ms: int = 60_000) -> str:
    row = SlideRow(new_id(), HOLE, ctx.wall + lasts_ms)
    await queries.insert_slide(ctx.db, row)
    return row.id


async def verify(ctx: Context, slide_id: str, x: int = HOLE) -> service.Proof:
    return await service.verify_slide(ctx, slide_id=slide_id, answer=service.Slid(x, way_to(x)))


async def test_a_drawn_slide_is_stored_with_its_answer(ctx: MakeContext) -> None:
    slide = await service.draw_slide(ctx())
    row = await queries.find_slide(ctx().db, slide.id)
    assert row is not None
    assert row.x is not None
    assert 90_000 < slide.until_at - ctx().wall <= 120_000
    assert (await verify(ctx(), slide.id, row.x)).until_at > ctx().wall


async def test_whoever_cannot_see_it_counts_tones(ctx: MakeContext) -> None:
    played = await service.play_slide(ctx())
    heard = counted(played.url)
    assert 90_000 < played.until_at - ctx().wall <= 120_000
    proof = await service.verify_slide(ctx(), slide_id=played.id, answer=" ".join(heard))
    await service.use_proof(ctx(), proof.token)
    with pytest.raises(CaptchaExpired):
        await service.verify_slide(ctx(), slide_id=played.id, answer=heard)


@pytest.mark.parametrize("answer", ["", "0000", service.Slid(HOLE, way_to(HOLE))], ids=["none", "wrong", "a place"])
async def test_of_tones_no_other_answer_counts(ctx: MakeContext, answer: str | service.Slid) -> None:
    played = await service.play_slide(ctx())
    with pytest.raises(WrongCaptcha):
        await service.verify_slide(ctx(), slide_id=played.id, answer=answer)
    with pytest.raises(CaptchaExpired):
        await service.verify_slide(ctx(), slide_id=played.id, answer=counted(played.url))


async def test_tones_of_a_picture_are_none(ctx: MakeContext) -> None:
    for code in ("", "148", "1111"):
        with pytest.raises(WrongCaptcha):
            await service.verify_slide(ctx(), slide_id=await drawn(ctx()), answer=code)


@pytest.mark.parametrize("x", [HOLE, 10])
async def test_a_slide_is_used_up_by_its_first_answer(ctx: MakeContext, x: int) -> None:
    slide = await drawn(ctx())
    results = await asyncio.gather(*(verify(ctx(), slide, x) for _ in range(16)), return_exceptions=True)
    assert Counter(map(type, results)) == {service.Proof if x == HOLE else WrongCaptcha: 1, CaptchaExpired: 15}


async def test_a_late_answer_is_none(ctx: MakeContext) -> None:
    slide = await drawn(ctx(), 0)
    with pytest.raises(CaptchaExpired):
        await verify(ctx(), slide)


async def test_a_proof_is_stored_as_its_hash_and_allows_one_call(ctx: MakeContext) -> None:
    proof = (await verify(ctx(), await drawn(ctx()))).token
    assert await ctx().db.value("SELECT count(*) FROM slide_proofs WHERE token_hash = $1", digest(proof)) == 1
    results = await asyncio.gather(*(service.use_proof(ctx(), proof) for _ in range(16)), return_exceptions=True)
    assert Counter(type(one) is SlideRequired for one in results) == {False: 1, True: 15}


@pytest.mark.parametrize("proof", [None, "", "nobody's", "x" * 64])
async def test_without_a_proof_the_slide_is_required(ctx: MakeContext, proof: str | None) -> None:
    with pytest.raises(SlideRequired):
        await service.use_proof(ctx(), proof)


async def test_a_proof_ends_with_its_time(ctx: MakeContext) -> None:
    await queries.insert_proof(ctx().db, SlideProofRow(digest("a proof"), ctx().wall))
    with pytest.raises(SlideRequired):
        await service.use_proof(ctx(), "a proof")


async def test_what_serves_once_more_does_so_once_and_for_its_name_alone(ctx: MakeContext) -> None:
    here = ctx()
    for name in ("somebody", "somebody else"):
        proof, captcha = (await verify(here, await drawn(here))).token, await solved(here)
        used = await service.use_captcha(here, captcha, name="somebody"), await service.use_proof(here, proof)
        await service.serve_again(here, *used, name="somebody")
        if name == "somebody":
            again = await service.use_captcha(here, captcha, name=name), await service.use_proof(here, proof, name=name)
            await service.serve_again(here, *again, name=name)
        with pytest.raises(CaptchaExpired):
            await service.use_captcha(here, captcha, name=name)
        with pytest.raises(SlideRequired):
            await service.use_proof(here, proof, name=name)
