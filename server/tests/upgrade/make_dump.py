"""Writes a dump of a small demo database at the newest migration: `python tests/upgrade/make_dump.py`, in server/.

It starts the product in a folder of its own, plays (a picture, an address for withdrawals, top-ups, one too small, bets
won and lost, a day that passes, a withdrawal that arrives, a bet that is still open), stops it and dumps what then lies
there. Keys, sessions, codes and mails are left out. Migrations that have no digest yet get theirs; with `--digests`
nothing but that: each new migration brings its own.
"""

import asyncio
import gzip
import hashlib
import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

import httpx

from kalos.app.demo_data import OUT_PASSWORD, PASSWORD, ROOT
from kalos.app.embedded.postgres import Cluster, RunningCluster, programs
from kalos.app.kept import kept_secret
from kalos.app.migrate import newest
from kalos.app.settings import Settings
from kalos.wire.client import WireClient
from support.group import RunningGroup
from support.loopback import loopback_client
from support.people import way_to
from support.pictures import hex_of, picture

DUMPS: Final = Path(__file__).with_name("dumps")
DIGESTS: Final = Path(__file__).with_name("migrations.sha256")
MIGRATIONS: Final = Path(__file__).parents[2] / "migrations" / "versions"
LEFT_OUT: Final = (
    "auth_tokens", "captchas", "demo_mails", "email_codes", "freeze_tokens", "limits", "sessions", "slide_proofs",
    "slides", "staff_sessions", "tries", "wallet_nonces", "wire_keys", "wire_nonces", "wire_ticket_keys",
    "withdrawal_proofs",
)  # fmt: skip
"""Tables whose rows are secrets or end within a day: dumped empty."""

_SCENE: Final = "odd_even-60"
_PATIENCE_SECONDS: Final = 240.0
_DAY_SECONDS: Final = 86_400
_LEAST_OPEN_MS: Final = 10_000
_ADDRESS: Final = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"


