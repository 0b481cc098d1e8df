"""The business numbers of `terms.toml`, read once, each inside its bounds."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, Literal

from kalos.core.assets import ASSETS, BY_CODE, Asset
from kalos.core.errors import ForOperator
from kalos.core.money import Amount, parse_amount


class BadTerms(ForOperator, ValueError):
    """`terms.toml` misses a number, or one stands outside its bounds or doesn't fit another."""


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
    common_passwords: bool
    break_days: int
    exclude_months: int
    limit_raise_wait: int
    rate_read: int
    rate_money: int
    rate_network: int
    rate_draw: int
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
    ref_stale: int
    gas_low: Fraction
    ref_first: Fraction

    def take_over(self, numbers: "Mapping[str, tuple[Changeable, int]]") -> None:
        """What an operator ordered counts from now on, for whoever holds these terms."""
        for name, (number, value) in numbers.items():
            field, _, code = name.partition(".")
            if code:
                amounts = getattr(self, field) | {BY_CODE[code]: Amount(value, BY_CODE[code])}
                object.__setattr__(self, field, amounts)  # frozen for everybody else
            else:
                object.__setattr__(self, field, number.term(value))


@dataclass(frozen=True, slots=True)
class Changeable:
    """A number that an operator may change while the platform runs, in integers of its last decimal place.

    `signers`: how many people order it. `is_rate`: a fraction, in the terms. `is_switch`: on (1) or off (0).
    """

    default: int
    minimum: int
    maximum: int
    unit: str
    scale: int = 0
    signers: int = 1
    is_rate: bool = False
    is_switch: bool = False

    @property
    def bounds(self) -> str:
        """As people read them."""
        return " or ".join(_SWITCHED) if self.is_switch else f"{self.text(self.minimum)} to {self.text(self.maximum)}"

    def takes(self, value: int) -> bool:
        return self.minimum <= value <= self.maximum

    def read(self, text: str) -> int | None:
        """The value that somebody wrote; None where it has another form, or stands outside the bounds."""
        if self.is_switch:
            return _SWITCHED.get(text)
        match = _WRITTEN.fullmatch(text)
        if match is None or len(match[2] or "") > self.scale:
            return None
        value = int(match[1]) * 10**self.scale + int((match[2] or "").ljust(self.scale, "0") or "0")
        return value if self.takes(value) else None

    def text(self, value: int) -> str:
        """As people write it, without zeros at the end: 1250000 of a rate is 0.0125."""
        if self.is_switch:
            return _switched(value)
        whole, decimals = divmod(value, 10**self.scale)
        return f"{whole}.{decimals:0{self.scale}d}".rstrip("0").rstrip(".") if self.scale else f"{whole}"

    def term(self, value: int) -> int | bool | Fraction:
        if self.is_switch:
            return bool(value)
        return Fraction(value, 10**self.scale) if self.is_rate else value


_SWITCHED: Final = {"on": 1, "off": 0}


def _switched(value: int) -> str:
    return "on" if value else "off"


_WRITTEN: Final = re.compile(r"(0|[1-9][0-9]{0,11})(?:\.([0-9]{1,8}))?", re.ASCII)
_RATE_SCALE: Final = 8


_NOT_ABOVE: Final = {"withdraw_auto_max": "withdraw_two_reviewers", "hot_low": "hot_high"}
"""Of two numbers the first must not be above the second. Source: settings.md, "Treasury"."""


def partner_of(name: str) -> str | None:
    """The number that this one is held against; None where it stands alone."""
    return _NOT_ABOVE.get(name) or next((low for low, high in _NOT_ABOVE.items() if high == name), None)


def fit(name: str, value: int, beside: int) -> bool:
    """Whether a number and its partner's value `beside` go together."""
    return value <= beside if name in _NOT_ABOVE else beside <= value


NumberType = Literal["whole", "decimal", "amount", "list", "switch"]


@dataclass(frozen=True, slots=True)
class Number:
    """A business number as the console shows it: its default as text, its bounds, and where it comes from.

    `decimals` is how many its values have at most; `changeable` is None for those that stand as long as a process runs.
    """

    name: str
    default: str
    bounds: str
    unit: str
    source: str
    type: NumberType
    decimals: int
    changeable: Changeable | None


