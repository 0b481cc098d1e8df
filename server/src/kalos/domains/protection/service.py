"""The gate that products ask, and what a member sets for himself: notices, limits, breaks."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from kalos.core.assets import ASSETS, KLS, Asset
from kalos.core.cache import Cache
from kalos.core.clock import DAY_MS, HOUR_MS, Clock, business_day, day_start_ms
from kalos.core.database import Connection, Database
from kalos.core.errors import InvalidInput, SessionEnded
from kalos.core.money import Amount
from kalos.core.ports import ApprovedIdentity, Feature, IdentitySource, NetworkCountries, PriceSource
from kalos.core.terms import Terms
from kalos.domains.context import Context, House
from kalos.domains.protection import queries, rules
from kalos.domains.protection.errors import DisclosureRequired, SelfExcluded
from kalos.domains.protection.rules import NO_LIMIT, Day, Installation, Kind, Limit, Standing
from kalos.domains.protection.tables import STEPS, BreakRow, NoticeRow
from kalos.ledger import statements
from kalos.ledger.postings import Insert, Set
from kalos.ledger.purse import Purpose, account
from kalos.ledger.sums import sums_since
from kalos.wire import languages

_KEPT_SECONDS: Final = 0.8  # an order or a break counts everywhere within a second, also where no notice comes
_TOLD_SECONDS: Final = 300.0  # where every notice is heard: the tables themselves tell
_MOST_KEPT: Final = 100_000
_VALUED: Final = tuple(asset for asset in ASSETS if asset in rules.rates_with(rules.ONE))


@dataclass(frozen=True, slots=True)
class Notice:
    """A feature's notice; `accepted_at` is None where its present version isn't accepted (0: with demo mode's
    registration)."""

    feature: Feature
    version: int
    text: str
    is_on: bool
    accepted_at: int | None


@dataclass(frozen=True, slots=True)
class Brakes:
    """What a member set, and what of it is used today, in units of USDT (`reminder`: minutes).

    A limit that is raised now counts from `raise_from` on.
    """

    limits: Mapping[Kind, Limit]
    day: Day
    raise_from: int
    paused_until: int | None
    excluded_until: int | None


class Gate:
    """`MayMember` of one process. It keeps what it read for less than a second, for minutes where notices are heard."""

    def __init__(
        self,
        db: Database,
        terms: Terms,
        clock: Clock,
        prices: PriceSource,
        identities: IdentitySource,
        countries: NetworkCountries,
        *,
        is_demo: bool,
    ) -> None:
        self._db = db
        self._terms = terms
        self._clock = clock
        self._prices = prices
        self._identities = identities
        self._countries = countries
        self._is_demo = is_demo
        bounds = {"seconds": _KEPT_SECONDS, "told_seconds": _TOLD_SECONDS}
        self._standings: Cache[int, Standing] = Cache(self._read_standing, most=_MOST_KEPT, **bounds)
        self._house: Cache[str, Installation] = Cache(self._read_house, most=1, **bounds)

    async def admit(
        self, member: int, feature: Feature, stake: Amount | None = None, *, network: str = ""
    ) -> list[Insert | Set]:
        """See `MayMember`."""
        kept = self._standings.kept(member)
        standing = kept or await self.standing(member)
        house = self._house.kept("") or await self.house()
        now = self._clock.now()
        approved = await self._identities.approved(member)
        countries = self._countries_of(standing, approved, network)
        try:
            rules.may_use(feature, standing, house, countries=countries, now=now)
        except DisclosureRequired:
            if kept is None:
                raise
            standing = await self.standing(member, anew=True)
            rules.may_use(feature, standing, house, countries=countries, now=now)
        born = None if approved is None else approved.birth_date
        rules.check_identity(feature, house, countries=countries, born=born, today=business_day(now))
        if stake is None or not rules.has_limits(standing.limits, now):
            return []
        step = await queries.find_step(
            self._db, member
        )  # before what is compared is read: whoever comes between, shows
        day, free = await self.day(member)
        worth = await self.value({stake.asset: stake.units})
        late = business_day(now + rules.settled_within_ms(self._terms)) > business_day(now)
        rules.check_limits(standing.limits, day, stake=worth, free=free, now=now, late=late)
        if step is None:
            return [Insert(STEPS, {"member": member, "step": 1})]
        return [Set(STEPS, {"member": member}, {"step": step}, {"step": step + 1})]

    async def needs_identity(self, member: int, *, network: str = "") -> bool:
        """See `MayMember`."""
        if await self._identities.approved(member) is not None:
            return False
        countries = self._countries_of(await self.standing(member), None, network)
        return (await self.house()).asks_identity(countries)

    async def standing(self, member: int, *, anew: bool = False) -> Standing:
        """`anew` where it may have been widened, or is shown: at another process it may be kept a moment too long.

        Raises: SessionEnded (the account is no longer there).
        """
        found = await (self._read_standing(member) if anew else self._standings.find(member))
        if found is None:
            raise SessionEnded()
        return found

    async def countries(self, member: int, network: str) -> tuple[str, ...]:
        """Where a member counts as being who calls from a network."""
        return self._countries_of(await self.standing(member), await self._identities.approved(member), network)

    async def house(self) -> Installation:
        found = await self._house.find("")
        assert found is not None
        return found

    async def day(self, member: int) -> tuple[Day, int]:
        """The member's business day so far, and what could be staked now, in units of USDT."""
        start = day_start_ms(business_day(self._clock.now()))
        has = {account(member, asset, Purpose.AVAILABLE): asset for asset in _VALUED}
        held = {account(member, asset, Purpose.HELD): asset for asset in _VALUED}
        # Along the way that money goes: what moves on meanwhile counts twice, and never not at all.
        free = await statements.balances_of(self._db, member)
        bound = await statements.held_for(self._db, list(held), rules.STAKES)
        sums = await sums_since(self._db, [*has, *held], start)

        async def total(accounts: Mapping[int, Asset], kinds: tuple[str, ...]) -> int:
            found: dict[Asset, int] = {}
            for (number, kind), units in sums.items():
                if number in accounts and kind in kinds:
                    found[accounts[number]] = found.get(accounts[number], 0) + abs(units)
            return await self.value(found)

        day = Day(
            staked=await total(has, rules.STAKES),
            lost=await total(held, rules.LOSSES) - await total(has, rules.WINS),
            open=await self.value({held[number]: units for number, units in bound.items()}),
            topped=await total(has, rules.TOPUPS),
        )
        return day, await self.value({asset: free.get(number, 0) for number, asset in has.items()})

    async def value(self, units: Mapping[Asset, int]) -> int:
        """Units of USDT. Raises: PriceUnavailable."""
        return rules.value_of(units, rules.rates_with((await self._prices.last(KLS)).rate))

    def forget(self, told: str) -> None:
        """Someone's standing has changed, or an operator's orders: what a notice on `queries.CHANGED` says."""
        if told:
            self._standings.forget(int(told))
        else:
            self._house.clear()

    def heard(self, at: float) -> None:
        """Every notice of before `at` has come: see `Cache.heard`."""
        self._standings.heard(at)
        self._house.heard(at)

    def clear(self) -> None:
        """Notices may have been lost."""
        self._standings.clear()
        self._house.clear()

    def _countries_of(self, standing: Standing, approved: ApprovedIdentity | None, network: str) -> tuple[str, ...]:
        """What papers have shown counts before what was declared."""
        home = standing.country if approved is None else approved.country
        return rules.countries_of(home, self._countries.country(network))

    async def _read_standing(self, member: int) -> Standing | None:
        return await queries.find_standing(self._db, member)

    async def _read_house(self, _: str) -> Installation:
        switches, numbers = await queries.read_switches(self._db), await queries.read_numbers(self._db)
        return Installation(switches, self._is_demo, self._terms.age_min, numbers)


