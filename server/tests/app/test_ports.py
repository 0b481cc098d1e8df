"""Ports that an installation chooses for its inner parts."""

import asyncio
import itertools
import json
import os
import sys
from pathlib import Path
from typing import Final

import pytest

from kalos.app import kept

LOWEST_OF_THE_SYSTEM: Final = 32_768
CHOOSES: Final = "import sys, pathlib; from kalos.app.kept import choose_ports; choose_ports(pathlib.Path(sys.argv[1]))"


async def test_installations_that_choose_side_by_side_never_choose_the_same(tmp_path: Path) -> None:
    folders = [tmp_path / str(place) for place in range(8)]
    for folder in folders:
        folder.mkdir()
    choosing = [await asyncio.create_subprocess_exec(sys.executable, "-c", CHOOSES, folder) for folder in folders]
    assert [await one.wait() for one in choosing] == [0] * len(choosing)
    chosen = [kept.kept_port(folder, name) for folder in folders for name in kept.PORTS]
    assert len(set(chosen)) == len(folders) * len(kept.PORTS)
    assert max(chosen) < LOWEST_OF_THE_SYSTEM


async def test_a_port_that_somebody_listens_on_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_offered", itertools.count())
    first = kept.free_port()
    async with await asyncio.start_server(lambda _reader, _writer: None, "127.0.0.1", first):
        monkeypatch.setattr(kept, "_offered", itertools.count())
        assert kept.free_port() != first


def test_what_was_chosen_stays_while_it_is_free(tmp_path: Path) -> None:
    kept.choose_ports(tmp_path)
    first = (tmp_path / "ports.json").read_text()
    kept.choose_ports(tmp_path)
    assert (tmp_path / "ports.json").read_text() == first


async def test_a_part_that_needs_another_port_gets_none_that_is_spoken_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "_offered", itertools.count())
    kept.choose_ports(tmp_path)
    known = json.loads((tmp_path / "ports.json").read_text())
    spoken_for = kept.free_port()
    async with await asyncio.start_server(lambda _reader, _writer: None, "127.0.0.1", known["inbox"]):
        monkeypatch.setattr(kept, "_offered", itertools.count())
        kept.choose_ports(tmp_path, spoken_for)
    chosen = json.loads((tmp_path / "ports.json").read_text())
    assert {name for name in known if chosen[name] != known[name]} == {"inbox"}
    assert len({spoken_for, *chosen.values()}) == len(known) + 1


def test_where_nothing_is_free_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "is_free", lambda _port: False)
    with pytest.raises(OSError, match="is free"):
        kept.free_port()


def test_processes_that_begin_one_after_the_other_look_far_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """As lanes of tests do, that choose hundreds while others have chosen and not yet listened."""
    monkeypatch.setattr(kept, "is_free", lambda _: True)
    found = []
    for number in range(4_000, 4_006):
        monkeypatch.setattr(kept, "_offered", itertools.count())
        monkeypatch.setattr(os, "getpid", lambda number=number: number)
        found.append(kept.free_port())
    assert min(abs(one - other) for one, other in itertools.combinations(found, 2)) >= 1_000
