"""Confirmations, fates and blocks that follow each other, for every number there is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kalos.adapters.chain.sandbox import SANDBOX_NETWORK
from kalos.core.assets import KLS, USDT
from kalos.core.money import Amount
from kalos.core.ports import Block, TokenTransfer
from kalos.domains.deposits import rules
from kalos.domains.deposits.tables import Deposit

HASH = "0x" + "aa" * 32
OTHER = "0x" + "bb" * 32
MINIMUM = Amount(10_000_000, USDT)


def deposit(**fields: object) -> Deposit:
    known: dict[str, object] = {
        "id": 1, "revision": 1, "chain_id": 1, "transaction": HASH, "log_index": 0, "block": 100, "block_hash": HASH,
        "asset": "USDT", "sender": "", "recipient": "", "owner": 1000, "units": 1, "required": 3,
        "status": rules.PROCESSING, "reason": None, "seen_at": 1, "changed_at": 1, "credited_at": None,
    }  # fmt: skip
    return Deposit(**(known | fields))  # type: ignore[arg-type]


def transfer(**fields: object) -> TokenTransfer:
    contract = SANDBOX_NETWORK.contract(USDT).address
    known: dict[str, object] = {
        "contract": contract, "sender": "", "recipient": "", "units": 1, "transaction": HASH, "log_index": 0,
        "block": 100, "block_hash": HASH,
    }  # fmt: skip
    return TokenTransfer(**(known | fields))  # type: ignore[arg-type]


@given(head=st.integers(0, 10**6), block=st.integers(0, 10**6), required=st.integers(1, 100))
def test_confirmations_are_the_blocks_on_top_up_to_those_required(head: int, block: int, required: int) -> None:
    counted = rules.confirmations(deposit(block=block, required=required), head)
    assert counted == min(required, max(0, head - block))


@pytest.mark.parametrize(("status", "counted"), [("approved", 3), ("pending_review", 3), ("refused", 3), ("failed", 0)])
def test_confirmations_of_a_decided_deposit_stand(status: str, counted: int) -> None:
    assert rules.confirmations(deposit(status=status), 100) == counted


@given(units=st.integers(1, 2**63 - 1))
def test_fate_is_credit_from_the_minimum_on(units: int) -> None:
    expected = "credit" if units >= MINIMUM.units else "below_minimum"
    assert (
        rules.fate(deposit(units=units), minimum=MINIMUM, by_house=False, closed=False, repeated=False, listed=False)
        == expected
    )


@given(units=st.integers(1, 2**63 - 1))
def test_closed_account_is_credited_nothing(units: int) -> None:
    closed = rules.fate(
        deposit(units=units), minimum=MINIMUM, by_house=False, closed=True, repeated=False, listed=False
    )
    assert closed == "closed_account"


@given(
    units=st.integers(1, 2**63 - 1),
    by_house=st.booleans(),
    closed=st.booleans(),
    known=st.booleans(),
    listed=st.booleans(),
)
def test_repeated_transaction_is_never_credited(
    units: int, by_house: bool, closed: bool, known: bool, listed: bool
) -> None:
    fate = rules.fate(
        deposit(units=units),
        minimum=MINIMUM if known else None,
        by_house=by_house,
        closed=closed,
        listed=listed,
        repeated=True,
    )
    assert fate == "repeated"


@given(units=st.integers(1, 2**63 - 1), by_house=st.booleans(), closed=st.booleans(), known=st.booleans())
def test_what_a_listed_sender_pays_has_one_fate_whoever_gets_it(
    units: int, by_house: bool, closed: bool, known: bool
) -> None:
    minimum = MINIMUM if known else None
    fate = rules.fate(
        deposit(units=units), minimum=minimum, by_house=by_house, closed=closed, repeated=False, listed=True
    )
    assert fate == "listed_sender"


def test_house_and_other_coins_have_fates_of_their_own() -> None:
    assert rules.fate(deposit(), minimum=MINIMUM, by_house=True, closed=False, repeated=False, listed=False) == "house"
    for closed in (False, True):
        fate = rules.fate(deposit(), minimum=None, by_house=False, closed=closed, repeated=False, listed=False)
        assert fate == "other_asset"


@given(length=st.integers(0, 20), broken=st.integers(0, 20), missing=st.booleans())
def test_linked_ends_at_the_first_block_that_does_not_follow(length: int, broken: int, missing: bool) -> None:
    blocks: list[Block | None] = [Block(n, f"h{n}", f"h{n - 1}", n) for n in range(length)]
    if broken < length:
        blocks[broken] = None if missing else Block(broken, "h?", "other", broken)
    assert rules.linked(blocks, "h-1") == blocks[: min(broken, length)]


def test_worth_recording_is_a_known_coin_in_a_possible_amount() -> None:
    kls = SANDBOX_NETWORK.contract(KLS).address
    good = [transfer(units=1), transfer(units=2**63 - 1), transfer(contract=kls)]
    bad = [transfer(units=0), transfer(units=2**63), transfer(contract="0x" + "12" * 20)]
    assert rules.worth_recording([*bad, *good, *bad], SANDBOX_NETWORK) == good


@pytest.mark.parametrize(
    ("status", "block_hash", "news"),
    [
        ("on_chain_processing", HASH, False),
        ("on_chain_processing", OTHER, True),
        ("failed", HASH, True),
        ("failed", OTHER, True),
        ("approved", OTHER, False),
        ("pending_review", OTHER, False),
        ("refused", OTHER, False),
    ],
)
def test_known_log_is_news_only_while_it_may_still_change(status: str, block_hash: str, news: bool) -> None:
    assert rules.is_news(deposit(status=status), transfer(block_hash=block_hash)) is news
