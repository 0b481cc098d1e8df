"""Our side: the posting of a real bet, through the client that domains use, to the writer as its own process."""

import os
import random
import time
from pathlib import Path

from slices import Work

from kalos.core.assets import USDT
from kalos.ledger import purse
from kalos.ledger.client import LedgerClient
from kalos.ledger.postings import Fact, Insert, Move, Posting, Stamp, Take
from kalos.ledger.purse import Purpose

BANKROLL = purse.house(Purpose.BANKROLL, USDT)
CHAIN = purse.outside(Purpose.CHAIN, USDT)
PLENTY = 10**13
ROOM = (10**15,) * 10
ODD, EVEN = (1, -1) * 5, (-1, 1) * 5


class Ours:
    """One client, as one API process has."""

    def __init__(self, socket: Path, pid: int) -> None:
        self._client = LedgerClient(socket)
        self._pid = pid
        self._members: list[int] = []
        self._random = random.Random(7)
        self.bets = 0

    async def prepare(self, accounts: int) -> None:
        self._members = [purse.available(10_000 + number, USDT) for number in range(accounts)]
        fund = [Posting(os.urandom(32), [Move("bench.fund", CHAIN, BANKROLL, PLENTY)])]
        fund += [Posting(os.urandom(32), [Move("bench.fund", CHAIN, member, PLENTY)]) for member in self._members]
        await self._client.post_many(fund)

    def cpu(self) -> float:
        """Seconds of processor time of this process and of the writer's."""
        fields = Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()
        return time.process_time() + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def works(self, name: str) -> Work:
        return {"hot": self._bet, "alone": self._bet, "uniform": self._between, "bare": self._bare}[name]

    async def close(self) -> None:
        await self._client.close()

    async def _bet(self, number: int) -> None:
        member = self._random.choice(self._members)
        stake = number % 10 < 7
        move = Move("game.stake", member, BANKROLL, 5) if stake else Move("game.prize", BANKROLL, member, 9)
        await self._client.post(self._with_rows(move, member, number))
        self.bets += 1

    async def _between(self, number: int) -> None:
        source, target = self._random.sample(self._members, 2)
        await self._client.post(self._with_rows(Move("bench.move", source, target, 1), source, number))
        self.bets += 1

    async def _bare(self, number: int) -> None:
        member = self._random.choice(self._members)
        await self._client.post(Posting(os.urandom(32), [Move("game.stake", member, BANKROLL, 1)], member=number + 1))

    def _with_rows(self, move: Move, member: int, number: int) -> Posting:
        """One move, two takes, one rider, one fact."""
        vector = ODD if number & 1 else EVEN
        return Posting(
            key=os.urandom(32),
            moves=[move],
            takes=[Take("height 1", vector, first=ROOM), Take(f"height 1 {member}", vector, first=ROOM)],
            riders=[
                Insert(
                    "bench_bets",
                    {
                        "id": Stamp.ID,
                        "member": member,
                        "round": 1,
                        "option": "odd" if number & 1 else "even",
                        "stake": move.units,
                        "at": Stamp.AT,
                        "day": Stamp.DAY,
                        "state": "awaiting_draw",
                    },
                )
            ],
            facts=[Fact("bets", {"round": "1", "bet": Stamp.ID})],
            fingerprint=b"f" * 32,
            member=number + 1,
        )
