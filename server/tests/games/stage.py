"""A stage for rounds: business time that jumps forward, a sandbox chain that keeps up, and the worker's turns."""

import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from kalos.adapters.chain.sandbox import SandboxChain
from kalos.core.assets import KLS, USDT, Asset
from kalos.core.errors import Refusal
from kalos.core.money import text_of
from kalos.core.ports import Block
from kalos.domains.context import Context, House, Member
from kalos.domains.games import queries, service
from kalos.domains.games.api import calls
from kalos.domains.games.jobs import turn_rounds
from kalos.domains.games.service import PlacedBet, RoundView
from kalos.domains.games.tables import Bet, Height
from kalos.ledger.postings import Move, Posting
from kalos.ledger.purse import HOUSE, Purpose, available, held, outside
from kalos.ledger.purse import house as house_account
from kalos.ledger.statements import balances
from support.answers import check_refusal
from support.nights import pass_days

BANKROLL: Final = 1_000_000 * 10**6
LIMIT: Final = BANKROLL // 80
SCENE: Final = "odd_even-60"
BETON: Final = "/api/game/beton"
_BETON: Final = next(call for call in calls.all if call.path == BETON)


def hash_with(digit: int | None) -> str:
    """A hash that decides for `digit`; no two are alike."""
    letters = uuid.uuid4().hex + uuid.uuid4().hex
    if digit is None:
        return "0x" + "".join(letter if letter.isalpha() else "a" for letter in letters)
    return "0x" + letters[:62] + str(digit) + "f"


@dataclass(frozen=True, slots=True)
class Money:
    """What the house and one member have, to compare before and after."""

    bankroll: int
    reserved: int
    available: int
    held: int


async def turn_well(house: House) -> None:
    """A turn of all rounds. Raises: what any height waits for, too."""
    problem = await turn_rounds(house)
    if problem is not None:
        raise problem


