"""What the signer looks at by itself before it signs: whatever doesn't fit stops it, and nothing has moved."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kalos.core.assets import KLS, USDT
from kalos.core.clock import DAY_MS, HOUR_MS, Clock
from kalos.core.payments import Fees, Payment
from kalos.core.terms import load_terms
from kalos.domains.withdrawals import rules as house_rules
from kalos.domains.withdrawals.rules import Beside
from kalos.ledger import purse
from kalos.signer import queries, rules
from kalos.signer.rules import Limits, Stop
from kalos.signer.steps import turn
from kalos.signer.tables import Book, Due, Hold
from signer.scene import COIN, LIMITS, REVIEWERS, TRUSTED, Scene, due_of, new_address, with_limits

SHARED: list[dict[str, str]] = json.loads(
    (Path(__file__).parents[3] / "contract" / "reviewer_vectors.json").read_text()
)
VECTORS = [vector for vector in SHARED if vector["message"].startswith("kalos withdrawal ")]
"""Those of withdrawals; renewed keys are not the signer's."""
WALL = 1_800_000_000_000
ADDRESS = due_of().address
TERMS = load_terms(Path(__file__).parents[2] / "terms.toml")
NO_RISK = Beside(now=1000, created_at=0, usable_at=10, held_until=None, is_listed=False)


def check(**changes: Any) -> int:
    return rules.check(due_of(**changes), limits=LIMITS, trusted=TRUSTED, chain_id=31337, wall=WALL)


def signatures(*names: str, **changes: Any) -> tuple[bytes, ...]:
    return tuple(REVIEWERS[name].sign(rules.message(due_of(**changes))) for name in names)


def hold(units: int, *, member: int = 1001, kind: str = "withdrawal.open") -> Hold:
    return Hold(purse.held(member, USDT), units, kind)


LARGE: dict[str, Any] = {"units": 20_000 * COIN, "value_units": 20_000 * COIN, "hold": hold(20_000 * COIN)}
LARGEST: dict[str, Any] = {"units": 50_000 * COIN, "value_units": 50_000 * COIN, "hold": hold(50_000 * COIN)}


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
def test_reviewers_signatures_agree_with_the_consoles_byte_for_byte(vector: dict[str, str]) -> None:
    salt = f"kalos reviewer {vector['name']}".encode()
    seed = hashlib.pbkdf2_hmac("sha256", vector["passphrase"].encode(), salt, 600_000, 32)
    key = Ed25519PrivateKey.from_private_bytes(seed)
    due = due_of(id=4711, units=2_500 * COIN, address="0x52908400098527886E0F7030069857D2E4169EE7", needed=2, round=1)
    assert rules.message(due) == vector["message"].encode()
    assert key.public_key().public_bytes_raw().hex() == vector["public_key"]
    assert key.sign(rules.message(due)).hex() == vector["signature"]


def test_the_consoles_signatures_are_what_the_signer_takes() -> None:
    trusted = {vector["name"]: bytes.fromhex(vector["public_key"]) for vector in VECTORS}
    signed = [bytes.fromhex(vector["signature"]) for vector in VECTORS]
    text = VECTORS[0]["message"].encode()
    assert rules.signers(text, signed, trusted) == set(trusted.values())
    for place, one in enumerate(signed):
        changed = bytes([one[0] ^ 1, *one[1:]])
        assert rules.signers(text, [changed], trusted) == set()
        assert rules.signers(text + b"\n", [one], trusted) == set()
        assert rules.signers(text, [one], trusted) == {trusted[VECTORS[place]["name"]]}