class Player:
    """A demo member at the running product."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http
        self._wire = WireClient(http, mode="plain")

    async def call(self, path: str, **body: Any) -> dict[str, Any]:
        answer = await self._wire.call(f"/api/{path}", body)
        assert answer["code"] == 200, (path, answer)
        found: dict[str, Any] = answer["data"]
        return found

    async def log_in(self) -> None:
        drawn = await self.call("auth/captcha")
        read = await self.call("demo/captcha", captcha_id=drawn["captcha_id"])
        solved = {"captcha_id": drawn["captcha_id"], "code": read["code"]}
        answer = await self.call("auth/login", name=ROOT, password=PASSWORD, **solved)
        self._wire = WireClient(self._http, mode="plain", token=answer["token"])

    async def send_picture(self) -> None:
        content = picture()
        answer = await self._wire.call(
            "/api/basic/upload", {"image_sha256": hex_of(content)}, file=(content, "image/png")
        )
        assert answer["code"] == 200, answer

    async def top_up(self, amount: str) -> None:
        """Send coins on the chain and wait until they are credited."""
        wanted = (await self.call("user/usdtLog"))["total"] + 1
        await self.call("demo/faucet", amount=amount)
        await _until(lambda: self._has(wanted))

    async def bind_address(self) -> None:
        """Write an address into the book; withdrawals may go there a day later."""
        slide = (await self.call("auth/slide"))["captcha_id"]
        place = (await self.call("demo/captcha", captcha_id=slide))["x"]
        proof = (await self.call("auth/slideVerify", captcha_id=slide, x=place, track=way_to(place)))["proof"]
        chain = (await self.call("lp/chain"))["list"][0]["chain_id"]
        entry = {"chain": chain, "address": _ADDRESS, "label": "Own wallet", "out_password": OUT_PASSWORD}
        code = await self._mailed_code(scene="address")
        await self.call("user/bindWallet", **entry, proof=proof, email_code=code, request_id=uuid.uuid4().hex)

    async def withdraw(self, amount: str) -> None:
        """Send coins to the address of the book, and wait until they are there."""
        wish = {"coin_type": 1, "amount": amount, "wallet_id": (await self.call("user/walletList"))["list"][0]["id"]}
        code = await self._mailed_code(scene="withdraw", **wish)
        means = {"out_password": OUT_PASSWORD, "email_code": code, "buy_fee": True, "request_id": uuid.uuid4().hex}
        await self.call("withdraw/withdrawCoin", **wish, **means)

        async def arrived() -> bool:
            rows = (await self.call("withdraw/list"))["list"]
            return [row["status"] for row in rows] == ["approved"]

        await _until(arrived)

    async def _mailed_code(self, **asked: Any) -> str:
        before = await self._codes()
        await self.call("user/sendEmail", **asked)
        codes: list[str] = []

        async def came() -> bool:
            codes[:] = await self._codes()
            return len(codes) > len(before)

        await _until(came)
        return codes[0]

    async def _codes(self) -> list[str]:
        """Of the mails that have one, the newest first: news of the account come between them."""
        letters = (await self.call("demo/inbox", email=ROOT))["list"]
        return [letter["code"] for letter in letters if letter["code"]]

    async def bet(self, *options: str) -> None:
        """Bet 10 USDT on each option of one round that stays open long enough."""
        shown: dict[str, Any] = {}

        async def is_open() -> bool:
            shown.update(await self.call("game/scene", scene_id=_SCENE))
            left = shown["closes_at"] - shown["server_time"]
            # A house that has just started takes no bets until it has heard its chain.
            return bool(shown["state"] == "open" and shown["betting_closed"] is None and left > _LEAST_OPEN_MS)

        await _until(is_open)
        for option in options:
            asked = {"scene_id": _SCENE, "round": shown["round"], "option": option, "amount": "10"}
            await _until(partial(self._placed, asked))

    async def _placed(self, asked: dict[str, Any]) -> bool:
        """Whether that bet stands. Until a new house has heard its chain it may close again for a moment."""
        body = {**asked, "balance_type": "USDT", "request_id": uuid.uuid4().hex}
        answer = await self._wire.call("/api/game/beton", body)
        closed: bool = answer["data"].get("error") == "betting_closed"
        assert closed or answer["code"] == 200, answer
        return not closed

    async def wait_for_results(self) -> None:
        async def all_drawn() -> bool:
            return not (await self.call("game/orderList", status="awaiting_draw"))["list"]

        await _until(all_drawn)

    async def _has(self, moves: int) -> bool:
        return bool((await self.call("user/usdtLog"))["total"] >= moves)


async def play(url: str) -> None:
    """Fill the database with what an installation has after two days."""
    async with loopback_client(url) as http:
        player = Player(http)
        await player.log_in()
        await player.send_picture()
        await player.bind_address()
        await player.top_up("100")
        await player.call("demo/faucet", amount="4")
        await player.bet("odd", "even")
        await player.wait_for_results()
        await player.call("demo/clock", advance_seconds=_DAY_SECONDS)
        await player.top_up("25.5")
        await player.withdraw("20")
        await player.bet("odd", "even")
        await player.wait_for_results()
        await player.bet("odd")


def dump_of(cluster: Cluster) -> str:
    """The whole database of a group that was stopped, as statements that any client can run."""
    command = [str(programs() / "pg_dump"), "--no-owner", "--inserts", "--rows-per-insert=100"]
    command += [f"--exclude-table-data={table}" for table in LEFT_OUT]
    running = RunningCluster(cluster)
    running.start()
    try:
        text = subprocess.run([*command, cluster.url()], capture_output=True, text=True, check=True).stdout
    finally:
        running.stop()
    return "\n".join(line for line in text.split("\n") if not line.startswith(("\\restrict", "\\unrestrict", "--")))


def digest_of(migration: Path) -> str:
    return hashlib.sha256(migration.read_bytes()).hexdigest()


def known_digests() -> dict[str, str]:
    """The digest of each migration that was released, by file name."""
    pairs = (line.split("  ") for line in DIGESTS.read_text().splitlines())
    return {name: digest for digest, name in pairs}


def note_digests() -> None:
    """Add the migrations that have no digest yet; one that differs from its digest ends the run."""
    known = known_digests() if DIGESTS.exists() else {}
    for migration in sorted(MIGRATIONS.glob("[0-9]*.py")):
        found = digest_of(migration)
        assert known.setdefault(migration.name, found) == found, f"{migration.name} was edited"
    DIGESTS.write_text("".join(f"{digest}  {name}\n" for name, digest in known.items()))


async def _until(holds: Callable[[], Awaitable[bool]]) -> None:
    until = time.monotonic() + _PATIENCE_SECONDS
    while not await holds():
        assert time.monotonic() < until, "it takes too long"
        await asyncio.sleep(0.5)


def main() -> None:
    note_digests()
    if "--digests" in sys.argv:
        return
    with tempfile.TemporaryDirectory(prefix="kalos-dump-") as name:
        group = RunningGroup(Path(name) / "data")
        try:
            group.start()
            asyncio.run(play(f"http://127.0.0.1:{group.port}"))
            group.stop()
            text = dump_of(Settings(data_dir=group.folder).cluster)
            secret = kept_secret(group.folder)
        finally:
            group.end()
    assert secret not in text
    assert os.fspath(name) not in text
    DUMPS.mkdir(exist_ok=True)
    place = DUMPS / f"{newest()}.sql.gz"
    place.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    sys.stdout.write(f"{place.name}: {place.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
