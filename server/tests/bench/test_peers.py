"""Every benchmark and every peer for a moment, so that none of them rots. The figures mean nothing here."""

import os
from argparse import Namespace
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import asyncpg
import audit
import bets
import deep
import many
import pytest
import sets
import size
from foreign import BadPeer, Foreign, PeerFile, read_peer
from ours import members_of
from report import Benchmark
from rowlock import check_sums
from stand import HERE

from support import clusters

TWO_TABLES: Final = read_peer(HERE / "peers" / "two_tables.toml")
MOMENT: Final = 0.1
FEW: Final = 20
TICK_US: Final = 1_000_000 / os.sysconf("SC_CLK_TCK")


@pytest.fixture(scope="module")
async def owner(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    db = await asyncpg.connect(database_url)
    yield db
    await db.close()


@pytest.fixture(scope="module")
async def measured(database_url: str) -> dict[str, Benchmark]:
    found = await bets.run(database_url, rounds=1, seconds=MOMENT, accounts=FEW, files=[TWO_TABLES], connections=8)
    return {benchmark.id: benchmark for benchmark in found}


async def test_every_peer_is_measured_beside_ours_and_its_sums_are_right(measured: dict[str, Benchmark]) -> None:
    beside = {name: benchmark.against for name, benchmark in measured.items()}
    assert beside == {
        **dict.fromkeys(["L1", "L2", "L3", "L4", "L1 bare"], "row lock"),
        **dict.fromkeys(["L1 ORM", "L2 ORM", "L3 ORM", "L4 ORM", "L1 bare ORM"], "ORM"),
        "L1 bare two tables": "two tables",
        "L10": "L1",
    }
    assert all(min(*benchmark.ours, *benchmark.peer) > 0 for benchmark in measured.values())


async def test_processor_time_is_told_apart(measured: dict[str, Benchmark]) -> None:
    hot = measured["L1"]
    (ours,), (peer,), (rate,) = hot.cpu_us, hot.peer_cpu_us, hot.peer
    assert set(ours) <= {"client", "writer", "PostgreSQL"}
    assert ours["client"] > 0
    assert peer["client"] > 0
    # The clock's tick may find it at its beat, once or twice; what it did before the slice is many times that.
    assert peer.get("writer", 0) * rate <= 2 * TICK_US / MOMENT


async def test_a_peer_that_lost_or_made_up_a_posting_does_not_count(
    measured: dict[str, Benchmark], owner: asyncpg.Connection
) -> None:
    bets_stored, moves = [await owner.fetchval(f"SELECT count(*) FROM peer.{name}") for name in ("bets", "journal")]
    await check_sums(owner, "peer", bets_stored, moves)
    with pytest.raises(AssertionError):
        await check_sums(owner, "peer", bets_stored + 1, moves)
    with pytest.raises(AssertionError):
        await check_sums(owner, "peer", bets_stored, moves - 1)
    await owner.execute(
        "UPDATE peer.accounts SET balance = balance + CASE id WHEN $1 THEN 1 ELSE -1 END WHERE id IN ($1, $2)",
        *members_of(2),
    )
    with pytest.raises(AssertionError, match="differ from their history"):
        await check_sums(owner, "peer", bets_stored, moves)


async def test_the_two_tables_hold_what_was_transferred(database_url: str, owner: asyncpg.Connection) -> None:
    peer = Foreign(database_url, TWO_TABLES, connections=2)
    await peer.prepare(owner, FEW)
    transfer = peer.work("bare")
    assert transfer is not None
    for number in range(30):
        await transfer(number)
    await peer.check(owner)
    await peer.close()
    assert await owner.fetchval(f"SELECT count(*) FROM {peer.schema}.transfers") == 30
    assert await owner.fetchval(f"SELECT balance FROM {peer.schema}.accounts WHERE id = 1") == 10**12 + 30
    assert await owner.fetchval(f"SELECT sum(balance) FROM {peer.schema}.accounts") == (FEW + 1) * 10**12


async def test_a_peer_that_pays_nobody_is_found_out(database_url: str, owner: asyncpg.Connection) -> None:
    lossy = TWO_TABLES.setup.replace("balance + units", "balance")
    peer = Foreign(database_url, PeerFile("lossy", lossy, TWO_TABLES.transfer, TWO_TABLES.balance), connections=1)
    await peer.prepare(owner, FEW)
    transfer = peer.work("bare")
    assert transfer is not None
    await transfer(0)
    with pytest.raises(AssertionError, match="lossy: account 1 has 1000000000000, not 1000000000001"):
        await peer.check(owner)
    await peer.close()


@pytest.mark.parametrize(
    ("part", "text", "said"),
    [
        ("setup", "CREATE TABLE accounts", '"setup" failed: syntax error'),
        ("setup", "SELECT 1", '"transfer" failed: function transfer'),
        ("transfer", "SELECT transfer($1, $2, $3, $4), $4::box", '"transfer" failed'),
        ("transfer", "SELECT $1::box, $2::int, $3::int, $4::uuid", "$1 is of type box"),
        ("balance", "SELECT 5::bigint + $1::int", '"setup" made no funded account 1 of 21'),
    ],
)
async def test_a_peers_wrong_statement_is_told(
    database_url: str, owner: asyncpg.Connection, part: str, text: str, said: str
) -> None:
    parts = {"setup": TWO_TABLES.setup, "transfer": TWO_TABLES.transfer, "balance": TWO_TABLES.balance, part: text}
    peer = Foreign(database_url, PeerFile("wrong", **parts), connections=1)
    with pytest.raises(BadPeer) as told:
        await peer.prepare(owner, FEW)
    await peer.close()
    assert said in str(told.value)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('name = "ours"\nsetup = "b"\ntransfer = "$1 $2 $3 $4"\nbalance = "$1"', '"name" must be'),
        ('name = "a | b"\nsetup = "b"\ntransfer = "$1 $2 $3 $4"\nbalance = "$1"', '"name" must be'),
        ("name = ", "is no TOML"),
        ('name = "a"\nsetup = "b"\nbalance = "$1"', '"transfer" is missing or no text'),
        ('name = "a"\nsetup = 5\ntransfer = "$1 $2 $3 $4"\nbalance = "$1"', '"setup" is missing or no text'),
        ('name = "a"\nsetup = "b"\ntransfer = "$1 $2 $3"\nbalance = "$1"', '"transfer" must use $1 $2 $3 $4'),
        ('name = "a"\nsetup = "b"\ntransfer = "$1 $2 $3 $4"\nbalance = "$2"', '"balance" must use $1'),
        ('name = "a"\nsetup = "b"\ntransfer = "$1 $2 $3 $4"\nbalance = "$1"\nmore = 1', '"more" is none of'),
    ],
)
def test_a_file_that_is_no_peer_is_told(tmp_path: Path, content: str, said: str) -> None:
    place = tmp_path / "peer.toml"
    place.write_text(content)
    with pytest.raises(BadPeer) as told:
        read_peer(place)
    assert said in str(told.value)
    assert str(place) in str(told.value)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadPeer, match="No such file"):
        read_peer(tmp_path / "none.toml")


async def test_bytes_of_a_posting_are_those_of_its_rows_and_indexes(database_url: str) -> None:
    for kind in await size.run(database_url, postings=1_000, accounts=FEW):
        assert 200 < kind.ours[0] < 700
        assert 300 < kind.peer[0] < 900


async def test_a_set_is_as_the_writer_would_have_left_it(template: str, database_url: str) -> None:
    """Its audit is part of building it; bets go on from there, and both ways to page show the same rows."""
    url = await clusters.copy_template(template, "bench_set")
    await sets.build(url, accounts=50, depth=301)
    more = await many.run(url, database_url, counts=(50, FEW), rounds=1, seconds=MOMENT, in_flight=4)
    assert min(*more.ours, *more.peer) > 0
    far, near = await deep.run(url, depth=200, rounds=1, seconds=MOMENT)
    assert min(*far.ours, *far.peer, *near.peer) > 0


async def test_the_audit_finds_nothing_in_what_it_is_timed_on(template: str) -> None:
    url = await clusters.copy_template(template, "bench_audit")
    arguments = Namespace(moves=300, accounts=30, rounds=1)
    figures = await audit.run(url, Path(), arguments)
    assert figures.moves == 300
    assert min(*figures.rates, *figures.steps) > 0