def test_a_right_withdrawal_counts_for_its_value() -> None:
    assert check() == 100 * COIN


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("bad_withdrawal", {"asset": "BWC"}),
        ("bad_withdrawal", {"asset": "GOLD"}),
        ("bad_withdrawal", {"units": 0}),
        ("wrong_chain", {"chain_id": 1}),
        ("no_hold", {"hold": None}),
        ("wrong_hold", {"hold": hold(100 * COIN - 1)}),
        ("wrong_hold", {"hold": hold(100 * COIN + 1)}),
        ("wrong_hold", {"hold": hold(100 * COIN, member=1002)}),
        ("wrong_hold", {"hold": hold(100 * COIN, kind="game.stake")}),
        ("wrong_hold", {"hold": Hold(purse.held(1001, KLS), 100 * COIN, "withdrawal.open")}),
        ("wrong_hold", {"hold": Hold(purse.available(1001, USDT), 100 * COIN, "withdrawal.open")}),
        ("wrong_address", {"book": None}),
        ("wrong_address", {"book": Book(1002, 31337, ADDRESS, False, 0)}),
        ("wrong_address", {"book": Book(1001, 1, ADDRESS, False, 0)}),
        ("wrong_address", {"book": Book(1001, 31337, ADDRESS.lower(), False, 0)}),
        ("young_address", {"book": Book(1001, 31337, ADDRESS, False, WALL - 24 * HOUR_MS + 1)}),
        ("not_reviewed", {"needed": 1}),
        ("not_reviewed", {"book": Book(1001, 31337, ADDRESS, True, 0)}),
        ("not_reviewed", {"value_units": 10_000 * COIN + 1}),
        ("not_reviewed", LARGE),
        ("not_reviewed", LARGE | {"value_units": 1}),
        ("not_reviewed", LARGE | {"signatures": (b"0" * 64,)}),
        ("not_reviewed", LARGE | {"signatures": signatures("ann")}),
        ("not_reviewed", LARGEST | {"signatures": signatures("ann", **LARGEST)}),
        ("not_reviewed", LARGEST | {"signatures": signatures("ann", "ann", **LARGEST)}),
        ("not_reviewed", {"needed": 2, "signatures": signatures("bob", needed=2)}),
    ],
)
def test_what_does_not_fit_stops_the_signer(name: str, changes: dict[str, Any]) -> None:
    with pytest.raises(Stop) as stop:
        check(**changes)
    assert stop.value.name == name


@pytest.mark.parametrize(
    "changes",
    [
        {"value_units": 10_000 * COIN},
        {"book": Book(1001, 31337, ADDRESS, False, WALL - 24 * HOUR_MS)},
        {"book": Book(1001, 31337, ADDRESS, True, 0), "signatures": signatures("bob")},
        LARGE | {"signatures": signatures("ann", **LARGE)},
        LARGE | {"signatures": (b"0" * 64, *signatures("bob", **LARGE))},
        LARGEST | {"signatures": signatures("ann", "bob", **LARGEST)},
        {"needed": 2, "signatures": signatures("ann", "bob", needed=2)},
    ],
)
def test_what_fits_passes(changes: dict[str, Any]) -> None:
    check(**changes)


@pytest.mark.parametrize(
    ("auto_max", "two_reviewers", "units", "needed"),
    [
        (10, 50, 10 * COIN, 0),
        (10, 50, 10 * COIN + 1, 1),
        (10, 50, 50 * COIN - 1, 1),
        (10, 50, 50 * COIN, 2),
        (10, 10, 10 * COIN - 1, 0),
        (10, 10, 10 * COIN, 2),
        (10, 10, 10 * COIN + 1, 2),
        (0, 10, 1, 1),
        (0, 0, 1, 2),
    ],
)
def test_house_and_signer_ask_for_as_many_at_every_edge(
    auto_max: int, two_reviewers: int, units: int, needed: int
) -> None:
    """One that needs somebody has a reason, too, so that nobody is told that it leaves by itself."""
    terms = replace(TERMS, withdraw_auto_max=auto_max, withdraw_two_reviewers=two_reviewers)
    limits = Limits(auto_max=auto_max, two_reviewers=two_reviewers)
    risks = house_rules.risks(units, NO_RISK, terms)
    assert list(risks) == ["over_auto_max"] * (needed > 0)
    assert (units > house_rules.most_alone(terms)) is (needed > 0)
    assert house_rules.needed(units, risks, terms) == needed
    assert rules.needed_of(due_of(units=units, value_units=units), units, limits) == needed


