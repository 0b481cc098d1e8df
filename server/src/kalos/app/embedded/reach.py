"""How far an archive reaches: which base backup a time can be restored from, and whether a segment is missing.

A restored server goes on in a new timeline; its history names those that it comes from, and where it left them.
"""

import gzip
import re
import struct
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import msgspec

SEGMENT_BYTES: Final = 16 << 20
_IN_LOG: Final = (1 << 32) // SEGMENT_BYTES
_SEGMENT: Final = re.compile(r"([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})\.gz", re.ASCII)
_HISTORY: Final = re.compile(r"([0-9A-F]{8})\.history\.gz", re.ASCII)
_BRANCH: Final = re.compile(r"^(\d+)\t([0-9A-F]+/[0-9A-F]+)\t", re.ASCII | re.MULTILINE)
_HEAD: Final = struct.Struct("<4xI")


class CannotRestore(Exception):
    """The time can't be reached; the text says why and what can."""


class Base(msgspec.Struct, frozen=True, kw_only=True):
    """A base backup. `stop` is the place in the log up to which it stands for itself; times are the wall's, in ms."""

    name: str
    timeline: int
    stop: int
    begun_at: int
    ended_at: int


@dataclass(frozen=True, slots=True)
class Reach:
    """Everything that was acknowledged before `until` (ms) is in the archive, which goes to segment `last`."""

    last: int
    until: int


def place_of(text: str) -> int:
    """A place in the log, as PostgreSQL writes it: `0/3000028`."""
    high, low = text.split("/")
    return int(high, 16) << 32 | int(low, 16)


def segment_name(timeline: int, number: int) -> str:
    return f"{timeline:08X}{number // _IN_LOG:08X}{number % _IN_LOG:08X}"


@dataclass(frozen=True)
class Archive:
    """One look at the folder of archived segments, along `timeline`; 0: the newest."""

    folder: Path
    timeline: int = 0

    @cached_property
    def along(self) -> int:
        return self.timeline or max([1, *(int(found[1], 16) for found in self._named(_HISTORY))])

    @cached_property
    def branches(self) -> list[tuple[int, int]]:
        """The timelines that this one comes from, and the place where each was left, oldest first."""
        if self.along == 1:
            return []
        place = self.folder / f"{self.along:08X}.history.gz"
        if not place.exists():
            raise CannotRestore(f"the archive has no timeline {self.along}")
        text = gzip.decompress(place.read_bytes()).decode()
        return [(int(timeline), place_of(left)) for timeline, left in _BRANCH.findall(text)]

    def holds(self, base: Base) -> bool:
        """Whether the timeline comes from this base, not from a past that was given up before it."""
        return base.timeline == self.along or any(
            base.timeline == timeline and base.stop <= left for timeline, left in self.branches
        )

    def reach(self, base: Base) -> Reach:
        """How far recovery from this base gets. Raises: CannotRestore where a segment is missing on the way."""
        number = base.stop // SEGMENT_BYTES
        last, until = number - 1, base.ended_at
        while (place := self._place(number)) is not None:
            last, until = number, max(until, _written_at(place))
            number += 1
        if any(number < later for later in self._numbers):
            missing = segment_name(self._timeline_of(number), number)
            raise CannotRestore(f"{self.folder} has a gap: {missing} is missing, and later segments are there")
        return Reach(last, until)

    def _place(self, number: int) -> Path | None:
        place = self.folder / f"{segment_name(self._timeline_of(number), number)}.gz"
        return place if place.exists() else None

    @cached_property
    def _numbers(self) -> list[int]:
        """The segments of this timeline and those that it comes from."""
        found = [(int(name[1], 16), int(name[2], 16) * _IN_LOG + int(name[3], 16)) for name in self._named(_SEGMENT)]
        return [number for timeline, number in found if timeline == self._timeline_of(number)]

    def _timeline_of(self, number: int) -> int:
        """A segment in which a timeline was left is archived whole in the one that follows."""
        return next((timeline for timeline, left in self.branches if number < left // SEGMENT_BYTES), self.along)

    def _named(self, form: re.Pattern[str]) -> list[re.Match[str]]:
        names = [place.name for place in self.folder.iterdir()] if self.folder.is_dir() else []
        return [found for name in names if (found := form.fullmatch(name))]


def choose(bases: list[Base], archive: Archive, to: int | None) -> tuple[Base, Reach]:
    """The newest base that ended before `to` (ms), and how far it gets; None: as far as the archive reaches.

    Raises: CannotRestore.
    """
    usable = [base for base in bases if archive.holds(base) and (to is None or base.ended_at <= to)]
    if not usable:
        raise CannotRestore("there is no base backup that ended before that time")
    base = max(usable, key=lambda one: one.ended_at)
    reach = archive.reach(base)
    if to is not None and to > reach.until:
        raise CannotRestore("the archive doesn't reach that time: TO=latest restores all of it")
    return base, reach


def needed_from(bases: list[Base]) -> int:
    """The first segment that any of these bases needs: older ones may go."""
    return min(base.stop for base in bases) // SEGMENT_BYTES


def is_older(name: str, number: int) -> bool:
    """Whether this file of the archive is a segment before `number`, of whatever timeline."""
    found = _SEGMENT.fullmatch(name)
    return found is not None and int(found[2], 16) * _IN_LOG + int(found[3], 16) < number


def _written_at(place: Path) -> int:
    """When PostgreSQL last wrote to the segment: gzip's head says so, in whole seconds."""
    with place.open("rb") as file:
        seconds: int = _HEAD.unpack(file.read(_HEAD.size))[0]
    return seconds * 1000
