"""After commit: members are mailed once of each thing that happens to a withdrawal, in their language."""

import asyncio
import json
from typing import Any

import pytest

from kalos.domains.identity.jobs import compose
from kalos.domains.withdrawals import jobs
from kalos.wire.languages import LANGUAGES, TAGS
from withdrawals.conftest import MakeRich
from withdrawals.scene import end, reviewed, stored, withdraw


async def mails(ctx: Any) -> list[dict[str, Any]]:
    """What waits for the caller's address about withdrawals, oldest first."""
    rows = await ctx.db.rows(
        """
        SELECT o.body FROM domain_outbox o JOIN members m ON m.email = o.body ->> 'recipient'
        WHERE o.topic = 'mail' AND m.id = $1 AND o.body ->> 'mail' LIKE 'withdrawal%' ORDER BY o.id
        """,
        ctx.caller.id,
    )
    return [json.loads(row["body"]) for row in rows]


async def read_all(ctx: Any) -> None:
    while await jobs.tell_members(ctx.house):
        pass


async def test_each_news_is_mailed_once_whoever_asks(rich: MakeRich, database_url: str) -> None:
    me = await rich(usdt="100000", kls="1000", fields={"lang": "ja"})
    one = (await withdraw(me, "10")).withdrawal
    other = (await withdraw(me, "20000")).withdrawal
    sent = await end(database_url, one.id, "approved")
    await jobs.settle_ended(me.house)
    await reviewed(me, other, is_yes=False, reason="not <yours>")
    await asyncio.gather(*(read_all(me) for _ in range(4)))
    await read_all(me)
    told = await mails(me)
    names = ["withdrawal_requested", "withdrawal_requested", "withdrawal_sent", "withdrawal_refused"]
    assert [mail["mail"] for mail in told] == names
    assert {mail["lang"] for mail in told} == {"ja"}
    assert told[2]["values"]["transaction"] == sent
    assert told[3]["values"]["refusal"] == "not <yours>"
    links = [mail["values"]["freeze"] for mail in told]
    assert len(set(links)) == len(told), "each mail has a link of its own"
    assert all("/login?freeze=" in link for link in links)
    letter = compose(told[0], word="lighthouse")
    for part in ("10.000000 USDT", f"{one.address} (My wallet)", "lighthouse", "/login?freeze=", TAGS["ja"]):
        assert part in letter.html, part
    assert "not &lt;yours&gt;" in compose(told[3]).html


async def test_a_failed_one_is_told_without_a_reason_of_ours(rich: MakeRich, database_url: str) -> None:
    me = await rich(usdt="100", kls="10")
    one = (await withdraw(me, "10")).withdrawal
    await end(database_url, one.id, "failed")
    await jobs.settle_ended(me.house)
    await read_all(me)
    told = await mails(me)
    assert [mail["mail"] for mail in told] == ["withdrawal_requested", "withdrawal_failed"]
    assert all("/login?freeze=" in mail["values"].get("freeze", "") for mail in told)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", list(jobs._MAILS.values()))
def test_each_mail_says_how_much_goes_where_in_each_language(name: str, lang: str) -> None:
    values = {"amount": "10.000000 USDT", "address": "0xabc (<b>)", "at": "1795075231456", "word": "lighthouse"}
    letter = compose({"mail": name, "lang": lang, "recipient": "a@b.example", "values": values})
    assert "10.000000 USDT" in letter.subject
    for part in ("10.000000 USDT", "0xabc (&lt;b&gt;)", "2026-11-19 08:00 UTC", "lighthouse"):
        assert part in letter.html, part
    assert "{" not in letter.subject + letter.text


async def test_what_the_signer_ended_is_settled_by_many_workers_once(rich: MakeRich, database_url: str) -> None:
    me = await rich(usdt="1000", kls="100")
    made = [(await withdraw(me, "10")).withdrawal for _ in range(6)]
    for number, one in enumerate(made):
        await end(database_url, one.id, "failed" if number % 2 else "approved")
    await asyncio.gather(*(jobs.settle_ended(me.house) for _ in range(4)))
    assert [(await stored(me, one.id)).status for one in made] == ["approved", "failed"] * 3
    assert [(await stored(me, one.id)).revision for one in made] == [2] * 6


async def test_without_the_signers_word_a_withdrawal_stays_on_its_way(rich: MakeRich) -> None:
    """A time-out is never a failure: there is no job that ends one by itself."""
    me = await rich(usdt="1000", kls="100")
    one = (await withdraw(me, "10")).withdrawal
    me.house.clock.offset_ms += 400 * 86_400_000
    try:
        await jobs.settle_ended(me.house)
        await jobs.sweep(me.house)
        assert (await stored(me, one.id)).status == "on_chain_processing"
    finally:
        me.house.clock.offset_ms -= 400 * 86_400_000