def test_a_key_that_is_not_trusted_counts_for_nothing() -> None:
    stranger = Ed25519PrivateKey.generate().sign(rules.message(due_of(**LARGE)))
    with pytest.raises(Stop):
        check(**LARGE, signatures=(stranger,))


@pytest.mark.parametrize("field", ["id", "asset", "units", "chain_id", "address", "needed", "round"])
def test_a_signature_is_of_this_very_withdrawal(field: str) -> None:
    other = {"id": 8, "asset": "KLS", "units": 1, "chain_id": 1, "address": new_address(), "needed": 1, "round": 1}
    assert rules.message(due_of()) != rules.message(due_of(**{field: other[field]}))


def kls(units: int, value_units: int = 1) -> Due:
    """A withdrawal of KLS that somebody has written down as worth next to nothing."""
    hold = Hold(purse.held(1001, KLS), units, "withdrawal.open")
    return due_of(asset="KLS", units=units, value_units=value_units, hold=hold)


def test_kls_counts_for_no_less_than_the_floor_of_its_price() -> None:
    assert rules.value_of(kls(1_000_000 * 10**8), KLS, LIMITS) == 400_000 * COIN


def test_a_forged_value_spares_kls_no_reviewer_but_for_a_quarter_more_than_goes_alone() -> None:
    """At the first price: 200,000 KLS are worth 100,000 USDT there, and need two people."""
    most = int(LIMITS.auto_max / TERMS.ref_first * 10**8) * 5 // 4
    means: dict[str, Any] = {"limits": LIMITS, "trusted": TRUSTED, "chain_id": 31337, "wall": WALL}
    assert rules.check(kls(most), **means) == LIMITS.auto_max * COIN
    for units, needed in ((most + 1, 1), (200_000 * 10**8, 2)):
        with pytest.raises(Stop, match=f"needs {needed} reviewers' signatures and has 0"):
            rules.check(kls(units), **means)


def test_sums_of_an_hour_and_a_day_have_their_limits() -> None:
    limits = Limits(hour=200, day=300)
    rules.check_sums(100 * COIN, spent_hour=100 * COIN, spent_day=200 * COIN, limits=limits)
    for name, hour, day in (("hour_limit", 100 * COIN + 1, 0), ("day_limit", 0, 200 * COIN + 1)):
        with pytest.raises(Stop) as stop:
            rules.check_sums(100 * COIN, spent_hour=hour, spent_day=day, limits=limits)
        assert stop.value.name == name


@pytest.mark.parametrize(
    ("mined", "waiting", "name"),
    [
        (5, 5, None),
        (3, 4, None),
        (4, 5, None),
        (3, 3, "nonce_gap"),
        (6, 6, "unknown_payment"),
        (5, 6, "unknown_payment"),
    ],
)
def test_nonces_fit_those_of_the_chain(mined: int, waiting: int, name: str | None) -> None:
    try:
        rules.check_nonce(5, mined=mined, waiting=waiting)
        found = None
    except Stop as stop:
        found = stop.name
    assert found == name


def test_a_raised_fee_is_a_tenth_more_at_least_and_never_above_the_limit() -> None:
    assert rules.raised(Fees(1000, 100), Fees(1, 1), LIMITS) == Fees(1126, 113)
    assert rules.raised(Fees(1000, 100), Fees(5000, 50), LIMITS) == Fees(5000, 113)
    assert rules.raised(Fees(1000, 100), Fees(LIMITS.fee_cap * 2, 1), LIMITS) == Fees(LIMITS.fee_cap, 113)
    assert rules.raised(Fees(1000, 100), Fees(1, LIMITS.fee_cap * 2), LIMITS) == Fees(1126, 1126)
    assert rules.raised(Fees(LIMITS.fee_cap, 1), Fees(1, 1), LIMITS) is None
    assert rules.first_fees(Fees(LIMITS.fee_cap * 2, LIMITS.fee_cap + 1), LIMITS) == Fees(
        LIMITS.fee_cap, LIMITS.fee_cap
    )


