"""Account ids are computed, and say whose, what and what for."""

from hypothesis import given
from hypothesis import strategies as st

from kalos.core.assets import ASSETS, KLS, USDT, Asset
from kalos.ledger import purse
from kalos.ledger.purse import FIRST_MEMBER, Purpose


@given(st.integers(1, 2**46), st.sampled_from(ASSETS), st.sampled_from(Purpose))
def test_an_id_gives_back_its_parts(owner: int, asset: Asset, purpose: Purpose) -> None:
    account = purse.account(owner, asset, purpose)
    assert (purse.owner_of(account), purse.asset_of(account), purse.purpose_of(account)) == (owner, asset, purpose)
    assert 0 < account < 2**63


def test_only_the_outside_may_be_negative() -> None:
    assert purse.may_be_negative(purse.outside(Purpose.CHAIN, USDT))
    assert not purse.may_be_negative(purse.house(Purpose.BANKROLL, USDT))
    assert not purse.may_be_negative(purse.available(FIRST_MEMBER, KLS))


def test_ids_that_are_stored_never_change() -> None:
    assert purse.available(1000, USDT) == 65536257
    assert purse.held(1000, KLS) == 65536514
    assert purse.house(Purpose.BANKROLL, USDT) == 131360
    assert purse.outside(Purpose.ISSUANCE, KLS) == 66145
