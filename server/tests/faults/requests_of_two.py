"""The calls of members that move money under a request id: a good body of each, and what it has done."""

import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

from faults.test_two_apis_withdrawals import asked, prepare
from kalos.core.assets import USDT
from kalos.ledger import purse
from kalos.ledger.postings import Move, Posting
from kalos.ledger.purse import Purpose
from support.group import until_audited
from support.pair import Pair, Player

Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """`make` writes a body for a player who may send it for so many seconds, `done` lists the effects by their ids."""

    path: str
    make: Callable[[Pair, Player, int], Awaitable[Body]]
    done: Callable[[Pair, Player], Awaitable[list[int]]]
    other: str
    """An amount that such a body doesn't ask for."""
    looks: int = 0
    """How often it asks the writer for an earlier try before it posts."""


@dataclass(frozen=True, slots=True)
class Request:
    """One of a player, ready to be sent."""

    kind: Kind
    player: Player
    body: Body

    @property
    def path(self) -> str:
        return self.kind.path

    async def is_done_once(self, pair: Pair, answer: dict[str, Any]) -> bool:
        assert answer["code"] == 200, answer
        return await self.kind.done(pair, self.player) == [int(answer["data"]["id"])]

    async def is_undone(self, pair: Pair) -> bool:
        return await self.kind.done(pair, self.player) == []


async def _withdrawal(pair: Pair, player: Player, _: int) -> Body:
    return await asked(pair, player, await prepare(pair, player), "40")


async def _withdrawals(pair: Pair, player: Player) -> list[int]:
    rows = await pair.db.rows("SELECT id FROM withdrawals WHERE member = $1 ORDER BY id", player.member.id)
    return [row["id"] for row in rows]


async def _claim(pair: Pair, player: Player, _: int) -> Body:
    await until_audited(pair.db)
    source, income = purse.outside(Purpose.CHAIN, USDT), purse.account(player.member.id, USDT, Purpose.CLAIMABLE)
    await pair.ledger.post(Posting(key=uuid.uuid4().bytes * 2, moves=[Move("test.fund", source, income, 5_000_000)]))
    return {"amount": "1", "request_id": uuid.uuid4().hex}


async def _claims(pair: Pair, player: Player) -> list[int]:
    income = purse.account(player.member.id, USDT, Purpose.CLAIMABLE)
    rows = await pair.db.rows("SELECT posting_id FROM journal WHERE from_id = $1 ORDER BY id", income)
    return [row["posting_id"] for row in rows]


async def _bet(pair: Pair, player: Player, seconds: int) -> Body:
    return await pair.bet(player, seconds=seconds)


KINDS: Final = (
    Kind("/api/withdraw/withdrawCoin", _withdrawal, _withdrawals, "41", looks=1),
    Kind("/api/withdraw/receiveUsdt", _claim, _claims, "2"),
    Kind("/api/game/beton", _bet, Pair.bets_of, "2"),  # the last, as its round goes on
)


async def requests(pair: Pair, *, seconds: int = 10) -> list[Request]:
    """One of each kind, of a new player each."""
    made = []
    for kind in KINDS:
        player = await pair.player()
        made.append(Request(kind, player, await kind.make(pair, player, seconds)))
    return made