@pytest.mark.parametrize("kwargs", [{"two_reviewers": 9_999}, {"day": 1}, {"hour": 0}, {"least_price": 0}])
def test_limits_that_contradict_each_other_are_none(kwargs: dict[str, int]) -> None:
    with pytest.raises(AssertionError):
        Limits(**kwargs)  # type: ignore[arg-type]


async def assert_stops(scene: Scene, withdrawal: int, reason: str) -> None:
    """The signer stops, alarms once, and nothing has been signed; no other withdrawal is paid either."""
    before = await scene.owner("SELECT count(*) FROM broadcasts")
    await turn(scene.bench)
    await scene.node.mine()
    assert await scene.reason() == reason
    other = await scene.ask("1")
    await turn(scene.bench)
    await scene.node.mine()
    assert await scene.owner("SELECT count(*) FROM broadcasts") == before
    assert (await scene.has(withdrawal), await scene.has(other)) == (0, 0)
    await scene.drop(withdrawal)
    await scene.drop(other)


async def test_a_hold_of_another_amount_stops_it(scene: Scene) -> None:
    one = await scene.ask("100", held=99 * COIN)
    await assert_stops(scene, one, "wrong_hold")
    await scene.owner("ALTER TABLE withdrawals DISABLE TRIGGER USER")
    await scene.owner("UPDATE withdrawals SET units = $2 WHERE id = $1", one, 99 * COIN)
    await scene.owner("ALTER TABLE withdrawals ENABLE TRIGGER USER")


async def test_a_withdrawal_whose_hold_has_ended_stops_it(scene: Scene) -> None:
    one = await scene.ask("100")
    await scene.owner("UPDATE holds SET state = 'ended', left_units = 0 WHERE id = $1 * 8", one)
    try:
        await assert_stops(scene, one, "no_hold")
    finally:
        await scene.owner("UPDATE holds SET state = 'open', left_units = $2 WHERE id = $1 * 8", one, 100 * COIN)


async def lose_address(scene: Scene, withdrawal: int) -> None:
    """Its member's book has another one in the place of its address."""
    await scene.owner(
        "UPDATE withdrawal_addresses SET address = $1 WHERE address = $2",
        new_address(),
        await scene.address_of(withdrawal),
    )


async def test_an_address_that_is_not_the_one_of_the_book_stops_it(scene: Scene) -> None:
    one = await scene.ask("100")
    await lose_address(scene, one)
    await assert_stops(scene, one, "wrong_address")


async def comes_back(scene: Scene, withdrawal: int, needed: int) -> None:
    await turn(scene.bench)
    row = await scene.bench.db.row("SELECT reason, needed FROM broadcast_returns WHERE withdrawal = $1", withdrawal)
    assert (await scene.reason(), await scene.attempts(withdrawal)) == (None, [])
    assert row is not None
    assert tuple(row) == ("not_reviewed", needed)


async def test_a_large_one_without_a_review_comes_back(scene: Scene) -> None:
    await comes_back(scene, await scene.ask("10001"), 1)


async def test_one_reviewer_twice_is_not_two(scene: Scene) -> None:
    one = await scene.ask("50000", signed=["ann"])
    await scene.sign(one, "bob", key=REVIEWERS["ann"])
    await comes_back(scene, one, 2)


async def test_what_lacks_a_review_and_does_not_fit_stops_it(scene: Scene) -> None:
    """Neither time nor a signature mends it: it isn't put before people as if they could."""
    one = await scene.ask("10001", age_hours=23)
    await lose_address(scene, one)
    await assert_stops(scene, one, "wrong_address")


