"""Wires the doors of one process: database, ledger, clock, business numbers and the adapters behind the ports."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

from kalos.adapters.captcha.picture import PictureCaptchas
from kalos.adapters.captcha.slide import SlideCaptchas
from kalos.adapters.captcha.tones import ToneCaptchas
from kalos.adapters.chain.sign_in import SignInMessages
from kalos.adapters.countries.list import DOCUMENTATION, ListedCountries
from kalos.adapters.files.folder import FolderFiles
from kalos.adapters.files.pictures import CleanPictures
from kalos.adapters.kyc.none import NoIdentities
from kalos.adapters.screening.list import SANDBOX, ListedAddresses
from kalos.app.chain import open_chain
from kalos.app.numbers import SECONDS, FollowedNumbers
from kalos.app.owning import OwnAddresses, own_wallets
from kalos.app.readiness import refuse_demo_data
from kalos.app.repeat import follow
from kalos.app.settings import Settings
from kalos.core.clock import Clock
from kalos.core.database import Database, wait_for_database
from kalos.core.terms import load_terms
from kalos.domains.context import House
from kalos.domains.deposits.queries import is_coming
from kalos.domains.games.rules import check_terms
from kalos.domains.prices.service import OrderedPrices
from kalos.domains.protection.service import Gate
from kalos.domains.pulse.service import FollowedPulse
from kalos.domains.support.service import forget
from kalos.domains.wallets.queries import find_in_book
from kalos.domains.withdrawals.queries import last_uses
from kalos.ledger.client import LedgerClient

_CLOCK_SECONDS = 0.5
PULSE_SECONDS = 0.5


@asynccontextmanager
async def open_house(settings: Settings, *, connections: int = 8) -> AsyncIterator[House]:
    """Open the doors, once the database is there, and follow business time until the block ends."""
    await wait_for_database(settings.app_url)
    async with AsyncExitStack() as stack:
        db = Database(settings.app_url, size=connections)
        stack.push_async_callback(db.close)
        if not settings.demo:
            await refuse_demo_data(db)
        ledger = LedgerClient(settings.writer_socket)
        stack.push_async_callback(ledger.close)
        clock = Clock(await db.value("SELECT offset_ms FROM clock"))
        terms = load_terms(settings.terms_file)
        chain = await open_chain(settings)
        stack.push_async_callback(chain.close)
        check_terms(terms, chain.network)
        prices = OrderedPrices(db, terms, clock, is_demo=settings.demo)
        countries = open_countries(settings)
        numbers = FollowedNumbers(db, terms, settings.terms_file)
        await numbers.look()
        pulse = FollowedPulse(db, clock)
        await pulse.look()
        for following in (
            follow_clock(db, clock),
            follow("numbers", SECONDS, numbers.look),
            follow("pulse", PULSE_SECONDS, pulse.look),
        ):
            stack.callback(asyncio.create_task(following).cancel)
        yield House(
            db=db,
            ledger=ledger,
            clock=clock,
            terms=terms,
            chain=chain,
            messages=SignInMessages(settings.page_url, settings.chain_id),
            screening=screening(settings),
            prices=prices,
            pulse=pulse,
            captchas=PictureCaptchas(),
            tones=ToneCaptchas(),
            slides=SlideCaptchas(),
            files=FolderFiles(settings.data_dir / "files", settings.file_keys),
            pictures=CleanPictures(),
            may=Gate(db, terms, clock, prices, NoIdentities(), countries, is_demo=settings.demo),
            is_coming=is_coming,
            forget=forget,
            book=find_in_book,
            uses=last_uses,
            own=OwnAddresses(db, chain.network, partial(own_wallets, chain, settings)),
            link_key=settings.derived("file links"),
            factor_keys=settings.factor_keys,
            is_demo=settings.demo,
            page_url=settings.page_url,
            operator_address=settings.operator_address,
        )


def screening(settings: Settings) -> ListedAddresses:
    """Raises: BadList."""
    return ListedAddresses(settings.sanctions_file, SANDBOX if settings.demo else ())


def open_countries(settings: Settings) -> ListedCountries:
    """Raises: BadList."""
    if settings.countries_file:
        return ListedCountries.of(settings.countries_file)
    return ListedCountries(DOCUMENTATION if settings.demo else ())


async def follow_clock(db: Database, clock: Clock) -> None:
    """Keep `clock` within a second of the stored offset; while the database is away the last one stands."""

    async def look() -> None:
        clock.offset_ms = max(clock.offset_ms, await db.value("SELECT offset_ms FROM clock"))

    await follow("business time", _CLOCK_SECONDS, look)
