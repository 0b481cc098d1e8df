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


def test_numbers_that_are_stored_never_change() -> None:
    assert " ".join(f"{asset.code}={asset.number}" for asset in ASSETS) == (
        "USDT=1 KLS=2 USA=3 USO=4 USDC=5 BWC=6 BWT=7 RRT=8 SATS=9 DOMI=10 ALEO=11 POINT=12 ENERGY=13 POWER=14 "
        "TICKET=15 TICKET_BONUS=16"
    )
    assert " ".join(f"{purpose.name.lower()}={purpose}" for purpose in Purpose) == (
        "available=1 held=2 locked=3 claimable=4 game=5 pledged=6 collateral=7 card=8 "
        "bankroll=32 bankroll_reserved=33 kls_stock=34 fees=35 marketing=36 suspense=37 lending_pool=38 "
        "insurance_pool=39 divvy_pending=40 dividend_pool=41 nft_pool=42 consumer_pool=43 insurance_reserved=44 "
        "ticket_trust=45 racer_pool=46 quiz_pool=47 jackpot=48 prize_pool=49 usa_reserve=50 uso_reserve=51 "
        "shop_escrow=52 revenue=53 chain=96 issuance=97 burned=98 issuer=99"
    )


def test_assets_have_the_scales_and_kinds_of_the_table() -> None:
    found = {asset.code: (asset.scale, asset.kind) for asset in ASSETS}
    coins = dict.fromkeys(("BWC", "BWT", "RRT", "SATS", "DOMI", "ALEO"), (8, "coin"))
    dollars = {"USDT": (6, "chain"), "USDC": (6, "chain"), "USA": (6, "unit"), "USO": (6, "unit")}
    points = dict.fromkeys(("POINT", "ENERGY", "POWER"), (2, "unit"))
    tickets = dict.fromkeys(("TICKET", "TICKET_BONUS"), (0, "unit"))
    assert found == dollars | {"KLS": (8, "chain")} | coins | points | tickets
    assert {asset.code for asset in ASSETS if asset.maximum_units == 10**15} == {*points, *tickets}


def test_ids_of_accounts_never_change() -> None:
    assert purse.available(1000, USDT) == 65536257
    assert purse.held(1000, KLS) == 65536514
    assert purse.house(Purpose.BANKROLL, USDT) == 131360
    assert purse.outside(Purpose.ISSUANCE, KLS) == 66145
