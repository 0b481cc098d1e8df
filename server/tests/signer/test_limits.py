"""The signer follows an order of another limit that two of its own reviewers have signed, once, and no other."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kalos.core.clock import Clock
from kalos.core.limits import LimitName, LimitOrder
from kalos.signer import limits as following
from kalos.signer.limits import follow_limits
from kalos.signer.rules import Limits
from kalos.signer.steps import turn
from signer.scene import LIMITS, REVIEWERS, TRUSTED, Scene, SignerProcess
from support.budget import SOAK, count

POINTS = ("limit_kept", "limit_refused")
TIMES = count("signer.kills") if SOAK else 3
MADE_BY = ("limitmaker", "limitchecker")


@pytest.fixture(autouse=True)
async def no_orders(scene: Scene) -> AsyncIterator[None]:
    yield
    await scene.owner("DELETE FROM commands WHERE kind = 'signer_limit'")
    await scene.owner("UPDATE signer_state SET limits = NULL, limits_order = 0, limits_refused = NULL")


async def order(scene: Scene, message: str, *signatures: bytes) -> None:
    """As the console leaves it: a row of a command that two people have signed."""
    for name in MADE_BY:
        await scene.owner(
            "INSERT INTO staff (name, password_hash, totp_secret, roles, made_at)"
            " VALUES ($1, '', decode(repeat('00', 48), 'hex'), '{owner}', 1) ON CONFLICT DO NOTHING",
            name,
        )
    maker, checker = [await scene.owner("SELECT id FROM staff WHERE name = $1", name) for name in MADE_BY]
    await scene.owner(
        """
        INSERT INTO commands (kind, object, state, body, before, after, version, reason, signers, maker, made_at,
            expires_at, checker, decided_at, message, maker_signature, checker_signature)
        VALUES ('signer_limit', 'signer limits', 'carried_out', '{}', '{}', '{}', 'v', 'a test', 2, $1, 1, 2, $2, 1,
            $3, $4, $5)
        """,
        maker,
        checker,
        message,
        *signatures,
    )


def text(number: int = 1, name: LimitName = "hour", before: int = LIMITS.hour, after: int = LIMITS.hour + 1) -> str:
    return LimitOrder(number, name, before, after).message


def by(message: str, *names: str) -> tuple[bytes, ...]:
    return tuple(REVIEWERS[name].sign(message.encode()) for name in names)


async def told(scene: Scene) -> tuple[Any, ...]:
    row = await scene.bench.db.row("SELECT limits->>'hour' AS hour, limits_order, limits_refused FROM signer_state")
    assert row is not None
    return tuple(row)


async def refused(scene: Scene, message: str, *signatures: bytes) -> str:
    """Why an order isn't followed: what counts stays, here and in the folder."""
    await order(scene, message, *signatures)
    await follow_limits(scene.bench)
    assert replace(scene.bench.limits, order=0) == LIMITS
    assert scene.folder.limits().hour == LIMITS.hour
    hour, number, reason = await told(scene)
    assert (hour, number) == (str(LIMITS.hour), 1)
    return str(reason)


async def test_an_order_of_two_reviewers_counts_at_once_and_after_a_new_start(scene: Scene) -> None:
    await follow_limits(scene.bench)
    assert await told(scene) == (str(LIMITS.hour), 0, None)
    message = text(name="auto_max", before=LIMITS.auto_max, after=5)
    await order(scene, message, *by(message, "ann", "bob"))
    await follow_limits(scene.bench)
    assert scene.bench.limits == replace(LIMITS, auto_max=5, order=1)
    assert scene.folder.limits() == scene.bench.limits
    one = await scene.ask("6")
    await turn(scene.bench)
    assert (await scene.reason(), await scene.attempts(one)) == (None, [])
    words = "SELECT reason FROM broadcast_returns WHERE withdrawal = $1"
    assert await scene.bench.db.value(words, one) == "not_reviewed"


async def test_an_order_counts_once(scene: Scene) -> None:
    """A number is used up: whoever changes the limit by hand, or back, doesn't meet the old order again."""
    message = text()
    await order(scene, message, *by(message, "ann", "bob"))
    await follow_limits(scene.bench)
    back = text(2, "hour", LIMITS.hour + 1, LIMITS.hour)
    await order(scene, back, *by(back, "ann", "bob"))
    for _ in range(3):
        await follow_limits(scene.bench)
    assert scene.bench.limits == replace(LIMITS, order=2)
    assert await told(scene) == (str(LIMITS.hour), 2, None)


