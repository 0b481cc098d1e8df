"""The signer killed at every point, on a node that drops answers: one transfer on the chain, one end, one nonce."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from kalos.app.signer_folder import own_user
from kalos.core.assets import USDT
from kalos.core.failpoints import NAMES
from kalos.domains.context import House
from kalos.domains.withdrawals import jobs, service
from kalos.domains.withdrawals import queries as withdrawals
from kalos.ledger import purse
from kalos.ledger.statements import balances
from kalos.signer.steps import turn
from kalos.signer.sweeping import sweep
from signer.scene import COIN, Scene, SignerProcess
from signer.test_limits import POINTS as LIMIT_POINTS
from signer.test_paying import reverting
from signer.test_returning import freeze, returns
from signer.test_sweeping import coins, deposit, rows
from signer.test_whole import Rich, rich, say_yes
from support.budget import SOAK, count
from support.droppers import Dropper, dropper
from withdrawals.scene import holdings, reviewed, stored, withdraw

__all__ = ["rich"]

POINTS: Final = (
    "payment_chosen",
    "payment_checked",
    "payment_signed",
    "payment_stored",
    "payment_sent",
    "payment_answered",
    "payment_seen",
    "payment_final",
    "payment_ended",
)
RETURNED: Final = "withdrawal_returned"
TIMES: Final = count("signer.kills") if SOAK else 3


@pytest.fixture
async def proxy(scene: Scene) -> AsyncIterator[Dropper]:
    async with dropper(scene.node.url) as made:
        yield made


@pytest.fixture
async def process(scene: Scene, proxy: Dropper, tmp_path: Path) -> AsyncIterator[SignerProcess]:
    made = SignerProcess(scene, tmp_path, rpc=proxy.url)
    yield made
    await made.end()


def test_every_point_of_the_signer_is_tried() -> None:
    own = {name for name in NAMES if name.startswith(("limit_", "payment_", "withdrawal_"))}
    assert own == {*POINTS, *LIMIT_POINTS, RETURNED}


async def stored_bytes(scene: Scene, asked: Sequence[int]) -> list[list[bytes]]:
    return [[row["raw"] for row in await scene.attempts(one)] for one in asked]


async def booked(house: House, withdrawal: int) -> str:
    """As the worker does with what the signer has ended, and again when it is told of it once more."""
    (end,) = [one for one in await withdrawals.list_ended(house.db, 1000) if one.withdrawal == withdrawal]
    for _ in range(2):
        await service.settle(house, withdrawal=withdrawal, transaction=end.transaction, outcome=end.outcome)
    found = await withdrawals.find(house.db, withdrawal)
    assert found is not None
    assert found.transaction == end.transaction
    return found.status


async def left_of(house: House, withdrawal: int) -> tuple[int, int]:
    """What its member has of USDT, available and held, after having asked for all of it."""
    member: int = await house.db.value("SELECT member FROM withdrawals WHERE id = $1", withdrawal)
    units = await balances(house.db, [member])
    return units.get(purse.available(member, USDT), 0), units.get(purse.held(member, USDT), 0)


@pytest.mark.usefixtures("mining")
@pytest.mark.parametrize("point", POINTS)
async def test_killed_at_any_point_it_pays_once(
    scene: Scene, proxy: Dropper, process: SignerProcess, house: House, point: str
) -> None:
    scene.bench.limits = replace(scene.bench.limits, raise_blocks=1000)  # what is sent again is sent as it was
    asked = list[int]()
    for number in range(TIMES):
        one = await scene.ask(f"{number + 1}")
        asked.append(one)
        # The answer to the first is dropped, unless it is what the point waits for.
        proxy.drops = (number + 1) % 2 if point != "payment_answered" else 0
        await process.start(point)
        await process.killed()
        proxy.drops = 0
        before = await stored_bytes(scene, asked)
        if number == 0:
            if POINTS.index(point) >= POINTS.index("payment_sent"):
                await proxy.took()
            else:
                assert proxy.sent == []
            await _is_sent_as_it_was(scene, proxy, one, before[0])
            assert bool(before[0]) == (POINTS.index(point) >= POINTS.index("payment_stored"))
        elif number % 2 == 0:
            await scene.finish(one)
        now = await stored_bytes(scene, asked)
        assert [raws[: len(kept)] for raws, kept in zip(now, before, strict=True)] == before
    await scene.finish(*asked)
    assert set(proxy.sent) <= {f"0x{raw.hex()}" for raws in await stored_bytes(scene, asked) for raw in raws}
    for number, one in enumerate(asked):
        assert await scene.ends(one) == ["approved"]
        assert await scene.has(one) == (number + 1) * COIN
        assert len({row["nonce"] for row in await scene.attempts(one)}) == 1
        assert (await booked(house, one), await left_of(house, one)) == ("approved", (0, 0))
    assert await scene.reason() is None


@pytest.mark.parametrize("point", ["payment_seen", "payment_final", "payment_ended"])
async def test_killed_while_a_payment_fails_everything_comes_back_once(
    scene: Scene, process: SignerProcess, rich: Rich, point: str
) -> None:
    for _ in range(TIMES):
        me = await rich(usdt="100", kls="20")
        had = await holdings(me)
        one = (await withdraw(me, "100")).withdrawal.id
        await turn(scene.bench)
        (sent,) = await stored_bytes(scene, [one])
        async with reverting(scene):
            await scene.node.mine(scene.node.chain.network.confirmations + 1)
        await process.start(point)
        await process.killed()
        await scene.finish(one)
        for _ in range(2):
            await turn(scene.bench)
            await scene.node.mine()
        assert await scene.ends(one) == ["failed"]
        assert (await scene.has(one), await stored_bytes(scene, [one])) == (0, [sent])
        assert (await booked(me.house, one), await holdings(me)) == ("failed", had)
    assert await scene.reason() is None


@pytest.mark.parametrize("point", ["payment_stored", "payment_sent", "payment_answered"])
async def test_killed_as_it_makes_a_payment_dearer_it_pays_once(
    scene: Scene, proxy: Dropper, process: SignerProcess, point: str
) -> None:
    """What it has signed at the higher fee is kept and sent as it is, under the nonce of the first."""
    for number in range(TIMES):
        one = await scene.ask(f"{number + 1}")
        await turn(scene.bench)
        (first,) = await scene.attempts(one)
        await scene.node.node.call("anvil_dropTransaction", first["hash"])
        await scene.node.mine(scene.bench.limits.raise_blocks)
        proxy.sent.clear()
        await process.start(point)
        await process.killed()
        attempts = await scene.attempts(one)
        assert [row["raw"] for row in attempts[:1]] == [first["raw"]]
        assert [row["nonce"] for row in attempts] == [first["nonce"]] * 2
        assert attempts[1]["max_fee"] > first["max_fee"]
        assert bool(proxy.sent) == (point != "payment_stored")
        assert set(proxy.sent) <= {f"0x{attempts[1]['raw'].hex()}"}
        await scene.finish(one)
        assert (await stored_bytes(scene, [one]))[0] == [row["raw"] for row in attempts]
        assert (await scene.ends(one), await scene.has(one)) == (["approved"], (number + 1) * COIN)
    assert await scene.reason() is None


async def test_killed_as_it_gives_a_withdrawal_back_it_does_so_once_and_signs_nothing(
    scene: Scene, process: SignerProcess, rich: Rich
) -> None:
    """What people say afterwards is all that happens: every other one is sent once, or comes back once."""
    for number in range(TIMES):
        me = await rich(usdt="100", kls="20")
        had = await holdings(me)
        one = (await withdraw(me, "100")).withdrawal.id
        await freeze(me)
        await process.start(RETURNED)
        await process.killed()
        await freeze(me, None)
        for _ in range(3):
            await turn(scene.bench)
            await scene.node.mine()
        assert await returns(scene, one) == [(1, "account_frozen", None)]
        assert (await scene.attempts(one), await scene.ends(one)) == ([], [])
        assert (await jobs.take_back(me.house), await jobs.take_back(me.house)) == (1, 0)
        if number % 2:
            await say_yes(scene, me, one, "ann")
            await scene.finish(one)
            assert (await booked(me.house, one), await scene.has(one)) == ("approved", 100 * COIN)
            assert await left_of(me.house, one) == (0, 0)
        else:
            assert (await reviewed(me, await stored(me, one), is_yes=False)).status == "refused"
            await turn(scene.bench)
            assert (await scene.attempts(one), await holdings(me)) == ([], had)


async def _is_sent_as_it_was(scene: Scene, proxy: Dropper, withdrawal: int, before: list[bytes]) -> None:
    """What the killed process had stored is what goes to the node, byte for byte, and nothing is signed beside it."""
    node = scene.bench.chain.nodes[0]  # type: ignore[attr-defined]
    node._url = proxy.url
    await scene.finish(withdrawal)
    node._url = scene.node.url
    (sent,) = await stored_bytes(scene, [withdrawal])
    assert set(proxy.sent) == {f"0x{raw.hex()}" for raw in sent}
    assert sent == (before or sent[:1])


async def sweep_bytes(scene: Scene, owner: int) -> list[bytes]:
    """Of the gas for its address and of what empties it."""
    found = await scene.bench.db.rows(
        "SELECT raw FROM signer_nonces JOIN broadcasts USING (sender, nonce) "
        "WHERE owner = $1 AND attempt = 1 ORDER BY purpose",
        owner,
    )
    return [row["raw"] for row in found]


@pytest.mark.usefixtures("mining")
async def test_killed_while_it_sweeps_it_empties_an_address_once(
    scene: Scene, proxy: Dropper, process: SignerProcess
) -> None:
    hot, kept = scene.bench.keys.hot.address, list[bytes]()
    for _ in range(TIMES):
        owner, address = await deposit(scene, 2_000)
        before, moves = await coins(scene, hot), await scene.owner("SELECT count(*) FROM journal")
        for point in ("payment_stored", "payment_sent", "payment_answered", "payment_ended"):
            proxy.drops = 1 if point == "payment_sent" else 0
            await process.start(point)
            await process.killed()
            now = await sweep_bytes(scene, owner)
            assert now[: len(kept)] == kept
            kept = now
        async with asyncio.timeout(40):
            while [outcome for _, outcome in await rows(scene, owner)] != ["approved", "approved"]:
                await turn(scene.bench, more=sweep)
                await asyncio.sleep(0.05)
        assert (await coins(scene, address), await coins(scene, hot)) == (0, before + 2_000 * COIN)
        assert await sweep_bytes(scene, owner) == kept
        assert await scene.owner("SELECT count(*) FROM journal") == moves
        assert await scene.owner("SELECT units FROM sweep_sums WHERE owner = $1", owner) == 0
        kept = []
    assert await scene.reason() is None


@pytest.mark.usefixtures("mining")
async def test_a_process_on_a_node_that_drops_every_other_answer_pays_each_once(
    scene: Scene, proxy: Dropper, process: SignerProcess
) -> None:
    asked = [await scene.ask(f"{number}") for number in (1, 2, 3)]
    proxy.drops = 2
    await process.start()
    async with asyncio.timeout(40):
        while not all([await scene.ends(one) for one in asked]):
            await asyncio.sleep(0.05)
    assert [await scene.has(one) for one in asked] == [1 * COIN, 2 * COIN, 3 * COIN]
    assert [await scene.ends(one) for one in asked] == [["approved"]] * 3


@pytest.mark.usefixtures("mining")
async def test_a_second_signer_waits_until_the_first_has_gone(
    scene: Scene, proxy: Dropper, process: SignerProcess, tmp_path: Path
) -> None:
    second = SignerProcess(scene, tmp_path, rpc=proxy.url)
    try:
        await process.start()
        await _holder(scene)
        await second.start("payment_chosen")
        async with asyncio.timeout(20):
            while not await scene.owner("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"):
                await asyncio.sleep(0.02)
        one = await scene.ask("5")
        async with asyncio.timeout(20):
            while not await scene.ends(one):
                await asyncio.sleep(0.05)
        assert second.process is not None
        assert second.process.returncode is None
        await process.end()
        later = await scene.ask("6")
        await second.killed()
        await scene.finish(later)
    finally:
        await second.end()
    assert (await scene.has(one), await scene.has(later)) == (5 * COIN, 6 * COIN)


async def _holder(scene: Scene) -> None:
    async with asyncio.timeout(20):
        while not await scene.owner("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted"):
            await asyncio.sleep(0.02)


@pytest.mark.usefixtures("mining")
async def test_its_process_listens_on_nothing(scene: Scene, process: SignerProcess) -> None:
    started = await process.start()
    await _holder(scene)
    links = list[str]()
    for place in Path(f"/proc/{started.pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # it was closed meanwhile
            links.append(str(place.readlink()))
    inodes = {link.removeprefix("socket:[").removesuffix("]") for link in links if link.startswith("socket:")}
    assert inodes
    listening = set()
    for table, state in (("tcp", "0A"), ("tcp6", "0A"), ("udp", "07"), ("udp6", "07")):
        rows = [line.split() for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]]
        listening |= {row[9] for row in rows if row[3] == state}
    unix = [line.split() for line in Path("/proc/net/unix").read_text().splitlines()[1:]]
    listening |= {row[6] for row in unix if int(row[3], 16) & 0x10000}
    assert listening
    assert inodes & listening == set()


async def test_nobody_looks_into_its_process_not_even_its_own_user(scene: Scene, process: SignerProcess) -> None:
    looks = "import sys\nfor name in sys.argv[1:]:\n    open(f'/proc/{name}', 'rb').close()"
    command = [*own_user(), sys.executable, "-c", looks]
    another = await asyncio.create_subprocess_exec(*own_user(), "sleep", "60")
    try:
        started = await process.start(user=own_user())
        await _holder(scene)
        for name in ("environ", "mem"):
            for pid, problem in ((started.pid, "PermissionError"), (another.pid, "")):
                done = subprocess.run([*command, f"{pid}/{name}"], capture_output=True, text=True, check=False, cwd="/")
                assert problem in done.stderr, name
                assert (done.returncode == 0) is (not problem), (name, done.stderr)
    finally:
        another.kill()
        await another.wait()
