"""The catalogue: the same keys and the same holes in all seven languages, and a text for whatever is raised."""

import importlib
import pkgutil

import pytest

import kalos
from kalos.core.errors import Refusal
from kalos.wire.languages import LANGUAGES, catalogue, holes_of, kind_text, refusal_text, say

OTHERS = [language for language in LANGUAGES if language != "en"]


def every_refusal() -> set[type[Refusal]]:
    for module in pkgutil.walk_packages(kalos.__path__, "kalos."):
        if module.name.endswith(".errors") or ".domains." in module.name:
            importlib.import_module(module.name)
    found: set[type[Refusal]] = set()
    waiting = [Refusal]
    while waiting:
        children = waiting.pop().__subclasses__()
        found.update(children)
        waiting += children
    return {refusal for refusal in found if refusal.__module__.startswith("kalos.")}


@pytest.mark.parametrize("language", OTHERS)
def test_keys_and_holes_are_those_of_english(language: str) -> None:
    english, other = catalogue("en"), catalogue(language)
    assert list(other) == list(english)
    assert {key: holes_of(text) for key, text in other.items()} == {
        key: holes_of(text) for key, text in english.items()
    }


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_is_left_in_english(language: str) -> None:
    english = catalogue("en")
    assert [key for key, text in catalogue(language).items() if text == english[key]] == []


def test_no_text_is_empty_or_padded() -> None:
    for language in LANGUAGES:
        for key, text in catalogue(language).items():
            assert text == text.strip() != "", (language, key)


def test_every_refusal_has_its_sentence() -> None:
    refusals = every_refusal()
    assert len(refusals) > 20
    missing = {refusal.name for refusal in refusals} - {key.removeprefix("refusal.") for key in catalogue("en")}
    assert missing == set()


def test_two_refusals_of_one_name_have_one_code() -> None:
    codes: dict[str, set[int]] = {}
    for refusal in every_refusal():
        codes.setdefault(refusal.name, set()).add(refusal.code)
    assert {name: found for name, found in codes.items() if len(found) > 1} == {}


def test_texts_of_the_product_are_used_exactly() -> None:
    exact = {
        "insufficient_balance": "insufficient balance",
        "round_closed": "currently closed, please join later",
        "betting_closed": "betting closed, please try later",
        "block_processing": "block being processed",
        "submit_failed": "submit failed",
        "password_format": "6-20 characters, letters and digits both required",
        "out_password_format": "6-20 characters, digits only",
        "slide_required": "The slide verification must be completed",
        "password_same": "New password must differ from the old",
        "password_mismatch": "The two new entries must match",
        "email_not_bound": "E-mail must be bound before e-mail verification",
    }
    assert {name: refusal_text("en", name, {}) for name in exact} == exact
    assert say("en", "page.server_error") == "Server error, please try again later"


def test_holes_are_filled_and_missing_ones_stay_empty() -> None:
    assert refusal_text("en", "security_hold", {"until": 1_795_363_200_001, "more": 1}) == (
        "On hold for your security until 2026-11-23 00:01 UTC+8"
    )
    assert refusal_text("en", "security_hold", {}) == "On hold for your security until "


def test_kind_without_a_text_is_shown_as_it_is() -> None:
    assert kind_text("vi", "game.stake") == "Đặt cược"
    assert kind_text("vi", "no.such") == "no.such"
