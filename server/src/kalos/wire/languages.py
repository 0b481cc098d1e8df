"""Sentences for people in seven languages: refusals, kinds of journal rows, mails. Keys are stable, texts are not.

One file a language in kalos/locales; every file has the same keys and the same holes (a test compares them).
"""

import string
import tomllib
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final

from kalos.core.clock import BUSINESS_ZONE, MINUTE_MS

LANGUAGES: Final = ("en", "vi", "th", "ja", "ko", "zh_CN", "tw")
DEFAULT: Final = "en"
_FOLDER: Final = Path(__file__).parents[1] / "locales"
_KNOWN: Final = {language: language for language in LANGUAGES} | {"vn": "vi", "zh": "zh_CN", "zhTW": "tw"}


TAGS: Final = {language: language for language in LANGUAGES} | {"zh_CN": "zh-Hans", "tw": "zh-Hant-TW"}
"""What HTML calls each language."""


def language_of(header: str) -> str:
    """The language that a `lang` header names; English where it names none of ours."""
    return _KNOWN.get(header, DEFAULT)


def say(language: str, key: str, **holes: Any) -> str:
    """The sentence of `key`; a hole without a value stays empty."""
    return catalogue(language)[key].format_map(_Holes(holes))


@cache
def done(language: str) -> str:
    """What every call says that was done."""
    return say(language, "page.done")


def refusal_text(language: str, name: str, fields: dict[str, Any]) -> str:
    """The sentence of a refusal; `until` is a point in time in its fields, and a date with its zone in the sentence."""
    if "until" in fields:
        fields = fields | {"until": _time_text(fields["until"])}
    return say(language, f"refusal.{name}", **fields)


def kind_text(language: str, kind: str) -> str:
    """What a statement calls a kind of journal row; the kind itself where no sentence is known."""
    texts = catalogue(language)
    return texts.get(f"kind.{kind}", kind)


@cache
def catalogue(language: str) -> dict[str, str]:
    """All sentences of one language by key, such as `refusal.not_found` and `kind.game.stake`."""
    tables = tomllib.loads((_FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
    return {f"{table}.{key}": text for table, texts in tables.items() for key, text in texts.items()}


def event_text(language: str, event: str) -> str:
    """What the security log and its mails call an event."""
    return say(language, f"event.{event}")


def utc_text(at_ms: int) -> str:
    """The same in every language and for every reader: 2026-11-22 18:30 UTC."""
    return f"{datetime.fromtimestamp(at_ms // 1_000, UTC):%Y-%m-%d %H:%M} UTC"


def holes_of(text: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


def _time_text(at_ms: int) -> str:
    """The same in every language: 2026-11-23 00:00 UTC+8, a minute rounded up."""
    return f"{datetime.fromtimestamp(-(-at_ms // MINUTE_MS) * 60, BUSINESS_ZONE):%Y-%m-%d %H:%M} UTC+8"


class _Holes(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return ""
