"""Whom the house takes, and how often a name may be tried and its password set anew."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Final

from kalos.core.clock import DAY_MS, MINUTE_MS
from kalos.core.countries import COUNTRIES
from kalos.core.errors import Fault, InvalidInput
from kalos.core.terms import Terms
from kalos.domains.challenges.rules import Limit, network_limit

TERMS_VERSION: Final = "2"
"""The terms that whoever registers agrees to: those that the page shows."""

DEVICE_MS: Final = 365 * DAY_MS
"""How long a device that isn't used stays known."""
MOST_DEVICES: Final = 20

_OLDEST: Final = date(1900, 1, 1)


def check_profile(
    *, country: str | None, birth_date: date | None, terms_version: str | None, today: date, needed: bool
) -> None:
    """Country, birth date and the present terms: all where they are `needed`, else right as far as they are given.

    Raises: InvalidInput.
    Source: principles.md, "Features, countries, disclosures".
    """
    given = {"country": country, "birth_date": birth_date, "terms_version": terms_version}
    errors: list[Fault] = [{"field": name, "reason": "missing"} for name, value in given.items() if value is None]
    if not needed:
        errors = []
    if country is not None and country not in COUNTRIES:
        errors.append({"field": "country", "reason": "not_on_offer"})
    if birth_date is not None and not _OLDEST < birth_date <= today:
        errors.append({"field": "birth_date", "reason": "invalid"})
    if terms_version is not None and terms_version != TERMS_VERSION:
        errors.append({"field": "terms_version", "reason": "outdated"})
    if errors:
        raise InvalidInput(errors=errors)


def login_limits(terms: Terms, *, name: str, network: str, device: str = "") -> list[Limit]:
    """How often logging in may fail: for a name as it is typed and from a network, or for a known device by itself.

    Each full window makes the next wait twice as long, up to `login_wait_max`.
    Source: identity.md, "Tries".
    """
    if device:
        return [Limit(f"login-device:{name}:{device}", terms.login_tries, terms.login_window * MINUTE_MS)]
    return _with_longer_waits(
        terms,
        Limit(f"login:{name}", terms.login_tries, terms.login_window * MINUTE_MS),
        *network_limit("login-network", network, terms.login_tries, terms.login_window * MINUTE_MS),
    )


def account_limits(terms: Terms, *, account: str, is_known: bool) -> list[Limit]:
    """How often logging in may fail for an account under all its names; a known device counts for itself.

    Whoever hears of this limit learns which names are one account's: what it refuses is a wrong password.
    Source: identity.md, "Tries"; decision 0022.
    """
    limit = Limit(f"login-account:{account}", terms.login_tries, terms.login_window * MINUTE_MS)
    return [] if is_known else _with_longer_waits(terms, limit)


def limits_of(terms: Terms, *, account: str, email: str) -> list[Limit]:
    """All limits that may keep an account's owner waiting on a new device, but that of the network."""
    by_name = [login_limits(terms, name=name, network="")[0] for name in (account, email)]
    return [*by_name, *account_limits(terms, account=account, is_known=False)]


def reset_limit(terms: Terms, address: str, asker: str = "") -> Limit:
    """How often a new password may be asked for by e-mail; a known device (`asker`) counts for itself.

    Source: identity.md, "Tries"; decision 0063.
    """
    return Limit(f"reset:{address}:{asker}" if asker else f"reset:{address}", terms.reset_daily, DAY_MS)


def _with_longer_waits(terms: Terms, *limits: Limit) -> list[Limit]:
    also = tuple(longer_windows(terms.login_tries, terms.login_window, terms.login_wait_max))
    return [replace(limit, also=also) for limit in limits]


def longer_windows(tries: int, window: int, longest: int) -> Iterator[tuple[int, int]]:
    """After two full windows the wait is that of two, after three that of four, until it is the longest; in minutes."""
    wait = ends = window
    most = tries
    while wait < longest:
        wait = min(2 * wait, longest)
        ends += wait
        most += tries
        yield most, ends * MINUTE_MS