def gate_of(house: House) -> Gate:
    """The house's gate, which is this domain's own."""
    assert isinstance(house.may, Gate)
    return house.may


async def list_notices(ctx: Context) -> list[Notice]:
    """The present notice of each feature, with its text in the caller's language.

    Source: principles.md, "Features, countries, disclosures"; section 7 /api/user/disclosures.
    """
    gate = gate_of(ctx.house)
    standing, house = await gate.standing(ctx.caller.id, anew=True), await gate.house()
    countries = await gate.countries(ctx.caller.id, ctx.network)
    accepted = await queries.list_accepted(ctx.db, ctx.caller.id)
    return [
        Notice(
            feature=feature,
            version=version,
            text=notice_text(ctx.lang, feature),
            is_on=house.allows(feature, countries),
            accepted_at=accepted.get((feature, version), 0 if rules.has_accepted(feature, standing, house) else None),
        )
        for feature, version in rules.VERSIONS.items()
    ]


async def accept_notice(ctx: Context, *, feature: Feature, version: int) -> None:
    """Record that the caller has read the present notice of a feature in his language and accepts it.

    Raises: InvalidInput (another version, or a feature without a notice).
    Source: principles.md, "Features, countries, disclosures".
    """
    if rules.VERSIONS.get(feature) != version:
        raise InvalidInput(errors=[{"field": "version", "reason": "outdated"}])
    text_hash = hashlib.sha256(notice_text(ctx.lang, feature).encode()).digest()
    await queries.insert_accepted(ctx.db, NoticeRow(ctx.caller.id, feature, version, ctx.lang, text_hash, ctx.now))
    gate_of(ctx.house).forget(str(ctx.caller.id))