def load_numbers(path: Path) -> dict[str, Number]:
    """All numbers in the order of the table; one that is stated for several assets has a line for each."""
    table = tomllib.loads(path.read_text(), parse_float=Decimal)
    found = {}
    for name, row in table.items():
        default = row["default"]
        parts = {f"{name}.{code}": text for code, text in default.items()} if isinstance(default, dict) else {}
        for one, value in (parts or {name: default}).items():
            changeable = _changeable(one, value, row) if row.get("changeable") else None
            told = _bounds(row, changeable), row["unit"], row["source"], *_type_of(one, value)
            found[one] = Number(one, _shown(value), *told, changeable)
    return found


def load_changeable(path: Path) -> dict[str, Changeable]:
    return {name: number.changeable for name, number in load_numbers(path).items() if number.changeable}


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return _switched(value)
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _type_of(name: str, value: Any) -> tuple[NumberType, int]:
    """What sort of value a number takes, and with how many decimals: that of one asset is an amount of it."""
    if code := name.partition(".")[2]:
        return "amount", BY_CODE[code].scale
    if isinstance(value, bool):
        return "switch", 0
    if isinstance(value, list):
        return "list", 0
    return ("decimal", _RATE_SCALE) if isinstance(value, Decimal) else ("whole", 0)


def _changeable(name: str, value: Any, row: dict[str, Any]) -> Changeable:
    signers = row.get("signers", 1)
    if code := name.partition(".")[2]:
        asset = BY_CODE[code]
        units = parse_amount(value, asset).units
        return Changeable(units, 1, asset.maximum_units, row["unit"], asset.scale, signers)
    if isinstance(value, bool):
        return Changeable(int(value), 0, 1, row["unit"], signers=signers, is_switch=True)
    is_rate = isinstance(value, Decimal)
    scale = _RATE_SCALE if is_rate else 0
    default, minimum, maximum = (int(Decimal(one) * 10**scale) for one in (value, row["minimum"], row["maximum"]))
    return Changeable(default, minimum, maximum, row["unit"], scale, signers, is_rate)


def _bounds(row: dict[str, Any], changeable: Changeable | None) -> str:
    """As people read them; those of a changeable number are those that it is held to."""
    if changeable is not None:
        return changeable.bounds
    low, high = row.get("minimum"), row.get("maximum")
    if low is None:
        return "fixed"
    return f"from {low}" if high is None else f"{low}" if low == high else f"{low} to {_shown(high)}"


def load_terms(path: Path) -> Terms:
    """Read the table [name] default, unit, minimum?, maximum? (of a list one for each), changeable?, signers?, source.

    Raises: BadTerms with the name of the number.
    """
    table = tomllib.loads(path.read_text(), parse_float=Decimal)
    values = {}
    for entry in fields(Terms):
        if entry.name not in table:
            raise BadTerms(f"{entry.name} is missing in {path.name}")
        values[entry.name] = _value(entry.name, table[entry.name])
    for low, high in _NOT_ABOVE.items():
        if values[low] > values[high]:
            raise BadTerms(f"{low} = {values[low]} is above {high} = {values[high]}")
    unknown = table.keys() - values.keys()
    if unknown:
        raise BadTerms(f"{', '.join(sorted(unknown))} in {path.name} is not used by anything")
    return Terms(**values)


def _value(name: str, row: dict[str, Any]) -> Any:
    value = row["default"]
    if isinstance(value, dict):
        return {BY_CODE[code]: parse_amount(text, BY_CODE[code]) for code, text in value.items()}
    numbers = value if isinstance(value, list) else [value]
    least, most = row.get("minimum"), row.get("maximum")
    highest = most if isinstance(most, list) else [most] * len(numbers)
    if len(highest) != len(numbers):
        raise BadTerms(f"{name} has {len(numbers)} numbers and {len(highest)} maxima")
    for number, high in zip(numbers, highest, strict=True):
        if (least is not None and number < least) or (high is not None and number > high):
            raise BadTerms(f"{name} = {number} is outside {_bounds(row, None)}")
    if isinstance(value, list):
        return tuple(value)
    return Fraction(value) if isinstance(value, Decimal) else value


def assets_of(amounts: dict[Asset, Amount]) -> list[Asset]:
    """The assets that a number is stated for, in the order of the table of assets."""
    return [asset for asset in ASSETS if asset in amounts]