async def test_two_reviewers_let_the_largest_go(scene: Scene) -> None:
    one = await scene.ask("50000", signed=["ann", "bob"])
    await scene.finish(one)
    assert await scene.has(one) == 50_000 * COIN


async def test_a_sum_of_the_hour_stops_it_and_what_was_paid_stays(scene: Scene) -> None:
    spent = int(await scene.owner("SELECT coalesce(sum(value_units), 0) FROM signer_nonces")) // COIN
    paid, more = await scene.ask("60"), await scene.ask("60")
    bench = with_limits(scene, hour=spent + 100)
    await turn(bench)
    assert await scene.reason() == "hour_limit"
    assert (len(await scene.attempts(paid)), len(await scene.attempts(more))) == (1, 0)
    await scene.go_on()
    await scene.owner("UPDATE signer_nonces SET taken_at = $1 WHERE withdrawal IS NOT NULL", Clock.wall() - HOUR_MS)
    await scene.finish(paid, more)
    assert (await scene.has(paid), await scene.has(more)) == (60 * COIN, 60 * COIN)


async def test_a_sum_of_the_day_stops_it_where_the_hour_has_room(scene: Scene) -> None:
    earlier, again = await scene.ask("60"), "UPDATE signer_nonces SET taken_at = $2 WHERE withdrawal = $1"
    await scene.finish(earlier)
    wall = Clock.wall()
    await scene.owner(again, earlier, wall - 2 * HOUR_MS)
    spent = await queries.sum_spent(scene.bench.db, wall - DAY_MS) // COIN
    bench = with_limits(scene, hour=spent + 59, day=spent + 59)
    one = await scene.ask("60")
    await turn(bench)
    assert (await scene.reason(), await scene.attempts(one)) == ("day_limit", [])
    await scene.go_on()
    await scene.owner(again, earlier, wall - DAY_MS)
    await turn(bench)
    assert (await scene.reason(), len(await scene.attempts(one))) == (None, 1)
    await scene.finish(one)
    assert await scene.has(one) == 60 * COIN


@pytest.mark.parametrize(("lost", "reason"), [(1, None), (2, "nonce_gap")])
async def test_more_than_one_payment_that_the_nodes_lost_stops_it(scene: Scene, lost: int, reason: str | None) -> None:
    sent = [await scene.ask("1"), await scene.ask("2")]
    await turn(scene.bench)
    for one in sent[-lost:]:
        (attempt,) = await scene.attempts(one)
        await scene.node.node.call("anvil_dropTransaction", attempt["hash"])
    more = await scene.ask("3")
    await turn(scene.bench)
    assert (await scene.reason(), len(await scene.attempts(more))) == (reason, 2 - lost)
    await scene.go_on()
    await scene.node.mine(2)  # then they are handed over again
    await scene.finish(*sent, more)
    assert [await scene.has(one) for one in (*sent, more)] == [1 * COIN, 2 * COIN, 3 * COIN]
    assert [len(await scene.attempts(one)) for one in (*sent, more)] == [1, 1, 1]


async def test_a_payment_with_our_key_that_our_records_lack_stops_it(scene: Scene) -> None:
    chain, hot = scene.bench.chain, scene.bench.keys.hot
    nonce = await chain.next_nonce(hot.address, waiting=False)
    stolen = Payment(
        chain_id=chain.network.chain_id, nonce=nonce, contract=None, recipient=new_address(), units=1, gas=21_000
    )
    await chain.send(hot.sign(stolen, await chain.fees()).raw)
    one = await scene.ask("100")
    await assert_stops(scene, one, "unknown_payment")


async def test_it_alarms_once_and_keeps_its_first_reason(scene: Scene) -> None:
    one = await scene.ask("100")
    await lose_address(scene, one)
    for _ in range(3):
        await turn(scene.bench)
    row = await scene.bench.db.row("SELECT reason, by FROM signer_state")
    assert row is not None
    assert row["by"] == "signer"
    assert f"withdrawal {one} pays an address that" in row["reason"]
    await scene.drop(one)
