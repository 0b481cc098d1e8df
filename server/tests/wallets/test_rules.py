"""Labels, targets and waiting, alone."""

import pytest

from kalos.core.errors import InvalidInput
from kalos.core.payments import NOBODYS
from kalos.domains.wallets import rules
from kalos.domains.wallets.errors import InvalidAddress

OWN = "0x52908400098527886E0F7030069857D2E4169EE7"


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("Ledger", "Ledger"),
        ("  two blanks  ", "two blanks"),
        ("x", "x"),
        ("x" * 32, "x" * 32),
        ("e\u0301te\u0301", "été"),
        ("Ví của tôi", "Ví của tôi"),
        ("กระเป๋าเงิน", "กระเป๋าเงิน"),
        ("我的钱包", "我的钱包"),
        ("🔑 Trezor", "🔑 Trezor"),
        ("42", "42"),
        ("!", "!"),
    ],
)
def test_labels_that_can_be_read_are_kept(written: str, kept: str) -> None:
    assert rules.read_label(written) == kept


@pytest.mark.parametrize(
    "label",
    [
        "", " ", "\u3000", "x" * 33, "a\u202eb", "a\u2066b", "a\u200bb", "a\u200db", "a\ufeffb", "a\nb", "a\tb",
        "a\x00b", "a\x7fb", "\u2028", "\u0301", "\ufe0f", "\u3164", "a\u3164", "\u2800", "\u115f\u1160", "\uffa0",
        "\ue000", "\U000e0041", "\ud800", "\u0378", "\u00ad",
    ],
)  # fmt: skip
def test_labels_that_hide_something_or_are_too_long_are_refused(label: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        rules.read_label(label)
    assert refused.value.fields == {"errors": [{"field": "label", "reason": "invalid"}]}


def test_a_target_has_its_checksum_and_somebody_who_may_have_its_key() -> None:
    rules.check_target(OWN, written=OWN)
    for address, written in ((OWN, OWN.lower()), (NOBODYS, NOBODYS)):
        with pytest.raises(InvalidAddress):
            rules.check_target(address, written=written)


def test_a_new_address_waits_but_in_demo_mode() -> None:
    assert rules.wait_hours(address_wait=24, is_demo=False) == 24
    assert rules.wait_hours(address_wait=24, is_demo=True) == 0


def test_what_is_signed_says_which_account_and_fits_the_grammar() -> None:
    assert rules.statement("48213957") != rules.statement(None)
    assert "48213957" in rules.statement("48213957")
    assert rules.statement(None).isascii()