async def list_limits(ctx: Context) -> dict[Kind, int | None]:
    """What the caller's own limits are now, in units of USDT (`reminder`: minutes); None is no limit."""
    standing = await gate_of(ctx.house).standing(ctx.caller.id)
    return {kind: standing.limits.get(kind, NO_LIMIT).at(ctx.now) for kind in rules.KINDS}


async def show_brakes(ctx: Context) -> Brakes:
    """The caller's limits with what is used today, and how long a break or an exclusion lasts.

    Source: identity.md, "Player protection".
    """
    gate = gate_of(ctx.house)
    standing, (day, _), now = await gate.standing(ctx.caller.id, anew=True), await gate.day(ctx.caller.id), ctx.now
    return Brakes(
        limits={kind: _present(standing.limits.get(kind, NO_LIMIT), now) for kind in rules.KINDS},
        day=day,
        raise_from=rules.raised_from(now, wait_ms=_raise_wait_ms(ctx)),
        paused_until=standing.paused_until if now < standing.paused_until else None,
        excluded_until=standing.excluded_until if now < standing.excluded_until else None,
    )


async def set_limits(ctx: Context, wanted: Mapping[Kind, int | None]) -> Brakes:
    """Change the caller's limits: a lower one counts at once, a higher one later.

    Source: principles.md 7; identity.md, "Player protection".
    """
    now, member, wait_ms = ctx.now, ctx.caller.id, _raise_wait_ms(ctx)
    async with ctx.db.transaction() as db:
        known = await queries.lock_limits(db, member)
        for kind, value in wanted.items():
            limit = known.get(kind, NO_LIMIT)
            changed = Limit(value) if kind == "reminder" else rules.changed(limit, value, now=now, wait_ms=wait_ms)
            await queries.put_limit(db, member, kind, changed, at=now)
    gate_of(ctx.house).forget(str(member))
    return await show_brakes(ctx)


async def take_break(ctx: Context, *, days: int) -> int:
    """No play and no investment for so many days; returns the end. Nothing shortens it.

    Source: identity.md, "Player protection".
    """
    return await _pause(ctx, "break", ctx.now + days * DAY_MS)


async def exclude(ctx: Context, *, months: int) -> int:
    """No play and no investment for so many calendar months; returns the end. Nothing shortens it.

    Source: identity.md, "Player protection".
    """
    return await _pause(ctx, "exclusion", rules.months_later(ctx.now, months))


async def check_not_paused(ctx: Context, db: Connection, member: int) -> None:
    """Refuse what would end a break or an exclusion before its time, in the commit that would.

    Raises: SelfExcluded.
    Source: identity.md, "Player protection"; decision 0024.
    """
    until = await queries.paused_until(db, member)
    if ctx.now < until:
        raise SelfExcluded(until=until)


async def _pause(ctx: Context, kind: str, until_at: int) -> int:
    member = ctx.caller.id
    async with ctx.db.transaction() as db:
        await queries.put_break(db, BreakRow(member, kind, ctx.now, until_at))
    gate_of(ctx.house).forget(str(member))
    standing = await gate_of(ctx.house).standing(member)
    return standing.paused_until if kind == "break" else standing.excluded_until


def notice_text(lang: str, feature: Feature) -> str:
    return languages.say(lang, f"notice.{feature}")


def _raise_wait_ms(ctx: Context) -> int:
    return ctx.terms.limit_raise_wait * HOUR_MS


def _present(limit: Limit, now: int) -> Limit:
    """What counts now, with what waits."""
    waits = limit.next_from is not None and now < limit.next_from
    return limit if waits else Limit(limit.at(now))
