"""Whom the house takes, and how often a name may be tried."""

from datetime import date
from typing import Final

from kalos.core.clock import MINUTE_MS
from kalos.core.errors import Fault, InvalidInput
from kalos.core.terms import Terms
from kalos.domains.challenges.rules import Limit, network_limit

TERMS_VERSION: Final = "2"
"""The terms that whoever registers agrees to: those that the page shows."""

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
    if birth_date is not None and not _OLDEST < birth_date <= today:
        errors.append({"field": "birth_date", "reason": "range"})
    if terms_version is not None and terms_version != TERMS_VERSION:
        errors.append({"field": "terms_version", "reason": "outdated"})
    if errors:
        raise InvalidInput(errors=errors)


def login_limits(terms: Terms, *, name: str, network: str) -> list[Limit]:
    """How often logging in may fail for a name and from a network."""
    window_ms = terms.login_window * MINUTE_MS
    return [
        Limit(f"login:{name}", terms.login_tries, window_ms),
        *network_limit("login-network", network, terms.login_tries, window_ms),
    ]
