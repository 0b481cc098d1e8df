"""Who is taken, and how often a name may be tried."""

import re
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from kalos.core.countries import COUNTRIES
from kalos.core.errors import InvalidInput
from kalos.core.terms import Terms
from kalos.domains.entry import rules
from kalos.domains.entry.rules import TERMS_VERSION, check_profile


def test_uncounted_network_has_no_limit_and_names_and_networks_have_their_own(terms: Terms) -> None:
    assert [limit.subject for limit in rules.login_limits(terms, name="n", network="")] == ["login:n"]
    assert [limit.most for limit in rules.login_limits(terms, name="n", network="203.0.113.9")] == [10, 10]
    assert [limit.window_ms for limit in rules.login_limits(terms, name="n", network="x")] == [300_000, 300_000]


PAGE = Path(__file__).parents[3] / "web/src/lib/countries.ts"
TODAY = date(2026, 11, 21)
WHOLE: dict[str, Any] = {"country": "VN", "birth_date": date(1990, 5, 17), "terms_version": TERMS_VERSION}


@pytest.mark.parametrize(
    ("changed", "needed", "faults"),
    [
        ({}, True, []),
        (dict.fromkeys(WHOLE), False, []),
        (dict.fromkeys(WHOLE), True, ["country missing", "birth_date missing", "terms_version missing"]),
        ({"country": None}, True, ["country missing"]),
        ({"country": "XA"}, True, ["country not_on_offer"]),
        ({"country": "ZZ"}, False, ["country not_on_offer"]),
        ({"birth_date": TODAY}, True, []),
        ({"birth_date": TODAY + timedelta(days=1)}, False, ["birth_date invalid"]),
        ({"birth_date": date(1899, 12, 31)}, False, ["birth_date invalid"]),
        ({"terms_version": "1"}, False, ["terms_version outdated"]),
        ({"terms_version": "２"}, True, ["terms_version outdated"]),
    ],
)
def test_a_profile_is_whole_where_it_is_needed_and_right_where_it_is_given(
    changed: dict[str, Any], needed: bool, faults: list[str]
) -> None:
    if not faults:
        check_profile(**WHOLE | changed, today=TODAY, needed=needed)
        return
    with pytest.raises(InvalidInput) as refused:
        check_profile(**WHOLE | changed, today=TODAY, needed=needed)
    assert [f"{fault['field']} {fault['reason']}" for fault in refused.value.errors] == faults


def test_the_page_offers_the_countries_that_are_taken() -> None:
    offered = re.findall(r"\b[A-Z]{2}\b", PAGE.read_text())
    assert len(offered) == 243
    assert set(offered) == COUNTRIES