class Stage:
    def __init__(self, house: House) -> None:
        assert isinstance(house.chain, SandboxChain)
        self.house, self.chain = house, house.chain
        pass_days(house.clock)  # the hour at which tests run must not put a midnight among their rounds

    @property
    def now(self) -> int:
        return self.house.clock.now()

    async def fund(self) -> None:
        """Bring both bankrolls to exactly one million coins."""
        moves = []
        for asset, source in ((USDT, Purpose.CHAIN), (KLS, Purpose.ISSUANCE)):
            have, reserved = await self.bankroll(asset)
            assert reserved == 0
            bank, outer = house_account(Purpose.BANKROLL, asset), outside(source, asset)
            missing = 10**6 * 10**asset.scale - have
            if missing:
                source_id, target = (outer, bank) if missing > 0 else (bank, outer)
                moves.append(Move("test.bankroll", source_id, target, abs(missing)))
        if moves:
            await self.house.ledger.post(Posting(key=uuid.uuid4().bytes * 2, moves=moves))

    @asynccontextmanager
    async def without_bankroll(self, asset: Asset) -> AsyncIterator[None]:
        """Lend the bankroll of an asset away meanwhile."""
        bank, aside = house_account(Purpose.BANKROLL, asset), house_account(Purpose.MARKETING, asset)
        units, _ = await self.bankroll(asset)
        await self.house.ledger.post(Posting(uuid.uuid4().bytes * 2, [Move("test.aside", bank, aside, units)]))
        yield
        await self.house.ledger.post(Posting(uuid.uuid4().bytes * 2, [Move("test.back", aside, bank, units)]))

    @contextmanager
    def confirmations(self, blocks: int) -> Iterator[None]:
        """Ask for so many confirmations meanwhile."""
        usual = self.chain.network
        self.chain._network = replace(usual, confirmations=blocks)
        yield
        self.chain._network = usual

    async def bankroll(self, asset: Asset) -> tuple[int, int]:
        """The balances of bankroll and of bankroll_reserved."""
        found = await balances(self.house.db, [HOUSE])
        bank, aside = (house_account(one, asset) for one in (Purpose.BANKROLL, Purpose.BANKROLL_RESERVED))
        return found.get(bank, 0), found.get(aside, 0)

    async def sum_limits(self, asset: Asset) -> int:
        """The limits of all heights that aren't settled."""
        total: int = await self.house.db.value(
            "SELECT coalesce(sum(units), 0)::bigint FROM height_limits JOIN heights USING (closes_at)"
            " WHERE settled_at IS NULL AND asset = $1",
            asset.code,
        )
        return total

    async def begin(self) -> RoundView:
        """End what still runs, fund the house, and open a fresh 60 s round right after its scene's change."""
        self.advance(1_000)
        await self.settle_all()
        await self.fund()
        self.to(self.now // 180_000 * 180_000 + 181_000)
        self.tick()
        await self.turn()
        return await self.current()

    def to(self, at_ms: int) -> None:
        """Move business time forward to a moment; it goes on from there."""
        left_ms = at_ms - self.now
        assert left_ms >= 0, left_ms
        self.advance_ms(left_ms)

    def advance(self, seconds: int) -> None:
        self.advance_ms(seconds * 1000)

    def advance_ms(self, milliseconds: int) -> None:
        self.house.clock.offset_ms += milliseconds

    def tick(self, digit: int | None = None) -> Block:
        """One block with business time, as the local chain's ticker mines it."""
        return self.chain.mine(time=self.now // 1000, block_hash=None if digit is None else hash_with(digit))

    async def turn(self, times: int = 1) -> None:
        """Raises: what any height waits for, too."""
        for _ in range(times):
            await turn_well(self.house)

    async def settle_all(self) -> None:
        """Turn until nothing is unsettled that can be; blocks that were drawn get their confirmations."""
        await self.confirm(120)
        self.chain.mine(time=self.now // 1000 - 30)  # late enough to open nothing, and to tell what is overdue
        await self.confirm()
        waiting = [height for height in await queries.list_unsettled(self.house.db, 50) if height.closes_at < self.now]
        assert not waiting, waiting

    async def current(self, scene_id: str = SCENE) -> RoundView:
        view = await self.current_or_none(scene_id)
        assert view is not None
        return view

    async def current_or_none(self, scene_id: str = SCENE) -> RoundView | None:
        return (await service.show_scene(self.context(None), scene_id)).view

    def context(self, member: Member | None, path: str = BETON, **fields: Any) -> Context:
        return Context(house=self.house, member=member or Member(1, ""), path=path, **fields)

    async def bet(
        self,
        member: Member,
        view: RoundView,
        option: str = "odd",
        amount: str | int = "10",
        *,
        asset: str = "USDT",
        scene_id: str | None = None,
        round_id: str | None = None,
        request_id: str | None = None,
        fingerprint: bytes = b"",
    ) -> PlacedBet:
        try:
            return await service.place_bet(
                self.context(member, fingerprint=fingerprint),
                scene_id=scene_id or view.scene.id,
                round_id=round_id or view.id,
                option=option,
                amount=amount,
                asset_code=asset,
                request_id=request_id or uuid.uuid4().hex,
            )
        except Refusal as refusal:
            check_refusal(_BETON, refusal)
            raise

    async def seal(self, view: RoundView) -> None:
        """Pass T and let the worker close the height."""
        self.advance_ms(max(0, view.height.closes_at - self.now))
        await self.turn()

    def mine_to(self, view: RoundView, digit: int | None, *, late_seconds: int = 0) -> Block:
        """Mine until the deciding block exists; it has `digit` and the time that it falls due."""
        due = view.height.closes_at // 1000 + 4 + late_seconds
        while len(self.chain._blocks) < view.height.height:
            self.chain.mine(time=min(self.now // 1000, due))
        return self.chain.mine(time=due, block_hash=hash_with(digit))

    async def confirm(self, blocks: int = 3) -> None:
        for _ in range(blocks):
            self.chain.mine()
        await self.turn()

    async def play(self, view: RoundView, digit: int | None) -> None:
        """The whole rest of a round: seal, draw, confirm, settle."""
        await self.seal(view)
        self.mine_to(view, digit)
        await self.turn()
        await self.confirm()

    async def height(self, view: RoundView) -> Height:
        found = await queries.find_height(self.house.db, view.height.closes_at)
        assert found is not None
        return found

    async def bet_row(self, placed: PlacedBet) -> Bet:
        found = await queries.find_bet(self.house.db, placed.bet.id)
        assert found is not None
        return found

    async def money(self, member: Member, asset: Asset = USDT) -> Money:
        bankroll, reserved = await self.bankroll(asset)
        mine = [available(member.id, asset), held(member.id, asset)]
        rows = await self.house.db.rows("SELECT id, balance FROM accounts WHERE id = ANY($1::bigint[])", mine)
        found = {row["id"]: row["balance"] for row in rows}
        return Money(bankroll, reserved, found.get(mine[0], 0), found.get(mine[1], 0))

    async def counts(self) -> tuple[int, int, int]:
        """Rows of the journal, of bets and of keys: what a refusal must leave as it was."""
        row = await self.house.db.row(
            "SELECT (SELECT count(*) FROM journal) AS moves, (SELECT count(*) FROM bets) AS bets,"
            " (SELECT count(*) FROM keys) AS keys"
        )
        assert row is not None
        return row["moves"], row["bets"], row["keys"]


def usdt(units: int) -> str:
    return text_of(units, USDT)
