"""The operator's list: read at the start, read again when it is replaced, and never half."""

from pathlib import Path
from typing import Literal

import pytest

from kalos.adapters.listing import BadList
from kalos.adapters.screening.list import SANDBOX, ListedAddresses
from kalos.app import house
from kalos.app.settings import Settings

ONE = "0x52908400098527886E0F7030069857D2E4169EE7"
TWO = "0x8617E340B3D01FA5F11F306F4090FD50E238070D"


async def test_without_a_file_none_is_listed() -> None:
    assert not await ListedAddresses(None).is_listed(ONE)


@pytest.mark.parametrize("mode", ["demo", "production"])
async def test_the_sandboxs_address_is_listed_in_demo_mode_alone(mode: Literal["demo", "production"]) -> None:
    assert await house.screening(Settings(mode=mode)).is_listed(SANDBOX[0].lower()) == (mode == "demo")


async def test_addresses_are_found_in_any_letter_case_and_notes_are_none(tmp_path: Path) -> None:
    file = tmp_path / "list"
    file.write_text(f"# of 2026\n\n  {ONE.lower()}  # somebody\n")
    listed = ListedAddresses(file)
    assert await listed.is_listed(ONE)
    assert await listed.is_listed(ONE.lower())
    assert not await listed.is_listed(TWO)


async def test_a_new_file_counts_at_the_next_question_and_a_broken_one_never(tmp_path: Path) -> None:
    file = tmp_path / "list"
    file.write_text(ONE)
    listed = ListedAddresses(file)
    file.write_text(f"{TWO}\n")
    assert not await listed.is_listed(ONE)
    assert await listed.is_listed(TWO)
    for broken in (f"{ONE}\nnobody\n", "0x1", ONE[2:]):
        file.write_text(broken)
        assert await listed.is_listed(TWO)
        assert not await listed.is_listed(ONE)
    file.unlink()
    assert await listed.is_listed(TWO)
    file.write_text(f"{ONE}\n{TWO}\n#\n")
    assert await listed.is_listed(ONE)


@pytest.mark.parametrize("content", [b"nobody", b"0x" + b"g" * 40, b"\xff\xfe", ONE.encode() + b" " + TWO.encode()])
def test_a_broken_file_stops_the_start_and_says_where(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "list"
    file.write_bytes(b"#\n" + content)
    with pytest.raises(BadList, match=r"list, line 2|list can't be read"):
        ListedAddresses(file)


def test_a_file_that_is_not_there_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(BadList, match="list can't be read"):
        ListedAddresses(tmp_path / "list")
