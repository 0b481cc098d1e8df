"""After commit: what the signer has ended is written down, members are mailed. From time to time: old proofs go."""

from collections.abc import Sequence
from typing import Final

from kalos.core.clock import DAY_MS
from kalos.core.database import Connection
from kalos.core.errors import StateChanged
from kalos.core.mails import queue_mail
from kalos.core.money import text_of
from kalos.core.sweep import sweep as sweep_ended
from kalos.domains.context import House
from kalos.domains.identity import queries as identity
from kalos.domains.identity.service import freeze_link
from kalos.domains.wallets import queries as book
from kalos.domains.withdrawals import queries, service
from kalos.domains.withdrawals.rules import OPEN
from kalos.domains.withdrawals.tables import TOPIC, Withdrawal, listed_since, return_of
from kalos.ledger.outbox import StoredFact, consume
from kalos.ledger.postings import Posting, key_of

ENDS_A_STEP: Final = 100
LOOKED_AT_ONCE: Final = 500
"""The most withdrawals whose addresses one reading has."""
_READER: Final = "withdrawals.mails"
_MAILS: Final = {
    "requested": "withdrawal_requested",
    "sent": "withdrawal_sent",
    "refused": "withdrawal_refused",
    "failed": "withdrawal_failed",
}
"""By what there is to tell of: the name of the mail."""


async def settle_ended(house: House) -> int:
    """Write down what the signer has ended, each once; returns how many it were.

    Any number of workers may ask. Raises: Outage.
    """
    ended = await queries.list_ended(house.db, ENDS_A_STEP)
    for end in ended:
        try:
            await service.settle(house, withdrawal=end.withdrawal, transaction=end.transaction, outcome=end.outcome)
        except StateChanged:
            continue  # another worker was faster
    return len(ended)


async def take_back(house: House) -> int:
    """Put before people again what the signer gave back, each once; returns how many it were.

    No money moves: it stays held until somebody says yes or no. Any number of workers may ask. Raises: Outage.
    """
    given = await queries.list_returned(house.db, ENDS_A_STEP)
    for back in given:
        found = await queries.find(house.db, back.withdrawal)
        assert found is not None, back
        key = key_of("withdrawal.return", back.withdrawal, back.revision)
        posting = Posting(key, fingerprint=key_of(back.reason), riders=[return_of(found, back)])
        try:
            await house.ledger.post(posting)
        except StateChanged:
            continue  # another worker was faster
    return len(given)


async def screen(house: House) -> int:
    """Mark in the book which addresses of open withdrawals the list of sanctions has by now; returns how many it were.

    The signer gives back what has not been sent there, and who looks at one already is told. Any number of workers may
    ask. Raises: Outage.
    """
    marked = 0
    for status in OPEN:
        last = 0
        while waiting := await queries.list_unlisted(house.db, status, after=last, most=LOOKED_AT_ONCE):
            listed = {entry for _, entry, address in waiting if await house.screening.is_listed(address)}
            if listed:
                marked += await book.mark_listed(house.db, listed)
            last = waiting[-1][0]
    for one in await queries.list_untold(house.db, ENDS_A_STEP):
        key = key_of("withdrawal.listed", one.id, one.revision)
        try:
            await house.ledger.post(Posting(key, riders=[listed_since(one)]))
        except StateChanged:
            continue  # another worker or a reviewer was faster: the next step looks again
    return marked


async def tell_members(house: House) -> int:
    """Have a mail sent of each withdrawal that was asked for or has ended; returns how many facts were read.

    The mail is queued in the commit that moves the reader's cursor: once for each.
    """

    async def tell(db: Connection, facts: Sequence[StoredFact]) -> None:
        for fact in facts:
            found = await queries.find(db, fact.body["withdrawal"])
            assert found is not None, fact.body
            await _mail(house, db, found, news=fact.body["news"], at=fact.at)

    return await consume(house.db, _READER, [TOPIC], tell, wall=house.clock.wall())


async def sweep(house: House) -> int:
    """Delete proofs that ended a day ago; returns how many went."""
    return await sweep_ended(house.db, queries.ENDING, before=house.clock.wall() - DAY_MS)


async def _mail(house: House, db: Connection, one: Withdrawal, *, news: str, at: int) -> None:
    reader = await identity.find_reader(db, one.member)
    if reader.is_closed:
        return
    values = {
        "amount": f"{text_of(one.units, one.coin)} {one.asset}",
        "address": f"{one.address} ({one.label})",
        "at": str(at),
    }
    if news == "sent" and one.transaction:
        values["transaction"] = one.transaction
    if news == "refused" and one.reason:
        values["refusal"] = one.reason
    wall = house.clock.wall()
    values["freeze"] = await freeze_link(house, db, one.member, wall=wall)
    if reader.word:
        values["word"] = reader.word
    name = _MAILS[news]
    await queue_mail(db, name=name, lang=one.lang, recipient=reader.email, values=values, at=wall)
