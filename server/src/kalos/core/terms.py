"""The business numbers of `terms.toml`, read once, each inside its bounds."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from kalos.core.assets import ASSETS, BY_CODE, Asset
from kalos.core.errors import ForOperator
from kalos.core.money import Amount, parse_amount


class BadTerms(ForOperator, ValueError):
    """`terms.toml` misses a number, or one stands outside its bounds."""


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """Rates are fractions, times in the unit of the name, money in amounts by asset. Source: settings.md."""

    page_size: int
    timestamp_window: int
    nonce_keep: int
    channel_ttl: int
    ws_idle: int
    session_days: int
    auth_token_seconds: int
    code_minutes: int
    code_tries: int
    code_gap: int
    code_daily: int
    code_network: int
    captcha_seconds: int
    login_tries: int
    login_window: int
    login_wait_max: int
    slide_after_failures: int
    factor_tries: tuple[int, ...]
    out_password_tries: tuple[int, ...]
    reset_daily: int
    security_hold: int
    address_wait: int
    address_book: int
    age_min: int
    break_days: int
    exclude_months: int
    limit_raise_wait: int
    rate_read: int
    rate_money: int
    rate_network: int
    upload_max: int
    upload_pixels: int
    upload_daily: int
    upload_daily_size: int
    upload_unused: int
    grant_minutes: int
    topup_min: dict[Asset, Amount]
    withdraw_min: dict[Asset, Amount]
    withdraw_fee_rate: Fraction
    withdraw_auto_max: int
    withdraw_two_reviewers: int
    withdraw_daily_limit: int
    kyc_free_limit: int
    signer_hour: int
    signer_day: int
    hot_low: Fraction
    hot_high: Fraction
    price_daily_step: Fraction
    house_spread: Fraction
    odd_even_profit: Fraction
    scene_seconds: tuple[int, ...]
    scene_margin: int
    result_window: int
    void_after: int
    bet_min: dict[Asset, Amount]
    draw_exposure: Fraction
    member_exposure: Fraction
    total_exposure: Fraction
    edge_min: Fraction
    team_levels: tuple[int, ...]
    vip_levels: tuple[int, ...]
    ref_first: Fraction

    def take_over(self, numbers: Mapping[str, int]) -> None:
        """What an operator ordered counts from now on, for whoever holds these terms."""
        for name, number in numbers.items():
            object.__setattr__(self, name, number)  # frozen for everybody else


@dataclass(frozen=True, slots=True)
class Changeable:
    """A number that an operator may change while the platform runs."""

    default: int
    minimum: int
    maximum: int
    unit: str

    def takes(self, value: int) -> bool:
        return self.minimum <= value <= self.maximum


def load_changeable(path: Path) -> dict[str, Changeable]:
    table = tomllib.loads(path.read_text())
    return {
        name: Changeable(row["default"], row["minimum"], row["maximum"], row["unit"])
        for name, row in table.items()
        if row.get("changeable")
    }


def load_terms(path: Path) -> Terms:
    """Read the table [name] default, unit, minimum?, maximum?, changeable?, source.

    Raises: BadTerms with the name of the number.
    """
    table = tomllib.loads(path.read_text(), parse_float=Decimal)
    values = {}
    for entry in fields(Terms):
        if entry.name not in table:
            raise BadTerms(f"{entry.name} is missing in {path.name}")
        values[entry.name] = _value(entry.name, table[entry.name])
    unknown = table.keys() - values.keys()
    if unknown:
        raise BadTerms(f"{', '.join(sorted(unknown))} in {path.name} is not used by anything")
    return Terms(**values)


def _value(name: str, row: dict[str, Any]) -> Any:
    value = row["default"]
    if isinstance(value, dict):
        return {BY_CODE[code]: parse_amount(text, BY_CODE[code]) for code, text in value.items()}
    numbers = value if isinstance(value, list) else [value]
    for number in numbers:
        if ("minimum" in row and number < row["minimum"]) or ("maximum" in row and number > row["maximum"]):
            raise BadTerms(f"{name} = {number} is outside {row.get('minimum', '')}..{row.get('maximum', '')}")
    if isinstance(value, list):
        return tuple(value)
    return Fraction(value) if isinstance(value, Decimal) else value


def assets_of(amounts: dict[Asset, Amount]) -> list[Asset]:
    """The assets that a number is stated for, in the order of the table of assets."""
    return [asset for asset in ASSETS if asset in amounts]
