"""The archive of PostgreSQL's log, and how far it reaches."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kalos.app.embedded import archive
from kalos.app.embedded.reach import (
    SEGMENT_BYTES,
    Archive,
    Base,
    CannotRestore,
    choose,
    is_older,
    needed_from,
    place_of,
    segment_name,
)

NAME = "000000010000000000000007"


def segment(folder: Path, number: int, *, timeline: int = 1, at: int = 1_000) -> None:
    """An archived segment that was last written at that second."""
    (folder / f"{segment_name(timeline, number)}.gz").write_bytes(gzip.compress(b"log", mtime=at))


def branch(folder: Path, timeline: int, *left: tuple[int, int]) -> None:
    """The history of a timeline: those that it comes from, and the segment in whose middle each was left."""
    lines = [
        f"{one}\t{(number * SEGMENT_BYTES + 100) >> 32:X}/{number * SEGMENT_BYTES + 100:X}\tx\n" for one, number in left
    ]
    (folder / f"{timeline:08X}.history.gz").write_bytes(gzip.compress("\n".join(lines).encode()))


def base(number: int, *, ended: int, timeline: int = 1) -> Base:
    stop = number * SEGMENT_BYTES + 50
    return Base(name=str(number), timeline=timeline, stop=stop, begun_at=ended - 1, ended_at=ended)


def test_segment_goes_in_and_out_with_the_time_of_its_last_write(tmp_path: Path) -> None:
    source, kept = tmp_path / NAME, tmp_path / "wal"
    kept.mkdir()
    source.write_bytes(b"log" * 1000)
    os.utime(source, (5_000, 5_000.7))
    words = ["keep", str(source), str(kept), str(tmp_path / "mark")]
    assert archive.main(words) == 0
    assert archive.main(words) == 0, "PostgreSQL may ask again after a crash"
    assert [place.name for place in kept.iterdir()] == [f"{NAME}.gz"]
    target = tmp_path / "back"
    assert archive.main(["fetch", NAME, str(target), str(kept)]) == 0
    assert target.read_bytes() == source.read_bytes()
    assert Archive(kept).reach(base(7, ended=1)).until == 5_000_000


def test_segment_is_never_written_over_another_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, kept = tmp_path / NAME, tmp_path / "wal"
    kept.mkdir()
    source.write_bytes(b"first")
    assert archive.keep(source, kept, tmp_path / "mark") == 0
    source.write_bytes(b"second")
    assert archive.keep(source, kept, tmp_path / "mark") == 1
    assert "is there already with another content" in capsys.readouterr().err
    assert gzip.decompress((kept / f"{NAME}.gz").read_bytes()) == b"first"
    assert len(list(kept.iterdir())) == 1


def test_without_a_backup_nothing_is_kept_and_postgresql_goes_on(tmp_path: Path) -> None:
    source = tmp_path / NAME
    source.write_bytes(b"log")
    assert archive.keep(source, tmp_path / "wal", tmp_path / "mark") == 0
    assert not (tmp_path / "wal").exists()


def test_segment_waits_where_a_backup_was_made_and_its_folder_is_gone(tmp_path: Path) -> None:
    """As with a disk that isn't mounted: the very command that PostgreSQL runs, before and after it is."""
    source, kept, mark = tmp_path / NAME, tmp_path / "disk" / "wal", tmp_path / "mark"
    source.write_bytes(b"log")
    mark.touch()
    command = archive.archiving(kept, mark)["archive_command"].replace("%p", str(source))
    done = subprocess.run(["/bin/sh", "-c", command], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, f"{kept} is gone: a backup has begun the archive there\n")
    assert not kept.exists()
    kept.mkdir(parents=True)
    assert subprocess.run(["/bin/sh", "-c", command], check=False).returncode == 0
    assert (kept / f"{NAME}.gz").exists()


def test_a_full_disk_keeps_no_half_of_a_segment(tmp_path: Path) -> None:
    source, kept = tmp_path / NAME, tmp_path / "wal"
    kept.mkdir()
    source.write_bytes(os.urandom(100_000))
    words = [sys.executable, "-m", archive.__name__, "keep", str(source), str(kept), str(tmp_path / "mark")]
    full = ["/bin/sh", "-c", 'ulimit -f 20; exec "$@"', "sh", *words]
    assert subprocess.run(full, check=False, capture_output=True).returncode != 0
    assert list(kept.iterdir()) == []
    assert subprocess.run(words, check=False).returncode == 0
    assert [place.name for place in kept.iterdir()] == [f"{NAME}.gz"]