@pytest.mark.parametrize(
    ("point", "names", "step", "reason"),
    [(POINTS[0], ("ann", "bob"), 1, None), (POINTS[1], ("ann", "ann"), 0, "two trusted")],
)
async def test_killed_in_the_middle_of_an_order_it_is_followed_or_refused_once(
    scene: Scene, tmp_path: Path, point: str, names: tuple[str, str], step: int, reason: str | None
) -> None:
    """Folder and database are two places: whichever was written, the next start ends what was begun."""
    process, hour = SignerProcess(scene, tmp_path, rpc=scene.node.url), LIMITS.hour
    for name, key in TRUSTED.items():
        scene.folder.trust(name, key.hex())
    try:
        for number in range(1, TIMES + 1):
            message = text(number, "hour", hour, hour + 1)
            await order(scene, message, *by(message, *names))
            hour += step
            await process.start(point)
            await process.killed()
            assert scene.folder.limits().hour == hour
            for _ in range(3):
                scene.bench.limits = scene.folder.limits()  # as a process starts
                await follow_limits(scene.bench)
            assert scene.folder.limits() == replace(LIMITS, hour=hour, order=number)
            seen = await told(scene)
            assert (seen[:2], (seen[2] or "")[:11]) == ((str(hour), number), reason or "")
    finally:
        await process.end()


async def test_a_signer_that_waited_takes_up_the_limits_of_now(scene: Scene, tmp_path: Path) -> None:
    """The one before it followed an order meanwhile: its number is used, and what counted before doesn't come back."""
    first, second = [SignerProcess(scene, tmp_path, rpc=scene.node.url) for _ in range(2)]
    ordered = replace(LIMITS, hour=LIMITS.hour - 1, order=1)
    try:
        await first.start()
        await _until(scene, "SELECT limits IS NOT NULL FROM signer_state")
        await second.start()
        await _until(
            scene,
            "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))",
        )
        scene.folder.keep(ordered)
        await first.end()
        await _until(scene, f"SELECT beat_at > {Clock.wall()} FROM signer_state")  # the second one's
    finally:
        await first.end()
        await second.end()
    assert await told(scene) == (str(ordered.hour), 1, None)
    assert scene.folder.limits() == ordered


async def _until(scene: Scene, statement: str) -> None:
    async with asyncio.timeout(30):
        while not await scene.owner(statement):
            await asyncio.sleep(0.05)


UNSIGNED = "two trusted reviewers haven't signed it"


@pytest.mark.parametrize("names", [("ann", "ann"), ("ann", "stranger"), ("stranger", "stranger")])
async def test_one_person_or_a_stranger_orders_nothing(scene: Scene, names: tuple[str, str]) -> None:
    message, stranger = text(), Ed25519PrivateKey.generate()
    keys = REVIEWERS | {"stranger": stranger}
    assert await refused(scene, message, *(keys[name].sign(message.encode()) for name in names)) == UNSIGNED


async def test_signatures_of_another_order_are_none_of_this_one(scene: Scene) -> None:
    assert await refused(scene, text(), *by(text(after=LIMITS.hour + 2), "ann", "bob")) == UNSIGNED


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"before": LIMITS.hour - 1}, "hour isn't"),
        ({"after": LIMITS.day + 1}, "day must not be below hour"),
        ({"after": 0}, "day must not be below hour"),
        ({"name": "auto_max", "before": LIMITS.auto_max, "after": LIMITS.two_reviewers + 1}, "two_reviewers must not"),
    ],
)
async def test_what_does_not_fit_is_not_followed_though_two_signed_it(
    scene: Scene, changes: dict[str, Any], problem: str
) -> None:
    message = text(**changes)
    assert (await refused(scene, message, *by(message, "ann", "bob"))).startswith(problem)


async def test_an_order_that_is_not_the_next_waits_for_the_one_before(scene: Scene) -> None:
    message = text(2)
    await order(scene, message, *by(message, "ann", "bob"))
    await follow_limits(scene.bench)
    assert (scene.bench.limits, await told(scene)) == (LIMITS, (str(LIMITS.hour), 0, None))


async def test_what_was_refused_makes_room_for_the_next(scene: Scene) -> None:
    await refused(scene, text(), *by(text(), "ann", "ann"))
    message = text(2)
    await order(scene, message, *by(message, "bob", "ann"))
    await follow_limits(scene.bench)
    assert await told(scene) == (str(LIMITS.hour + 1), 2, None)


def test_other_texts_are_no_orders() -> None:
    for other in (
        text() + "\n",
        text().replace("hour", "fee_most"),
        text().replace("1\n1\n", "1\n01\n"),
        "",
        text()[1:],
    ):
        assert LimitOrder.read(other) is None
    assert LimitOrder.read(text()) == LimitOrder(1, "hour", LIMITS.hour, LIMITS.hour + 1)
    assert following.refusal(LIMITS, LimitOrder(2, "hour", LIMITS.hour, 1)) == "it has another number"


def test_the_folder_keeps_its_other_lines(scene: Scene) -> None:
    place = scene.folder.folder / "limits.toml"
    place.write_text("# by hand\naddress_wait = 0\nhour = 7 # seven\n")
    kept = scene.folder.keep(replace(Limits(address_wait=0), hour=8, order=3))
    assert kept == Limits(address_wait=0, hour=8, order=3)
    assert place.read_text().startswith("# by hand\naddress_wait = 0\n")
    assert place.stat().st_mode & 0o777 == 0o600
