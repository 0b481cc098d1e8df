"""The doors of the house in tests: real database and ledger, sandboxes at the edges."""

from typing import Final

from kalos.adapters.captcha.picture import PictureCaptchas
from kalos.adapters.captcha.slide import SlideCaptchas
from kalos.adapters.captcha.tones import ToneCaptchas
from kalos.adapters.chain.sandbox import SANDBOX_NETWORK, SandboxChain
from kalos.adapters.chain.sign_in import SignInMessages
from kalos.adapters.countries.list import DOCUMENTATION, ListedCountries
from kalos.adapters.files.pictures import CleanPictures
from kalos.adapters.files.sandbox import SandboxFiles
from kalos.adapters.kyc.none import NoIdentities
from kalos.adapters.screening.list import ListedAddresses
from kalos.app.owning import OwnAddresses
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.ports import Closed
from kalos.core.terms import Terms
from kalos.domains.context import House
from kalos.domains.deposits.queries import is_coming
from kalos.domains.prices.service import OrderedPrices
from kalos.domains.protection.service import Gate
from kalos.domains.support.service import forget
from kalos.domains.wallets.queries import find_in_book
from kalos.domains.withdrawals.queries import last_uses
from kalos.ledger.postings import Ledger

PAGE: Final = "https://kalos.example"


class SandboxPulse:
    """A `Pulse` that is as a test wants it."""

    def __init__(self, closed: Closed | None = None) -> None:
        self._closed = closed

    def closed(self) -> Closed | None:
        return self._closed


HOT: Final = "0x" + "11" * 20
COLD: Final = "0x" + "22" * 20


async def own_wallets() -> tuple[str, ...]:
    return HOT, COLD


def house_of(db: Database, ledger: Ledger, clock: Clock, terms: Terms) -> House:
    prices = OrderedPrices(db, terms, clock, is_demo=True)
    return House(
        db=db,
        ledger=ledger,
        clock=clock,
        terms=terms,
        chain=SandboxChain(),
        messages=SignInMessages(PAGE, SANDBOX_NETWORK.chain_id),
        screening=ListedAddresses(None),
        prices=prices,
        pulse=SandboxPulse(),
        captchas=PictureCaptchas(),
        tones=ToneCaptchas(),
        slides=SlideCaptchas(),
        files=SandboxFiles(),
        pictures=CleanPictures(),
        may=Gate(db, terms, clock, prices, NoIdentities(), ListedCountries(DOCUMENTATION), is_demo=True),
        is_coming=is_coming,
        forget=forget,
        book=find_in_book,
        uses=last_uses,
        own=OwnAddresses(db, SANDBOX_NETWORK, own_wallets),
        link_key=b"l" * 32,
        factor_keys=(b"f" * 32,),
        is_demo=True,
        operator_address="operator@kalos.example",
    )