def test_absent_segment_ends_the_archive_and_a_damaged_one_ends_the_recovery(tmp_path: Path) -> None:
    target = tmp_path / "back"
    assert archive.fetch(NAME, target, tmp_path) == 1
    whole = gzip.compress(os.urandom(2_000))
    (tmp_path / f"{NAME}.gz").write_bytes(whole[:-500])
    assert archive.fetch(NAME, target, tmp_path) > 125
    assert not target.exists()


def test_command_survives_spaces_quotes_and_percent_signs_in_a_path(tmp_path: Path) -> None:
    kept = tmp_path / "it's 100% full"
    kept.mkdir()
    source = tmp_path / NAME
    source.write_bytes(b"log")
    command = archive.archiving(kept, tmp_path / "it's a mark")["archive_command"]
    command = command.replace("%p", str(source)).replace("%%", "%")
    assert subprocess.run(["/bin/sh", "-c", command], check=False).returncode == 0
    assert (kept / f"{NAME}.gz").exists()


def test_archive_needs_nothing_but_the_standard_library() -> None:
    program = f"import sys; sys.path.insert(0, {str(Path(archive.__file__).parent)!r}); import archive"
    assert subprocess.run([sys.executable, "-I", "-S", "-c", program], check=False).returncode == 0


def test_archive_reaches_to_the_last_write_of_its_last_segment(tmp_path: Path) -> None:
    for number, at in ((3, 30), (4, 40), (5, 50)):
        segment(tmp_path, number, at=at)
    reach = Archive(tmp_path).reach(base(4, ended=41_000))
    assert (reach.last, reach.until) == (5, 50_000)


def test_base_alone_reaches_to_its_own_end(tmp_path: Path) -> None:
    segment(tmp_path, 3, at=30)
    assert Archive(tmp_path).reach(base(4, ended=41_000)).until == 41_000


def test_missing_segment_is_named_instead_of_being_taken_for_the_end(tmp_path: Path) -> None:
    for number in (4, 5, 7):
        segment(tmp_path, number)
    with pytest.raises(CannotRestore, match="000000010000000000000006 is missing"):
        Archive(tmp_path).reach(base(4, ended=1))


def test_reach_follows_a_restore_into_its_timeline(tmp_path: Path) -> None:
    for number in range(4, 9):
        segment(tmp_path, number, at=number)
    for number in (6, 7):
        segment(tmp_path, number, timeline=2, at=100 + number)
    branch(tmp_path, 2, (1, 6))
    assert Archive(tmp_path).reach(base(4, ended=1)).until == 107_000
    assert Archive(tmp_path, 1).reach(base(4, ended=1)).until == 8_000


def test_base_of_a_past_that_was_given_up_is_not_chosen(tmp_path: Path) -> None:
    """Its backup was made on the first timeline, after the place where the second one left that."""
    for number in range(4, 9):
        segment(tmp_path, number, at=number)
    segment(tmp_path, 6, timeline=2, at=200)
    branch(tmp_path, 2, (1, 6))
    bases = [base(4, ended=4_000), base(7, ended=7_000)]
    assert choose(bases, Archive(tmp_path), None)[0].name == "4"
    assert choose(bases, Archive(tmp_path, 1), None)[0].name == "7"


def test_newest_base_before_the_time_is_chosen_and_times_out_of_reach_are_refused(tmp_path: Path) -> None:
    for number in range(4, 9):
        segment(tmp_path, number, at=number * 10)
    bases = [base(4, ended=40_000), base(6, ended=60_000)]
    assert choose(bases, Archive(tmp_path), 59_999)[0].name == "4"
    assert choose(bases, Archive(tmp_path), 60_000)[0].name == "6"
    assert choose(bases, Archive(tmp_path), 80_000)[1].until == 80_000
    with pytest.raises(CannotRestore, match="no base backup that ended before"):
        choose(bases, Archive(tmp_path), 39_999)
    with pytest.raises(CannotRestore, match="doesn't reach that time"):
        choose(bases, Archive(tmp_path), 80_001)


def test_unknown_timeline_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CannotRestore, match="no timeline 3"):
        choose([base(4, ended=1)], Archive(tmp_path, 3), None)


def test_segments_that_no_base_needs_may_go_and_histories_stay() -> None:
    first = needed_from([base(300, ended=1), base(600, ended=2)])
    assert first == 300
    assert is_older(f"{segment_name(1, 299)}.gz", first)
    assert is_older(f"{segment_name(2, 299)}.gz", first)
    assert not is_older(f"{segment_name(1, 300)}.gz", first)
    assert not is_older("00000002.history.gz", first)


def test_places_and_names_are_those_of_postgresql() -> None:
    assert place_of("1/AB000028") == 0x1AB000028
    assert segment_name(1, 0x1AB000028 // SEGMENT_BYTES) == "0000000100000001000000AB"
